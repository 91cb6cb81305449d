"""US Chess: a chain of sections, each rated as a whole in three passes, and how it changed each player (chapter 4)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction
from functools import partial

from arpad.model.errors import BadInput
from arpad.model.exact import half_up
from arpad.model.real_numbers import PLACES, exact, real, round_real
from arpad.model.rules import Fact, Finding, Severity, Step, step
from arpad.regulations.outcomes import Derivation, GameFigures, Outcome, Pass, adjusted, outcome_of
from arpad.regulations.rating_system import DecidingDay, Driver, System, doubts
from arpad.regulations.system_fields import choice, flag
from arpad.regulations.units import Entrant, Game, Unit, order_by_last_day, scores_of, values_of
from arpad.regulations.uschess.formulas import (
    Estimate,
    History,
    Result,
    effective_games,
    is_special,
    special_rating,
    standard_rating,
)
from arpad.regulations.uschess.rules import EDITIONS, UschessRules, systems_of
from arpad.regulations.uschess.state import (
    FIELDS,
    Initial,
    UschessState,
    floor_of,
    initial_rating,
    line,
    parse,
    rating_by_age,
    start,
)

SYSTEMS = ("regular", "quick", "blitz", "online-regular", "online-quick", "online-blitz")

_FINE = 10**60
"""Fractions with a larger denominator go on as real numbers of 50 digits."""

_HALF_YEAR, _THREE_YEARS = timedelta(days=180), timedelta(days=1096)
_MATCH = 2
"""The players of a match."""

_NAMES, _FINAL = ("uschess-first", "uschess-middle", "uschess-final"), 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player of a section: the state from which the section starts, and the games."""

    entrant: Entrant[UschessState]
    state: UschessState
    initial: Initial | None
    """Of a newcomer."""

    games: tuple[Game, ...]
    effective: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """All numbers of a section: each pass, and the states after it."""

    players: Mapping[str, Player]
    passes: tuple[Mapping[str, Estimate], ...] = ({}, {}, {})
    """First (only of newcomers), middle and final."""

    after: Mapping[str, UschessState | None]
    floors: Mapping[str, int]
    findings: tuple[Finding, ...] = ()


def rate_section(unit: Unit[UschessState], rules: UschessRules) -> Section:
    """Return all numbers of a section (chapter 4)."""
    players = {name: _player(name, games, unit, rules) for name, games in unit.games_by_player().items()}
    after, floors = {name: it.state for name, it in unit.entrants.items()}, dict[str, int]()
    if unit.facts.get("match") and (refusal := _match_refused(players, rules)):
        return Section(players=players, after=after, floors=floors, findings=(refusal,))
    values = {name: player.state.rating for name, player in players.items()}
    playing = {name: item for name, item in players.items() if item.games and not item.entrant.fixed}
    passes = []
    for first in (True, False, False):
        estimates = {
            name: _estimate(player, values, unit, rules, first=first)
            for name, player in playing.items()
            if not first or player.state.games == 0
        }
        values |= {name: _shortened(item.value) for name, item in estimates.items()}
        passes.append(estimates)
    findings: list[Finding] = []
    for name, player in playing.items():
        counted = _counted(player, rules)
        floors[name] = floor_of(counted if _is_regular(unit) else replace(counted, peak=None), rules)
        rating = max(passes[_FINAL][name].value, Fraction(floors[name]))
        after[name] = _state_after(counted, rating, unit, rules)
        findings += round_real(real(rating), half_up, "4.2", player=name)[1]
        if player.initial is not None and player.initial.mixed:
            findings.append(Finding(Severity.WARNING, "uschess-blended", "2", facts={"player": name}))
    return Section(
        players=players, passes=tuple(passes), after=after, floors=floors, findings=tuple(findings)
    )


