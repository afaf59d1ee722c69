"""Close every descriptor, the judge's among them.

must: no points; not loaded
from level: 1
"""
### STARTER ###

import os

os.closerange(0, 4096)
