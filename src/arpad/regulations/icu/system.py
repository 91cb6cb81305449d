"""The ICU's system as a value: a unit is rated, and every player's figures and passes are returned."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import zip_longest

from arpad.model.rules import Fact, Finding, Severity, Step, step
from arpad.regulations.icu.event import (
    GameRating,
    Kind,
    Participant,
    Phase,
    bonus_threshold,
    nearest,
    new_rating,
    rate_event,
    sum_in_order,
)
from arpad.regulations.icu.rules import EDITIONS, IcuRules
from arpad.regulations.icu.state import FIELDS, IcuState, coefficient, line, parse, values_of
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


def rate(unit: Unit[IcuState], rules: IcuRules) -> Outcome[IcuState]:
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
        most = rules.most_passes.value
        finding = Finding(Severity.ERROR, "icu-not-settled", rules.most_passes.article, facts={"most": most})
        unchanged = {
            name: PlayerOutcome(before=it.state, after=it.state) for name, it in unit.entrants.items()
        }
        return Outcome(unchanged, (finding,))
    outcomes = {
        name: _outcome(player, unit.entrants[name].state, reasons.get(name, ""), rules)
        for name, player in players.items()
    }
    findings = tuple(_unrateable(player) for player in players.values() if _is_unrateable(player))
    return Outcome(outcomes, findings)


def _participant(
    name: str, entrant: Entrant[IcuState], games: tuple[Game, ...], rules: IcuRules
) -> Participant:
    state = entrant.state
    if state is None:
        return Participant(name, Kind.UNRATED, games)
    kind = Kind.GUEST if entrant.fixed else Kind.ESTABLISHED if state.is_full(rules) else Kind.PROVISIONAL
    return Participant(name, kind, games, state.rating, old_games=state.games or 0)


def _is_unrateable(player: Participant) -> bool:
    return bool(player.games) and player.own_value() is None


def _unrateable(player: Participant) -> Finding:
    return Finding(Severity.INFO, "icu-unrateable", "P", facts={"player": player.name})


# ---------------------------------------------------------------------------------------------- one player


def _outcome(
    player: Participant, before: IcuState | None, reason: str, rules: IcuRules
) -> PlayerOutcome[IcuState]:
    last = player.phases[-1]
    rated = sum(rating.expected is not None for rating in last.ratings)
    after = _state_after(player, before, last, rated)
    if not player.games:
        return PlayerOutcome(before=before, after=before)
    passes = tuple(
        _pass(player, phase, number, reason, rules) for number, phase in enumerate(player.phases, start=1)
    )
    passes = (*passes[:-1], _rounded(passes[-1], player, last, before, after))
    return PlayerOutcome(before=before, after=after, figures=_figures(player, last, rated), passes=passes)


def _state_after(player: Participant, before: IcuState | None, last: Phase, rated: int) -> IcuState | None:
    if player.kind is Kind.GUEST or not rated:
        return before
    if player.kind is Kind.ESTABLISHED and before is not None:
        games = None if before.games is None else before.games + rated
        return IcuState(new_rating(player.rating, last.change, last.bonus), games)
    return IcuState(nearest(last.performance or 0.0), player.old_games + rated)


def _figures(player: Participant, last: Phase, rated: int) -> dict[str, Fact]:
    figures: dict[str, Fact] = {"score": scores_of(player.games), "games": rated}
    if rated:
        expected = sum_in_order(rating.expected for rating in last.ratings if rating.expected is not None)
        figures["expected"] = Fraction(expected)
    if last.performance is not None:
        figures["performance"] = Fraction(last.performance)
    if player.kind is Kind.ESTABLISHED:
        figures |= {"k": player.k, "bonus": last.bonus, "change": Fraction(last.change)}
    return figures


def _pass(player: Participant, phase: Phase, number: int, reason: str, rules: IcuRules) -> Pass:
    if player.kind is Kind.ESTABLISHED:
        games = tuple(map(_change_figures, player.games, phase.ratings))
        result: Number | None = Fraction(player.rating + phase.change + phase.bonus)
        bonus = (Adjustment("bonus", "B", phase.bonus),) if phase.bonus else ()
        steps = _established_steps(player, phase, number, reason, rules)
    else:
        games = _performance_figures(player, phase)
        result = None if phase.performance is None else Fraction(phase.performance)
        bonus, steps = (), _performance_steps(player, phase)
    if player.kind is Kind.GUEST:
        games = tuple(replace(game, contribution=0) for game in games)
        result = player.rating
    return Pass(
        name=f"icu-phase-{number}", article="B", games=games, adjustments=bonus, steps=steps, result=result
    )


def _change_figures(game: Game, rating: GameRating) -> GameFigures:
    return GameFigures(
        opponent=game.opponent,
        round=game.round,
        score=game.score,
        value=_exact(rating.value),
        source=rating.source,
        expected=_exact(rating.expected),
        contribution=Fraction(rating.change),
    )


def _performance_figures(player: Participant, phase: Phase) -> tuple[GameFigures, ...]:
    """Return what each game adds to a performance: its part of the mean, less the old rating's part."""
    count = sum(term.value is not None for term in phase.terms) + player.old_games
    old = player.rating if player.kind is Kind.PROVISIONAL else 0
    return tuple(
        GameFigures(
            opponent=game.opponent,
            round=game.round,
            score=game.score,
            value=_exact(term.value),
            source=term.source,
            expected=_exact(rating.expected),
            contribution=0 if term.value is None else (Fraction(term.change) - old) / count,
        )
        for game, term, rating in zip_longest(
            player.games, phase.terms, phase.ratings, fillvalue=GameRating()
        )
        if isinstance(game, Game)
    )


