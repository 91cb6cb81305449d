"""How a list file is read: by its header, by a known layout without header, or by columns that the reader names.

``--columns id=1-8,name=11-44,…`` names places in lines of fixed width; ``id=1,name=3,…`` names cells of a CSV file. A
known layout can be named too (``fide-2004``), and is recognised by the form of its first line.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from arpad.model.errors import BadInput
from arpad.reports.formats.fixed_width import Column, Layout
from arpad.reports.formats.lists.fide_rows import ListRow

FIELDS = tuple(name for name in ListRow._fields if name not in ("identifiers", "delisted", "number"))
"""The fields that a column can have."""

NEEDED = ("id", "name")

_WIDEST = 4096


KNOWN: Mapping[str, Layout] = {
    "fide-2004": Layout.of(
        "id 1-8 name 11-44 title 45-46 federation 49-51 rating 54-57 games 59-62 born 65-72 flag 77-78"
    ),
}
"""Layouts of files without header, by name: FIDE's text lists of 2002 to 2004."""

_FORMS = {
    "fide-2004": re.compile(r"[ \d]{2}\d{6}  \S.{33}[ a-z]{2}  [A-Z]{3}  \d{4} [ \d]{3}\d  [ \d.]{8}[ wi]*")
}
"""The form of a row of each known layout."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a file as its reader names them."""

    layout: Layout | None = None
    """Places in lines of fixed width."""

    cells: Mapping[str, int] = field(default_factory=dict)
    """Field → number of its cell in a row of CSV, from one."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the reader of a file knows about it beforehand."""

    columns: Columns | None = None
    latest: int | None = None
    """The year of the list: a birth with two digits is the last such year up to it."""

    every_player: bool = False
    """Whether a player of a CSV without a number is refused; otherwise such a row is passed over."""


BY_HEADER = Reading()


def parse_columns(text: str) -> Columns:
    """Return the columns that a text names: a known layout, places ``id=1-8,…`` or cells ``id=1,…``."""
    if text.strip() in KNOWN:
        return Columns(KNOWN[text.strip()])
    places: dict[str, tuple[int, int | None]] = {}
    for part in text.split(","):
        match = re.fullmatch(r"\s*([a-z_]+)\s*=\s*(\d{1,4})(?:\s*-\s*(\d{1,4}))?\s*", part, re.ASCII)
        if match is None or match[1] not in FIELDS or match[1] in places:
            raise BadInput("columns-field", given=part.strip()[:40], accepted=", ".join((*FIELDS, *KNOWN)))
        first, last = int(match[2]), int(match[3]) if match[3] else None
        if first < 1 or (last is not None and not first <= last <= _WIDEST):
            raise BadInput("columns-range", given=part.strip()[:40])
        places[match[1]] = (first, last)
    for name in NEEDED:
        if name not in places:
            raise BadInput("columns-needed", column=name)
    if len({last is None for _, last in places.values()}) > 1:
        raise BadInput("columns-mixed")
    cells = {name: first for name, (first, last) in places.items() if last is None}
    fixed = [Column(name, first, last) for name, (first, last) in places.items() if last is not None]
    return Columns(None, cells) if cells else Columns(Layout(tuple(fixed)))


def detected(line: str) -> Layout | None:
    """Return the known layout of a file whose first line has its form."""
    return next((KNOWN[name] for name, form in _FORMS.items() if form.fullmatch(line)), None)
