"""One operation of C that takes hours and looks at no signal.

must: no points
from level: 1
"""
### STARTER ###


class Value:
    def __init__(self, data, _prev=()):
        self.data = 3 ** (7 ** 10) % 10
