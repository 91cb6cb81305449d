"""DWZ: the published figures, events against a plain second implementation, and what must hold of every event."""

import random
import tomllib
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from arpad.explain.event_documents import event_document
from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import BadInput
from arpad.model.exact import half_up
from arpad.model.real_numbers import UNIT, normal
from arpad.rating.event_question import EventAnswer
from arpad.regulations.dwz.coefficient import change, development
from arpad.regulations.dwz.performance import (
    THOUSAND,
    difference,
    expectation,
    first_rating,
    in_thousandths,
    performance,
    probability,
    table,
)
from arpad.regulations.dwz.rules import DwzRules
from arpad.regulations.dwz.system import SYSTEM
from arpad.regulations.systems import edition_named
from arpad.regulations.units import Unit
from tests.paths import CASES, SHARED
from tests.regulations import system_cases
from tests.regulations.dwz import plain
from tests.regulations.system_cases import word_keys

CASE_LIST = tomllib.loads((CASES / "dwz.toml").read_text(encoding="utf-8"))["case"]
ENDS = {2002: "2010-05-01", 2014: "2015-05-01", 2016: "2020-05-01", 2022: "2024-05-01", 2026: "2026-09-01"}
WORDS = load_words("en")


def rules_of(name: str) -> DwzRules:
    return edition_named(SYSTEM, name).rules


def answer(**question: Any) -> EventAnswer:
    return system_cases.answer("dwz", question)


def document(**question: Any) -> dict[str, Any]:
    return event_document(answer(**question), WORDS)


# ---------------------------------------------------------------------------------------- published figures


@pytest.mark.parametrize("case", CASE_LIST, ids=lambda case: case["id"])
def test_each_published_figure(case: dict[str, Any]) -> None:
    given, rules = case["given"], rules_of(case["edition"])
    found: dict[str, Any] = {}
    if case["kind"] == "expectation":
        p = Fraction(expectation(given["rating"], given["opponent"], rules), UNIT)
        assert half_up(p * 10**6) == Fraction(case["expected"]["expected"]) * 10**6
        return
    score = Fraction(given["score"]) if "score" in given else sum(map(Fraction, given["scores"]), Fraction(0))
    games = given.get("games") or len(given["opponents"])
    if "opponents" in given:
        expected = Fraction(sum(expectation(given["rating"], o, rules) for o in given["opponents"]), UNIT)
        found["expected"] = expected
        found["performance"] = (
            performance(given["opponents"], int(2 * score), rules).value if games >= 5 else None
        )
    else:
        expected = Fraction(given["expected"])
    surplus = score - expected
    made = development(given["rating"], given.get("index"), given.get("age"), surplus, rules).value
    found["coefficient"] = Fraction(given.get("coefficient", made))
    found["rating"] = half_up(given["rating"] + change(surplus, found["coefficient"], games, rules))
    assert {name: found[name] for name in case["expected"]} == {
        name: Fraction(value) for name, value in case["expected"].items()
    }


def test_a_published_evaluation_as_an_event() -> None:
    case = CASE_LIST[0]["given"]
    opponents = {f"o{number}": {"rating": r, "fixed": True} for number, r in enumerate(case["opponents"])}
    me = {"rating": 2085, "index": 20, "born": 1990, "coefficient": 24}
    games = [["p", f"o{number}", float(score)] for number, score in enumerate(case["scores"])]
    players = document(edition="dwz-2002", end="1995-07-01", players={"p": me, **opponents}, games=games)[
        "players"
    ]
    assert players["p"]["after"] == {"rating": 2125, "index": 21, "born": 1990, "coefficient": 24}
    assert (players["p"]["line"], players["p"]["printed"], players["p"]["change"]) == ("2125-21", 2125, 40)
    assert players["p"]["figures"]["performance"] == 2279
    assert players["p"]["figures"]["expected"] == "4.8370000000"
    assert players["o0"]["after"] == {"rating": 1551, "fixed": True}


def test_the_printed_steps_of_e() -> None:
    """The table of the annex: from these ratings on E of an adult is one more."""
    steps = [841, 1107, 1258, 1368, 1457, 1532, 1597, 1655, 1708, 1756, 1801, 1842, 1881, 1917, 1952]
    rules = rules_of("dwz-2022")
    for number, rating in enumerate(steps, start=16):
        for value, expected in ((rating - 1, number - 1), (rating, number)):
            assert development(value, 20, 40, Fraction(0), rules).value == expected


