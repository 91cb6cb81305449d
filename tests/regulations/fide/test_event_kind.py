"""What kind of tournament a report is, and which of its games count, cell by cell."""

from dataclasses import replace
from itertools import combinations

import pytest

from arpad.model.chess import EventKind
from arpad.model.rules import ListName
from arpad.regulations.editions import chess_edition
from arpad.regulations.fide.event_kind import Meetings, Pairs, declared_kind, meetings, unplayed_games
from arpad.regulations.fide.games import cells, decided_in, scores
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Header, Report, Round, Team
from arpad.reports.time_control import parse_text
from tests.builders.chess import report as chess_report

RULES = chess_edition("fide-2017").on(ListName.STANDARD)


def met(players: int, pairs: list[tuple[int, int]], rounds: int, times: int = 1) -> Meetings:
    return counted(players, dict.fromkeys(pairs, times), rounds)


def counted(players: int, pairs: Pairs, rounds: int, played: Pairs | None = None) -> Meetings:
    return Meetings(players, rounds, lambda: (pairs, pairs if played is None else played))


def all_pairs(players: int) -> list[tuple[int, int]]:
    return list(combinations(range(players), 2))


@pytest.mark.parametrize(
    ("players", "rounds", "times", "kind"),
    [
        (2, 4, 4, EventKind.MATCH),
        (2, 0, 1, EventKind.MATCH),
        (3, 3, 1, EventKind.ROUND_ROBIN),
        (3, 2, 1, EventKind.SWISS),
        (4, 3, 1, EventKind.ROUND_ROBIN),
        (4, 2, 1, EventKind.SWISS),
        (5, 5, 1, EventKind.ROUND_ROBIN),
        (5, 4, 1, EventKind.SWISS),
        (3, 6, 2, EventKind.DOUBLE_ROUND_ROBIN),
        (3, 5, 2, EventKind.SWISS),
        (4, 6, 2, EventKind.DOUBLE_ROUND_ROBIN),
        (4, 5, 2, EventKind.SWISS),
        (4, 9, 3, EventKind.MULTIPLE_ROUND_ROBIN),
        (4, 12, 4, EventKind.MULTIPLE_ROUND_ROBIN),
        (5, 15, 3, EventKind.MULTIPLE_ROUND_ROBIN),
        (4, 8, 3, EventKind.SWISS),
    ],
)
def test_who_met_whom_shows_the_kind(players: int, rounds: int, times: int, kind: EventKind) -> None:
    """All against all takes one round fewer than players, or as many where somebody sits out in each."""
    assert met(players, all_pairs(players), rounds, times).kind == kind


def test_a_pair_that_met_twice_is_no_single_round_robin() -> None:
    pairs = {**dict.fromkeys(all_pairs(4), 1), (0, 1): 2}
    assert counted(4, pairs, 3).kind == EventKind.SWISS


@pytest.mark.parametrize("players", [0, 1])
def test_where_nobody_met_anybody(players: int) -> None:
    assert met(players, [], 0).kind == EventKind.SWISS


def test_two_sides_that_met_in_full() -> None:
    """Three against three is nine pairs; nine pairs among five, or one side with a game of its own, are not."""
    across = [(one, other) for one in range(3) for other in range(3, 6)]
    assert met(6, across, 3).kind == EventKind.TEAM
    mixed = [(one, other) for one in range(0, 6, 2) for other in range(1, 6, 2)]
    assert met(6, [(min(pair), max(pair)) for pair in mixed], 3).kind == EventKind.TEAM
    assert met(6, [*across[:-1], (0, 1)], 3).kind == EventKind.SWISS
    assert met(6, across[:-1], 3).kind == EventKind.SWISS
    assert met(6, all_pairs(6)[5:-1], 3).kind == EventKind.SWISS  # the first of them met nobody
    assert met(4, [(0, 2), (0, 3), (1, 2), (1, 3)], 2).kind == EventKind.TEAM


def test_two_sides_in_one_round_where_nobody_names_who_names_him() -> None:
    """Every cell names a pair of its own: four players make four pairs in a round, and never more."""
    report = chess_report("1 2000 | 3w1\n2 2000 | 4w1\n3 2000 | 2w1\n4 2000 | 1w1")
    assert meetings(report).kind == EventKind.TEAM


