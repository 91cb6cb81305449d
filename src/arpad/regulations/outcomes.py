"""Outcomes of a unit: new states with their derivation, pass by pass, and the lines of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, Generic, TypeAlias, TypeVar

from arpad.model.real_numbers import fifty_digits
from arpad.model.rules import Fact, Finding, Step
from arpad.regulations.units import Game, Number, Unit

S = TypeVar("S")


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFigures:
    """A game in a pass: the opponent with the value that counts, the expectation, the contribution."""

    opponent: str
    round: int | None = None
    event: int = 0
    score: Fraction
    value: Number | None = None
    """The rating with which the opponent counts; None if there is none, and the game is not rated."""

    source: str = "rating"
    """The origin of that rating: a word of the section ``opponent-value``."""

    expected: Fraction | None = None
    contribution: Number = 0
    """The points that the game adds to the player's rating in this pass."""

    figures: Mapping[str, Fact] = field(default_factory=dict)
    """More figures of the game, as a weight; their names are words of the section ``figure``."""

    @classmethod
    def of(cls, game: Game, **figures: Any) -> GameFigures:
        """Return what a game did to its own player."""
        return cls(opponent=game.opponent, round=game.round, event=game.event, score=game.score, **figures)

    def step(self, article: str, quantity: str) -> Step:
        """Return what the game did as a step."""
        told = {"opponent": self.opponent, "rating": self.value, "source": self.source, "score": self.score}
        if self.value is None or self.expected is None:
            quantity = "game-unrated" if self.value is None else "game-without-expectation"
        else:
            told["expected"] = self.expected
        return Step(article, quantity, self.contribution, {**told, **self.figures})


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A change of a rating besides the games: a bonus, a floor, the rounding. A word of the section ``adjustment``."""

    name: str
    article: str
    value: Number


def adjusted(*items: tuple[str, str, Number]) -> tuple[Adjustment, ...]:
    """Return adjustments by name, article and value; those that change nothing are left out."""
    return tuple(Adjustment(*item) for item in items if item[2])


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass:
    """One pass of the calculation for one player.

    Of the last pass, contributions and adjustments add up to the change; of a player without a rating before, to the
    rating after.
    """

    name: str
    """A word of the section ``pass``: phase-1, first, final, period."""

    article: str
    number: int | None = None
    games: tuple[GameFigures, ...] = ()
    adjustments: tuple[Adjustment, ...] = ()
    steps: tuple[Step, ...] = ()
    result: Number | None = None
    """The player's value after the pass."""

    game_words: str = "game"
    """The sentence about a game, if the system has one of its own."""

    @property
    def derivation(self) -> tuple[Step, ...]:
        """The whole pass as steps: what each game did, how the result came about, and what was adjusted."""
        games = (game.step(self.article, self.game_words) for game in self.games)
        adjustments = (Step(it.article, "adjustment", it.value, {"name": it.name}) for it in self.adjustments)
        return (*games, *self.steps, *adjustments)

    def total(self) -> Number:
        """Return the sum of contributions and adjustments."""
        return sum(game.contribution for game in self.games) + sum(item.value for item in self.adjustments)


Derivation: TypeAlias = tuple[Mapping[str, Fact], Iterable[Pass]]
"""The figures that explain an outcome (score, games, expected, performance, k, bonus …), and its passes."""


@dataclass(frozen=True, kw_only=True)
class PlayerOutcome(Generic[S]):
    """The state of a player before and after a unit, with the derivation."""

    before: S | None
    after: S | None
    derive: Callable[[], Derivation] = field(default=lambda: ({}, ()), repr=False, compare=False)
    """Makes figures and passes when they are asked for: a chain that is rated again needs none."""

    @cached_property
    def _derived(self) -> tuple[Mapping[str, Fact], tuple[Pass, ...]]:
        with fifty_digits():
            figures, passes = self.derive()
            return figures, tuple(passes)

    @property
    def figures(self) -> Mapping[str, Fact]:
        """The figures that explain it."""
        return self._derived[0]

    @property
    def passes(self) -> tuple[Pass, ...]:
        """The passes of the calculation."""
        return self._derived[1]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps of all passes."""
        return tuple(step for part in self.passes for step in part.derivation)

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs: figures and passes, since no function can be sent there."""
        return {"before": self.before, "after": self.after, "_derived": self._derived}


@dataclass(frozen=True, slots=True)
class Outcome(Generic[S]):
    """The outcomes of all players of a unit, in their order, and its findings."""

    players: Mapping[str, PlayerOutcome[S]]
    findings: tuple[Finding, ...] = ()


def outcome_of(
    unit: Unit[S],
    after: Mapping[str, S | None],
    findings: Iterable[Finding],
    derive: Callable[[str], Derivation],
) -> Outcome[S]:
    """Return the outcome of all entrants, of whom ``derive`` returns figures and passes."""
    players = {
        name: PlayerOutcome(before=entrant.state, after=after[name], derive=partial(derive, name))
        for name, entrant in unit.entrants.items()
    }
    return Outcome(players, tuple(findings))


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A state as a list prints it."""

    figure: int | None
    """The printed rating; None if the player has none."""

    text: str
    """The figure with its marks, as the system writes it: 1742-81, 1500 ± 60."""

    columns: Mapping[str, Fact] = field(default_factory=dict)
    """The figures that a list shows beside the rating: index, deviation, floor."""

    findings: tuple[Finding, ...] = ()

    def findings_about(self, player: str) -> tuple[Finding, ...]:
        """Return the findings with the player whose line it is."""
        return tuple(replace(it, facts={**it.facts, "player": player}) for it in self.findings)
