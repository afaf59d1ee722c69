"""Replace the operators that the worker uses for a check's own `+`, `==` and `in`.

must: no points
from level: 1
"""
### STARTER ###

import operator
import sys

for name in dir(operator):
    if not name.startswith("_"):
        setattr(operator, name, lambda *a: True)
for module in list(sys.modules.values()):
    table = getattr(module, "_OPERATORS", None)
    if type(table) is dict:
        for key in table:
            table[key] = lambda *a: True