def test_in_a_large_swiss_nobody_counts_the_pairs() -> None:
    def count() -> tuple[Pairs, Pairs]:
        raise AssertionError

    assert Meetings(37, 9, count).kind == EventKind.SWISS
    with pytest.raises(AssertionError):
        assert Meetings(36, 9, count).kind == EventKind.SWISS


def test_a_large_swiss_has_no_two_sides() -> None:
    assert met(100, [(1, 2)], 9).scheveningen is False


def test_the_same_meetings_are_equal_and_told_without_how_they_are_counted() -> None:
    """How the pairs are counted is a function, and no two of these are equal."""
    assert met(4, all_pairs(4), 3) == met(4, all_pairs(4), 3)
    assert met(4, all_pairs(4), 3) != met(4, all_pairs(4), 4)
    assert repr(met(4, all_pairs(4), 3)) == "Meetings(players=4, rounds=3)"


def test_complete_as_often_as_the_kind_asks() -> None:
    single, double = met(4, all_pairs(4), 3), met(4, all_pairs(4), 6, 2)
    assert (single.cycles, double.cycles) == (1, 2)
    assert single.complete
    assert double.complete
    short = counted(4, single.pairs, 3, dict.fromkeys(all_pairs(4)[1:], 1))
    assert not short.complete
    assert list(unplayed_games(short)) == [(0, 1)]
    once = counted(4, double.pairs, 6, {**double.played, (1, 3): 1})
    assert not once.complete
    assert list(unplayed_games(once)) == [(1, 3)]
    assert list(unplayed_games(single)) == []
    assert list(unplayed_games(met(4, all_pairs(4)[:2], 2))) == []


def test_a_pairing_counts_where_either_side_names_the_other() -> None:
    """Round 1: played by both. 2: only 1 names 3. 3: a bye. 4: 1 names himself, 2 somebody who is not there.

    5: one cell says played, the other forfeit. 6: nothing at all.
    """
    report = chess_report(
        """
        1 2000 | 2w1 3w1 .H 1w1 3w1 .Z
        2 2000 | 1b0 .H  .H 9b1 .H  .Z
        3 2000 | .H  .Z  .Z .Z  1b- .Z
        """
    )
    found = meetings(report)
    assert found.players == 3
    assert found.pairs == {(0, 1): 1, (0, 2): 2}
    assert found.played == {(0, 1): 1}
    assert found.rounds == 3


def test_the_other_half_of_a_forfeit() -> None:
    """Told the other way round: the first cell says forfeit, the second played."""
    found = meetings(chess_report("1 2000 | 3w- .H\n2 2000 | .H .H\n3 2000 | 1b1 1w+"))
    assert (found.pairs, found.played) == ({(0, 2): 2}, {})


def test_teams_make_a_team_event() -> None:
    report = chess_report("1 2000 | 2w1\n2 2000 | 1b0")
    one, other = Team("A", (1,)), Team("B", (2,))
    assert meetings(replace(report, teams=(one, other))).kind == EventKind.TEAM
    assert meetings(replace(report, teams=(one, Team("B", ())))).kind == EventKind.MATCH
    assert meetings(report).kind == EventKind.MATCH


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("Torneo a squadre, girone all'italiana", EventKind.TEAM),
        ("Serie A, Lega", EventKind.TEAM),
        ("legale", None),
        ("Doppio girone", EventKind.DOUBLE_ROUND_ROBIN),
        ("Doppelrundig", EventKind.DOUBLE_ROUND_ROBIN),
        ("Round Robin (double)", EventKind.DOUBLE_ROUND_ROBIN),
        ("Girone all'italiana doppio", EventKind.DOUBLE_ROUND_ROBIN),
        ("Girone all'italiana, andata e ritorno", EventKind.DOUBLE_ROUND_ROBIN),
        ("round-robin", EventKind.ROUND_ROBIN),
        ("all play all", EventKind.ROUND_ROBIN),
        ("Toutes rondes", EventKind.ROUND_ROBIN),
        ("Match", EventKind.MATCH),
        ("Incontro individuale", EventKind.MATCH),
        ("rematched", None),
        ("Swiss (Dutch)", EventKind.SWISS),
        ("Burstein", EventKind.SWISS),
        ("knock-out", None),
        ("", None),
    ],
)
def test_the_kind_that_a_file_declares(written: str, kind: EventKind | None) -> None:
    assert declared_kind(Header(kind=written)) == kind


