"""The report against itself: each thing broken alone gives its own finding, at its place, and no other."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

import pytest

from arpad.checks import check_file
from arpad.explain.words import LANGUAGES, load_words
from arpad.model.rules import Finding, Severity
from arpad.reports.formats import read_report
from arpad.reports.report import FileMap, Header, Report, Round
from tests.builders import trf as made
from tests.builders.chess import event
from tests.builders.trf import text

RATINGS = [2000, 1900, 1800, 1700, 1600, 1500]
HEAD = made.head(first=date(2024, 5, 1), last=date(2024, 5, 3), players=6, rated=6, rounds=3)
LINES = made.player_lines(made.some_rounds(6, 3), RATINGS)
FIRST = len(HEAD) + 1
"""The line of number 1."""


def checked(lines: list[str]) -> tuple[Finding, ...]:
    found = check_file(read_report(text(*lines)))
    for language in LANGUAGES:
        for finding in found:
            assert load_words(language).finding(finding)
    return found


def written(number: int, column: int, letters: str) -> list[str]:
    """The usual file with other letters at a column of a player's line."""
    lines = list(LINES)
    line = lines[number - 1]
    lines[number - 1] = line[: column - 1] + letters + line[column - 1 + len(letters) :]
    return [*HEAD, *lines]


def test_a_file_in_order_gives_nothing() -> None:
    assert checked([*HEAD, *LINES]) == ()


# The first round is 1-6, 2-5, 3-4 with White first; column 92 holds the opponent, 97 the colour, 99 the result.
@pytest.mark.parametrize(
    ("number", "column", "letters", "code", "player", "place"),
    [
        (1, 99, "1", "results-not-mirrored", 1, 99),
        (6, 99, "0", "results-not-mirrored", 1, 99),
        (6, 99, "-", "results-not-mirrored", 1, 99),
        (6, 99, " ", "results-not-mirrored", 1, 99),
        (6, 97, "w", "colours-clash", 1, 97),
        (6, 97, "-", "colour-missing", 6, 97),
        (1, 92, "   1", "paired-with-himself", 1, 92),
        (1, 92, "  17", "opponent-not-in-file", 1, 92),
        (6, 92, "0000 - Z", "pairing-one-sided", 1, 92),
        (1, 99, "H", "bye-with-opponent", 1, 99),
        (1, 92, "0000 w", "game-without-opponent", 1, 99),
        (2, 81, " 2.0", "points-not-the-sum", 2, 81),
        (2, 86, "   1", "rank-twice", 1, 86),
        (2, 86, "   0", "rank-missing", 2, 86),
        (2, 5, "   1", "start-number-twice", 1, 5),
        (2, 58, "     800000", "id-twice", 2, 58),
    ],
)
def test_a_broken_line(number: int, column: int, letters: str, code: str, player: int, place: int) -> None:
    found = [finding for finding in checked(written(number, column, letters)) if finding.code == code]

    assert (found[0].player, found[0].column) == (player, place)
    assert found[0].round == (1 if place > 89 else None)
    assert found[0].line == FIRST + (number if code == "start-number-twice" else player) - 1
    assert len(found) == 1


def test_a_game_without_colours_is_one_game() -> None:
    lines = written(6, 97, "-")
    lines[FIRST - 1] = lines[FIRST - 1][:96] + "-" + lines[FIRST - 1][97:]

    (found,) = checked(lines)

    assert (found.code, found.facts) == ("colour-missing", {"count": 1, "players": (1, 6)})


def test_an_opponent_with_a_different_opponent() -> None:
    first, second = checked(written(1, 92, "   5"))

    assert {first.code, second.code} == {"pairing-not-mutual"}
    assert (first.player, first.facts) == (1, {"opponent": 5, "theirs": 2})
    assert (second.player, second.facts) == (6, {"opponent": 1, "theirs": 5})


