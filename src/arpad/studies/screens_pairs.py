"""Screens of pairs: points that always go one way, traded wins, and two players who meet too often."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import prod

from arpad.studies.history import HistoryGame, Tournament
from arpad.studies.signals import Evidence, Odds, Signal, surviving
from arpad.studies.statistics import score_distribution

LEAST_GAMES = 4
LEAST_TRADED = 6
LEAST_MEETINGS = 5
MATCHES = 3
NEAR = 4
"""Neighbours in rating meet this many times more often than two players of an event chosen by lot."""

Pair = tuple[int, int]


def screens(evidence: Evidence) -> list[Signal]:
    """Return all screens of pairs."""
    games: dict[Pair, list[HistoryGame]] = {}
    for game in evidence.games:
        games.setdefault(_pair(game.white, game.black), []).append(game)
    return [
        *_one_way(games, evidence.odds),
        *_traded(games, evidence.odds),
        *_meetings(evidence.history.tournaments),
        *_matches(evidence.history.tournaments),
    ]


def _pair(player: int, other: int) -> Pair:
    return (player, other) if player < other else (other, player)


def _one_way(pairs: Mapping[Pair, Sequence[HistoryGame]], odds: Odds) -> list[Signal]:
    """Report pairs in which one player wins far more often than either rating allows."""
    signals = []
    for pair, games in pairs.items():
        if len(games) < LEAST_GAMES:
            continue
        player, other = pair
        k = max(game.k(member) for game in games for member in pair)
        low, high = odds.tails(games, player, k)
        winner, loser = (player, other) if high < low else (other, player)
        scored = sum(game.points(winner) for game in games) / 2
        figures = {"games": len(games), "scored": scored}
        signals.append(Signal("one-way-pair", (winner, loser), "", figures, min(1.0, 2 * min(low, high))))
    return surviving(signals)


def _traded(pairs: Mapping[Pair, Sequence[HistoryGame]], odds: Odds) -> list[Signal]:
    """Report pairs without a draw in which each event was won completely by one player: the chance of that pattern."""
    signals = []
    tested = 0
    for (player, other), games in pairs.items():
        if len(games) < LEAST_TRADED:
            continue
        tested += 1
        events: dict[str, list[HistoryGame]] = {}
        for game in games:
            events.setdefault(game.event, []).append(game)
        winners = [{game.points(player) for game in event} for event in events.values()]
        if any(kinds not in ({0}, {2}) for kinds in winners) or len({next(iter(w)) for w in winners}) == 1:
            continue
        p = prod(_swept(event, player, odds) for event in events.values())
        won = sum(kinds == {2} for kinds in winners)
        figures = {"games": len(games), "events": len(events), "won": won, "lost": len(events) - won}
        signals.append(Signal("traded-wins", (player, other), "", figures, p))
    return surviving(signals, tested)


def _swept(games: Sequence[HistoryGame], player: int, odds: Odds) -> float:
    chances = [odds.chances(game, player) for game in games]
    return prod(loss for loss, _, _ in chances) + prod(win for _, _, win in chances)


def _meetings(tournaments: Sequence[Tournament]) -> list[Signal]:
    """Report two players who are paired in more events than their common entries explain."""
    met: Counter[Pair] = Counter()
    entered: dict[int, dict[int, float]] = {}  # each player's events, with the chance of being paired there
    for number, tournament in enumerate(tournaments):
        players = tournament.players
        if len(players) == 2:  # noqa: PLR2004  a match
            continue
        met.update({_pair(board.white, board.black) for board in tournament.boards})
        numbers = {board.round for board in tournament.boards}
        rounds = (
            max(numbers) - min(numbers) + 1 if numbers else 0
        )  # a part of an event begins later than with one
        chance = min(1.0, NEAR * rounds / (len(players) - 1))
        for player in players:
            entered.setdefault(player, {})[number] = chance
    signals = []
    for (player, other), times in met.items():
        if times < LEAST_MEETINGS:
            continue
        joint = [chance for number, chance in entered[player].items() if number in entered[other]]
        chances = score_distribution([(1 - p, p, 0.0) for p in joint])
        figures = {"times": times, "events": len(joint)}
        signals.append(Signal("repeated-pair", (player, other), "", figures, float(chances[times:].sum())))
    return surviving(signals, len(met))


def _matches(tournaments: Sequence[Tournament]) -> list[Signal]:
    """Report two players with match after match."""
    played = (tournament.players for tournament in tournaments)
    counts = Counter((players[0], players[1]) for players in played if len(players) == 2)  # noqa: PLR2004  a match
    return [
        Signal("repeated-matches", pair, "", {"times": times})
        for pair, times in sorted(counts.items())
        if times >= MATCHES
    ]
