"""The wins to leave out of a number of games so that the opponents are allowed and their ratings are highest.

The limits on a choice of games look at titles, federations and unrated opponents only, so that two sets of wins that
leave the same numbers of each are alike, and only the one with the lower ratings matters. ``highest_total`` goes
through the opponents one after the other and keeps one set for each combination of numbers: the work grows with the
number of combinations, not with the number of sets.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple

from arpad.model.rules import Rule
from arpad.regulations.fide.titles.games import NormRecord
from arpad.regulations.fide.titles.requirements import (
    DOUBLE_ROUND_ROBIN,
    Mix,
    MixLimits,
    NormGame,
    exemption,
    mix,
    mix_limits,
)
from arpad.regulations.fide.titles.rules import NormTitle, TitleRules, refuses

MOST_ROUNDS = 99
"""Rounds of an event, and so games of one player, in which norms are looked for: more than any event has."""

MOST_STEPS, MOST_STEPS_OF_SEARCH = 3_000_000, 400_000
"""Steps of all searches in one report, and of one search: a step takes about a microsecond."""


QUICK_STEPS = 20_000
"""Steps of all searches that a web worker makes itself for one request."""

_quick: ContextVar[bool] = ContextVar("quick", default=False)


class OutOfStepsError(Exception):
    """A search took all its steps without an end."""


@contextmanager
def quick_searches() -> Iterator[None]:
    """Give the searches in this context few steps; they fail with ``OutOfStepsError`` instead of being undecided."""
    token = _quick.set(True)
    try:
        yield
    finally:
        _quick.reset(token)


def _steps() -> int:
    return QUICK_STEPS if _quick.get() else MOST_STEPS


@dataclass(slots=True)
class Budget:
    """The steps that remain to the searches in a report, and to the present one."""

    report: int = field(default_factory=_steps)
    search: int = MOST_STEPS_OF_SEARCH

    @property
    def must_end(self) -> bool:
        """Whether a search that is stopped is no answer."""
        return _quick.get()

    def begin(self) -> None:
        """Begin another search."""
        self.search = MOST_STEPS_OF_SEARCH

    def spend(self, steps: int) -> None:
        """Count steps; end the search if there are no more."""
        self.report -= steps
        self.search -= steps
        if self.report < 0 or self.search < 0:
            raise OutOfStepsError


@dataclass(frozen=True, slots=True)
class Terms:
    """The player, title and rules of one search."""

    record: NormRecord
    title: NormTitle
    rules: TitleRules
    budget: Budget

    @property
    def floor(self) -> int:
        """The rating to which the lowest opponent is raised."""
        return self.rules.raised_to.value.of(self.title)

    @property
    def exemption(self) -> Rule[bool] | None:
        """The rule that frees the player from the articles on federations, or None."""
        return exemption(self.record.player, self.record.event, self.rules)

    @property
    def exempt(self) -> bool:
        """Whether the player is free from the articles on federations."""
        return self.exemption is not None

    @property
    def by_person(self) -> bool:
        """Whether the limits count different opponents instead of games."""
        return self.record.event.system == DOUBLE_ROUND_ROBIN

    def value(self, game: NormGame) -> int:
        """Return the rating with which an opponent counts."""
        return self.rules.unrated_as.value if game.rating is None else game.rating

    def mix(self, games: Sequence[NormGame]) -> Mix:
        """Return titles and federations of the opponents in some games, each with its limit."""
        return mix(games, self.title, self.record.player, self.record.event, self.rules)

    def limits(self, games: int, persons: int) -> MixLimits:
        """Return the limits on the opponents in so many games against so many persons."""
        return mix_limits(games, persons, self.title, self.record.event, self.rules)

    def total(self, games: Sequence[NormGame]) -> int:
        """Return the sum of the ratings with the lowest raised."""
        values = [self.value(game) for game in games]
        return sum(values) + max(0, self.floor - min(values, default=self.floor))

    def is_titled(self, game: NormGame) -> bool:
        """Return whether an opponent has one of the titles of which half must be."""
        return game.title in self.rules.titled_share.value.titles

    def is_sought(self, game: NormGame) -> bool:
        """Return whether an opponent has one of the titles of which a third must be."""
        return game.title in self.rules.sought(self.title).value.titles


def highest_total(
    kept: Sequence[NormGame], wins: Sequence[NormGame], number: int, least: int, terms: Terms
) -> int | None:
    """Return the highest sum of ratings without so many of the wins, the lowest raised; None if it is below ``least``.

    The other wins and the games kept must keep the limits on opponents.
    """
    games = len(kept) + len(wins) - number
    if not terms.by_person:
        return _Removal(kept, wins, number, least, terms, terms.limits(games, 0), None).highest()
    persons = len({game.person for game in (*kept, *wins)})
    staying = len({game.person for game in kept})
    best: int | None = None
    for remaining in range(max(1, staying, persons - number), persons + 1):
        limits = terms.limits(games, remaining)
        removal = _Removal(kept, wins, number, least, terms, limits, persons - remaining)
        found = removal.highest()
        if found is not None and (best is None or found > best):
            best, least = found, found
    return best


class _Person(NamedTuple):
    """An opponent with the wins that may be left out: the lowest ones first."""

    example: NormGame
    values: tuple[int, ...]
    unrated: tuple[bool, ...]
    stays: bool
    """Whether another game against this opponent is kept in any case."""


# A state is one whole number with a byte for each thing that is counted. The first four bytes say how many may still
# go; the highest bit of each is set, and a subtraction clears it if more go than may.
_RAISED, _LEFT = 1, 2
"""Whether the lowest opponent of those kept has been raised; whether somebody of the present federation is left."""

_TITLED, _SOUGHT, _PERSONS, _FEDERATIONS, _UNRATED, _HERE = (1 << 8 * place for place in range(1, 7))
"""``_HERE`` counts those of the present federation that are left out, up to what must go; ``_UNRATED`` likewise."""

_MAY_GO = 128 * (_TITLED + _SOUGHT + _PERSONS + _FEDERATIONS)
_BYTE, NEVER = 255, 1 << 40

_Layers = list[dict[int, int]]
"""For each number of wins left out: the states, each with the least loss of ratings."""


class _Option(NamedTuple):
    """A number of wins against one opponent to leave out, and what this changes."""

    wins: int
    goes: int
    """The number to subtract from the state."""

    left: int
    unrated: int
    here: int
    loss: int
    bonus: int
    """By how much the rating of this opponent would be raised."""


class _Bounds:
    """The least loss of ratings that a state must still expect, and the most that is allowed."""

    def __init__(self, people: Sequence[_Person], number: int, most: int, floor: int) -> None:
        self.total = most
        self.least: list[list[int]] = []
        """For the opponents from each place on: the sum of the lowest wins, as many as are asked for."""

        self.bonus: list[int] = []
        """The most by which one of these opponents can be raised."""

        values: list[int] = []
        bonus = 0
        for person in (*reversed(people), None):
            self.least.append([0, *accumulate(values[:number])])
            self.bonus.append(bonus)
            if person is not None:
                values = sorted((*values, *person.values))
                bonus = max(bonus, floor - person.values[0])
        self.least.reverse()
        self.bonus.reverse()

    def most(self, place: int, missing: int, raised: int) -> int:
        """Return the most loss with which so many more wins can go from a place on; none if there are not so many."""
        least = self.least[place]
        if missing >= len(least):
            return -NEVER
        return self.total - least[missing] + (0 if raised else self.bonus[place])


class _Removal:
    """The search for the wins to leave out of one number of games."""

    def __init__(
        self,
        kept: Sequence[NormGame],
        wins: Sequence[NormGame],
        number: int,
        least: int,
        terms: Terms,
        limits: MixLimits,
        persons: int | None,
    ) -> None:
        self.kept, self.wins, self.number, self.terms, self.limits = kept, wins, number, terms, limits
        self.persons = persons
        """The number of opponents of whom nothing is left, if it matters."""

        self.least = least
        everybody = {game.person: game for game in (*kept, *wins)}
        self.titled = sum(map(terms.is_titled, everybody.values())) - limits.titled_least
        """Opponents with a title of whom nothing need be left; ``sought`` and ``federations`` likewise."""

        self.sought = sum(map(terms.is_sought, everybody.values())) - limits.sought_least
        counts = Counter(
            game.federation for game in (everybody.values() if terms.by_person else (*kept, *wins))
        )
        counts.pop("", None)
        kept_persons = {game.person for game in kept}
        leaving = [game for person, game in everybody.items() if person not in kept_persons]
        self.counted = (
            _TITLED * (sum(map(terms.is_titled, leaving)) > self.titled)
            + _SOUGHT * (sum(map(terms.is_sought, leaving)) > self.sought)
            + _PERSONS * (persons is not None)
        )
        """The counts that leaving out too many wins can break."""

        own = terms.record.player.federation
        tested = limits.federations_tested and not terms.exempt
        self.excess = {
            federation: count - most
            for federation, count in counts.items()
            if tested
            and count
            > (most := min(limits.one_most, limits.own_most) if federation == own else limits.one_most)
        }
        """How many must go of each federation with too many opponents."""

        self.federations = len(counts.keys() - {own}) - limits.federations_least if tested else len(counts)
        staying = {own, "", *(game.federation for game in kept)}
        self.vanishing = counts.keys() - staying if tested else frozenset()
        """Foreign federations of which nobody may be left."""

        unrated = sum(game.rating is None for game in (*kept, *wins))
        refused = limits.unrated_most is not None and refuses(terms.rules.unrated_share)
        self.unrated = max(0, unrated - (limits.unrated_most or 0)) if refused else 0
        """How many unrated opponents must go."""

    def highest(self) -> int | None:
        """Return the highest sum of ratings, or None."""
        if min(self.titled, self.sought, self.federations) < 0 or self.unrated > self.number:
            return None
        if sum(self.excess.values()) > (self.number if self.persons is None else self.persons):
            return None
        people = self._people()
        if not self.excess.keys() <= people.keys():
            return None
        return self._exactly(people)

    def _people(self) -> dict[str, list[_Person]]:
        """Return the opponents against whom a win may be left out, by federation, those with too many first."""
        staying = {game.person for game in self.kept}
        by_person: defaultdict[str, list[NormGame]] = defaultdict(list)
        for game in self.wins:
            by_person[game.person].append(game)
        people: defaultdict[str, list[_Person]] = defaultdict(list)
        for person, games in by_person.items():
            games.sort(key=lambda game: (self.terms.value(game), game.rating is not None))
            people[games[0].federation].append(
                _Person(
                    games[0],
                    tuple(map(self.terms.value, games)),
                    tuple(game.rating is None for game in games),
                    person in staying,
                )
            )
        return dict(sorted(people.items(), key=lambda item: item[0] not in self.excess))

    # --------------------------------------------------------------------------------------- with every limit

    def _exactly(self, people: dict[str, list[_Person]]) -> int | None:
        """Return the highest sum of ratings with every limit."""
        terms, number = self.terms, self.number
        values = list(map(terms.value, self.kept))
        total = sum(values) + sum(map(terms.value, self.wins))
        bounds = _Bounds(
            [item for group in people.values() for item in group], number, total - self.least, terms.floor
        )
        start = _MAY_GO + self.titled * _TITLED + self.sought * _SOUGHT + self.federations * _FEDERATIONS
        start += (self.persons or 0) * _PERSONS
        layers: _Layers = [{start: 0}, *({} for _ in range(number))]
        if values and min(values) < terms.floor:
            layers[0][start | _RAISED] = min(values) - terms.floor
        place = 0
        for federation, group in people.items():
            for person in group:
                place += 1
                layers = self._next(layers, person, bounds, place)
            layers = [self._closed(layer, federation) for layer in layers]
        losses = [loss for state, loss in layers[number].items() if self._is_enough(state)]
        return total - min(losses) if losses else None

    def _is_enough(self, state: int) -> bool:
        """Return whether everything has gone that must."""
        persons_left = self.persons is not None and state // _PERSONS & 127
        return not persons_left and state // _UNRATED & _BYTE >= self.unrated

    def _options(self, person: _Person) -> list[_Option]:
        terms, federation = self.terms, person.example.federation
        gone = (
            _TITLED * terms.is_titled(person.example) + _SOUGHT * terms.is_sought(person.example) + _PERSONS
        )
        gone &= self.counted
        followed = federation in self.excess or self._may_vanish(federation)
        options = []
        for wins, loss in enumerate((0, *accumulate(person.values))):
            whole = wins == len(person.values)
            goes = whole and not person.stays
            options.append(
                _Option(
                    wins,
                    gone if goes else 0,
                    0 if goes or not followed else _LEFT,
                    sum(person.unrated[:wins]) if self.unrated else 0,
                    (int(goes) if terms.by_person else wins) if federation in self.excess else 0,
                    loss,
                    0 if whole else max(0, terms.floor - person.values[wins]),
                )
            )
        return options

    def _next(self, layers: _Layers, person: _Person, bounds: _Bounds, place: int) -> _Layers:
        """Return the states with one more opponent; ``place`` is that of the next one."""
        options, must_go = self._options(person), self.excess.get(person.example.federation, 0)
        self.terms.budget.spend(len(options) * sum(map(len, layers)))
        after: _Layers = [{} for _ in layers]
        for wins, layer in enumerate(layers):
            for option in options[: self.number - wins + 1]:
                count = wins + option.wins
                most = [bounds.most(place, self.number - count, raised) for raised in (0, 1)]
                target = after[count]
                for state, loss in layer.items():
                    new, new_loss = state - option.goes, loss + option.loss
                    if new & _MAY_GO != _MAY_GO or new_loss > most[0] + option.bonus:
                        continue
                    new |= option.left
                    if option.here:
                        new += _HERE * min(option.here, must_go - (new // _HERE & _BYTE))
                    if option.unrated:
                        new += _UNRATED * min(option.unrated, self.unrated - (new // _UNRATED & _BYTE))
                    if new_loss <= most[new & _RAISED] and new_loss < target.get(new, new_loss + 1):
                        target[new] = new_loss
                    if option.bonus and not new & _RAISED:
                        new, new_loss = new | _RAISED, new_loss - option.bonus
                        if new_loss <= most[1] and new_loss < target.get(new, new_loss + 1):
                            target[new] = new_loss
        return after

    def _closed(self, layer: dict[int, int], federation: str) -> dict[int, int]:
        """Return the states after the last opponent of a federation."""
        must_go, may_vanish = self.excess.get(federation, 0), self._may_vanish(federation)
        if not must_go and not may_vanish:
            return layer
        after: dict[int, int] = {}
        for state, loss in layer.items():
            here = state // _HERE & _BYTE
            new = (state - here * _HERE) & ~_LEFT
            if may_vanish and not state & _LEFT:
                new -= _FEDERATIONS
            if here >= must_go and new & _MAY_GO == _MAY_GO and loss < after.get(new, loss + 1):
                after[new] = loss
        return after

    def _may_vanish(self, federation: str) -> bool:
        """Return whether it matters if nobody of a federation is left."""
        return self.federations < len(self.vanishing) and federation in self.vanishing
