"""A rule tried on an office's own history: its calendar, K by decision, parts of long events, corrected reports."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import date

import pytest

from arpad.model.rules import ListName
from arpad.office.office import open_office
from arpad.office.verbs import accept
from arpad.regulations.editions import always, by_date, chess_edition
from arpad.reports.report import Report
from arpad.studies.integrity import integrity
from arpad.studies.office_history import history_of
from arpad.studies.points import accounts
from arpad.studies.replay import ratings_of, replay
from arpad.studies.whatif import amended, tried_editions, whatif
from tests.builders.chess import event
from tests.builders.decisions import decide
from tests.builders.offices import STANDARD, Desk, listed
from tests.commands import run_json
from tests.thinning import one_in

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
WIN = "1 2000 | 2w1\n2 2000 | 1b0"
DRAW = "1 2000 | 2w=\n2 2000 | 1b="
EDITION = chess_edition("fide-2017")


@pytest.mark.parametrize("on_list", one_in(3, [ListName.STANDARD, ListName.RAPID, ListName.BLITZ]))
def test_the_demo_replayed_by_its_own_editions_gives_its_own_lists(
    demo_office: str, on_list: ListName
) -> None:
    with closing(open_office(demo_office)) as office:
        history, run = history_of(office, on_list)
    again = list(replay(history, by_date(on_list)))
    assert [one.period.standings for one in again] == [one.period.standings for one in run]
    assert [one.unexplained for one in accounts(again)] == [0] * 24


def test_a_decided_k_is_decided_in_both_outcomes(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    desk.publish(FEB)  # the K of a list taken over decides its first period only
    desk.report(event("February", WIN, date(2018, 2, 10)))
    decide(desk.office, "k", player=1, on_list=STANDARD, day=MAR, k=40, reason="junior")
    desk.publish(MAR)
    history, _ = history_of(desk.office, STANDARD)
    found = whatif(history, always(EDITION), always(amended(EDITION, ["k_usual=10"], "standard")))
    # 40 x 0.5 whatever the usual K is; the other loses 20 x 0.5, or 10 x 0.5.
    assert {(one.player, one.was, one.would) for one in found.movers} == {(2, 1990, 1995), (1, 2020, 2020)}


def league() -> Report:
    days = (date(2009, 8, 10), date(2009, 9, 20))
    report = event("League", "1 2000 | 2w1 2b=\n2 2000 | 1b0 1w=", *days)
    rounds = tuple(replace(cells, day=day) for cells, day in zip(report.rounds, days, strict=True))
    return replace(report, rounds=rounds)


def test_a_long_event_stays_in_its_parts(desk: Desk) -> None:
    """The lists of the office's own test: 2008 and 1993 in September, 2015 and 1986 in November, by rounds (4.13)."""
    desk.list(date(2009, 7, 1), listed(1, 2000, 15), listed(2, 2000, 15))
    desk.report(event("July", WIN, date(2009, 7, 5)))
    desk.publish(date(2009, 9, 1))
    decide(desk.office, "by-round", report=desk.report(league()), reason="league")
    desk.publish(date(2009, 11, 1))
    history, _ = history_of(desk.office, STANDARD)
    assert [len(one.events) for one in history.closings] == [1, 2]
    lists = [ratings_of(one.period.standings) for one in replay(history, by_date(STANDARD))]
    assert lists == [{1: 2008, 2: 1993}, {1: 2015, 2: 1986}]


def test_what_an_officer_set_between_two_lists_is_set_in_both_outcomes(demo_office: str) -> None:
    with closing(open_office(demo_office)) as office:
        history, _ = history_of(office, ListName.RAPID)
    (act,) = [one for one in history.closings if one.acts]
    assert act.day == date(2024, 6, 1)  # the start of May was corrected
    was = by_date(ListName.RAPID)
    found = whatif(history, was, tried_editions(was, None, ["k_usual=30"], ListName.RAPID))
    assert found.moved > 0
    for editions in (was, tried_editions(was, None, ["k_usual=30"], ListName.RAPID)):
        june = next(one for one in replay(history, editions) if one.period.day == act.day)
        assert {player: june.before.get(player) for player in act.acts} == act.acts


def test_a_report_that_replaced_another_reaches_the_screen(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    first = desk.report(event("January", WIN, date(2018, 1, 10)))
    sent = desk.send(event("January", DRAW, date(2018, 1, 10)), replaces=first)
    accept(desk.office, sent.report, reason="scoresheet")
    desk.publish(FEB)
    history, _ = history_of(desk.office, STANDARD)
    (signal,) = integrity(history, [], [])
    assert (signal.screen, signal.event, signal.players) == ("differs-from-earlier", str(sent.report), (1, 2))
    assert signal.figures == {"changed": 1, "added": 0, "gone": 0}


def test_the_same_report_sent_again_with_another_header_raises_nothing(desk: Desk) -> None:
    desk.list(JAN, listed(1, 2000), listed(2, 2000))
    first = desk.report(event("January", WIN, date(2018, 1, 10)))
    sent = desk.send(event("January open", WIN, date(2018, 1, 10)), replaces=first)
    accept(desk.office, sent.report, reason="its right name")
    desk.publish(FEB)
    history, _ = history_of(desk.office, STANDARD)
    assert len(history.earlier) == 1
    assert integrity(history, [], []) == []


@pytest.mark.deep
def test_the_command_tries_a_rule_on_an_office(demo_office: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "whatif", "--db", demo_office, "--set", "floor=1600")
    assert document["base"] == "by-date"
    assert document["was"]["left"] < document["would"]["left"]
    assert document["would"]["above"]["1600"] == document["would"]["rated"]
    assert document["was"]["above"]["1400"] == document["was"]["rated"]
