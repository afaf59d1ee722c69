"""A shelf of books, and two functions that change a list in place."""


def swap_ends(books):
    """Exchange the first and the last entry of the list, in place."""
    # TODO 1: assign both entries at once; an empty list stays as it is.
    ### BEGIN SOLUTION
    if books:
        books[0], books[-1] = books[-1], books[0]
    ### END SOLUTION


def drop_doubles(books):
    """Keep the first of equal entries, in place."""
    # TODO 2: build the list you want, then put it into the old one.
    ### BEGIN SOLUTION
    books[:] = dict.fromkeys(books)
    ### END SOLUTION


class Shelf:
    """Books from left to right."""

    def __init__(self, *books):
        self.books = list(books)
        self.lit = False

    def __getitem__(self, position):
        """The book at a position, counted from 0; IndexError beyond the ends, negative ones too."""
        # TODO 3
        ### BEGIN SOLUTION
        if not 0 <= position < len(self.books):
            raise IndexError(position)
        return self.books[position]
        ### END SOLUTION

    def __contains__(self, book):
        """Upper and lower case are the same here."""
        # TODO 4
        ### BEGIN SOLUTION
        return book.lower() in [own.lower() for own in self.books]
        ### END SOLUTION

    def __lt__(self, other):
        """The shelf with fewer books is the smaller one."""
        # TODO 5
        ### BEGIN SOLUTION
        return len(self.books) < len(other.books)
        ### END SOLUTION

    def __enter__(self):
        """Switch the light on; `with shelf as lit` gives the shelf itself."""
        # TODO 6
        ### BEGIN SOLUTION
        self.lit = True
        return self
        ### END SOLUTION

    def __exit__(self, *_):
        self.lit = False

    def __call__(self, start):
        """The books whose title starts so, as a tuple."""
        # TODO 7
        ### BEGIN SOLUTION
        return tuple(book for book in self.books if book.startswith(start))
        ### END SOLUTION
