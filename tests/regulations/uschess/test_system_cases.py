"""US Chess: the published figures, sections against a plain second implementation, and what holds of every section."""

import json
import random
import tomllib
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from arpad.explain.event_documents import event_document
from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import BadInput
from arpad.model.exact import decimal_text
from arpad.regulations.systems import edition_named, edition_on
from arpad.regulations.uschess.formulas import (
    Estimate,
    History,
    Result,
    absolute_floor,
    effective_games,
    peak_floor,
    special_rating,
    standard_rating,
)
from arpad.regulations.uschess.rules import UschessRules, systems_of
from arpad.regulations.uschess.state import initial_rating
from arpad.regulations.uschess.system import SYSTEM
from tests.paths import CASES
from tests.regulations import system_cases
from tests.regulations.uschess import plain

CASE_LIST = tomllib.loads((CASES / "uschess.toml").read_text(encoding="utf-8"))["case"]
EVENTS = json.loads((CASES / "uschess_events.json").read_text(encoding="utf-8"))


def rules_of(name: str) -> UschessRules:
    return edition_named(SYSTEM, name).rules


RULES = rules_of("uschess-2025")


def document(**question: Any) -> dict[str, Any]:
    return event_document(system_cases.answer("uschess", question), load_words("en"))


def four(value: Fraction) -> str:
    return decimal_text(value, places=4)


# ---------------------------------------------------------------------------------------- published figures


def special(given: dict[str, Any], rules: UschessRules) -> Estimate:
    opponents, rating = given["opponents"], Fraction(given["rating"])
    results = [Result(Fraction(o), Fraction(given["score"]) / len(opponents)) for o in opponents]
    effective = (
        Fraction(given["effective"])
        if "effective" in given
        else effective_games(rating, given["games"], rules)
    )
    return special_rating(rating, effective, results, rules, History(given.get("history", "mixed")))


def standard(given: dict[str, Any]) -> Estimate:
    rules = next(it.rules for it in SYSTEM.editions if it.rules.bonus_threshold.value == given["b"])
    opponents, rating = given["opponents"], Fraction(given["rating"])
    results = [Result(Fraction(o), Fraction(given["score"]) / len(opponents)) for o in opponents]
    return standard_rating(
        rating,
        effective_games(rating, given["games"], rules),
        results,
        rules,
        most_met=given.get("faced", 1),
        dual=given.get("dual", False),
        match=(Fraction(-50), Fraction(50)) if given.get("match") else None,
    )


def found(kind: str, given: dict[str, Any], rules: UschessRules) -> dict[str, Any]:
    """Return what the folder's functions say about a case."""
    match kind:
        case "effective":
            return {"n": four(effective_games(Fraction(given["rating"]), given["games"], rules))}
        case "special":
            return {"new": four(special(given, rules).value)}
        case "standard":
            made = standard(given)
            expected = sum((Fraction(we) for we in made.expected), Fraction(0))
            return {
                "new": four(made.value),
                "k": four(made.k or Fraction(0)),
                "expected": four(expected),
                "bonus": four(made.bonus),
            }
        case "initial":
            facts: dict[str, Any] = {name: given[name] for name in ("fide", "cfc") if name in given}
            if "birth" in given:
                facts["born"] = date.fromisoformat(given["birth"])
            end = date.fromisoformat(given.get("end", "2025-02-01"))
            initial = initial_rating(facts, end, rules)
            return {"rating": four(initial.rating), "games": initial.games}
        case "floor" if "peak" in given:
            return {"floor": peak_floor(given["peak"], rules) or "none"}
        case "floor":
            return {"floor": absolute_floor(given["wins"], given["draws"], given["events"], rules)}
        case "threshold":
            on_day = edition_on(SYSTEM, date.fromisoformat(given["end"])).rules
            return {"b": on_day.bonus_threshold.value}
        case "systems":
            return {"systems": list(systems_of(given["minutes"], given["seconds"]))}
    raise AssertionError(kind)


