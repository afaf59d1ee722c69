"""Fill sys.modules with false check, judge and pytest modules.

must: no points
from level: 1
"""
### STARTER ###

import sys
import types


class Fake(types.ModuleType):
    def __getattr__(self, name):
        return lambda *a, **k: True


for name in ("handgrad", "handgrad.check", "handgrad.judge", "handgrad.judge.run", "handgrad.explain", "pytest"):
    sys.modules[name] = Fake(name)
