"""A chain of pairs instead of a list."""


class Stack:
    def __init__(self, items=()):
        self.top = None
        for item in items:
            self.push(item)

    def push(self, item):
        self.top = (item, self.top)

    def pop(self):
        if self.top is None:
            raise IndexError
        item, self.top = self.top
        return item

    def __iter__(self):
        pair = self.top
        while pair is not None:
            yield pair[0]
            pair = pair[1]

    def __len__(self):
        return sum(1 for _ in self)

    @property
    def items(self):
        return list(self)[::-1]

    def __eq__(self, other):
        return type(other) is Stack and list(self) == list(other)
