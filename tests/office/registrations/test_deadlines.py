"""Registered tournaments with their deadlines: what was done, what is open, what is overdue."""

from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.office.registrations.acts import record_sent, register_event
from arpad.office.registrations.deadlines import days_due, event_deadlines
from arpad.office.reports import rows
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed
from tests.builders.verbs import accept


def states(desk: Desk, *, everything: bool = False) -> list[tuple[str, dict[str, str]]]:
    return [
        (item.name, {str(dated.what): str(dated.state) for dated in item.deadlines})
        for item in event_deadlines(desk.office, everything=everything)
    ]


def test_a_tournament_from_registration_to_fide(sqlite_desk: Desk) -> None:
    desk, office = sqlite_desk, sqlite_desk.office
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 4, 1))
    register_event(office, "Open", first_day=date(2018, 5, 5), last_day=date(2018, 5, 6), federation="ITA")
    todo = {"registration": "met", "arbiter-report": "open", "federation-report": "open"}
    assert states(desk) == [("Open", todo)]

    desk.on(date(2018, 5, 14))  # seven days after the end were until the thirteenth
    assert states(desk) == [("Open", todo | {"arbiter-report": "overdue"})]
    number = desk.send(event("Open", WIN, date(2018, 5, 5), date(2018, 5, 6))).report
    assert states(desk) == [("Open", todo | {"arbiter-report": "late"})]

    with office.store.reading() as connection:
        (filed,) = rows.filed(connection, [number]).values()
        assert days_due(connection, [filed]) == {number: date(2018, 6, 5)}  # thirty days after the end
        assert days_due(connection, [filed._replace(undecided=True), filed._replace(last_day=None)]) == {}

    with pytest.raises(BadInput, match="report-status"):
        record_sent(office, [number])
    accept(office, number)
    with pytest.raises(BadInput, match="sent-later"):
        record_sent(office, [number], day=date(2018, 5, 15))
    assert record_sent(office, [number]).day == date(2018, 5, 14)
    assert states(desk) == []
    done = {"registration": "met", "arbiter-report": "late", "federation-report": "met"}
    assert states(desk, everything=True) == [("Open", done)]


def test_overdue_tournaments_come_first(sqlite_desk: Desk) -> None:
    desk, office = sqlite_desk, sqlite_desk.office
    desk.on(date(2018, 4, 1))
    for name, first in (
        ("Later", date(2018, 5, 20)),
        ("Old", date(2018, 4, 20)),
        ("Older", date(2018, 4, 10)),
    ):
        register_event(office, name, first_day=first, last_day=first)
    desk.on(date(2018, 5, 5))
    assert [name for name, _ in states(desk)] == ["Older", "Old", "Later"]
