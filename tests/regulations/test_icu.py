"""The ICU's system against the office's figures, and case by case."""

import csv
import json
import tomllib
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.lists.published import ListedPlayer
from arpad.lists.system_explanation import explain_players
from arpad.lists.system_list import SystemInputs, compute_system_list
from arpad.model.errors import BadInput
from arpad.model.people import Person
from arpad.regulations.icu.event import new_rating
from arpad.regulations.icu.rules import VERSION_0
from arpad.regulations.icu.state import IcuState, coefficient, years_between
from arpad.regulations.systems import edition_on, system_named
from arpad.regulations.units import Entrant, Game, Unit
from tests.paths import CASES, SHARED
from tests.regulations.system_cases import answer

EVENTS: list[dict[str, Any]] = json.loads((CASES / "icu_events.json").read_text(encoding="utf-8"))
LINES = tomllib.loads((CASES / "icu_lines.toml").read_text(encoding="utf-8"))["lines"]


@pytest.mark.parametrize(("old", "k", "_games", "score", "expected", "bonus", "new"), LINES)
def test_a_stored_line(
    old: int, k: int, _games: int, score: str, expected: str, bonus: int, new: int
) -> None:
    assert new_rating(old, (float(score) - float(expected)) * k, bonus) == new


@pytest.mark.parametrize("event", EVENTS, ids=[event["name"] for event in EVENTS])
def test_an_event_of_the_office(event: dict[str, Any]) -> None:
    rated = answer("icu", event["question"])
    within = {
        "expected": Fraction(51, 100) / 10 ** event["expected_places"],
        "performance": Fraction(event["performance_within"]) + Fraction(1, 10**9),
    }
    for name, expected in event["expect"].items():
        player = rated.players[name]
        figures: dict[str, Any] = {**player.outcome.figures, "rating": player.after.get("rating")}
        for key, value in expected.items():
            assert abs(figures[key] - Fraction(str(value))) <= within.get(key, 0), (name, key)


def test_the_shared_figures_agree_where_they_are_at_hand() -> None:
    folder = SHARED / "rules"
    if not folder.exists():
        pytest.skip("the shared rules are not here")
    with (folder / "icu-vectors.csv").open(encoding="utf-8") as lines:
        for line in csv.DictReader(lines):
            change = (float(line["score"]) - float(line["expected"])) * int(line["k"])
            assert new_rating(int(line["old"]), change, int(line["bonus"])) == int(line["new"]), line
    document = json.loads((folder / "icu-events.json").read_text(encoding="utf-8"))
    for event in document["events"]:
        names = ("rating", "games", "k")
        players = {
            str(it["number"]): {name: it[name] for name in names if name in it}
            | ({"fixed": True} if "rating" in it and not {"games", "k"} & it.keys() else {})
            for it in event["players"]
        }
        games = [[str(a), str(b), score, played] for played, a, b, score in event["results"]]
        edition = system_named("icu").editions[event["version"]].id
        rated = answer("icu", {"edition": edition, "players": players, "games": games})
        for expected in event["expect"]:
            player = rated.players[str(expected["number"])]
            figures: dict[str, Any] = {**player.outcome.figures}
            if "new_rating" in expected:
                assert player.after["rating"] == expected["new_rating"], (event["id"], expected)
            if "expected" in expected:
                within = 0.51 / 10 ** event["expected_decimals"]
                assert abs(float(figures["expected"]) - expected["expected"]) <= within, event["id"]
            for name in ("bonus", "k"):
                assert figures.get(name) == expected.get(name, figures.get(name)), (event["id"], expected)
    for case in document["k_factors"]:
        days = {name: date.fromisoformat(case[name]) for name in ("born", "joined")}
        assert coefficient(case["rating"], days, date.fromisoformat(case["start"]), VERSION_0)[0] == case["k"]
    for case in document["published"]:
        start = {1: f'{{"games":40,"rating":{case["rating"]}}}'}
        (row,) = rows_of(start, date.fromisoformat(case["list"]))
        assert row.rating == case["printed"]


