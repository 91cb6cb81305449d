"""DWZ: a chain of events, each evaluated for all players at once, and how it changed each of them, pass by pass."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import partial
from math import inf
from typing import Any

from arpad.model.errors import BadInput
from arpad.model.exact import half_up
from arpad.model.real_numbers import UNIT, real, round_real
from arpad.model.rules import Fact, Finding, Rule, Severity, Step, step
from arpad.regulations.dwz.coefficient import Development, change, development
from arpad.regulations.dwz.performance import (
    THOUSAND,
    Opposition,
    Performance,
    expectation,
    first_rating,
    joint,
    performance,
)
from arpad.regulations.dwz.rules import EDITIONS, DwzRules
from arpad.regulations.dwz.state import FIELDS, DwzState, RestGame, line, parse, start
from arpad.regulations.outcomes import GameFigures, Outcome, Pass, adjusted, outcome_of
from arpad.regulations.rating_system import DecidingDay, Driver, System, doubts
from arpad.regulations.units import Game, Unit, order_by_last_day, values_of


@dataclass(frozen=True, slots=True)
class Opening:
    """An event before it is evaluated."""

    unit: Unit[DwzState]
    rules: DwzRules
    states: Mapping[str, DwzState]
    games: Mapping[str, tuple[Game, ...]]
    ratings: Mapping[str, int]
    """R0 of the established."""

    rest: Mapping[str, tuple[RestGame, ...]]
    """Of players without a rating; what has expired is left out."""


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A first rating, None if the performance is negative."""

    level: int
    field: Opposition
    fictitious: bool
    """Whether a draw against the average opponent was added."""

    performance: Performance
    rating: int | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the event does to a player with a rating."""

    score: Fraction
    games: int
    expected: Fraction
    development: Development
    unrounded: Fraction
    rating: int


@dataclass(frozen=True, slots=True)
class Evaluated:
    """All numbers of an event."""

    opening: Opening
    newcomers: tuple[Mapping[str, Newcomer], ...]
    """As they were computed first, and again if a performance was special."""

    performances: Mapping[str, Performance]
    special: Mapping[str, int]
    """Players with a rating who count for their opponents with their performance."""

    values: Mapping[str, int]
    """The ratings with which the players of selection II count for the others."""

    evaluations: Mapping[str, Evaluation]
    after: Mapping[str, DwzState | None]


def evaluate(unit: Unit[DwzState], rules: DwzRules) -> Evaluated:
    """Return all numbers of an event: newcomers, performances, newcomers again if one is special, ratings (3.4)."""
    opening = open_event(unit, rules)
    levels = levels_of(opening)
    newcomers = [_newcomers(opening, levels, opening.ratings)]
    values = _values(opening.ratings, newcomers[0])
    rated = [name for name in opening.ratings if not unit.entrants[name].fixed]
    performances = {name: rh for name in rated if (rh := _performance(opening.games[name], values, rules))}
    special = special_ratings(performances, opening.ratings, rules)
    if special:
        ratings = {**opening.ratings, **special}
        newcomers.append(_newcomers(opening, levels, ratings))
        values = _values(ratings, newcomers[1])
    evaluations = {name: it for name in rated if (it := _evaluation(name, opening, values))}
    after = {name: _after(name, opening, newcomers[-1], evaluations) for name in unit.entrants}
    return Evaluated(opening, tuple(newcomers), performances, special, values, evaluations, after)


def open_event(unit: Unit[DwzState], rules: DwzRules) -> Opening:
    """Return an event with its established players and the rest games that have not expired (4.1.1)."""
    states = {name: it.state or start(it, rules) or DwzState() for name, it in unit.entrants.items()}
    ratings = {name: it.rating for name, it in states.items() if it.rating is not None}
    years = rules.rest_years.value
    rest = {
        name: tuple(it for it in state.rest if not _is_expired(it.day, unit.last_day, years))
        for name, state in states.items()
    }
    return Opening(unit, rules, states, unit.games_by_player(), ratings, rest)


def _is_expired(day: date | None, now: date | None, years: int) -> bool:
    """Return whether a rest game is older than so many years."""
    if day is None or now is None:
        return False
    return (now.year - years, now.month, now.day) > (day.year, day.month, day.day)


# --------------------------------------------------------------------------------- newcomers and performances


def levels_of(opening: Opening) -> dict[str, int]:
    """Return the newcomers of the first and second level, who have enough games and neither no point nor all (3.4)."""
    rules, levels = opening.rules, dict[str, int]()
    for level in (1, 2):
        selection = {*opening.ratings, *levels}
        for name in opening.games.keys() - selection:
            field = _field(name, opening, {}, selection)
            most, score = 2 * len(field.opponents), field.half_points
            enough = most >= 2 * rules.newcomer_games.value and score > 0
            if enough and (score < most or rules.fictitious_draw.value):
                levels[name] = level
    return {name: levels[name] for name in opening.games if name in levels}


def _field(name: str, opening: Opening, ratings: Mapping[str, int], selection: Container[str]) -> Opposition:
    """Return the games of a newcomer against a selection, rest games included."""
    counted = [game for game in opening.games[name] if game.opponent in selection]
    rest = opening.rest[name]
    opponents = (*(ratings.get(it.opponent, it.opponent) for it in counted), *(it.opponent for it in rest))
    return Opposition(opponents, half_points(counted) + sum(int(2 * it.score) for it in rest))


def half_points(games: Iterable[Game]) -> int:
    """Return the points of a player's own games, in halves."""
    return sum(2 * game.score.numerator // game.score.denominator for game in games)


def _newcomers(
    opening: Opening, levels: Mapping[str, int], ratings: Mapping[str, int]
) -> dict[str, Newcomer]:
    """Return the first ratings of all newcomers, solved together (3.4.4)."""
    rules, selection = opening.rules, {*ratings, *levels}
    fields = {name: _field(name, opening, ratings, selection) for name in levels}
    drawn = set()
    for name, field in fields.items():
        # all points are there only where a fictitious draw is given
        if field.half_points == 2 * len(field.opponents) and (average := field.average) is not None:
            fields[name] = Opposition((*field.opponents, average), field.half_points + 1)
            drawn.add(name)
    newcomers = {}
    for name, found in joint(fields, rules).items():
        negative = rules.first_raised is not None and found.value < 0
        rating = None if negative else half_up(first_rating(found.value, rules))
        newcomers[name] = Newcomer(levels[name], fields[name], name in drawn, found, rating)
    return newcomers


def _values(ratings: Mapping[str, int], newcomers: Mapping[str, Newcomer]) -> dict[str, int]:
    return {**ratings, **{name: it.rating for name, it in newcomers.items() if it.rating is not None}}


def _performance(games: Sequence[Game], values: Mapping[str, int], rules: DwzRules) -> Performance | None:
    """Return Rh of a player with enough counted games (3.6)."""
    counted = [game for game in games if game.opponent in values]
    if len(counted) < rules.newcomer_games.value:
        return None
    return performance([values[game.opponent] for game in counted], half_points(counted), rules)


def special_ratings(
    performances: Mapping[str, Performance], ratings: Mapping[str, int], rules: DwzRules
) -> dict[str, int]:
    """Return who performed so far above the rating that the opponents met the performance (3.6.3)."""
    above = rules.special_above.value if rules.special_above else inf
    return {name: it.value for name, it in performances.items() if it.value - ratings[name] > above}


# ------------------------------------------------------------------------------------------------ new ratings


def _evaluation(name: str, opening: Opening, values: Mapping[str, int]) -> Evaluation | None:
    """Return what the event does to a player with a rating and at least one counted game (3.5)."""
    rules, state, facts = opening.rules, opening.states[name], opening.unit.entrants[name].facts
    own = opening.ratings[name]
    counted = [game for game in opening.games[name] if game.opponent in values]
    if not counted:
        return None
    expected = Fraction(sum(expectation(own, values[game.opponent], rules) for game in counted), UNIT)
    score = Fraction(half_points(counted), 2)
    given = facts.get("coefficient")
    if isinstance(given, int | Fraction):
        found = Development(Fraction(given))
    else:
        index = 1 if state.entered and rules.age_terms else state.index
        age = age_of(facts.get("born"), opening.unit.last_day)
        found = development(own, index, age, score - expected, rules)
    unrounded = own + change(score - expected, found.value, len(counted), rules)
    least = rules.rating_least.value if rules.rating_least else 1
    return Evaluation(score, len(counted), expected, found, unrounded, max(half_up(unrounded), least))


def age_of(born: object, last_day: date | None) -> int | None:
    """Return the year of the last day minus the year of birth, None if that is not known (3.5)."""
    if born is None:
        return None
    if last_day is None:
        raise BadInput("dwz-end-needed", option="end")
    return last_day.year - (born.year if isinstance(born, date) else int(str(born)))


def _after(
    name: str, opening: Opening, newcomers: Mapping[str, Newcomer], evaluations: Mapping[str, Evaluation]
) -> DwzState | None:
    """Return the state after the event: a rating, or the rest games against selection I (4.1.1)."""
    entrant, state, newcomer = opening.unit.entrants[name], opening.states[name], newcomers.get(name)
    if entrant.fixed or entrant.facts.get("member") is False:
        return entrant.state
    if name in evaluations:
        return DwzState(evaluations[name].rating, None if state.index is None else state.index + 1)
    if newcomer is not None and newcomer.rating is not None:
        return DwzState(newcomer.rating, 1)
    if name in opening.ratings or not opening.games[name]:
        return entrant.state
    selection = _values(opening.ratings, {other: it for other, it in newcomers.items() if it.level == 1})
    met = [
        RestGame(selection[game.opponent], game.score, opening.unit.last_day)
        for game in opening.games[name]
        if game.opponent in selection
    ]
    rest = (*opening.rest[name], *sorted(met, key=lambda item: (item.opponent, item.score)))
    return DwzState(rest=rest) if rest else None


# -------------------------------------------------------------------------------------------- the derivation


def rate(unit: Unit[DwzState], rules: DwzRules) -> Outcome[DwzState]:
    """Rate all players of an event together (3.4)."""
    event = evaluate(unit, rules)
    findings = _findings(event)
    return outcome_of(unit, event.after, findings, lambda name: (_figures(name, event), _passes(name, event)))


def _findings(event: Evaluated) -> Iterator[Finding]:
    """Yield what was rounded in doubt, and what gave no first rating."""
    for name, item in event.evaluations.items():
        yield from round_real(item.development.exact, half_up, "A 1.2", player=name)[1]
        yield from round_real(real(item.unrounded), half_up, "3.5", player=name)[1]
    for name, newcomer in event.newcomers[-1].items():
        facts: dict[str, Fact] = {"player": name, "value": newcomer.performance.value}
        if newcomer.rating is None:
            yield Finding(Severity.ERROR, "dwz-negative-performance", "3.6", facts=facts)
        if not newcomer.performance.settled:
            yield Finding(Severity.WARNING, "dwz-not-settled", "3.4.4", facts=facts)


def _figures(name: str, event: Evaluated) -> dict[str, Fact]:
    if newcomer := event.newcomers[-1].get(name):
        return {
            "score": Fraction(newcomer.field.half_points, 2),
            "games": len(newcomer.field.opponents),
            "expected": Fraction(newcomer.performance.rounds[-1].expected, THOUSAND),
            "performance": newcomer.performance.value,
        }
    figures: dict[str, Fact] = {}
    if it := event.evaluations.get(name):
        k = "coefficient" if event.opening.rules.age_terms else "k"
        figures = {"score": it.score, "games": it.games, "expected": it.expected, k: it.development.value}
    if name in event.performances:
        figures["performance"] = event.performances[name].value
    return figures


def _passes(name: str, event: Evaluated) -> Iterator[Pass]:
    """Yield the passes of a player."""
    rules, after = event.opening.rules, event.after[name]
    if event.opening.unit.entrants[name].facts.get("member") is False:
        return
    for title, newcomers in zip(("dwz-newcomers", "dwz-newcomers-again"), event.newcomers, strict=False):
        if name in newcomers:
            yield _newcomer_pass(title, newcomers[name], rules)
    if found := event.performances.get(name):
        steps = list(_rounds(found, rules))
        if rules.special_above is not None and name in event.special:
            above, rating = rules.special_above, event.opening.ratings[name]
            steps.append(step(above.article, "dwz-special", found.value, rating=rating, above=above.value))
        yield Pass(name="dwz-performance", article="3.6", steps=tuple(steps), result=found.value)
    if name in event.evaluations:
        yield _rating_pass(name, event)
    if event.opening.games[name] and after is not None and after.rest:
        yield Pass(name="dwz-rest", article="4.1.1", steps=(step("4.1.1", "dwz-rest", len(after.rest)),))


def _newcomer_pass(title: str, newcomer: Newcomer, rules: DwzRules) -> Pass:
    """Return how a first rating was found (3.4.4)."""
    found, first = newcomer.performance, newcomer.rating
    field = newcomer.field
    counted: dict[str, Fact] = {"games": len(field.opponents), "score": Fraction(field.half_points, 2)}
    steps = [Step("3.4", "dwz-level", newcomer.level, {**counted, "opponents": field.opponents})]
    if newcomer.fictitious:
        steps += [step(rules.fictitious_draw.article, "dwz-fictitious", found.average)]
        steps += doubts(rules.fictitious_draw)
    steps += _rounds(found, rules)
    named: list[tuple[str, str, int | Fraction]] = [
        ("dwz-average", "4.7", found.average),
        ("dwz-iteration", "3.4.4", found.value - found.average),
    ]
    if first is not None:
        raised: Rule[Any] = rules.first_raised or rules.first_low
        exact = first_rating(found.value, rules)
        steps.append(step(raised.article, "dwz-first", first, performance=found.value, exact=exact))
        steps += doubts(raised)
        named += [
            ("dwz-first", raised.article, exact - found.value),
            ("rounding", raised.article, first - exact),
        ]
    return Pass(name=title, article="3.4.4", adjustments=adjusted(*named), steps=tuple(steps), result=first)


def _rounds(found: Performance, rules: DwzRules) -> Iterator[Step]:
    """Yield the rounds of the iteration (3.4.4)."""
    for number, item in enumerate(found.rounds, 1):
        expected, gap = Fraction(item.expected, THOUSAND), Fraction(item.gap, THOUSAND)
        yield step("3.4.4", "dwz-round", item.value, number=number, expected=expected, gap=gap)
    if not found.rounds:
        yield step(rules.extreme.article, "dwz-extreme", found.value, average=found.average)
    yield from doubts(rules.stop if found.rounds else rules.extreme)


def _rating_pass(name: str, event: Evaluated) -> Pass:
    """Return how a rating changed, game by game (3.5)."""
    opening, item, rules = event.opening, event.evaluations[name], event.opening.rules
    own, developed = opening.ratings[name], item.development.value
    games = []
    for game in opening.games[name]:
        value = event.values.get(game.opponent)
        expected = None if value is None else Fraction(expectation(own, value, rules), UNIT)
        moved = 0 if expected is None else change(game.score - expected, developed, item.games, rules)
        source = _source(game.opponent, event)
        games.append(GameFigures.of(game, value=value, source=source, expected=expected, contribution=moved))
    rounded = half_up(item.unrounded)
    adjustments = adjusted(
        ("dwz-entered", "4.1.2", 0 if opening.unit.entrants[name].state else own),
        ("rounding", "3.5", rounded - item.unrounded),
        ("floor", "3.5", item.rating - rounded),
    )
    quantity = "dwz-new" if rules.age_terms else "dwz-new-factor"
    facts: dict[str, Fact] = {"rating": own, "surplus": item.score - item.expected, "exact": item.unrounded}
    last = Step("3.5", quantity, item.rating, {**facts, "coefficient": developed, "games": item.games})
    return Pass(
        name="dwz-rating",
        article="3.5",
        games=tuple(games),
        adjustments=adjustments,
        steps=(*item.development.steps, last),
        result=item.rating,
    )


def _source(player: str, event: Evaluated) -> str:
    """Return where the rating comes from with which a player counts for the others."""
    if player not in event.values:
        return "none"
    if event.opening.unit.entrants[player].fixed:
        return "fixed"
    if player in event.special:
        return "dwz-special"
    return "dwz-first" if player in event.newcomers[-1] else "rating"


SYSTEM: System[DwzState, DwzRules] = System(
    id="dwz",
    driver=Driver.CHAIN,
    deciding_day=DecidingDay.LAST,
    editions=EDITIONS,
    fields=FIELDS,
    parse=parse,
    values=partial(values_of, of_newcomers=("fide",)),
    rate=rate,
    line=line,
    k_field="coefficient",
    order=order_by_last_day,
    takes_from_day=lambda _name, day, unit, _rules: age_of(day, unit.last_day),
    start=start,
)
