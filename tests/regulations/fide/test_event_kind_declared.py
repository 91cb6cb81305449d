"""The kind of a tournament: as stated, else as declared, else as the pairings show; and what the kind decides."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from arpad.model.chess import EventKind
from arpad.model.rules import Severity
from arpad.rating.preview import RatedReport, findings_only, rate
from arpad.regulations.editions import chess_edition
from arpad.regulations.fide.event_kind import declared_kind, meetings, unplayed_games
from arpad.reports.event_facts import EventFacts
from arpad.reports.report import Header, Report, Round
from tests.builders.chess import report as chess_report

Games = Sequence[Sequence[tuple[int, int, str]]]
"""Round by round: two start numbers and the first one's result."""

SWISS, ROUND_ROBIN, DOUBLE = EventKind.SWISS, EventKind.ROUND_ROBIN, EventKind.DOUBLE_ROUND_ROBIN
MULTIPLE, MATCH, TEAM = EventKind.MULTIPLE_ROUND_ROBIN, EventKind.MATCH, EventKind.TEAM
TURNED = {"1": "0", "0": "1", "=": "=", "+": "-"}
FIDE_2017 = chess_edition("fide-2017")


def berger(players: int) -> list[list[tuple[int, int]]]:
    """All against all once: the last one stays, the others go round; where their number is odd one sits out."""
    seats = [*range(1, players + 1), *([0] if players % 2 else [])]
    rounds = []
    for _ in range(len(seats) - 1):
        half = len(seats) // 2
        pairs = zip(seats[:half], reversed(seats[half:]), strict=True)
        rounds.append([pair for pair in pairs if 0 not in pair])
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds


def drawn(players: int, cycles: int = 1) -> list[list[tuple[int, int, str]]]:
    return [[(one, other, "=") for one, other in pairs] for _ in range(cycles) for pairs in berger(players)]


def event(ratings: Sequence[int], games: Games, kind: str = "", **more: object) -> Report:
    """A report of these games; a rating of 0 is none, and whoever is in no pair sits out."""
    table = "\n".join(f"{number} {rating} |" for number, rating in enumerate(ratings, start=1))
    bare = chess_report(table, **more)  # type: ignore[arg-type]
    header = replace(bare.header, kind=kind)
    return replace(bare, header=header, rounds=tuple(_rounds(len(ratings), games)))


def _rounds(players: int, games: Games) -> Iterator[Round]:
    for pairs in games:
        opponents, results, colours = [0] * players, ["Z"] * players, ["-"] * players
        for one, other, result in pairs:
            opponents[one - 1], opponents[other - 1] = other, one
            results[one - 1], results[other - 1] = result, TURNED[result]
            colours[one - 1], colours[other - 1] = "wb"
        yield Round(tuple(opponents), "".join(colours), "".join(results))


def codes(report: Report, edition: str, facts: EventFacts | None = None) -> set[str]:
    rated = rate(report, edition=chess_edition(edition), facts=facts)
    _, examined = findings_only(report, editions=[chess_edition(edition)], facts=facts)
    assert {finding.code for finding in examined} == {finding.code for finding in rated.findings}
    return {finding.code for finding in rated.findings}


def change(rated: RatedReport, number: int) -> Fraction:
    found = rated.players[number - 1].change
    assert found is not None
    return found.change


# --------------------------------------------------------------------------------------------- what is declared


@pytest.mark.parametrize(
    ("declared", "shown", "kind", "code"),
    [
        ("Individual: Swiss-System (Dutch)", drawn(8), SWISS, "kind-as-declared"),
        ("Individual: Round-Robin", drawn(8), ROUND_ROBIN, ""),
        ("", drawn(8), ROUND_ROBIN, ""),
        ("Individual: Double Round-Robin", drawn(8), ROUND_ROBIN, "kind-contradicted"),
        ("Individual: Round-Robin", drawn(8)[:5], SWISS, "kind-contradicted"),
        ("Individual: Swiss-System", drawn(8, 2), DOUBLE, "kind-contradicted"),
        ("Team: Swiss", drawn(8), ROUND_ROBIN, "kind-contradicted"),
        ("Team: Swiss", drawn(8)[:5], TEAM, "kind-as-declared"),
        ("Match", drawn(8), ROUND_ROBIN, "kind-contradicted"),
        ("Triple Round Robin", drawn(4, 3), MULTIPLE, ""),
    ],
)
def test_the_kind_declared_counts_unless_the_pairings_contradict_it(
    declared: str, shown: Games, kind: EventKind, code: str
) -> None:
    players = max(max(pair[:2]) for pairs in shown for pair in pairs)
    report = event([2000] * players, shown, declared)
    rated = rate(report, edition=FIDE_2017)
    assert rated.kind == kind
    about_kind = {f.code: f.severity for f in rated.findings if f.code.startswith("kind-")}
    severity = Severity.WARNING if code == "kind-contradicted" else Severity.INFO
    assert about_kind == ({code: severity} if code else {})


