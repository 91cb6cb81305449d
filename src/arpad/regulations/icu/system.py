"""The ICU's system as a value: a unit is rated, and every player's figures and passes are returned."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import repeat

from arpad.model.rules import Fact, Finding, Severity, Step, step
from arpad.regulations.icu.event import (
    GameRating,
    Kind,
    Participant,
    bonus_threshold,
    nearest,
    new_rating,
    rate_event,
    sum_in_order,
)
from arpad.regulations.icu.rules import EDITIONS, LIFT_LIST, IcuRules
from arpad.regulations.icu.state import FIELDS, IcuState, coefficient, lift, line, parse, values_of
from arpad.regulations.rating_system import (
    Adjustment,
    DecidingDay,
    Driver,
    Entrant,
    Game,
    GameFigures,
    Number,
    Outcome,
    Pass,
    PlayerOutcome,
    System,
    Unit,
    scores_of,
)


def rate(unit: Unit[IcuState], rules: IcuRules, *, derived: bool = True) -> Outcome[IcuState]:
    """Rate an event; without a settled performance nobody's rating changes (P4)."""
    games = unit.games_by_player()
    reasons: dict[str, str] = {}
    players = {}
    for name, entrant in unit.entrants.items():
        player = players[name] = _participant(name, entrant, games[name], rules)
        if player.kind is Kind.ESTABLISHED:
            player.k, reasons[name] = coefficient(
                player.rating, entrant.facts, unit.first_day or unit.last_day, rules
            )
    if not rate_event(players, rules):
        unchanged = {
            name: PlayerOutcome(before=it.state, after=it.state) for name, it in unit.entrants.items()
        }
        facts: dict[str, Fact] = {"most": rules.most_passes.value}
        return Outcome(unchanged, (Finding(Severity.ERROR, "icu-not-settled", "P4", facts=facts),))
    outcomes = {
        name: _outcome(player, unit.entrants[name].state, reasons.get(name, ""), rules, derived=derived)
        for name, player in players.items()
    }
    findings = tuple(
        Finding(Severity.INFO, "icu-unrateable", "P", facts={"player": name})
        for name, player in players.items()
        if player.games and player.own_value() is None
    )
    return Outcome(outcomes, (*findings, *_not_lifted(unit)))


def _not_lifted(unit: Unit[IcuState]) -> Iterator[Finding]:
    """Yield who plays after March 2024 from a rating that was raised in print alone, as the program does (L)."""
    if unit.last_day is not None and unit.last_day >= LIFT_LIST.value:
        for name, entrant in unit.entrants.items():
            if entrant.state is not None and entrant.state.inherited and not entrant.fixed:
                yield Finding(Severity.INFO, "icu-not-lifted", "L", facts={"player": name})


def _participant(
    name: str, entrant: Entrant[IcuState], games: tuple[Game, ...], rules: IcuRules
) -> Participant:
    state = entrant.state
    if state is None:
        return Participant(name, Kind.UNRATED, games)
    kind = Kind.GUEST if entrant.fixed else Kind.ESTABLISHED if state.is_full(rules) else Kind.PROVISIONAL
    return Participant(name, kind, games, state.rating, old_games=state.games or 0)


# ---------------------------------------------------------------------------------------------- one player


def _outcome(
    player: Participant, before: IcuState | None, reason: str, rules: IcuRules, *, derived: bool
) -> PlayerOutcome[IcuState]:
    rated = sum(rating.expected is not None for rating in player.ratings)
    after = _state_after(player, before, rated)
    if not player.games or not derived:
        return PlayerOutcome(before=before, after=after)
    passes = [_pass(phase, number, reason, rules) for number, phase in enumerate(player.phases, start=1)]
    passes[-1] = _rounded(passes[-1], player, before, after)
    return PlayerOutcome(before=before, after=after, figures=_figures(player, rated), passes=tuple(passes))


def _state_after(player: Participant, before: IcuState | None, rated: int) -> IcuState | None:
    if player.kind is Kind.GUEST or not rated:
        return before
    if player.kind is Kind.ESTABLISHED and before is not None:
        games = None if before.games is None else before.games + rated
        return IcuState(new_rating(player.rating, player.change, player.bonus), games)
    return IcuState(nearest(player.performance or 0.0), player.old_games + rated)


def _figures(player: Participant, rated: int) -> dict[str, Fact]:
    figures: dict[str, Fact] = {"score": scores_of(player.games), "games": rated}
    if rated:
        figures["expected"] = _expected(player)
    if player.performance is not None:
        figures["performance"] = Fraction(player.performance)
    if player.kind is Kind.ESTABLISHED:
        figures |= {"k": player.k, "bonus": player.bonus, "change": Fraction(player.change)}
    return figures


def _expected(player: Participant) -> Fraction:
    return Fraction(sum_in_order(it.expected for it in player.ratings if it.expected is not None))


