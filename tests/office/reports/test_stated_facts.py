"""What a sender can state can be stated later; a report moves to another list, is sent again, is reinstated."""

from dataclasses import fields, replace
from datetime import date

import pytest

from arpad.model.chess import EventKind
from arpad.model.errors import BadInput
from arpad.model.rules import Body, ListName
from arpad.office.reports import rows
from arpad.office.reports.rows import decisions_in_force
from arpad.office.reports.stated_facts import decided_facts
from arpad.publishing.bundle import verify_bundle
from arpad.reports.event_facts import EventFacts, KnownPlayer
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import STANDARD, WIN, Desk, listed, report_file
from tests.builders.verbs import (
    accept,
    draft,
    explain,
    ledger,
    reinstate,
    reports_on_file,
    return_,
    revise,
    revoke,
    submit,
    verify,
    withdraw,
)
from tests.thinning import one_in

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)
DAY = date(2018, 1, 10)
RAPID = ListName.RAPID

STATED = {
    "registered": ("2018-01-02", date(2018, 1, 2)),
    "received": ("2018-01-15", date(2018, 1, 15)),
    "list": ("rapid", ListName.RAPID),
    "kind": ("swiss", EventKind.SWISS),
    "late_registration_by": ("qc", Body.QC),
    "match_games": ("12", 12),
    "taken_out": ("1:1:fair-play", ("1:1:fair-play",)),
    "suspended_federations": ("ABC, DEF", ("ABC", "DEF")),
    "time_control": ("15+10", "15+10"),
    "number_scheme": ("fide", "fide"),
}
"""A text for every fact that is no yes or no, and what it means."""

CHESS_FACTS = [item.name for item in fields(EventFacts) if item.name not in ("players", "weight")]
"""Every fact of an event of chess; ``test_draughts_records`` states the weight of one of draughts."""


def known(desk: Desk, report: int) -> EventFacts:
    with desk.office.store.reading() as connection:
        filed = rows.filed(connection, [report])[report]
        return decided_facts(filed, decisions_in_force(connection))


def status(desk: Desk, report: int) -> str:
    return report_file(desk.office, report)[0].status


def two(day: date = DAY) -> Report:
    return event("Two", WIN, day)


@pytest.fixture
def ready(sqlite_desk: Desk) -> Desk:
    sqlite_desk.list(JAN, listed(1, 2000), listed(2, 1900))
    sqlite_desk.on(DAY)
    return sqlite_desk


@pytest.mark.parametrize("name", one_in(4, CHESS_FACTS))
def test_every_fact_can_be_stated_after_filing_and_taken_back(ready: Desk, name: str) -> None:
    """A field added to the facts is covered without more code: it is stated as yes, or has its text above."""
    report = ready.send(two()).report
    before = getattr(known(ready, report), name)
    text, value = STATED.get(name, ("yes", True))
    assert before != value

    decision = decide(ready.office, "fact", report=report, reason="letter of 12 January", facts={name: text})

    assert getattr(known(ready, report), name) == value
    revoke(ready.office, decision, reason="a mistake")
    assert getattr(known(ready, report), name) == before


def test_a_players_facts_can_be_stated(ready: Desk) -> None:
    report = ready.send(two()).report
    decide(ready.office, "fact", report=report, reason="norm", facts={"players.2.norm": "yes"})
    decide(ready.office, "fact", report=report, reason="birth", facts={"players.2.born": "2001-05-31"})
    assert known(ready, report).players == {"2": KnownPlayer(norm=True, born=date(2001, 5, 31))}
    decide(ready.office, "fact", report=report, reason="no norm", facts={"players.2.norm": "no"})
    assert known(ready, report).players["2"].norm is False


