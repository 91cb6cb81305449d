"""A report without a readable time control is on no list until an officer states one; a decision alone resolves it."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.inbox.results import Accepted, NotAccepted
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.offices import WIN, Desk, listed, trf
from tests.builders.verbs import (
    IncomingFiles,
    Submitted,
    accept,
    accept_many,
    draft,
    reports_on_file,
    revoke,
    submit,
    submit_many,
)
from tests.shared_data import real_file

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)


def without_control(name: str = "Open") -> Report:
    report = event(name, WIN, date(2018, 1, 10))
    return replace(report, header=replace(report.header, time_control=""))


@pytest.fixture
def ready(sqlite_desk: Desk) -> Desk:
    sqlite_desk.list(JAN, listed(1, 2000), listed(2, 1900))
    sqlite_desk.on(date(2018, 1, 11))
    return sqlite_desk


def test_nobody_accepts_a_report_whose_list_is_undecided(ready: Desk) -> None:
    report = ready.send(without_control()).report
    (left,) = accept_many(ready.office)
    assert isinstance(left, NotAccepted)
    assert left.codes == ("list-undecided",)
    with pytest.raises(BadInput, match="report-has-errors"):
        accept(ready.office, report)
    with pytest.raises(BadInput, match="list-not-overruled"):
        accept(ready.office, report, overrule=["list-undecided"], reason="it was standard")
    (sent,) = submit_many(ready.office, _files(ready, trf(without_control("Other"))), accept=True)
    assert isinstance(sent, Submitted)
    assert sent.accepted is None


def _files(desk: Desk, data: bytes) -> IncomingFiles:
    path = desk.folder / "other.trf"
    path.write_bytes(data)
    return IncomingFiles([path])


@pytest.mark.parametrize(
    ("stated", "on_list"),
    [({"list": "standard"}, "standard"), ({"list": "rapid"}, "rapid"), ({"time_control": "3+2"}, "blitz")],
)
def test_a_decision_that_states_the_list_or_the_time_resolves_it(
    ready: Desk, stated: dict[str, str], on_list: str
) -> None:
    report = ready.send(without_control()).report
    assert [filed.undecided for filed in reports_on_file(ready.office)] == [True]
    decision = decide(ready.office, "fact", report=report, reason="letter", facts=stated)
    (filed,) = reports_on_file(ready.office)
    assert (filed.undecided, str(filed.list)) == (False, on_list)
    assert isinstance(accept(ready.office, report), Accepted)
    revoke(ready.office, decision, reason="a slip")
    (left,) = draft(ready.office, ListName.STANDARD, FEB).left_out
    assert left.reason == "list-undecided"


def test_the_sender_may_state_the_list(ready: Desk) -> None:
    report = ready.send(without_control(), facts=EventFacts(list=ListName.STANDARD)).report
    assert isinstance(accept(ready.office, report), Accepted)


def test_a_fact_whose_withdrawal_would_leave_the_list_undecided_stays(ready: Desk) -> None:
    report = ready.send(without_control(), facts=EventFacts(list=ListName.STANDARD)).report
    with pytest.raises(BadInput, match="list-would-be-undecided"):
        decide(ready.office, "fact", report=report, reason="doubts", facts={"list": "unknown"})


PLAYED = trf(event("Open", WIN, date(2018, 1, 10)))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (PLAYED.replace(b"012 Open", b"012 Blitz of Trani"), "declared-list-differs"),
        (PLAYED.replace(b"012 Open", b"012 Online Cup"), "online-event"),
        (PLAYED.replace(b"Player 1", b"player_1").replace(b"Player 2", b"player_2"), "nicknames"),
        (PLAYED + b"XXR 3\n", "stopped-early"),
        (PLAYED.replace(b"w 1", b"w  ").replace(b"b 0", b"b  "), "result-missing"),
    ],
)
def test_what_calls_itself_otherwise_or_is_unfinished_is_an_error_to_overrule(
    ready: Desk, data: bytes, code: str
) -> None:
    report = submit(ready.office, data, "open.trf").report
    (left,) = accept_many(ready.office)
    assert isinstance(left, NotAccepted)
    assert code in left.codes
    who = {1: 1, 2: 2}
    accepted = accept(ready.office, report, matches=who, overrule=left.codes, reason="letter of the arbiter")
    assert accepted.players == (1, 2)


def test_a_part_of_a_long_event_is_not_unfinished(ready: Desk) -> None:
    report = submit(ready.office, PLAYED + b"XXR 9\n", "league.trf").report
    decide(ready.office, "rounds", report=report, reason="interim report", first=1, last=1)
    assert accept(ready.office, report).report == report


def test_a_real_bullet_event_of_nicknames_is_left_in_the_inbox(ready: Desk) -> None:
    path = real_file("trf", "lichess-export", "j8rtJ5GL.trf")
    (sent,) = submit_many(ready.office, IncomingFiles([path]), accept=True)
    assert isinstance(sent, Submitted)
    assert {finding.code for finding in sent.errors} >= {
        "list-undecided", "nicknames", "online-event", "stopped-early", "declared-list-differs",
    }  # fmt: skip
    assert [type(result) for result in accept_many(ready.office)] == [NotAccepted]
