"""How a section changed a rating of US Chess, in passes: first estimate, middle, final."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from arpad.model.rules import Fact, Step, step
from arpad.regulations.rating_system import (
    Adjustment,
    GameFigures,
    Outcome,
    Pass,
    PlayerOutcome,
    Unit,
    doubts,
    scores_of,
)
from arpad.regulations.uschess.event import Player, Section, rate_section
from arpad.regulations.uschess.formulas import Estimate, History
from arpad.regulations.uschess.rules import UschessRules
from arpad.regulations.uschess.state import UschessState

_NAMES = ("uschess-first", "uschess-middle", "uschess-final")


def rate(unit: Unit[UschessState], rules: UschessRules, *, brief: bool = False) -> Outcome[UschessState]:
    """Rate all players of a section together, each with the derivation unless ``brief`` (chapter 4)."""
    section = rate_section(unit, rules)
    players = {}
    for name, entrant in unit.entrants.items():
        figures = {} if brief else _figures(name, section)
        passes = () if brief else tuple(_passes(name, section, rules))
        players[name] = PlayerOutcome(
            before=entrant.state, after=section.after[name], figures=figures, passes=passes
        )
    return Outcome(players, section.findings)


def _figures(name: str, section: Section) -> dict[str, Fact]:
    player, final = section.players[name], section.passes[-1].get(name)
    if final is None:
        return {}
    figures: dict[str, Fact] = {
        "score": scores_of(player.games),
        "games": len(player.games),
        "expected": sum((Fraction(we) for we in final.expected), Fraction(0)),
        "effective": player.effective,
    }
    if final.k is not None:
        figures |= {"k": final.k, "bonus": final.bonus}
    return {**figures, "floor": section.floors[name]}


def _passes(name: str, section: Section, rules: UschessRules) -> Iterator[Pass]:
    """Yield the passes of a player, each with the opponents' ratings of the pass before."""
    player = section.players[name]
    values = {other: item.state.rating for other, item in section.players.items()}
    for number, estimates in enumerate(section.passes):
        if name in estimates:
            yield _pass(player, number, estimates[name], values, section, rules)
        values = values | {other: item.value for other, item in estimates.items()}


def _pass(
    player: Player,
    number: int,
    estimate: Estimate,
    values: dict[str, Fraction],
    section: Section,
    rules: UschessRules,
) -> Pass:
    contributions = estimate.contributions(game.score for game in player.games)
    games = tuple(
        GameFigures(
            opponent=game.opponent,
            round=game.round,
            score=game.score,
            value=values[game.opponent],
            source=_source(section.players[game.opponent], number),
            expected=Fraction(expected),
            contribution=contribution,
        )
        for game, expected, contribution in zip(player.games, estimate.expected, contributions, strict=True)
    )
    special, steps = estimate.k is None, [*_steps(player, number, estimate, rules)]
    result = estimate.value
    named = [
        ("uschess-prior", "4.1", estimate.prior),
        ("bonus", "4.2", estimate.bonus),
        ("uschess-limit", "4.1" if special else "4.2", estimate.limit),
    ]
    if player.entrant.state is None:
        named.insert(0, ("uschess-initial", "2", player.state.rating))
    last = number == len(_NAMES) - 1
    if last:
        floor = next(floor for other, floor in section.floors.items() if section.players[other] is player)
        named.append(("floor", "5", max(Fraction(floor) - result, Fraction(0))))
        if floor > result:
            steps += doubts(rules.floor_absolute)
        result = max(result, Fraction(floor))
    return Pass(
        name=_NAMES[number],
        article="4.1" if special else "4.2",
        games=games,
        adjustments=tuple(Adjustment(*item) for item in named if item[2]),
        steps=tuple(steps),
        result=result,
    )


def _source(opponent: Player, number: int) -> str:
    if opponent.entrant.fixed:
        return "fixed"
    if not number:
        return "uschess-initial" if opponent.initial else "rating"
    if number == 1:
        return "uschess-first" if opponent.state.games == 0 else "rating"
    return "uschess-middle"


def _steps(player: Player, number: int, estimate: Estimate, rules: UschessRules) -> Iterator[Step]:
    """Yield how the rating of a pass was found, and how surely its rules are known."""
    state, played = player.state, len(player.games)
    if player.initial is not None and number <= 1:
        initial = player.initial
        yield step(initial.rule.article, f"uschess-{initial.source}", initial.rating, games=initial.games)
        yield from doubts(initial.rule)
    if number == 0:
        yield step("4.1", "uschess-estimate", estimate.value)
    elif estimate.k is None:
        yield step("3", "uschess-effective", player.effective, games=state.games)
        few = state.history is History.MIXED
        quantity = "uschess-special" if few else f"uschess-special-{state.history}"
        yield step("4.1", quantity, estimate.value, games=played)
    else:
        yield step("3", "uschess-effective", player.effective, games=state.games)
        yield step("4.2", "uschess-k", estimate.k, effective=player.effective, games=played)
        if estimate.bonus:
            threshold = rules.bonus_threshold
            yield step(
                threshold.article, "uschess-bonus", estimate.bonus, threshold=threshold.value, games=played
            )
            yield from doubts(threshold)
        yield step("4.2", "uschess-standard", estimate.value, rating=state.rating)
    if number == len(_NAMES) - 1:
        yield from doubts(rules.effective, rules.special_games if estimate.k is None else rules.points)
