"""End the process at once, with success, past every handler.

must: no points; not loaded
from level: 1
"""
### STARTER ###

import os

os._exit(0)