def _player(name: str, games: tuple[Game, ...], unit: Unit[UschessState], rules: UschessRules) -> Player:
    """Return a player with the rating from which the section starts (steps 1 and 2)."""
    entrant = unit.entrants[name]
    state, initial = entrant.state, None
    if state is None:
        initial = initial_rating(entrant.facts, unit.last_day, rules)
        state = UschessState(rating=initial.rating, games=initial.games)
    effective = effective_games(state.rating, state.games, rules)
    return Player(entrant=entrant, state=state, initial=initial, games=games, effective=effective)


def _estimate(
    player: Player,
    values: Mapping[str, Fraction],
    unit: Unit[UschessState],
    rules: UschessRules,
    *,
    first: bool,
) -> Estimate:
    """Return the rating of a player in a pass, from the opponents' values of the pass before (steps 3 to 5)."""
    results = [Result(values[game.opponent], game.score) for game in player.games]
    state, effective = player.state, Fraction(1) if first else player.effective
    room = _match_room(state, unit.last_day, rules) if unit.facts.get("match") else None
    if first or is_special(state.games, state.history, rules):
        found = special_rating(state.rating, effective, results, rules, state.history)
        if room:
            found = found.within(state.rating + room[0], state.rating + room[1])
    else:
        found = standard_rating(
            state.rating,
            effective,
            results,
            rules,
            most_met=max(Counter(game.opponent for game in player.games).values()),
            dual=bool(unit.facts.get("dual")) and _is_regular(unit),
            match=room,
        )
    least = rules.estimate_least.value
    return found if found.value >= least else found.within(Fraction(least), Fraction(least))


def _shortened(value: Fraction) -> Fraction:
    return value if value.denominator < _FINE else exact(real(value))


# --------------------------------------------------------------------------------------------------- matches


def _match_refused(players: Mapping[str, Player], rules: UschessRules) -> Finding | None:
    """Return why a match is not rated: both must be established, and not too far apart (section on matches)."""
    playing = {name: player for name, player in players.items() if player.games}
    if len(playing) != _MATCH:
        raise BadInput("uschess-match-players", option="facts.match", players=len(playing))
    apart = rules.match_limits.value[0]
    (one, first), (other, second) = playing.items()
    facts: dict[str, Fact] = {"player": one, "opponent": other, "apart": apart}
    established = all(
        player.state.games > rules.provisional_games.value or player.entrant.fixed
        for player in playing.values()
    )
    if established and abs(first.state.rating - second.state.rating) <= apart:
        return None
    return Finding(Severity.ERROR, "uschess-match-unrated", rules.match_limits.article, facts=facts)


def _match_room(state: UschessState, day: date | None, rules: UschessRules) -> tuple[Fraction, Fraction]:
    """Return how far a match may move a rating down and up, with the matches before it."""
    _, single, half_year, three_years = rules.match_limits.value
    low, high = Fraction(-single), Fraction(single)
    for most, window in ((half_year, _HALF_YEAR), (three_years, _THREE_YEARS)):
        done = sum((change for at, change in state.matches if day is None or day - at <= window), Fraction(0))
        low, high = max(low, -most - done), min(high, most - done)
    return min(low, Fraction(0)), max(high, Fraction(0))


# ----------------------------------------------------------------------------------------------- after it


def _is_regular(unit: Unit[UschessState]) -> bool:
    return unit.facts.get("system", "regular") == "regular"


def _counted(player: Player, rules: UschessRules) -> UschessState:
    """Return the state before a section with the games of it."""
    state, games = player.state, player.games
    wins, draws, losses = (sum(2 * game.score == half for game in games) for half in (2, 1, 0))
    return replace(
        state,
        games=state.games + len(games),
        wins=state.wins + wins,
        draws=state.draws + draws,
        losses=state.losses + losses,
        events=state.events + (len(games) >= rules.floor_event_games.value),
    )


