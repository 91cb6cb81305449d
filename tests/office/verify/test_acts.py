"""What is kept cannot be changed, and whoever changes it all the same is found out and told where."""

import sqlite3
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import text

from arpad.model.errors import Unreadable
from arpad.office.lists.block_rows import sealed_blocks
from arpad.store import triggers as protect
from tests.builders.chess import event
from tests.builders.forgeries import force
from tests.builders.list_blocks import Edit, alter_blocks, remove, set_value
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import FEW, WIN, Desk, listed
from tests.builders.verbs import verify, verify_bundle
from tests.thinning import one_in

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)


def altered(desk: Desk) -> list[str]:
    return [place.code for place in verify(desk.office).altered]


@pytest.mark.parametrize("verb", ["UPDATE {table} SET {column} = {column}", "DELETE FROM {table}"])
def test_the_database_refuses_to_change_append_only_rows(out: Desk, verb: str) -> None:
    from arpad.store.declared_tables import META, kept_tables

    for table in kept_tables():
        column = next(iter(META.tables[table].columns)).name
        with out.office.store.reading() as connection:
            rows = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar()  # noqa: S608
        if not rows:
            continue
        with pytest.raises(Unreadable, match="kept"), out.office.store.writing() as connection:
            connection.execute(text(verb.format(table=table, column=column)))


@DEEP_ON_POSTGRESQL
@pytest.mark.parametrize(
    ("statement", "code", "facts"),
    one_in(
        2,
        [
            (
                "UPDATE list_blocks SET data = seals WHERE publication = 2",
                "list-block",
                {"first": 0, "last": 4095},
            ),
            ("DELETE FROM list_blocks WHERE publication = 2", "list-digest", {}),
            ("UPDATE ledger SET reason = 'other' WHERE seq = 3", "ledger-row", {"seq": 3}),
            ("UPDATE ledger SET author = 'Somebody else' WHERE seq = 1", "ledger-row", {"seq": 1}),
            ("UPDATE reports SET data = games", "report-bytes", {"report": 1}),
            ("UPDATE players SET name = 'Other' WHERE id = 1", "list-inputs", {}),
        ],
    ),
)
def test_a_row_altered_by_hand_is_found_and_named(
    out: Desk, statement: str, code: str, facts: dict[str, int]
) -> None:
    assert altered(out) == []

    force(out, statement)

    first = verify(out.office).altered[0]
    assert first.code == code
    assert facts.items() <= dict(first.facts).items()


LIST = "standard-2018-02-01-r1"


@pytest.mark.parametrize(
    ("edit", "players"),
    one_in(
        3,
        [
            (set_value(1, rating=2500), [1]),
            (set_value(2, name="Other, Name"), [2]),
            (set_value(1, rated_games=40), [1]),
            (set_value(2, peak=2400), [2]),
            (set_value(1, listed=False), [1]),
            (set_value(1, state="{}"), [1]),
            (remove(1), [2]),
        ],
    ),
)
def test_an_altered_row_of_a_list_is_named_by_its_player(
    sqlite_out: Desk, edit: Edit, players: list[int]
) -> None:
    alter_blocks(sqlite_out, 2, edit)
    altered_rows = [a for a in verify(sqlite_out.office, recompute=False).altered if a.code == "list-row"]
    assert [dict(a.facts) for a in altered_rows] == [{"list": LIST, "player": player} for player in players]


@pytest.mark.parametrize(
    ("edit", "players"), [(set_value(1, rating=2500), [1]), (set_value(2, peak=2400), [2]), (remove(2), [2])]
)
def test_a_row_that_was_altered_and_sealed_again_is_named_by_computing_the_list(
    sqlite_out: Desk, edit: Edit, players: list[int]
) -> None:
    alter_blocks(sqlite_out, 2, edit, sealed=True)
    altered = verify(sqlite_out.office).altered
    rows = [dict(a.facts) for a in altered if a.code == "list-row"]
    assert rows == [{"list": LIST, "player": player} for player in players]
    assert {"list-digest", "standings-digest"} & {a.code for a in altered}


@pytest.mark.parametrize("step", [1999, pytest.param(53, marks=pytest.mark.deep)])
def test_any_byte_of_a_block_is_found_and_its_players_are_named(sqlite_out: Desk, step: int) -> None:
    with sqlite_out.office.store.reading() as connection:
        (block,) = sealed_blocks(connection, 2)
    for column, whole in (("data", block.data), ("seals", block.seals)):
        for position in range(0, len(whole), step if column == "data" else 11):
            flipped = whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :]
            with (
                sqlite_out.office.store.writing() as connection,
                protect.allow_changes(connection, ["list_blocks"]),
            ):
                statement = f"UPDATE list_blocks SET {column} = :value WHERE publication = 2"  # noqa: S608
                connection.execute(text(statement), {"value": flipped})
            first = verify(sqlite_out.office, recompute=False).altered[0]
            assert first.code in ("list-row", "list-block"), position
            assert first.facts["list"] == LIST
        with (
            sqlite_out.office.store.writing() as connection,
            protect.allow_changes(connection, ["list_blocks"]),
        ):
            statement = f"UPDATE list_blocks SET {column} = :value WHERE publication = 2"  # noqa: S608
            connection.execute(text(statement), {"value": whole})
    assert verify(sqlite_out.office).intact