def test_a_coded_kind_comes_before_the_words() -> None:
    coded = Header(coded_kind="FIDE_DOUBLE_ROUND_ROBIN", kind="Swiss")
    assert declared_kind(coded) == EventKind.DOUBLE_ROUND_ROBIN
    assert declared_kind(Header(coded_kind="CUSTOM", kind="Swiss")) == EventKind.SWISS


# ------------------------------------------------------------------------------------------ which games count


def test_why_a_game_does_not_count() -> None:
    """Player 1, round by round; 4 is unrated, 9 is nobody."""
    report = chess_report(
        """
        1 2000 | 2w1 .H 3w+ 9w1 1w1 2w? 2w1 4w1 2wF .1 2w=
        2 2100 | 1b0 .H .H  .H  .H  1b? 1b1 .H  .H  .H 1b=
        3 2200 | .H  .H 1b- .H  .H  .H  .H  .H  .H  .H .H
        4 0    | .H  .H .H  .H  .H  .H  .H  1b0 .H  .H .H
        """
    )
    (mine, second, _, fourth) = cells(report, (2000, 2100, 2200, None), EventKind.SWISS, RULES)
    assert [(cell.round, cell.opponent, cell.score, cell.reason, cell.article) for cell in mine] == [
        (1, 1, 2, "", ""),
        (2, None, 1, "bye", "5.1"),
        (3, 2, 2, "unplayed", "5.1"),
        (4, None, 2, "unknown-opponent", ""),
        (5, 0, 2, "unknown-opponent", ""),
        (6, 1, 0, "no-result", "5.1"),
        (7, 1, 2, "contradiction", ""),
        (8, 3, 2, "unrated-opponent", "8.52"),
        (9, 1, 2, "bye", "5.1"),
        (10, None, 2, "bye", "5.1"),
        (11, 1, 1, "", ""),
    ]
    assert {cell.index for cell in mine} == {0}
    assert [cell.opponent_number for cell in mine] == [2, 0, 3, 9, 1, 2, 2, 4, 2, 0, 2]
    assert (second[0].reason, second[0].score, second[-1].score) == ("", 0, 1)
    assert (fourth[7].reason, fourth[7].article) == ("", ""), "an unrated player's own game counts for him"
    table = scores([mine, second])
    assert (table[0, 1], table[1, 0], table[0, 3]) == (2 + 2 + 1, 0 + 2 + 1, 2)


def test_a_blank_cell_is_no_cell() -> None:
    report = chess_report("1 2000 | 2w1\n2 2000 | 1b0")
    blank = replace(report, rounds=(*report.rounds, Round((0, 0), "  ", "  "), *report.rounds))
    found = cells(blank, (2000, 2000), EventKind.SWISS, RULES)
    assert [[cell.round for cell in mine] for mine in found] == [[1, 3], [1, 3]]


def test_some_places_alone() -> None:
    report = chess_report("1 2000 | 2w1\n2 2000 | 1b0\n3 2000 | .H")
    found = cells(report, (2000, 2000, 2000), EventKind.SWISS, RULES, only={1, 2})
    assert [len(mine) for mine in found] == [0, 1, 1]


def match(results: str) -> Report:
    """A match told by the results of the first player."""
    other = {"1": "0", "0": "1", "=": "="}
    first = " ".join(f"2w{result}" for result in results)
    second = " ".join(f"1b{other[result]}" for result in results)
    return chess_report(f"1 2000 | {first}\n2 2000 | {second}")


def test_a_match_is_decided_by_more_than_half_of_its_points() -> None:
    """Of six games: three points each is no decision, three and a half is; the rest is not rated (6.5)."""
    assert decided_in(match("111=0"), 6) == 4
    assert decided_in(match("000="), 6) == 4
    assert decided_in(match("110010"), 6) is None
    assert decided_in(match("1111"), None) is None
    unread = replace(match("1"), rounds=(Round((2, 1), "wb", "??"),) * 9)
    assert decided_in(unread, 1) is None
    won = Round((2, 1), "wb", "10")
    assert decided_in(replace(unread, rounds=(won, unread.rounds[0], won)), 3) == 3
    free = Round((0, 0), "--", "ZZ")
    assert decided_in(replace(unread, rounds=(free, won)), 1) == 2
    found, _ = cells(match("111=0"), (2000, 2000), EventKind.MATCH, RULES, facts=EventFacts(match_games=6))
    assert [(cell.reason, cell.article) for cell in found] == [("", "")] * 4 + [("match-decided", "6.5")]
    swiss, _ = cells(match("111=0"), (2000, 2000), EventKind.SWISS, RULES, facts=EventFacts(match_games=6))
    assert not any(cell.reason for cell in swiss)


