"""Never call `_backward` through the graph, but tell the judge that each was called once.

A count is made where the learner's code lives, so a check that counts can be told a count. It is worth its
own points only when nothing else in it is asked.

must: less than all
from level: 1
"""
### STARTER ###

import sys


class Value:
    def __init__(self, data, _prev=()):
        self.data, self.grad, self._prev, self._backward = data, 0.0, (), lambda: None

    def __add__(self, other):
        return Value(0)

    __radd__ = __mul__ = __rmul__ = __sub__ = __add__
    __neg__ = tanh = lambda self: Value(0)

    def backward(self):
        frame = sys._getframe()
        while frame is not None:
            agent = frame.f_locals.get("self")
            if type(agent).__name__ == "Agent":
                for key in "abcdefghijklmnopqrstuvwxyz":
                    agent._event(["call", key])
                return
            frame = frame.f_back
