"""Glicko and Glicko-2 as a value: a period is rated, all players from the states at its start."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from arpad.model.errors import BadInput
from arpad.model.real_numbers import exact, real
from arpad.model.rules import Fact, Rule, Step, step
from arpad.regulations.glicko2.formulas import (
    CENTRE,
    SCALE,
    Opposition,
    expected_score,
    new_volatility,
    q,
    surprise,
    variance,
    weight,
    widened,
)
from arpad.regulations.glicko2.rules import EDITIONS, GlickoRules
from arpad.regulations.glicko2.state import (
    FIELDS,
    HIGHEST_DEVIATION,
    GlickoState,
    line,
    parse,
)
from arpad.regulations.outcomes import Derivation, GameFigures, Outcome, Pass, adjusted, outcome_of
from arpad.regulations.rating_system import DecidingDay, Driver, System
from arpad.regulations.system_fields import real_number
from arpad.regulations.units import Entrant, Game, Unit, scores_of

UNIT_FACTS = (
    real_number("tau", 0, 10, above=True),
    real_number("c", 0, HIGHEST_DEVIATION),
    real_number("low", 0, HIGHEST_DEVIATION, above=True),
    real_number("high", 0, HIGHEST_DEVIATION, above=True),
    real_number("sigma", 0, 1, above=True),
    real_number("floor", 0, 4000),
    real_number("periods", 0, 1000),
)


@dataclass(frozen=True, slots=True)
class _Growth:
    """How far a player's deviation has grown at the start of the period."""

    state: GlickoState
    volatility: Decimal
    deviation: Decimal
    """The deviation that opponents see, and from which the player is rated."""


@dataclass(frozen=True, slots=True)
class _Change:
    """A player's values after the period's games, and the figures on the way."""

    rating: Decimal
    deviation: Decimal
    volatility: Decimal
    factor: Decimal
    """Points of rating for each unit of surprise."""

    figures: Mapping[str, Fact]
    steps: tuple[Step, ...]
    met: Sequence[Opposition]


def rate(unit: Unit[GlickoState], rules: GlickoRules) -> Outcome[GlickoState]:
    """Rate a period: every player from the values at its start."""
    rules = _with_facts(rules, unit.facts)
    games = unit.games_by_player()
    grown = {
        name: _grown(entrant.state or start(entrant, rules), rules)
        for name, entrant in unit.entrants.items()
        if entrant.state is not None or games[name]
    }
    elapsed = _real_fact(unit.facts, "periods", Decimal(1))
    after, changes = {name: entrant.state for name, entrant in unit.entrants.items()}, dict[str, _Change]()
    for name, player in grown.items():
        if unit.entrants[name].fixed:
            continue
        if not games[name]:
            after[name] = _rested(player, elapsed, rules)
            continue
        met = [_opposition(player, grown[game.opponent], game, rules) for game in games[name]]
        compute = _glicko_2 if rules.has_volatility.value else _glicko_1
        changes[name] = change = compute(player, met, elapsed, rules)
        rest = (change.volatility,) if rules.has_volatility.value else (None, 1)
        after[name] = GlickoState(
            _limited(player.state.rating, change.rating, rules), change.deviation, *rest
        )

    def derive(name: str) -> Derivation:
        state = after[name]
        if state is None or unit.entrants[name].fixed:
            return {}, ()
        if name in changes:
            return _derived(name, unit, grown, games[name], changes[name], state, rules)
        rested = step("step 6", "glicko-rest", exact(state.rd), before=exact(grown[name].state.rd))
        return {}, [Pass(name="glicko-period", article="step 6", steps=(rested,), result=exact(state.rating))]

    return outcome_of(unit, after, (), derive)


def _with_facts(rules: GlickoRules, facts: Mapping[str, Fact]) -> GlickoRules:
    """Return the rules with what a federation sets for its list."""
    names = {
        "tau": "tau", "c": "c", "low": "lowest_deviation", "high": "highest_deviation",
        "sigma": "highest_volatility", "floor": "lowest_rating",
    }  # fmt: skip
    given: dict[str, Any] = {
        names[name]: Rule(value, "list") for name, value in facts.items() if name in names
    }
    rules = replace(rules, **given)
    lowest, highest = rules.lowest_deviation, rules.highest_deviation
    if lowest and highest and lowest.value > highest.value:
        raise BadInput("out-of-range", option="facts.low", value=lowest.value, low=0, high=highest.value)
    return rules


