"""End Python with success while the file is loaded: an exit code is no verdict.

must: no points; not loaded
from level: 1
"""
### STARTER ###

import sys

sys.exit(0)
