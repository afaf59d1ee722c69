"""Amounts of money with their own arithmetic."""


class Amount:
    """A number of cents, and the amounts it was put together from."""

    def __init__(self, cents, parts=()):
        self.cents = cents
        self.parts = tuple(parts)
        self.paid = lambda: None  # what to do when this amount is settled

    def __add__(self, other):
        """self + other, an amount or a plain number; both become parts of the sum."""
        # TODO 1: wrap a plain number first.
        raise NotImplementedError("Amount.__add__ is still to be written")

    def __mul__(self, other):
        """self * other, an amount or a plain number; both become parts of the product."""
        # TODO 2
        raise NotImplementedError("Amount.__mul__ is still to be written")

    def settle(self):
        """Call `paid` of every amount that this one was put together from, once each, and its own."""
        # TODO 3
        raise NotImplementedError("Amount.settle is still to be written")

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1


def grown(start, rate):
    """What `start` has become after a year at `rate` (0.02 for two per cent)."""
    # TODO 4
    raise NotImplementedError("grown is still to be written")
