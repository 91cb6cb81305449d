"""Submit and accept reports: duplicates, matching with the register, errors that prevent acceptance."""

from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from arpad.model.errors import BadInput
from arpad.model.people import Birth
from arpad.office.registrations.acts import register_event
from arpad.office.reports.entrant_rows import NEW
from arpad.reports.formats import write_report
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.offices import STANDARD, Desk, listed, report_file, trf
from tests.builders.verbs import (
    accept,
    find_players,
    ledger,
    register_player,
    reports_on_file,
    return_,
    submit,
    withdraw,
)
from tests.builders.verbs import draft as office_draft

JAN = date(2018, 1, 1)
DAY = date(2018, 1, 10)
FOUR = """
1 2000 | 3w1 2w1
2 2000 | 4w= 1b0
3 2000 | 1b0 4w=
4 2000 | 2b= 3b=
"""


def four(**entrant: object) -> Report:
    """Return a report of four players, the first with some fields changed."""
    report = event("Four", FOUR, DAY)
    return with_entrant(report, 0, **entrant)


def with_entrant(report: Report, place: int, **entrant: object) -> Report:
    changed = list(report.entrants)
    changed[place] = replace(changed[place], **entrant)  # type: ignore[arg-type]
    return replace(report, entrants=tuple(changed))


@pytest.fixture
def ready(sqlite_desk: Desk) -> Desk:
    sqlite_desk.list(JAN, *[listed(number, 2000) for number in range(1, 5)])
    sqlite_desk.on(date(2018, 1, 12))
    return sqlite_desk


def codes(desk: Desk, report: Report, **more: Any) -> list[str]:
    return [finding.code for finding in desk.send(report, **more).errors]


def test_the_same_file_twice_changes_nothing(ready: Desk) -> None:
    first = ready.send(four())
    acts = len(ledger(ready.office))

    again = ready.send(four())

    assert (again.report, again.again, first.again) == (first.report, True, False)
    assert len(ledger(ready.office)) == acts


def test_the_same_event_in_other_bytes_is_recognised(ready: Desk) -> None:
    ready.report(four())
    renamed = replace(four(), header=replace(four().header, name="Open of Four"))
    sheet, _ = write_report(four(), "crosstable")

    assert codes(ready, renamed) == ["event-on-file"]
    sent = submit(ready.office, sheet, "four.csv")
    assert "event-on-file" in [finding.code for finding in sent.errors]
    with pytest.raises(BadInput, match="event-on-file"):
        accept(ready.office, sent.report)


def renamed_four(ready: Desk) -> int:
    return ready.send(replace(four(), header=replace(four().header, name="Open of Four"))).report


def test_the_same_games_are_not_taken_twice(ready: Desk) -> None:
    """Whoever overrules it has to say which report the new one replaces."""
    first = ready.report(four())
    other = ready.report(event("Other", "1 2000 | 2w0\n2 2000 | 1b1", DAY))
    again = renamed_four(ready)

    with pytest.raises(BadInput, match="same-games-twice"):
        accept(ready.office, again, overrule=["event-on-file"], reason="sent twice")
    with pytest.raises(BadInput, match="replaces-other-games"):
        accept(ready.office, again, replaces=other)
    with pytest.raises(BadInput, match="replaces-other-games"):
        accept(ready.office, again, replaces=99)
    accepted = accept(ready.office, again, overrule=["event-on-file"], replaces=first, reason="sent twice")

    assert accepted.superseded == first
    statuses = {filed.id: filed.status for filed in reports_on_file(ready.office)}
    assert statuses == {first: "superseded", other: "accepted", again: "accepted"}


