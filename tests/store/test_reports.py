"""The players of reports, read together."""

from __future__ import annotations

from datetime import date

import pytest

from arpad.store import reports
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed

JAN = date(2018, 1, 1)


def test_the_players_of_many_reports_are_those_of_each(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    numbers = [desk.report(event(f"Match {day}", WIN, date(2018, 1, day))) for day in (10, 20)]
    with desk.office.store.reading() as connection:
        together = reports.entrants_of(connection, [*numbers, 99])
        assert together == {number: [*reports.players_of(connection, number)] for number in numbers}
        assert all(together.values())


def test_the_order_of_the_report_does_not_depend_on_the_database(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    joined = [(7, "0,1,2", "12,11,13"), (8, "2,0,1", "23,21,22")]
    monkeypatch.setattr(reports, "rows_with", lambda *_: iter(joined))
    with desk.office.store.reading() as connection:
        assert reports.entrants_of(connection, [7, 8]) == {7: [12, 11, 13], 8: [21, 22, 23]}