@pytest.mark.parametrize("case", CASE_LIST, ids=lambda case: case["id"])
def test_each_published_figure(case: dict[str, Any]) -> None:
    assert found(case["kind"], case["given"], rules_of(case["edition"])) == case["expected"]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event["id"])
def test_each_section_of_the_collection(event: dict[str, Any]) -> None:
    players = document(**event["question"])["players"]
    for name, expected in event["expected"].items():
        player = players[name]
        results = {part["name"]: Fraction(part["result"]) for part in player["passes"]}
        before = Fraction(event["question"]["players"][name].get("rating", 0))
        assert four(results.get("uschess-first", before)) == expected["first"]
        assert four(results["uschess-middle"]) == expected["middle"]
        assert four(Fraction(player["after"]["rating"])) == expected["new"]
        assert player["printed"] == expected["published"]
        assert player["after"]["games"] == expected["games"]
        assert player["after"]["peak"] == expected["peak"]
        provisional = expected["games"] <= 25
        assert player["line"] == f"{expected['published']}" + (f"/{expected['games']}" if provisional else "")


def test_thresholds_and_what_was_known_of_them() -> None:
    days = [
        (2013, 6, 8),
        (2014, 6, 10),
        (2015, 6, 12),
        (2017, 5, 14),
        (2020, 7, 14),
        (2023, 2, 12),
        (2025, 1, 10),
    ]
    for year, month, b in days:
        assert edition_on(SYSTEM, date(year, month, 1)).rules.bonus_threshold.value == b
    known = edition_on(SYSTEM, date(2023, 3, 1), known=date(2023, 10, 29))
    assert (known.id, known.rules.bonus_threshold.value) == ("uschess-2020", 14)
    assert edition_on(SYSTEM, date(2025, 2, 1), known=date(2025, 6, 2)).id == "uschess-2023"


def test_time_controls_online_and_too_short() -> None:
    assert systems_of(3, 1) == ()
    assert systems_of(5, 5) == ("blitz",)
    assert systems_of(60, 5) == ("regular", "quick")
    assert systems_of(60, 5, online=True) == ("regular",)
    assert systems_of(60, 6) == ("regular",)


# ------------------------------------------------------------------------------------------------ whole sections


def random_section(seed: int) -> tuple[dict[str, Any], list[tuple[str, str, float]]]:
    draw = random.Random(seed)  # noqa: S311  made-up sections
    players: dict[str, Any] = {}
    for number in range(draw.randint(4, 9)):
        kind = draw.choice(
            ("established", "established", "provisional", "wins", "losses", "new", "age", "fide")
        )
        rating = str(Fraction(draw.randint(12000, 240000), 100).__float__())
        state: dict[str, Any]
        match kind:
            case "new":
                state = {"initial": [draw.choice((600, 1300, 750)), 0]}
            case "age":
                state = {"born": f"{draw.randint(1990, 2018)}-05-01"}
            case "fide":
                state = {"fide": draw.randint(1400, 2400)}
            case "wins" | "losses":
                games = draw.randint(1, 30)
                state = {"rating": rating, "games": games, kind: games, "events": 1}
            case _:
                games = draw.randint(26, 300) if kind == "established" else draw.randint(2, 25)
                wins = draw.randint(1, games - 1)
                state = {"rating": rating, "games": games, "wins": wins, "losses": games - wins, "events": 4}
                if kind == "established":
                    state["peak"] = int(float(rating)) + draw.randint(0, 260)
        players[f"p{number}"] = state
    names = list(players)
    pairs = [(a, b) for a in names for b in names if a < b and draw.random() < 0.7]
    return players, [(a, b, draw.choice((0, 0.5, 1))) for a, b in pairs]


