"""A stack: the last item that was pushed is the first that leaves."""


class Stack:
    """Items in the order they came; the top is the last."""

    def __init__(self, items=()):
        self.items = list(items)

    def push(self, item):
        """Put an item on top."""
        self.items.append(item)

    def pop(self):
        """Take the top item away and return it."""
        if not self.items:
            raise IndexError("pop from an empty stack")
        print("popping", self.items)
        return self.items.pop(0)

    def __len__(self):
        return len(self.items)

    def __iter__(self):
        return iter(self.items[::-1])

    def __eq__(self, other):
        return isinstance(other, Stack) and self.items == other.items
