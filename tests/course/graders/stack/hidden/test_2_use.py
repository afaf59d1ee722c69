"""The methods together."""

from handgrad.check import check


@check(points=2, hint="What went in last comes out first, however many there are.")
def test_everything_comes_back_in_reverse(Stack, rng):
    """Everything that was pushed comes back in reverse order."""
    numbers = [rng.randrange(1000) for _ in range(8)]
    stack = Stack()

    for number in numbers:
        stack.push(number)
    back = [stack.pop() for _ in numbers]

    assert back == numbers[::-1]


@check(points=2, hint="Each stack needs a list of its own.")
def test_two_stacks_share_nothing(Stack):
    """Two stacks share nothing."""
    one, other = Stack(), Stack()

    one.push(17)

    assert other.items == []
