"""Reference lists of FIDE, kept beside the register."""

from hashlib import sha256

from sqlalchemy import BigInteger, Column, PrimaryKeyConstraint

from arpad.model.rules import ListName
from arpad.store.declared_tables import (
    BY_CODE,
    Kind,
    Rows,
    act,
    data,
    day,
    ended,
    number,
    row_id,
    table,
    text,
    texts,
    to,
    writes,
)


def _lists(value: str) -> None:
    for name in value.split():
        ListName(name)


def reference_hashes(data: bytes) -> bytes:
    """Return the hashes of the rows of a block of a reference list, one after the other."""
    import polars as pl

    from arpad.proofs.lines import line_hashes
    from arpad.system.text_columns import joined_lines

    return line_hashes(joined_lines(pl.read_ipc_stream(data)))


def _reference_digest(data: bytes) -> str:
    return sha256(reference_hashes(data)).hexdigest()


reference_lists = table(
    "reference_lists", Rows(named_by="id", forms={"day": day, "lists": _lists}),
    row_id(), *texts("source", "day", "lists", "file", "sha256"), number("rows"),
    text("digest"), act(),
)  # fmt: skip
"""Lists of another body that are kept beside the register: ``lists`` are those whose ratings it has."""

reference_removals = ended("reference_removals", "reference", "reference_lists.id")
"""Reference lists that were removed: their blocks are deleted, their rows stay."""

reference_blocks = table(
    "reference_blocks", Rows(
        erased={"data": _reference_digest, "digest": None},
        owner="reference_lists",
        removed_by="references",
        line_hashes=reference_hashes,
        exported=False,
    ),
    to("reference", "reference_lists.id"), number("block"),
    Column("first", BigInteger, nullable=False), Column("last", BigInteger, nullable=False), data("data"),
    text("digest"), PrimaryKeyConstraint("reference", "block"),
)  # fmt: skip
"""The players of a reference list as sealed blocks of columns, by number; ``office.fide.rows`` describes them."""

reference_words = table(
    "reference_words", Rows(kind=Kind.DERIVED),
    to("reference", "reference_lists.id"), number("block"),
    Column("first", BY_CODE, nullable=False), Column("last", BY_CODE, nullable=False), data("data"),
    text("digest"), PrimaryKeyConstraint("reference", "block"),
)  # fmt: skip
"""The words of the names of the newest reference list, by which it is searched."""

writes("add-reference", "reference_lists reference_blocks")
writes("remove-reference", "reference_removals -reference_blocks")
