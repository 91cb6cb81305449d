"""A report that replaces one that was in time is in time; how it is recognised, and what it takes over."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from arpad.model.cursors import Cursor
from arpad.office.inbox.incoming_files import IncomingFiles
from arpad.office.inbox.results import Submitted
from arpad.office.webhooks.acts import changes_after
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, Desk, listed, report_file, trf
from tests.builders.verbs import Submitted as office_Submitted
from tests.builders.verbs import (
    accept,
    decide_entrants,
    draft,
    register_player,
    report_detail,
    reports_on_file,
    return_,
    revise,
    submit,
    submit_many,
    verify,
    withdraw,
)

FEB = date(2018, 2, 1)
LATE = ("reported-late-by-arbiter", "reported-late-by-federation", "reported-too-late")

FOUR = """
1 2000 | 3w1 2w1
2 2000 | 4w= 1b0
3 2000 | 1b0 4w=
4 2000 | 2b= 3b=
"""


def first(day: date = date(2018, 1, 10)) -> Report:
    return event("Four", FOUR, day)


def corrected(day: date = date(2018, 1, 10)) -> Report:
    """One result is otherwise: two of the four games or more are the same."""
    return event("Four", FOUR.replace("3w1 2w1", "3w1 2w=").replace("4w= 1b0", "4w= 1b="), day)


def with_list(desk: Desk, day: date) -> Desk:
    desk.list(day, *[listed(number, 2000) for number in range(1, 5)])
    return desk


def lateness(sent: office_Submitted) -> set[str]:
    return {finding.code for finding in sent.findings} & set(LATE)


@DEEP_ON_POSTGRESQL
@pytest.mark.parametrize(
    ("list_day", "ended", "in_time", "late", "said"),
    [
        (
            date(2018, 1, 1),
            date(2018, 1, 10),
            date(2018, 1, 12),
            date(2018, 1, 20),
            "reported-late-by-arbiter",
        ),
        (
            date(2018, 1, 1),
            date(2018, 1, 10),
            date(2018, 1, 12),
            date(2018, 2, 20),
            "reported-late-by-federation",
        ),
        # ended on 10 May: the third list after it is that of 1 August
        (date(2024, 5, 1), date(2024, 5, 10), date(2024, 5, 12), date(2024, 8, 1), "reported-too-late"),
    ],
)
def test_a_correction_arrived_when_the_first_version_did(
    desk: Desk, list_day: date, ended: date, in_time: date, late: date, said: str
) -> None:
    with_list(desk, list_day)
    desk.on(in_time)
    before = desk.send(first(ended))
    assert lateness(before) == set()
    desk.on(late)
    assert lateness(desk.send(event("Other", "1 2000 | 2w1\n2 2000 | 1b0", ended))) == {said}

    again = desk.send(corrected(ended), replaces=before.report)

    assert lateness(again) == set()
    assert again.errors == ()
    accept(desk.office, again.report)
    third = desk.send(
        replace(first(ended), header=replace(first(ended).header, city="Elsewhere")), replaces=again.report
    )
    assert lateness(third) == set()


def test_a_first_version_that_was_late_leaves_its_correction_late(sqlite_desk: Desk) -> None:
    desk = with_list(sqlite_desk, date(2018, 1, 1))
    desk.on(date(2018, 1, 20))
    before = desk.send(first())
    assert lateness(desk.send(corrected(), replaces=before.report)) == {"reported-late-by-arbiter"}


@DEEP_ON_POSTGRESQL
@pytest.mark.parametrize("put_aside", [return_, withdraw])
def test_a_new_version_of_a_report_that_was_put_aside_is_recognised_by_its_games(
    desk: Desk, put_aside: object
) -> None:
    with_list(desk, date(2018, 1, 1))
    desk.on(date(2018, 1, 12))
    before = desk.send(first(), facts=EventFacts(registered=date(2017, 12, 1))).report
    put_aside(desk.office, before, reason="a result is wrong")  # type: ignore[operator]
    desk.on(date(2018, 2, 20))

    again = desk.send(corrected())

    assert report_file(desk.office, again.report)[0].replaces == before
    assert lateness(again) == set()
    assert "registration-unknown" not in {finding.code for finding in again.findings}
    accept(desk.office, again.report)


def test_who_sees_only_their_own_reports_replaces_nobody_elses_unasked(sqlite_desk: Desk) -> None:
    desk = with_list(sqlite_desk, date(2018, 1, 1))
    desk.on(date(2018, 1, 12))
    return_(desk.office, desk.send(first()).report, reason="a result is wrong")
    other = replace(desk.office, author="Somebody Else")
    sent = submit(other, trf(corrected()), "four.trf", among_own=True)
    assert report_file(desk.office, sent.report)[0].replaces is None


def test_many_at_once_are_recognised_as_one_by_one(desk: Desk, tmp_path: Path) -> None:
    """A returned report in other bytes, and one in the same bytes with other facts."""
    with_list(desk, date(2018, 1, 1))
    desk.on(date(2018, 1, 12))
    other = event("Two", "1 2000 | 2w1\n2 2000 | 1b0", date(2018, 1, 9))
    for report in (first(), other):
        return_(desk.office, desk.send(report).report, reason="why")
    folder = tmp_path / "again"
    folder.mkdir()
    (folder / "a.trf").write_bytes(trf(corrected()))
    (folder / "b.trf").write_bytes(trf(other))
    desk.on(date(2018, 2, 20))

    with IncomingFiles([folder]) as arrivals:
        results = list(submit_many(desk.office, arrivals, facts=EventFacts(league=True), accept=True))
    done = [result for result in results if isinstance(result, Submitted)]
    assert done == results

    assert [(one.status, one.again) for one in done] == [("accepted", False)] * 2
    assert not {finding.code for one in done for finding in one.findings} & set(LATE)
    found = {one.id: (one.replaces, one.status) for one in reports_on_file(desk.office)}
    assert found == {1: (None, "superseded"), 2: (None, "superseded"), 3: (1, "accepted"), 4: (2, "accepted")}
    with IncomingFiles([folder]) as arrivals:
        again = list(submit_many(desk.office, arrivals, facts=EventFacts(league=True)))
    assert all(isinstance(result, Submitted) and result.again for result in again)
    assert verify(desk.office).intact


def test_what_was_decided_holds_for_the_correction_and_its_cut_off(desk: Desk) -> None:
    """An official event has until the day before the list (7.13): ended on 31 January, it is for February."""
    with_list(desk, date(2018, 1, 1))
    end = date(2018, 1, 31)
    desk.on(end)
    before = desk.send(first(end)).report
    decide(desk.office, "official", report=before, reason="continental championship")
    again = desk.send(corrected(end), replaces=before)
    accept(desk.office, again.report)
    assert [one.id for one in draft(desk.office, STANDARD, FEB).reports] == [again.report]


def test_a_second_correction_of_a_rated_report_waits_for_the_revision_too(desk: Desk) -> None:
    """The first version is rated; the second replaces it, and the third the second, before anybody revises."""
    with_list(desk, date(2018, 1, 1))
    rated = desk.report(first())
    desk.publish(FEB)
    second = desk.send(corrected(), replaces=rated).report
    accept(desk.office, second)
    elsewhere = replace(corrected(), header=replace(corrected().header, city="Elsewhere"))
    third = desk.send(elsewhere, replaces=second).report
    accept(desk.office, third)

    waiting = draft(desk.office, STANDARD, date(2018, 3, 1))
    assert [(left.report.id, left.reason) for left in waiting.left_out] == [(third, "corrects-published")]
    revise(desk.office, STANDARD, reason="corrected twice")
    assert not draft(desk.office, STANDARD, date(2018, 3, 1)).reports


# ------------------------------------------------------------------------------------- who the entrants are


def unnumbered(report: Report, *names: str) -> Report:
    """The report without numbers, and with these names of its first entrants."""
    entrants = [replace(entrant, id="") for entrant in report.entrants]
    for place, name in enumerate(names):
        entrants[place] = replace(entrants[place], name=name)
    return replace(report, entrants=tuple(entrants))


NAMES = ("Short, Nigel", "Kosten, Tony", "Pein, Malcolm", "Hunt, Adam")


def without_register(desk: Desk) -> Desk:
    """An office whose register has a player with the name of the first entrant."""
    desk.on(date(2018, 1, 12))
    register_player(desk.office, "Short, Nigel", federation="ENG")
    return desk


@DEEP_ON_POSTGRESQL
def test_a_correction_keeps_who_the_players_of_the_accepted_report_are(desk: Desk) -> None:
    """Also of those who became new through the first version, and of those who had a number in it."""
    without_register(desk)
    before = desk.send(unnumbered(first(), *NAMES))
    assert [match.entrant.number for match in before.doubts] == [1]
    players = accept(desk.office, before.report, matches={1: 0}).players
    assert players == (2, 3, 4, 5)

    again = desk.send(unnumbered(corrected(), *NAMES), replaces=before.report)

    assert again.doubts == ()
    assert [finding.code for finding in again.findings if finding.code.startswith("match-")] == []
    done = accept(desk.office, again.report)
    assert (done.players, done.newcomers, done.superseded) == (players, (), before.report)
    third = desk.send(unnumbered(first(), *NAMES), replaces=again.report, facts=EventFacts(league=True))
    assert third.again, "the bytes of a superseded report"
    assert verify(desk.office).intact


@DEEP_ON_POSTGRESQL
def test_a_correction_keeps_what_was_decided_about_a_waiting_report(desk: Desk) -> None:
    without_register(desk)
    before = desk.send(unnumbered(first(), *NAMES)).report
    decide_entrants(desk.office, before, {1: 1})
    again = desk.send(unnumbered(corrected(), *NAMES), replaces=before)
    assert again.doubts == ()
    assert accept(desk.office, again.report).players == (1, 2, 3, 4)


def test_who_is_new_by_decision_is_new_in_the_correction(sqlite_desk: Desk) -> None:
    desk = without_register(sqlite_desk)
    before = desk.send(unnumbered(first(), *NAMES)).report
    decide_entrants(desk.office, before, {1: 0})
    again = desk.send(unnumbered(corrected(), *NAMES), replaces=before)
    assert again.doubts == ()
    assert accept(desk.office, again.report).newcomers == (2, 3, 4, 5)


def test_another_name_or_start_number_is_asked_for_again(sqlite_desk: Desk) -> None:
    desk = without_register(sqlite_desk)
    before = desk.send(unnumbered(first(), *NAMES)).report
    accept(desk.office, before, matches={1: 0})
    others = (NAMES[0], "Costen, Tony", NAMES[3], NAMES[2])
    again = desk.send(unnumbered(corrected(), *others), replaces=before)
    assert [match.entrant.number for match in again.doubts] == [2, 3, 4]


def test_a_player_taken_over_who_has_the_number_of_another_is_reported(sqlite_desk: Desk) -> None:
    desk = with_list(sqlite_desk, date(2018, 1, 1))
    desk.on(date(2018, 1, 12))
    before = desk.send(unnumbered(first(), *NAMES)).report
    assert accept(desk.office, before).players == (5, 6, 7, 8)
    entrants = zip(corrected().entrants, ("Player 1", *NAMES[1:]), strict=True)
    numbered = replace(corrected(), entrants=tuple(replace(entrant, name=name) for entrant, name in entrants))

    again = desk.send(numbered, replaces=before)

    assert again.doubts == ()
    held = [finding.facts["number"] for finding in again.findings if finding.code == "match-number-held"]
    assert held == [2, 3, 4]
    assert accept(desk.office, again.report).players == (1, 6, 7, 8)


# ---------------------------------------------------------------------------------------- two versions that wait


@DEEP_ON_POSTGRESQL
def test_replacing_a_waiting_report_withdraws_it(desk: Desk) -> None:
    with_list(desk, date(2018, 1, 1))
    desk.on(date(2018, 1, 12))
    before = desk.send(first()).report

    again = desk.send(corrected(), replaces=before).report

    assert {it.id: it.status for it in reports_on_file(desk.office)} == {
        before: "withdrawn",
        again: "received",
    }
    history = report_detail(desk.office, before).history
    assert [(entry.status, entry.replaced_by) for entry in history] == [
        ("received", None),
        ("withdrawn", again),
    ]
    with desk.office.store.reading() as connection:
        changes = changes_after(connection, Cursor(0, 0), everything=True).changes
    assert [(change.kind, change.tournament) for change in changes[-2:]] == [
        ("report-received", again),
        ("report-withdrawn", before),
    ]
    accept(desk.office, again)
    assert verify(desk.office).intact


def test_replacing_an_accepted_report_leaves_it_until_the_new_one_is_accepted(sqlite_desk: Desk) -> None:
    desk = with_list(sqlite_desk, date(2018, 1, 1))
    before = desk.report(first())
    again = desk.send(corrected(), replaces=before).report
    assert {it.id: it.status for it in reports_on_file(desk.office)} == {
        before: "accepted",
        again: "received",
    }
    accept(desk.office, again)
    assert {it.id: it.status for it in reports_on_file(desk.office)} == {
        before: "superseded",
        again: "accepted",
    }
    entry = report_detail(desk.office, before).history[-1]
    assert (entry.status, entry.replaced_by) == ("superseded", again)
