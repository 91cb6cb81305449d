"""One event counted: a round robin of four in which one is unrated, worked by hand, and what changes around it."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

from arpad.model.chess import EventKind, Performance, RatedGame
from arpad.model.rules import ListName, Rule, step
from arpad.rating.event import NOT_COUNTED, EventTally, tally
from arpad.regulations.editions import chess_edition
from arpad.regulations.fide.event_kind import treated_as
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Report
from tests.builders.chess import report as chess_report

R2009, R2017, R2022, R2024 = (
    chess_edition(name).on(ListName.STANDARD) for name in ("fide-2009", "fide-2017", "fide-2022", "fide-2024")
)
RATINGS = (2000, 2000, 2000, None)
DAY = date(2018, 4, 29)

# Scores 2, 2, .5 and 1.5 of three: p = .67 .67 .17, dp = 125 125 -273, dpa = -23/3; Ra = 2000 + 5.75, hence 2006,
# and the unrated player, on 50 %, has Ru = 2006.
FOUR = """
    1 2000 | 4w= 3w1 2w=
    2 2000 | 3w= 4b1 1b=
    3 2000 | 2b= 1b0 4w0
    4 0    | 1b= 2w0 3b1
"""
# The first loses a play-off to the unrated fourth: 2 of 4, dp 0. dpa = (0 + 125 - 273)/3; Ra = 2000 + 37; the fourth
# has 2.5 of 4, one half-point above the half: Ru = 2037 + 20.
PLAY_OFF = """
    1 2000 | 4w= 3w1 2w= 4w0
    2 2000 | 3w= 4b1 1b= .Z
    3 2000 | 2b= 1b0 4w0 .Z
    4 0    | 1b= 2w0 3b1 1b1
"""
# The same with an unrated player who loses everything.
ZERO = """
    1 2000 | 4w1 3w1 2w=
    2 2000 | 3w= 4b1 1b=
    3 2000 | 2b= 1b0 4w1
    4 0    | 1b0 2w0 3b0