def _state_after(
    counted: UschessState, value: Fraction, unit: Unit[UschessState], rules: UschessRules
) -> UschessState:
    """Return the state after a section; the rating is carried with ten decimals."""
    rating = Fraction(half_up(value * 10**PLACES), 10**PLACES)
    peak, matches = counted.peak, counted.matches
    if counted.games > rules.provisional_games.value and _is_regular(unit):
        peak = max(half_up(rating), peak or 0)
    if unit.facts.get("match") and unit.last_day is not None:
        kept = (item for item in matches if unit.last_day - item[0] <= _THREE_YEARS)
        matches = (*kept, (unit.last_day, rating - counted.rating))
    return replace(counted, rating=rating, peak=peak, matches=matches)


# -------------------------------------------------------------------------------------------- the derivation


def rate(unit: Unit[UschessState], rules: UschessRules) -> Outcome[UschessState]:
    """Rate all players of a section together (chapter 4)."""
    section = rate_section(unit, rules)

    def derive(name: str) -> Derivation:
        return _figures(name, section), _passes(name, section, rules)

    return outcome_of(unit, section.after, section.findings, derive)


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
    values = {other: item.state.rating for other, item in section.players.items()}
    for number, estimates in enumerate(section.passes):
        if name in estimates:
            yield _pass(name, number, values, section, rules)
        values = values | {other: item.value for other, item in estimates.items()}


def _pass(
    name: str, number: int, values: Mapping[str, Fraction], section: Section, rules: UschessRules
) -> Pass:
    player, estimate = section.players[name], section.passes[number][name]
    contributions = estimate.contributions(game.score for game in player.games)
    games = tuple(
        GameFigures.of(
            game,
            value=values[game.opponent],
            source=_source(section.players[game.opponent], number),
            expected=Fraction(expected),
            contribution=contribution,
        )
        for game, expected, contribution in zip(player.games, estimate.expected, contributions, strict=True)
    )
    article, steps = "4.1" if estimate.k is None else "4.2", [*_steps(player, number, estimate, rules)]
    raised = Fraction(0)
    if number == _FINAL:
        raised = max(section.floors[name] - estimate.value, raised)
        steps += doubts(rules.floor_absolute) if raised else ()
    adjustments = adjusted(
        ("uschess-initial", "2", Fraction(0) if player.entrant.state else player.state.rating),
        ("uschess-prior", "4.1", estimate.prior),
        ("bonus", "4.2", estimate.bonus),
        ("uschess-limit", article, estimate.limit),
        ("floor", "5", raised),
    )
    result = estimate.value + raised
    return Pass(
        name=_NAMES[number], article=article, games=games, adjustments=adjustments, steps=tuple(steps), result=result
    )  # fmt: skip


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
    if number == _FINAL:
        yield from doubts(rules.effective, rules.special_games if estimate.k is None else rules.points)


def event_facts(minutes: int, players: int) -> dict[str, Fact]:
    """Return whether a section is rated in two systems, and whether it is a match (chapters 7 and 10)."""
    return {"dual": len(systems_of(minutes, 0)) > 1, "match": players == _MATCH}


def counts_on(of_list: Mapping[str, Fact], minutes: int) -> bool:
    """Return whether a section counts in the system of a list; on a list without one all do (chapter 1)."""
    system = str(of_list.get("system", ""))
    online = system.startswith("online-")
    return not system or system.removeprefix("online-") in systems_of(minutes, 0, online=online)


SYSTEM: System[UschessState, UschessRules] = System(
    id="uschess",
    driver=Driver.CHAIN,
    deciding_day=DecidingDay.LAST,
    editions=EDITIONS,
    fields=FIELDS,
    unit_facts=(flag("dual"), flag("match"), choice("system", *SYSTEMS)),
    parse=parse,
    values=partial(values_of, of_newcomers=("initial",), always=frozenset({"peak", "floor"})),
    rate=rate,
    line=line,
    order=order_by_last_day,
    event_facts=event_facts,
    counts_on=counts_on,
    takes_from_day=lambda _name, day, unit, rules: rating_by_age(day, unit.last_day, rules),
    start=start,
)