def test_a_declared_swiss_of_eight_in_seven_rounds_is_no_round_robin() -> None:
    """Three of eight are rated: a round robin needs four (6.21), a Swiss nobody in particular."""
    ratings = [2000, 2000, 2000, 0, 0, 0, 0, 0]
    swiss, silent = (event(ratings, drawn(8), kind) for kind in ("Individual: Swiss-System", ""))
    assert "round-robin-small-few-rated" not in codes(swiss, "fide-2017")
    assert "round-robin-small-few-rated" in codes(silent, "fide-2017")
    assert rate(swiss, edition=FIDE_2017).treated_as == SWISS


def test_a_file_that_declares_nothing_is_not_contradicted() -> None:
    assert meetings(event([2000] * 8, drawn(8))).contradicted is False


@pytest.mark.parametrize("kind", list(EventKind))
def test_what_is_stated_goes_before_everything_else(kind: EventKind) -> None:
    report = event([2000] * 8, drawn(8), "Individual: Swiss-System")
    rated = rate(report, edition=FIDE_2017, facts=EventFacts(kind=kind))
    assert rated.kind == kind
    said = {finding.code for finding in rated.findings if finding.code.startswith("kind-")}
    assert said == ({"kind-stated"} if kind != ROUND_ROBIN else set())


def test_a_round_robin_that_is_stated_but_not_finished_is_reported_as_a_swiss() -> None:
    """Five of seven rounds: eight games were not played (6.4), whatever it is called."""
    report = event([2000, 2000, 2000, 0, 0, 0, 0, 0], drawn(8)[:5])
    rated = rate(report, edition=FIDE_2017, facts=EventFacts(kind=ROUND_ROBIN))
    assert (rated.kind, rated.treated_as) == (ROUND_ROBIN, SWISS)
    (said,) = [finding for finding in rated.findings if finding.code == "round-robin-unplayed"]
    assert said.facts["games"] == 8
    assert "round-robin-small-few-rated" in {finding.code for finding in rated.findings}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Girone triplo", MULTIPLE),
        ("Triplo girone", MULTIPLE),
        ("Quadruple Round Robin", MULTIPLE),
        ("Girone all'italiana, triplo", MULTIPLE),
        ("Doppio girone", DOUBLE),
    ],
)
def test_more_cycles_in_words(text: str, kind: EventKind) -> None:
    assert declared_kind(Header(kind=text)) == kind


# ------------------------------------------------------------------------------------- who was never paired


def test_an_entrant_who_was_never_paired_leaves_no_game_unplayed() -> None:
    """Five of six came: nobody missed a game, and the composition is that of the five (four of them rated)."""
    report = event([2000, 2000, 2000, 2000, 0, 0], drawn(5))
    met = meetings(report)
    assert (met.kind, met.complete, met.places) == (ROUND_ROBIN, True, (0, 1, 2, 3, 4))
    assert list(unplayed_games(met)) == []
    rated = rate(report, edition=FIDE_2017)
    assert rated.treated_as == ROUND_ROBIN
    assert "round-robin-unplayed" not in {finding.code for finding in rated.findings}
    never = rated.players[5].initial
    assert never is not None
    assert (never.reason, never.games) == ("no-games", 0)
    alone = rate(event([2000, 2000, 2000, 2000, 0], drawn(5)), edition=FIDE_2017)
    assert [player.change for player in rated.players[:4]] == [player.change for player in alone.players[:4]]
    assert rated.players[4].initial == alone.players[4].initial


def test_who_was_paired_and_did_not_come_leaves_games_unplayed() -> None:
    games = [
        [(one, other, "+" if other == 6 else "=") for one, other in map(sorted, pairs)] for pairs in berger(6)
    ]
    met = meetings(event([2000] * 6, games))
    assert (met.kind, met.complete) == (ROUND_ROBIN, False)
    assert len(list(unplayed_games(met))) == 5


def test_three_of_four_entrants_make_a_round_robin() -> None:
    met = meetings(event([2000] * 4, drawn(3)))
    assert (met.players, met.absent, met.kind) == (3, 1, ROUND_ROBIN)


