"""The interface of a rating system: what it is given, what it returns, and how it differs from the others.

A system is a folder below ``regulations`` whose ``SYSTEM`` is a value of ``System``; ``FOLDERS`` names them.
Its functions are pure: they get states, games and rules, and return new states with their derivation. All numbers that
leave a system are integers or fractions; inside it may compute as its text demands.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction
from typing import Any, Generic, TypeVar

from arpad.model.canonical_json import load
from arpad.model.rules import Confidence, Edition, Fact, ListName, Rule, Step
from arpad.regulations.outcomes import Line, Outcome
from arpad.regulations.system_fields import Field
from arpad.regulations.units import Entrant, Number, Unit, order_by_days, rating_in, values_of

S = TypeVar("S")
"""The state of a player between two units."""

R = TypeVar("R")
"""What an edition sets: a frozen dataclass whose fields are values of ``Rule``."""


class Driver(StrEnum):
    """What is rated at once, and which ratings it sees."""

    PERIOD = "period"
    """All games of a period together, from the states in force at its start."""

    CHAIN = "chain"
    """One event after the other, each from the states that the one before it left."""


class DecidingDay(StrEnum):
    """The day of a unit that decides under which edition it is rated."""

    FIRST = "first"
    LAST = "last"


# ------------------------------------------------------------------------------------------------- editions


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemEdition(Generic[R]):
    """One edition of a system's text, with its two days."""

    id: str
    applies_from: date
    """The first deciding day of the units that are rated by it, also of those rated again."""

    known_since: date | None = None
    """The day on which it was announced, if that was later: a list made before it could not use it."""

    source: str
    """The text that it was taken from."""

    rules: R

    def is_known(self, day: date | None) -> bool:
        """Return whether an office could know the edition on a day; without a day, it could."""
        return day is None or (self.known_since or self.applies_from) <= day


def editions_by_list(
    editions: Iterable[Edition[R]], lists: tuple[ListName, ...]
) -> tuple[SystemEdition[R], ...]:
    """Return printed editions as those of a system: of its first list by day, of the others only by name."""
    return tuple(
        SystemEdition(
            id=edition.id if name == lists[0] else f"{edition.id}-{name}",
            applies_from=edition.starts(name) if name == lists[0] and not edition.by_name_only else date.max,
            source=edition.source,
            rules=edition.on(name),
        )
        for name in reversed(lists)
        for edition in editions
        if name in edition.lists
    )


def doubts(*rules: Rule[Any] | None) -> Iterator[Step]:
    """Yield a step for each rule that was not read in the text itself, after the step in which it decided."""
    for rule in rules:
        if rule is not None and rule.confidence is not Confidence.VERIFIED:
            yield Step(rule.article, "rule-doubt", str(rule.confidence))


# ---------------------------------------------------------------------------------------------- the system


@dataclass(frozen=True, slots=True)
class Turn(Generic[S, R]):
    """A day on which the states of all players change once, before its events or, as at a year's end, after them."""

    day: date
    change: Callable[[S, R], S]
    after_events: bool = False
    article: str = ""

    @property
    def place(self) -> tuple[str, ...]:
        """The place in the chain, among those of ``System.order``."""
        return (str(self.day), LAST) if self.after_events else (str(self.day),)


LAST = "~"
"""Comes after every day of an event, which the place of an event has second."""


def _no_turns(_first: date, _last: date) -> tuple[Turn[Any, Any], ...]:
    return ()


def _no_facts(_minutes: int, _players: int) -> Mapping[str, Fact]:
    return {}


def _everybody(_day: date) -> None:
    return None


def _nothing(_name: str, _day: Fact, _unit: Unit[Any], _rules: Any) -> None:
    return None


def _no_state(_entrant: Entrant[Any], _rules: Any) -> None:
    return None


# ---------------------------------------------------------------------------------------------- stored states


def _whole_rating(state: str) -> int | None:
    rating = load(state).get("rating")
    return None if rating is None else int(Fraction(rating))


