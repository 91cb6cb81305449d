"""Alternatives to the regulations, run over the same games as a yardstick: logistic Elo, Glicko-2 and DWZ."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import groupby

from arpad.model.real_numbers import UNIT, fifty_digits
from arpad.regulations.dwz.performance import probability
from arpad.regulations.dwz.state import DwzState
from arpad.regulations.dwz.system import SYSTEM as DWZ
from arpad.regulations.glicko2.formulas import winning_chance
from arpad.regulations.glicko2.state import GlickoState
from arpad.regulations.glicko2.system import SYSTEM as GLICKO
from arpad.regulations.systems import edition_on, rate_unit
from arpad.regulations.units import Entrant, Game, Unit
from arpad.studies.calibration import logistic
from arpad.studies.history import HistoryGame, HistoryPlayer

ELO_K = 20
GLICKO_DEVIATION, GLICKO_VOLATILITY = Decimal(80), Decimal("0.06")


def forecasts(
    games: Sequence[HistoryGame], people: Mapping[int, HistoryPlayer] | None = None
) -> dict[str, Mapping[int, float]]:
    """Return White's chances by position of the game; the first half of the months is used to learn."""
    months = sorted({_month(game.day) for game in games})
    since = months[len(months) // 2] if months else (0, 0)
    return {
        "elo": dict(_elo(games, since)),
        "glicko-2": dict(_glicko(games, since)),
        "dwz": dict(_dwz(games, people or {}, since)),
    }


def _month(day: date) -> tuple[int, int]:
    return day.year, day.month


def _by_month(games: Sequence[HistoryGame]) -> Iterator[tuple[tuple[int, int], list[int]]]:
    order = sorted(range(len(games)), key=lambda index: (_month(games[index].day), index))
    for month, indices in groupby(order, key=lambda index: _month(games[index].day)):
        yield month, list(indices)


def _elo(games: Sequence[HistoryGame], since: tuple[int, int]) -> Iterator[tuple[int, float]]:
    """Yield the forecasts of plain Elo: one K, the logistic curve, monthly, from the first published ratings."""
    ratings: dict[int, float] = {}
    for month, indices in _by_month(games):
        gains: dict[int, float] = {}
        for index in indices:
            game = games[index]
            white = ratings.setdefault(game.white, game.white_rating)
            black = ratings.setdefault(game.black, game.black_rating)
            expected = logistic(white - black)
            if month >= since:
                yield index, expected
            gain = ELO_K * (game.score / 2 - expected)
            gains[game.white] = gains.get(game.white, 0.0) + gain
            gains[game.black] = gains.get(game.black, 0.0) - gain
        for player, gain in gains.items():
            ratings[player] += gain


def _glicko(games: Sequence[HistoryGame], since: tuple[int, int]) -> Iterator[tuple[int, float]]:
    """Yield the forecasts of Glicko-2 with a month as its rating period, from the first published ratings."""
    rules = GLICKO.editions[-1].rules
    states: dict[str, GlickoState] = {}
    for month, indices in _by_month(games):
        played = []
        for index in indices:
            game = games[index]
            white, black = str(game.white), str(game.black)
            for player, rating in ((white, game.white_rating), (black, game.black_rating)):
                states.setdefault(player, GlickoState(Decimal(rating), GLICKO_DEVIATION, GLICKO_VOLATILITY))
            if month >= since:
                one, other = states[white], states[black]
                with fifty_digits():
                    chance = winning_chance(one.rating, one.rd, other.rating, other.rd)
                yield index, float(chance)
            played.append(Game(white, black, Fraction(game.score, 2)))
        entrants = {player: Entrant(state) for player, state in states.items()}
        rated = rate_unit(GLICKO, Unit(entrants=entrants, games=tuple(played)), rules).players
        states = {player: it.after for player, it in rated.items() if it.after is not None}


def _dwz(
    games: Sequence[HistoryGame], people: Mapping[int, HistoryPlayer], since: tuple[int, int]
) -> Iterator[tuple[int, float]]:
    """Yield the forecasts of DWZ: one event after the other, from the first published ratings.

    Its ratings are exact, as an office computes them; only the forecast itself is a float.
    """
    states: dict[int, DwzState] = {}
    first_edition = DWZ.editions[0].applies_from
    for day, indices in _by_event(games):
        event = [games[index] for index in indices]
        entrants: dict[str, Entrant[DwzState]] = {}
        for game in event:
            for player, rating in ((game.white, game.white_rating), (game.black, game.black_rating)):
                state = states.setdefault(player, DwzState(rating))
                born = people[player].born if player in people else None
                entrants[str(player)] = Entrant(state, facts={} if born is None else {"born": born})
        for index, game in zip(indices, event, strict=True):
            if _month(game.day) >= since:
                white, black = (states[player].rating or 0 for player in (game.white, game.black))
                yield index, probability(white - black) / UNIT
        played = tuple(Game(str(it.white), str(it.black), Fraction(it.score, 2), it.round) for it in event)
        unit = Unit(entrants=entrants, games=played, last_day=day)
        rules = edition_on(DWZ, max(day, first_edition)).rules
        for name, outcome in rate_unit(DWZ, unit, rules).players.items():
            if outcome.after is not None:
                states[int(name)] = outcome.after


def _by_event(games: Sequence[HistoryGame]) -> list[tuple[date, list[int]]]:
    """Return the games of each event with its last day, in the order of the chain."""
    events: dict[str, list[int]] = {}
    for index, game in enumerate(games):
        events.setdefault(game.event, []).append(index)
    last = {event: max(games[index].day for index in indices) for event, indices in events.items()}
    return [(last[event], events[event]) for event in sorted(events, key=lambda event: (last[event], event))]
