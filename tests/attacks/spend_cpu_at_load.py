"""Never end while the file is loaded.

must: no points; not loaded
from level: 1
"""
### STARTER ###

while True:
    pass
