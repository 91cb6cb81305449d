"""One event of DWZ, evaluated for all players at once: who counts, newcomers, performances, changes (3.4 to 3.6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import TypeAlias

from arpad.model.errors import BadInput
from arpad.model.exact import half_up
from arpad.model.real_numbers import is_doubtful, real
from arpad.regulations.dwz.coefficient import Development, change, development
from arpad.regulations.dwz.expectation import UNIT
from arpad.regulations.dwz.performance import (
    Performance,
    Result,
    expectation,
    first_rating,
    joint,
    performance,
)
from arpad.regulations.dwz.rules import DwzRules
from arpad.regulations.dwz.state import DwzState, RestGame, start
from arpad.regulations.rating_system import Unit

Played: TypeAlias = tuple[str, int, int | None]
"""A game as one player sees it: the opponent, the score in half-points, the round."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A first rating."""

    level: int
    results: tuple[Result, ...]
    fictitious: bool
    """Whether a draw against the average opponent was added."""

    performance: Performance
    unrounded: Fraction
    rating: int | None
    """None if the performance is negative, which gives none."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the event does to a player with a rating."""

    half_points: int
    games: int
    expected: int
    """In units of 10**-40."""

    development: Development
    unrounded: Fraction
    rounded: int
    rating: int
    """Not below the least rating."""

    doubtful: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """All numbers of an event."""

    states: Mapping[str, DwzState | None]
    """Before the event."""

    played: Mapping[str, Sequence[Played]]
    ratings: Mapping[str, int]
    """R0 of the established."""

    newcomers: tuple[Mapping[str, Newcomer], ...]
    """As they were computed first, and again if a performance was special."""

    performances: Mapping[str, Performance]
    special: Mapping[str, int]
    """Players with a rating who count for their opponents with their performance."""

    evaluations: Mapping[str, Evaluation]
    after: Mapping[str, DwzState | None]
    stored: Mapping[str, int] = field(default_factory=dict)
    """How many rest games of this event are kept for a player without a rating."""

    def value(self, player: str) -> int | None:
        """Return the rating with which a player counts for the others."""
        if player in self.special:
            return self.special[player]
        newcomer = self.newcomers[-1].get(player)
        return newcomer.rating if newcomer else self.ratings.get(player)


def evaluate(unit: Unit[DwzState], rules: DwzRules) -> Evaluated:
    """Return all numbers of an event (3.4 to 3.6)."""
    states = {name: entrant.state or start(entrant, rules) for name, entrant in unit.entrants.items()}
    played = _played(unit)
    ratings = {name: state.rating for name, state in states.items() if state and state.rating is not None}
    rest = {
        name: _kept(state, unit.last_day, rules) for name, state in states.items() if state and state.rest
    }
    levels = _levels(played, ratings, rest, rules)
    newcomers = [_newcomers(levels, played, ratings, rest, rules)]
    values = _values(ratings, newcomers[-1])
    rated = [name for name in ratings if not unit.entrants[name].fixed]
    performances = {
        name: found for name in rated if (found := _performance(played[name], values, rules)) is not None
    }
    special = _special(performances, ratings, rules)
    if special:
        newcomers.append(_newcomers(levels, played, {**ratings, **special}, rest, rules))
        values = _values({**ratings, **special}, newcomers[-1])
    evaluations = {
        name: evaluation
        for name in rated
        if (evaluation := _evaluation(name, unit, states, played[name], values, rules)) is not None
    }
    after, stored = _after(unit, states, played, ratings, newcomers[-1], levels, evaluations, rest)
    return Evaluated(
        states=states,
        played=played,
        ratings=ratings,
        newcomers=tuple(newcomers),
        performances=performances,
        special=special,
        evaluations=evaluations,
        after=after,
        stored=stored,
    )


def _played(unit: Unit[DwzState]) -> dict[str, list[Played]]:
    """Return the games of every player, in the order of the unit."""
    played: dict[str, list[Played]] = {name: [] for name in unit.entrants}
    for game in unit.games:
        half_points = 2 * game.score.numerator // game.score.denominator
        played[game.player].append((game.opponent, half_points, game.round))
        played[game.opponent].append((game.player, 2 - half_points, game.round))
    return played