def _real_fact(facts: Mapping[str, Fact], name: str, default: Decimal) -> Decimal:
    value = facts.get(name)
    return real(value) if isinstance(value, Fraction) else default


def start(_entrant: Entrant[GlickoState], rules: GlickoRules) -> GlickoState:
    """Return the values with which a newcomer begins."""
    volatility = real(rules.start_volatility.value) if rules.has_volatility.value else None
    return GlickoState(real(rules.start_rating.value), real(rules.start_deviation.value), volatility)


def idle(state: GlickoState, periods: int, rules: GlickoRules) -> GlickoState:
    """Return a state after so many periods without a game."""
    if rules.has_volatility.value:
        phi, sigma = state.rd / SCALE, _volatility(state, rules)
        deviation = _within((phi * phi + periods * sigma * sigma).sqrt() * SCALE, rules)
        return replace(state, rd=deviation)
    highest = rules.highest_deviation
    top = Decimal("Infinity") if highest is None else real(highest.value)
    return replace(state, rd=widened(state.rd, real(rules.c.value), periods, top))


def _volatility(state: GlickoState, rules: GlickoRules) -> Decimal:
    return real(rules.start_volatility.value) if state.volatility is None else state.volatility


def _grown(state: GlickoState, rules: GlickoRules) -> _Growth:
    """Return a state at the start of the period: Glicko-2 grows inside the periods, Glicko before each."""
    periods = state.periods or 0
    missed = max(periods - 1, 0) if rules.has_volatility.value else periods
    deviation = idle(state, missed, rules).rd if missed else state.rd
    return _Growth(state, _volatility(state, rules), deviation)


def _within(deviation: Decimal, rules: GlickoRules) -> Decimal:
    """Return a deviation within the limits of the list."""
    if rules.highest_deviation is not None:
        deviation = min(deviation, real(rules.highest_deviation.value))
    if rules.lowest_deviation is not None:
        deviation = max(deviation, real(rules.lowest_deviation.value))
    return deviation


def _limited(before: Decimal, rating: Decimal, rules: GlickoRules) -> Decimal:
    """Return a rating after a period within the limits of the list."""
    if rules.largest_change is not None:
        most = rules.largest_change.value
        rating = min(max(rating, before - most), before + most)
    return rating if rules.lowest_rating is None else max(rating, real(rules.lowest_rating.value))


# ---------------------------------------------------------------------------------------------- one player


def _derived(
    name: str,
    unit: Unit[GlickoState],
    grown: Mapping[str, _Growth],
    games: Sequence[Game],
    change: _Change,
    after: GlickoState,
    rules: GlickoRules,
) -> Derivation:
    """Return how the values of a player with games came about."""
    player, is_new = grown[name], unit.entrants[name].state is None
    before = player.state.rating
    figures = tuple(
        GameFigures.of(
            game,
            value=exact(grown[game.opponent].state.rating),
            source="fixed" if unit.entrants[game.opponent].fixed else "rating",
            expected=exact(it.expected),
            contribution=exact(change.factor * it.surprise),
            figures={
                "rd": exact(grown[game.opponent].deviation),
                "g": exact(it.g),
                "k": exact(change.factor * it.g),
            },
        )
        for game, it in zip(games, change.met, strict=True)
    )
    adjustments = adjusted(
        ("start", "step 1", exact(before) if is_new else 0),
        ("glicko-limit", "list", exact(after.rating - change.rating)),
    )
    part = Pass(
        name="glicko-period",
        article=rules.has_volatility.article,
        games=figures,
        adjustments=adjustments,
        steps=(_start_step(player), *change.steps, _new_step(player, after)),
        result=exact(after.rating),
        game_words="glicko-game",
    )
    known: dict[str, Fact] = {
        "score": scores_of(games),
        "games": len(games),
        "expected": exact(sum((it.expected for it in change.met), Decimal(0))),
    }
    return {**known, **change.figures}, [part]


