"""A stack: the last item that was pushed is the first that leaves."""


class Stack:
    """Items in the order they came; the top is the last."""

    def __init__(self, items=()):
        self.items = list(items)

    def push(self, item):
        """Put an item on top."""
        # TODO 1: append the item to the list.
        ### BEGIN SOLUTION
        self.items.append(item)
        ### END SOLUTION

    def pop(self):
        """Take the top item away and return it."""
        # TODO 2: remove the last item and return it; raise IndexError when there is none.
        ### BEGIN SOLUTION
        if not self.items:
            raise IndexError("pop from an empty stack")
        return self.items.pop()
        ### END SOLUTION

    def __len__(self):
        # TODO 3: how many items there are.
        ### BEGIN SOLUTION
        return len(self.items)
        ### END SOLUTION

    def __iter__(self):
        # TODO 4: the items from the top down.
        ### BEGIN SOLUTION
        return iter(self.items[::-1])
        ### END SOLUTION

    def __eq__(self, other):
        # TODO 5: equal when the other one is a stack with equal items in the same order.
        ### BEGIN SOLUTION
        return isinstance(other, Stack) and self.items == other.items
        ### END SOLUTION