def _kept(state: DwzState, last_day: date | None, rules: DwzRules) -> tuple[RestGame, ...]:
    """Return the rest games that have not expired: two years after the last day of their event (4.1.1)."""
    return tuple(
        item
        for item in state.rest
        if item.day is None or last_day is None or last_day <= _years_later(item.day, rules.rest_years.value)
    )


def _years_later(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year + years)
    except ValueError:  # 29 February
        return date(day.year + years, 3, 1)


# ------------------------------------------------------------------------------------------------ selections


def _levels(
    played: Mapping[str, Sequence[Played]],
    ratings: Mapping[str, int],
    rest: Mapping[str, Sequence[RestGame]],
    rules: DwzRules,
) -> dict[str, int]:
    """Return the newcomers of the first and second level (3.4.1 to 3.4.3)."""
    levels: dict[str, int] = {}
    for level in (1, 2):
        selection = {*ratings, *levels}
        chosen = [
            name
            for name in played
            if name not in selection
            and _qualifies(
                [
                    *(half for opponent, half, _ in played[name] if opponent in selection),
                    *(int(2 * item.score) for item in rest.get(name, ())),
                ],
                rules,
            )
        ]
        levels.update(dict.fromkeys(chosen, level))
    return levels


def _qualifies(half_points: Sequence[int], rules: DwzRules) -> bool:
    """Return whether a newcomer has enough games, and neither no point nor all (3.4.2)."""
    score, most = sum(half_points), 2 * len(half_points)
    if len(half_points) < rules.newcomer_games.value or score == 0:
        return False
    return score < most or rules.fictitious_draw.value


# --------------------------------------------------------------------------------- newcomers and performances


def _newcomers(
    levels: Mapping[str, int],
    played: Mapping[str, Sequence[Played]],
    ratings: Mapping[str, int],
    rest: Mapping[str, Sequence[RestGame]],
    rules: DwzRules,
) -> dict[str, Newcomer]:
    """Return the first ratings of all newcomers, solved together (3.4.4)."""
    results: dict[str, tuple[Result, ...]] = {}
    drawn: set[str] = set()
    for name in levels:
        own = [
            *_results(played[name], levels, ratings),
            *(Result(g.opponent, g.score) for g in rest.get(name, ())),
        ]
        known = [item.opponent for item in own if isinstance(item.opponent, int)]
        if known and all(item.score == 1 for item in own):
            own.append(Result(half_up(Fraction(sum(known), len(known))), Fraction(1, 2)))
            drawn.add(name)
        results[name] = tuple(own)
    found: dict[str, Newcomer] = {}
    for name, solved in joint(results, rules).items():
        unrounded = first_rating(solved.value, rules)
        negative = rules.first_raised is not None and solved.value < 0
        rating = None if negative else half_up(unrounded)
        found[name] = Newcomer(levels[name], results[name], name in drawn, solved, unrounded, rating)
    return found


def _results(
    played: Sequence[Played], levels: Mapping[str, int], ratings: Mapping[str, int]
) -> Iterator[Result]:
    for opponent, half_points, _ in played:
        if opponent in ratings:
            yield Result(ratings[opponent], Fraction(half_points, 2))
        elif opponent in levels:
            yield Result(opponent, Fraction(half_points, 2))


def _values(ratings: Mapping[str, int], newcomers: Mapping[str, Newcomer]) -> dict[str, int]:
    """Return the ratings with which the players of selection II count for their opponents."""
    return {**ratings, **{name: item.rating for name, item in newcomers.items() if item.rating is not None}}


def _performance(played: Sequence[Played], values: Mapping[str, int], rules: DwzRules) -> Performance | None:
    """Return Rh of a player with enough counted games (3.6 / 4.8)."""
    counted = [(values[opponent], half_points) for opponent, half_points, _ in played if opponent in values]
    if len(counted) < rules.newcomer_games.value:
        return None
    score = Fraction(sum(half_points for _, half_points in counted), 2)
    return performance([rating for rating, _ in counted], score, rules)


