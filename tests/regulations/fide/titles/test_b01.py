"""Every number, article and mark of every edition of the title regulations: from the digest, not from the code."""

import re
import tomllib
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from arpad.model.errors import BadInput, NoEdition
from arpad.model.exact import points
from arpad.model.rules import ListName
from arpad.rating.arguments import any_edition
from arpad.regulations.all_editions import EVERY, TITLE_EDITIONS
from arpad.regulations.editions import digest, in_force, named, plain, provisions
from arpad.regulations.fide.titles.performance import score_needed
from arpad.regulations.fide.titles.requirements import Candidate, NormEvent, NormGame, mix
from arpad.regulations.fide.titles.rules import NormTitle
from arpad.regulations.tables import TABLE_8_1A
from tests.commands import run, run_json
from tests.paths import CASES

TEXTS: list[dict[str, Any]] = tomllib.loads((CASES / "title_regulations.toml").read_text(encoding="utf-8"))[
    "edition"
]
STANDARD = ListName.STANDARD


def as_text(value: Any) -> Any:
    if value is TABLE_8_1A:
        return "8.1a"
    shown = plain(value)
    return (
        {key: "none" if item is None else item for key, item in shown.items()}
        if isinstance(shown, dict)
        else shown
    )


def written(text: dict[str, Any]) -> dict[str, Any]:
    """What the digest says of an edition: the edition after it, with the changes."""
    place = TEXTS.index(text)
    rules = dict(written(TEXTS[place - 1])) if place else {}
    if text.get("two_levels"):
        rules = {
            name: [value, re.sub(r"^(\d+\.\d+)\.(\d+)", r"\1\2", article)]
            for name, (value, article) in rules.items()
        }
    rules |= text.get("rules", {})
    return {name: rule for name, rule in rules.items() if rule != "none"}


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: str(text["id"]))
def test_an_edition_says_what_the_digest_says(text: dict[str, Any]) -> None:
    edition = named(text["id"], TITLE_EDITIONS)
    rules = {item.field: item.rule for item in provisions(edition) if item.rule}
    assert edition.effective == text["effective"]
    place = TITLE_EDITIONS.index(edition)
    assert edition.base == (TITLE_EDITIONS[place - 1].id if place else "")
    assert {name: [as_text(rule.value), rule.article] for name, rule in rules.items()} == written(text)
    sure = text["sure"]
    marks = {name: mark for mark, names in sure.items() if mark != "rest" for name in names}
    wanted = {name: marks.get(name, sure["rest"]) for name in rules}
    assert {name: str(rule.confidence) for name, rule in rules.items()} == wanted
    assert set(marks) <= set(rules)


def test_the_editions_are_those_of_the_digest() -> None:
    assert [text["id"] for text in reversed(TEXTS)] == [edition.id for edition in TITLE_EDITIONS]
    assert len({digest(edition) for edition in EVERY}) == len(EVERY)
    assert len({edition.source for edition in EVERY}) == len(EVERY)


@pytest.mark.parametrize(
    ("day", "name"),
    [
        (date(2009, 7, 1), "titles-2009"),
        (date(2014, 6, 30), "titles-2013"),
        (date(2021, 12, 31), "titles-2017"),
        (date(2022, 12, 31), "titles-2022"),
        (date(2023, 12, 31), "titles-2023"),
        (date(2026, 11, 15), "titles-2024"),
    ],
)
def test_the_first_day_decides(day: date, name: str) -> None:
    assert in_force(TITLE_EDITIONS, STANDARD, day).id == name


def test_before_the_first_edition_is_an_error() -> None:
    with pytest.raises(NoEdition):
        in_force(TITLE_EDITIONS, STANDARD, date(2009, 6, 30))


# ------------------------------------------------------------------------------------------------- the Annex

ANNEX = {
    7: (Fraction(5, 2), "2702 2650 2600 2550 2498 2442 2380"),
    8: (Fraction(3), "2687 2643 2600 2557 2505 2459 2407 2380"),
    9: (Fraction(7, 2), "2680 2643 2600 2557 2520 2475 2434 2380"),
    10: (Fraction(7, 2), "2710 2672 2636 2600 2564 2528 2490 2451 2407 2380"),
    11: (Fraction(4), "2702 2665 2636 2600 2564 2535 2498 2467 2425 2389 2380"),
    12: (Fraction(9, 2), "2687 2657 2629 2600 2571 2543 2505 2475 2442 2407 2380"),
    13: (Fraction(5), "2687 2657 2629 2600 2571 2543 2513 2490 2459 2425 2389 2380"),
    14: (Fraction(5), "2702 2680 2650 2629 2600 2571 2550 2520 2498 2467 2442 2407 2380"),
    15: (Fraction(11, 2), "2695 2672 2650 2621 2600 2579 2550 2528 2505 2475 2451 2425 2389 2380"),
    16: (Fraction(6), "2687 2665 2643 2621 2600 2579 2557 2535 2505 2483 2459 2434 2407 2380"),
    17: (Fraction(13, 2), "2687 2665 2643 2621 2600 2579 2557 2535 2513 2490 2467 2442 2416 2398 2380"),
    18: (Fraction(13, 2), "2702 2680 2657 2643 2621 2600 2579 2557 2543 2520 2498 2475 2459 2434 2407 2380"),
    19: (Fraction(7), "2695 2680 2657 2636 2621 2600 2579 2564 2543 2520 2505 2483 2467 2442 2416 2398 2380"),
}
"""Games → the lowest printed score, and the least average from it upwards by half points, for GM."""


