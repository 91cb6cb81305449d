"""Reports that an officer has seen with their doubts are accepted as if they were prepared again."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arpad.model.errors import BadInput
from arpad.office.inbox import accept
from arpad.office.inbox.prepare_reports import prepare_filed
from arpad.office.inbox.results import NotAccepted
from arpad.reports.report import Report
from arpad.store import ledger
from arpad.store.bulk import head
from tests.builders.chess import event
from tests.builders.offices import Clock, Desk, listed, trf
from tests.builders.verbs import (
    Accepted,
    IncomingFiles,
    accept_many,
    register_player,
    reports_on_file,
    submit_many,
    waiting_reports,
)
from tests.builders.verbs import accept as office_accept

TABLE = """
1 2000 | 2w1 3w1
2 1900 | 1b0 4w1
3 1800 | 4b1 1b0
4 1700 | 3w0 2b0
"""
NAMES = ("Short, Nigel", "Long, Nigel")
Decided = dict[int, dict[int, int]]

DECISIONS: list[tuple[Decided, list[int]]] = [
    ({1: {1: 0}, 2: {1: 0, 2: 0}}, []),
    ({2: {1: 0}}, []),
    ({1: {1: 1}, 2: {1: 0, 2: 5}}, [1, 2]),
    ({2: {1: 0, 3: 0}, 3: {1: 0}}, [2, 3]),
]
"""What an officer decides, and the reports that are prepared again because of it."""


def played(day: int, *names: str, number: str = "") -> Report:
    """Return a report whose first entrants have these names, and no number or this one."""
    report = event(f"Open {day}", TABLE, date(2018, 1, day))
    named = (replace(one, name=name, id=number) for one, name in zip(report.entrants, names, strict=False))
    return replace(report, entrants=(*named, *report.entrants[len(names) :]))


REPORTS = (
    played(8, NAMES[0]),
    played(9, *NAMES),
    played(10, NAMES[0], number="9005"),
    played(11, "Ashes, Bill"),
    played(7, "Ashes, Bill"),
)
"""The last two have the same newcomer, which is a doubt only once the first of them is accepted."""


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[tuple[Desk, Desk]]:
    """Two equal offices with a list of five, two of whom are spelled otherwise in the reports that wait."""
    both = [_desk(tmp_path, file) for file in ("one.db", "other.db")]
    for desk in both:
        for report in REPORTS:
            desk.send(report)
    yield both[0], both[1]
    for desk in both:
        desk.office.close()


def _desk(folder: Path, file: str) -> Desk:
    desk = Desk.made(str(folder / file), folder, Clock(date(2018, 1, 1)))
    known = [listed(1, 2000, name="Short, Nigel D."), listed(5, 1900, name="Long, Nigel M.")]
    desk.list(date(2018, 1, 1), *known, *(listed(number, 2100 - 100 * number) for number in (2, 3, 4)))
    desk.on(date(2018, 1, 12))
    return desk


@pytest.fixture
def fresh_desks(tmp_path: Path) -> Iterator[tuple[Desk, Desk]]:
    """Two equal offices with the same list, and no reports yet."""
    both = [_desk(tmp_path, file) for file in ("fresh.db", "other-fresh.db")]
    yield both[0], both[1]
    for desk in both:
        desk.office.close()


@pytest.fixture
def prepared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The reports that are prepared for acceptance, each time that they are."""
    numbers: list[int] = []

    def noted(connection: Any, asked: Sequence[int], options: Any) -> Any:
        numbers.extend(asked)
        return prepare_filed(connection, asked, options)

    monkeypatch.setattr(accept, "prepare_filed", noted)
    return numbers


def seal(desk: Desk) -> tuple[int, str]:
    """Return the number of acts and the seal of the last one."""
    with desk.office.store.reading() as connection:
        return ledger.next_seq(connection) - 1, head(connection)


@pytest.mark.parametrize(("decided", "again"), DECISIONS)
def test_seen_reports_are_accepted_as_if_they_were_prepared_again(
    desks: tuple[Desk, Desk], prepared: list[int], decided: Decided, again: list[int]
) -> None:
    one, other = desks
    expected = list(accept_many(one.office, matches=decided))
    waiting = waiting_reports(other.office)
    assert {number: len(doubts) for number, doubts in waiting.doubts.items()} == {1: 1, 2: 2, 3: 1}
    prepared.clear()

    results = list(accept_many(other.office, matches=decided, waiting=waiting))

    assert prepared == again
    assert list(map(_told, results)) == list(map(_told, expected))
    assert results[-1].report == len(REPORTS)
    assert isinstance(results[-1], NotAccepted)
    assert seal(other) == seal(one)


