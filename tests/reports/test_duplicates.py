"""Two reports of the same event are recognised by their games, and two events of the same players are not mixed up."""

import struct
from collections import Counter
from dataclasses import replace
from datetime import date
from hashlib import blake2b

import pytest

from arpad.reports.duplicates import (
    GameIndex,
    Overlap,
    game_marks,
    overlapping_reports,
    repeated_events,
    split_marks,
)
from arpad.reports.report import Report
from tests.builders.chess import report as chess_report

EVENT = "1 2000 | 2w1 3b=\n2 1900 | 1b0 .Z\n3 1800 | .Z 1w="
"""Two games: 1 beats 2, 1 draws with 3."""

MAY = ("2018-05-01", "2018-05-03")


def marks(report: Report) -> bytes:
    return game_marks(report, [entrant.id for entrant in report.entrants])


def renumbered(report: Report, by: int) -> Report:
    """Return the report with other start numbers and the rounds in the opposite order."""
    entrants = tuple(replace(entrant, number=entrant.number + by) for entrant in report.entrants)
    rounds = tuple(
        replace(cells, opponents=tuple(number and number + by for number in cells.opponents))
        for cells in report.rounds
    )
    return replace(report, entrants=entrants, rounds=rounds[::-1])


# ----------------------------------------------------------------------------------------------------- marks


def test_marks_do_not_depend_on_numbers_order_or_colours() -> None:
    event = chess_report(EVENT)
    swapped = chess_report(EVENT.replace("w", "x").replace("b", "w").replace("x", "b"))

    assert marks(renumbered(event, 6)) == marks(swapped) == marks(event)
    reversed_order = replace(
        event,
        entrants=event.entrants[::-1],
        rounds=tuple(
            replace(cells, opponents=cells.opponents[::-1], results=cells.results[::-1])
            for cells in event.rounds
        ),
    )
    assert marks(reversed_order) == marks(event)


def test_marks_depend_on_the_result_and_on_the_players() -> None:
    event = chess_report(EVENT)

    assert marks(chess_report(EVENT.replace("2w1", "2w0").replace("1b0", "1b1"))) != marks(event)
    assert game_marks(event, ["a", "b", "c"]) != game_marks(event, ["a", "b", "d"])


def test_the_mark_of_a_game_is_the_same_from_both_sides() -> None:
    win = chess_report("1 2000 | 2w1\n2 1900 | 1b0")

    assert game_marks(win, ["b", "a"]) == game_marks(chess_report("1 2000 | 2w0\n2 1900 | 1b1"), ["a", "b"])


def test_a_repeated_game_has_a_mark_of_its_own() -> None:
    match = chess_report("1 2000 | 2w1 2b1\n2 1900 | 1b0 1w0")

    assert len(split_marks(marks(match))) == 2


def test_games_of_players_without_a_name_are_marked_in_linear_time() -> None:
    players, rounds = 200, 50
    lines = [
        f"{number} 2000 | " + " ".join([f"{number ^ 1}w=" if number & 1 else f"{number ^ 1}b="] * rounds)
        for number in range(2, players + 2)
    ]
    event = chess_report("\n".join(lines))

    assert len(split_marks(game_marks(event, [""] * players))) == players // 2 * rounds


def test_games_that_were_not_played_have_no_mark() -> None:
    assert marks(chess_report("1 2000 | 2w+ .U 9w1\n2 1900 | 1b- .Z .Z")) == b""


def plain_marks(report: Report, keys: list[str]) -> set[int]:
    """Return the marks as the reference says, game by game."""
    digests = [struct.unpack(">3Q", blake2b(key.encode(), digest_size=24).digest()) for key in keys]
    games: Counter[int] = Counter()
    for cells in report.rounds:
        for place, entrant in enumerate(report.entrants):
            opponent, result = cells.opponents[place], cells.results[place]
            if result in "1=0" and entrant.number < opponent and opponent in report.places:
                won = "1=0".index(result)
                games[(digests[place][won] + digests[report.places[opponent]][2 - won]) % 2**64] += 1
    return {
        (mark + again * 0x9E3779B97F4A7C15) % 2**64 for mark, count in games.items() for again in range(count)
    }


