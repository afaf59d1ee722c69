"""An agent that answers everything with an error, the judge's own housekeeping too.

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
            kinds = ["StopIteration", "LookupError", "KeyboardInterrupt", "Exception"]
            self._transmit(json.dumps([json.loads(body)[0], "err", kinds, "Passed", "ok", []]).encode(), b"")

        kind.answer = answer
