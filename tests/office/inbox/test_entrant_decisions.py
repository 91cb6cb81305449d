"""An officer decides who entrants are: stored with author and day, remembered as an alias, revocable."""

from dataclasses import replace
from datetime import date

import pytest

from arpad.model.errors import BadInput
from arpad.office.inbox.results import NotAccepted
from arpad.reports.entrant_match import Outcome
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import Desk, listed
from tests.builders.verbs import (
    NEW,
    UNDECIDED,
    Accepted,
    accept,
    accept_many,
    aliases_in_force,
    decide_entrants,
    erase_player,
    find_players,
    ledger,
    match_report,
    merge,
    register_player,
    registered,
    reports_on_file,
    revoke_alias_of,
    verify,
    waiting_reports,
    withdraw,
)

JAN = date(2018, 1, 1)
TABLE = """
1 2000 | 2w1 3w1
2 1900 | 1b0 4w1
3 1800 | 4b1 1b0
4 1700 | 3w0 2b0
"""


@pytest.fixture
def ready(desk: Desk) -> Desk:
    """An office with a list of four; number 1 of later reports is spelled otherwise and has no number."""
    short = listed(1, 2000, name="Short, Nigel D.", federation="ENG")
    desk.list(JAN, short, *(listed(number, 2100 - 100 * number) for number in (2, 3, 4)))
    desk.on(date(2018, 1, 12))
    return desk


def played(name: str = "Short, Nigel", day: int = 10, event_name: str = "Open", **entrant: object) -> Report:
    report = event(event_name, TABLE, date(2018, 1, day))
    first = replace(report.entrants[0], name=name, id="", federation="ENG", **entrant)  # type: ignore[arg-type]
    return replace(report, entrants=(first, *report.entrants[1:]))


def statuses(desk: Desk) -> list[str]:
    return [filed.status for filed in reports_on_file(desk.office)]


@DEEP_ON_POSTGRESQL
def test_a_near_name_is_offered_decided_and_remembered(ready: Desk) -> None:
    sent = ready.send(played())
    ((candidate,),) = [match.candidates for match in sent.doubts]
    assert (candidate.player, candidate.name, candidate.rating) == (1, "Short, Nigel D.", 2000)
    (left,) = accept_many(ready.office)
    assert isinstance(left, NotAccepted)

    decide_entrants(ready.office, sent.report, {1: 1})

    assert accept(ready.office, sent.report).players == (1, 2, 3, 4)
    (alias,) = aliases_in_force(ready.office)
    assert (alias.name, alias.source, alias.player, alias.author) == ("Short, Nigel", "ITA", 1, "T. Officer")
    assert alias.at.startswith("2018-01-12")
    later = ready.send(played(day=11, event_name="Later"))
    assert later.doubts == ()
    assert accept(ready.office, later.report).players == (1, 2, 3, 4)


def test_the_doubts_of_all_waiting_reports_are_those_of_each(ready: Desk) -> None:
    ready.report(played("Nobody, Like Him", event_name="New"))
    sent = [ready.send(played(day=day, event_name=f"Open {day}")).report for day in (8, 9, 10)]
    decide_entrants(ready.office, sent[0], {1: 1})
    revoke_alias_of(ready.office, aliases_in_force(ready.office)[0].id, reason="another")

    doubts = waiting_reports(ready.office).doubts

    one_by_one = {
        report: tuple(match for match in match_report(ready.office, report)[1].matches if match.undecided)
        for report in sent
    }
    assert [len(matches) for matches in one_by_one.values()] == [0, 1, 1]
    assert doubts == {report: matches for report, matches in one_by_one.items() if matches}


def test_a_number_goes_to_the_first_of_two_whom_an_officer_decides_to_be_new(ready: Desk) -> None:
    sent = [replace_first(played(day=day, event_name=f"Open {day}"), id="4001") for day in (10, 11)]
    reports = [ready.send(report).report for report in sent]

    results = list(accept_many(ready.office, matches={report: {1: 0} for report in reports}))

    newcomers = [result.players[0] for result in results if not isinstance(result, NotAccepted)]
    numbers = [registered(ready.office, player).identifiers for player in newcomers]
    assert numbers == [(("fide", "4001"),), ()]


def test_a_revoked_alias_makes_the_next_report_doubtful_again(ready: Desk) -> None:
    accept(ready.office, ready.send(played()).report, matches={1: 1})
    (alias,) = aliases_in_force(ready.office, "nigel")
    with pytest.raises(BadInput, match="value-missing"):
        revoke_alias_of(ready.office, alias.id, reason="")
    revoke_alias_of(ready.office, alias.id, reason="another Nigel")

    assert aliases_in_force(ready.office) == []
    assert len(ready.send(played(day=11, event_name="Later")).doubts) == 1
    with pytest.raises(BadInput, match="no-alias"):
        revoke_alias_of(ready.office, alias.id, reason="again")


def test_an_alias_of_a_merged_player_is_the_player_kept(ready: Desk) -> None:
    double = register_player(ready.office, "Nigel Short jr", federation="ENG").id
    accept(ready.office, ready.send(played(name="Shorty")).report, matches={1: double})
    withdraw(ready.office, 1, reason="a test")
    merge(ready.office, 1, double, reason="the same")

    assert [alias.player for alias in aliases_in_force(ready.office, "1")] == [1]
    later = ready.send(played(name="Shorty", day=11, event_name="Later"))
    _, checked = match_report(ready.office, later.report)
    assert (checked.matches[0].outcome, checked.matches[0].player) == (Outcome.CERTAIN, 1)


