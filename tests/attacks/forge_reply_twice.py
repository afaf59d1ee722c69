"""Answer every request twice: once falsely, once as the agent does.

must: no points
from level: 1
"""
### STARTER ###

import json
import sys

for module in list(sys.modules.values()):
    kind = getattr(module, "Agent", None)
    if isinstance(kind, type):
        real = kind.answer

        def answer(self, body, tail):
            self._transmit(json.dumps([json.loads(body)[0], "ok", 6.0]).encode(), b"")
            real(self, body, tail)

        kind.answer = answer