def test_an_act_missing_from_the_ledger_is_found(out: Desk) -> None:
    if out.place.startswith("postgresql"):
        force(out, "DELETE FROM ledger WHERE seq = 2")
    else:
        out.office.close()
        with sqlite3.connect(out.place) as connection:
            connection.execute("DROP TRIGGER keep_ledger_DELETE")
            connection.execute("DELETE FROM ledger WHERE seq = 2")
        connection.close()

    found = verify(out.office).altered
    assert ("ledger-row", {"seq": 2}) in [(place.code, place.facts) for place in found]


def test_a_missing_trigger_is_found(sqlite_desk: Desk) -> None:
    with sqlite_desk.office.store.writing() as connection:
        connection.exec_driver_sql("DROP TRIGGER keep_list_blocks_UPDATE")

    assert altered(sqlite_desk) == ["triggers-missing"]


# ---------------------------------------------------------------------------------------------------- bundles


@pytest.fixture
def bundle(sqlite_out: Desk) -> Path:
    return sqlite_out.folder / "lists" / "standard-2018-02-01-r1.bundle.zip"


def test_one_byte_anywhere_is_found(bundle: Path) -> None:
    whole = bundle.read_bytes()
    assert verify_bundle(bundle).intact
    for place in range(0, len(whole), 97):
        bundle.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            assert not verify_bundle(bundle).intact, place
        except Unreadable:
            continue


def test_the_member_that_was_altered_is_named(bundle: Path) -> None:
    whole = bundle.read_bytes()
    place = whole.index(b"2w1") if b"2w1" in whole else whole.index(b"2 w 1")
    bundle.write_bytes(whole[:place] + b"9" + whole[place + 1 :])

    (found,) = verify_bundle(bundle).altered

    assert (found.code, found.facts) == ("bundle-member", {"name": "events/1.report"})


def rewritten(bundle: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """A bundle whose members were changed and whose manifest was made to fit."""
    import json
    from hashlib import sha256

    with zipfile.ZipFile(bundle) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    manifest = json.loads(members["manifest.json"])
    manifest["files"] = {
        name: sha256(data).hexdigest() for name, data in members.items() if name != "manifest.json"
    }
    members["manifest.json"] = json.dumps(manifest).encode()
    with zipfile.ZipFile(bundle, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def test_a_forged_list_is_not_what_the_reports_give(bundle: Path) -> None:
    def raise_rating(members: dict[str, bytes]) -> None:
        members["list.txt"] = members["list.txt"].replace(b"\t2007\t", b"\t2107\t")

    rewritten(bundle, raise_rating)

    (found,) = verify_bundle(bundle).altered
    assert found.code == "list-line"
    assert "Player 1" in found.facts["text"]


def test_a_forged_edition_is_found(bundle: Path) -> None:
    def other_edition(members: dict[str, bytes]) -> None:
        import re

        members["period.json"] = re.sub(
            rb'"fide-2017":"[0-9a-f]{64}"', b'"fide-2017":"' + b"0" * 64 + b'"', members["period.json"]
        )

    rewritten(bundle, other_edition)

    assert [place.code for place in verify_bundle(bundle).altered] == ["bundle-edition"]


@pytest.mark.parametrize("share", [0, 1, 40, 99])
def test_a_bundle_cut_short_is_one_sentence(bundle: Path, share: int) -> None:
    whole = bundle.read_bytes()
    bundle.write_bytes(whole[: len(whole) * share // 100])

    with pytest.raises(Unreadable, match="bundle-unreadable"):
        verify_bundle(bundle)


def test_both_databases_publish_the_same_bytes(tmp_path: Path, postgres_server: str) -> None:
    from tests.builders.office_fixtures import new_database
    from tests.builders.offices import Clock

    texts = []
    for name, place in (("sqlite", str(tmp_path / "o.db")), ("postgres", new_database(postgres_server))):
        folder = tmp_path / name
        folder.mkdir()
        desk = Desk.made(place, folder, Clock())
        desk.list(JAN, listed(1, 2000), listed(2, 1900))
        desk.report(event("Match", WIN, date(2018, 1, 10)))
        desk.publish(FEB)
        texts.append({path.name: path.read_bytes() for path in (folder / "lists").iterdir()})
        desk.office.close()

    assert len(texts[0]) == len(FEW) + 1
    assert texts[0] == texts[1]
