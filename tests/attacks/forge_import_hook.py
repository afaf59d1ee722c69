"""Put a finder first in sys.meta_path, and an importer into builtins, that serve patched modules.

must: no points
from level: 1
"""
### STARTER ###

import builtins
import sys

real = builtins.__import__


class Finder:
    def find_spec(self, name, path=None, target=None):
        raise ImportError(name)


sys.meta_path.insert(0, Finder())
sys.path_hooks.clear()
sys.path_importer_cache.clear()
builtins.__import__ = lambda *a, **k: real("math")
