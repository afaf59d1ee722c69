"""A stack: the last item that was pushed is the first that leaves."""


class Stack:
    """Items in the order they came; the top is the last."""

    def __init__(self, items=()):
        self.items = list(items)

    def push(self, item):
        """Put an item on top."""
        # TODO 1: append the item to the list.
        self.items.append(item)

    def pop(self):
        """Take the top item away and return it."""
        # TODO 2: remove the last item and return it; raise IndexError when there is none.
        raise NotImplementedError("Stack.pop is still to be written")

    def __len__(self):
        # TODO 3: how many items there are.
        raise NotImplementedError("Stack.__len__ is still to be written")

    def __iter__(self):
        # TODO 4: the items from the top down.
        raise NotImplementedError("Stack.__iter__ is still to be written")

    def __eq__(self, other):
        # TODO 5: equal when the other one is a stack with equal items in the same order.
        raise NotImplementedError("Stack.__eq__ is still to be written")