"""


def report(text: str = FOUR) -> Report:
    return chess_report(text, last_day=DAY)


def counted(found: EventTally, place: int) -> list[tuple[int | None, str, str]]:
    return [(played.opponent_rating, played.reason, played.article) for played in found.players[place].rounds]


def test_a_round_robin_with_an_unrated_player() -> None:
    found = tally(report(), RATINGS, R2017, facts=EventFacts(), edition="fide-2017")
    assert (found.kind, found.treated_as) == (EventKind.ROUND_ROBIN, EventKind.ROUND_ROBIN)
    assert found.round_robin is not None
    assert found.round_robin.ra == 2006
    assert counted(found, 0) == [(2006, "", ""), (2000, "", ""), (2000, "", "")]
    assert found.players[0].games(2000, "e") == [
        RatedGame(2000, 2006, 1, "e"),
        RatedGame(2000, 2000, 2, "e"),
        RatedGame(2000, 2000, 1, "e"),
    ]
    assert [player.score for player in found.players] == [4, 4, 1, 3]
    assert [player.tranche for player in found.players[:3]] == [None, None, None]
    assert found.players[3].tranche == Performance(
        "Made",
        EventKind.ROUND_ROBIN,
        games=3,
        score=3,
        opponents_total=Fraction(3 * 2006),
        opponents=3,
        rated_games=3,
        rated_score=3,
        last_day=DAY,
        edition="fide-2017",
    )
    assert found.players[3].removed == ()


def test_a_double_round_robin_stays_one() -> None:
    once = report()
    twice = replace(once, rounds=once.rounds * 2)
    found = tally(twice, RATINGS, R2017, facts=EventFacts(team_championship=True))
    assert found.treated_as == EventKind.DOUBLE_ROUND_ROBIN
    tranche = found.players[3].tranche
    assert tranche is not None
    assert (tranche.kind, tranche.games, tranche.opponents, tranche.team_championship, tranche.edition) == (
        EventKind.DOUBLE_ROUND_ROBIN,
        6,
        3,
        True,
        "",
    )


def test_a_first_timer_on_zero_is_removed_and_his_opponents_games_too() -> None:
    found = tally(report(ZERO), RATINGS, R2017, facts=EventFacts())
    assert counted(found, 0) == [(None, "ignored-newcomer", "6.1"), (2000, "", ""), (2000, "", "")]
    assert counted(found, 3) == [(2000, "ignored-newcomer", "6.1")] * 3
    last = found.players[3]
    assert (last.tranche, last.removed) == (None, (step("6.1", "removed", 4, score=Fraction(0)),))
    assert found.players[0].removed == ()


def test_an_earlier_event_that_counts_keeps_him_in() -> None:
    """Scores 2.5, 2, 1.5 and 0: p = .83 .67 .50, dp = 273 125 0, dpa = 398/3; Ra = 2000 - 99.5 = 1900.5, 1901.

    The zero has dp -800, of which three quarters: 1301; 2000 is above 1301 + 400 by 299, for each of the three:
    Rc (new) = 1901 - 897/3 = 1602, Ru (new) = 1002.
    """
    found = tally(report(ZERO), RATINGS, R2017, facts=EventFacts(), counted_before={3})
    assert counted(found, 0)[0] == (1002, "", "")
    tranche = found.players[3].tranche
    assert tranche is not None
    assert (tranche.score, tranche.average) == (0, Fraction(1602))


def test_two_removed_newcomers_are_told_each_for_himself() -> None:
    """4 drew with 5 and scored nothing else: half a point, below the one point of 2009."""
    whole = """
        1 2000 | .Z  5w1 4w1 3w= 2w=
        2 2000 | 5b1 4b1 3w= .Z  1b=
        3 2000 | 4w1 .Z  2b= 1b= 5w1
        4 0    | 3b0 2w0 1b0 5w= .Z
        5 0    | 2w0 1b0 .Z  4b= 3b0
    """
    found = tally(chess_report(whole), (2000, 2000, 2000, None, None), R2009, facts=EventFacts())
    assert found.treated_as == EventKind.ROUND_ROBIN
    half = Fraction(1, 2)
    assert [player.removed for player in found.players[3:]] == [
        (step("6.1", "removed", 4, score=half),),
        (step("6.1", "removed", 5, score=half),),
    ]


def test_an_unplayed_game_makes_a_swiss() -> None:
    """6.4: games against the unrated then count for nobody, and he has those against the rated."""
    forfeit = report(FOUR.replace("4w0", "4w-").replace("3b1", "3b+"))
    found = tally(forfeit, RATINGS, R2017, facts=EventFacts())
    assert (found.kind, found.treated_as, found.round_robin) == (EventKind.ROUND_ROBIN, EventKind.SWISS, None)
    assert counted(found, 0) == [(None, "unrated-opponent", "8.52"), (2000, "", ""), (2000, "", "")]
    assert counted(found, 3) == [(2000, "", ""), (2000, "", ""), (2000, "unplayed", "5.1")]
    tranche = found.players[3].tranche
    assert tranche is not None
    assert (tranche.kind, tranche.games, tranche.score, tranche.opponents_total, tranche.event) == (
        EventKind.SWISS,
        2,
        1,
        Fraction(4000),
        "Made",
    )


def test_from_2022_a_round_robin_is_a_swiss() -> None:
    found = tally(report(), RATINGS, R2022, facts=EventFacts())
    assert (found.kind, found.treated_as) == (EventKind.ROUND_ROBIN, EventKind.SWISS)
    assert counted(found, 0)[0] == (None, "unrated-opponent", "8.3.1")


def test_a_team_event_follows_the_swiss_articles() -> None:
    """Even where all met all, and every game was played."""
    found = tally(report(), RATINGS, R2017, facts=EventFacts())
    assert treated_as(found.met, R2017) == EventKind.ROUND_ROBIN
    stated = tally(report(), RATINGS, R2017, facts=EventFacts(kind=EventKind.TEAM))
    assert (stated.kind, stated.treated_as) == (EventKind.TEAM, EventKind.SWISS)


def test_all_rated_or_nobody_needs_no_procedure() -> None:
    everybody = tally(report(), (2000, 2000, 2000, 2000), R2017, facts=EventFacts())
    assert (everybody.treated_as, everybody.round_robin) == (EventKind.ROUND_ROBIN, None)
    nobody = tally(report(), (None, None, None, None), R2017, facts=EventFacts())
    assert nobody.round_robin is None
    assert counted(nobody, 0) == [(None, "unrated-opponent", "8.52")] * 3
    assert [player.tranche for player in nobody.players] == [None] * 4


def test_a_number_given_twice_is_no_cross_table() -> None:
    four = report()
    twice = replace(four, entrants=(*four.entrants[:3], replace(four.entrants[3], number=3)))
    assert tally(twice, RATINGS, R2017, facts=EventFacts()).round_robin is None


def test_rated_meanwhile() -> None:
    """8.4: nothing for his opponents; his own games count against those rated when it began."""
    found = tally(report(), RATINGS, R2017, facts=EventFacts(), rated_meanwhile={3})
    assert counted(found, 0) == [(None, "rated-meanwhile", "8.4"), (2000, "", ""), (2000, "", "")]
    assert counted(found, 3) == [(2000, "", "")] * 3
    forfeit = report(FOUR.replace("4w=", "4w+").replace("1b= 2w0", "1b- 2w0"))
    unplayed = tally(forfeit, RATINGS, R2017, facts=EventFacts(), rated_meanwhile={3})
    assert counted(unplayed, 0)[0] == (None, "unplayed", "5.1")
    swiss = tally(report(), RATINGS, R2022, facts=EventFacts(), rated_meanwhile={3})
    assert counted(swiss, 0)[0] == (None, "rated-meanwhile", "8.2.4")


def test_two_unrated_players_one_of_them_rated_meanwhile() -> None:
    found = tally(
        report(),
        (2000, 2000, None, None),
        R2009,
        facts=EventFacts(),
        counted_before={2, 3},
        rated_meanwhile={3},
    )
    assert found.round_robin is not None
    assert counted(found, 3)[2] == (None, "unrated-opponent", "8.52")
    assert counted(found, 2)[2][1] == ""


def test_matches_give_no_tranche() -> None:
    match = chess_report("1 2000 | 2w1 2b1 2w1\n2 0 | 1b0 1w0 1b0", last_day=DAY)
    found = tally(match, (2000, None), R2017, facts=EventFacts())
    assert (found.kind, found.treated_as) == (EventKind.MATCH, EventKind.MATCH)
    assert (found.players[1].tranche, found.players[1].removed) == (None, ())
    rated = tally(match, (2000, 2000), R2017, facts=EventFacts(match_games=2))
    assert [reason for _, reason, _ in counted(rated, 0)] == ["", "", "match-decided"]


def test_a_federation_may_rate_matches_of_the_unrated_and_what_is_played_after_the_decision() -> None:
    """1 of 3 in half-points is 2; the games of the rated player against him are not rated, as in a Swiss (8.52)."""
    own = replace(R2017, match_unrated=Rule(False, "own 1"), match_decided=Rule(False, "own 2"))
    match = chess_report("1 2000 | 2w1 2b1 2w0\n2 0 | 1b0 1w0 1b1", last_day=DAY)
    found = tally(match, (2000, None), own, facts=EventFacts(match_games=2))
    assert found.players[1].tranche is not None
    assert (found.players[1].tranche.games, found.players[1].tranche.score) == (3, 2)
    assert counted(found, 0) == [(None, "unrated-opponent", "8.52")] * 3
    rated = tally(match, (2000, 2000), own, facts=EventFacts(match_games=2))
    assert [reason for _, reason, _ in counted(rated, 0)] == ["", "", ""]


def test_the_time_that_an_officer_gives_decides() -> None:
    """2024 judges it game by game: 45 minutes are too few for anybody."""
    fast = EventFacts(time_control="45 min")
    found = tally(report(), RATINGS, R2024, facts=fast)
    assert found.control.minutes() == 45
    assert counted(found, 0)[1] == (2000, "too-fast", "1.1")
    assert tally(report(), RATINGS, R2024, facts=EventFacts()).control.minutes() == 150
    assert counted(tally(report(), RATINGS, R2017, facts=fast), 0)[1] == (2000, "", "")


def test_the_moves_that_the_edition_counts_decide() -> None:
    """60 minutes and 30 seconds a move: 90 for sixty moves, enough up to 2400; 70 for twenty, too few from 1800."""
    slow = EventFacts(time_control="60 min + 30 sec")
    assert counted(tally(report(), RATINGS, R2024, facts=slow), 0)[1] == (2000, "", "")
    fewer = replace(R2024, moves_counted=Rule(20, "own 1"))
    assert counted(tally(report(), RATINGS, fewer, facts=slow), 0)[1] == (2000, "too-fast", "1.1")


def test_some_players_alone() -> None:
    """Nobody else is worked out, but for a round robin whose unrated players need all."""
    swiss = tally(report(), RATINGS, R2022, facts=EventFacts(), only={0, 3})
    assert [player is NOT_COUNTED for player in swiss.players] == [False, True, True, False]
    assert (swiss.players[0].tranche, swiss.players[3].tranche is None) == (None, False)
    assert swiss.players[0] == tally(report(), RATINGS, R2022, facts=EventFacts()).players[0]
    whole = tally(report(), RATINGS, R2017, facts=EventFacts(), only={0})
    assert whole == tally(report(), RATINGS, R2017, facts=EventFacts())
    rated = tally(report(), (2000,) * 4, R2017, facts=EventFacts(), only={0})
    assert [player is NOT_COUNTED for player in rated.players] == [False, True, True, True]
    assert (NOT_COUNTED.score, NOT_COUNTED.rounds, NOT_COUNTED.tranche, NOT_COUNTED.removed) == (
        0,
        (),
        None,
        (),
    )


def test_a_play_off_enters_the_round_robin() -> None:
    """8.58: only the pair that met again has one more game."""
    found = tally(report(PLAY_OFF), RATINGS, R2017, facts=EventFacts())
    assert found.round_robin is not None
    entry = found.round_robin.entries[4]
    assert (found.round_robin.ra, entry.games, entry.rated_games, entry.ru_new) == (2037, 4, 4, 2057)


def test_who_met_nobody_has_nothing() -> None:
    found = tally(
        chess_report("1 2000 | .H\n2 2000 | .H\n3 0 | .H"), (2000, 2000, None), R2017, facts=EventFacts()
    )
    assert found.players[2].tranche is None
    assert counted(found, 2) == [(None, "bye", "5.1")]
