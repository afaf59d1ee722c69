"""A metaclass that says everything is an instance, a subclass, equal and callable.

must: no points
from level: 1
"""


class Meta(type):
    __instancecheck__ = __subclasscheck__ = __eq__ = lambda self, other: True
    __hash__ = lambda self: 0
    __getattr__ = lambda self, name: 6.0

    def __call__(self, *a):
        return self

    __add__ = __radd__ = __mul__ = __rmul__ = __sub__ = lambda self, other: self
    __neg__ = lambda self: self


class Value(metaclass=Meta):
    tanh = lambda *a: Value
    backward = lambda *a: None
