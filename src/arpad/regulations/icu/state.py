"""The state of a player between two events of the ICU, its JSON, K, and the printed rating."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any

from arpad.model.errors import BadInput
from arpad.model.rules import Fact
from arpad.model.typed_values import HIGHEST_K, HIGHEST_RATING
from arpad.regulations.icu.rules import LIFT, LIFT_LIST, PRINTED_FLOORS, SEASON, VERSION_0, IcuRules
from arpad.regulations.outcomes import Line
from arpad.regulations.system_fields import day, flag, whole
from arpad.regulations.units import Entrant

FIELDS = (
    whole("rating", -HIGHEST_RATING, HIGHEST_RATING),
    whole("games", 1, 10**6),
    whole("k", 1, HIGHEST_K),
    day("born"),
    day("joined"),
    flag("inherited"),
)
_YEAR_DAYS = 366
_PERSON = ("k", "born", "joined")


@dataclass(frozen=True, slots=True)
class IcuState:
    """A rating and the games behind it; None if they are unknown, but enough for a full rating."""

    rating: int
    games: int | None
    inherited: bool = False
    """Whether the rating is that of the system before 2012: March 2024 raised only its printed figure (L)."""

    def is_full(self, rules: IcuRules = VERSION_0) -> bool:
        """Return whether the rating is full, rather than provisional (C6)."""
        return self.games is None or self.games >= rules.full_games.value


def parse(values: Mapping[str, Any], place: str) -> Entrant[IcuState]:
    """Return the entrant of a JSON object; refuse a state that is none of the four kinds."""
    facts = {name: values[name] for name in _PERSON if name in values}
    rating, games, k = values.get("rating"), values.get("games"), values.get("k")
    if rating is None:
        if values["fixed"] or games is not None or k is not None:
            raise BadInput("value-missing", option=f"{place}.rating")
        return Entrant(None, facts=facts)
    state = IcuState(rating, games, values.get("inherited", False))
    if values["fixed"]:
        return Entrant(state, fixed=True, facts=facts)
    if games is None and k is None:
        raise BadInput("value-missing", option=f"{place}.games")
    if k is not None and not state.is_full():
        raise BadInput("icu-k-of-provisional", option=f"{place}.k", games=VERSION_0.full_games.value)
    return Entrant(state, facts=facts)


def coefficient(
    rating: int, facts: Mapping[str, Fact], first_day: date | None, rules: IcuRules
) -> tuple[int, str]:
    """Return the K of an established player on the first day of an event, and the reason (K)."""
    if isinstance(given := facts.get("k"), int):
        return given, "given"
    high, high_k = rules.k_high_rating.value
    if rating >= high:
        return high_k, "rating"
    if is_recent("born", facts.get("born"), first_day, rules):
        return rules.k_young.value[1], "age"
    if is_recent("joined", facts.get("joined"), first_day, rules):
        return rules.k_new_member.value[1], "membership"
    return rules.k.value, "others"


def is_recent(name: str, day: Fact, first_day: date | None, rules: IcuRules) -> bool:
    """Return whether a birth makes a junior on the first day of an event, or a day of joining a new member (K)."""
    rule, unknown = (
        (rules.k_young, rules.unknown_birth) if name == "born" else (rules.k_new_member, rules.unknown_entry)
    )
    if first_day is None:
        raise BadInput("value-missing", option="start")
    return years_between(day if isinstance(day, date) else unknown.value, first_day) < rule.value[0]


def years_between(first: date, last: date) -> Fraction:
    """Return the years between two days: of the calendar, and 366ths for the days of the year (K)."""
    days = last.timetuple().tm_yday - first.timetuple().tm_yday
    return last.year - first.year + Fraction(days, _YEAR_DAYS)


def line(state: IcuState, rules: IcuRules, day: date | None) -> Line:
    """Return how a list prints a state: with its floor, and the games of a provisional rating (L)."""
    list_day = day or date.max
    rating = state.rating
    figure = printed_rating(rating, list_day) if state.inherited else max(rating, _floor(list_day))
    text = str(figure) if state.is_full(rules) else f"{figure}/{state.games}"
    return Line(figure=figure, text=text, columns={"games": state.games})


def members_since(day: date) -> date | None:
    """Return the first day of the seasons whose members are on the list of a day; in March 2024 everybody was (L)."""
    if day == LIFT_LIST.value:
        return None
    season, before = SEASON.value
    begun = day.year if day.month >= season else day.year - 1
    return date(begun - (season <= day.month <= before), season, 1)


def lift(state: IcuState) -> IcuState:
    """Return a state as it goes on from the list of March 2024 (L)."""
    rating = state.rating if state.inherited else printed_rating(state.rating, LIFT_LIST.value)
    return replace(state, rating=rating)


def printed_rating(rating: int, list_day: date) -> int:
    """Return what the list of a day makes of a rating: with its floor, then lifted in March 2024 (L)."""
    figure = max(rating, _floor(list_day))
    return lifted(figure) if list_day == LIFT_LIST.value else figure


def _floor(day: date) -> int:
    return next(floor.value for since, floor in reversed(PRINTED_FLOORS) if since <= day)


def lifted(rating: int) -> int:
    """Return a rating raised towards 2000, cut to the whole number (L)."""
    limit, part, whole_part = LIFT.value
    return rating if rating >= limit else rating + (limit - rating) * part // whole_part