def test_from_version_2_on_no_bonus_is_won_in_phase_2() -> None:
    event = next(event for event in EVENTS if event["name"] == "a bonus won in phase 2")
    rated = answer("icu", {**event["question"], "edition": "icu-2013"})
    assert rated.players["1748"].outcome.figures["bonus"] == 0


def test_a_guest_serves_opponents_and_keeps_the_rating() -> None:
    rated = answer(
        "icu",
        {
            "edition": "icu-2012",
            "players": {"1": {"rating": 1976, "k": 24}, "2": {"rating": 2423, "fixed": True}},
            "games": [["1", "2", 0, 1]],
        },
    )
    guest = rated.players["2"]
    assert guest.outcome.figures["performance"] == 1976 + 400
    assert guest.after == guest.before == {"rating": 2423, "fixed": True}
    assert rated.players["1"].after["rating"] == 1974


def test_newcomers_who_meet_only_each_other_stay_unrated() -> None:
    question = {
        "edition": "icu-2013",
        "players": {"1": {}, "2": {"rating": 900, "games": 7}, "3": {"rating": 1500, "k": 24}},
        "games": [["1", "2", 1]],
    }
    rated = answer("icu", question)
    assert [finding.facts["player"] for finding in rated.findings] == ["1", "2"]
    assert (rated.players["1"].after, rated.players["2"].after) == ({}, {"rating": 900, "games": 7})


def test_games_make_a_rating_full() -> None:
    question = {
        "edition": "icu-2013",
        "players": {"1": {"rating": 1200, "games": 19}, "2": {"rating": 1500, "fixed": True}},
        "games": [["1", "2", 0.5]],
    }
    rated = answer("icu", question)
    assert rated.players["1"].after == {"rating": 1215, "games": 20}
    assert rated.players["1"].line is not None
    assert rated.players["1"].line.text == "1215"


def test_performances_that_do_not_settle_rate_nobody() -> None:
    """Two newcomers with one valued opponent each, far apart, and very many games against each other."""
    question = {
        "edition": "icu-2013",
        "players": {"1": {}, "2": {}, "3": {"rating": 1500, "k": 24}, "4": {"rating": 2500, "k": 16}},
        "games": [["1", "2", 0.5]] * 200 + [["1", "3", 0.5], ["2", "4", 0.5]],
    }
    rated = answer("icu", question)
    assert [finding.code for finding in rated.findings] == ["icu-not-settled"]
    assert rated.players["3"].after == {"rating": 1500, "k": 24}


K_CASES = [
    (2200, "1955-11-09", "1976-09-01", "2010-07-10", (16, "rating")),
    (2000, "1975-01-10", "2005-09-01", "2010-07-10", (32, "membership")),
    (2099, "1990-07-11", "1975-01-01", "2011-07-11", (24, "others")),
    (2099, "1990-07-12", "1975-01-01", "2011-07-11", (40, "age")),
    (1500, None, None, "2011-07-11", (24, "others")),
]


@pytest.mark.parametrize(("rating", "born", "joined", "start", "expected"), K_CASES)
def test_k(rating: int, born: str | None, joined: str | None, start: str, expected: tuple[int, str]) -> None:
    days = {name: date.fromisoformat(day) for name, day in (("born", born), ("joined", joined)) if day}
    assert coefficient(rating, days, date.fromisoformat(start), VERSION_0) == expected


def test_years_are_of_the_calendar_and_366ths_of_the_days() -> None:
    assert years_between(date(1990, 12, 31), date(2011, 1, 1)) == 21 - Fraction(364, 366)


@pytest.mark.parametrize(
    ("rating", "list_day", "printed"),
    [
        (1400, date(2024, 3, 1), 1760),
        (300, date(2024, 3, 1), 1360),
        (1999, date(2024, 3, 1), 1999),
        (1400, date(2024, 2, 1), 1400),
        (1400, date(2024, 4, 1), 1760),
        (2100, date(2024, 3, 1), 2100),
        (650, date(2023, 8, 1), 700),
        (350, date(2023, 9, 1), 400),
    ],
)
def test_a_list_prints_with_its_floor_and_the_lift(rating: int, list_day: date, printed: int) -> None:
    assert [row.rating for row in rows_of({1: f'{{"games":40,"rating":{rating}}}'}, list_day)] == [printed]