def test_two_officers_decide_the_same_entrant(ready: Desk) -> None:
    sent = ready.send(played()).report
    first, second = (replace(ready.office, author=name) for name in ("Anna", "Bruno"))
    decide_entrants(first, sent, {1: 1}, seen={1: 0})

    with pytest.raises(BadInput, match="match-decided-already") as refused:
        decide_entrants(second, sent, {1: NEW}, seen={1: 0})
    assert refused.value.facts["author"] == "Anna"
    with pytest.raises(BadInput, match="match-decided-already"):
        accept(second, sent, matches={1: NEW})
    assert statuses(ready) == ["received"]
    decide_entrants(second, sent, {1: 1})  # the same again: nothing is done
    assert [act.author for act in ledger(ready.office) if act.verb == "match"] == ["Anna"]

    decide_entrants(second, sent, {1: NEW}, change=True)
    assert len(accept(ready.office, sent).newcomers) == 1


def test_a_decision_can_be_taken_back(ready: Desk) -> None:
    sent = ready.send(played()).report
    decide_entrants(ready.office, sent, {1: 1})
    decide_entrants(ready.office, sent, {1: UNDECIDED}, change=True)

    with pytest.raises(BadInput, match="who-not-overruled"):
        accept(ready.office, sent)
    assert aliases_in_force(ready.office) == []


@pytest.mark.parametrize(
    ("matches", "code"),
    [({1: 2, 2: 2}, "match-same-player"), ({1: 99}, "no-player"), ({77: 1}, "match-nobody")],
)
def test_an_impossible_decision_is_refused_and_nothing_is_written(
    ready: Desk, matches: dict[int, int], code: str
) -> None:
    sent = ready.send(played()).report
    acts = len(ledger(ready.office))

    for decide in (decide_entrants, lambda *args: accept(*args[:2], matches=args[2])):
        with pytest.raises(BadInput, match=code):
            decide(ready.office, sent, matches)

    assert (len(ledger(ready.office)), statuses(ready)) == (acts, ["received"])


def test_two_decisions_one_after_the_other_cannot_name_one_player(ready: Desk) -> None:
    sent = ready.send(played()).report
    decide_entrants(ready.office, sent, {1: 3})

    with pytest.raises(BadInput, match="match-same-player"):
        decide_entrants(ready.office, sent, {2: 3})


def test_any_entrant_can_be_said_to_be_any_player(ready: Desk) -> None:
    """Number 2 has a number of the register and is certain; the officer knows better."""
    other = register_player(ready.office, "Quite Another").id
    report = event("Open", TABLE, date(2018, 1, 10))
    sent = ready.send(
        replace(report, entrants=(replace(report.entrants[0], name="Short, N"), *report.entrants[1:]))
    )
    assert sent.doubts == ()
    decide_entrants(ready.office, sent.report, {2: other})

    _, checked = match_report(ready.office, sent.report)
    assert [finding.code for finding in checked.findings if finding.code.startswith("match-")] == [
        "match-number-held"
    ]
    assert accept(ready.office, sent.report).players == (1, other, 3, 4)
    assert find_players(ready.office, "9002")[0].id == 2, "the number stays where it belongs"


def test_who_is_new_with_the_number_of_another_is_registered_without_it(ready: Desk) -> None:
    sent = ready.send(replace_first(played(), id="9001", name="Nobody, Known"))
    assert [match.candidates[0].player for match in sent.doubts] == [1]
    assert [finding.code for finding in sent.errors] == ["match-other-name"]

    accepted = accept(ready.office, sent.report, matches={1: NEW})

    (newcomer,) = accepted.newcomers
    assert registered(ready.office, newcomer).identifiers == ()
    assert find_players(ready.office, "9001")[0].id == 1


def replace_first(report: Report, **changes: object) -> Report:
    first = replace(report.entrants[0], **changes)  # type: ignore[arg-type]
    return replace(report, entrants=(first, *report.entrants[1:]))


def test_a_newcomer_of_one_report_is_a_doubt_in_the_next_of_the_same_batch(ready: Desk) -> None:
    """Two reports with two spellings of somebody new: the second is not accepted as another newcomer."""
    ready.send(played(name="Zuckerbrot, Fridolin", rating=None))
    ready.send(played(name="Zuckerbrodt, Fridolin", day=11, event_name="Later", rating=None))

    first, second = accept_many(ready.office)

    assert isinstance(first, Accepted)
    assert isinstance(second, NotAccepted)
    assert second.codes == ("match-ambiguous",)


def test_erasing_a_player_erases_the_name_in_decisions(ready: Desk) -> None:
    accept(ready.office, ready.send(played(name="Shorty, N. D.")).report, matches={1: 1})

    erase_player(ready.office, 1, confirm=1, reason="asked for it")

    assert [alias.name for alias in aliases_in_force(ready.office) if "Short" in alias.name] == []
    assert ready.send(played(name="Shorty, N. D.", day=11, event_name="Later")).doubts == ()
    assert verify(ready.office).intact
