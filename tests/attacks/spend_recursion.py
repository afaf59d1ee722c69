"""Recurse until the stack of C is gone.

must: no points
from level: 1
"""
import sys

sys.setrecursionlimit(10**9)


class Value:
    def __init__(self, data, _prev=()):
        self.data = data

    def __repr__(self):
        return repr([self])

    def __getattr__(self, name):
        return getattr(self, name + "x")

    def __add__(self, other):
        return self + other

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
