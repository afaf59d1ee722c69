"""Import a denied module through every importer Python has.

must: all points
from level: 1
"""
### REFERENCE ###

import builtins
import importlib
import sys

for call in (builtins.__import__, importlib.import_module, importlib.__import__):
    try:
        call("".join(["anti", "gravity"]))
    except BaseException as error:
        print("held:", type(error).__name__)
