"""What US Chess keeps of a player in one system, and the initial rating of a newcomer (chapter 2)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from typing import Any

from arpad.model.errors import BadInput
from arpad.model.exact import half_up
from arpad.model.rules import Rule
from arpad.regulations.outcomes import Line
from arpad.regulations.system_fields import birth, day, flag, list_of, real_number, row, whole
from arpad.regulations.units import Entrant
from arpad.regulations.uschess.formulas import History, absolute_floor, peak_floor
from arpad.regulations.uschess.rules import Conversion, UschessRules

_LEAST, _MOST = 100, 4000
_COUNTS = ("games", "wins", "draws", "losses", "events")
_FACTS = ("initial", "others", "fide", "cfc", "born", "adult")


@dataclass(frozen=True, slots=True, kw_only=True)
class UschessState:
    """A player in one of the six systems; the rating is not rounded."""

    rating: Fraction
    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    events: int = 0
    """Events with at least three games."""

    peak: int | None = None
    """The highest printed rating as an established player over the board, regular."""

    floor: int | None = None
    """A personal floor that the office entered: a prize, a life master."""

    matches: tuple[tuple[date, Fraction], ...] = ()
    """Days and changes of matches, whose sum is limited."""

    @property
    def history(self) -> History:
        """Return whether all earlier games were won, or lost (4.1)."""
        if self.draws or bool(self.wins) == bool(self.losses):
            return History.MIXED
        return History.WINS if self.wins else History.LOSSES


_RATING, _GAMES = real_number("rating", _LEAST, _MOST), whole("games", 0, 99_999)
_PAIR = row("initial", "uschess-pair", _RATING, _GAMES)
"""A rating and the games that it counts for."""

FIELDS = (
    _RATING,
    *(replace(_GAMES, name=name) for name in _COUNTS),
    *(whole(name, _LEAST, _MOST) for name in ("peak", "floor")),
    list_of("matches", row("", "uschess-match-pair", day("day"), real_number("change", -_MOST, _MOST)).read),
    _PAIR,
    list_of("others", _PAIR.read),
    *(whole(name, 1, _MOST) for name in ("fide", "cfc")),
    birth("born"),
    flag("adult"),
)


def parse(values: Mapping[str, Any], place: str) -> Entrant[UschessState]:
    """Return the entrant of typed values; refuse counts without a rating, and more results than games."""
    facts = {name: values[name] for name in _FACTS if name in values}
    fixed, parts = values["fixed"], {name: values[name] for name in values if name not in {*_FACTS, "fixed"}}
    if not parts and not fixed:
        return Entrant(None, facts=facts)
    if "initial" in facts:
        raise BadInput("state-contradicts", option=f"{place}.initial", field="rating")
    for name in ("rating", *(() if fixed else ("games",))):
        if name not in parts:
            raise BadInput("value-missing", option=f"{place}.{name}")
    state = UschessState(**parts)
    if state.wins + state.draws + state.losses > state.games:
        raise BadInput("uschess-more-results", option=place, games=state.games)
    return Entrant(state, fixed, facts)


def line(state: UschessState, rules: UschessRules, _day: date | None) -> Line:
    """Return how a list prints a state: the nearest whole number, a provisional one with its games (chapter 1)."""
    figure = half_up(state.rating)
    provisional = state.games <= rules.provisional_games.value
    text = f"{figure}/{state.games}" if provisional else str(figure)
    return Line(figure=figure, text=text, columns={"games": state.games, "floor": floor_of(state, rules)})


def floor_of(state: UschessState, rules: UschessRules) -> int:
    """Return the highest floor of a state: of everybody, of its peak, or personal (chapter 5)."""
    floors = (
        absolute_floor(state.wins, state.draws, state.events, rules),
        peak_floor(state.peak, rules),
        state.floor,
    )
    return max(floor for floor in floors if floor is not None)


# ------------------------------------------------------------------------------------------- initial ratings


@dataclass(frozen=True, slots=True)
class Initial:
    """An initial rating, the games that it counts for, and the rule that gave it."""

    rating: Fraction
    games: int
    source: str
    rule: Rule[Any]
    mixed: bool = False
    """Whether several ratings were mixed by weights that are not known."""


def initial_rating(facts: Mapping[str, Any], last_day: date | None, rules: UschessRules) -> Initial:
    """Return the initial rating of a newcomer: given, from other ratings, or by age (chapter 2)."""
    if "initial" in facts:
        rating, games = facts["initial"]
        return Initial(rating, games, "initial", Rule(rating, "2"))
    known = _other_ratings(facts, rules)
    if len(known) > 1 and rules.blended.value:
        games = sum(item.games for item in known)
        mean = sum((item.games * item.rating for item in known), Fraction(0)) / games
        return Initial(mean, min(games, rules.initial_games.value), "blended", rules.blended, mixed=True)
    return known[0] if known else _by_age(facts, last_day, rules)


def _other_ratings(facts: Mapping[str, Any], rules: UschessRules) -> list[Initial]:
    """Return the ratings of a newcomer elsewhere, in their order of precedence (chapter 2)."""
    most, others = rules.initial_games, sorted(facts.get("others", ()), key=lambda pair: -pair[1])
    known = [Initial(rating, min(games, most.value), "others", most) for rating, games in others if games]
    sources = (("fide", rules.fide), ("cfc", rules.cfc))
    return known + [_converted(facts[name], name, rule) for name, rule in sources if name in facts]


def _converted(rating: int, source: str, rule: Rule[tuple[int, Conversion, Conversion]]) -> Initial:
    bound, low, high = rule.value
    factor, points, games = low if rating <= bound else high
    return Initial(factor * rating + points, games, source, rule)


def rating_by_age(born: Any, last_day: date | None, rules: UschessRules) -> Fraction | None:
    """Return the initial rating that a birth gives at the end of an event; None if it is not known (chapter 2)."""
    return None if born is None else _by_age({"born": born}, last_day, rules).rating


def _by_age(facts: Mapping[str, Any], last_day: date | None, rules: UschessRules) -> Initial:
    """Return 50 points for each year of age at the end of the event, within limits (chapter 2)."""
    born = facts.get("born")
    if born is None:
        adult, other = rules.age_unknown.value
        return Initial(Fraction(adult if facts.get("adult") else other), 0, "age-unknown", rules.age_unknown)
    if last_day is None:
        raise BadInput("uschess-end-needed", option="end")
    points, youngest, oldest, low, high = rules.age.value
    birthday = born if isinstance(born, date) else date(born, 7, 1)
    age = Fraction((last_day - birthday).days * 4, 1461)
    rating = Fraction(low if age < youngest else high) if not youngest <= age <= oldest else points * age
    return Initial(rating, 0, "age", rules.age)


def start(entrant: Entrant[UschessState], rules: UschessRules) -> UschessState | None:
    """Return the state of a newcomer with a rating elsewhere; one by age needs the day of the event (chapter 2)."""
    if "initial" not in entrant.facts and not _other_ratings(entrant.facts, rules):
        return None
    found = initial_rating(entrant.facts, None, rules)
    return UschessState(rating=found.rating, games=found.games)