def _exact(value: float | None) -> Fraction | None:
    return None if value is None else Fraction(value)


def _rounded(
    last_pass: Pass, player: Participant, last: Phase, before: IcuState | None, after: IcuState | None
) -> Pass:
    """Return the last pass with the rounding, which makes the sum exact, and the step of the new rating."""
    if player.kind is Kind.GUEST or after is None or after is before:
        return last_pass
    rounding = after.rating - (before.rating if before else 0) - last_pass.total()
    facts: dict[str, Fact] = {"games": after.games or 0}
    quantity = "icu-new-performance"
    if player.kind is Kind.ESTABLISHED:
        quantity = "icu-new"
        facts = {"old": player.rating, "change": Fraction(last.change), "bonus": last.bonus}
    return replace(
        last_pass,
        adjustments=(*last_pass.adjustments, Adjustment("rounding", "C5", rounding)),
        steps=(*last_pass.steps, Step("C5", quantity, after.rating, facts)),
        result=after.rating,
    )


# ---------------------------------------------------------------------------------------------- steps


def _established_steps(
    player: Participant, phase: Phase, number: int, reason: str, rules: IcuRules
) -> tuple[Step, ...]:
    steps = [step("K", f"icu-k-{reason}", player.k)] if number == 1 else []
    for game, rating in zip(player.games, phase.ratings, strict=True):
        steps.append(_game_step(game, rating, rules))
    expected = Fraction(sum_in_order(it.expected for it in phase.ratings if it.expected is not None))
    steps.append(
        step("E", "icu-change", Fraction(phase.change), score=scores_of(player.games), expected=expected, k=player.k)
    )  # fmt: skip
    if phase.bonus:
        threshold = bonus_threshold(len(player.games), rules)
        steps.append(step("B", "icu-bonus", phase.bonus, threshold=threshold, games=len(player.games)))
    return tuple(steps)


def _game_step(game: Game, rating: GameRating, rules: IcuRules) -> Step:
    if rating.expected is None:
        return step("E", "icu-game-unrated", None, opponent=game.opponent)
    return step(
        rules.spread.article,
        "icu-game",
        Fraction(rating.expected),
        opponent=game.opponent,
        rating=_exact(rating.value),
        score=game.score,
    )


def _performance_steps(player: Participant, phase: Phase) -> tuple[Step, ...]:
    if phase.performance is None:
        return ()
    steps = [
        step("P", "icu-term", _exact(term.change), opponent=game.opponent, rating=_exact(term.value), score=game.score)
        for game, term in zip(player.games, phase.terms, strict=True)
        if term.value is not None
    ]  # fmt: skip
    performance = Fraction(phase.performance)
    if player.kind is Kind.PROVISIONAL:
        old = {"games": player.old_games, "rating": player.rating}
        steps.append(Step("P", "icu-performance-with-old", performance, {**old, "passes": phase.passes}))
    else:
        steps.append(step("P", "icu-performance", performance, passes=phase.passes))
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
    line=line,
)
