"""Title norms: worked cases, and single articles that no worked case shows."""

import tomllib
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from arpad.model.exact import points
from arpad.model.rules import ListName
from arpad.rating.norms import Norm
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.editions import named, provisions
from arpad.regulations.fide.titles.awards import HeldNorm, application, titles_by_rating
from arpad.regulations.fide.titles.field import BigField, Participant, big_field
from arpad.regulations.fide.titles.performance import average, score_needed
from arpad.regulations.fide.titles.rules import NormTitle, TitleRules
from tests.builders.norm_cases import GM, IM, NORMS, WGM, WIM, Case, answer, cells, norm, shown
from tests.commands import refusal, run_json
from tests.paths import CASES

TITLES: list[Case] = tomllib.loads((CASES / "norms_titles.toml").read_text(encoding="utf-8"))["case"]


def rules_of(case: Case) -> TitleRules:
    return named(case["edition"], TITLE_EDITIONS).on(ListName.STANDARD)


def expected_value(key: str, value: Any, norm: Norm) -> Any:
    if key in ("score", "required"):
        return None if value == "none" else Fraction(value)
    if key == "exempt" and norm.exempt and value == "d":
        return norm.exempt.article[-1]  # the letter of another edition
    if key == "basis" and norm.basis:
        return norm.basis.article if norm.basis.article.replace(".", "") == value.replace(".", "") else value
    return value


@pytest.mark.parametrize("case", NORMS, ids=lambda case: str(case["name"]))
def test_norm(case: Case) -> None:
    norm = answer(case)
    found = shown(norm)
    wanted = {key: expected_value(key, value, norm) for key, value in case["expected"].items()}
    assert {key: found[key] for key in wanted} == wanted
    assert bool(norm.failed) != norm.norm


@pytest.mark.parametrize("case", [*NORMS, *TITLES], ids=lambda case: str(case["name"]))
def test_the_article_of_a_case_is_one_of_its_edition(case: Case) -> None:
    edition = named(case["edition"], TITLE_EDITIONS)
    cited = {item.rule.article for item in provisions(edition) if item.rule}
    assert case["article"] in cited | {"1.4.7"}  # 1.4.7 sets down how to round, and no value


