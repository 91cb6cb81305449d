"""The ICU's system as a value: a unit is rated, and every player's figures and passes are returned."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import repeat

from arpad.model.rules import Fact, Finding, Severity, Step, step
from arpad.regulations.icu.event import (
    Field,
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
from arpad.regulations.icu.state import (
    FIELDS,
    IcuState,
    coefficient,
    is_recent,
    lift,
    line,
    members_since,
    parse,
)
from arpad.regulations.outcomes import Derivation, GameFigures, Outcome, Pass, adjusted, outcome_of
from arpad.regulations.rating_system import DecidingDay, Driver, System, Turn
from arpad.regulations.units import Game, Number, Unit, scores_of


def rate(unit: Unit[IcuState], rules: IcuRules) -> Outcome[IcuState]:
    """Rate an event; without a settled performance nobody's rating changes (P4)."""
    games = unit.games_by_player()
    players = {name: _participant(name, games[name], unit, rules) for name in unit.entrants}
    if not rate_event(players, rules):
        finding = Finding(Severity.ERROR, "icu-not-settled", "P4", facts={"most": rules.most_passes.value})
        unchanged = {name: it.state for name, it in unit.entrants.items()}
        return outcome_of(unit, unchanged, [finding], lambda _name: ({}, ()))
    after = {name: _state_after(player, unit.entrants[name].state) for name, player in players.items()}

    def derive(name: str) -> Derivation:
        player = players[name]
        if not player.games:
            return {}, []
        passes = [_pass(phase, number, rules) for number, phase in enumerate(player.phases, start=1)]
        passes[-1] = _rounded(passes[-1], player, unit.entrants[name].state, after[name])
        return _figures(player), passes

    return outcome_of(unit, after, _findings(unit, players), derive)


def _participant(name: str, games: tuple[Game, ...], unit: Unit[IcuState], rules: IcuRules) -> Participant:
    entrant, first_day = unit.entrants[name], unit.first_day or unit.last_day
    state = entrant.state
    if state is None:
        return Participant(name, Kind.UNRATED, games)
    old_games = state.games or 0
    if entrant.fixed or not state.is_full(rules):
        kind = Kind.GUEST if entrant.fixed else Kind.PROVISIONAL
        return Participant(name, kind, games, state.rating, old_games=old_games)
    k, reason = coefficient(state.rating, entrant.facts, first_day, rules)
    return Participant(name, Kind.ESTABLISHED, games, state.rating, k, reason, old_games)


def _findings(unit: Unit[IcuState], players: Field) -> Iterator[Finding]:
    """Yield who cannot be rated, and whose rating March 2024 raised in print alone (P, L)."""
    for name, player in players.items():
        if player.games and player.own_value() is None:
            yield Finding(Severity.INFO, "icu-unrateable", "P", facts={"player": name})
    if unit.last_day is not None and unit.last_day >= LIFT_LIST.value:
        for name, entrant in unit.entrants.items():
            if entrant.state is not None and entrant.state.inherited and not entrant.fixed:
                yield Finding(Severity.INFO, "icu-not-lifted", "L", facts={"player": name})


# ---------------------------------------------------------------------------------------------- one player


def _state_after(player: Participant, before: IcuState | None) -> IcuState | None:
    rated = player.rated_games
    if player.kind is Kind.GUEST or not rated:
        return before
    if player.kind is Kind.ESTABLISHED and before is not None:
        games = None if before.games is None else before.games + rated
        return IcuState(new_rating(player.rating, player.change, player.bonus), games)
    return IcuState(nearest(player.performance or 0.0), player.old_games + rated)


def _figures(player: Participant) -> dict[str, Fact]:
    figures: dict[str, Fact] = {"score": scores_of(player.games), "games": player.rated_games}
    if player.rated_games:
        figures["expected"] = _expected(player)
    if player.performance is not None:
        figures["performance"] = Fraction(player.performance)
    if player.kind is Kind.ESTABLISHED:
        figures |= {"k": player.k, "bonus": player.bonus, "change": Fraction(player.change)}
    return figures


def _expected(player: Participant) -> Fraction:
    return Fraction(sum_in_order(it.expected for it in player.ratings if it.expected is not None))


def _pass(phase: Participant, number: int, rules: IcuRules) -> Pass:
    games = tuple(_game_figures(phase))
    if phase.kind is Kind.ESTABLISHED:
        result: Number | None = Fraction(phase.rating + phase.change + phase.bonus)
        bonus = adjusted(("bonus", "B", phase.bonus))
        article, steps = "E", _established_steps(phase, number, rules)
    else:
        result = phase.rating if phase.kind is Kind.GUEST else _exact(phase.performance)
        bonus, article, steps = (), "P", _performance_steps(phase)
    return Pass(
        name=f"icu-phase-{number}",
        article=article,
        games=games,
        adjustments=bonus,
        steps=steps,
        result=result,
    )


def _game_figures(player: Participant) -> Iterator[GameFigures]:
    """Yield what each game adds: its change, or its part of the mean of a performance, less the old rating's part."""
    established, guest = (player.kind is kind for kind in (Kind.ESTABLISHED, Kind.GUEST))
    count = sum(term.value is not None for term in player.terms) + player.old_games
    old = player.rating if player.kind is Kind.PROVISIONAL else 0
    terms = player.terms or repeat(GameRating(), len(player.games))
    values = player.ratings if established else terms
    for game, value, rating in zip(player.games, values, player.ratings, strict=True):
        added = Fraction(value.change)
        if not established:
            added = Fraction(0) if guest or value.value is None else (added - old) / count
        yield GameFigures.of(
            game,
            value=_exact(value.value),
            source=value.source,
            expected=_exact(rating.expected),
            contribution=added,
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
        adjustments=(*last_pass.adjustments, *adjusted(("rounding", "C5", rounding))),
        steps=(*last_pass.steps, Step("C5", quantity, after.rating, facts)),
        result=after.rating,
    )


# ---------------------------------------------------------------------------------------------- steps


def _established_steps(player: Participant, number: int, rules: IcuRules) -> tuple[Step, ...]:
    steps = [step("K", f"icu-k-{player.k_reason}", player.k)] if number == 1 else []
    facts: dict[str, Fact] = {"score": scores_of(player.games), "expected": _expected(player), "k": player.k}
    steps.append(Step("E", "icu-change", Fraction(player.change), facts))
    if player.bonus:
        threshold = bonus_threshold(len(player.games), rules)
        steps.append(step("B", "icu-bonus", player.bonus, threshold=threshold, games=len(player.games)))
    return tuple(steps)


def _performance_steps(player: Participant) -> tuple[Step, ...]:
    if player.performance is None:
        return ()
    performance, old = Fraction(player.performance), dict[str, Fact]()
    quantity = "icu-performance"
    if player.kind is Kind.PROVISIONAL:
        quantity, old = "icu-performance-with-old", {"games": player.old_games, "rating": player.rating}
    return (Step("P", quantity, performance, {**old, "passes": player.passes}),)


_LIFT: Turn[IcuState, IcuRules] = Turn(
    LIFT_LIST.value, lambda state, _rules: lift(state), article=LIFT_LIST.article
)

SYSTEM: System[IcuState, IcuRules] = System(
    id="icu",
    driver=Driver.CHAIN,
    deciding_day=DecidingDay.LAST,
    editions=EDITIONS,
    fields=FIELDS,
    parse=parse,
    rate=rate,
    line=line,
    turns=lambda _first, _last: (_LIFT,),
    k_field="k",
    members_since=members_since,
    takes_from_day=lambda name, day, unit, rules: is_recent(name, day, unit.first_day, rules),
)
