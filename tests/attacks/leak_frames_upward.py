"""Look for a grader's text, numbers or paths in every frame, object and module of the worker.

must: all points; held
from level: 1
"""
### PRELUDE ###
### REFERENCE ###

import gc
import sys

MARKS = ("test_example_with_other_numbers", "handgrad.check import", "graders/", "CANARY-")
seen = set()


def look(thing, where):
    if isinstance(thing, str) and any(mark in thing for mark in MARKS) and thing != SOURCE:
        seen.add((where, thing[:80]))


SOURCE = None
frame = sys._getframe().f_back
while frame is not None:
    for name, value in frame.f_locals.items():
        look(value, f"frame {name}")
    frame = frame.f_back
mine = globals()
for thing in gc.get_objects():
    if type(thing) is dict and thing is not mine:
        for key, value in list(thing.items()):
            look(key, "dict")
            if key not in ("solution.py",):
                look(value, f"dict {key!r}")
seen = {(where, text) for where, text in seen if "Look for a grader" not in text and "MARKS" not in text}
print(f"BROKEN: {seen}" if seen else "held: nothing found")
