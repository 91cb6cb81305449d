"""Glicko and Glicko-2 against the papers' examples and figures computed apart from Arpad."""

import tomllib
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.model.errors import BadInput
from arpad.model.real_numbers import fifty_digits
from arpad.regulations.glicko2.formulas import growth_constant, widened, winning_chance
from tests.paths import CASES
from tests.regulations.system_cases import answer

CASE_LIST: list[dict[str, Any]] = tomllib.loads((CASES / "glicko.toml").read_text(encoding="utf-8"))["case"]


def is_near(printed: str, value: Any, within: float) -> bool:
    """Return whether a value agrees with a printed one to half a unit of its last place, or so many units."""
    places = len(printed.partition(".")[2])
    return bool(abs(Fraction(printed) - value) <= Fraction(str(max(within, 0.5))) / 10**places)


@pytest.mark.parametrize("case", CASE_LIST, ids=[case["name"] for case in CASE_LIST])
def test_a_case(case: dict[str, Any]) -> None:
    opponents = {
        f"o{number}": {"rating": rating, "rd": rd, "fixed": True}
        for number, (rating, rd, _) in enumerate(case["opponents"])
    }
    question = {
        "edition": case["edition"],
        "players": {"me": case["player"], **opponents},
        "games": [
            ["me", name, score] for name, (_, _, score) in zip(opponents, case["opponents"], strict=True)
        ],
        "facts": case.get("facts", {}),
    }
    player, within = answer("glicko2", question).players["me"], case.get("within", 0)
    values = {**player.outcome.figures, **player.after}
    for name, printed in case["expect"].items():
        if name in {"g", "e"}:
            games = player.outcome.passes[-1].games
            figures = [game.figures["g"] if name == "g" else game.expected for game in games]
            assert all(is_near(one, figure, within) for one, figure in zip(printed, figures, strict=False)), (
                name
            )
        else:
            assert is_near(printed, values[name], within), name


MONTHS: dict[str, Any] = {
    "edition": "glicko-2",
    "players": {
        "a": {"rating": 1720, "rd": 70, "volatility": "0.06"},
        "b": {"rating": 1650, "rd": 90, "volatility": "0.06"},
        "c": {"rating": 1580, "rd": 60, "volatility": "0.059"},
        "d": {},
        "e": {},
    },
    "periods": [
        [["a", "b", 1], ["b", "c", 0.5], ["a", "c", 0]],
        [["a", "d", 1], ["b", "d", 0.5]],
        [["d", "e", 1], ["a", "e", 0.5], ["d", "a", 0]],
    ],
    "facts": {"tau": "0.5"},
}


@pytest.mark.parametrize(
    ("months", "expected"),
    [
        (1, {"a": ("1712.2691", "68.3752"), "b": ("1629.4577", "85.4018"), "c": ("1595.4569", "59.3318")}),
        (2, {"c": ("1595.4569", "60.2107"), "d": ("1483.0144", "220.3111")}),
        (3, {"b": ("1626.0635", "85.5830"), "d": ("1510.2352", "184.0449"), "e": ("1452.3464", "227.8462")}),
    ],
)
def test_months_follow_each_other(months: int, expected: dict[str, tuple[str, str]]) -> None:
    rated = answer("glicko2", {**MONTHS, "periods": MONTHS["periods"][:months]})
    for name, (rating, deviation) in expected.items():
        assert is_near(rating, rated.players[name].after["rating"], 0)
        assert is_near(deviation, rated.players[name].after["rd"], 0)
    newcomer = rated.players["e"]
    assert (newcomer.after != {}) == (months == 3)
    assert newcomer.change is None


def test_who_rests_grows_each_period() -> None:
    question = {
        "edition": "glicko-2",
        "players": {"a": {"rating": 1834, "rd": 60, "volatility": "0.06"}},
        "periods": [[]] * 24,
        "facts": {"high": 350},
    }
    player = answer("glicko2", question).players["a"]
    assert is_near("78.7869", player.after["rd"], 0)
    assert player.line is not None
    assert (player.line.figure, player.line.text) == (1834, "1834 ± 79")


def test_who_rests_keeps_the_volatility_of_newcomers() -> None:
    question = {"edition": "glicko-2", "players": {"a": {"rating": 1500, "rd": 200}}, "games": []}
    after = answer("glicko2", question).players["a"].after
    assert (after["volatility"], round(float(after["rd"]), 4)) == (Fraction("0.06"), 200.2714)


def test_growth_ends_at_the_highest_deviation_also_from_above_it() -> None:
    players = {"a": {"rating": 1500, "rd": 400, "periods": 1}}
    answered = answer("glicko2", {"edition": "glicko-1", "players": players, "games": []})
    assert answered.players["a"].after["rd"] == 350


def test_a_deviation_grows_before_the_period_in_glicko() -> None:
    player = {"rating": 1500, "rd": 50, "periods": 3}
    question = {
        "edition": "glicko-1",
        "players": {"a": player, "b": {"rating": 1500, "rd": 50}},
        "games": [["a", "b", 1]],
        "facts": {"c": "63.2"},
    }
    rated = answer("glicko2", question)
    grown = rated.players["a"].outcome.passes[0].steps[0].facts["deviation"]
    assert is_near("120.3", grown, 0)
    assert rated.players["a"].after["periods"] == 1
    assert rated.players["b"].outcome.passes[-1].games[0].figures["rd"] == grown


