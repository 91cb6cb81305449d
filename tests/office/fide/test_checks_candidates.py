"""Entrants without a FIDE ID are looked for in the reference list; a strong one is never silently new."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arpad.model.errors import BadInput
from arpad.office.fide.reference import add_reference
from arpad.office.inbox.accept import accept_many, waiting_reports
from arpad.office.inbox.entrant_decisions import FideNumber, parse_choice
from arpad.office.inbox.match_players import Match
from arpad.office.register.acts import known_player
from arpad.reports.entrant_match import Candidate
from arpad.reports.report import Report
from tests.builders.chess import event
from tests.builders.offices import Clock, Desk, listed, trf
from tests.builders.reference import row, write_reference
from tests.builders.verbs import (
    accept,
    change_settings,
    decide_entrants,
    match_report,
    register_player,
    submit,
    verify,
)
from tests.commands import run

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)
LISTED = (
    row(404454, "Williams, Simon K", "ENG", "M", "GM", 2396, born="1979"),
    row(404455, "Williams, Peter", "ENG", "M", "", 1900, born="1970"),
    row(404456, "Williams, Simon", "USA", "M", "", 1500, born="1999"),
    row(600001, "Kosten, Anthony C", "ENG", "M", "GM", 2510, born="1958"),
    row(700001, "Ferri, Luca", "ITA", "M", "", 1750, born="2001"),
    row(700002, "Ferri, Luca", "FRA", "M", "", 1300, born="1950"),
    row(700003, "Conti, Anna", "ITA", "F", "", 1600, born="1990"),
    row(700004, "Moretti, Paolo", "SUI", "M", "", 1705, born="1980"),
)
TABLE = """
1 2000 | 2w=
2 2000 | 1b=
3 2000 | 4w=
4 2000 | 3b=
"""
GUEST = {"name": "Williams, Simon", "federation": "ENG", "id": "", "born": None, "rating": 0, "title": ""}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """An office of ITA that keeps FIDE's list; players 1 to 4 are registered, and Conti with a FIDE ID."""
    made = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock())
    made.list(JAN, *(listed(number, 2000) for number in range(1, 5)))
    register_player(made.office, "Conti, A.", federation="ITA", identifiers={"fide": "700003"})
    change_settings(made.office, set_={"owned_standard": "home"})
    add_reference(made.office, write_reference(tmp_path, "fide.txt", *LISTED), JAN)
    made.on(date(2018, 1, 20))
    yield made
    made.office.close()


def report_with(event_name: str = "Open", day: int = 10, /, **changes: Any) -> Report:
    """Return a report whose first entrant is changed."""
    made = event(event_name, TABLE, date(2018, 1, day), date(2018, 1, day))
    return replace(made, entrants=(replace(made.entrants[0], **changes), *made.entrants[1:]))


def first_match(desk: Desk, **changes: Any) -> Match:
    sent = submit(desk.office, trf(report_with(**changes)), "open.trf")
    _, checked = match_report(desk.office, sent.report)
    return checked.matches[0]


def keys(match: Match) -> list[str]:
    return [candidate.key for candidate in match.candidates]


def test_a_guest_without_a_number_is_offered_with_the_number_of_the_reference(desk: Desk) -> None:
    match = first_match(desk, **GUEST)
    assert match.undecided
    (candidate,) = match.candidates
    assert (candidate.fide, candidate.federation, candidate.rating) == ("404454", "ENG", 2396)
    assert candidate.player == 0
    assert match.finding is not None
    assert "FIDE 404454 Williams, Simon K (GM, ENG, 1979, 2396)" in str(match.finding.facts["candidates"])


@pytest.mark.parametrize(
    ("changes", "offered"),
    [
        ({"name": "Ferri, Luca", "federation": "ITA"}, ["fide:700001"]),
        ({"name": "Ferri, Luca", "federation": ""}, ["fide:700001"]),  # unknown: ours, if FIDE says so too
        ({"name": "Ferri, Luca", "federation": "MIL"}, ["fide:700001"]),  # a club says nothing
        ({"name": "Ferri, Luca", "federation": "GER"}, []),  # a name alone is no reason to ask
        ({"name": "Ferri, Luca", "federation": "GER", "born": 1950}, ["fide:700002"]),
        ({"name": "Moretti, Paolo", "federation": "", "rating": 1700}, ["fide:700004"]),
        ({"name": "Moretti, Paolo", "federation": "ITA", "rating": 1700}, []),
        ({"name": "Kosten, Tony", "federation": "ENG", "title": "GM"}, ["fide:600001"]),
        ({"name": "Kosten, Tony", "federation": "ENG"}, []),
        ({"name": "Kosten, A"}, ["fide:600001"]),  # an initial
        ({"name": "Kosten, B"}, []),
        ({"name": "Nobody, Known", "federation": "ENG"}, []),
    ],
)
def test_something_besides_the_name_has_to_agree(
    desk: Desk, changes: dict[str, Any], offered: list[str]
) -> None:
    match = first_match(desk, **{**GUEST, **changes})
    assert keys(match) == offered
    assert match.undecided == bool(offered)


def test_who_is_in_the_register_is_not_offered_twice(desk: Desk) -> None:
    match = first_match(desk, **{**GUEST, "name": "Conti, Anna", "federation": "ITA"})
    assert "fide:700003" not in keys(match)