def _pass(phase: Participant, number: int, reason: str, rules: IcuRules) -> Pass:
    if phase.kind is Kind.ESTABLISHED:
        games = tuple(_change_figures(phase))
        result: Number | None = Fraction(phase.rating + phase.change + phase.bonus)
        bonus = (Adjustment("bonus", "B", phase.bonus),) if phase.bonus else ()
        steps = _established_steps(phase, number, reason, rules)
    else:
        games = tuple(_performance_figures(phase))
        result = phase.rating if phase.kind is Kind.GUEST else _exact(phase.performance)
        bonus, steps = (), _performance_steps(phase)
    return Pass(
        name=f"icu-phase-{number}", article="B", games=games, adjustments=bonus, steps=steps, result=result
    )


def _change_figures(player: Participant) -> Iterator[GameFigures]:
    """Yield what each game adds to an established player's rating."""
    for game, rating in zip(player.games, player.ratings, strict=True):
        yield _game_figures(game, rating, rating.expected, Fraction(rating.change))


def _performance_figures(player: Participant) -> Iterator[GameFigures]:
    """Yield what each game adds to a performance: its part of the mean, less the old rating's part."""
    count = sum(term.value is not None for term in player.terms) + player.old_games
    old = player.rating if player.kind is Kind.PROVISIONAL else 0
    no_terms = repeat(GameRating(), len(player.games))
    for game, term, rating in zip(player.games, player.terms or no_terms, player.ratings, strict=True):
        counts = term.value is not None and player.kind is not Kind.GUEST
        yield _game_figures(
            game, term, rating.expected, (Fraction(term.change) - old) / count if counts else 0
        )


def _game_figures(game: Game, value: GameRating, expected: float | None, contribution: Number) -> GameFigures:
    return GameFigures.of(
        game,
        value=_exact(value.value),
        source=value.source,
        expected=_exact(expected),
        contribution=contribution,
    )


def _exact(value: float | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _rounded(last_pass: Pass, player: Participant, before: IcuState | None, after: IcuState | None) -> Pass:
    """Return the last pass with the rounding, which makes the sum exact, and the step of the new rating."""
    if player.kind is Kind.GUEST or after is None or after is before:
        return last_pass
    rounding = after.rating - (before.rating if before else 0) - last_pass.total()
    facts: dict[str, Fact] = {"games": after.games or 0}
    quantity = "icu-new-performance"
    if player.kind is Kind.ESTABLISHED:
        quantity = "icu-new"
        facts = {"old": player.rating, "change": Fraction(player.change), "bonus": player.bonus}
    return replace(
        last_pass,
        adjustments=(*last_pass.adjustments, Adjustment("rounding", "C5", rounding)),
        steps=(*last_pass.steps, Step("C5", quantity, after.rating, facts)),
        result=after.rating,
    )


# ---------------------------------------------------------------------------------------------- steps


def _established_steps(player: Participant, number: int, reason: str, rules: IcuRules) -> tuple[Step, ...]:
    steps = [step("K", f"icu-k-{reason}", player.k)] if number == 1 else []
    steps += [_game_step(game, rating) for game, rating in zip(player.games, player.ratings, strict=True)]
    facts: dict[str, Fact] = {"score": scores_of(player.games), "expected": _expected(player), "k": player.k}
    steps.append(Step("E", "icu-change", Fraction(player.change), facts))
    if player.bonus:
        threshold = bonus_threshold(len(player.games), rules)
        steps.append(step("B", "icu-bonus", player.bonus, threshold=threshold, games=len(player.games)))
    return tuple(steps)


def _game_step(game: Game, rating: GameRating) -> Step:
    if rating.expected is None:
        return step("E", "icu-game-unrated", None, opponent=game.opponent)
    facts: dict[str, Fact] = {"opponent": game.opponent, "rating": _exact(rating.value), "score": game.score}
    return Step("E", "icu-game", Fraction(rating.expected), facts)


def _performance_steps(player: Participant) -> tuple[Step, ...]:
    if player.performance is None:
        return ()
    steps = [
        step("P", "icu-term", _exact(term.change), opponent=game.opponent, rating=_exact(term.value), score=game.score)
        for game, term in zip(player.games, player.terms, strict=True)
        if term.value is not None
    ]  # fmt: skip
    performance = Fraction(player.performance)
    if player.kind is Kind.PROVISIONAL:
        old = {"games": player.old_games, "rating": player.rating}
        steps.append(Step("P", "icu-performance-with-old", performance, {**old, "passes": player.passes}))
    else:
        steps.append(step("P", "icu-performance", performance, passes=player.passes))
    return tuple(steps)


SYSTEM: System[IcuState, IcuRules] = System(
    id="icu",
    driver=Driver.CHAIN,
    deciding_day=DecidingDay.LAST,
    editions=EDITIONS,
    fields=FIELDS,
    parse=parse,
    values=values_of,
    rating_of=lambda state: state.rating,
    rate=rate,
    brief=partial(rate, derived=False),
    line=line,
    turns=((LIFT_LIST.value, lift),),
)
