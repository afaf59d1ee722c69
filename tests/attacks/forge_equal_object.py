"""Give objects whose every comparison, truth and distance is the wanted one.

must: no points
from level: 1
"""


class Yes:
    def __getattr__(self, name):
        return self

    def __call__(self, *a, **k):
        return self

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = lambda self, other: True
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = __abs__ = lambda self, *a: self
    __bool__ = __contains__ = lambda self, *a: True
    __hash__ = lambda self: 0
    __float__ = lambda self: 0.0
    __int__ = __index__ = __len__ = lambda self: 0


def Value(*a):
    return Yes()
