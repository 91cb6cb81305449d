"""How an event changed a player of DWZ, in passes: the newcomers, the performance, the new rating."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from arpad.model.exact import half_up
from arpad.model.real_numbers import UNIT, real, round_real
from arpad.model.rules import Fact, Finding, Rule, Severity, Step, step
from arpad.regulations.dwz.coefficient import change
from arpad.regulations.dwz.event import Evaluated, Newcomer, evaluate
from arpad.regulations.dwz.expectation import THOUSAND
from arpad.regulations.dwz.performance import Performance, expectation, first_rating
from arpad.regulations.dwz.rules import DwzRules
from arpad.regulations.dwz.state import DwzState
from arpad.regulations.rating_system import (
    Adjustment,
    GameFigures,
    Outcome,
    Pass,
    PlayerOutcome,
    Unit,
    doubts,
)


def rate(unit: Unit[DwzState], rules: DwzRules, *, brief: bool = False) -> Outcome[DwzState]:
    """Rate all players of an event together, each with the derivation unless ``brief`` (3.4)."""
    event = evaluate(unit, rules)
    players = {}
    for name, entrant in unit.entrants.items():
        figures = {} if brief else _figures(name, event)
        passes = () if brief else tuple(_passes(name, event))
        players[name] = PlayerOutcome(
            before=entrant.state, after=event.after[name], figures=figures, passes=passes
        )
    return Outcome(players, tuple(_findings(event)))


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
    steps = [step("3.4", "dwz-level", newcomer.level, games=len(newcomer.field.opponents))]
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
        named.append(("dwz-first", raised.article, exact - found.value))
        named.append(("rounding", raised.article, first - exact))
    adjustments = tuple(Adjustment(*item) for item in named if item[2])
    return Pass(name=title, article="3.4.4", adjustments=adjustments, steps=tuple(steps), result=first)


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
        games.append(
            GameFigures(
                opponent=game.opponent,
                round=game.round,
                score=game.score,
                value=value,
                source=_source(game.opponent, event),
                expected=expected,
                contribution=moved,
            )
        )
    rounded = half_up(item.unrounded)
    named: list[tuple[str, str, int | Fraction]] = [
        ("dwz-entered", "4.1.2", 0 if opening.unit.entrants[name].state else own),
        ("rounding", "3.5", rounded - item.unrounded),
        ("floor", "3.5", item.rating - rounded),
    ]
    quantity = "dwz-new" if rules.age_terms else "dwz-new-factor"
    facts: dict[str, Fact] = {"rating": own, "surplus": item.score - item.expected, "exact": item.unrounded}
    last = Step("3.5", quantity, item.rating, {**facts, "coefficient": developed, "games": item.games})
    return Pass(
        name="dwz-rating",
        article="3.5",
        games=tuple(games),
        adjustments=tuple(Adjustment(*it) for it in named if it[2]),
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