def _told(result: Any) -> Any:
    return (result.report, result.codes) if isinstance(result, NotAccepted) else result


@pytest.mark.parametrize("act", [True, False])
def test_after_an_act_or_a_day_they_are_prepared_again(
    desks: tuple[Desk, Desk], prepared: list[int], *, act: bool
) -> None:
    desk, _ = desks
    waiting = waiting_reports(desk.office)
    if act:
        register_player(desk.office, "Ashes, Bill")
    else:
        desk.on(date(2018, 1, 13))
    prepared.clear()

    results = list(accept_many(desk.office, matches={1: {1: 0}}, waiting=waiting))

    assert prepared == [1, 2, 3, 4, 5]
    assert [isinstance(result, NotAccepted) for result in results] == [False, True, True, act, True]


@pytest.mark.parametrize("seen", [True, False])
def test_an_alias_is_known_to_the_reports_that_are_accepted_with_it(
    desks: tuple[Desk, Desk], *, seen: bool
) -> None:
    one, other = desks
    office_accept(one.office, 1, matches={1: 1})
    for report in (2, 4):
        office_accept(one.office, report, matches={2: 0} if report == 2 else {})
    waiting = waiting_reports(other.office) if seen else None

    results = list(accept_many(other.office, matches={1: {1: 1}, 2: {2: 0}}, waiting=waiting))

    assert [result.report for result in results if isinstance(result, Accepted)] == [1, 2, 4]
    assert seal(other) == seal(one)


# ----------------------------------------------------------------------------------- asking when they are submitted


def _submit(desk: Desk, folder: Path, ask: Any) -> list[Any]:
    """Submit the reports as files, in their order."""
    folder.mkdir(exist_ok=True)
    for number, report in enumerate(REPORTS):
        (folder / f"{number}.trf").write_bytes(trf(report))
    with IncomingFiles([folder]) as files:
        return list(submit_many(desk.office, files, accept=True, ask=ask))


@pytest.mark.parametrize(("decided", "again"), [*DECISIONS, ({}, [])])
def test_doubts_decided_while_submitting_are_those_decided_afterwards(
    fresh_desks: tuple[Desk, Desk], tmp_path: Path, prepared: list[int], decided: Decided, again: list[int]
) -> None:
    one, other = fresh_desks
    _submit(one, tmp_path / "reports", None)
    waiting = waiting_reports(one.office)
    asked: list[Any] = []

    def ask(doubts: Any) -> Decided:
        asked.append(doubts)
        prepared.clear()
        return decided

    results = _submit(other, tmp_path / "reports", ask)

    assert prepared == again
    assert asked == [waiting.doubts]
    assert waiting.doubts.keys() == {1, 2, 3, 5}
    accepted = list(accept_many(one.office, decided, matches=decided, waiting=waiting))
    by_report = {result.report: result for result in results}
    assert sorted(by_report) == [1, 2, 3, 4, 5]
    for result in accepted:
        filed = by_report[result.report]
        if isinstance(result, NotAccepted):
            assert (filed.status, bool(filed.doubts), bool(filed.errors)) == ("received", True, True)
        else:
            assert (filed.accepted, filed.status, filed.doubts, filed.errors) == (result, "accepted", (), ())
    assert seal(other) == seal(one)


def test_what_others_do_while_the_officer_is_asked_is_taken_into_account(
    fresh_desks: tuple[Desk, Desk], tmp_path: Path
) -> None:
    desk, _ = fresh_desks

    def ask(doubts: Any) -> Decided:
        register_player(desk.office, "Short, Nigel", federation="ITA")
        return {1: {1: 0}}

    results = {result.report: result for result in _submit(desk, tmp_path / "reports", ask)}

    assert results[1].accepted.newcomers
    assert results[2].doubts


def test_a_player_who_does_not_exist_is_refused_and_the_reports_stay_on_file(
    fresh_desks: tuple[Desk, Desk], tmp_path: Path
) -> None:
    desk, _ = fresh_desks

    with pytest.raises(BadInput, match="no-player"):
        _submit(desk, tmp_path / "reports", lambda _: {1: {1: 999}})

    statuses = [filed.status for filed in reports_on_file(desk.office)]
    assert statuses.count("received") == 4
