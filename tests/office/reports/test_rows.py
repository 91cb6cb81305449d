"""The players of reports, read together."""

from datetime import date

from arpad.office.reports import rows as reports
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
