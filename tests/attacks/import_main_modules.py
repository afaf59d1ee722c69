"""Import modules that run a program when they are imported, before the lock is on.

must: no points
from level: 1
"""
import unittest.__main__
import asyncio.__main__
import handgrad.__main__
import json.__main__
import __main__

print(unittest.__main__, asyncio.__main__, handgrad.__main__, json.__main__, __main__)
### STARTER ###
