"""A published list for readers, section by section: a PDF to print, and worksheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias

from arpad.explain.templates import typeset
from arpad.explain.words import Words
from arpad.lists import published as lists
from arpad.lists.published import ListedPlayer, PublishedList

Value: TypeAlias = str | int | None
Cell: TypeAlias = Callable[[ListedPlayer], Value]
Sheet: TypeAlias = tuple[str, str, Sequence[tuple[str, int]], Iterator[Sequence[Value]]]
"""Name, title, columns (heading and width), rows."""

MOST_PRINTED = 4000
"""Rows that are printed of a longer list: some eighty pages, six seconds."""

MOST_TAGGED = 1000
"""Rows tagged cell by cell for screen readers, at 3 KB each: a long list would take 10 MB."""

SECTIONS: Mapping[str, Callable[[PublishedList], tuple[ListedPlayer, ...]]] = {
    "all": lambda published: published.ranked,
    "top": lists.top,
    "women": lists.women,
    "juniors": lists.juniors,
    "titled-unrated": lists.titled_unrated,
    "delisted": lists.delisted,
}
"""The lists that are cut from one, in the order in which they are shown, except those of federations."""

RANKED = frozenset({"all", "top", "women", "juniors"})
_PRINTED = ("all", "women", "juniors", "titled-unrated", "delisted")


def title(published: PublishedList, words: Words) -> str:
    """Return the title of the page and the workbook: the list and its date."""
    return f"{words.text(f'rating-list.title-{published.on_list}')}, {words.day(published.day)}"


def outside_scheme(published: PublishedList) -> str:
    """Return the body whose numbers identify the players of such a list outside the office."""
    return published.discipline.schemes[0]


# ------------------------------------------------------------------------------------------------ worksheets

_CHESS: Mapping[str, tuple[int, Cell]] = {
    "title": (7, lambda row: row.title or row.women_title),
    "name": (32, lambda row: row.name),
    "federation": (7, lambda row: row.federation),
    "sex": (6, lambda row: row.sex),
    "rating": (8, lambda row: row.rating),
    "games": (9, lambda row: row.games),
    "k": (6, lambda row: row.k),
    "born": (8, lambda row: row.born),
    "inactive": (10, lambda row: "i" if row.inactive else ""),
}


def _columns(published: PublishedList, words: Words) -> Mapping[str, tuple[int, Cell]]:
    if published.discipline.has_titles:
        return _CHESS
    return {
        "category": (7, lambda row: _category(row, words)),
        **{name: _CHESS[name] for name in ("title", "name", "federation", "sex")},
        "capital": (10, lambda row: row.rating),
        **{name: _CHESS[name] for name in ("games", "born")},
    }


def _category(row: ListedPlayer, words: Words) -> str:
    key = f"category-short.{row.category}"
    return words.text(key) if words.has(key) else row.category


def worksheets(published: PublishedList, words: Words, schemes: Sequence[str]) -> Iterator[Sheet]:
    """Yield a worksheet for each section with players, and always for the ranking.

    ``schemes`` are the bodies whose numbers get a column of their own.
    """
    columns = _columns(published, words)
    for key, cut in SECTIONS.items():
        rows = cut(published)
        if not rows and key != "all":
            continue
        headings = [
            *([(words.text("list-column.rank"), 7)] if key in RANKED else []),
            *((words.text(f"list-column.{name}"), width) for name, (width, _) in columns.items()),
            (words.text("list-column.id"), 9),
            *((words.text("list-column.number", scheme=scheme.upper()), 12) for scheme in schemes),
        ]
        name = words.text(f"list-section.{key}")
        yield (
            name,
            f"{title(published, words)}: {name}",
            headings,
            _sheet_rows(rows, columns, schemes, ranked=key in RANKED),
        )


def _sheet_rows(
    rows: Sequence[ListedPlayer],
    columns: Mapping[str, tuple[int, Cell]],
    schemes: Sequence[str],
    *,
    ranked: bool,
) -> Iterator[Sequence[Value]]:
    for rank, row in zip(lists.ranks(rows), rows, strict=True):
        values = [cell(row) for _, cell in columns.values()]
        yield [*([rank] if ranked else []), *values, row.player, *map(row.identifier, schemes)]


# -------------------------------------------------------------------------------------------------- the page


@dataclass(frozen=True, slots=True)
class Section:
    """One list of the page, in words and numbers."""

    title: str
    note: str
    headings: tuple[str, ...]
    sides: str
    """``l``, ``r`` or ``c`` for each column."""

    widths: tuple[int, ...]
    """In millimetres, the same in every section so that columns align; 0 takes the rest of the width."""

    rows: tuple[tuple[str, ...], ...]
    faint: tuple[bool, ...]
    """Whether the row is that of an inactive player."""


def sections(published: PublishedList, words: Words) -> Iterator[Section]:
    """Return the sections of the page; empty ones are left out, except the ranking."""
    for key in _PRINTED:
        rows = SECTIONS[key](published)
        if not rows and key != "all":
            continue
        ranked = key in RANKED
        names = _page_columns(published, ranked=ranked)
        scheme = outside_scheme(published)
        first_year = published.day.year - published.junior_years
        note = words.text(f"list-note.{key}", **({"year": str(first_year)} if key == "juniors" else {}))
        shown = rows[:MOST_PRINTED]
        if len(shown) < len(rows):
            more = words.text("rating-list.continued", shown=len(shown), players=len(rows))
            note = f"{note} {more}".strip()
        yield Section(
            words.text(f"list-section.{key}"),
            note,
            tuple(_heading(name, scheme, words) for name in names),
            "".join(_SIDES.get(name, "r") for name in names),
            tuple(_WIDTHS[name] for name in names),
            tuple(
                tuple(_page_cell(name, row, rank, scheme, words) for name in names)
                for rank, row in zip(lists.ranks(shown), shown, strict=True)
            ),
            tuple(row.inactive for row in shown),
        )


_WIDTHS = {
    "rank": 11, "title": 13, "category": 12, "name": 0, "rating": 15, "capital": 18, "federation": 11, "sex": 11,
    "games": 15, "k": 9, "born": 16, "id": 12, "number": 20,
}  # fmt: skip
_SIDES = {"title": "c", "category": "c", "name": "l", "federation": "c", "sex": "c", "k": "c", "born": "c"}


def _page_columns(published: PublishedList, *, ranked: bool) -> tuple[str, ...]:
    discipline = published.discipline
    figures = ("games", "born") if discipline.by_season else ("games", "k", "born")
    return (
        *(("rank",) if ranked else ()),
        discipline.grade,
        "name",
        *((discipline.measure,) if ranked else ()),
        "federation",
        "sex",
        *(figures if ranked else ("born",)),
        "id",
        "number",
    )


def _heading(name: str, scheme: str, words: Words) -> str:
    if name == "number":
        return words.text("list-column.number", scheme=scheme.upper())
    return words.text(f"list-column.{name}")


def _page_cell(name: str, row: ListedPlayer, rank: int, scheme: str, words: Words) -> str:
    match name:
        case "rank":
            return str(rank)
        case "category":
            return _category(row, words)
        case "name":
            return f"{row.name}  i" if row.inactive else row.name
        case "capital":
            return str(row.rating)
        case "id":
            return str(row.player)
        case "number":
            return row.identifier(scheme)
        case _:
            value = _CHESS[name][1](row)
            return "" if value is None else str(value)


def pdf_list(published: PublishedList, words: Words, digest: str, publisher: str = "") -> bytes:
    """Return the list on A4, with the heading of each table on every page; equal lists give equal bytes."""
    players, printed = len(published.rated), list(sections(published, words))
    page = {
        "language": words.language,
        "publisher": publisher,
        "title": words.text(f"rating-list.title-{published.on_list}"),
        "day": words.day(published.day),
        "facts": [
            words.text(
                "rating-list.facts", number=published.number, edition=published.edition, players=players
            ),
            _validity(published.day, published.valid_to, words),
        ],
        "revision": words.text("rating-list.revision", revision=published.revision)
        if published.revision > 1
        else "",
        "digest": words.text("rating-list.digest", digest=digest),
        "legend": words.text(
            "rating-list.legend" if published.discipline.has_titles else "rating-list.legend-draughts"
        ),
        "empty": words.text("rating-list.empty"),
        "page": words.text("rating-list.page"),
        "sections": printed,
        "tagged": sum(len(section.rows) for section in printed) <= MOST_TAGGED,
    }
    return typeset("rating_list", page)


def _validity(first: date, last: date | None, words: Words) -> str:
    if last is None:
        return words.text("rating-list.valid-from", first=first)
    return words.text("rating-list.valid", first=first, last=last)
