"""A published list for readers, section by section: a PDF to print, and worksheets."""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator

import polars as pl

from arpad.explain.editions import edition_name
from arpad.explain.templates import PrintedTable, typeset
from arpad.explain.words import Words
from arpad.lists.cuts import WITH_RANK, shared_rank
from arpad.lists.published import ListHead
from arpad.lists.published_table import NATIONAL, ListTable
from arpad.model.disciplines import discipline_of
from arpad.model.draughts import Category
from arpad.proofs.checkpoints import Checkpoint
from arpad.publishing.tables import Worksheet, system_columns

MOST_PRINTED = 4000
"""Rows that are printed of a longer list: some eighty pages, six seconds."""

MOST_TAGGED = 1000
"""Rows tagged cell by cell for screen readers, at 3 KB each: a long list would take 10 MB."""

_NOT_PRINTED = "top"
PRINTED = "arpad-checkpoint"
_PRINTED = re.compile(
    PRINTED.encode() + rb" ([0-9a-f]{64}) ([^\s()<>]{1,200}) ([0-9]{1,17}) ([A-Za-z0-9+/]{43}=)"
)


def title(head: ListHead, words: Words) -> str:
    """Return the title of the page and the workbook: the list and its date."""
    return f"{_name(head, words)}, {words.day(head.day)}"


def _name(head: ListHead, words: Words) -> str:
    if head.on_list.is_own:
        system = words.text(f"rating-system.{head.on_list.system}")
        return words.text("rating-list.title-own", list=str(head.on_list), system=system)
    return words.text(f"rating-list.title-{head.on_list}")


def _value(name: str, words: Words) -> pl.Expr:
    """Return a column as readers see it."""
    match name:
        case "rank":
            return shared_rank()
        case "title":
            return pl.when(pl.col("title") != "").then("title").otherwise("women_title")
        case "category":
            return pl.col("category").replace({it: words.text(f"category-short.{it}") for it in Category})
        case "inactive":
            return pl.when("inactive").then(pl.lit("i")).otherwise(pl.lit(""))
        case _:
            return pl.col(_SOURCES.get(name, name))


_SOURCES = {"printed": "category", "capital": "rating", "id": "player", "change": "k"}


# ------------------------------------------------------------------------------------------------ worksheets

_CHESS = {
    "title": 7, "name": 32, "federation": 7, "sex": 6, "rating": 8, "games": 9, "k": 6, "born": 8, "inactive": 10,
    "id": 9,
}  # fmt: skip
_DRAUGHTS = {
    "category": 7, "title": 7, "name": 32, "federation": 7, "sex": 6, "capital": 10, "games": 9, "born": 8, "id": 9,
}  # fmt: skip
_OWN = {
    "name": 32, "federation": 7, "rating": 8, "printed": 14, "games": 9, "change": 8, "born": 8, "id": 9,
}  # fmt: skip
"""The columns of a worksheet with their widths."""


def worksheets(table: ListTable, words: Words) -> Iterator[Worksheet]:
    """Yield a worksheet for each section with players, and always for the ranking."""
    schemes, numbers = table.schemes, table.numbers[table.order]
    for key in table.sections:
        rows = table.cuts[key]
        if rows.is_empty() and key != "all":
            continue
        columns = ({"rank": 7} if key in WITH_RANK else {}) | (
            _OWN if table.system.is_own else _CHESS if table.system.has_titles else _DRAUGHTS
        )
        columns |= {NATIONAL: 10} if table.has_national else {}
        own = {f"own-{name}": it for name, it in system_columns(table.columns).items()}
        headings = [
            *((words.text(f"list-column.{name}"), width) for name, width in columns.items()),
            *((words.text(f"list-column.{name}"), 12) for name in own),
            *((words.text("list-column.number", scheme=scheme.upper()), 12) for scheme in schemes),
        ]
        name = words.text(f"list-section.{key}")
        values = table.ranked[rows].select(**{name: _value(name, words) for name in columns}, **own)
        yield name, words.labelled(title(table, words), name), headings, values.hstack(numbers[rows])


# -------------------------------------------------------------------------------------------------- the page


def sections(table: ListTable, words: Words) -> Iterator[PrintedTable]:
    """Return the sections of the page; empty ones are left out, except the ranking."""
    scheme = discipline_of(table.on_list).schemes[0]
    numbers = table.numbers_at(scheme)[table.order].alias("number")
    for key in table.sections:
        if key == _NOT_PRINTED:
            continue
        rows = table.cuts[key]
        if rows.is_empty() and key != "all":
            continue
        names = _page_columns(table, ranked=key in WITH_RANK, national=table.has_national)
        if table.on_list.is_own and scheme not in table.schemes:
            names = names[:-1]
        first_year = table.day.year - table.junior_years
        note = words.text(f"list-note.{key}", **({"year": str(first_year)} if key == "juniors" else {}))
        printed = rows.head(MOST_PRINTED)
        shown = table.ranked[printed].hstack([numbers[printed]])
        if len(shown) < len(rows):
            more = words.text("rating-list.continued", shown=len(shown), players=len(rows))
            note = f"{note} {more}".strip()
        own = {f"own-{name}": it for name, it in system_columns(table.columns).items()}
        cells = shown.select(own.get(name, _page_text(name, words)).alias(name) for name in names)
        yield PrintedTable(
            words.text(f"list-section.{key}"),
            tuple(_heading(name, scheme, words) for name in names),
            "".join(_SIDES.get(name, "r") for name in names),
            tuple(_WIDTHS.get(name, _OWN_WIDTH) for name in names),
            tuple(cells.iter_rows()),
            tuple(shown["inactive"]),
            note,
        )


