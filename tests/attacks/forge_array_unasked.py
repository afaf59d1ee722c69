"""Answer every question with an array, in an exercise that has none: the judge may have no NumPy to read it.

must: no points
from level: 1
"""
### STARTER ###

import json
import sys

for module in list(sys.modules.values()):
    kind = getattr(module, "Agent", None)
    if isinstance(kind, type):

        def answer(self, body, tail):
            self._transmit(json.dumps([json.loads(body)[0], "ok", {"a": ["f8", [1]]}]).encode(), b"\0" * 8)

        kind.answer = answer