def test_an_inherited_rating_is_lifted_in_print_alone() -> None:
    inherited = '{"games":40,"inherited":true,"rating":1400}'
    assert [row.rating for row in rows_of({1: inherited}, date(2024, 3, 1))] == [1760]
    start = {1: inherited, 2: '{"games":40,"rating":1400}'}
    entrants: dict[str, Entrant[Any]] = {name: Entrant(None) for name in ("1", "2")}
    day = date(2024, 3, 9)
    unit = Unit(entrants=entrants, games=(Game("1", "2", Fraction(0)),), first_day=day, last_day=day)
    inputs = inputs_of(start, date(2024, 5, 1), unit)
    result = compute_system_list(inputs)
    assert [row.rating for row in result.published.rows] == [1397, 1763], "K 24 against 360 points more"
    assert [finding.code for finding in result.findings] == ["icu-not-lifted"]
    (event,) = explain_players(inputs, [2], result.chain)[2].events
    assert event.outcome.before == IcuState(1760, 40)


def inputs_of(start: dict[int, str], day: date, *units: Unit[Any]) -> SystemInputs:
    return SystemInputs(
        on_list="ireland",
        day=day,
        number=1,
        system="icu",
        start=start,
        opened=date(2023, 7, 1),
        units=units,
        people={number: Person(number, f"Player {number}") for number in start},
    )


def rows_of(start: dict[int, str], day: date) -> tuple[ListedPlayer, ...]:
    return compute_system_list(inputs_of(start, day)).published.rows


def test_the_edition_is_that_of_the_last_day() -> None:
    ids = [
        edition_on(system_named("icu"), day).id
        for day in (date(2012, 9, 17), date(2012, 9, 18), date(2012, 12, 26), date(2026, 1, 1))
    ]
    assert ids == ["icu-2012", "icu-2012-09", "icu-2012-12", "icu-2013"]


@pytest.mark.parametrize(
    ("player", "place"),
    [
        ({"rating": 1500}, "players.1.games"),
        ({"games": 30}, "players.1.rating"),
        ({"k": 24}, "players.1.rating"),
        ({"fixed": True}, "players.1.rating"),
        ({"rating": 1500, "games": 0}, "players.1.games"),
        ({"rating": 1500, "games": -1}, "players.1.games"),
        ({"rating": 1500, "games": 3, "k": 24}, "players.1.k"),
        ({"rating": 1500, "games": 30}, "start"),
    ],
)
def test_a_state_that_cannot_be_is_refused(player: dict[str, Any], place: str) -> None:
    with pytest.raises(BadInput) as refusal:
        answer("icu", {"edition": "icu-2013", "players": {"1": player, "2": {}}, "games": [["1", "2", 1]]})
    assert refusal.value.facts["option"] == place


PLAYERS: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.fixed_dictionaries({"rating": st.integers(400, 2600), "k": st.sampled_from([16, 24, 32, 40])}),
    st.fixed_dictionaries({"rating": st.integers(400, 2600), "games": st.integers(1, 19)}),
    st.fixed_dictionaries({"rating": st.integers(400, 2600), "fixed": st.just(value=True)}),
    st.just({}),
)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_order_of_players_does_not_matter_before_a_bonus_follows(data: st.DataObject) -> None:
    """In versions 0 and 1 all players are rated from the same values; sums of doubles keep the order of games."""
    players = data.draw(st.lists(PLAYERS, min_size=2, max_size=7))
    names = [str(number) for number in range(1, len(players) + 1)]
    pair = st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True)
    pairs = data.draw(st.lists(pair, max_size=14))
    games = [[*pair, data.draw(st.sampled_from([0, "0.5", 1]))] for pair in pairs]
    edition = data.draw(st.sampled_from(["icu-2012", "icu-2012-09"]))
    by_name = dict(zip(names, players, strict=True))
    shuffled = {name: by_name[name] for name in data.draw(st.permutations(names))}
    ratings = [
        {name: player.after for name, player in answer("icu", question).players.items()}
        for question in (
            {"edition": edition, "players": by_name, "games": games},
            {"edition": edition, "players": shuffled, "games": games},
        )
    ]
    assert ratings[0] == ratings[1]