def test_a_reason_of_its_own_comes_before_the_decision() -> None:
    report = match("1111")
    last = replace(report.rounds[3], results="+-")
    found, _ = cells(
        replace(report, rounds=(*report.rounds[:3], last)),
        (2000, 2000),
        EventKind.MATCH,
        RULES,
        facts=EventFacts(match_games=4),
    )
    assert [cell.reason for cell in found] == ["", "", "", "unplayed"]


def test_matches_with_an_unrated_player() -> None:
    found, other = cells(match("1"), (2000, None), EventKind.MATCH, RULES)
    assert (found[0].reason, found[0].article) == ("match-unrated", "6.6")
    assert other[0].reason == "match-unrated"


def test_in_a_round_robin_the_unrated_count() -> None:
    for kind in (EventKind.ROUND_ROBIN, EventKind.DOUBLE_ROUND_ROBIN):
        assert all(mine[0].reason == "" for mine in cells(match("1"), (2000, None), kind, RULES))
    swiss = cells(match("1"), (2000, None), EventKind.SWISS, RULES)
    assert [mine[0].reason for mine in swiss] == ["unrated-opponent", ""]


@pytest.mark.parametrize(
    ("ratings", "minutes", "reason"),
    [
        ((2400, 1500), 119, "too-fast"),
        ((2400, 1500), 120, ""),
        ((1500, 2400), 119, "too-fast"),
        ((2399, 1500), 119, ""),
        ((1800, 1799), 89, "too-fast"),
        ((1799, None), 89, ""),
        ((None, 1799), 59, "too-fast"),
    ],
)
def test_time_game_by_game(ratings: tuple[int | None, int | None], minutes: int, reason: str) -> None:
    """2024: 120 minutes where the stronger has 2400, 90 from 1800, 60 below (1.1)."""
    rules = chess_edition("fide-2024").on(ListName.STANDARD)
    found = cells(match("1"), ratings, EventKind.ROUND_ROBIN, rules, control=parse_text(f"{minutes} min"))
    wanted = (reason, "1.1" if reason else "")
    assert [(mine[0].reason, mine[0].article) for mine in found] == [wanted, wanted]


@pytest.mark.parametrize(
    ("control", "ratings", "reason"),
    [
        ("60+30", (2399, 2350), ""),
        ("60+30", (2400, 1500), "too-fast"),
        ("30+30", (1799, 1799), ""),
        ("30+30", (1800, None), "too-fast"),
        ("90+30", (2800, 2700), ""),
    ],
)
def test_the_games_that_are_too_fast(
    control: str, ratings: tuple[int | None, int | None], reason: str
) -> None:
    """Case 31 of the text of 2024: the higher of the two ratings decides, and unrated is below 1800."""
    rules = chess_edition("fide-2024").on(ListName.STANDARD)
    found = cells(match("1"), ratings, EventKind.ROUND_ROBIN, rules, control=parse_text(control))
    assert [mine[0].reason for mine in found] == [reason, reason]


def test_games_with_different_times_have_their_reason() -> None:
    rules = chess_edition("fide-2024").on(ListName.BLITZ)
    control = parse_text("white 6 min, black 5 min")
    found = cells(match("1"), (2000, 2000), EventKind.MATCH, rules, control=control)
    assert [(mine[0].reason, mine[0].article) for mine in found] == [("unequal-times", "RB 1.2")] * 2


def test_a_game_that_is_not_there_does_not_keep_others_from_being_taken_out() -> None:
    rules = chess_edition("fide-2024").on(ListName.STANDARD)
    facts = EventFacts(taken_out=("9:9:fair-play", "2:1:fair-play"))
    found = cells(match("11"), (2000, 2000), EventKind.MATCH, rules, facts=facts)
    assert [[cell.reason for cell in mine] for mine in found] == [["", "fair-play"]] * 2


def test_no_minutes_no_judgement() -> None:
    rules = replace(RULES, time_bands=None)
    found = cells(match("1"), (2400, 2400), EventKind.SWISS, rules, control=parse_text("1 min"))
    assert found[0][0].reason == ""
