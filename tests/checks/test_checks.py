"""The checks: each article kept and broken (articles.toml), events that are right by construction, and real files."""

import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.checks import Case, check_event, check_file
from arpad.checks import pairings as check_cells
from arpad.explain.words import LANGUAGES, load_words
from arpad.model.errors import Unreadable
from arpad.model.rules import Edition, Finding, Severity
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.formats import read_report
from arpad.reports.report import BYES, MIRROR, Report, Round
from tests.builders.trf import Game, all_meet, case, forfeited, loses_all, match, report, some_rounds
from tests.shared_data import real_file, real_files
from tests.thinning import one_in

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


BOTH = ("10", "01", "==", "+-", "-+", "--", "WL", "DD")
PLAYED = ("10", "01", "==")


@st.composite
def events(draw: st.DrawFn, results: tuple[str, ...] = BOTH) -> Report:
    """A round robin, a double one or a part of one, with results of every kind that mirror."""
    players = draw(st.integers(3, 9))
    cycles = draw(st.integers(1, 2))
    rounds = (
        all_meet(players, cycles) if draw(st.booleans()) else some_rounds(players, draw(st.integers(1, 4)))
    )
    games: list[list[Game]] = [
        [(white, black, draw(st.sampled_from(results)) if black else both) for white, black, both in row]
        for row in rounds
    ]
    ratings = draw(st.lists(st.sampled_from([0, 1450, 1700, 2250, 2720]), min_size=players, max_size=players))
    return report(games, ratings)


@given(events())
def test_a_correct_report_has_no_finding(made: Report) -> None:
    assert check_file(made) == ()


def changed(made: Report, number: int, cells: Round) -> Report:
    rounds = list(made.rounds)
    rounds[number] = cells
    return replace(made, rounds=tuple(rounds))


def put(text: str, place: int, letter: str) -> str:
    return text[:place] + letter + text[place + 1 :]


@given(events(PLAYED), st.data())
def test_one_wrong_result_is_found_in_its_cell(made: Report, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(made.rounds) - 1))
    cells = made.rounds[number]
    place = data.draw(st.sampled_from([here for here, opponent in enumerate(cells.opponents) if opponent]))
    letter = data.draw(st.sampled_from([r for r in MIRROR if r != cells.results[place]]))
    found = check_file(changed(made, number, replace(cells, results=put(cells.results, place, letter))))

    about = [f for f in found if not f.code.startswith("points")]
    assert [f.code in {"results-not-mirrored", "both-win"} for f in about] == [True]
    (only,) = about
    pair = {made.entrants[place].number, cells.opponents[place]}
    assert (only.round, {only.player, only.facts["opponent"]}) == (number + 1, pair)


@given(events(), st.data())
def test_one_colour_turned_is_found(made: Report, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(made.rounds) - 1))
    cells = made.rounds[number]
    place = data.draw(st.sampled_from([here for here, opponent in enumerate(cells.opponents) if opponent]))
    turned = "w" if cells.colours[place] == "b" else "b"
    found = check_file(changed(made, number, replace(cells, colours=put(cells.colours, place, turned))))

    assert [(f.code, f.round) for f in found] == [("colours-clash", number + 1)]


@given(events(), st.data())
def test_a_bye_with_an_opponent_is_found(made: Report, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(made.rounds) - 1))
    cells = made.rounds[number]
    place = data.draw(st.sampled_from([here for here, opponent in enumerate(cells.opponents) if opponent]))
    letter = data.draw(st.sampled_from(sorted(BYES - {"U"})))
    found = check_file(changed(made, number, replace(cells, results=put(cells.results, place, letter))))

    (about,) = [f for f in found if not f.code.startswith("points")]
    assert (about.code, about.player) == ("bye-with-opponent", made.entrants[place].number)


@given(events(), st.data())
def test_wrong_points_are_found(made: Report, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(made.entrants) - 1))
    entrants = list(made.entrants)
    right = entrants[place].half_points or 0
    entrants[place] = replace(entrants[place], half_points=right + data.draw(st.integers(1, 5)))
    found = check_file(replace(made, entrants=tuple(entrants)))

    assert [(f.code, f.player) for f in found] == [("points-not-the-sum", entrants[place].number)]


ROWS = st.lists(
    st.tuples(
        st.lists(st.integers(0, 6), min_size=4, max_size=4),
        st.text("wb- x", min_size=4, max_size=4),
        st.text("1=0+-WDLHFUZ *x", min_size=4, max_size=4),
    ),
    max_size=4,
)
NUMBERS = st.lists(st.integers(0, 5), min_size=4, max_size=4) | st.just([1, 2, 3, 4])
USUAL = report(some_rounds(4, 1), [2000, 0, 1800, 0])


