"""Raise exceptions whose class, name, text and ancestors imitate the judge's own.

must: no points
from level: 1
"""
### STARTER ###


class CheckFailed(AssertionError, KeyError):
    def __str__(self):
        raise SystemExit(0)

    def __repr__(self):
        return "PASSED"


class Passed(LookupError, StopIteration):
    pass


Passed.__name__ = "P" * 1_000_000
CheckFailed.__qualname__ = CheckFailed.__name__ = "\x1b[2J::error::\n</td>"


class Value:
    count = 0

    def __init__(self, data, _prev=()):
        Value.count += 1
        raise (CheckFailed, Passed, GeneratorExit, KeyboardInterrupt, StopIteration)[Value.count % 5]("passed" * 9999)
