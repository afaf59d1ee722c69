"""A hundred thousand statements and imports, to be read before anything runs.

must: no points
from level: 1
"""
@IMPORTS@