def test_a_report_accepted_in_place_of_a_rated_one_waits_for_the_revision(ready: Desk) -> None:
    first = ready.report(four())
    ready.publish(date(2018, 2, 1))
    again = renamed_four(ready)
    accept(ready.office, again, replaces=first)

    draft = office_draft(ready.office, STANDARD, date(2018, 3, 1))

    assert [(left.report.id, left.reason) for left in draft.left_out] == [(again, "corrects-published")]
    third = ready.send(
        replace(four(), header=replace(four().header, city="Elsewhere")), replaces=again
    ).report
    accept(ready.office, third)
    draft = office_draft(ready.office, STANDARD, date(2018, 3, 1))
    assert [(left.report.id, left.reason) for left in draft.left_out] == [(third, "corrects-published")]


def test_a_correction_of_one_report_cannot_replace_another(ready: Desk) -> None:
    first = ready.report(four())
    second = event("Other", "1 2000 | 2w0\n2 2000 | 1b1", DAY)
    elsewhere = replace(second, header=replace(second.header, city="Elsewhere"))
    correction = ready.send(elsewhere, replaces=ready.report(second))
    with pytest.raises(BadInput, match="replaces-another"):
        accept(ready.office, correction.report, replaces=first)


def test_a_group_of_an_event_that_is_on_file_overlaps(ready: Desk) -> None:
    ready.report(four())
    group = event("Group A", "1 2000 | 3w1 2w1\n2 2000 | .Z 1b0\n3 2000 | 1b0 .Z", DAY)

    assert codes(ready, group) == ["event-on-file"]


def test_another_event_of_the_same_players_is_another_event(ready: Desk) -> None:
    ready.report(four())
    other = event("Second", FOUR.replace("3w1 2w1", "3w0 2w0").replace("1b0", "1b1"), date(2018, 1, 11))

    assert codes(ready, other) == []


def test_an_officer_decides_about_the_number_of_another_player(ready: Desk) -> None:
    sent = ready.send(four(name="Rossi, Mario"))
    assert [finding.code for finding in sent.errors] == ["match-other-name"]
    with pytest.raises(BadInput, match=r"who-not-overruled.*match-other-name"):
        accept(ready.office, sent.report)

    accepted = accept(ready.office, sent.report, matches={1: 1})

    assert accepted.players == (1, 2, 3, 4)


@pytest.mark.parametrize(
    ("name", "born"),
    [
        ("Bianchi Anna", date(1990, 5, 5)),
        ("Anna Bianchi", None),
        ("Bianci, Anna", 1990),
        ("Bianchi, A", None),
    ],
)
def test_a_name_without_a_number_is_a_doubt(ready: Desk, name: str, born: Birth) -> None:
    bianchi = register_player(ready.office, "Bianchi, Anna", federation="ITA", born=date(1990, 5, 5)).id

    sent = ready.send(four(name=name, id="", born=born))

    assert [finding.code for finding in sent.errors] == ["match-ambiguous"]
    ((candidate,),) = [match.candidates for match in sent.doubts]
    assert candidate.player == bianchi
    with pytest.raises(BadInput, match="who-not-overruled"):
        accept(ready.office, sent.report)
    assert accept(ready.office, sent.report, matches={1: bianchi}).players == (bianchi, 2, 3, 4)


def test_a_newcomer_gets_a_number_on_acceptance_and_is_the_candidate_of_the_next_report(ready: Desk) -> None:
    sent = ready.send(four(name="Nuovo, Ugo", id="", rating=None, born=2001))
    accepted = accept(ready.office, sent.report)
    (newcomer,) = accepted.newcomers

    assert [person.id for person in find_players(ready.office, "ugo nuovo")] == [newcomer]
    later = event("Later", FOUR.replace("1", "1"), date(2018, 1, 20))
    ready.on(date(2018, 1, 21))
    sent = ready.send(with_entrant(later, 0, name="NUOVO Ugo", id="", rating=None, born=2001))
    ((candidate,),) = [match.candidates for match in sent.doubts]
    assert candidate.player == newcomer
    assert {"same-name", "same-birth-year"} <= {*candidate.reasons}
    assert accept(ready.office, sent.report, matches={1: newcomer}).players[0] == newcomer


