"""An agent that answers a request with the numbers that were in it.

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
            number, name, *coded = json.loads(body)
            text = json.dumps(coded[-1] if coded else 0.0)
            self._transmit(json.dumps([number, "ok", json.loads(text)]).encode(), b"")

        kind.answer = answer
