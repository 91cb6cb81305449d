"""Tie-breaks of teams (C.07, 13): the exercises of FIDE's technical commission, and small tables of ours."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from arpad.rating.team_table import TeamTournament, team_table, team_tournament
from arpad.reports.report import Entrant, Header, Report, Round, Team

EXERCISE = """
8w2.5 4b1.5 7w3 2b2.5 5w1.5 F 3b2.5
9b3 3w4 5b0 1w1.5 13w3 4b2.5 10b3
10w2.5 2b0 9w3 6b2.5 4w3 5b3.5 1w1.5
11b3 1w2.5 13b3 5w3.5 3b1 2w1.5 9b2.5
12w4 6b3 2w4 4b0.5 1b2.5 3w0.5 13b3.5
13b2 5w1 8b3 3w1.5 11b2.5 Z 12w2.5
14w2 8b2 1b1 10w2.5 9b2 13w2 Z
1b1.5 7w2 6w1 12b3.5 10b2 9w2 11w3
2w1 12b4 3b1 14w3 7w2 8b2 4w1.5
3b1.5 11w1.5 12b2.5 7b1.5 8w2 14b3 2w1
4w1 10b2.5 14w2 13b1.5 6w1.5 12w2 8b1
5b0 9w0 10w1.5 8w0.5 U 11b2 6b1.5
6w2 14b2.5 4w1 11w2.5 2b1 7b2 5w0.5
7b2 13w1.5 11b2 9b1 H 10w1 U
"""
"""Fourteen teams of four: in each round opponent, colour and game points, or the kind of a round without a match."""

IN_2024, IN_2026 = date(2024, 9, 1), date(2026, 9, 1)
BOARDS = 4


def _boards(cell: str) -> tuple[int, str]:
    """Return the opponent of a team and the results of its boards."""
    opponent, _, points = cell.replace("b", "w").partition("w")
    if not points:
        return 0, cell * BOARDS
    halves = int(2 * Fraction(points))
    return int(opponent), ("1" * (halves // 2) + "=" * (halves % 2)).ljust(BOARDS, "0")


def exercise(day: date, tie_breaks: str = "") -> Report:
    """Return the report of the exercise: a player of each team on each board, a pairing bye worth half a point."""
    rows = [[_boards(cell) for cell in line.split()] for line in EXERCISE.strip().split("\n")]
    teams = range(1, len(rows) + 1)
    rounds = []
    for column in zip(*rows, strict=True):
        met = [opponent for opponent, _ in column]
        results = []
        for team, (opponent, own) in enumerate(column, start=1):
            # the guests' results are the mirror of the hosts', board by board
            mirrored = column[opponent - 1][1].translate(str.maketrans("10", "01")) if opponent else own
            results.append(own if team > opponent else mirrored)
        rounds.append(
            Round(
                tuple(
                    10 * opponent + board if opponent else 0 for opponent in met for board in range(BOARDS)
                ),
                "-" * BOARDS * len(rows),
                "".join(results),
            )
        )
    entrants = tuple(
        Entrant(10 * team + board, f"{team}.{board}") for team in teams for board in range(BOARDS)
    )
    members = {team: tuple(10 * team + board for board in range(BOARDS)) for team in teams}
    points = {"PAB": Fraction(1, 2)}
    return Report(
        Header(first_day=day, points=points, tie_breaks=tie_breaks),
        entrants,
        tuple(rounds),
        tuple(Team(f"Team {team}", members[team]) for team in teams),
    )


def _tournament(day: date) -> TeamTournament:
    played = team_tournament(exercise(day))
    assert played is not None
    return played


def _row(text: str) -> list[Fraction]:
    return [Fraction(value) for value in text.split()]


def test_match_points_and_game_points() -> None:
    played = _tournament(IN_2024)
    assert played.matches.points == _row("10 10 10 10 10 7 6 7 6 5 4 2 6 4")
    assert played.games.points == _row("17.5 17 16 17 18 12.5 11.5 15 14.5 13 11.5 7.5 11.5 11.5")
    assert played.boards == BOARDS


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("BH", "64 57 58 56 55 46 44 41 50 44 41 41 52 36"),
        ("BH/C1", "57 52 53 52 53 39 38 39 48 42 39 39 48 32"),
        ("BH:GP", "114 107.5 109.5 106 99 92 94.5 90 97.5 92 88 92 101 87"),
        ("BH:GP/C1", "100.5 96 97 94.5 91.5 79.5 83 82.5 90 84.5 80.5 84.5 89.5 75.5"),
    ],
)
def test_the_exercises_on_buchholz(code: str, expected: str) -> None:
    assert _tournament(IN_2024).values(code) == _row(expected)


@pytest.mark.parametrize(
    ("code", "day", "expected"),
    [
        ("EMMSB/C1", IN_2024, {1: "74", 2: "64", 3: "66", 4: "64", 5: "66"}),
        ("EGMSB", IN_2024, {1: "158", 2: "144", 3: "150", 4: "146", 5: "132"}),
        ("EMGSB", IN_2024, {7: "68.5", 9: "83", 13: "73"}),
        ("EGGSB", IN_2024, {6: "157.5", 8: "181.5"}),
        ("BH", IN_2026, {1: "61", 2: "57"}),
        ("BH/C1", IN_2026, {1: "54", 2: "52"}),
        ("BH:GP", IN_2026, {1: "110.5", 2: "107.5"}),
        ("EMMSB/C1", IN_2026, {1: "68", 2: "64"}),
        ("EGMSB", IN_2026, {1: "151", 2: "144"}),
        ("EMGSB", IN_2026, {1: "146.5", 2: "131"}),
        ("EGGSB", IN_2026, {1: "269", 2: "249.75"}),
    ],
)
def test_the_exercises_on_sonneborn_berger(code: str, day: date, expected: Mapping[int, str]) -> None:
    values = _tournament(day).values(code)
    assert {team: values[team - 1] for team in expected} == {
        team: Fraction(it) for team, it in expected.items()
    }


@pytest.mark.parametrize(
    ("tied", "order"),
    [
        ((1, 2, 3, 4, 5), [[4], [2], [1], [3], [5]]),
        ((6, 8), [[6], [8]]),
        ((11, 14), [[11, 14]]),
        ((7, 9, 13), [[7, 9, 13]]),
    ],
)
def test_the_exercises_on_direct_encounter(tied: tuple[int, ...], order: list[list[int]]) -> None:
    parts = _tournament(IN_2024).encounters([team - 1 for team in tied])
    assert [[team + 1 for team in part] for part in parts] == order


def test_the_exercise_on_scores_and_schedule() -> None:
    """The commission prints one decimal place: game points plus a third of the Buchholz, since 14 / 4 is 3.5."""
    printed = "38.8 36.0 35.3 35.7 36.3 27.8 26.2 28.7 31.2 27.7 25.2 21.2 28.8 23.5"
    assert [f"{float(it or 0):.1f}" for it in _tournament(IN_2024).values("SSSC")] == printed.split()


def _boards_of(*results: str, tie_breaks: str = "") -> Report:
    """Return a match of four boards in each round, the results of the first of two teams given; ``U`` frees it."""
    entrants = tuple(Entrant(number, f"P{number}") for number in range(1, 9))
    teams = (Team("Koalas", (1, 2, 3, 4)), Team("Narwhals", (5, 6, 7, 8)))
    rounds = tuple(
        Round((0,) * 8, "-" * 8, own + "ZZZZ")
        if "U" in own
        else Round((5, 6, 7, 8, 1, 2, 3, 4), "wbwbbwbw", own + own.translate(str.maketrans("10", "01")))
        for own in results
    )
    return Report(Header(first_day=IN_2024, tie_breaks=tie_breaks), entrants, rounds, teams)


def test_the_exercises_on_boards() -> None:
    """Koalas and Narwhals drew 1, ½, ½, 0: 3.5 against 6.5 (12.1), 1 against 0 (12.2), 2 against 1 (12.3)."""
    played = team_tournament(_boards_of("1==0"))
    assert played is not None
    assert played.values("BC") == [Fraction(7, 2), Fraction(13, 2)]
    assert played.by_boards("TBR")[0] == [1, 0]
    assert played.by_boards("BBE")[0] == [2, 1]
    assert played.encounters([0, 1]) == [[0, 1]]
    assert played.encounters([0, 1], "BC") == played.encounters([1, 0], "TBR") == [[0], [1]]


@pytest.mark.parametrize(
    ("code", "results", "order"),
    [
        ("BC", ("1==0",), ["Koalas", "Narwhals"]),
        ("TBR", ("0==1",), ["Narwhals", "Koalas"]),
        ("BBE", ("0==1",), ["Narwhals", "Koalas"]),
        ("TBR", ("1001", "0110"), ["Koalas", "Narwhals"]),
        ("EDET", ("=10=",), ["Koalas", "Narwhals"]),
        ("EDEB", ("0==1",), ["Narwhals", "Koalas"]),
        ("EDEBT", ("1001",), ["Koalas", "Narwhals"]),
        ("EDEBB", ("1==0",), ["Koalas", "Narwhals"]),
        ("EDE", ("1==0",), ["Koalas", "Narwhals"]),
    ],
)
def test_boards_separate_teams_in_the_order_of_the_code(
    code: str, results: Sequence[str], order: list[str]
) -> None:
    table = team_table(_boards_of(*results, tie_breaks=code))
    assert table is not None
    assert [place.name for place in table.places] == order
    is_tied = code == "EDE" or results == ("1001", "0110")
    assert [place.rank for place in table.places] == ([1, 1] if is_tied else [1, 2])
    assert table.tie_breaks == (code,)


def test_a_pairing_bye_is_won_on_every_board() -> None:
    played = team_tournament(_boards_of("1==0", "UUUU"))
    assert played is not None
    assert played.values("BC") == [Fraction(7, 2) + 10, Fraction(13, 2)]


def test_the_table_is_ranked_by_match_points_then_game_points() -> None:
    table = team_table(exercise(IN_2024, tie_breaks="PTS,GPTS,BH:GP/C1,SSSC/K4"))
    assert table is not None
    names = [int(place.name.removeprefix("Team ")) for place in table.places]
    assert names == [5, 1, 2, 4, 3, 8, 6, 9, 13, 7, 10, 11, 14, 12]
    assert table.tie_breaks == ("BH:GP/C1",)
    assert table.unknown == ("SSSC/K4",)
    first = table.places[0]
    assert (first.rank, first.won, first.drawn, first.lost, str(first.game_points)) == (1, 5, 0, 2, "18")
    assert not table.ranks_of_report


def test_the_ranks_of_the_report_hold() -> None:
    report = exercise(IN_2024)
    ranked = tuple(replace(team, rank=15 - at) for at, team in enumerate(report.teams, start=1))
    table = team_table(replace(report, teams=ranked))
    assert table is not None
    assert table.places[0].name == "Team 14"
    assert table.ranks_of_report


def test_there_is_no_table_without_teams_or_against_the_points_that_they_claim() -> None:
    report = exercise(IN_2024)
    assert team_table(replace(report, teams=())) is None
    first, *others = report.teams
    assert team_table(replace(report, teams=(replace(first, match_points=Fraction(10)), *others))) is not None
    assert team_table(replace(report, teams=(replace(first, match_points=Fraction(11)), *others))) is None


def test_a_match_in_which_nobody_came_is_forfeited() -> None:
    entrants = tuple(Entrant(number, f"P{number}") for number in range(1, 5))
    teams = (Team("Home", (1, 2)), Team("Guests", (3, 4)))
    report = Report(Header(first_day=IN_2026), entrants, (Round((3, 4, 1, 2), "wbbw", "++--"),), teams)
    played = team_tournament(report)
    assert played is not None
    assert [rounds[0].result for rounds in played.matches.rounds] == ["+", "-"]
    assert played.matches.points == [2, 0]