LICHESS = [
    # the tests of its own program, with its tolerances
    ({}, {}, 1, {"rating": "1741", "rd": "396", "volatility": "0.0899983"}),
    ({"rating": 1200, "rd": 60, "volatility": "0.053"}, {"rating": 1850, "rd": 200, "volatility": "0.062"}, 1,
     {"rating": "1216.7", "rd": "59.9", "volatility": "0.053013"}),
    # its limits: a rating of 400, a change of 700, a volatility of 0.1
    ({"rating": 401, "rd": 500}, {"rating": 400, "rd": 45}, 0, {"rating": "400"}),
    ({"rating": 1500, "rd": 500}, {"rating": 3500, "rd": 45}, 1, {"rating": "2200"}),
    ({"rating": 1500, "rd": 45, "volatility": "0.2"}, {"rating": 1500, "rd": 45}, 1, {"volatility": "0.1"}),
]  # fmt: skip


@pytest.mark.parametrize(("player", "opponent", "score", "after"), LICHESS)
def test_lichess_has_limits_of_its_own(
    player: dict[str, Any], opponent: dict[str, Any], score: int, after: dict[str, str]
) -> None:
    players, facts = {"a": player, "b": opponent}, {"periods": 0}
    rated = answer(
        "glicko2",
        {"edition": "glicko-2-lichess", "players": players, "games": [["a", "b", score]], "facts": facts},
    )
    for name, printed in after.items():
        assert is_near(printed, rated.players["a"].after[name], 1), name


def test_a_list_sets_its_limits_as_facts() -> None:
    players = {"a": {"rating": 120, "rd": 300, "volatility": "0.09"}, "b": {"rating": 110, "rd": 60}}
    question = {"players": players, "games": [["b", "a", 1]], "facts": {"floor": 100, "sigma": "0.08"}}
    after = answer("glicko2", question).players["a"].after
    assert (after["rating"], after["volatility"]) == (100, Fraction("0.08"))


def test_functions_of_the_glicko_paper() -> None:
    with fifty_digits():
        assert is_near("63.2", Fraction(growth_constant(Decimal(50), Decimal(350), 30)), 0)
        assert is_near("80.5868", Fraction(widened(Decimal(50), Decimal("63.2"), 1, Decimal(350))), 0)
        assert widened(Decimal(200), Decimal("63.2"), 30, Decimal(350)) == 350
        assert is_near(
            "0.376", Fraction(winning_chance(Decimal(1400), Decimal(80), Decimal(1500), Decimal(150))), 0
        )


@pytest.mark.parametrize(
    ("player", "facts", "place"),
    [
        ({"rating": 1500, "rd": 0}, {}, "players.a.rd"),
        ({"rating": 1500, "rd": -1}, {}, "players.a.rd"),
        ({"rating": 1500}, {}, "players.a.rd"),
        ({"rd": 200}, {}, "players.a.rating"),
        ({"volatility": "0.06"}, {}, "players.a.rating"),
        ({"fixed": True}, {}, "players.a.rating"),
        ({"rating": 1500, "rd": 200, "volatility": 0}, {}, "players.a.volatility"),
        ({"rating": 1500, "rd": 200, "games": 3}, {}, "players.a"),
        ({"rating": 1500, "rd": 200}, {"tau": 0}, "facts.tau"),
        ({"rating": 1500, "rd": 200}, {"low": 50, "high": 40}, "facts.low"),
        ({"rating": 1500, "rd": 200}, {"tau": "x"}, "facts.tau"),
    ],
)
def test_a_state_that_cannot_be_is_refused(player: dict[str, Any], facts: dict[str, Any], place: str) -> None:
    question = {
        "edition": "glicko-2",
        "players": {"a": player, "b": {}},
        "games": [["a", "b", 1]],
        "facts": facts,
    }
    with pytest.raises(BadInput) as refusal:
        answer("glicko2", question)
    assert refusal.value.facts["option"] == place


PLAYERS: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.fixed_dictionaries(
        {"rating": st.integers(400, 2600), "rd": st.integers(30, 350), "volatility": st.just("0.06")},
        optional={"fixed": st.booleans()},
    ),
    st.just({}),
)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_neither_the_order_of_players_nor_that_of_games_matters(data: st.DataObject) -> None:
    players = data.draw(st.lists(PLAYERS, min_size=2, max_size=6))
    by_name = {str(number): player for number, player in enumerate(players)}
    pair = st.lists(st.sampled_from([*by_name]), min_size=2, max_size=2, unique=True)
    pairs = data.draw(st.lists(pair, max_size=10))
    games = [[*pair, data.draw(st.sampled_from([0, "0.5", 1]))] for pair in pairs]
    edition = data.draw(st.sampled_from(["glicko-1", "glicko-2"]))
    turned = {name: by_name[name] for name in data.draw(st.permutations([*by_name]))}
    first = answer("glicko2", {"edition": edition, "players": by_name, "games": games}).players
    second = answer(
        "glicko2", {"edition": edition, "players": turned, "games": data.draw(st.permutations(games))}
    ).players
    for name, player in first.items():
        other = second[name]
        assert player.after.keys() == other.after.keys()
        for field, value in player.after.items():
            assert abs(value - other.after[field]) < Fraction(1, 10**20), (
                "decimals differ in their last places"
            )
        assert (player.line and player.line.text) == (other.line and other.line.text)