@pytest.mark.parametrize(
    "lines",
    [
        EVENT,
        "1 2000 | 2w1 2b1 2w1\n2 1900 | 1b0 1w0 1b0",  # the same game three times
        "1 2000 | 3w1 9w1\n3 1900 | 1b0 .Z\n3 1800 | .Z 1w=",  # a repeated number, an opponent not in the file
        "1 2000 | 2w1 2b0\n2 1900 | 1b* 1w1",  # letters that are no results
    ],
)
def test_marks_on_file_stay_what_they_are(lines: str) -> None:
    event = chess_report(lines)
    keys = [f"key {place}" for place in range(len(event.entrants))]

    marked = game_marks(event, keys)

    assert split_marks(marked) == plain_marks(event, keys)
    assert list(struct.unpack(f">{len(marked) // 8}Q", marked)) == sorted(split_marks(marked))


def test_a_report_without_rounds_has_no_marks() -> None:
    event = chess_report(EVENT)

    assert game_marks(replace(event, rounds=()), ["a", "b", "c"]) == b""


# ------------------------------------------------------------------------------------------------------ index


@pytest.mark.parametrize(
    ("games", "expected"),
    [
        ({1, 2, 3, 4}, Overlap(4, 4)),  # all
        ({1, 2, 3, 4, 5, 6, 7, 8, 9}, Overlap(4, 4)),  # it has all games of the stored one
        ({1, 2}, Overlap(2, 2)),  # the stored one has all of its games
        ({1, 2, 8, 9}, Overlap(2, 4)),  # exactly half
        ({1, 7, 8}, None),  # less than half
        ({7, 8, 9}, None),
        (set(), None),
    ],
)
def test_half_of_the_smaller_report_makes_the_same_event(games: set[int], expected: Overlap | None) -> None:
    index = GameIndex()
    index.add(5, {1, 2, 3, 4}, *MAY)

    assert index.overlapping(games, *MAY) == ({} if expected is None else {5: expected})


@pytest.mark.parametrize(
    ("days", "same"),
    [
        (("2018-05-03", "2018-05-09"), True),
        (("2018-04-20", "2018-05-01"), True),
        (("2018-05-04", "2018-05-09"), False),
        (("2018-04-20", "2018-04-30"), False),
    ],
)
def test_reports_of_other_days_do_not_overlap(days: tuple[str, str], same: bool) -> None:
    index = GameIndex()
    index.add(0, {1, 2, 3}, *MAY)

    assert bool(index.overlapping({1, 2, 3}, *days)) == same


def test_without_days_three_games_must_agree() -> None:
    index = GameIndex()
    index.add(1, {1, 2}, "", "")
    index.add(2, {7, 8, 9}, *MAY)

    assert index.overlapping({1, 2}, *MAY) == {}
    assert index.overlapping({7, 8, 9}, "", "") == {2: Overlap(3, 3)}


def test_a_game_may_be_in_three_reports() -> None:
    index = GameIndex()
    for report in (1, 2, 3):
        index.add(report, {1, 2, 10 * report}, *MAY)

    assert index.overlapping({1, 2, 30}, *MAY) == {1: Overlap(2, 3), 2: Overlap(2, 3), 3: Overlap(3, 3)}
    assert [overlap.contained for overlap in index.overlapping({1, 2, 30}, *MAY).values()].count(True) == 1


def test_stored_reports_are_compared_with_one() -> None:
    event = chess_report(EVENT)
    stored = [(1, marks(event), *MAY), (2, marks(chess_report("4 2000 | 5w1\n5 1900 | 4b0")), *MAY)]

    assert overlapping_reports(stored, marks(renumbered(event, 3)), *MAY) == {1: Overlap(2, 2)}


# ----------------------------------------------------------------------------------- the files of one command


def test_a_repeated_event_names_the_first_report_with_its_games() -> None:
    event = chess_report(EVENT)
    other = chess_report("4 2000 | 5w1\n5 1900 | 4b0")
    reports = [("a", event), ("b", other), ("c", renumbered(event, 6)), ("d", event)]

    findings = repeated_events(reports)

    assert {index: finding.facts for index, finding in findings.items()} == {
        2: {"other": "a", "games": 2, "of": 2},
        3: {"other": "a", "games": 2, "of": 2},
    }
    assert {finding.code for finding in findings.values()} == {"same-event"}


def test_the_same_results_in_another_month_are_another_event() -> None:
    reports = [("a", chess_report(EVENT)), ("b", chess_report(EVENT, first_day=date(2018, 6, 1)))]

    assert repeated_events(reports) == {}


def test_entrants_without_an_id_are_compared_by_name() -> None:
    event = chess_report(EVENT)
    nameless = replace(event, entrants=tuple(replace(entrant, id="") for entrant in event.entrants))
    shouted = replace(
        nameless, entrants=tuple(replace(entrant, name=entrant.name.upper()) for entrant in nameless.entrants)
    )

    assert list(repeated_events([("a", nameless), ("b", shouted)])) == [1]
