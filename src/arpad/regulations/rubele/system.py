"""Elo-Rubele as a rating system: a chain of events, with the deductions of each year's end between them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import partial
from typing import Any

from arpad.model.draughts import FMJD_MOST, Category, DraughtsState, Title
from arpad.model.errors import BadInput
from arpad.model.exact import from_hundredths
from arpad.model.json_values import from_capital, to_capital
from arpad.model.rules import DRAUGHTS_LISTS, Fact
from arpad.regulations.outcomes import GameFigures, Line, Outcome, Pass, PlayerOutcome, adjusted
from arpad.regulations.rating_system import DecidingDay, Driver, StoredStates, System, Turn, editions_by_list
from arpad.regulations.rubele.capital import (
    FULL,
    CapitalChange,
    after_event,
    change,
    expected,
    is_first_of_year,
)
from arpad.regulations.rubele.categories import held_after
from arpad.regulations.rubele.editions import EDITIONS
from arpad.regulations.rubele.rules import DraughtsRules
from arpad.regulations.rubele.starting_capital import Debut, converted, newcomer
from arpad.regulations.rubele.year_end import year_end
from arpad.regulations.system_fields import choice, day, flag, real_number, whole
from arpad.regulations.units import Entrant, Game, Unit, scores_of

_HIGHEST = 9999
FIELDS = (
    whole("rating", 0, _HIGHEST),
    choice("category", *Category),
    day("last_event"),
    flag("foreign"),
    whole("idle_years", 0, 99),
    whole("malus", 0, _HIGHEST),
    choice("title", *Title),
    whole("fmjd", 1, FMJD_MOST),
)
_STATE = ("last_event", "foreign", "idle_years", "malus", "title", "fmjd")


def parse(values: Mapping[str, Any], place: str) -> Entrant[DraughtsState]:
    """Return the entrant of typed values; without a capital, a newcomer who may have a title or an FMJD rating."""
    given = {name: values[name] for name in _STATE if name in values}
    if values.get("rating") is None and values["fixed"]:
        raise BadInput("value-missing", option=f"{place}.rating")
    if values.get("rating") is None and values.get("category") is None:
        return Entrant(None, facts=given)
    if "title" in given:
        given["title"] = Title(given["title"])
    category = Category(values.get("category", Category.PROVINCIALE))
    return Entrant(DraughtsState("", values.get("rating"), category, **given), values["fixed"])


def values_of(entrant: Entrant[DraughtsState]) -> dict[str, Any]:
    """Return the values of an entrant, from which ``parse`` makes it again."""
    if (state := entrant.state) is None:
        return dict(entrant.facts)
    more = {name: value for name in _STATE if (value := getattr(state, name))}
    values = {
        "rating": state.capital,
        "category": str(state.category),
        **more,
        "fixed": entrant.fixed or None,
    }
    return {name: value for name, value in values.items() if value is not None}


def start(entrant: Entrant[DraughtsState], rules: DraughtsRules) -> DraughtsState:
    """Return the state of a newcomer: by a title or an FMJD rating, else with the lowest category (tables 11, 12)."""
    begun = _debut(entrant, rules)
    return DraughtsState("", begun.capital, begun.category)


def _debut(entrant: Entrant[DraughtsState], rules: DraughtsRules) -> Debut:
    """Return how a newcomer begins, or a foreign player whose capital was cancelled (tables 20 to 22)."""
    facts = values_of(entrant)
    return converted(facts.get("title"), facts.get("fmjd"), rules) or newcomer(rules)


def rate(unit: Unit[DraughtsState], rules: DraughtsRules) -> Outcome[DraughtsState]:
    """Rate an event: all expectations come from the capitals before it (tables 13 to 19)."""
    states: dict[str, DraughtsState] = {}
    debuts: dict[str, Debut] = {}
    for name, entrant in unit.entrants.items():
        states[name] = state = entrant.state or start(entrant, rules)
        if entrant.state is None or state.capital is None:
            debuts[name] = debut = _debut(entrant, rules)
            category = held_after(state.category, debut.capital, rules)
            states[name] = replace(state, capital=debut.capital, category=category)
    games = unit.games_by_player()
    return Outcome(
        {
            name: _player(entrant, states, name, games[name], unit, rules, debuts.get(name))
            for name, entrant in unit.entrants.items()
        }
    )


def _player(
    entrant: Entrant[DraughtsState],
    states: Mapping[str, DraughtsState],
    name: str,
    games: tuple[Game, ...],
    unit: Unit[DraughtsState],
    rules: DraughtsRules,
    debut: Debut | None,
) -> PlayerOutcome[DraughtsState]:
    if entrant.fixed or not games:
        return PlayerOutcome(before=entrant.state, after=entrant.state)
    state = states[name]
    capital, last_day = state.capital or 0, unit.last_day or unit.first_day
    opposing = [states[game.opponent].capital or 0 for game in games]
    expectations = [expected(capital, opponent, rules) for opponent in opposing]
    percent = unit.facts.get("weight")
    weight = Fraction(percent) / 100 if isinstance(percent, int | Fraction) else FULL
    result = change(
        capital, int(2 * scores_of(games)), sum(expectations), rules, weight=weight,
        first_of_year=state.history_known and is_first_of_year(state, last_day),
    )  # fmt: skip
    figures = tuple(
        GameFigures.of(
            game,
            value=opponent,
            expected=from_hundredths(expectation),
            contribution=result.s * weight * (2 * game.score - from_hundredths(expectation)),
        )
        for game, opponent, expectation in zip(games, opposing, expectations, strict=True)
    )
    begun = () if debut is None else (("rubele-start", rules.starting_capital.article, debut.capital),)
    explaining: dict[str, Fact] = {
        "score": Fraction(result.scored),
        "games": len(games),
        "expected": from_hundredths(result.expected),
        "change": result.unrounded - capital,
    }
    part = Pass(
        name="games",
        article=rules.s_coefficients.article,
        games=figures,
        adjustments=adjusted(*begun, *_adjustments(result, rules)),
        steps=(*(debut.steps if debut else ()), *result.steps),
        result=result.final,
    )
    after = after_event(state, result.final, held_after(state.category, result.final, rules), last_day, rules)
    return PlayerOutcome(before=entrant.state, after=after, derive=lambda: (explaining, (part,)))


def _adjustments(result: CapitalChange, rules: DraughtsRules) -> Iterator[tuple[str, str, int | Fraction]]:
    """Yield what changes a capital besides S times D: thresholds, rounding, bonus or Q, and the minimum."""
    rounded = rules.rounding.value(result.unrounded)
    added = rules.bonus or rules.quota
    yield (
        "rubele-thresholds",
        rules.s_thresholds.article,
        result.unrounded - result.capital - result.variation,
    )
    yield "rounding", rules.rounding.article, rounded - result.unrounded
    yield "bonus", added.article if added else "", result.added
    yield "floor", rules.minimum_capital.article, result.final - rounded - result.added


def _year_ends(first: date, last: date) -> Iterator[Turn[DraughtsState, DraughtsRules]]:
    """Yield the deductions of the years that end between two days (tables 18b, 22)."""
    for year in range(first.year, last.year + 1):
        yield Turn(date(year, 12, 31), partial(_closed, year), after_events=True)


def _closed(year: int, state: DraughtsState, rules: DraughtsRules) -> DraughtsState:
    return year_end([state], year, rules).standings[0]


def line(state: DraughtsState, _rules: DraughtsRules, _day: date | None) -> Line:
    """Return how a list prints a state: capital and category."""
    if state.capital is None:
        return Line(figure=None, text="")
    return Line(figure=state.capital, text=str(state.capital), columns={"category": str(state.category)})


def _joined(player: int, kept: str | None, dropped: str) -> str:
    """Return one state of two: the higher category, the later event; the points taken belong to the capital."""
    other = replace(to_capital(dropped), id=str(player))
    if kept is None:
        return from_capital(other)
    state = to_capital(kept)
    leading = state if state.capital is not None or other.capital is None else other
    return from_capital(
        replace(
            leading,
            name=state.name,
            category=max(state.category, other.category, key=lambda category: category.rank),
            title=state.title or other.title,
            last_event=max((day for day in (state.last_event, other.last_event) if day), default=None),
            history_known=state.history_known or other.history_known,
            idle_years=min(state.idle_years, other.idle_years),
            fmjd=state.fmjd or other.fmjd,
        )
    )


def _with_name(state: str, name: str, number: int | None) -> str:
    standing = to_capital(state)
    return from_capital(replace(standing, name=name, id=standing.id if number is None else str(number)))


SYSTEM: System[DraughtsState, DraughtsRules] = System(
    id="rubele",
    driver=Driver.CHAIN,
    deciding_day=DecidingDay.FIRST,
    editions=editions_by_list(EDITIONS, DRAUGHTS_LISTS),
    fields=FIELDS,
    unit_facts=(real_number("weight", 0, 100, above=True),),
    parse=parse,
    values=values_of,
    rating_of=lambda state: state.capital,
    rate=rate,
    line=line,
    start=start,
    turns=_year_ends,
    lists=DRAUGHTS_LISTS,
    computed_by="arpad.lists.compute_draughts.compute_draughts_list",
    measure="capital",
    grade="category",
    stored=StoredStates(
        rating_of=lambda state: to_capital(state).capital,
        category_of=lambda state: to_capital(state).category,
        with_name=_with_name,
        joined=_joined,
    ),
)