def test_both_win() -> None:
    games = [[(1, 2, "11")], [(1, 2, "+W")]]
    first, second = checked([*HEAD[:2], *made.player_lines(games, [2000, 1900])])

    assert (first.code, first.severity, first.round) == ("both-win", Severity.ERROR, 1)
    assert first.facts == {"opponent": 2, "own": "1", "theirs": "1"}
    assert (second.code, second.round) == ("both-win", 2)


@pytest.mark.parametrize("both", ["10", "==", "01", "+-", "-+", "--", "WL", "LW", "DD"])
def test_results_that_mirror(both: str) -> None:
    assert checked([*HEAD[:2], *made.player_lines([[(1, 2, both)]], [2000, 1900])]) == ()


@pytest.mark.parametrize("bye", ["F", "H", "U", "Z"])
def test_byes(bye: str) -> None:
    games = [[(1, 2, "10"), (3, 0, bye)]]
    assert checked([*HEAD[:2], *made.player_lines(games, [2000, 1900, 1800])]) == ()


def test_byes_that_name_each_other() -> None:
    lines = made.player_lines([[(1, 2, "DD")]], [2000, 1900])
    found = checked([*HEAD[:2], *(line[:96] + "- H" for line in lines)])
    assert [(finding.code, finding.player) for finding in found] == [
        ("bye-with-opponent", 1),
        ("bye-with-opponent", 2),
    ]


def test_a_forfeit_may_have_no_colour() -> None:
    lines = made.player_lines([[(1, 2, "+-")]], [2000, 1900])
    assert checked([*HEAD[:2], *(line[:96] + "-" + line[97:] for line in lines)]) == ()


def test_pairing_byes() -> None:
    games = [
        [(1, 2, "10"), (3, 0, "U"), (4, 0, "U")],
        [(1, 0, "U"), (2, 4, "==")],
        [(1, 0, "U"), (2, 3, "10")],
    ]
    in_round, twice = checked([*HEAD[:2], *made.player_lines(games, RATINGS[:4])])

    assert (in_round.code, in_round.severity, in_round.round) == ("pairing-byes-in-round", "error", 1)
    assert (in_round.facts["count"], in_round.player) == (2, 4)
    assert (twice.code, twice.severity, twice.player, twice.round) == ("pairing-bye-twice", "warning", 1, 3)
    assert twice.facts == {"first": 2}


def test_in_a_double_round_robin_everybody_is_free_twice() -> None:
    assert checked([*HEAD[:2], *made.player_lines(made.all_meet(5, 2), RATINGS[:5])]) == ()


# ------------------------------------------------------------------------------------------------- points


def test_points_follow_the_system_of_the_report() -> None:
    three_for_a_win = ["XXS W=3 D=1", *LINES]
    codes = [finding.code for finding in checked([*HEAD, *three_for_a_win])]
    assert codes == ["points-not-the-sum"] * 6

    games = [[(1, 2, "10")], [(1, 2, "==")]]
    lines = made.player_lines(games, [2000, 1900])
    lines = [line[:80] + points + line[84:] for line, points in zip(lines, (" 4.0", " 1.0"), strict=True)]
    assert checked([*HEAD[:2], "XXS W=3 D=1", *lines]) == ()


def test_byes_of_the_round_to_come_may_be_counted_or_not() -> None:
    games = [[(1, 2, "10"), (3, 4, "10")], [(2, 0, "H")]]
    for points in (" 0.0", " 0.5"):
        lines = made.player_lines(games, RATINGS[:4])
        lines[1] = lines[1][:80] + points + lines[1][84:]
        codes = {finding.code for finding in checked([*HEAD[:2], *lines])}
        assert codes == {"stopped-early"}
    lines[1] = lines[1][:80] + " 1.0" + lines[1][84:]
    wrong = next(f for f in checked([*HEAD[:2], *lines]) if f.code == "points-not-the-sum")
    assert wrong.facts == {"claimed": Fraction(1), "sum": Fraction(1, 2)}


