"""Answer with references to objects that were never sent, to the same number for all, to huge ones.

must: no points
from level: 1
"""
### STARTER ###

import itertools
import json
import sys

WHICH = itertools.cycle([1, 1, 0, 2, 399_999])
for module in list(sys.modules.values()):
    kind = getattr(module, "Agent", None)
    if isinstance(kind, type):

        def answer(self, body, tail):
            self._transmit(json.dumps([json.loads(body)[0], "ok", {"o": [next(WHICH), "float"]}]).encode(), b"")

        kind.answer = answer