@pytest.mark.parametrize("dual", [False, True])
def test_random_sections_agree_with_a_plain_implementation(dual: bool) -> None:
    for seed in range(25):
        players, games = random_section(seed)
        facts = {"dual": dual}
        rated = document(end="2024-03-01", players=players, games=games, facts=facts)["players"]
        wanted = plain.section(players, games, date(2024, 3, 1), b=12, dual=dual)
        for name, (rating, count) in wanted.items():
            assert float(rated[name]["after"]["rating"]) == pytest.approx(rating, abs=1e-6), (seed, name)
            assert rated[name]["after"]["games"] == count


def test_the_order_of_players_and_games_does_not_matter() -> None:
    for seed in range(100, 105):
        players, games = random_section(seed)
        one = document(end="2024-03-01", players=players, games=games)["players"]
        other = document(
            end="2024-03-01",
            players=dict(reversed(players.items())),
            games=[(b, a, 1 - score) for a, b, score in reversed(games)],
        )["players"]
        assert {name: it["after"] for name, it in one.items()} == {
            name: it["after"] for name, it in other.items()
        }


A = {"rating": "1500", "games": 60, "wins": 30, "losses": 30, "events": 9, "peak": 1600}
B = {"rating": "1650", "games": 90, "wins": 40, "losses": 50, "events": 9, "peak": 1700}


def match(a: dict[str, Any], b: dict[str, Any], games: int = 6) -> dict[str, Any]:
    return document(
        end="2025-03-01", players={"a": a, "b": b}, games=[["a", "b", 1]] * games, facts={"match": True}
    )


def test_a_match_moves_at_most_fifty_points_and_has_no_bonus() -> None:
    players = match(A, B)["players"]
    assert (players["a"]["change"], players["b"]["change"]) == (50, -50)
    assert players["a"]["figures"]["bonus"] == 0
    assert players["a"]["after"]["matches"] == [["2025-03-01", 50]]


@pytest.mark.parametrize(
    ("matches", "change"),
    [
        ([["2025-02-01", 50], ["2025-01-01", 30]], 20),
        ([["2024-02-01", 50], ["2023-03-01", 50], ["2024-05-01", 70]], 30),
        ([["2019-02-01", 50], ["2019-01-01", 50]], 50),
        ([["2025-02-01", 50], ["2025-01-01", 50]], 0),
    ],
)
def test_matches_are_limited_together(matches: list[Any], change: int) -> None:
    assert match({**A, "matches": matches}, B)["players"]["a"]["change"] == change


@pytest.mark.parametrize("state", [{**A, "games": 25, "wins": 10, "losses": 15}, {**A, "rating": "1200"}])
def test_a_match_of_a_provisional_or_far_player_is_not_rated(state: dict[str, Any]) -> None:
    found = match(state, B)
    assert [it["code"] for it in found["findings"]] == ["uschess-match-unrated"]
    assert found["players"]["a"]["change"] == 0


def test_a_match_limits_the_special_formula_too() -> None:
    winner = {"rating": "1480", "games": 60, "wins": 60}
    players = match(winner, {**B, "rating": "1760", "fixed": True}, games=1)["players"]
    assert (players["a"]["change"], players["a"]["passes"][-1]["adjustments"][-1]["name"]) == (
        50,
        "uschess-limit",
    )


def test_the_walk_begins_at_the_mean_of_this_event_also_after_losses_only() -> None:
    """With all earlier games lost f is flat from 900 to 1510; the mean of section 6 lies above it."""
    players = {
        "a": {"rating": 100, "games": 2, "losses": 2},
        "b": {"rating": 1910, "fixed": True},
        "c": {"rating": 2468, "fixed": True},
    }
    found = document(end="2023-03-01", players=players, games=[["a", "b", 1], *2 * [["a", "c", 0.5]]])
    assert found["players"]["a"]["passes"][0]["result"] == 1510


