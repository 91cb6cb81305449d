"""Each article in each edition where it differs: one report that keeps it, one that breaks it (articles.toml)."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from arpad.checks import Case, check_event
from arpad.explain.words import LANGUAGES, load_words
from arpad.model.rules import Finding
from tests.builders.trf import all_meet, case, forfeited, loses_all, match, report, some_rounds

RULES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "articles.toml").read_text(encoding="utf-8")
)["rule"]
CASES = [
    pytest.param(rule, edition, article, id=f"{edition}-{article}-{rule['says']}")
    for rule in RULES
    for edition, article in rule["editions"].items()
]


def made_case(event: dict[str, Any], edition: str, on_list: str) -> Case:
    """The usual event with what a case changes."""
    given = dict(event)
    play, facts = given.pop("play", "swiss"), given.pop("facts", {})
    players = given.pop("players", 2 if play == "match" else 8)
    unrated, loser, saved = given.pop("unrated", 0), given.pop("loses", 0), given.pop("saved", 0)
    rounds = given.pop("rounds", 4)
    games = {
        "swiss": lambda: some_rounds(players, rounds),
        "round-robin": lambda: all_meet(players),
        "double": lambda: all_meet(players, 2),
        "match": lambda: match(rounds, given.pop("results", "")),
    }[play]()
    if loser:
        games = loses_all(games, loser, saved)
    if given.pop("forfeit", False):
        games = forfeited(games)
    ratings = [1500 + 10 * place for place in range(players - unrated)] + [0] * unrated
    if "top" in given:
        ratings[0] = given.pop("top")
    usual = {"first": date(2017, 8, 1), "last": date(2017, 8, 4), "control": "90+30"}
    return case(report(games, ratings, **(usual | given)), edition, facts, on_list)


def found(rule: dict[str, Any], which: str, edition: str) -> list[Finding]:
    findings = check_event(made_case(rule[which], edition, rule.get("list", "standard")))
    for language in LANGUAGES:
        for finding in findings:
            assert load_words(language).finding(finding)
    return [finding for finding in findings if finding.code == rule["code"]]


@pytest.mark.parametrize(("rule", "edition", "article"), CASES)
def test_an_article(rule: dict[str, Any], edition: str, article: str) -> None:
    assert found(rule, "passes", edition) == []

    broken = found(rule, "fails", edition)

    assert broken
    assert {finding.severity for finding in broken} == {rule["severity"]}
    assert {finding.article for finding in broken} == {article}


@pytest.mark.parametrize(
    ("code", "edition", "event"),
    [
        ("arbiters-not-licensed", "fide-2009", {"facts": {"licensed_arbiters": False}}),
        (
            "registered-late-for-norms",
            "fide-2009",
            {"facts": {"registered": date(2017, 7, 3), "norms": True}},
        ),
        ("arbiters-not-licensed", "fide-2024", {"facts": {"licensed_arbiters": False}}),
        ("too-long", "fide-2024", {"first": date(2025, 1, 10), "last": date(2025, 6, 10)}),  # case 46
        ("too-long", "fide-2022", {"last": date(2018, 5, 1), "facts": {"league": False}}),
        ("time-too-short", "fide-2024", {"top": 2450, "control": "60+30"}),
        ("reported-late-by-federation", "fide-2024", {"facts": {"received": date(2017, 10, 1)}}),
        (
            "fast-without-norms",
            "fide-2026",
            {"top": 2500, "control": "45+30", "facts": {"fast_approved": True, "norms": True}},
        ),
        ("too-many-games-a-day", "fide-2017", {"control": "60 min", "last": date(2017, 8, 1)}),
        ("first-event-few-rated", "fide-2017", {"unrated": 1, "rounds": 2}),
        ("round-robin-small-few-rated", "fide-2022", {"play": "round-robin", "unrated": 6}),
        ("round-robin-unplayed", "fide-2022", {"play": "round-robin", "forfeit": True}),
        ("interim-reports-unknown", "fide-2009", {"last": date(2017, 10, 31)}),
        ("received-unknown", "fide-2009", {}),
        ("ratings-of-first-day", "fide-2017", {"last": date(2017, 9, 1)}),
    ],
)
def test_a_rule_that_an_edition_does_not_have_says_nothing(
    code: str, edition: str, event: dict[str, Any]
) -> None:
    assert code not in {finding.code for finding in check_event(made_case(event, edition, "standard"))}


@pytest.mark.parametrize("on_list", ["rapid", "blitz"])
def test_rapid_and_blitz_have_no_duration_and_no_interim_reports_from_2022(on_list: str) -> None:
    for edition in ("fide-2022", "fide-2024"):
        event = {"control": "25" if on_list == "rapid" else "5 min", "last": date(2018, 5, 1)}
        codes = {finding.code for finding in check_event(made_case(event, edition, on_list))}
        assert not codes & {"too-long", "interim-reports-unknown", "long-but-allowed"}


def test_the_games_of_a_hybrid_event_may_be_the_report_itself() -> None:
    facts = {"hybrid": True, "hybrid_approved": True}
    found = made_case({"facts": facts}, "fide-2024", "standard")
    as_pgn = replace(found, report=replace(found.report, format="pgn"))
    assert "hybrid-games-unknown" in {finding.code for finding in check_event(found)}
    assert "hybrid-games-unknown" not in {finding.code for finding in check_event(as_pgn)}
