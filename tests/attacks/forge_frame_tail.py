"""Answer with array bytes that belong to no array, and arrays whose bytes are missing.

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
            number = json.loads(body)[0]
            shape = [1 << 20, 1 << 20] if number % 2 else [0, 1 << 40, 1 << 40]
            self._transmit(json.dumps([number, "ok", {"a": ["f8", shape]}]).encode(), b"\0" * (number % 3))

        kind.answer = answer