def test_a_match_has_two_players() -> None:
    with pytest.raises(BadInput, match="a match has two players, not 3"):
        document(
            end="2025-03-01",
            players={"a": A, "b": B, "c": B},
            games=[["a", "b", 1], ["b", "c", 1]],
            facts={"match": True},
        )


def test_no_bonus_for_two_games_nor_for_an_opponent_met_three_times() -> None:
    low = {"rating": "1400", "games": 60, "wins": 30, "losses": 30}
    field = {f"o{n}": {"rating": "1900", "fixed": True} for n in range(4)}

    def bonus(*games: str) -> Fraction:
        question = {
            "end": "2025-03-01",
            "players": {"a": low, **field},
            "games": [["a", o, 1] for o in games],
        }
        return Fraction(document(**question)["players"]["a"]["figures"]["bonus"])

    assert bonus("o0", "o1") == 0
    assert bonus("o0", "o1", "o2") > 0
    assert bonus("o0", "o0", "o1") > 0
    assert bonus("o0", "o0", "o0", "o1") == 0


def test_what_no_text_says_is_marked_where_it_decides() -> None:
    players = document(**EVENTS[2]["question"])["players"]
    doubt, floor = players["a"]["steps"][-2:]
    assert doubt["quantity"] == "rule-doubt"
    assert "from federations, press or programs" in doubt["text"]
    assert players["a"]["passes"][-1]["adjustments"][-1]["name"] == "floor"
    assert floor["text"].startswith("floor: +")


def test_a_newcomer_who_wins_everything_is_400_above_the_best_opponent() -> None:
    field = {f"o{n}": {"rating": rating, "fixed": True} for n, rating in enumerate((1500, 1800, 1650))}
    players = {"w": {"born": "2010-01-01"}, "l": {}, **field}
    games = [[name, o, score] for name, score in (("w", 1), ("l", 0)) for o in field]
    found = document(end="2025-03-01", players=players, games=games)["players"]
    assert (found["w"]["line"], found["l"]["line"]) == ("2200/3", "1100/3")


def test_floors_of_prize_peak_and_everybody() -> None:
    field = {f"o{n}": {"rating": 1000, "fixed": True} for n in range(9)}

    def after(**state: Any) -> int:
        players = {"a": {"rating": "1810", "games": 60, "wins": 30, "losses": 30, **state}, **field}
        question = {"end": "2025-03-01", "players": players, "games": [["a", o, 0] for o in field]}
        return int(document(**question)["players"]["a"]["printed"])

    assert after(peak=1900) == 1700
    assert after(peak=1900, floor=1800) == 1800
    quick = document(
        end="2025-03-01",
        players={"a": {"rating": "1810", "games": 60, "peak": 2000}, **field},
        games=[["a", o, 0] for o in field],
        facts={"system": "quick"},
    )["players"]["a"]
    assert quick["printed"] < 1800, "the floor of the peak is of regular chess over the board"
    weak = document(
        end="2025-03-01",
        players={
            "a": {"rating": "120", "games": 10, "wins": 1, "draws": 1, "losses": 8},
            "b": {"rating": 110, "fixed": True},
        },
        games=[["a", "b", 0]] * 5,
    )["players"]["a"]
    assert weak["after"]["rating"] == 107, "100 + 4 + 2 + one event of three games"


