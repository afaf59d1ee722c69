"""Pose as the command: __name__, __main__, sys.argv, and a function that a runner would call.

must: no points
from level: 1
"""
### STARTER ###

import sys

__name__ = "__main__"
sys.argv[:] = ["handgrad", "check", "--in-process", "--require-level", "0"]
sys.modules["__main__"].__dict__.update(check=lambda *a, **k: (lambda f: f), passed=True)


def test_everything():
    assert True


def grade(*a, **k):
    return 100
