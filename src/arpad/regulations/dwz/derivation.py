"""How an event changed a player of DWZ, in passes: the newcomers, the performance, the new rating."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from arpad.model.exact import decimal_text
from arpad.model.real_numbers import PLACES
from arpad.model.rules import Fact, Finding, Rule, Severity, Step, step
from arpad.regulations.dwz.coefficient import change
from arpad.regulations.dwz.event import Evaluated, Evaluation, Newcomer, evaluate
from arpad.regulations.dwz.expectation import THOUSAND, UNIT
from arpad.regulations.dwz.performance import Performance, expectation
from arpad.regulations.dwz.rules import DwzRules
from arpad.regulations.dwz.state import DwzState
from arpad.regulations.rating_system import (
    Adjustment,
    Entrant,
    GameFigures,
    Outcome,
    Pass,
    PlayerOutcome,
    Unit,
    doubts,
)


def rate(unit: Unit[DwzState], rules: DwzRules) -> Outcome[DwzState]:
    """Rate all players of an event together, each with the derivation (3.4 to 3.6)."""
    event = evaluate(unit, rules)
    players: dict[str, PlayerOutcome[DwzState]] = {}
    for name, entrant in unit.entrants.items():
        figures, passes = _derivation(name, entrant, event, rules)
        players[name] = PlayerOutcome(
            before=entrant.state, after=event.after[name], figures=figures, passes=passes
        )
    return Outcome(players, tuple(_findings(event)))


def _findings(event: Evaluated) -> Iterator[Finding]:
    """Yield what was rounded in doubt, and what gave no first rating."""
    for name, item in event.evaluations.items():
        if item.doubtful:
            value = decimal_text(item.unrounded, places=PLACES)
            yield Finding(
                Severity.WARNING, "rounding-in-doubt", "3.5", facts={"player": name, "value": value}
            )
    for name, newcomer in event.newcomers[-1].items():
        facts: dict[str, Fact] = {"player": name, "value": newcomer.performance.value}
        if newcomer.rating is None:
            yield Finding(Severity.ERROR, "dwz-negative-performance", "3.6", facts=facts)
        if not newcomer.performance.settled:
            yield Finding(Severity.WARNING, "dwz-not-settled", "3.4.4", facts=facts)


def _derivation(
    name: str, entrant: Entrant[DwzState], event: Evaluated, rules: DwzRules
) -> tuple[dict[str, Fact], tuple[Pass, ...]]:
    """Return the figures and the passes of a player."""
    figures: dict[str, Fact] = {}
    passes: list[Pass] = []
    for number, newcomers in enumerate(event.newcomers, 1):
        if name in newcomers:
            passes.append(_newcomer_pass(newcomers[name], number if event.newcomers[1:] else None, rules))
            figures = _newcomer_figures(newcomers[name])
    if name in event.performances:
        found = event.performances[name]
        figures["performance"] = found.value
        passes.append(_performance_pass(found, event.special.get(name), event.ratings[name], rules))
    if name in event.evaluations:
        item = event.evaluations[name]
        figures = {
            "score": Fraction(item.half_points, 2),
            "games": item.games,
            "expected": Fraction(item.expected, UNIT),
            **figures,
            "k" if rules.age_terms is None else "coefficient": item.development.value,
        }
        passes.append(_rating_pass(name, entrant, item, event, rules))
    if name in event.stored:
        stored = step("4.1.1", "dwz-rest", event.stored[name])
        passes.append(Pass(name="dwz-rest", article="4.1.1", steps=(stored,)))
    return figures, tuple(passes)


def _newcomer_figures(newcomer: Newcomer) -> dict[str, Fact]:
    score = sum((item.score for item in newcomer.results), Fraction(0))
    expected = Fraction(newcomer.performance.rounds[-1].expected, THOUSAND)
    games = len(newcomer.results)
    return {"score": score, "games": games, "expected": expected, "performance": newcomer.performance.value}


def _newcomer_pass(newcomer: Newcomer, number: int | None, rules: DwzRules) -> Pass:
    """Return how a first rating was found (3.4.4, 3.6)."""
    found, first = newcomer.performance, newcomer.rating
    steps = [step("3.4", "dwz-level", newcomer.level, games=len(newcomer.results))]
    if newcomer.fictitious:
        steps += [step(rules.fictitious_draw.article, "dwz-fictitious", found.average)]
        steps += doubts(rules.fictitious_draw)
    steps += _rounds(found, rules)
    raised: Rule[Any] = rules.first_raised or rules.first_low
    adjustments = [
        Adjustment("dwz-average", "4.7", found.average),
        Adjustment("dwz-iteration", "3.4.4", found.value - found.average),
    ]
    if first is not None:
        steps.append(
            step(raised.article, "dwz-first", first, performance=found.value, exact=newcomer.unrounded)
        )
        steps += doubts(raised)
        adjustments.append(Adjustment("dwz-first", raised.article, newcomer.unrounded - found.value))
        adjustments.append(Adjustment("rounding", raised.article, first - newcomer.unrounded))
    return Pass(
        name="dwz-newcomers",
        article="3.4.4",
        number=number,
        adjustments=tuple(adjustments),
        steps=tuple(steps),
        result=first,
    )


def _rounds(found: Performance, rules: DwzRules) -> Iterator[Step]:
    """Yield the rounds of the iteration (3.4.4 / 4.7.2.1)."""
    for number, item in enumerate(found.rounds, 1):
        expected = Fraction(item.expected, THOUSAND)
        yield step("3.4.4", "dwz-round", item.value, number=number, expected=expected, gap=item.gap)
    if found.rounds:
        yield from doubts(rules.stop)
    else:
        yield step(rules.extreme.article, "dwz-extreme", found.value, average=found.average)
        yield from doubts(rules.extreme)


def _performance_pass(found: Performance, special: int | None, rating: int, rules: DwzRules) -> Pass:
    """Return how a performance was found, and whether it counts for the opponents (3.6)."""
    steps = list(_rounds(found, rules))
    if special is not None and rules.special_above is not None:
        above = rules.special_above
        steps.append(step(above.article, "dwz-special", special, rating=rating, above=above.value))
    return Pass(name="dwz-performance", article="3.6", steps=tuple(steps), result=found.value)


def _rating_pass(
    name: str, entrant: Entrant[DwzState], item: Evaluation, event: Evaluated, rules: DwzRules
) -> Pass:
    """Return how a rating changed, game by game (3.5)."""
    own = event.ratings[name]
    games = []
    for opponent, half_points, number in event.played[name]:
        score, value = Fraction(half_points, 2), event.value(opponent)
        if value is None:
            games.append(GameFigures(opponent=opponent, round=number, score=score, source="none"))
            continue
        expected = Fraction(expectation(own, value, rules), UNIT)
        games.append(
            GameFigures(
                opponent=opponent,
                round=number,
                score=score,
                value=value,
                source=_source(opponent, event),
                expected=expected,
                contribution=change(score - expected, item.development.value, item.games, rules),
            )
        )
    rounding = item.rounded - item.unrounded
    adjustments = [Adjustment("rounding", "3.5", rounding)]
    if entrant.state is None:
        adjustments.insert(0, Adjustment("dwz-entered", "4.1.2", own))
    if item.rating != item.rounded and rules.rating_least is not None:
        adjustments.append(Adjustment("floor", rules.rating_least.article, item.rating - item.rounded))
    surplus = Fraction(item.half_points, 2) - Fraction(item.expected, UNIT)
    quantity = "dwz-new-factor" if rules.age_terms is None else "dwz-new"
    steps = (
        *item.development.steps,
        step(
            "3.5",
            quantity,
            item.rating,
            rating=own,
            surplus=surplus,
            coefficient=item.development.value,
            games=item.games,
            exact=item.unrounded,
        ),
    )
    return Pass(
        name="dwz-rating",
        article="3.5",
        games=tuple(games),
        adjustments=tuple(adjustments),
        steps=steps,
        result=item.rating,
    )


def _source(player: str, event: Evaluated) -> str:
    """Return where the rating comes from with which a player counts for the others."""
    if player in event.special:
        return "dwz-special"
    if player in event.newcomers[-1]:
        return "dwz-first"
    return "rating"
