"""A new list that is returned leaves the list of the caller as it was.

fails: test_swap_ends_changes_the_list_in_place, test_drop_doubles_changes_the_list_in_place
"""


def swap_ends(books):
    """Exchange the first and the last entry of the list, in place."""
    return [books[-1], *books[1:-1], books[0]]


def drop_doubles(books):
    """Keep the first of equal entries, in place."""
    return list(dict.fromkeys(books))


class Shelf:
    """Books from left to right."""

    def __init__(self, *books):
        self.books = list(books)
        self.lit = False

    def __getitem__(self, position):
        """The book at a position, counted from 0; IndexError beyond the ends, negative ones too."""
        if not 0 <= position < len(self.books):
            raise IndexError(position)
        return self.books[position]

    def __contains__(self, book):
        """Upper and lower case are the same here."""
        return book.lower() in [own.lower() for own in self.books]

    def __lt__(self, other):
        """The shelf with fewer books is the smaller one."""
        return len(self.books) < len(other.books)

    def __enter__(self):
        """Switch the light on; `with shelf as lit` gives the shelf itself."""
        self.lit = True
        return self

    def __exit__(self, *_):
        self.lit = False

    def __call__(self, start):
        """The books whose title starts so, as a tuple."""
        return tuple(book for book in self.books if book.startswith(start))
