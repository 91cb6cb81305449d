"""The regulations' own examples and the cross-checks, as cases that an official can read and sign."""

import json
import tomllib
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

import arpad
from arpad.model.errors import BadInput
from arpad.regulations.editions import chess_edition, provisions
from tests.commands import run_json
from tests.library.same_names import differences
from tests.paths import CASES
from tests.thinning import one_in


def cases(name: str) -> list[Any]:
    found = tomllib.loads((CASES / name).read_text(encoding="utf-8"))["case"]
    return [
        pytest.param(case, id=f"{case['edition']} {case['article']} #{number}")
        for number, case in enumerate(found)
    ]


def games_of(given: dict[str, Any]) -> list[tuple[int, str, str]]:
    games = [(game[0], game[1], game[2] if len(game) > 2 else "") for game in given["games"]]
    for times, opponent, score in given.get("repeat", []):
        games += [(opponent, score, "")] * times
    return games


def library_games(given: dict[str, Any]) -> list[tuple[int, str, int, str]]:
    return [(opponent, score, given["rating"], event) for opponent, score, event in games_of(given)]


@pytest.mark.parametrize("case", cases("change.toml"))
def test_change(case: dict[str, Any]) -> None:
    given, expected = case["given"], case["expected"]
    found = arpad.rating_change(
        given["rating"],
        library_games(given),
        k=given["k"],
        edition=case["edition"],
        list=case.get("list", "standard"),
    )
    facts = {
        "k_applied": found.k_applied,
        "rounded": found.change_rounded,
        "new_rating": found.new_rating,
        "capped": [game.capped for game in found.games],
        "rated": [game.rated for game in found.games],
        "sum": found.sum,
        "change": found.change,
        "deltas": [game.change or 0 for game in found.games],
    }
    for key, value in expected.items():
        exact = (
            Fraction(value) if isinstance(value, str)
            else [Fraction(item) for item in value] if key == "deltas"
            else value
        )  # fmt: skip
        assert facts[key] == exact, key
    assert case["article"] in articles(case["edition"])


def articles(edition: str) -> set[str]:
    """Every article that an edition cites; the heading above 8.55a to 8.55c counts with them."""
    chosen = chess_edition(edition)
    cited = {item.rule.article for item in provisions(chosen) if item.rule}
    for rules in chosen.lists.values():
        cited |= set(rules.articles.values())
    return cited | {article.rstrip("abc") for article in cited}


@pytest.mark.parametrize("case", one_in(3, cases("change.toml")))
def test_command_gives_what_the_library_gives(
    case: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    given = case["given"]
    games = [
        argument
        for opponent, score, event in games_of(given)
        for argument in ("--game", f"{opponent}:{score}:{given['rating']}:{event}")
    ]
    on_list = case.get("list", "standard")
    options = ["--edition", case["edition"], "--list", on_list, "--k", str(given["k"])]
    document = run_json(capsys, "calc", "change", "--rating", str(given["rating"]), *options, *games)
    found = arpad.rating_change(
        given["rating"], library_games(given), k=given["k"], edition=case["edition"], list=on_list
    )
    assert document["schema"] == "arpad.calc-change/1"
    assert document["edition"] == case["edition"]
    assert differences(document, found) == []
    for shown in document["games"]:
        if shown["rated"]:
            assert Fraction(shown["score"]) - Fraction(shown["expected"]) == Fraction(shown["change"])


@pytest.mark.parametrize("case", cases("entry.toml"))
def test_entry_rating(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    expected = case["expected"]
    arguments: list[str] = ["--affiliated"] if case.get("affiliated") else []
    events: list[Any] = []
    for event in case["events"]:
        ratings = [rating for rating, times in event["ratings"] for _ in range(times)]
        day = event.get("day")
        text = f"{','.join(map(str, ratings))}:{event['score']}" + (f"@{day}" if day else "")
        arguments += ["--event", text]
        events.append((ratings, event["score"], day) if day else (ratings, event["score"]))
    found = arpad.entry_rating(events, edition=case["edition"], affiliated=case.get("affiliated", False))
    document = run_json(capsys, "calc", "initial", "--edition", case["edition"], *arguments)
    facts = {
        "rating": "none" if found.rating is None else found.rating,
        "games": found.games,
        "score": found.score,
        "average": found.average,
        "reason": found.reason,
    }
    for key, value in expected.items():
        assert facts[key] == (Fraction(value) if key == "score" else value), key
    assert differences(document, found) == []


@pytest.mark.parametrize("case", cases("k.toml"))
def test_k(case: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    given = case["given"]
    edition = chess_edition(case["edition"])
    on = given.get("on", edition.effective)
    on_list = case.get("list", "standard")
    peak, born = given.get("peak", 0), given.get("born")
    found = arpad.coefficient(
        given["rating"], given["games"], peak=peak, born=born, on=on, edition=edition, list=on_list
    )
    assert found.k == case["expected"]
    options = ["--edition", edition.id, "--list", on_list, "--on", str(on), "--peak", str(peak)]
    if born:
        options += ["--born", str(born)]
    command = ("calc", "k", "--rating", str(given["rating"]), "--games", str(given["games"]))
    document = run_json(capsys, *command, *options)
    assert differences(document, found) == []
    assert case["article"] in {step["article"] for step in document["steps"]}


def test_k_with_a_rating_from_the_standard_list(capsys: pytest.CaptureFixture[str]) -> None:
    """A standard 2500 is no rapid rating: K 40 until thirty games; a rapid peak of 2400 gives 10 all the same."""
    on = date(2024, 5, 1)
    command = ("calc", "k", "--rating", "2500", "--games", "0", "--list", "rapid", "--on", str(on))
    assert run_json(capsys, *command)["k"] == 10
    assert run_json(capsys, *command, "--from-standard")["k"] == 40
    assert run_json(capsys, *command, "--from-standard", "--peak", "2400")["k"] == 10
    assert arpad.coefficient(2500, 0, on=on, list="rapid", from_standard=True).k == 40
    with pytest.raises(BadInput, match="no-standard-rating-here"):
        arpad.coefficient(2500, 0, on=on, from_standard=True)


def test_the_change_of_a_rating_from_the_standard_list(capsys: pytest.CaptureFixture[str]) -> None:
    """Case 26: 1850 beats 1900 and draws with 1800: .57 - .07 = .50, K 40: 1870."""
    games = ("--game", "1900:1", "--game", "1800:0.5")
    command = ("calc", "change", "--edition", "fide-2024", "--list", "rapid", "--rating", "1850", *games)
    found = run_json(capsys, *command, "--from-standard")
    assert (found["k"], found["change"], found["new_rating"]) == (40, "20", 1870)


def test_editions_diff_explains_why_they_differ(capsys: pytest.CaptureFixture[str]) -> None:
    document = run_json(capsys, "editions", "diff", "fide-2017", "fide-2022")
    changed = {(item["list"], item["rule"]): item for item in document["changes"]}
    scope = changed["standard", "cap_rule"]
    assert scope["old"] == {"value": "cap_every_game", "article": "8.54", "confidence": "verified"}
    assert scope["new"] == {"value": "cap_one_game_per_event", "article": "8.3.1", "confidence": "verified"}
    assert ("standard", "k_top_from") in changed, "a new article number is a difference too"
    json.dumps(document)