_WIDTHS = {
    "rank": 11, "title": 13, "category": 12, "name": 0, "rating": 15, "capital": 18, "federation": 11, "sex": 11,
    "games": 15, "k": 9, "born": 16, "id": 12, "number": 20, NATIONAL: 14, "printed": 26, "change": 14,
}  # fmt: skip
"""The widths of columns, the same in every section so that columns align."""

_OWN_WIDTH = 18

_SIDES = {"title": "c", "category": "c", "name": "l", "federation": "c", "sex": "c", "k": "c", "born": "c"}


def _page_columns(head: ListHead, *, ranked: bool, national: bool) -> tuple[str, ...]:
    system = head.system
    k = "change" if system.is_own else "k"
    figures = ("games", "born") if system.rates_again and not system.is_own else ("games", k, "born")
    return (
        *(("rank",) if ranked else ()),
        system.grade,
        "name",
        *((system.measure,) if ranked and not system.is_own else ()),
        *((NATIONAL,) if national else ()),
        "federation",
        *(() if system.is_own else ("sex",)),
        *((f"own-{name}" for name in head.columns) if ranked else ()),
        *(figures if ranked else ("born",)),
        "id",
        "number",
    )


def _heading(name: str, scheme: str, words: Words) -> str:
    if name == "number":
        return words.text("list-column.number", scheme=scheme.upper())
    return words.text(f"list-column.{name}")


def _page_text(name: str, words: Words) -> pl.Expr:
    text = _value(name, words).cast(pl.String).fill_null("–" if name == "rank" else "")
    if name == "change":
        return (
            pl.when(pl.col("k") > 0)
            .then(pl.concat_str(pl.lit("+"), text))
            .otherwise(text.str.replace("-", "−"))
        )
    inactive = pl.when("inactive").then(pl.lit("  i")).otherwise(pl.lit(""))
    return pl.concat_str(text, inactive) if name == "name" else text


def pdf_list(
    table: ListTable,
    words: Words,
    digest: str,
    publisher: str = "",
    checkpoint: Checkpoint | None = None,
) -> bytes:
    """Return the list on A4, with the heading of each table on every page; equal lists give equal bytes."""
    players, printed = len(table.cuts["all"]), list(sections(table, words))
    page = {
        "language": words.language,
        "publisher": publisher,
        "title": _name(table, words),
        "day": words.day(table.day),
        "facts": [
            words.text(
                "rating-list.facts",
                number=table.number,
                edition=edition_name(table.edition, words),
                players=players,
            ),
            words.text("rating-list.valid", first=table.day, last=table.valid_to)
            if table.valid_to
            else words.text("rating-list.valid-from", first=table.day),
        ],
        "revision": words.text("rating-list.revision", revision=table.revision) if table.revision > 1 else "",
        "keywords": [] if checkpoint is None else [printed_checkpoint(checkpoint, digest)],
        "checkpoint": "" if checkpoint is None else checkpoint_line(checkpoint, words),
        "digest": words.text("rating-list.digest", digest=digest),
        "legend": words.text(
            "rating-list.legend-own"
            if table.system.is_own
            else "rating-list.legend-draughts"
            if table.system.has_categories
            else "rating-list.legend"
        ),
        "empty": words.text("rating-list.empty"),
        "page": words.text("rating-list.page"),
        "sections": printed,
        "tagged": sum(len(section.rows) for section in printed) <= MOST_TAGGED,
    }
    return typeset("rating_list", page)


def printed_checkpoint(checkpoint: Checkpoint, digest: str) -> str:
    """Return digest and checkpoint for programs; the PDF has them uncompressed among its keywords."""
    root = b64encode(checkpoint.root).decode()
    return f"{PRINTED} {digest} {checkpoint.origin} {checkpoint.size} {root}"


def read_printed(data: bytes) -> tuple[str, Checkpoint] | None:
    """Return digest and checkpoint that a PDF of a list has printed; None if it has none."""
    match = _PRINTED.search(data)
    if match is None:
        return None
    digest, origin, size, root = (part.decode("utf-8", "replace") for part in match.groups())
    return digest, Checkpoint(origin, int(size), b64decode(root))


def checkpoint_line(checkpoint: Checkpoint, words: Words) -> str:
    """Return a checkpoint in a line: the office, the number of acts, the root."""
    root = b64encode(checkpoint.root).decode()
    return words.text("rating-list.checkpoint", origin=checkpoint.origin, size=checkpoint.size, root=root)
