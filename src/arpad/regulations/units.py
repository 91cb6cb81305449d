"""What a rating system rates: units of games between entrants, from their states, and their order in a chain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, Generic, TypeAlias, TypeVar

from arpad.model.rules import Fact

S = TypeVar("S")
"""The state of a player between two units."""

Number: TypeAlias = int | Fraction


@dataclass(frozen=True, slots=True)
class Entrant(Generic[S]):
    """A player of a unit: the state before it, and what the calculation must know of the person."""

    state: S | None
    """None for a newcomer, of whom nothing is known."""

    fixed: bool = False
    """Whether the player serves opponents and is not rated, as a guest."""

    facts: Mapping[str, Fact] = field(default_factory=dict)
    """Facts of the person on the day of the unit, and what an officer decided: born, joined, k."""


def values_of(
    entrant: Entrant[Any], *, of_newcomers: tuple[str, ...] = (), always: frozenset[str] = frozenset()
) -> dict[str, Any]:
    """Return the values of an entrant whose state is a dataclass, by the names of its attributes.

    What is not known is left out, except what is ``always`` there; of a guest also what has its default. A rated player
    has no facts ``of_newcomers``.
    """
    state, facts = entrant.state, dict(entrant.facts)
    known: dict[str, Any] = {}
    if state is not None:
        parts = ((it, getattr(state, it.name)) for it in fields(state))
        known = {it.name: value for it, value in parts if not entrant.fixed or value != it.default}
        known = {name: it for name, it in known.items() if name in always or not _is_unknown(it)}
        if "rating" in known:
            facts = {name: value for name, value in facts.items() if name not in of_newcomers}
    values = {**known, **facts, **({"fixed": True} if entrant.fixed else {})}
    return {name: _plain(value) for name, value in values.items()}


def _is_unknown(value: Any) -> bool:
    return value is None or value is False or value == ()


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return Fraction(value)
    return tuple(_plain(it) for it in value if it is not None) if isinstance(value, tuple) else value


def rating_in(state: Any) -> Number | None:
    """Return the rating in a state that has one."""
    rating: Number | None = _plain(state.rating)
    return rating


@dataclass(frozen=True, slots=True)
class Game:
    """A rated game, once for both players."""

    player: str
    opponent: str
    score: Fraction
    """Of the player: 1, 1/2 or 0."""

    round: int | None = None
    event: int = 0
    """The number of its event, in a period that has the games of several."""

    def turned(self) -> Game:
        """Return the same game as the opponent sees it."""
        return Game(self.opponent, self.player, 1 - self.score, self.round, self.event)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit(Generic[S]):
    """What is rated at once: an event, a section or a period."""

    entrants: Mapping[str, Entrant[S]]
    """The players by name or number, in their order."""

    games: tuple[Game, ...]
    first_day: date | None = None
    last_day: date | None = None
    facts: Mapping[str, Fact] = field(default_factory=dict)
    name: str = ""
    number: int = 0
    """Name and number put units of the same days in order."""

    def games_by_player(self) -> dict[str, tuple[Game, ...]]:
        """Return the games of every player as that player sees them, in the order of the unit."""
        games: dict[str, list[Game]] = {player: [] for player in self.entrants}
        for game in self.games:
            games[game.player].append(game)
            games[game.opponent].append(game.turned())
        return {player: tuple(own) for player, own in games.items()}


def order_by_days(unit: Unit[Any]) -> tuple[Any, ...]:
    """Return the place of a unit in a chain: last day, first day, name, number."""
    last = unit.last_day or date.max
    return str(last), str(unit.first_day or last), unit.name, unit.number


def order_by_last_day(unit: Unit[Any]) -> tuple[Any, ...]:
    """Return the place of a unit by last day, then name or code, then number (2.2.3)."""
    return str(unit.last_day or unit.first_day or date.max), unit.name, unit.number


def scores_of(games: Iterable[Game]) -> Fraction:
    """Return the points of a player's own games."""
    return sum((game.score for game in games), Fraction(0))
