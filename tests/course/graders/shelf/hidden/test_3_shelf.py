"""More of the same, with drawn titles."""

from handgrad.check import check


@check(points=1, hint="Iteration asks __getitem__ for 0, 1, 2 … until IndexError.")
def test_a_shelf_can_be_iterated_over(Shelf, rng):
    """A for loop goes through the books from left to right."""
    titles = [rng.choice("ABC") + str(rng.randrange(100)) for _ in range(5)]
    shelf = Shelf(*titles)

    seen = list(shelf)

    assert seen == titles