def test_a_later_decision_goes_before_an_earlier_one_and_unknown_takes_back_what_the_sender_said(
    ready: Desk,
) -> None:
    report = ready.send(two(), facts=EventFacts(licensed_arbiters=False, league=True)).report
    decide(ready.office, "fact", report=report, reason="seen", licensed_arbiters="yes")
    assert known(ready, report).licensed_arbiters is True
    decide(ready.office, "fact", report=report, reason="not seen", licensed_arbiters="unknown")
    decide(ready.office, "fact", report=report, reason="another", norms="no")
    facts = known(ready, report)
    assert (facts.licensed_arbiters, facts.league, facts.norms) == (None, True, False)


def test_the_name_of_a_fact_stands_for_a_decision_about_it(ready: Desk) -> None:
    report = ready.send(two()).report
    decide(ready.office, "national-championship", report=report, reason="x")
    decide(ready.office, "kind", report=report, reason="x", kind="swiss")
    facts = known(ready, report)
    assert (facts.national_championship, facts.kind) == (True, EventKind.SWISS)


@pytest.mark.parametrize(
    ("stated", "code"),
    [
        ({}, "nothing-stated"),
        ({"kinds": "swiss"}, "facts-key"),
        ({"kind": "knockout"}, "facts-value"),
        ({"list": "bullet"}, "facts-value"),
        ({"registered": "tomorrow"}, "facts-value"),
        ({"official": "perhaps"}, "facts-value"),
        ({"match_games": "many"}, "facts-value"),
        ({"time_control": "15+1o"}, "facts-value"),
        ({"players.2.shoe": "42"}, "facts-key"),
        ({"players.99.norm": "yes"}, "match-nobody"),
        ({"players": "unknown"}, "facts-key"),
        ({"shoe": "unknown"}, "facts-key"),
        ({"report": "2"}, "facts-key"),
    ],
)
def test_what_is_no_fact_is_refused_in_one_sentence(ready: Desk, stated: dict[str, str], code: str) -> None:
    report = ready.send(two()).report
    acts = len(ledger(ready.office))
    with pytest.raises(BadInput, match=code):
        decide(ready.office, "fact", report=report, reason="x", facts=stated)
    assert len(ledger(ready.office)) == acts


def test_an_error_that_a_fact_answers_no_longer_stands_against_accepting(ready: Desk) -> None:
    sent = ready.send(two(), facts=EventFacts(licensed_arbiters=False))
    with pytest.raises(BadInput, match="arbiters-not-licensed"):
        accept(ready.office, sent.report)
    decide(ready.office, "fact", report=sent.report, reason="licences seen", licensed_arbiters="yes")
    assert accept(ready.office, sent.report).players == (1, 2)


@DEEP_ON_POSTGRESQL
def test_a_list_made_with_a_stated_fact_recomputes_from_its_bundle(desk: Desk) -> None:
    """A match of two games planned is decided after 1.5 points: the third game does not count, the fourth neither.

    2000 against 1900, difference 100: expected .64, so 1 and = give (1 - .64) + (.5 - .64) = .22, times 20: 4.4, 2004.
    """
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    report = desk.report(
        event("Match", "1 2000 | 2w1 2b= 2w1 2b1\n2 1900 | 1b0 1w= 1b0 1w0", DAY, date(2018, 1, 13))
    )
    decide(desk.office, "fact", report=report, reason="the contract", match_games="2")

    desk.publish(FEB)

    assert desk.rating(1, FEB) == 2004
    assert verify(desk.office).intact
    (bundle,) = (desk.folder / "lists").glob("*.bundle.zip")
    assert verify_bundle(bundle).intact


