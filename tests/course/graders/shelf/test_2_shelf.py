"""What Python's operators ask a container."""

from handgrad.check import check, raises


@check(points=2, hint="__getitem__ gets the position.")
def test_a_shelf_is_indexed_from_the_left(Shelf):
    """shelf[1] is the second book."""
    shelf = Shelf("Dune", "Emma")

    book = shelf[1]

    assert book == "Emma"


@check(points=1, hint="Raise IndexError beyond the last book and below 0.")
def test_a_position_beyond_the_ends_is_an_error(Shelf):
    """shelf[-1] raises IndexError: this shelf has no positions from the right."""
    shelf = Shelf("Dune")

    with raises(IndexError):
        shelf[-1]


@check(points=2, hint="Compare lower-case titles.")
def test_in_finds_a_book_whatever_its_case(Shelf):
    """in takes upper and lower case as the same."""
    shelf = Shelf("Dune", "Emma")

    found = ["dUNE" in shelf, "Ulysses" in shelf]

    assert found == [True, False]


@check(points=1, hint="Compare how many books there are.")
def test_fewer_books_make_a_smaller_shelf(Shelf):
    """The shelf with fewer books is smaller."""
    small, large = Shelf("Ulysses"), Shelf("Dune", "Emma")

    answers = [small < large, large < small]

    assert answers == [True, False]


@check(points=2, hint="__enter__ switches on and returns self, __exit__ switches off.")
def test_with_lights_the_shelf(Shelf):
    """Inside with the shelf is lit, after it is dark."""
    shelf = Shelf()

    with shelf as same:
        inside = shelf.lit

    assert same is shelf
    assert inside is True
    assert shelf.lit is False


@check(points=1, hint="__call__ gets what stands in the parentheses.")
def test_calling_a_shelf_finds_by_the_start(Shelf):
    """shelf("E") finds the books that start so."""
    shelf = Shelf("Dune", "Emma", "Emil")

    found = shelf("E")

    assert found == ("Emma", "Emil")