@pytest.mark.parametrize(
    "case", [case for case in NORMS if "field" not in case], ids=lambda case: str(case["name"])
)
def test_the_command_gives_what_the_case_says(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    given = case["given"]
    options = [f"--{name}={given[name]}" for name in given if name != "same"]
    games = []
    for cell in cells(case):
        text = f"{cell.round}:{cell.result}"
        if cell.person:
            code = f"{cell.federation}/{cell.origin}".rstrip("/")
            text += f":{cell.title}:{cell.rating or ''}:{code}:{cell.person.removeprefix('id ')}"
        games += ["--game", text]
    document = run_json(capsys, "calc", "norm", "--edition", case["edition"], *options, *games)
    norm = answer(case)
    found = shown(norm)
    assert document["schema"] == "arpad.calc-norm/1"
    assert (document["edition"], document["title"]) == (case["edition"], given["title"])
    for key in ("norm", "games", "average", "performance", "raised", "dropped"):
        assert document[key] == found[key], key
    assert Fraction(document["score"]) == found["score"]
    assert document["counted"] == list(norm.rounds)
    assert document["required"] == (
        None if norm.needed is None else str(float(points(norm.needed))).removesuffix(".0")
    )
    assert [item["requirement"] for item in document["failed"]] == found["failed"]
    assert all(set(item) >= {"article", "requirement", "required", "actual"} for item in document["failed"])


@pytest.mark.parametrize("case", TITLES, ids=lambda case: str(case["name"]))
def test_scores_averages_applications_and_titles_by_rating(case: Case) -> None:
    rules, expected = rules_of(case), case["expected"]
    if table := case.get("table"):
        needed = score_needed(table["average"], table["games"], NormTitle(table["title"]), rules)
        assert needed == (None if expected == "none" else int(2 * Fraction(expected)))
    elif given := case.get("average"):
        found = average(given["ratings"], NormTitle(given["title"]), rules)
        assert (found.value, found.raised or "none") == (expected["average"], expected["raised"])
    elif given := case.get("application"):
        norm = HeldNorm(
            given["counted"], given["normal"], given["single_days"], given["special"], given["after"]
        )
        checks = application(NormTitle(given["title"]), [norm] * given["norms"], given["peak"], rules)
        assert [item.article for item in checks if not item.holds] == expected
    else:
        given = case["rating"]
        titles = titles_by_rating(given["rating"], given["games"], given["sex"], rules)
        assert (*titles, "none")[0] == expected


NEWEST = named("titles-2024", TITLE_EDITIONS)
RULES = NEWEST.on(ListName.STANDARD)
FEDERATIONS = ("FRA", "ESP", "GER")


def failed(found: Norm) -> list[str]:
    return [item.name for item in found.failed]


def against(number: int, result: str = "1", title: str = "GM", rating: int = 2500) -> list[str]:
    """Return games against players of three federations in turn."""
    return [f"{result} {title} {rating} {FEDERATIONS[index % 3]}" for index in range(number)]


@pytest.mark.parametrize(
    ("title", "others", "enough"),
    [(GM, "IM", "GM"), (IM, "FM", "IM"), (WGM, "WIM", "WGM"), (WIM, "WFM", "WIM")],
)
def test_the_titles_sought(title: NormTitle, others: str, enough: str) -> None:
    """Two of the titles sought are too few of nine, three are enough."""
    two = against(2, title=enough) + against(7, title=others)
    assert failed(norm(two, title, sex="w")) == ["sought"]
    assert norm([*against(3, title=enough), *against(6, title=others)], title, sex="w").norm
    assert failed(norm(against(9, title="CM"), title, sex="w")) == ["titled", "sought"]


def test_norms_of_women() -> None:
    assert norm(against(9), WGM, sex="w").norm
    assert failed(norm(against(9), WGM, sex="m")) == ["sex"]
    assert failed(norm(against(9), WIM, sex="")) == ["sex"]
    assert norm(against(9), IM, sex="").norm


@pytest.mark.parametrize(
    ("kind", "host", "letter"),
    [
        ("national-championship", "ITA", "a"),
        ("national-team", "ITA", "b"),
        ("zonal", "FRA", "c"),
        ("national-championship", "FRA", ""),
        ("national-team", "FRA", ""),
        ("", "ITA", ""),
    ],
)
def test_exemptions(kind: str, host: str, letter: str) -> None:
    found = norm(["1 GM 2500 ITA"] * 9, kind=kind, host=host)
    assert found.norm == bool(letter)
    assert (found.exempt.article if found.exempt else "") == (f"1.4.3{letter}" if letter else "")
    assert norm(against(9), kind=kind, host=host).exempt is None, (
        "an exemption that is not needed is not used"
    )


def test_the_complete_table_of_a_round_robin_must_allow_a_norm() -> None:
    """Without two wins five of nine have a title; of all eleven only five, and six are needed."""
    games = [*against(5), *against(4, "1", "-"), *against(2, "1", "-")]
    assert norm(games).norm
    assert failed(norm(games, system="round-robin")) == ["titled"]
    assert norm(games, system="round-robin", edition="titles-2017").norm, "not known to be a rule in 2017"


def test_the_end_of_a_round_robin_in_an_edition_that_is_not_known() -> None:
    games = [*against(6), *against(3, "="), *against(2, "0", rating=2200)]
    assert not norm(games, system="round-robin").norm
    found = norm(games, system="round-robin", edition="titles-2017")
    assert found.norm
    assert found.warnings == ("end-left-out-unknown",)


def test_an_unrated_player_without_a_point() -> None:
    games = [*against(8), "1 - 0 FRA!"]
    assert len(norm(games, IM).games) == 9
    found = norm(games, IM, system="round-robin")
    assert failed(found) == ["games"]
    assert [(item.round, item.reason) for item in found.record.uncounted] == [(9, "zero-scorer")]


def test_three_unrated_opponents() -> None:
    """At most a fifth of opponents and player may be unrated, as far as known up to 2023; from 2024 no limit."""
    games = [*against(6, rating=2700), *["1 - 0 FRA", "1 - 0 ESP", "1 - 0 GER"]]
    assert "unrated" in failed(norm(games, IM, edition="titles-2017"))
    assert "unrated" not in [item.name for item in norm(games, IM).requirements]
    unsure = next(
        item for item in norm(games, IM, edition="titles-2014").requirements if item.name == "unrated"
    )
    assert (unsure.holds, unsure.warns) == (False, True)


def test_a_long_norm_counts_as_thirteen_games() -> None:
    """Seventeen draws against 2600 need 8.5 points."""
    found = norm(against(17, "=", rating=2600))
    assert (found.norm, found.counted, len(found.games)) == (True, 13, 17)
    assert norm([*against(15, "=", rating=2600), *against(2, "1", rating=2600)]).counted == 14


def test_a_very_long_event_has_an_answer() -> None:
    """Sixty wins, a third of them over titled players: the untitled ones are left out, the lowest first."""
    games = [
        f"1 {'GM' if number % 3 == 0 else '-'} {2400 + number} {FEDERATIONS[number % 3]}"
        for number in range(60)
    ]
    games = [text.replace("FRA", "FRA" if number % 2 else "POL") for number, text in enumerate(games)]
    found = norm(games)
    assert found.norm
    assert set(found.dropped) <= {number + 1 for number in range(60) if number % 3}


def test_an_opponent_of_no_federation_does_not_count() -> None:
    found = norm([*against(8), "1 GM 2500 NON"])
    assert failed(found) == ["games"]
    assert [(item.round, item.article) for item in found.record.uncounted] == [(9, "1.4.2a")]


def test_an_opponent_without_a_federation_counts_for_none() -> None:
    found = norm([*against(8), "1 GM 2500 FID"])
    assert found.norm
    assert found.record.notes == ("fide-flag",)


@pytest.mark.parametrize(
    ("result", "made"), [("U", True), ("F", False), ("H", False), ("Z", False), ("+", True)]
)
def test_eight_games_and_a_bye(result: str, made: bool) -> None:
    found = norm([*against(4), *against(4, "="), result])
    assert found.norm == made
    assert (found.basis.article if found.basis else "") == ("1.4.1c" if made else "")
    assert found.record.notes == (("full-bye",) if result == "F" else ())


def test_what_an_application_needs() -> None:
    good = HeldNorm(9, normal=True, single_days=9, special=True, after=True)

    def lacking(title: NormTitle, norms: list[HeldNorm], peak: int) -> list[str]:
        return [item.article for item in application(title, norms, peak, RULES) if not item.holds]

    assert lacking(GM, [good] * 3, 2500) == []
    assert lacking(GM, [good] * 2, 2499) == ["1.5.1", "1.5.3"]
    assert lacking(GM, [replace(good, single_days=2)] * 3, 2500) == ["1.1.3a"]
    assert lacking(IM, [replace(good, single_days=2)] * 3, 2400) == []
    assert lacking(IM, [replace(good, by_bye=True)] * 3, 2400) == ["1.4.1c"]
    assert lacking(IM, [replace(good, special=False, after=False)] * 3, 2400) == []
    assert titles_by_rating(2300, 30, "w", RULES) == ("FM", "CM", "WFM", "WCM")


def test_a_big_swiss() -> None:
    """Forty players averaging 2000 in every round; who misses two rounds counts in none."""
    all_rounds = frozenset({1, 2, 3})
    field = [Participant("", 2000, "ITA", all_rounds)] * 40
    assert big_field(field, 3, RULES) == BigField.ALL
    assert big_field([*field, Participant("", None, "ITA", all_rounds)], 3, RULES) == BigField.STRONGEST
    assert big_field(field[:39], 3, RULES) == BigField.NO
    once, twice = (
        Participant("", 2000, "ITA", frozenset({1, 2})),
        Participant("", 2000, "ITA", frozenset({1})),
    )
    assert big_field([*field, once], 3, RULES) == BigField.ALL
    assert big_field([*field[:39], once], 3, RULES) == BigField.NO
    assert big_field([*field[:39], twice], 3, RULES) == BigField.NO


@pytest.mark.parametrize(
    ("options", "part"),
    [
        (["--title=XX"], "XX"),
        (["--system=match"], "match"),
        (["--kind=olympiad"], "olympiad"),
        (["--federation=Italy"], "Italy"),
        (["--sex=x"], "x"),
        (["--game=1:1:QM:2500:FRA"], "QM"),
        (["--game=1:1"], "opponent"),
        (["--game=1:7:GM:2500:FRA"], "7"),
        (["--game=x:1:GM:2500:FRA"], "x"),
        (["--game=1:1:GM:2500:FRA", "--game=1:0:GM:2400:FRA"], "twice"),
        (["--rounds=2", "--game=3:1:GM:2500:FRA"], "3"),
        (["--edition=fide-2024"], "fide-2024"),
        (["--date=2005-01-01"], "2009"),
        (["--edition=titles-2024", "--date=2024-02-01"], "date"),
    ],
)
def test_bad_questions(options: list[str], part: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = {option.partition("=")[0] for option in options}
    defaults = {"--title": "GM", "--federation": "ITA", "--game": "1:1:GM:2500:FRA"}
    rest = [f"{name}={value}" for name, value in defaults.items() if name not in given]
    assert part in refusal(capsys, "calc", "norm", *rest, *options)


def test_an_opponent_without_a_federation_is_named_in_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    games = [f"--game={number}:1:GM:2500:{'FRA' if number < 4 else 'ESP'}" for number in range(1, 9)]
    document = run_json(capsys, "calc norm --title=GM --federation=ITA", *games, "--game=9:1:GM:2500:")
    assert document["norm"]
    assert "federation" in document["notes"][0]