def odd_report(rows: list[tuple[list[int], str, str]], numbers: list[int]) -> Report:
    entrants = tuple(replace(e, number=n) for e, n in zip(USUAL.entrants, numbers, strict=True))
    rounds = tuple(Round(tuple(opponents), colours, results) for opponents, colours, results in rows)
    return replace(USUAL, entrants=entrants, rounds=rounds)


@given(ROWS, NUMBERS, st.sampled_from(CHESS_EDITIONS))
def test_nothing_raises(
    rows: list[tuple[list[int], str, str]], numbers: list[int], edition: Edition[ChessRules]
) -> None:
    odd = odd_report(rows, numbers)
    found = [*check_file(odd), *check_event(case(odd, edition.id))]
    assert {finding.severity for finding in found} <= set(Severity)


CELLS = st.sampled_from(
    ["2w1", "2w=", "2b0", "1b0", "1b=", "1w=", "3b1", "4w+", "3b-", "4--", "0-U", "0-=", "2wH", "0wZ"]
)


@given(st.lists(CELLS, min_size=4, max_size=4))
def test_a_round_in_order_has_nothing_odd_and_the_other_way_round(row: list[str]) -> None:
    cells = Round(
        tuple(int(cell[0]) for cell in row),
        "".join(cell[1] for cell in row),
        "".join(cell[2] for cell in row),
    )
    made = replace(USUAL, rounds=(cells,))
    own_places = tuple(range(4))
    others = tuple(made.places.get(opponent, here) for here, opponent in enumerate(cells.opponents))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(check_cells, "_in_order", lambda *_: False)
        found = {finding.code for finding in check_cells.rounds(made)}

    if check_cells._in_order(cells, others, own_places):
        assert found == set()
    elif not found:  # in order all the same: both lost by forfeit, or a forfeit without colours
        assert set(cells.results) & set("+-")


def everything(path: Path) -> list[Finding]:
    """What reading and checking have to say of a file."""
    report = read_report(path.read_bytes(), path.name)
    return [*report.findings, *check_file(report)]


@pytest.mark.parametrize(
    ("name", "code", "player", "round_number"),
    [
        ("incompatible_color", "colours-clash", 2, 5),
        ("incompatible_result", "both-win", 2, 5),
        ("incorrect_points", "points-not-the-sum", 2, None),
        ("missing_result", "pairing-one-sided", 2, 5),
        ("missing_starting_number", "start-numbers-missing", None, None),
        ("invalid_code", "line-unknown", None, None),
        ("too_many_results", "cells-surplus", 2, None),
    ],
)
def test_a_file_made_to_be_wrong(name: str, code: str, player: int | None, round_number: int | None) -> None:
    found = [f for f in everything(real_file("trf", "py4swiss", f"{name}.trf")) if f.code == code]

    assert [(finding.player, finding.round) for finding in found] == [(player, round_number)]


@pytest.mark.parametrize(
    "name",
    [
        "icu_tournament/valid.tab",
        "sharly-chess/trf-import-test.trf",
        "sharly-chess/example_trf26.trf",
        "chesspairing-go/bbp-8p5r-output.trf",
    ],
)
def test_a_file_in_order(name: str) -> None:
    report = read_report(real_file("trf", *name.split("/")).read_bytes())
    assert check_file(report) == ()


@pytest.mark.parametrize(
    ("name", "played", "planned"),
    [("trf-kt/tournament1.trf", 4, 9), ("echecsjs-trf/javafo_sample2.trf", 4, 9)],
)
def test_an_event_that_stopped_early(name: str, played: int, planned: int) -> None:
    found = everything(real_file("trf", *name.split("/")))

    assert {"played": played, "planned": planned} in [f.facts for f in found if f.code == "stopped-early"]
    assert "points-not-the-sum" not in {f.code for f in found}  # the byes of round 5 stand there already


def test_points_that_do_not_add_up() -> None:
    found = everything(real_file("trf", "icu_tournament", "irish_intermediate_champs_2011.tab"))
    assert [f.code for f in found if f.severity == "warning" and f.code.startswith("points")] == [
        "points-not-the-sum"
    ]


@pytest.mark.parametrize(
    "path", one_in(3, real_files("trf")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_no_real_file_makes_a_check_raise(path: Path) -> None:
    try:
        report = read_report(path.read_bytes(), path.name)
    except Unreadable:
        pytest.skip("not readable")
    words = load_words("it")
    for finding in check_file(report):
        assert words.finding(finding)
    for edition in CHESS_EDITIONS:
        for name in edition.lists:
            for finding in check_event(case(report, edition.id, on_list=str(name))):
                assert words.finding(finding)