def _kept(_player: int, kept: str | None, dropped: str) -> str:
    return dropped if kept is None else kept


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredStates:
    """What is asked of states as they are stored, in canonical JSON; by default of one with a ``rating``."""

    in_columns: bool = False
    """Whether the tables of lists have their figures in columns, rather than their text."""

    rating_of: Callable[[str], int | None] = _whole_rating
    category_of: Callable[[str], str] = lambda _state: ""
    is_inactive: Callable[[str], bool] = lambda _state: False
    pending_events: Callable[[str], int] = lambda _state: 0
    """Return how many events of an unrated player a state keeps."""

    with_name: Callable[[str, str, int | None], str] = lambda state, _name, _number: state
    """Return a state with another name of the player, and another number if one is given, if it contains them."""

    joined: Callable[[int, str | None, str], str] = _kept
    """Return the one state of a player, of that of the kept number, if there is one, and that of the dropped one."""

    def merge(self, states: Mapping[int, str], merged: Mapping[int, int]) -> dict[int, str]:
        """Return the states with those of merged players joined (dropped → kept)."""
        kept = dict(states)
        for dropped, player in merged.items():
            if dropped in kept:
                state = kept.pop(dropped)
                kept[player] = self.joined(player, kept.get(player), state)
        return dict(sorted(kept.items()))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class System(Generic[S, R]):
    """A rating system as a value."""

    id: str
    driver: Driver
    deciding_day: DecidingDay
    editions: tuple[SystemEdition[R], ...]
    """Oldest first. An edition that applies from the same day as another comes after it and replaces it."""

    fields: tuple[Field, ...]
    """What the JSON of an entrant may have, besides ``fixed``."""

    unit_facts: tuple[Field, ...] = ()
    """What the JSON of a unit may have under ``facts``."""

    parse: Callable[[Mapping[str, Any], str], Entrant[S]]
    """Return the entrant of typed values, among them always ``fixed``; refuse what cannot be, naming the place."""

    values: Callable[[Entrant[S]], Mapping[str, Any]] = values_of
    """Return the values of an entrant, from which ``parse`` makes it again."""

    rating_of: Callable[[S], Number | None] = rating_in
    """Return the rating in a state, of which a change is the difference."""

    rate: Callable[[Unit[S], R], Outcome[S]]
    """Rate all players of a unit together, from the states before it."""

    line: Callable[[S, R, date | None], Line]
    """Return how a list of a day prints a state."""

    order: Callable[[Unit[S]], tuple[Any, ...]] = order_by_days
    """Return the place of a unit in the chain, in texts and numbers."""

    turns: Callable[[date, date], Iterable[Turn[S, R]]] = _no_turns
    """Return what time does to all states between two days, both included; in the order of the days."""

    checks: tuple[str, ...] = ("no-first-day",)
    """The findings of FIDE's chapters that are errors also for an event that counts on lists of the system alone."""

    k_field: str = ""
    """The field of a player's K, which an officer may decide."""

    event_facts: Callable[[int, int], Mapping[str, Fact]] = _no_facts
    """Return the facts of an event that follow from its time control and its players: how many, and the minutes of
    the whole main time plus the seconds for a move."""

    counts_on: Callable[[Mapping[str, Fact], int], bool] | None = None
    """Return whether an event counts on a list, by the facts of the list and those minutes; None if all events do."""

    members_since: Callable[[date], date | None] = _everybody
    """Return the first day from which a member is on the list of a day; None if everybody is."""

    takes_from_day: Callable[[str, Any, Unit[S], R], object] = _nothing
    """Return what the fact ``born`` or ``joined``, or None, says about a player of a unit.

    Two days that say the same give the same ratings, so that one may replace the other where people are not named.
    """

    start: Callable[[Entrant[S], R], S | None] = _no_state
    """Return the state with which a newcomer begins, if the system gives one before the first game."""

    lists: tuple[ListName, ...] = ()
    """Its lists that are the same everywhere; an office has lists of its own only of a system without any."""

    main_list: ListName | None = None
    """The list whose ratings replace those that a player lacks on another one."""

    computed_by: str = "arpad.lists.system_table.compute_own_list"
    """The function that computes a list from its inputs: the fold over its units, or a quicker twin of it."""

    rates_again: bool = True
    """Whether a list rates all its events once more, from a year's end or an imported list.

    Otherwise each event is rated once, with the ratings in force on its first day.
    """

    measure: str = "rating"
    """The figure of a player on a list: a ``rating``, or a ``capital``."""

    grade: str = "printed"
    """What a list shows beside the rating: a FIDE ``title``, a ``category``, or how the system has ``printed`` it."""

    stored: StoredStates = StoredStates()

    @property
    def is_own(self) -> bool:
        """Whether its lists are an office's own."""
        return not self.lists

    @property
    def has_titles(self) -> bool:
        """Whether its lists show FIDE titles."""
        return self.grade == "title"

    @property
    def has_categories(self) -> bool:
        """Whether its lists show categories."""
        return self.grade == "category"

    def stand_in_for(self, on_list: ListName) -> ListName | None:
        """Return the list whose ratings replace missing ones of a list, or None."""
        return None if on_list == self.main_list else self.main_list

    def lists_used(self, on_list: ListName) -> tuple[ListName, ...]:
        """Return the lists whose ratings the events of a list may use: its own, and the one for missing ratings."""
        stand_in = self.stand_in_for(on_list)
        return (on_list,) if stand_in is None else (on_list, stand_in)

    def lists_entering(self, on_list: ListName) -> tuple[ListName, ...]:
        """Return the other lists from which a list takes ratings or categories."""
        used = self.lists if self.rates_again else self.lists_used(on_list)
        return tuple(name for name in used if name != on_list)

    def other_list(self, on_list: ListName) -> ListName:
        """Return the first list of the system except this one."""
        return next(name for name in self.lists if name != on_list)
