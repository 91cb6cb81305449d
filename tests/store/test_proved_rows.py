"""Every changed, added and deleted row of every proved table is named with its act."""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arpad.explain.words import LANGUAGES
from arpad.model.errors import BadInput
from arpad.model.rules import Alteration
from arpad.office.lists.block_rows import sealed_blocks
from arpad.store.declared_tables import all_tables, not_covered, proved_tables
from arpad.store.proved_rows import altered_rows, broken_records, read_records, shown_key
from tests.builders.list_blocks import alter_blocks, set_value
from tests.builders.offices import Clock, Desk
from tests.builders.verbs import open_office, verify
from tests.builders.whole_office import END, build_office
from tests.commands import run
from tests.paths import ROOT
from tests.store.tampering import Change, apply, changes, empty_tables, tamper


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    desk = Desk.made(str(folder / "office.db"), folder, Clock())
    build_office(desk)
    with closing(sqlite3.connect(desk.place)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
    return Path(desk.place)


def differing(place: Path, since: int = 0) -> list[Alteration]:
    office = open_office(str(place))
    try:
        with office.store.reading() as connection:
            return list(altered_rows(connection, read_records(connection).expected, since))
    finally:
        office.close()


def planned(whole: Path) -> Iterator[Change]:
    with closing(sqlite3.connect(whole)) as database:
        for table in proved_tables():
            yield from changes(database, table)


def test_the_office_has_rows_in_every_table(whole: Path) -> None:
    assert empty_tables(whole) == []


def test_one_row_of_each_table_changed_added_and_deleted_is_named(whole: Path, tmp_path: Path) -> None:
    assert differing(whole) == []
    place = tmp_path / "tampered.db"
    for mark, code in (("act", "row-changed"), ("+", "row-added"), ("-", "row-deleted")):
        shutil.copy(whole, place)
        tampered = {change.table: change for change in planned(whole) if change.column == mark}
        for change in tampered.values():
            apply(place, change)
        assert {row.facts["table"] for row in differing(place) if row.code == code} == tampered.keys()
    assert len(tampered) == len(proved_tables())


def test_the_record_of_an_act_is_named(whole: Path, tmp_path: Path) -> None:
    place = tmp_path / "tampered.db"
    for statement, act in (
        ("DELETE FROM act_rows WHERE act = 2", 2),
        ("UPDATE act_rows SET lines = replace(lines, 'players[1]', 'players[9]') WHERE act = 2", 2),
        ("UPDATE act_rows SET digests = zeroblob(length(digests)) WHERE act = 2", 2),
        ("UPDATE act_rows SET act = 99999 WHERE act = 2", 99999),
    ):
        shutil.copy(whole, place)
        apply(place, Change("act_rows", "", statement, ()))
        office = open_office(str(place))
        with office.store.reading() as connection:
            assert act in broken_records(connection, {})
        office.close()


def test_with_since_only_later_acts_are_compared(whole: Path, tmp_path: Path) -> None:
    place = tmp_path / "tampered.db"
    shutil.copy(whole, place)
    with closing(sqlite3.connect(whole)) as database:
        last = database.execute("SELECT max(act) FROM decisions").fetchone()[0]
    for statement in (
        "UPDATE settings SET value = 'x'",
        "UPDATE decisions SET day = '2020-01-01' WHERE act = ?",
    ):
        table = statement.split()[1]
        apply(place, Change(table, "", statement, (last,) if "?" in statement else ()))
    assert {row.facts["table"] for row in differing(place)} == {"settings", "decisions"}
    assert {row.facts["table"] for row in differing(place, last - 1)} == {"decisions"}
    assert differing(place, last) == []


def test_a_key_is_shown_as_values() -> None:
    assert shown_key('["fide","9001"]') == "fide, 9001"


# ------------------------------------------------------------------------------------------------------ forgeries


def codes(place: Path, *statements: str) -> set[tuple[str, str]]:
    """Return what verifying says after statements of somebody who holds the file."""
    for statement in statements:
        table = statement.removeprefix("DELETE FROM ").removeprefix("UPDATE ").split()[0]
        apply(place, Change(table, "", statement, ()))
    office = open_office(str(place), now=Clock(END))
    try:
        return {(item.code, str(item.facts.get("table", ""))) for item in verify(office).altered}
    finally:
        office.close()


OF_LIST = ("rankings", "ranking_pages", "list_history", "list_blocks", "rated_reports", "taken_back")
NEWEST_REPORT = "(SELECT max(id) FROM reports)"


def cut_ledger(acts: int) -> list[str]:
    return [
        f"DELETE FROM ledger WHERE seq > (SELECT max(seq) - {acts} FROM ledger)",  # noqa: S608
        "DELETE FROM act_rows WHERE act > (SELECT max(seq) FROM ledger)",
    ]


@pytest.mark.parametrize(
    ("statements", "named"),
    [
        # a list declared imported is not computed again; its row is still that of the act
        (
            ["UPDATE publications SET kind = 'imported', act = 2 WHERE id = 2"],
            ("row-changed", "publications"),
        ),
        # the last acts are gone, and rows that name them are not
        (cut_ledger(20), ("row-missing", "ledger")),
        # the rows of the last act name none
        (cut_ledger(1), ("row-added", "monitor_pages")),
        (
            [
                f"DELETE FROM report_statuses WHERE report = {NEWEST_REPORT}",  # noqa: S608
                f"DELETE FROM reports WHERE id = {NEWEST_REPORT}",  # noqa: S608
            ],
            ("row-deleted", "reports"),
        ),
        # a report that is no longer found with a player, or is found with another
        (["DELETE FROM player_reports WHERE player = 1"], ("row-derived", "player_reports")),
        (["UPDATE player_reports SET player = 99999 WHERE player = 1"], ("row-derived", "player_reports")),
        (["UPDATE entrants SET players = 'none'"], ("row-changed", "entrants")),
        (
            [
                *(f"DELETE FROM {table} WHERE publication = 4" for table in OF_LIST),  # noqa: S608
                "DELETE FROM publications WHERE id = 4",
            ],
            ("row-deleted", "publications"),
        ),
    ],
)
def test_a_forgery_is_named(
    whole: Path, tmp_path: Path, statements: list[str], named: tuple[str, str]
) -> None:
    place = tmp_path / "forged.db"
    shutil.copy(whole, place)
    assert named in codes(place, *statements)


def test_a_raised_rating_in_a_list_declared_imported_is_named(whole: Path, tmp_path: Path) -> None:
    """The block is sealed again, so that only the record of the act shows the other rating."""
    place = tmp_path / "forged.db"
    shutil.copy(whole, place)
    clock = Clock(END)
    desk = Desk(open_office(str(place), now=clock), clock, tmp_path, str(place))
    with desk.office.store.reading() as connection:
        ((player, rating), *_) = next(sealed_blocks(connection, 2)).table().select("player", "rating").rows()
    alter_blocks(desk, 2, set_value(player, rating=rating + 300), sealed=True)
    desk.office.close()
    named = codes(place, "UPDATE publications SET kind = 'imported', act = 2 WHERE id = 2")
    assert {("row-changed", "publications"), ("row-changed", "list_blocks")} <= named


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_not_covered_is_printed_and_explained(
    whole: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = run(capsys, "office", "verify", "--quick", "--db", str(whole), "--lang", language)
    assert ", ".join(not_covered()) in " ".join(out.split())
    page = (ROOT / "docs" / "explanation" / "proofs.md").read_text(encoding="utf-8")
    rows = [line.split(" | ")[0] for line in page.partition("| not covered |")[2].splitlines()[2:8]]
    assert {name for row in rows for name in re.findall(r"`([a-z_.]+)`", row)} == {*not_covered()}


def test_an_act_that_is_not_there_is_refused(whole: Path) -> None:
    office = open_office(str(whole))
    with pytest.raises(BadInput, match="no-such-act"):
        verify(office, since=99999)
    office.close()


@pytest.mark.deep
@pytest.mark.parametrize("table", all_tables())
def test_every_cell_and_row_of_every_table(whole: Path, tmp_path: Path, table: str) -> None:
    for change, judgement in tamper(whole, tmp_path, [table], END):
        expected = {"named", "not covered"} | ({"stale"} if table in ("drafts", "live_lists") else set())
        assert judgement in expected, change
