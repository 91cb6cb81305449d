"""The rows of an act: their digests, and what is noted in a transaction."""

from __future__ import annotations

from hashlib import sha256

import pytest
from sqlalchemy import delete, insert, select, update

from arpad.office import verbs
from arpad.store.ledger import append, next_seq
from arpad.store.schema import act_rows, hidden_players, ledger, settings, users
from arpad.store.table_kinds import PROVED, UNPROVED
from arpad.store.tables import TABLES
from arpad.store.written_rows import (
    DIGEST_BYTES,
    GONE,
    WrittenRows,
    pack,
    record_digest,
    row_digests,
    row_lines,
    unpack,
)
from tests.builders.offices import Desk


def test_a_row_has_the_digest_of_its_json() -> None:
    text = '[12\x1f"Rossi, \\u00e0]\\u001f["\x1fnull\x1f{"sha256":"' + sha256(b"\x00").hexdigest() + '"}'
    assert (
        row_digests([(12, "Rossi, à]\x1f[", None, b"\x00"), (1, "", "", b"")])[0]
        == (sha256(text[1:].encode()).digest()[:DIGEST_BYTES])
    )


def test_a_line_names_a_row_by_table_and_key() -> None:
    assert row_lines("list_blocks", [(12, 3)]) == ["list_blocks[12,3]"]
    assert row_lines("settings", [("na\nme",)]) == ['settings["na\\nme"]']
    assert row_lines("list_blocks", []) == []


def test_a_record_is_packed_and_sealed() -> None:
    rows = {"players[1]": b"a" * DIGEST_BYTES, "players[2]": GONE}
    assert unpack(*pack(rows)) == rows
    assert record_digest(*pack(rows)) == sha256(b"players[1]\nplayers[2]\0" + b"a" * 16 + GONE).hexdigest()
    assert record_digest("", b"") == ""
    assert unpack("", b"") == {}


def test_the_order_of_columns_does_not_matter() -> None:
    notes = [WrittenRows(), WrittenRows()]
    notes[0].add("settings", ("name", "value", "act"), [("a", "b", 7)])
    notes[1].add("settings", ("act", "value", "name"), [(7, "b", "a")])
    assert notes[0] == notes[1]


def test_every_table_is_proved_derived_or_named_as_not_covered() -> None:
    from arpad.store.table_kinds import DERIVED

    assert {*TABLES} == PROVED | UNPROVED | DERIVED | {"ledger", "act_rows"}
    assert not PROVED & (UNPROVED | DERIVED)


def records(desk: Desk) -> dict[int, dict[str, bytes]]:
    with desk.office.store.reading() as connection:
        rows = connection.execute(select(act_rows)).all()
    return {row.act: unpack(row.lines, bytes(row.digests)) for row in rows}


def test_an_act_notes_rows_that_are_added_changed_and_deleted(sqlite_desk: Desk) -> None:
    with sqlite_desk.office.store.writing() as connection:
        act = next_seq(connection)
        connection.execute(insert(settings), {"name": "x", "value": "1", "act": act})
        connection.execute(insert(hidden_players), [{"player": 1}, {"player": 2}])
        connection.execute(delete(hidden_players).where(hidden_players.c.player == 2))
        append(connection, "2018-01-01T00:00:00Z", "A", "test", {"x": 1}, "")
    written = records(sqlite_desk)[act]
    assert written == {
        'settings["x"]': row_digests([("x", "1", act)])[0],
        "hidden_players[1]": row_digests([(1,)])[0],
        "hidden_players[2]": GONE,
    }
    with sqlite_desk.office.store.reading() as connection:
        sealed = connection.execute(select(ledger.c.rows).where(ledger.c.seq == act)).scalar_one()
    assert sealed == record_digest(*pack(written))
    assert verbs.verify(sqlite_desk.office).intact


def test_rows_without_an_act_are_refused(sqlite_desk: Desk) -> None:
    with (
        pytest.raises(AssertionError, match="without an act"),
        sqlite_desk.office.store.writing() as connection,
    ):
        connection.execute(insert(hidden_players), {"player": 1})
    with (
        pytest.raises(AssertionError, match="users"),
        sqlite_desk.office.store.unlogged_writing() as connection,
    ):
        connection.execute(update(users).values(active=1))
    with sqlite_desk.office.store.unlogged_writing() as connection:
        connection.execute(update(users).values(factor_used=1))
    with sqlite_desk.office.store.reading() as connection:
        assert connection.execute(select(hidden_players)).all() == []


def test_an_empty_cell_at_the_end_does_not_count() -> None:
    """So that a migration can add a column to a table whose rows are proved."""
    before, after, filled, moved, text = row_digests(
        [(1, "a"), (1, "a", None, None), (1, "a", "", None), (1, None, "a"), (1, "a", "null")]
    )
    assert before == after
    assert len({before, filled, moved, text}) == 4