@pytest.mark.parametrize("title", list(NormTitle))
@pytest.mark.parametrize("games", ANNEX)
def test_the_annex(games: int, title: NormTitle) -> None:
    rules = named("titles-2024", TITLE_EDITIONS).on(STANDARD)
    lower = {"GM": 0, "IM": 150, "WGM": 200, "WIM": 350}[title]
    first, averages = ANNEX[games]
    for step, printed in enumerate(averages.split()):
        mean, score = int(printed) - lower, first + Fraction(step, 2)
        needed = score_needed(mean, games, title, rules)
        assert needed is not None
        assert points(needed) <= score
        below = score_needed(mean - 1, games, title, rules)
        assert below is None or points(below) > score


@pytest.mark.parametrize(
    ("games", "titled", "sought", "one", "own"),
    [(9, 5, 3, 6, 5), (10, 5, 4, 6, 6), (11, 6, 4, 7, 6), (12, 6, 4, 8, 7), (13, 7, 5, 8, 7), (14, 7, 5, 9, 8),
     (15, 8, 5, 10, 9), (16, 8, 6, 10, 9), (17, 9, 6, 11, 10), (18, 9, 6, 12, 10), (19, 10, 7, 12, 11)],
)  # fmt: skip
def test_the_counts_of_the_annex(games: int, titled: int, sought: int, one: int, own: int) -> None:
    rules = named("titles-2024", TITLE_EDITIONS).on(STANDARD)
    played = [NormGame(number, 2, "GM", 2500, "FRA", str(number)) for number in range(games)]
    found = mix(played, NormTitle.GM, Candidate("ITA"), NormEvent("swiss", games), rules)
    assert (found.titled_least, found.sought_least, found.one_most, found.own_most) == (
        titled,
        sought,
        one,
        own,
    )


@pytest.mark.parametrize(
    ("opponents", "titled", "one", "own"),
    [(5, 3, 3, 3), (6, 3, 4, 3), (7, 4, 4, 4), (8, 4, 5, 4), (9, 5, 6, 5)],
)
def test_the_counts_of_a_double_round_robin(opponents: int, titled: int, one: int, own: int) -> None:
    rules = named("titles-2024", TITLE_EDITIONS).on(STANDARD)
    played = [
        NormGame(number, 2, "GM", 2500, "FRA", str(number % opponents)) for number in range(2 * opponents)
    ]
    event = NormEvent("double-round-robin", 2 * opponents)
    found = mix(played, NormTitle.IM, Candidate("ITA"), event, rules)
    assert (found.titled_least, found.sought_least, found.one_most, found.own_most) == (
        titled,
        titled,
        one,
        own,
    )
    assert found.titled == opponents


# ------------------------------------------------------------------------------------------------- commands


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_title_edition_can_be_read(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    for edition in TITLE_EDITIONS:
        status, out, err = run(capsys, "editions", "show", edition.id, "--lang", language)
        assert (status, err) == (0, "")
        assert "None" not in out
        assert "2/3" in out
    shown = run_json(capsys, "editions", "diff", "titles-2023", "titles-2024")["changes"]
    changed = {item["rule"]: (item["old"], item["new"]) for item in shown}
    assert changed["unrated_as"][0] == {"value": 1000, "article": "1.4.6d", "confidence": "secondary"}
    assert changed["unrated_share"][1] is None


OWN = """
id = "club-titles"
base = "titles-2024"
effective = 2025-01-01
source = "Decision of the board"

[standard]
unrated_as = { value = 1600, article = "own 1" }
own_share = { value = "4/5", article = "own 2" }
least_average = { value = { gm = 2300, im = 2200, wgm = 2100, wim = 2000 }, article = "own 3" }
"""


def test_a_federations_own_title_edition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.toml"
    path.write_text(OWN, encoding="utf-8")
    rules = any_edition(str(path)).on(STANDARD)
    assert rules.least_average.value.of(NormTitle.GM) == 2300
    assert run(capsys, "editions", "diff", "titles-2024", str(path))[0] == 0
    games = [f"--game={number}:1:GM:2350:{'FRA' if number < 4 else 'ESP'}" for number in range(1, 10)]
    options = ("calc", "norm", "--title=GM", "--federation=ITA", "--rounds=9", *games)
    assert run_json(capsys, *options)["norm"] is False
    document = run_json(capsys, *options, "--edition", str(path))
    assert (document["edition"], document["norm"], document["average"]) == ("club-titles", True, 2350)
    path.write_text(OWN.replace("own_share", "own_part"), encoding="utf-8")
    with pytest.raises(BadInput, match="own_part"):
        any_edition(str(path))
