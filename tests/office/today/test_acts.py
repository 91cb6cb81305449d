"""What is to be done today: the command, the first page of the desk, and what an officer of one federation sees."""

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from arpad.model.rules import LISTS, ListName
from arpad.office.backup.acts import newest_backup
from arpad.office.declared import Reading
from arpad.office.drafts.procedures import NextList
from arpad.office.registrations.acts import register_event
from arpad.office.today.acts import MOST, what_is_to_do
from arpad.office.users import Caller, Grant, Role, User
from arpad.store.jobs import claim, enqueue, fail
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed
from tests.builders.site_fixtures import OPEN, Served, proof
from tests.builders.verbs import accept
from tests.commands import run

FIRST, LAST = date(2018, 5, 5), date(2018, 5, 6)


def test_an_empty_office_has_nothing_to_do(sqlite_desk: Desk) -> None:
    today = what_is_to_do(sqlite_desk.office)
    assert today.is_empty
    assert {it.list for it in today.lists} == set(LISTS)


def test_the_next_list_counts_what_waits_for_it(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(date(2018, 5, 1), listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 5, 20))
    first = desk.send(event("Open", WIN, FIRST, LAST)).report
    desk.send(event("Festival", WIN, date(2018, 5, 12), date(2018, 5, 13)))
    accept(desk.office, first)

    today = what_is_to_do(desk.office)

    assert today.lists == (NextList(ListName.STANDARD, date(2018, 6, 1), 12, accepted=1, waiting=1),)
    assert [(it.name, it.age) for it in today.reports] == [("Festival", 0)]
    assert not today.is_empty


def test_reports_with_errors_come_first(sqlite_desk: Desk) -> None:
    desk = sqlite_desk
    desk.list(date(2018, 5, 1), listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 5, 20))
    desk.send(event("Good", WIN, FIRST, LAST))
    desk.on(date(2018, 5, 30))
    desk.send(event("Bad", WIN, date(2018, 5, 27), date(2018, 5, 20)))  # ends before it begins

    reports = what_is_to_do(desk.office).reports

    assert [it.name for it in reports] == ["Bad", "Good"]
    assert reports[0].errors > 0 == reports[1].errors
    assert reports[1].age == 10


def test_deadlines_show_one_a_tournament_and_only_the_near_ones(sqlite_desk: Desk) -> None:
    desk, office = sqlite_desk, sqlite_desk.office
    desk.on(date(2018, 4, 1))
    register_event(office, "Near", first_day=FIRST, last_day=LAST, federation="ITA")
    register_event(office, "Far", first_day=date(2018, 9, 1), last_day=date(2018, 9, 2), federation="FRA")
    desk.on(date(2018, 5, 8))

    assert [(it.name, it.what, it.left) for it in what_is_to_do(office).deadlines] == [
        ("Near", "arbiter-report", 5)
    ]


def test_jobs_that_were_given_up_are_named(sqlite_desk: Desk) -> None:
    office = sqlite_desk.office
    with office.store.writing() as connection:
        enqueue(connection, "mail", {})
        job = claim(connection, ["mail"], datetime.now(UTC), timedelta(minutes=1))
        assert job is not None
        assert fail(connection, job, datetime.now(UTC), "no server", give_up=True)
    assert what_is_to_do(office).failed == {"mail": 1}


def test_the_newest_backup(tmp_path: Path) -> None:
    assert newest_backup("") is None
    assert newest_backup(str(tmp_path)) is None
    for name in ("arpad-2018-05-01.zip", "arpad-2018-05-03.zip", "arpad-2018-13-40.zip", "other.zip"):
        (tmp_path / name).touch()
    assert newest_backup(str(tmp_path)) == date(2018, 5, 3)


def test_an_officer_of_one_federation_sees_only_its_own(sqlite_desk: Desk) -> None:
    desk, office = sqlite_desk, sqlite_desk.office
    desk.list(date(2018, 5, 1), listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 4, 1))
    register_event(office, "Ours", first_day=FIRST, last_day=LAST, federation="FRA")
    register_event(office, "Theirs", first_day=FIRST, last_day=LAST, federation="ITA")
    desk.on(date(2018, 5, 8))
    bound = Caller(User(1, "fra", "Fra", (Grant(Role.OFFICER, "FRA"),)))
    with office.store.reading() as connection:
        today = what_is_to_do.function(Reading(office, connection, bound))
    assert [it.name for it in today.deadlines] == ["Ours"]
    assert (today.lists, today.corrections, today.failed) == ((), (), {})


def test_the_first_page_of_the_desk(own: Served) -> None:
    officer, arbiter = own.client("officer"), own.client("arbiter")
    form = {"csrf": proof(arbiter, "/check"), "name": "open.trf", "text": OPEN.decode()}
    assert arbiter.post("/desk/send", data=form).status_code == 303

    page = officer.get("/desk").text

    assert "Reports to decide" in page
    assert "Open the draft" in page
    assert "Next lists" in page
    assert 'href="/desk/numbers"' in page, "set-up stands apart, but is there"
    own_page = arbiter.get("/desk").text
    assert "Next lists" not in own_page
    assert 'href="/desk/running"' in own_page
    assert "Liste da correggere" not in own.client("officer", language="it").get("/desk").text
    assert "Prossime liste" in own.client("officer", language="it").get("/desk").text


def test_the_command(sqlite_desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk = sqlite_desk
    desk.list(date(2018, 5, 1), listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 5, 20))
    desk.send(event("Open", WIN, FIRST, LAST))
    database = desk.office.store.address

    status, out, _ = run(capsys, "office", "today", "--db", database, "--lang", "en", "--now", "2018-05-20")
    assert status == 0
    assert "Reports to decide\n  1  Open" in out
    _, out, _ = run(capsys, "office", "today", "--db", database, "--json", "--now", "2018-05-20")
    assert len(json.loads(out)["reports"]) <= MOST
