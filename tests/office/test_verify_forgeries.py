"""Whoever holds the file appends acts, well sealed but without the key of the office: each of them is named."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arpad.lists.sealed_blocks import block_bytes, seal_table
from arpad.lists.table import lines_bytes, standings_bytes
from arpad.model.canonical_json import dump, load
from arpad.office import verbs
from arpad.office.erased_texts import ERASED
from arpad.proofs.acts import text_digest
from arpad.store.proved_rows import TABLES
from arpad.store.schema import META
from arpad.store.table_kinds import KEPT
from arpad.store.written_rows import ActRecord
from arpad.store.written_tables import VERBS, tables_of
from tests.builders.offices import Clock, Desk
from tests.builders.whole_office import END, build_office
from tests.store.forging import Forger, forging
from tests.store.tampering import other_value
import polars as pl


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    desk = Desk.made(str(folder / "office.db"), folder, Clock())
    build_office(desk)
    with closing(sqlite3.connect(desk.place)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    return Path(desk.place)


def found(place: Path, *, recompute: bool = True) -> list[tuple[str, dict[str, Any]]]:
    """Return the code and the facts of everything that verifying names."""
    office = verbs.open_office(str(place), now=Clock(END))
    try:
        return [(item.code, dict(item.facts)) for item in verbs.verify(office, recompute=recompute).altered]
    finally:
        office.close()


def codes(place: Path, *, recompute: bool = True) -> set[str]:
    return {code for code, _ in found(place, recompute=recompute)}


Forgery = Callable[[Forger], None]


def forged(whole: Path, tmp_path: Path, forge: Forgery) -> Path:
    place = tmp_path / "forged.db"
    shutil.copy(whole, place)
    with forging(place) as forger:
        forge(forger)
    return place


def test_an_honest_office_is_intact(whole: Path) -> None:
    assert found(whole) == []


# --------------------------------------------------------------------------------- every verb with every table


def altered(forger: Forger, table: str) -> dict[str, Any]:
    """Return the last row of a table with another value, as its act would be named."""
    columns = META.tables[table].columns
    row = forger.rows(table)[-1]
    keys = {column.name for column in META.tables[table].primary_key.columns}
    free = [
        column
        for column in columns
        if column.name not in {*keys, "act"} and (table, column.name) != ("users", "factor_used")
    ]
    for column in free[:1]:
        row[column.name] = other_value(column, row[column.name])
    if "act" in row:
        row["act"] = forger.last + 1
    return row


def added(forger: Forger, table: str) -> dict[str, Any]:
    """Return a row like the last one of a table under another key."""
    row = altered(forger, table)
    for column in META.tables[table].columns:
        if column.primary_key or column.unique:
            row[column.name] = other_value(column, row[column.name])
    return row


def judged(whole: Path, folder: Path, verb: str, table: str, how: str) -> set[str]:
    """Return what is said about one act of a verb with a changed, an added or a deleted row of a table."""

    def forge(forger: Forger) -> None:
        details = {"name": "Fed 2"}
        if how == "deleted":
            row = forger.rows(table)[-1]
            forger.delete(table, row)
            forger.append(verb, details, deleted=[(table, row)])
            return
        row = altered(forger, table) if how == "changed" else added(forger, table)
        forger.put(table, row)
        forger.append(verb, details, [(table, row)])

    return codes(forged(whole, folder, forge), recompute=False)


def unnamed(whole: Path, folder: Path, verbs_tried: list[str]) -> list[tuple[str, str, str]]:
    """Return the forgeries of some verbs in which nothing was named."""
    return [
        (verb, table, how)
        for verb in verbs_tried
        for table in TABLES
        for how in ("changed", "added", "deleted")
        if not judged(whole, folder, verb, table, how)
    ]


@pytest.mark.parametrize("verb", ["change-settings", "erase", "migrate", "publish", "no-such-verb"])
def test_an_act_with_rows_of_any_table_is_named(whole: Path, tmp_path: Path, verb: str) -> None:
    assert unnamed(whole, tmp_path, [verb]) == []


@pytest.mark.deep
@pytest.mark.parametrize("verb", sorted(VERBS))
def test_an_act_of_any_verb_with_rows_of_any_table_is_named(whole: Path, tmp_path: Path, verb: str) -> None:
    assert unnamed(whole, tmp_path, [verb]) == []