def test_who_leaves_a_round_robin_leaves_it_a_round_robin() -> None:
    """Six players; the sixth is paired in the first two rounds and no more."""
    games = [[game for game in pairs if turn < 2 or 6 not in game[:2]] for turn, pairs in enumerate(drawn(6))]
    met = meetings(event([2000] * 6, games))
    assert (met.kind, met.complete, len(list(unplayed_games(met)))) == (ROUND_ROBIN, False, 3)


@pytest.mark.parametrize("games", [[], [[]]], ids=["no round", "no pairing"])
def test_without_a_game_no_round_robin_is_complete(games: Games) -> None:
    met = meetings(event([2000] * 3, games), ROUND_ROBIN)
    assert (met.places, met.absent, met.complete) == ((), 3, False)
    assert meetings(event([2000] * 2, [[(1, 2, "1")]]), ROUND_ROBIN).complete


def test_a_player_is_paired_who_names_an_opponent_or_is_named() -> None:
    """The first names the second in one round of two; the second names nobody."""
    report = event([2000] * 3, [[], []])
    one_sided = replace(report.rounds[0], opponents=(2, 0, 0), results="1ZZ")
    met = meetings(replace(report, rounds=(one_sided, report.rounds[1])))
    assert (met.places, met.players, met.absent) == ((0, 1), 2, 1)


def test_the_meetings_of_one_report_are_equal() -> None:
    report = event([2000] * 4, drawn(4))
    assert meetings(report) == meetings(report)


@pytest.mark.parametrize(("declared", "stated"), [("Match", None), ("", MATCH)])
def test_two_of_three_entrants_make_a_match_where_it_is_called_one(
    declared: str, stated: EventKind | None
) -> None:
    """The one in the middle never came; the match of two games is won after one and a half points."""
    games = [[(1, 3, "1")], [(1, 3, "=")], [(1, 3, "1")]]
    report = event([2000, 0, 1900], games, declared)
    assert meetings(event([2000, 0, 1900], games)).kind == SWISS
    rated = rate(report, edition=FIDE_2017, facts=EventFacts(match_games=2, kind=stated))
    assert rated.kind == MATCH
    said = {finding.code for finding in rated.findings}
    assert "match-decided" in said
    assert "match-with-unrated" not in said


# -------------------------------------------------------------------------------------- play-offs and cycles

FIVE = [[(one, other, "=") for one, other in pairs] for pairs in berger(5)]
"""Five players, five rounds, all drawn."""


@pytest.mark.parametrize(
    ("games", "cycles"),
    [
        ([*FIVE, [(1, 2, "1")]], 1),
        ([*FIVE, [(1, 2, "=")], [(2, 1, "1")]], 1),
        ([*FIVE, [(1, 2, "1"), (3, 4, "1")]], 1),
        ([*FIVE, *FIVE[:2]], 1),  # four pairs of ten
        ([*drawn(5, 2), [(1, 2, "1")]], 2),
    ],
)
def test_play_offs_after_a_round_robin_leave_it_a_round_robin(games: Games, cycles: int) -> None:
    met = meetings(event([2000] * 5, games))
    assert (met.kind, met.cycles, met.complete) == ((ROUND_ROBIN, DOUBLE)[cycles - 1], cycles, True)


@pytest.mark.parametrize(
    "games",
    [
        [FIVE[0], FIVE[0], *FIVE[1:]],  # some met again before all had met
        [*drawn(5), *drawn(5)[:3]],  # half of the pairs and more met again: a second cycle that was given up
        [*drawn(6)[:4], [(1, 2, "1")], [(1, 2, "1")]],  # a round robin that was not complete
        [*drawn(4), *drawn(4)[:1], drawn(4)[1][:1]],  # half of the pairs, three of six
        [
            *drawn(4)[:2],
            drawn(4)[2][:1],
            [drawn(4)[2][1], drawn(4)[0][0]],
        ],  # all met with the play-off at last
    ],
)
def test_other_pairs_that_met_again_are_no_play_offs(games: Games) -> None:
    players = max(max(pair[:2]) for pairs in games for pair in pairs)
    assert meetings(event([2000] * players, games)).kind == SWISS


def test_cells_that_contradict_each_other_make_no_second_cycle() -> None:
    """Each names another than the one by whom they are named: four pairs a round, all six twice in three rounds."""
    report = event([2000] * 4, [[], [], []])
    turns = ((2, 3, 4, 1), (3, 4, 2, 1), (2, 4, 1, 3))
    rounds = tuple(
        replace(cells, opponents=turn, results="====")
        for cells, turn in zip(report.rounds, turns, strict=True)
    )
    met = meetings(replace(report, rounds=rounds))
    assert set(met.pairs.values()) == {2}
    assert met.kind == SWISS