def test_the_normal_distribution_and_its_table() -> None:
    places = {0: "0.5", 1: "0.501410471", 704: "0.993595138", 735: "0.995319999", 1200: "0.999988955"}
    for d, text in places.items():
        assert half_up(Fraction(probability(d) * 10**9, UNIT)) == Fraction(text) * 10**9
        assert probability(d) + probability(-d) == UNIT
    assert normal(1, 1) == 9213503964748574346706103175413046296480, "1/2 + erf(1)/2, to forty places"
    assert [in_thousandths(table(d, 735)) for d in (0, 2, 734, 735, -734, -735)] == [
        500,
        503,
        995,
        1000,
        5,
        0,
    ]
    assert [difference(p, 735) for p in (500, 501, 999, 1000, 1, 0, 264)] == [
        0,
        1,
        874,
        735,
        -874,
        -735,
        -178,
    ]


def test_the_shared_tables_agree_where_they_are_at_hand() -> None:
    folder = SHARED / "rules"
    if not folder.exists():
        pytest.skip("the shared rules are not here")
    for line in (folder / "dwz-expectation.csv").read_text(encoding="utf-8").splitlines()[1:]:
        d, thousandths, p = line.split(",")
        assert in_thousandths(table(int(d), 735)) == int(thousandths)
        assert half_up(Fraction(probability(int(d)) * 10**9, UNIT)) == Fraction(p) * 10**9
    for line in (folder / "dwz-difference.csv").read_text(encoding="utf-8").splitlines()[1:]:
        thousandths, d = line.split(",")
        assert difference(int(thousandths), 735) == int(d)


# ------------------------------------------------------------------------------------------------- whole events


def random_event(seed: int, edition: int) -> tuple[dict[str, Any], list[tuple[str, str, float]]]:
    draw = random.Random(seed)  # noqa: S311  made-up events
    players: dict[str, Any] = {}
    for number in range(draw.randint(8, 16)):
        if draw.random() < 0.25:
            players[f"p{number}"] = {}
            continue
        players[f"p{number}"] = {"rating": draw.randint(800, 2500), "index": draw.randint(1, 14)}
        if draw.random() < 0.8:
            players[f"p{number}"]["born"] = draw.randint(edition - 72, edition - 8)
    names = list(players)
    pairs = [(names[a], names[b]) for a in range(len(names)) for b in range(a) if draw.random() < 0.6]
    games = [(a, b, draw.choice((0, 0.5, 1))) for a, b in pairs]
    return players, games


@pytest.mark.parametrize("edition", ENDS)
def test_random_events_agree_with_a_plain_implementation(edition: int) -> None:
    specials = firsts = 0
    for seed in range(30):
        players, games = random_event(seed, edition)
        end = ENDS[edition]
        found = answer(edition=f"dwz-{edition}", end=end, players=players, games=games)
        wanted = plain.event(players, games, int(end[:4]), edition)
        after = {name: player.after.get("rating") for name, player in found.players.items()}
        assert after == {name: wanted.get(name) for name in players}, seed
        firsts += sum("rating" not in players[name] for name in wanted)
        specials += any(
            it.source == "dwz-special"
            for p in found.players.values()
            for part in p.outcome.passes
            for it in part.games
        )
    assert firsts > 10
    assert (specials > 2) == (edition >= 2016)


@pytest.mark.parametrize("edition", ENDS)
def test_contributions_add_up_and_the_order_does_not_matter(edition: int) -> None:
    for seed in range(100, 108):
        players, games = random_event(seed, edition)
        question = {"edition": f"dwz-{edition}", "end": ENDS[edition]}
        found = answer(**question, players=players, games=games)
        for player in found.players.values():
            if (
                not player.outcome.passes
                or player.outcome.after is None
                or player.outcome.after.rating is None
            ):
                continue
            before = player.before.get("rating", 0)
            assert before + player.outcome.passes[-1].total() == player.after["rating"]
        for language in LANGUAGES:
            words = load_words(language)
            assert [key for key in word_keys(found) if not words.has(key)] == []
            event_document(found, words)
        turned = answer(
            **question,
            players=dict(reversed(players.items())),
            games=[(b, a, 1 - score) for a, b, score in reversed(games)],
        )
        assert {name: it.after for name, it in turned.players.items()} == {
            name: it.after for name, it in found.players.items()
        }


