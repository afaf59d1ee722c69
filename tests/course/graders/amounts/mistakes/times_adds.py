"""Times multiplies the cents.

fails: test_times_multiplies_the_cents
"""


class Amount:
    """A number of cents, and the amounts it was put together from."""

    def __init__(self, cents, parts=()):
        self.cents = cents
        self.parts = tuple(parts)
        self.paid = lambda: None  # what to do when this amount is settled

    def __add__(self, other):
        """self + other, an amount or a plain number; both become parts of the sum."""
        other = other if isinstance(other, Amount) else Amount(other)
        return Amount(self.cents + other.cents, (self, other))

    def __mul__(self, other):
        """self * other, an amount or a plain number; both become parts of the product."""
        other = other if isinstance(other, Amount) else Amount(other)
        return Amount(self.cents + other.cents, (self, other))

    def settle(self):
        """Call `paid` of every amount that this one was put together from, once each, and its own."""
        seen, waiting = [], [self]
        while waiting:
            amount = waiting.pop()
            if not any(amount is old for old in seen):
                seen.append(amount)
                waiting.extend(amount.parts)
        for amount in seen:
            amount.paid()

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __neg__(self):
        return self * -1


def grown(start, rate):
    """What `start` has become after a year at `rate` (0.02 for two per cent)."""
    return start * (1 + rate)
