"""A random.py, a handgrad package and a sitecustomize.py beside the solution are not what gets imported.

must: all points; held
from level: 1
"""
### PRELUDE ###
### REFERENCE ###

import random

print("BROKEN: ours" if hasattr(random, "planted") else "held: the library's random")
for name in ("sitecustomize", "usercustomize", "conftest"):
    loaded = sys.modules.get(name)
    print(f"BROKEN: {name}" if hasattr(loaded, "planted") else f"held: {name}")