def test_an_officer_can_decide_that_an_entrant_is_new(ready: Desk) -> None:
    register_player(ready.office, "Bianchi, Anna", federation="ITA")
    sent = ready.send(four(name="Bianchi, Anna", id=""))

    accepted = accept(ready.office, sent.report, matches={1: NEW})

    assert len(accepted.newcomers) == 1


@pytest.mark.parametrize("code", ["match-other-name", "match-twice", "match-ambiguous"])
def test_doubtful_players_cannot_be_overruled(ready: Desk, code: str) -> None:
    if code == "match-ambiguous":
        register_player(ready.office, "Bianchi, Anna", federation="ITA", born=1970)
    reports = {
        "match-other-name": four(name="Rossi, Mario"),
        "match-ambiguous": four(name="Bianchi, Anna", id="", born=None),
        "match-twice": with_entrant(four(), 1, name="Player 1", id="9001"),
    }
    sent = ready.send(reports[code])
    assert code in [finding.code for finding in sent.errors]
    (doubtful,) = [finding.player for finding in sent.errors if finding.code == code]
    assert [f.code for f in sent.findings if f.player == doubtful and f.code.startswith("rating-")] == []

    with pytest.raises(BadInput, match="who-not-overruled"):
        accept(
            ready.office, sent.report, overrule=[finding.code for finding in sent.errors], reason="never mind"
        )

    assert [filed.status for filed in reports_on_file(ready.office)] == ["received"]


def test_a_match_for_an_unknown_start_number_is_refused(ready: Desk) -> None:
    sent = ready.send(four())

    with pytest.raises(BadInput, match="match-nobody"):
        accept(ready.office, sent.report, matches={1: 1, 44: 4})


def test_a_report_with_errors_is_accepted_only_if_they_are_overruled_with_a_reason(ready: Desk) -> None:
    wrong = replace(four(), header=replace(four().header, players=7))
    sent = ready.send(wrong)
    assert [finding.code for finding in sent.errors] == ["count-of-players"]
    with pytest.raises(BadInput, match="count-of-players"):
        accept(ready.office, sent.report)
    with pytest.raises(BadInput, match="reason-missing"):
        accept(ready.office, sent.report, overrule=["count-of-players"])

    accept(ready.office, sent.report, overrule=["count-of-players"], reason="three never came")

    last = ledger(ready.office)[-1]
    assert (last.facts["overruled"], last.reason) == (["count-of-players"], "three never came")


def test_registered_in_time_or_not(ready: Desk) -> None:
    """2017: a week before the first day (0.2)."""
    ready.on(date(2018, 1, 14))
    register_event(ready.office, "Soon", first_day=date(2018, 1, 20), last_day=date(2018, 1, 20))
    ready.on(date(2018, 1, 21))
    sent = ready.send(event("Soon", FOUR, date(2018, 1, 20)))
    assert [finding.code for finding in sent.errors] == ["registered-late"]

    decide(ready.office, "late-registration", report=sent.report, reason="accepted by the council")

    assert accept(ready.office, sent.report).players == (1, 2, 3, 4)


def test_statuses_with_author_and_reason(ready: Desk) -> None:
    report = ready.send(four()).report
    return_(ready.office, report, reason="no chief arbiter")
    with pytest.raises(BadInput, match="report-status"):
        accept(ready.office, report)
    with pytest.raises(BadInput, match="value-missing"):
        withdraw(ready.office, report, reason=" ")
    withdraw(ready.office, report, reason="sent by mistake")

    _, data, history = report_file(ready.office, report)

    assert [status for status, _ in history] == ["received", "returned", "withdrawn"]
    assert data == trf(four())
    acts = {act.seq: act for act in ledger(ready.office)}
    assert [acts[seq].reason for _, seq in history] == ["", "no chief arbiter", "sent by mistake"]


def test_every_act_needs_an_author(ready: Desk) -> None:
    nobody = replace(ready.office, author=" ")

    with pytest.raises(BadInput, match="author-missing"):
        submit(nobody, trf(four()), "four.trf")