@pytest.mark.parametrize(
    ("state", "edition", "rating", "games"),
    [
        ({"fide": 1420}, "uschess-2020", "1514.8", 5),
        ({"fide": 2000}, "uschess-2020", "2060", 5),
        ({"fide": 2001}, "uschess-2020", "2061.02", 10),
        ({"fide": 2100}, "uschess-2015", "2180", 10),
        ({"cfc": 1600}, "uschess-2025", "1510", 5),
        ({"others": [[1444, 30]]}, "uschess-2025", "1444", 10),
        ({"fide": 1420, "cfc": 1400}, "uschess-2015", "1639.2", 5),
        ({"fide": 1420, "cfc": 1400}, "uschess-2025", "1407.4", 10),
        ({"born": date(2024, 1, 1)}, "uschess-2025", "100", 0),
        ({"born": date(1980, 1, 1)}, "uschess-2025", "1300", 0),
        ({"adult": True}, "uschess-2025", "1300", 0),
        ({}, "uschess-2025", "750", 0),
    ],
)
def test_initial_ratings(state: dict[str, Any], edition: str, rating: str, games: int) -> None:
    given = (
        {**state, "others": [(Fraction(r), n) for r, n in state["others"]]} if "others" in state else state
    )
    found = initial_rating(given, date(2025, 2, 1), rules_of(edition))
    assert (found.rating, found.games) == (Fraction(rating), games)


def test_mixed_initial_ratings_say_that_the_weights_are_unknown() -> None:
    players = {"n": {"fide": 1420, "cfc": 1400}, "o": {"rating": 1500, "fixed": True}}
    found = document(end="2025-03-01", players=players, games=[["n", "o", 1]])
    assert [it["code"] for it in found["findings"]] == ["uschess-blended"]
    assert "rule-doubt" in [step["quantity"] for step in found["players"]["n"]["steps"]]


def test_who_has_no_games_stays_as_before() -> None:
    players = {"idle": A, "new": {"born": "2010-01-01"}, "a": A, "b": B}
    found = document(end="2025-03-01", players=players, games=[["a", "b", 1]])["players"]
    assert found["idle"]["after"] == found["idle"]["before"]
    assert found["new"]["after"] == {"born": "2010-01-01"}
    assert (found["new"]["printed"], found["idle"]["line"]) == (None, "1500")


@pytest.mark.parametrize(
    ("state", "place"),
    [
        ({"rating": "1500", "games": -1}, "players.a.games"),
        ({"rating": "good", "games": 1}, "players.a.rating"),
        ({"rating": "1500"}, "players.a.games"),
        ({"games": 3}, "players.a.rating"),
        ({"rating": 50, "games": 3}, "players.a.rating"),
        ({"rating": "1500", "games": 3, "wins": 2, "losses": 2}, "players.a"),
        ({"rating": "1500", "games": 3, "initial": [600, 0]}, "players.a.initial"),
        ({"initial": 600}, "players.a.initial"),
        ({"initial": [600, -1]}, "players.a.initial"),
        ({"others": [5]}, "players.a.others.1"),
        ({"rating": "1500", "games": 30, "matches": [5]}, "players.a.matches.1"),
        ({"fixed": True}, "players.a.rating"),
        ({"born": "young"}, "players.a.born"),
        ({"rating": "1500", "games": 3, "index": 3}, "players.a"),
    ],
)
def test_a_state_that_cannot_be_is_refused_with_its_place(state: dict[str, Any], place: str) -> None:
    with pytest.raises(BadInput) as refused:
        document(end="2025-03-01", players={"a": state}, games=[])
    assert refused.value.facts["option"] == place
    for language in LANGUAGES:
        assert place in load_words(language).error(refused.value)


def test_the_age_needs_the_last_day() -> None:
    with pytest.raises(BadInput, match="end is needed"):
        document(players={"a": {"born": "2010-01-01"}, "b": A}, games=[["a", "b", 1]])


def test_a_value_within_a_millionth_of_a_half_is_a_finding() -> None:
    near, nearer, half = "1500.5000004", "1500.49999999998", "1500.5"
    for rating, doubts in ((near, 1), (nearer, 1), (half, 0)):
        # two draws between equals change nothing
        players = {"a": {"rating": rating, "games": 40}, "b": {"rating": rating, "games": 40, "fixed": True}}
        found = document(end="2025-03-01", players=players, games=[["a", "b", 0.5]])
        assert [it["code"] for it in found["findings"]] == ["rounding-in-doubt"] * doubts
        assert found["players"]["a"]["printed"] == 1501