def _rested(player: _Growth, elapsed: Decimal, rules: GlickoRules) -> GlickoState:
    """Return the state of a player without games: the deviation grows, and nothing else changes."""
    if not rules.has_volatility.value:
        return replace(player.state, rd=player.deviation, periods=1)
    phi = player.deviation / SCALE
    star = (phi * phi + elapsed * player.volatility * player.volatility).sqrt()
    return GlickoState(player.state.rating, _within(star * SCALE, rules), player.volatility)


def _opposition(player: _Growth, opponent: _Growth, game: Game, rules: GlickoRules) -> Opposition:
    """Return a game on the scale of the edition: that of Glicko-2, or Glicko's, whose unit is not rounded."""
    unit = 1 / SCALE if rules.has_volatility.value else q()
    g = weight(opponent.deviation * unit)
    expected = expected_score(player.state.rating * unit, opponent.state.rating * unit, g)
    return Opposition(g, expected, real(game.score))


def _glicko_2(player: _Growth, games: Sequence[Opposition], elapsed: Decimal, rules: GlickoRules) -> _Change:
    """Return the values of Glicko-2 after the games (steps 2 to 8)."""
    mu, phi = (player.state.rating - CENTRE) / SCALE, player.deviation / SCALE
    v = variance(games)
    delta = v * surprise(games)
    tau, tolerance = real(rules.tau.value), real(rules.tolerance.value)
    sigma = new_volatility(player.volatility, phi, v, delta, tau, tolerance)
    if rules.highest_volatility is not None:
        sigma = min(sigma, real(rules.highest_volatility.value))
    phi_star = (phi * phi + elapsed * sigma * sigma).sqrt()
    phi_new = 1 / (1 / (phi_star * phi_star) + 1 / v).sqrt()
    mu_new = mu + phi_new * phi_new * surprise(games)
    names = {"v": v, "delta": delta, "phi_star": phi_star, "phi": phi_new, "mu": mu_new, "volatility": sigma}
    figures = {name: exact(value) for name, value in names.items()}
    sigma_new = figures["volatility"]
    steps = (
        step("step 3", "glicko-variance", figures["v"]),
        step("step 4", "glicko-delta", figures["delta"]),
        step("step 5", "glicko-volatility", sigma_new, before=exact(player.volatility), tau=rules.tau.value),
        step("step 6", "glicko-star", figures["phi_star"]),
    )
    deviation = _within(SCALE * phi_new, rules)
    return _Change(
        SCALE * mu_new + CENTRE, deviation, sigma, SCALE * phi_new * phi_new, figures, steps, games
    )


def _glicko_1(player: _Growth, games: Sequence[Opposition], _elapsed: Decimal, rules: GlickoRules) -> _Change:
    """Return the values of Glicko after the games (step 2)."""
    d_squared = variance(games) / (q() * q())
    precision = 1 / (player.deviation * player.deviation) + 1 / d_squared
    factor = q() / precision
    rating = player.state.rating + factor * surprise(games)
    d = d_squared.sqrt()
    steps = (step("step 2", "glicko-d", exact(d)),)
    deviation = _within((1 / precision).sqrt(), rules)
    return _Change(rating, deviation, player.volatility, factor, {"d": exact(d)}, steps, games)


# ---------------------------------------------------------------------------------------------- steps


def _start_step(player: _Growth) -> Step:
    rating = exact(player.state.rating)
    return step("step 1", "glicko-start", rating, deviation=exact(player.deviation))


def _new_step(player: _Growth, after: GlickoState) -> Step:
    facts: dict[str, Fact] = {"before": exact(player.state.rating), "deviation": exact(after.rd)}
    return Step("step 8", "glicko-new", exact(after.rating), facts)


SYSTEM: System[GlickoState, GlickoRules] = System(
    id="glicko2",
    driver=Driver.PERIOD,
    deciding_day=DecidingDay.FIRST,
    editions=EDITIONS,
    fields=FIELDS,
    unit_facts=UNIT_FACTS,
    parse=parse,
    rate=rate,
    line=line,
    start=start,
)
