"""Half a million format fields in one string: parsing it takes a minute and a gigabyte, wherever it is done.

must: no points; not loaded
from level: 1
"""
x = f'@FIELDS@'