def test_the_bye_of_a_team_is_not_worth_its_points_to_the_players() -> None:
    games = [[(1, 3, "10"), (2, 4, "01"), (5, 0, "U"), (6, 0, "U")]]
    teams = [f"013 {name:<32}{a:4} {b:4}" for name, a, b in (("Alfa", 1, 2), ("Beta", 3, 4), ("Gamma", 5, 6))]
    points = ["162  P 2.0"]
    for given, codes in ((" 2.0", []), (" 0.0", []), (" 1.0", ["points-not-the-sum"] * 2)):
        lines = made.player_lines(games, RATINGS)
        lines[4:] = [line[:80] + given + line[84:] for line in lines[4:]]
        found = checked([*HEAD[:2], *points, *lines, *teams])
        assert [finding.code for finding in found] == codes


def test_points_given_and_byes_asked_for() -> None:
    games = [[(1, 2, "10"), (3, 4, "10")]]
    lines = made.player_lines(games, RATINGS[:4])
    lines[1] = lines[1][:80] + " 2.0" + lines[1][84:]  # 0, and two points given
    lines[3] = lines[3][:80] + " 0.5" + lines[3][84:]  # 0, and a half-point bye in round 2
    wrong = [*HEAD[:2], "142 1", *lines]
    assert [f.code for f in checked(wrong)] == ["points-not-the-sum"] * 2
    assert checked([*wrong, "299           2.0    1    2", "240 H   2    4"]) == ()


def test_points_that_are_all_zero_give_one_finding() -> None:
    lines = [line[:80] + " 0.0" + line[84:] for line in LINES]
    (found,) = checked([*HEAD, *lines])
    assert (found.code, found.facts["count"]) == ("points-all-zero", 6)


# ------------------------------------------------------------------------------------------------- people


def test_one_person_under_two_numbers() -> None:
    def named(number: int, name: str, born: str) -> list[str]:
        lines = written(number, 15, f"{name:<33}")
        line = lines[FIRST - 2 + number]
        lines[FIRST - 2 + number] = line[:69] + f"{born:<10}" + line[79:]
        return lines

    lines = named(1, "Müller, Jörg", "1980/03/04")
    lines[FIRST] = named(2, "Joerg Mueller", "1980/03/04")[FIRST]
    (found,) = checked(lines)
    assert (found.code, found.player, found.facts["other"]) == ("person-twice", 2, 1)

    for born, codes in (("1981/03/04", []), ("1980", ["person-twice"]), ("", ["person-twice"])):
        lines[FIRST] = named(2, "Müller, Jörg", born)[FIRST]
        assert [finding.code for finding in checked(lines)] == codes


# ------------------------------------------------------------------------------------------------- header


@pytest.mark.parametrize(
    ("change", "code", "severity", "tag"),
    [
        ({"players": 7}, "count-of-players", "error", "062"),
        ({"rated": 5}, "count-of-rated", "warning", "072"),
        ({"teams": 2}, "count-of-teams", "warning", "082"),
        ({"rounds": 4}, "stopped-early", "error", "142"),
        ({"last": date(2024, 4, 30)}, "last-day-before-first", "error", "052"),
        (
            {"days": [date(2024, 5, 1), date(2024, 5, 2), date(2024, 5, 4)]},
            "round-day-outside",
            "error",
            "132",
        ),
        (
            {"days": [date(2024, 4, 30), date(2024, 5, 2), date(2024, 5, 3)]},
            "round-day-outside",
            "error",
            "132",
        ),
        (
            {"days": [date(2024, 5, 2), date(2024, 5, 1), date(2024, 5, 3)]},
            "round-days-unordered",
            "warning",
            "132",
        ),
        (
            {"rounds": "", "days": [date(2024, 5, day) for day in (1, 2, 3, 3)]},
            "stopped-early",
            "error",
            "132",
        ),
    ],
)
def test_a_header_that_contradicts(change: dict[str, Any], code: str, severity: str, tag: str) -> None:
    usual = {"first": date(2024, 5, 1), "last": date(2024, 5, 3), "players": 6, "rated": 6, "rounds": 3}
    head = made.head(**(usual | change))

    (found,) = checked([*head, *LINES])

    assert (found.code, found.severity) == (code, severity)
    assert found.line is not None
    assert head[found.line - 1].startswith(tag)


