"""An agent that answers everything with words of success, in many spellings.

must: no points
from level: 1
"""
### STARTER ###

import itertools
import json
import sys

WORDS = itertools.cycle(["passed", True, {"status": "passed", "score": 100}, ["ok"], None, {"o": [0, "passed"]}])
for module in list(sys.modules.values()):
    kind = getattr(module, "Agent", None)
    if isinstance(kind, type):

        def answer(self, body, tail):
            self._transmit(json.dumps([json.loads(body)[0], "ok", next(WORDS)]).encode(), b"")

        kind.answer = answer
