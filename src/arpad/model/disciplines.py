"""The two disciplines: one value for chess and one for draughts, which answer the questions that depend on the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from arpad.model.canonical_json import load
from arpad.model.chess import PlayerState
from arpad.model.draughts import DraughtsState
from arpad.model.json_values import from_capital, from_state, to_capital, to_state
from arpad.model.rules import CHESS_LISTS, DRAUGHTS_LISTS, ListName


def merge_chess_states(states: dict[int, str], merged: Mapping[int, int]) -> dict[int, str]:
    """Merge the states of merged players (dropped → kept); the kept player's values win."""
    for dropped, player in merged.items():
        if dropped in states:
            dropped_standing = to_state(dropped, states.pop(dropped))
            kept_standing = to_state(player, states[player]) if player in states else PlayerState(player)
            states[player] = from_state(_joined_standing(kept_standing, dropped_standing))
    return states


def _joined_standing(standing: PlayerState, dropped: PlayerState) -> PlayerState:
    """Return one state of two: the rating of the number kept, else the other's; games and tranches add up."""
    leading = standing if standing.rating is not None or dropped.rating is None else dropped
    rated = leading.rating is not None
    return replace(
        leading,
        player=standing.player,
        games=standing.games + dropped.games,
        peak=max(standing.peak, dropped.peak),
        last_list=max((d for d in (standing.last_list, dropped.last_list) if d), default=None),
        tranches=() if rated else (*standing.tranches, *dropped.tranches),
    )


def merge_draughts_states(states: dict[int, str], merged: Mapping[int, int]) -> dict[int, str]:
    """Merge the states of merged players (dropped → kept); the kept player's capital wins."""
    for dropped, player in merged.items():
        if dropped in states:
            dropped_standing = replace(to_capital(states.pop(dropped)), id=str(player))
            states[player] = from_capital(
                _joined_capital(to_capital(states[player]), dropped_standing)
                if player in states
                else dropped_standing
            )
    return dict(sorted(states.items()))


def _joined_capital(standing: DraughtsState, dropped: DraughtsState) -> DraughtsState:
    """Return one state of two: the higher category, the later event; the points taken belong to the capital."""
    leading = standing if standing.capital is not None or dropped.capital is None else dropped
    played = [day for day in (standing.last_event, dropped.last_event) if day is not None]
    return replace(
        leading,
        name=standing.name,
        category=max(standing.category, dropped.category, key=lambda category: category.rank),
        title=standing.title or dropped.title,
        last_event=max(played, default=None),
        history_known=standing.history_known or dropped.history_known,
        idle_years=min(standing.idle_years, dropped.idle_years),
        fmjd=standing.fmjd or dropped.fmjd,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Discipline:
    """Chess or draughts: its lists, and how their players, events and states differ."""

    name: str
    system: str
    """The rating system of its lists."""

    lists: tuple[ListName, ...]
    schemes: tuple[str, ...]
    """The bodies whose numbers identify players in reports, the first one first."""

    measure: str
    """The figure of a player on a list: a ``rating``, or a ``capital``."""

    grade: str
    """What a list shows beside the rating: a FIDE ``title``, a ``category``, or how a system has ``printed`` it."""

    main_list: ListName | None
    """The list whose ratings replace those that a player lacks on another list; None if there is none."""

    by_time_control: bool
    """Whether the time control of an event decides on which list it is rated; else an officer names the list."""

    by_season: bool
    """Whether a list rates all events of its year once more, in their order, from the end of the last year.

    Otherwise each event is rated once, with the ratings in force on its first day.
    """

    merge_states: Callable[[dict[int, str], Mapping[int, int]], dict[int, str]]
    """Merge the states of players with two numbers (dropped → kept)."""

    rating_of: Callable[[str], int | None]
    """Return the rating, or the capital, in a state."""

    category_of: Callable[[str], str]
    """Return the category held in a state; empty at chess."""

    is_inactive: Callable[[str], bool]
    """Return whether a state is that of an inactive player; never at draughts."""

    pending_events: Callable[[str], int]
    """Return how many events of an unrated player a state keeps; none at draughts."""

    with_name: Callable[[str, str, int | None], str]
    """Return a state with another name of the player, and another number if one is given, if it contains them."""

    @property
    def is_own(self) -> bool:
        """Whether a rating system computes its lists, beside those of FIDE and Elo-Rubele."""
        return not self.lists

    @property
    def has_titles(self) -> bool:
        """Whether the lists show FIDE titles."""
        return self.grade == "title"

    @property
    def has_categories(self) -> bool:
        """Whether the lists show categories."""
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
        if self.is_own:
            return ()
        if self.by_season:
            return (self.other_list(on_list),)
        return tuple(name for name in self.lists_used(on_list) if name != on_list)

    def other_list(self, on_list: ListName) -> ListName:
        """Return the first list of the discipline except this one."""
        return next(name for name in self.lists if name != on_list)


def _capital_with_name(state: str, name: str, number: int | None) -> str:
    standing = to_capital(state)
    return from_capital(replace(standing, name=name, id=standing.id if number is None else str(number)))


CHESS = Discipline(
    name="chess",
    system="fide",
    lists=CHESS_LISTS,
    schemes=("fide", "fsi"),
    measure="rating",
    grade="title",
    main_list=ListName.STANDARD,
    by_time_control=True,
    by_season=False,
    merge_states=merge_chess_states,
    rating_of=lambda state: to_state(0, state).rating,
    category_of=lambda _state: "",
    is_inactive=lambda state: to_state(0, state).inactive,
    pending_events=lambda state: len(to_state(0, state).tranches),
    with_name=lambda state, _name, _number: state,
)

DRAUGHTS = Discipline(
    name="draughts",
    system="rubele",
    lists=DRAUGHTS_LISTS,
    schemes=("fid", "fmjd"),
    measure="capital",
    grade="category",
    main_list=None,
    by_time_control=False,
    by_season=True,
    merge_states=merge_draughts_states,
    rating_of=lambda state: to_capital(state).capital,
    category_of=lambda state: to_capital(state).category,
    is_inactive=lambda _state: False,
    pending_events=lambda _state: 0,
    with_name=_capital_with_name,
)

DISCIPLINES = (CHESS, DRAUGHTS)


@cache
def _of_system(game: str, system: str) -> Discipline:
    """Return the discipline of the lists that a rating system computes; they are rated again from their start."""
    return replace(
        next(it for it in DISCIPLINES if it.name == game),
        lists=(), system=system, measure="rating", grade="printed", main_list=None, by_season=True,
        merge_states=_merged_by_number, rating_of=_whole_rating, category_of=lambda _state: "",
        is_inactive=lambda _state: False, pending_events=lambda _state: 0,
        with_name=lambda state, _name, _number: state,
    )  # fmt: skip


def _merged_by_number(states: dict[int, str], merged: Mapping[int, int]) -> dict[int, str]:
    """Merge the states of merged players (dropped → kept); that of the kept number wins."""
    for dropped, player in merged.items():
        if dropped in states:
            state = states.pop(dropped)
            states.setdefault(player, state)
    return dict(sorted(states.items()))


def _whole_rating(state: str) -> int | None:
    """Return the whole part of the rating in a state."""
    rating = load(state).get("rating")
    return None if rating is None else int(Fraction(rating))


_BY_LIST = {name: discipline for discipline in DISCIPLINES for name in discipline.lists}


def discipline_of(on_list: ListName) -> Discipline:
    """Return the discipline of a list."""
    return _of_system(on_list.game, on_list.system) if on_list.is_own else _BY_LIST[on_list]
