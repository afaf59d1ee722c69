"""Keeps a tuple, loops by hand, and has more methods than asked for."""

from functools import total_ordering


def swap_ends(books):
    if len(books) < 2:
        return
    last = books.pop()
    first = books.pop(0)
    books.insert(0, last)
    books.append(first)


def drop_doubles(books):
    position = 0
    while position < len(books):
        if books[position] in books[:position]:
            del books[position]
        else:
            position += 1


@total_ordering
class Shelf:
    def __init__(self, *books: str) -> None:
        self.books, self.lit = books, False

    def __len__(self) -> int:
        return len(self.books)

    def __getitem__(self, position: int) -> str:
        if position < 0 or position >= len(self):
            raise IndexError("no book there")
        return self.books[position]

    def __contains__(self, book: str) -> bool:
        return any(own.casefold() == book.casefold() for own in self.books)

    def __lt__(self, other: "Shelf") -> bool:
        return len(self) < len(other)

    def __enter__(self) -> "Shelf":
        self.lit = True
        return self

    def __exit__(self, kind, error, trace) -> bool:
        self.lit = False
        return False

    def __call__(self, start: str) -> tuple[str, ...]:
        found = ()
        for book in self:
            if book[: len(start)] == start:
                found += (book,)
        return found
