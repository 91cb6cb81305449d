"""The lists that an office keeps, those it published with their players and reports, and what follows from them."""

from hashlib import sha256

from sqlalchemy import Column, ForeignKey, Index, Integer, PrimaryKeyConstraint, UniqueConstraint

from arpad.model.canonical_json import dump, load
from arpad.store.declared_tables import (
    BY_CODE,
    Kind,
    Rows,
    act,
    among,
    data,
    day,
    ended,
    json_object,
    list_name,
    number,
    row_id,
    table,
    text,
    texts,
    to,
    writes,
)

IMPORTED, PUBLISHED, BASE = "imported", "published", "base"
"""The kinds of a publication."""


def _publication() -> Column[int]:
    """Return the column with the list; the list's own row is written after those of its players, with their digest."""
    target = ForeignKey("publications.id", deferrable=True, initially="DEFERRED")
    return Column("publication", Integer, target, nullable=False)


def _figures_digest(data: bytes) -> str:
    """Return the digest of a block of a list without names, births and numbers of other bodies."""
    import polars as pl  # most acts write no list

    from arpad.lists.sealed_blocks import open_block, without_own
    from arpad.system.text_columns import joined_lines

    block = without_own(open_block(data)).drop("name", "born", "identifiers")
    state = pl.col("state").map_elements(_without_name, pl.String, skip_nulls=True)
    if block["state"].null_count() < block.height:
        block = block.with_columns(state)
    return sha256(joined_lines(block)).hexdigest()


def _without_name(state: str) -> str:
    return dump({name: value for name, value in load(state).items() if name != "name"})


publications = table(
    "publications", Rows(
        forms={
            "list": list_name, "day": day, "published": day, "making": json_object,
            "kind": among(IMPORTED, PUBLISHED, BASE),
        },
        earlier=("base", "corrects"),
    ),
    row_id(), *texts("list", "day"), number("revision"), number("number"),
    *texts("kind", "edition", "head", "digest", "standings_digest", "inputs_digest", "making", "published"),
    to("base", "publications.id", null=True), to("corrects", "publications.id", null=True), act(),
    UniqueConstraint("list", "day", "revision"),
)  # fmt: skip

taken_back = ended("taken_back", "publication", "publications.id")
"""Publications that were taken back: their rows stay, and are ignored from that act on."""

list_blocks = table(
    "list_blocks", Rows(
        erased={"data": _figures_digest, "seals": None, "digest": None},
        owner="publications",
        exported=False,
    ),
    _publication(), number("block"), data("data"), data("seals"), text("digest"),
    PrimaryKeyConstraint("publication", "block"),
)  # fmt: skip
"""The players of a list as sealed blocks of columns; ``office.lists.block_rows`` describes them."""

list_history = table(
    "list_history", Rows(kind=Kind.DERIVED, owner="publications"),
    _publication(), number("block"), text("changes"),
    PrimaryKeyConstraint("publication", "block"),
)  # fmt: skip
"""Players on a list for whom something differs from the list before; ``office.lists.history_rows`` describes it."""

rated_reports = table(
    "rated_reports", Rows(owner="publications"),
    _publication(), to("report", "reports.id"),
    PrimaryKeyConstraint("publication", "report"), Index(None, "report"),
)  # fmt: skip

player_reports = table(
    "player_reports", Rows(kind=Kind.DERIVED),
    number("player"), number("report"), PrimaryKeyConstraint("player", "report"),
    sqlite_with_rowid=False,
)  # fmt: skip
"""The accepted reports of each player, to find them; it follows from ``entrants``."""

rankings = table(
    "rankings", Rows(kind=Kind.DERIVED, owner="publications"),
    _publication(), Column("cut", BY_CODE, nullable=False), number("total"), text("bands"),
    PrimaryKeyConstraint("publication", "cut"),
)  # fmt: skip

ranking_pages = table(
    "ranking_pages", Rows(kind=Kind.DERIVED, owner="publications"),
    _publication(), Column("cut", BY_CODE, nullable=False), number("page"),
    number("rank"), number("ranked_before"), data("players"),
    PrimaryKeyConstraint("publication", "cut", "page"),
)  # fmt: skip

writes("add-list", "own_lists")
