"""The cursor of a page: the place in an ordered sequence after which the next page begins."""

from typing import NamedTuple

from arpad.model.errors import BadInput

HIGHEST = 2**31 - 1
_DIGITS = 10


class Cursor(NamedTuple):
    """A place in a sequence: the number of an item, and the number of a part of it."""

    item: int = 0
    part: int = 0

    def __str__(self) -> str:
        return f"{self.item}.{self.part}"


def parse_cursor(text: str) -> Cursor:
    """Return a cursor from its text; an empty text is the beginning, an item alone means all its parts."""
    parts = text.split(".") if text else ["0"]
    are_numbers = all(part.isascii() and part.isdecimal() and len(part) <= _DIGITS for part in parts)
    if len(parts) > len(Cursor._fields) or not are_numbers:
        raise BadInput("bad-cursor", option="after", given=text[:40])
    numbers = [min(int(part), HIGHEST) for part in parts]
    return Cursor(numbers[0], numbers[1] if len(numbers) > 1 else HIGHEST)
