"""Lists that are changed in place."""

from handgrad.check import check, read, there


@check(points=2, hint="books[0], books[-1] = books[-1], books[0] changes the list itself.")
def test_swap_ends_changes_the_list_in_place(swap_ends):
    """swap_ends exchanges the first and the last entry of the caller's list."""
    books = there(["Emma", "Dune", "Ulysses"])

    swap_ends(books)

    assert read(books) == ["Ulysses", "Dune", "Emma"]


@check(points=2, hint="Assign to books[:], so that the caller's list changes.")
def test_drop_doubles_changes_the_list_in_place(drop_doubles):
    """drop_doubles keeps the first of equal entries in the caller's list."""
    books = there(["Dune", "Emma", "Dune"])

    drop_doubles(books)

    assert read(books) == ["Dune", "Emma"]
