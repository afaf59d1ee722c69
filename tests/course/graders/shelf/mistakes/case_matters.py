"""Upper and lower case are the same to `in`.

fails: test_in_finds_a_book_whatever_its_case
"""


def swap_ends(books):
    """Exchange the first and the last entry of the list, in place."""
    if books:
        books[0], books[-1] = books[-1], books[0]


def drop_doubles(books):
    """Keep the first of equal entries, in place."""
    books[:] = dict.fromkeys(books)


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
        return book in self.books

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