@pytest.mark.parametrize(
    ("games", "cycles"), [(drawn(6, 4), 4), (drawn(6, 2), 3), (drawn(6)[:1], 3)], ids=["four", "two", "none"]
)
def test_a_round_robin_stated_as_multiple_has_three_cycles_or_more(games: Games, cycles: int) -> None:
    assert meetings(event([2000] * 6, games), MULTIPLE).cycles == cycles


@pytest.mark.parametrize("edition", ["fide-2009", "fide-2017"])
def test_a_play_off_enters_the_procedure_of_a_round_robin(edition: str) -> None:
    """Five of 2000 and one unrated; all draw, then the first and the sixth play once more, and the sixth wins.

    Rar 2000. The first has 2.5 of 6, p .42, dp -57; the others p .50, dp 0: dpa = -57/5 = -11.4. n = 5:
    Ra = 2000 + 11.4 x 5/6 = 2009.5, so 2010 (reading 16). The sixth has 3.5 of 6, one half-point above the half:
    Ru = 2010 + 20 = 2030 (2017), 2010 + 15 = 2025 (2009). Nobody is 400 above.
    """
    games = [*drawn(6), [(6, 1, "1")]]
    rated = rate(event([2000] * 5 + [0], games), edition=chess_edition(edition))
    assert rated.treated_as == ROUND_ROBIN
    assert rated.round_robin is not None
    assert rated.round_robin.ra == 2010
    entry = rated.round_robin.entries[6]
    assert (entry.games, entry.rated_opponents, entry.rated_games) == (6, 5, 6)
    assert entry.ru_new == (2030 if edition == "fide-2017" else 2025)
    initial = rated.players[5].initial
    assert initial is not None
    assert initial.games == 6


def test_a_play_off_counts_for_the_rated_as_any_game() -> None:
    """2000 against 2000: the play-off is worth half a point to the winner, times K 20."""
    without = rate(event([2000] * 5, FIVE), edition=FIDE_2017)
    with_it = rate(event([2000] * 5, [*FIVE, [(1, 2, "1")]]), edition=FIDE_2017)
    assert change(with_it, 1) - change(without, 1) == Fraction(20, 2)


@pytest.mark.parametrize("cycles", [3, 4])
def test_several_cycles_have_n_opponents_and_all_their_games(cycles: int) -> None:
    """Six players, five rated 2000, one unrated; all draw: Ra 2000 and Ru 2000, from five opponents and all games."""
    rated = rate(event([2000] * 5 + [0], drawn(6, cycles)), edition=FIDE_2017)
    assert (rated.kind, rated.treated_as) == (MULTIPLE, MULTIPLE)
    assert rated.round_robin is not None
    entry = rated.round_robin.entries[6]
    assert (entry.games, entry.rated_opponents, entry.ru_new) == (5 * cycles, 5, 2000)


def test_below_half_n_is_the_number_of_opponents_in_every_cycle() -> None:
    """Three cycles of six: the unrated sixth loses all but one draw with each: 2.5 of 15, p .17, dp -273.

    The rated have 1 + 1 + .5 against the sixth and draw the rest: 6 + 2.5 = 8.5 of 15, p .57, dp 50; dpa 50.
    Ra = 2000 - 50 x 5/6 = 1958.33, so 1958; Ru = 1958 - 273 x 5/6 = 1730.5, so 1731. 2000 is not above 2131.
    """
    games = [list(pairs) for pairs in drawn(6, 3)]
    for number, pairs in enumerate(games):
        if number >= 5:  # the first cycle stays drawn
            games[number] = [
                (one, other, {one: "0", other: "1"}[6]) if 6 in (one, other) else (one, other, "=")
                for one, other, _ in pairs
            ]
    rated = rate(event([2000] * 5 + [0], games), edition=FIDE_2017)
    assert rated.round_robin is not None
    assert (rated.round_robin.ra, rated.round_robin.entries[6].ru_new) == (1958, 1731)


@pytest.mark.parametrize("cycles", [2, 3])
def test_more_than_one_cycle_asks_for_six_players(cycles: int) -> None:
    """6.22: a double round robin with unrated players needs six players; one of three cycles is one and more."""
    report = event([2000] * 4 + [0], drawn(5, cycles))
    assert "double-round-robin-few" in codes(report, "fide-2017")
    assert "double-round-robin-few" not in codes(event([2000] * 5 + [0], drawn(6, cycles)), "fide-2017")
