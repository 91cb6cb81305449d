"""The wins to leave out of a number of games so that the opponents are allowed and their ratings are highest.

The limits on a choice of games look at titles, federations and unrated opponents only, so that two sets of wins that
leave the same numbers of each are alike, and only the one with the lower ratings matters. ``highest_total`` goes
through the opponents one after the other and keeps one set for each combination of numbers: the work grows with the
number of combinations, not with the number of sets.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import accumulate
from typing import NamedTuple, TypeAlias

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
        total = _Removal(kept, wins, number, least, terms, limits, persons - remaining).highest()
        if total is not None:
            best = least = total
    return best


class _Person(NamedTuple):
    """An opponent with the wins that may be left out: the lowest ones first."""

    example: NormGame
    values: tuple[int, ...]
    unrated: tuple[bool, ...]
    stays: bool
    """Whether another game against this opponent is kept in any case."""


_State: TypeAlias = tuple[int, int, int, int, int, int, bool, bool]
"""How many opponents with a title, with a title sought, and in all may still go, and how many federations; how many
unrated opponents, and how many of the present federation, have gone, as far as they must; whether somebody of this
federation is left, if that matters; whether the lowest opponent of those kept has been raised."""

_Layers: TypeAlias = list[dict[_State, int]]
"""For each number of wins left out: the states, each with the least loss of ratings."""


class _Option(NamedTuple):
    """A number of wins against one opponent to leave out, and what this changes."""

    wins: int
    titled: int
    sought: int
    persons: int
    unrated: int
    here: int
    left: bool
    raises: bool
    """Whether this opponent is the one who is raised."""

    loss: int


NEVER = 1 << 40


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
        """Take the number of opponents of whom nothing is left, if it matters."""
        self.kept, self.wins, self.number, self.least = kept, wins, number, least
        self.terms, self.persons = terms, persons
        everybody = {game.person: game for game in (*kept, *wins)}
        own, games = terms.record.player.federation, (*kept, *wins)
        counts = Counter(game.federation for game in (everybody.values() if terms.by_person else games))
        counts.pop("", None)
        tested = limits.federations_tested and not terms.exempt
        most = dict.fromkeys(counts, limits.one_most)
        most[own] = min(limits.one_most, limits.own_most)
        self.excess = {name: n - most[name] for name, n in counts.items() if tested and n > most[name]}
        """How many must go of each federation with too many opponents."""

        may_go = len(counts.keys() - {own}) - limits.federations_least if tested else len(counts)
        vanishing = counts.keys() - {own, "", *(game.federation for game in kept)} if tested else set()
        self.vanishing = vanishing if may_go < len(vanishing) else set()
        """Foreign federations of which nobody may be left, if it matters."""

        refused = limits.unrated_most is not None and refuses(terms.rules.unrated_share)
        unrated = sum(game.rating is None for game in games) - (limits.unrated_most or 0)
        self.unrated = max(0, unrated) if refused else 0
        """How many unrated opponents must go."""

        titled = sum(map(terms.is_titled, everybody.values())) - limits.titled_least
        sought = sum(map(terms.is_sought, everybody.values())) - limits.sought_least
        self.total = sum(map(terms.value, games))
        self.start: _State = (titled, sought, persons or 0, may_go, 0, 0, False, False)

    def highest(self) -> int | None:
        """Return the highest sum of ratings with every limit, or None."""
        terms, people = self.terms, self._people()
        if min(self.start) < 0 or self.unrated > self.number or not self.excess.keys() <= people.keys():
            return None
        if sum(self.excess.values()) > (self.number if self.persons is None else self.persons):
            return None
        values = list(map(terms.value, self.kept))
        layers: _Layers = [{self.start: 0}, *({} for _ in range(self.number))]
        if values and min(values) < terms.floor:
            layers[0][*self.start[:-1], True] = min(values) - terms.floor
        later = Counter(value for group in people.values() for person in group for value in person.values)
        for federation, group in people.items():
            for person in group:
                later -= Counter(person.values)
                layers = self._next(layers, person, sorted(later.elements()))
            layers = [self._closed(layer, federation) for layer in layers]
        ends = layers[self.number].items()
        losses = [
            loss for (_, _, persons, _, unrated, *_), loss in ends if not persons and unrated == self.unrated
        ]
        best = self.total - min(losses, default=NEVER)
        return best if best >= self.least else None

    def _people(self) -> dict[str, list[_Person]]:
        """Return the opponents against whom a win may be left out, by federation, those with too many first."""
        staying, value = {game.person for game in self.kept}, self.terms.value
        by_person: defaultdict[str, list[NormGame]] = defaultdict(list)
        for game in sorted(self.wins, key=lambda game: (value(game), game.rating is not None)):
            by_person[game.person].append(game)
        people: defaultdict[str, list[_Person]] = defaultdict(list)
        for person, games in by_person.items():
            unrated = tuple(game.rating is None for game in games)
            people[games[0].federation].append(
                _Person(games[0], tuple(map(value, games)), unrated, person in staying)
            )
        return dict(sorted(people.items(), key=lambda item: item[0] not in self.excess))

    def _options(self, person: _Person) -> Iterator[_Option]:
        """Yield the numbers of wins that may be left out, the lowest first."""
        terms, federation = self.terms, person.example.federation
        titled, sought = terms.is_titled(person.example), terms.is_sought(person.example)
        for wins, loss in enumerate((0, *accumulate(person.values))):
            whole = wins == len(person.values)
            goes = whole and not person.stays
            here = (int(goes) if terms.by_person else wins) if federation in self.excess else 0
            option = _Option(
                wins, goes and titled, goes and sought, goes and self.persons is not None,
                sum(person.unrated[:wins]) if self.unrated else 0, here,
                federation in self.vanishing and not goes, raises=False, loss=loss,
            )  # fmt: skip
            yield option
            if not whole and person.values[wins] < terms.floor:
                yield option._replace(raises=True, loss=loss + person.values[wins] - terms.floor)

    def _next(self, layers: _Layers, person: _Person, later: Sequence[int]) -> _Layers:
        """Return the states with one more opponent; ``later`` are the ratings of the wins against those to come."""
        cheapest, raised_by = [0, *accumulate(later)], max(0, self.terms.floor - min(later, default=NEVER))
        options, must_go = list(self._options(person)), self.excess.get(person.example.federation, 0)
        self.terms.budget.spend((len(person.values) + 1) * sum(map(len, layers)))
        after: _Layers = [{} for _ in layers]
        for wins, layer in enumerate(layers):
            for option in options:
                missing = self.number - wins - option.wins
                if not 0 <= missing < len(cheapest):
                    continue
                target = after[wins + option.wins]
                most = self.total - self.least - cheapest[missing] - option.loss
                for state, loss in layer.items():
                    titled, sought, persons, federations, unrated, here, left, raised = state
                    may_go = (titled - option.titled, sought - option.sought, persons - option.persons)
                    if min(may_go) < 0 or (raised and option.raises):
                        continue
                    if loss > most + (0 if raised or option.raises else raised_by):
                        continue
                    gone = (min(self.unrated, unrated + option.unrated), min(must_go, here + option.here))
                    new = (*may_go, federations, *gone, left or option.left, raised or option.raises)
                    target[new] = min(loss + option.loss, target.get(new, NEVER))
        return after

    def _closed(self, layer: dict[_State, int], federation: str) -> dict[_State, int]:
        """Return the states after the last opponent of a federation."""
        must_go, may_vanish = self.excess.get(federation, 0), federation in self.vanishing
        if not must_go and not may_vanish:
            return layer
        after: dict[_State, int] = {}
        for before, loss in layer.items():
            titled, sought, persons, federations, unrated, here, left, raised = before
            remaining = federations - (may_vanish and not left)
            if here == must_go and remaining >= 0:
                state = (titled, sought, persons, remaining, unrated, 0, False, raised)
                after[state] = min(loss, after.get(state, NEVER))
        return after
