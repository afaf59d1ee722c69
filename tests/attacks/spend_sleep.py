"""Sleep for an hour: no time of the processor is used.

must: no points; not loaded
from level: 1
"""
### STARTER ###

import time

time.sleep(3600)
