"""A shelf of books, and two functions that change a list in place."""


def swap_ends(books):
    """Exchange the first and the last entry of the list, in place."""
    # TODO 1: assign both entries at once; an empty list stays as it is.
    raise NotImplementedError("swap_ends is still to be written")


def drop_doubles(books):
    """Keep the first of equal entries, in place."""
    # TODO 2: build the list you want, then put it into the old one.
    raise NotImplementedError("drop_doubles is still to be written")


class Shelf:
    """Books from left to right."""

    def __init__(self, *books):
        self.books = list(books)
        self.lit = False

    def __getitem__(self, position):
        """The book at a position, counted from 0; IndexError beyond the ends, negative ones too."""
        # TODO 3
        raise NotImplementedError("Shelf.__getitem__ is still to be written")

    def __contains__(self, book):
        """Upper and lower case are the same here."""
        # TODO 4
        raise NotImplementedError("Shelf.__contains__ is still to be written")

    def __lt__(self, other):
        """The shelf with fewer books is the smaller one."""
        # TODO 5
        raise NotImplementedError("Shelf.__lt__ is still to be written")

    def __enter__(self):
        """Switch the light on; `with shelf as lit` gives the shelf itself."""
        # TODO 6
        raise NotImplementedError("Shelf.__enter__ is still to be written")

    def __exit__(self, *_):
        self.lit = False

    def __call__(self, start):
        """The books whose title starts so, as a tuple."""
        # TODO 7
        raise NotImplementedError("Shelf.__call__ is still to be written")