def field(*ratings: int) -> dict[str, Any]:
    return {f"o{number}": {"rating": rating, "index": 20} for number, rating in enumerate(ratings)}


def test_rest_games_wait_and_expire() -> None:
    few = {"n": {"rest": [[1500, "0.5", "2022-05-01"], [1600, 0, "2021-01-01"]]}, **field(1500, 1600)}
    games = [["n", "o0", 1], ["n", "o1", 0]]
    after = document(edition="dwz-2022", end="2023-05-01", players=few, games=games)["players"]["n"]
    assert after["after"]["rest"] == [
        [1500, "0.5000000000", "2022-05-01"],
        [1500, 1, "2023-05-01"],
        [1600, 0, "2023-05-01"],
    ], "the game of January 2021 has expired"
    assert (after["printed"], after["line"]) == (None, "")
    third = document(
        edition="dwz-2022", end="2023-06-01", players={"n": after["after"], **field(1500, 1600)}, games=games
    )["players"]["n"]
    assert third["after"] == {"rating": third["printed"], "index": 1}
    assert third["figures"]["games"] == 5


def test_rest_games_may_be_without_a_day_and_complete_a_first_rating() -> None:
    players = {"n": {"rest": [[1500, "0.5"]] * 4}, **field(1500)}
    found = document(edition="dwz-2002", end="2005-05-01", players=players, games=[["n", "o0", 0.5]])
    assert found["players"]["n"]["line"] == "1500-1"


def test_newcomers_of_two_levels_are_solved_together() -> None:
    players = {"first": {}, "second": {}, "third": {}, **field(1500, 1500, 1500, 1500, 1500)}
    games = [["first", f"o{n}", 0.5] for n in range(5)] + [["second", f"o{n}", 0.5] for n in range(4)]
    games += [["second", "first", 0.5], *(["third", "second", 0.5] for _ in range(5))]
    after = document(edition="dwz-2022", end="2023-05-01", players=players, games=games)["players"]
    assert (after["first"]["printed"], after["second"]["printed"]) == (1500, 1500)
    assert after["second"]["steps"][0]["value"] == 2
    assert after["third"]["after"] == {}, "no third level, and nobody of selection I was met"


def test_all_wins_give_nothing_before_2026_and_a_draw_from_then_on() -> None:
    players = {"n": {}, "z": {}, **field(1500, 1500, 1500, 1500, 1500)}
    games = [["n", f"o{n}", 1] for n in range(5)] + [["z", f"o{n}", 0] for n in range(5)]
    old = document(edition="dwz-2022", end="2023-05-01", players=players, games=games)["players"]
    assert len(old["n"]["after"]["rest"]) == len(old["z"]["after"]["rest"]) == 5
    new = document(edition="dwz-2026", end="2026-07-01", players=players, games=games)["players"]
    ri = performance([1500] * 6, 11, rules_of("dwz-2026")).value
    assert new["n"]["figures"]["performance"] == ri
    assert new["n"]["printed"] == half_up(first_rating(ri, rules_of("dwz-2026")))
    assert len(new["z"]["after"]["rest"]) == 5


@pytest.mark.parametrize(
    ("ri", "old", "new"), [(100, 713, 1107), (799, 800, 1152), (1100, 1100, 1172), (2000, 2000, 2000)]
)
def test_low_first_ratings_are_raised(ri: int, old: int, new: int) -> None:
    assert half_up(first_rating(ri, rules_of("dwz-2022"))) == old
    assert half_up(first_rating(ri, rules_of("dwz-2026"))) == new


def test_a_fide_rating_enters_with_index_6_and_the_limit_of_index_1() -> None:
    players = {"f": {"fide": 1800}, **field(1800)}
    found = document(edition="dwz-2022", end="2023-05-01", players=players, games=[["f", "o0", 1]])[
        "players"
    ]["f"]
    assert found["figures"]["coefficient"] == 5
    assert found["after"] == {"rating": 1867, "index": 7}