def _special(
    performances: Mapping[str, Performance], ratings: Mapping[str, int], rules: DwzRules
) -> dict[str, int]:
    """Return who performed so far above the rating that the opponents met the performance (3.6.3 / 4.8.2)."""
    if rules.special_above is None:
        return {}
    above = rules.special_above.value
    return {name: item.value for name, item in performances.items() if item.value - ratings[name] > above}


# ------------------------------------------------------------------------------------------------- new ratings


def _evaluation(
    name: str,
    unit: Unit[DwzState],
    states: Mapping[str, DwzState | None],
    played: Sequence[Played],
    values: Mapping[str, int],
    rules: DwzRules,
) -> Evaluation | None:
    """Return what the event does to a player with a rating and at least one counted game (3.5 / 4.9)."""
    state, facts = states[name], unit.entrants[name].facts
    if state is None or state.rating is None:
        return None
    own = state.rating
    half_points = games = expected = 0
    for opponent, half, _ in played:
        rating = values.get(opponent)
        if rating is not None:
            half_points, games, expected = (
                half_points + half,
                games + 1,
                expected + expectation(own, rating, rules),
            )
    if not games:
        return None
    surplus = Fraction(half_points * UNIT // 2 - expected, UNIT)
    given = facts.get("coefficient")
    if isinstance(given, int | Fraction):
        found = Development(Fraction(given))
    else:
        index = 1 if state.entered and rules.age_terms else state.index
        found = development(own, index, _age(facts.get("born"), unit.last_day), surplus, rules)
    unrounded = own + change(surplus, found.value, games, rules)
    rounded = half_up(unrounded)
    least = rules.rating_least.value if rules.rating_least else 1
    doubtful = found.doubtful or is_doubtful(real(unrounded))
    return Evaluation(half_points, games, expected, found, unrounded, rounded, max(rounded, least), doubtful)


def _age(born: object, last_day: date | None) -> int | None:
    """Return the age at an event, None if the birth is not known (3.2)."""
    if born is None:
        return None
    if last_day is None:
        raise BadInput("dwz-end-needed", option="end")
    return last_day.year - (born.year if isinstance(born, date) else int(str(born)))


def _after(
    unit: Unit[DwzState],
    states: Mapping[str, DwzState | None],
    played: Mapping[str, Sequence[Played]],
    ratings: Mapping[str, int],
    newcomers: Mapping[str, Newcomer],
    levels: Mapping[str, int],
    evaluations: Mapping[str, Evaluation],
    rest: Mapping[str, Sequence[RestGame]],
) -> tuple[dict[str, DwzState | None], dict[str, int]]:
    """Return the states after the event, and how many rest games it adds (3.4.4, 3.4.5, 4.1.1)."""
    after: dict[str, DwzState | None] = {}
    stored: dict[str, int] = {}
    selection = {**ratings}
    for name, item in newcomers.items():
        if levels[name] == 1 and item.rating is not None:
            selection[name] = item.rating
    for name, state in states.items():
        entrant = unit.entrants[name]
        newcomer = newcomers.get(name)
        if entrant.fixed or entrant.facts.get("member") is False:
            after[name] = entrant.state
        elif name in evaluations and state is not None:
            index = None if state.index is None else state.index + 1
            after[name] = DwzState(evaluations[name].rating, index)
        elif newcomer is not None and newcomer.rating is not None:
            after[name] = DwzState(newcomer.rating, 1)
        elif name in ratings or not played[name]:
            after[name] = entrant.state
        else:
            new = [
                RestGame(selection[opponent], Fraction(half, 2), unit.last_day)
                for opponent, half, _ in played[name]
                if opponent in selection
            ]
            kept = (*rest.get(name, ()), *sorted(new, key=lambda item: (item.opponent, item.score)))
            after[name] = DwzState(rest=kept) if kept else None
            stored[name] = len(new)
    return after, stored