def test_an_explanation_tells_what_was_decided_of_the_event(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    report = desk.report(two())
    decide(desk.office, "fact", report=report, reason="the contract", match_games="1")
    desk.publish(FEB)
    decide(desk.office, "fact", report=report, reason="too late for this list", league="yes")
    change = explain(desk.office, 1, STANDARD, FEB).change
    assert change is not None
    (decision,) = change.events[0].decisions
    assert (decision.kind, decision.value, decision.reason) == ("fact", {"match_games": 1}, "the contract")
    assert decision.author == "T. Officer"


# ------------------------------------------------------------------------------------------------ another list


def test_a_list_that_is_stated_moves_the_report(desk: Desk) -> None:
    """Rapid, 2017, K 20: 2000 beats 1900, expected .64: 20 x .36 = 7.2, so 2007 on the rapid list alone."""
    for on_list in (STANDARD, RAPID):
        desk.list(JAN, listed(1, 2000), listed(2, 1900), on_list=on_list)
    report = desk.report(two())
    decide(desk.office, "fact", report=report, reason="it was rapid", list="rapid")

    assert [one.id for one in reports_on_file(desk.office, on_list=RAPID)] == [report]
    assert not draft(desk.office, STANDARD, FEB).reports
    desk.publish(FEB)
    desk.publish(FEB, RAPID)

    assert (desk.rating(1, FEB), desk.rating(1, FEB, RAPID)) == (2000, 2007)
    assert verify(desk.office).intact


def test_a_time_control_that_is_stated_moves_the_report_and_its_revocation_moves_it_back(ready: Desk) -> None:
    ready.list(JAN, listed(1, 2000), listed(2, 1900), on_list=RAPID)
    ready.on(DAY)
    report = ready.report(two())
    decision = decide(ready.office, "fact", report=report, reason="clocks", time_control="15+10")
    assert report_file(ready.office, report)[0].list == RAPID
    decide(ready.office, "fact", report=report, reason="clocks again", time_control="3+2")
    assert report_file(ready.office, report)[0].list == ListName.BLITZ
    named = decide(ready.office, "fact", report=report, reason="by name", on_list=STANDARD)
    decide(ready.office, "fact", report=report, reason="clocks once more", time_control="15+10")
    assert report_file(ready.office, report)[0].list == STANDARD
    revoke(ready.office, named, reason="no")
    revoke(ready.office, decision, reason="no")
    assert known(ready, report).time_control == "15+10"


@DEEP_ON_POSTGRESQL
def test_a_report_that_a_list_has_rated_moves_once_that_list_is_revised(desk: Desk) -> None:
    for on_list in (STANDARD, RAPID):
        desk.list(JAN, listed(1, 2000), listed(2, 1900), on_list=on_list)
    report = desk.report(two())
    desk.publish(FEB)
    assert desk.rating(1, FEB) == 2007
    decide(desk.office, "fact", report=report, reason="it was rapid", list="rapid")

    waiting = draft(desk.office, RAPID, FEB)
    assert (waiting.reports, [left.reason for left in waiting.left_out]) == ((), ["moved-from-published"])
    assert verify(desk.office).intact  # the list that is out is still made from what was known then

    revise(desk.office, STANDARD, reason="one event was rapid")
    desk.publish(FEB, RAPID)
    assert (desk.rating(1, FEB), desk.rating(1, FEB, RAPID)) == (2000, 2007)
    assert verify(desk.office).intact


def test_a_report_that_moved_waits_no_longer_once_the_base_is_corrected(ready: Desk) -> None:
    ready.list(JAN, listed(1, 2000), listed(2, 1900), on_list=RAPID)
    ready.on(DAY)
    report = ready.report(two())
    ready.publish(FEB)
    decide(ready.office, "fact", report=report, reason="it was rapid", list="rapid")
    revise(ready.office, STANDARD, reason="one event was rapid", mode="base")
    assert [one.id for one in draft(ready.office, RAPID, FEB).reports] == [report]


def test_a_new_version_for_another_list_waits_until_the_old_list_is_revised(ready: Desk) -> None:
    ready.list(JAN, listed(1, 2000), listed(2, 1900), on_list=RAPID)
    ready.on(DAY)
    before = ready.report(two())
    ready.publish(FEB)
    after = ready.report(event("Two", WIN, DAY, time_control="15+10"), replaces=before)

    waiting = draft(ready.office, RAPID, FEB)
    assert (waiting.reports, [left.reason for left in waiting.left_out]) == ((), ["moved-from-published"])
    revise(ready.office, STANDARD, reason="it was rapid")
    assert [one.id for one in draft(ready.office, RAPID, FEB).reports] == [after]


# ---------------------------------------------------------------------------------------------- sent once more


@pytest.mark.parametrize("put_aside", [return_, withdraw])
def test_the_same_file_can_be_sent_again_with_other_facts(desk: Desk, put_aside: object) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.on(DAY)
    first = desk.send(two(), facts=EventFacts(licensed_arbiters=False)).report
    put_aside(desk.office, first, reason="licences?")  # type: ignore[operator]

    assert desk.send(two(), facts=EventFacts(licensed_arbiters=False)).again
    again = desk.send(two(), facts=EventFacts(licensed_arbiters=True))

    assert (again.again, again.errors) == (False, ())
    assert report_file(desk.office, again.report)[0].replaces == first
    accept(desk.office, again.report)
    assert desk.send(two(), facts=EventFacts(licensed_arbiters=False)).report == again.report
    desk.publish(FEB)
    assert desk.rating(1, FEB) == 2007
    assert verify(desk.office).intact


def test_a_file_that_was_accepted_and_withdrawn_can_be_sent_again(ready: Desk) -> None:
    first = ready.report(two())
    withdraw(ready.office, first, reason="wrong event")
    again = ready.send(two(), replaces=first)
    assert not again.again
    accept(ready.office, again.report)
    assert [status(ready, number) for number in (first, again.report)] == ["withdrawn", "accepted"]


def test_who_sees_only_their_own_reports_cannot_send_anothers_file_anew(ready: Desk) -> None:
    first = ready.send(two()).report
    return_(ready.office, first, reason="licences?")
    other = replace(ready.office, author="Somebody Else")
    data = report_file(ready.office, first)[1]
    assert submit(other, data, "two.trf", facts=EventFacts(league=True), among_own=True).again
    assert not submit(other, data, "two.trf", facts=EventFacts(league=True)).again


# ---------------------------------------------------------------------------------------- withdrawn by mistake


@pytest.mark.parametrize("before", ["received", "returned", "accepted"])
def test_a_report_withdrawn_by_mistake_is_again_what_it_was(desk: Desk, before: str) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.on(DAY)
    report = desk.send(two()).report
    if before == "returned":
        return_(desk.office, report, reason="why")
    if before == "accepted":
        accept(desk.office, report)
    withdraw(desk.office, report, reason="the wrong one")

    assert reinstate(desk.office, report, reason="it was another").status == before

    assert status(desk, report) == before
    assert [act.verb for act in ledger(desk.office)][-2:] == ["withdraw", "reinstate"]
    with pytest.raises(BadInput, match="report-status"):
        reinstate(desk.office, report, reason="again")


def test_a_report_does_not_come_back_beside_one_that_holds_its_games(ready: Desk) -> None:
    first = ready.report(two())
    withdraw(ready.office, first, reason="twice on file")
    ready.report(replace(two(), header=replace(two().header, name="Two again")))
    with pytest.raises(BadInput, match="reinstate-held"):
        reinstate(ready.office, first, reason="a mistake")


@DEEP_ON_POSTGRESQL
def test_a_report_reinstated_after_a_revision_falls_into_the_next_list(out: Desk) -> None:
    """February gave 2007; revised without the report it is 2000, and March takes the report in again."""
    (report,) = [one.id for one in reports_on_file(out.office)]
    withdraw(out.office, report, reason="a mistake")
    revise(out.office, STANDARD, reason="withdrawn")
    assert out.rating(1, FEB) == 2000
    reinstate(out.office, report, reason="withdrawn by mistake")

    out.publish(date(2018, 3, 1))

    assert out.rating(1, date(2018, 3, 1)) == 2007
    assert verify(out.office).intact