def test_who_is_not_a_member_takes_part_and_receives_nothing() -> None:
    players = {
        "g": {"member": False},
        "r": {"rating": 1500, "index": 9, "member": False},
        **field(*[1500] * 5),
    }
    games = [["g", f"o{n}", 0.5] for n in range(5)] + [["r", "o0", 1]]
    found = document(edition="dwz-2022", end="2023-05-01", players=players, games=games)["players"]
    assert found["g"]["after"] == {"member": False}
    assert found["r"]["after"]["rating"] == 1500
    assert found["o1"]["figures"]["games"] == 1


def test_who_did_not_play_stays_as_before() -> None:
    players = {"idle": {"rating": 1500, "index": 3}, "new": {}, **field(1500, 1500)}
    found = document(edition="dwz-2022", end="2023-05-01", players=players, games=[["o0", "o1", 1]])[
        "players"
    ]
    assert found["idle"]["after"] == {"rating": 1500, "index": 3}
    assert found["new"]["after"] == {}


def test_2026_prints_at_least_1100_and_says_that_its_text_was_not_read() -> None:
    players = {"a": {"rating": 1000, "index": 12}, **field(1500)}
    found = document(edition="dwz-2026", end="2026-07-01", players=players, games=[["a", "o0", 0]])[
        "players"
    ]["a"]
    assert found["printed"] == 1100
    assert found["passes"][-1]["adjustments"][-1]["name"] == "floor"
    assert "rule-doubt" in [step["quantity"] for step in found["steps"]]


@pytest.mark.parametrize(
    ("state", "place"),
    [
        ({"rating": 1500, "index": -1}, "players.a.index"),
        ({"rating": 0}, "players.a.rating"),
        ({"rating": "good"}, "players.a.rating"),
        ({"rating": 1500.5}, "players.a.rating"),
        ({"index": 3}, "players.a.rating"),
        ({"coefficient": 30}, "players.a.rating"),
        ({"rating": 1500, "rest": [[1500, 1]]}, "players.a.rest"),
        ({"rating": 1500, "fide": 1500}, "players.a.fide"),
        ({"rest": 5}, "players.a.rest"),
        ({"rest": [[1500]]}, "players.a.rest.1"),
        ({"rest": [[1500, "0.3"]]}, "players.a.rest.1"),
        ({"rest": [[1500, 2]]}, "players.a.rest.1"),
        ({"fixed": True}, "players.a.rating"),
        ({"rating": 1500, "deviation": 3}, "players.a"),
        ({"rating": 1500, "born": "young"}, "players.a.born"),
    ],
)
def test_a_state_that_cannot_be_is_refused_with_its_place(state: dict[str, Any], place: str) -> None:
    with pytest.raises(BadInput) as refused:
        answer(edition="dwz-2022", end="2023-05-01", players={"a": state}, games=[])
    assert refused.value.facts["option"] == place
    for language in LANGUAGES:
        assert place in load_words(language).error(refused.value)


def test_the_age_needs_the_last_day() -> None:
    players = {"a": {"rating": 1500, "index": 4, "born": 2010}, **field(1500)}
    with pytest.raises(BadInput, match="end is needed"):
        answer(edition="dwz-2022", players=players, games=[["a", "o0", 1]])


def test_the_last_day_chooses_the_edition() -> None:
    for end, edition in (
        ("2014-05-29", 2002),
        ("2014-05-30", 2014),
        ("2026-06-07", 2022),
        ("2026-06-08", 2026),
    ):
        assert (
            document(start="2014-01-01", end=end, players=field(1500), games=[])["edition"]
            == f"dwz-{edition}"
        )


def test_the_chain_follows_the_last_day_and_the_code() -> None:
    def unit(first: int, last: int, code: str) -> Unit[Any]:
        return Unit(
            entrants={}, games=(), first_day=date(2024, 5, first), last_day=date(2024, 5, last), name=code
        )

    units = [unit(1, 9, "B418-A00"), unit(5, 9, "B418-000"), unit(1, 8, "B419-000")]
    assert [it.name for it in sorted(units, key=SYSTEM.order)] == ["B419-000", "B418-000", "B418-A00"]


def test_every_share_of_thousandths_has_its_difference() -> None:
    values = [difference(share, 735) for share in range(THOUSAND + 1)]
    assert values[1:-1] == sorted(values[1:-1])
    assert all(low == -high for low, high in zip(values, reversed(values), strict=True))
