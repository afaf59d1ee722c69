"""End the process with success inside the method that is asked for.

must: no points
from level: 1
"""
### STARTER ###

import os


class Value:
    def __init__(self, data, _prev=()):
        os._exit(0)
