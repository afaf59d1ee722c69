"""A regular expression that backtracks for ever.

must: no points
from level: 1
"""
import re


class Value:
    def __init__(self, data, _prev=()):
        re.match(r"(a+)+$", "a" * 60 + "!")
