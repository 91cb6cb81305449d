"""The rows of an act: their digests, and what is noted in a transaction."""

import re
from hashlib import sha256

import pytest
from sqlalchemy import delete, insert, select, update

from arpad.office.declarations import all_declared
from arpad.office.register.tables import hidden_players
from arpad.store import declared_tables
from arpad.store.declared_tables import (
    Kind,
    act_digest,
    all_tables,
    derived_tables,
    not_covered,
    proved_tables,
    refuse_undeclared,
    rows_of,
    tables_of,
    verbs,
    writes,
)
from arpad.store.ledger import append, next_seq
from arpad.store.schema import act_rows, ledger, settings, users
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
from tests.builders.verbs import verify
from tests.paths import SOURCE

CODE = "\n".join(
    path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py")) if path.name != "tables.py"
)


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
    passing = {name for name in all_tables() if rows_of(name).kind is Kind.PASSING}
    assert {*all_tables()} == {*proved_tables()} | passing | derived_tables() | {"ledger", "act_rows"}
    assert passing <= {*not_covered()}


def records(desk: Desk) -> dict[int, dict[str, bytes]]:
    with desk.office.store.reading() as connection:
        rows = connection.execute(select(act_rows)).all()
    return {row.act: unpack(row.lines, bytes(row.digests)) for row in rows}


def test_an_act_notes_rows_that_are_added_changed_and_deleted(
    sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(declared_tables, "_VERBS", dict(declared_tables._VERBS))
    writes("test", "settings hidden_players -hidden_players")
    with sqlite_desk.office.store.writing() as connection:
        act = next_seq(connection)
        connection.execute(insert(settings), {"name": "x", "value": "1", "act": act})
        connection.execute(insert(hidden_players), [{"player": 1}, {"player": 2}])
        connection.execute(delete(hidden_players).where(hidden_players.c.player == 2))
        append(connection, "2018-01-02T00:00:00Z", "A", "test", {"player": 1, "x": 1}, "")
    written = records(sqlite_desk)[act]
    assert written == {
        f"ledger[{act}]": act_digest('{"player":1,"x":1}')[:DIGEST_BYTES],
        'settings["x"]': row_digests([("x", "1", act)])[0],
        "hidden_players[1]": row_digests([(1,)])[0],
        "hidden_players[2]": GONE,
    }
    with sqlite_desk.office.store.reading() as connection:
        sealed = connection.execute(select(ledger.c.rows).where(ledger.c.seq == act)).scalar_one()
    assert sealed == record_digest(*pack(written))
    assert verify(sqlite_desk.office).intact


def test_a_table_that_a_verb_does_not_declare_is_refused() -> None:
    with pytest.raises(AssertionError, match=re.escape('writes("publish", "hidden_players -users")')):
        refuse_undeclared("publish", {"publications", "hidden_players"}, {"users"})
    with pytest.raises(AssertionError, match="no-such-verb"):
        refuse_undeclared("no-such-verb", (), ())


def test_an_act_that_writes_an_undeclared_table_is_not_stored(sqlite_desk: Desk) -> None:
    with pytest.raises(AssertionError, match="hidden_players"):
        hide_by_publishing(sqlite_desk)
    assert verify(sqlite_desk.office).intact


def hide_by_publishing(desk: Desk) -> None:
    with desk.office.store.writing() as connection:
        connection.execute(insert(hidden_players), {"player": 1})
        append(connection, "2018-01-02T00:00:00Z", "A", "publish", {"x": 1}, "")


def test_the_verbs_with_declared_tables_are_those_of_the_code() -> None:
    """Every verb that an act of the code has is declared, and no other; its tables are proved."""
    found = set(re.findall(r'record_act\(\s*[^"]{1,60}?, "([a-z-]+)"', CODE))
    found |= {it.verb for it in all_declared().values() if it.verb}
    assert len(found) > 60, "the pattern finds them"
    assert {verb for verb in found if verb not in verbs()} == set()
    assert {verb for verb in verbs() if verb not in found and f'"{verb}"' not in CODE} == set()
    for verb in verbs():
        assert tables_of(verb).writes | tables_of(verb).deletes <= {*proved_tables()}, verb
    assert set().union(*(tables_of(verb).writes for verb in verbs())) == {*proved_tables()}
    assert {name for name in all_tables() if rows_of(name).named_by} <= {*proved_tables()}


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