@pytest.mark.parametrize("changes", [{"title": "FM"}, {"rating": 2200}, {"title": "WIM", "rating": 2050}])
def test_a_strong_entrant_is_never_silently_new(desk: Desk, changes: dict[str, Any]) -> None:
    match = first_match(desk, **{**GUEST, "name": "Nobody, Known", **changes})
    assert (match.undecided, match.candidates) == (True, ())
    assert match.finding is not None
    assert match.finding.code == "match-strong-new"
    with pytest.raises(BadInput, match="match-strong-new"):
        accept(desk.office, 1)
    with pytest.raises(BadInput):
        accept(desk.office, 1, overrule=["match-strong-new"], reason="x")
    assert accept(desk.office, 1, matches={1: 0}).newcomers


def test_without_a_reference_list_only_an_entrant_without_any_number_is_asked_for(tmp_path: Path) -> None:
    desk = Desk.made(str(tmp_path / "office.db"), tmp_path, Clock())
    desk.list(JAN, *(listed(number, 2000) for number in range(1, 5)))
    desk.on(date(2018, 1, 20))
    assert first_match(desk, **{**GUEST, "title": "GM"}).undecided
    assert not first_match(desk, name="Strong, New", id="77777", title="GM", rating=2500).undecided
    desk.office.close()


def test_choosing_enters_the_guest_with_the_number(desk: Desk) -> None:
    sent = submit(desk.office, trf(report_with(**GUEST)), "open.trf")
    decide_entrants(desk.office, sent.report, {1: FideNumber(404454)}, reason="known guest")
    _, checked = match_report(desk.office, sent.report)
    player = checked.matches[0].player
    assert player == 6
    with desk.office.store.reading() as connection:
        person = known_player(connection, player)
    assert (person.name, person.federation, person.title, person.born) == (
        "Williams, Simon K",
        "ENG",
        "GM",
        1979,
    )
    assert person.identifier("fide") == "404454"
    assert checked.listed.entrants[0].rating == 2396
    assert checked.guests == {1}
    accepted = accept(desk.office, sent.report)
    assert (accepted.players[0], accepted.newcomers) == (player, ())
    assert verify(desk.office).intact
    # the name is remembered: the next report is certain
    again = first_match(desk, **GUEST)
    assert (again.player, again.undecided) == (player, False)


def test_a_number_that_is_in_the_register_is_that_player_and_an_unknown_one_is_refused(desk: Desk) -> None:
    sent = submit(desk.office, trf(report_with(**GUEST)), "open.trf")
    decide_entrants(desk.office, sent.report, {1: FideNumber(700003)})
    assert match_report(desk.office, sent.report)[1].matches[0].player == 5
    with pytest.raises(BadInput, match="reference-number"):
        decide_entrants(desk.office, sent.report, {2: FideNumber(999)}, change=True)
    assert match_report(desk.office, sent.report)[1].matches[1].player == 2


def test_a_choice_comes_with_acceptance_too(desk: Desk) -> None:
    sent = submit(desk.office, trf(report_with(**GUEST)), "open.trf")
    accepted = accept(desk.office, sent.report, matches={1: FideNumber(404454)})
    assert accepted.players[0] == 6
    second = submit(
        desk.office,
        trf(report_with("Other", 12, **{**GUEST, "name": "Ferri, Luca", "federation": ""})),
        "b.trf",
    )
    waiting = waiting_reports(desk.office)
    assert {number: [m.entrant.number for m in doubts] for number, doubts in waiting.doubts.items()} == {
        second.report: [1]
    }
    results = list(
        accept_many(desk.office, matches={second.report: {1: FideNumber(700001)}}, waiting=waiting)
    )
    assert [getattr(it, "players", None) for it in results] == [(7, 2, 3, 4)]
    assert verify(desk.office).intact


def test_many_reports_at_once_ask_for_the_same(desk: Desk) -> None:
    """More reports than those that are checked one by one."""
    names = [("Williams, Simon", "ENG"), ("Ferri, Luca", "ITA"), ("Nobody, Known", "ENG")] * 4
    sent = [
        submit(
            desk.office,
            trf(
                report_with(
                    f"Open {i}", 1 + i, **{**GUEST, "name": name, "federation": federation, "born": None}
                )
            ),
            f"{i}.trf",
        )
        for i, (name, federation) in enumerate(names)
    ]
    assert len(sent) > 8
    doubts = waiting_reports(desk.office).doubts
    assert {n: keys(of_report[0]) for n, of_report in doubts.items()} == {
        it.report: ["fide:404454" if i % 3 == 0 else "fide:700001"] for i, it in enumerate(sent) if i % 3 < 2
    }


def test_a_choice_is_written_in_one_form() -> None:
    assert [parse_choice(text) for text in ("12", "new", "open", "fide:404454")] == [12, 0, -1, 404454]
    assert isinstance(parse_choice("fide:404454"), FideNumber)
    for wrong in ("fide", "fide:", "icu:12", ":12", "fide:12x", "404454:fide"):
        with pytest.raises(BadInput, match="match-form"):
            parse_choice(wrong)
    assert Candidate(0, "x", "", None, "", None, 90, (), "12").key == "fide:12"


def test_the_command_prints_a_candidate_with_the_number(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    submit(desk.office, trf(report_with(**GUEST)), "open.trf")
    _, out, _ = run(capsys, "office matches 1 --lang en --db", desk.place)
    assert "fide:404454" in " ".join(out.split())