def test_findings_of_the_reader_are_not_repeated() -> None:
    report = read_report(text(*written(2, 86, "    ")))
    assert "rank-missing" in {finding.code for finding in report.findings}
    assert "rank-missing" not in {finding.code for finding in check_file(report)}


def test_columns_are_those_of_the_format() -> None:
    from arpad.checks.context import of_cell, of_player

    report = read_report(text(*HEAD, *LINES))
    fields = ("number", "name", "rating", "federation", "id", "half_points", "rank")
    assert [of_player(report, 0, name)["column"] for name in fields] == [5, 15, 49, 54, 58, 81, 86]
    cells = [of_cell(report, 0, 7, name)["column"] for name in ("opponent", "colour", "result")]
    assert cells == [152, 157, 159]
    sheet = replace(report, file_map=FileMap())
    assert of_player(sheet, 0, "id")["column"] is of_cell(sheet, 0, 1, "result")["column"] is None


# ------------------------------------------------------------------------------- reports that no TRF can hold


def odd(change: Callable[[Report], Report]) -> list[str]:
    report = replace(read_report(text(*HEAD, *LINES)), format="crosstable", findings=())
    return [finding.code for finding in check_file(change(report))]


def test_cells_of_other_formats() -> None:
    def with_results(results: str) -> Callable[[Report], Report]:
        def change(report: Report) -> Report:
            first, *others = report.rounds
            return replace(report, rounds=(replace(first, results=results), *others))

        return change

    # 3 has a letter that is no result and half a point too many; 4, his opponent, is not blamed.
    assert odd(with_results("==?===")) == ["result-unknown", "points-not-the-sum"]
    # 1 and 6 have not finished: both lack a result, and half of the points given.
    assert odd(with_results(" ==== ")) == ["result-missing"] * 2 + ["points-not-the-sum"] * 2


def test_players_without_any_game() -> None:
    lines = [line[:90] for line in LINES]
    (finding,) = checked([*HEAD[:2], *lines])
    assert (finding.code, finding.severity) == ("no-games", Severity.ERROR)
    assert odd(lambda report: replace(report, header=Header(), rounds=())) == ["no-games"]


def test_an_empty_report() -> None:
    assert check_file(Report(Header(), (), ())) == ()
    assert check_file(Report(Header(rounds=3), (), (Round((), "", ""),)))[0].code == "stopped-early"


def claiming(report: Report, half_points: tuple[int, ...]) -> Report:
    """The report with other points, and the start numbers as ranks."""
    entrants = zip(report.entrants, half_points, strict=True)
    return replace(
        report, entrants=tuple(replace(it, half_points=halves, rank=it.number) for it, halves in entrants)
    )


def test_ranks_against_the_points_are_found() -> None:
    """4.5 points above 5: the ranks of the file cannot be the final ones."""
    report = event("Masters", "1 2500 | 3w1 2b=\n2 2600 | .U 1w=\n3 2400 | 1b0 .H", date(2011, 2, 25))
    claimed = replace(claiming(report, (9, 10, 1)), rounds=())
    (finding,) = [it for it in check_file(claimed) if it.code.startswith("rank-")]
    assert (finding.code, finding.severity, finding.player) == ("rank-against-points", Severity.WARNING, 1)
    assert (finding.facts["points"], finding.facts["more"]) == (Fraction(9, 2), Fraction(5))
    for language in LANGUAGES:
        assert "{" not in load_words(language).finding(finding)


def test_wrong_points_are_no_reason_to_doubt_the_ranks() -> None:
    report = event("Open", "1 2500 | 2w1\n2 2400 | 1b0", date(2011, 2, 25))
    codes = [it.code for it in check_file(claiming(report, (0, 2)))]
    assert "rank-against-points" not in codes
