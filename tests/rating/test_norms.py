"""The worked cases of the title regulations: each game choice, requirement and figure as the case says."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from arpad.model.exact import points
from arpad.model.rules import ListName
from arpad.rating.norms import Norm, find_norm
from arpad.regulations.all_editions import TITLE_EDITIONS
from arpad.regulations.editions import named, provisions
from arpad.regulations.fide.titles.awards import HeldNorm, application, titles_by_rating
from arpad.regulations.fide.titles.field import Participant, is_strong_field
from arpad.regulations.fide.titles.games import NormCell, federation_of, norm_record
from arpad.regulations.fide.titles.performance import average, score_needed
from arpad.regulations.fide.titles.requirements import Candidate, NormEvent
from arpad.regulations.fide.titles.rules import NormTitle, TitleRules
from tests.commands import run_json
from tests.paths import CASES

Case = dict[str, Any]
NORMS: list[Case] = tomllib.loads((CASES / "norms.toml").read_text(encoding="utf-8"))["case"]
TITLES: list[Case] = tomllib.loads((CASES / "norms_titles.toml").read_text(encoding="utf-8"))["case"]
WRITTEN = re.compile(
    r"(?:(?P<times>\d+) x )?(?:(?P<title>[A-Z]+) )?(?P<rating>\d{4}|unrated) "
    r"(?P<federation>[A-Z]{3})(?:/(?P<origin>[A-Z]{3}))?(?P<zero> zero)? (?P<result>[-1=0+])"
)


def rules_of(case: Case) -> TitleRules:
    return named(case["edition"], TITLE_EDITIONS).on(ListName.STANDARD)


def cells(case: Case) -> Iterator[NormCell]:
    """Yield the rounds of a case."""
    number = 0
    for text in case["games"]:
        if len(text) == 1:
            number += 1
            yield NormCell(number, text)
            continue
        written = WRITTEN.fullmatch(text)
        assert written, text
        for _ in range(int(written["times"] or 1)):
            number += 1
            same = case["given"].get("same", case["given"]["rounds"])
            rating = None if written["rating"] == "unrated" else int(written["rating"])
            yield NormCell(
                number, written["result"], written["title"] or "", rating, written["federation"],
                written["origin"] or "", f"id {(number - 1) % same}", bool(written["zero"]),
            )  # fmt: skip


def field_of(case: Case) -> list[Participant]:
    """Return the field of a case: thirty GM of the host, and the foreign players."""
    given, rounds = case["field"], case["given"]["rounds"]
    federations, everywhere = given["federations"].split(), frozenset(range(1, rounds + 1))
    host = [Participant("GM", 2480, case["given"]["host"], everywhere)] * 30
    return host + [
        Participant(
            "IM" if number <= given["titled"] else "FM",
            2300,
            federations[(number - 1) % len(federations)],
            everywhere - set(given.get("missed", {}).get(str(number), [])),
        )
        for number in range(1, given["foreign"] + 1)
    ]


def answer(case: Case) -> Norm:
    given, edition = case["given"], named(case["edition"], TITLE_EDITIONS)
    rules = edition.on(ListName.STANDARD)
    strong = "field" in case and is_strong_field(field_of(case), given["rounds"], given["host"], rules)
    event = NormEvent(given["system"], given["rounds"], given.get("kind", ""), given["host"], strong)
    sex = "w" if given.get("sex") else "m"
    player = Candidate(federation_of(given["federation"], "", edition.effective, rules), sex)
    record = norm_record(player, event, cells(case), rules, edition.effective)
    return find_norm(record, NormTitle(given["title"]), edition)


def shown(norm: Norm) -> Case:
    return {
        "norm": norm.norm,
        "used": len(norm.games),
        "games": norm.counted,
        "score": points(norm.score),
        "average": norm.average,
        "performance": norm.performance,
        "raised": norm.raised,
        "required": None if norm.needed is None else points(norm.needed),
        "dropped": list(norm.dropped),
        "failed": [item.name for item in norm.failed],
        "exempt": norm.exempt.article[-1] if norm.exempt else "none",
        "basis": norm.basis.article if norm.basis else "games",
    }


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
