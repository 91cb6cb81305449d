"""The games of accepted reports are kept in columns, and follow from their bytes."""

from array import array
from datetime import date

import pytest
from sqlalchemy import text

from arpad.office.live.acts import update_live
from arpad.office.reports.entrant_rows import fill_after_migration, load_games
from arpad.reports.formats import trf
from arpad.reports.report import Report
from arpad.reports.report_games import ReportGames
from tests.builders.chess import event
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import accept, draft, erase_player, verify

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)
OPEN = """
1 2000 | 2w1
2 1900 | 1b0
3 1850 | 4w=
4 1800 | 3b=
"""


@pytest.fixture
def both_ways() -> None:
    """Make lists in one way: the readable one reads the report."""


@pytest.fixture
def accepted(desk: Desk) -> Desk:
    """An office with an accepted report of four players."""
    desk.list(JAN, *(listed(player, rating) for player, rating in enumerate((2000, 1900, 1850, 1800), 1)))
    desk.report(event("Open", OPEN, date(2018, 1, 10)))
    return desk


def games(desk: Desk) -> dict[int, ReportGames]:
    with desk.office.store.reading() as connection:
        return load_games(connection, [1])


def test_an_accepted_report_has_its_games(accepted: Desk) -> None:
    (stored,) = games(accepted).values()
    assert (stored.name, stored.size, stored.rounds) == ("Open", 4, 1)
    assert (stored.results, stored.opponents) == (b"10==", array("i", [2, 1, 4, 3]).tobytes())


def test_a_file_is_read_twice_from_submission_to_list(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    read, readings = trf.read, []

    def counted(data: bytes, name: str = "") -> Report:
        readings.append(name)
        return read(data, name)

    monkeypatch.setattr(trf, "read", counted)
    desk.list(JAN, *(listed(player, rating) for player, rating in enumerate((2000, 1900, 1850, 1800), 1)))
    sent = desk.send(event("Open", OPEN, date(2018, 1, 10)))
    assert len(readings) == 1
    accept(desk.office, sent.report)
    assert len(readings) == 2, "decisions may have changed"
    assert draft(desk.office, STANDARD, FEB).result.movements
    desk.publish(FEB)
    assert update_live(desk.office, STANDARD)
    assert len(readings) == 2


def test_a_migration_fills_them(accepted: Desk) -> None:
    before = games(accepted)
    with accepted.office.store.unlogged_writing() as connection:
        connection.execute(text("DELETE FROM report_games"))
        fill_after_migration(connection)
    assert games(accepted) == before


def test_altered_games_are_named(accepted: Desk) -> None:
    with accepted.office.store.unlogged_writing() as connection:
        connection.execute(text("UPDATE report_games SET rounds = 2"))
    (alteration,) = verify(accepted.office).altered
    assert alteration.facts == {"table": "report_games", "row": "1"}


def test_an_erasure_writes_them_anew(accepted: Desk) -> None:
    before = games(accepted)
    erase_player(accepted.office, 1, confirm=1, by="the player", reason="asked")
    assert games(accepted) == before
    assert verify(accepted.office).intact
