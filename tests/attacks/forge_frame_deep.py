"""Answer with JSON of a hundred thousand open brackets.

must: no points
from level: 1
"""
### STARTER ###

import sys

for module in list(sys.modules.values()):
    kind = getattr(module, "Agent", None)
    if isinstance(kind, type):
        kind.answer = lambda self, body, tail: self._transmit(b"[" * 100_000, b"")
