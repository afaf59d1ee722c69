"""Answer with bytes that are no JSON, no UTF-8, and no message.

must: no points
from level: 1
"""
### STARTER ###

import itertools
import sys

JUNK = itertools.cycle(
    [b"", b"null", b"{}", b"[]", b"\xff\xfe", b"[1]", b'["out"]', b'["out",1]', b"[1,2,3]", b'[1,"ok",{"x":1}]']
    + [b"[1,\"ok\"," + b"9" * 5000 + b"]", b'[1,"ok",{"o":[-1,"x"]}]', b'[1,"ok",{"o":[1e9,"x"]}]', b"NaN", b"-"]
    + [b'[1,"ok",{"t":[{"s":[[1]]}]}]', b'[1,"ok",{"a":["f8",[1]]}]', b'[1,"ok",{"a":["O",[1]]}]']
)
for module in list(sys.modules.values()):
    kind = getattr(module, "Agent", None)
    if isinstance(kind, type):
        kind.answer = lambda self, body, tail: self._transmit(next(JUNK), b"")
