"""Answer with lists of references of every wrong shape: repeated, huge, negative, not whole, of nobody's, mixed.

must: no points
from level: 1
"""
### STARTER ###

import itertools
import json
import sys

NUMBERS = [
    [1] * 40,
    list(range(100_000)),
    [-1],
    [True] * 3,
    [1.0, 2.0],
    ["1"],
    [None],
    [[1]],
    [399_999] * 23,
    [400_001],
    [10**4000],
    [float("nan")],
    [1, "x", {"o": [1, "Value"]}],
    {"0": 1},
    7,
    [],
]
FORMS = [{"os": [numbers, "Value"]} for numbers in NUMBERS]
FORMS += [{"os": [1, 2]}, {"os": [[1], "Value", 3]}, {"os": [[1], None]}, {"os": [[1], ["Value"]]}, {"os": {}}]
FORMS += [{"p": [[1.0], []]}, {"q": [[1.0], []]}, {"p": 1}, {"os": [[1], "V"], "o": [1, "V"]}]
FORMS += [[1.0, float("inf"), True], [10**4000] * 9, {"t": [{"os": [[1, 1], "Value"]}]}, {"s": [{"os": [[1], "V"]}]}]
WHICH = itertools.cycle(FORMS)
for module in list(sys.modules.values()):
    kind = getattr(module, "Agent", None)
    if isinstance(kind, type):

        def answer(self, body, tail):
            number, name = json.loads(body)[:2]
            if name not in ("load", "begin", "output"):
                self._transmit(json.dumps([number, "ok", next(WHICH)]).encode(), b"")
            elif name == "load":
                self._transmit(json.dumps([number, "ok", []]).encode(), b"")
            else:
                self._transmit(json.dumps([number, "ok", None]).encode(), b"")

        kind.answer = answer
