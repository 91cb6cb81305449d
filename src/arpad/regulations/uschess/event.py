"""A section of US Chess, rated as a whole in three passes: first, middle and final (chapter 4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from fractions import Fraction

from arpad.model.errors import BadInput
from arpad.model.exact import decimal_text, half_up
from arpad.model.real_numbers import PLACES, exact, is_doubtful, real
from arpad.model.rules import Fact, Finding, Severity
from arpad.regulations.rating_system import Entrant, Game, Unit
from arpad.regulations.uschess.formulas import (
    Estimate,
    Result,
    absolute_floor,
    effective_games,
    is_special,
    peak_floor,
    special_rating,
    standard_rating,
)
from arpad.regulations.uschess.rules import UschessRules
from arpad.regulations.uschess.state import Initial, UschessState, initial_rating

_FINE = 10**60
"""Fractions with a larger denominator go on as real numbers of 50 digits."""

_HALF_YEAR, _THREE_YEARS = timedelta(days=180), timedelta(days=1096)


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player of a section: the state from which the section starts, and the games."""

    entrant: Entrant[UschessState]
    state: UschessState
    initial: Initial | None
    """Of a newcomer."""

    games: tuple[Game, ...]
    effective: Fraction
    special: bool
    most_met: int
    """How often the opponent met most was met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """All numbers of a section: each pass, and the states after it."""

    players: Mapping[str, Player]
    passes: tuple[Mapping[str, Estimate], ...]
    """First (only of newcomers), middle and final."""

    after: Mapping[str, UschessState | None]
    floors: Mapping[str, int]
    findings: tuple[Finding, ...] = ()


def rate_section(unit: Unit[UschessState], rules: UschessRules) -> Section:
    """Return all numbers of a section (chapter 4)."""
    players = _players(unit, rules)
    if unit.facts.get("match") and (refusal := _match_refused(players, rules)):
        unchanged = {name: entrant.state for name, entrant in unit.entrants.items()}
        return Section(players=players, passes=({}, {}, {}), after=unchanged, floors={}, findings=(refusal,))
    values = {name: player.state.rating for name, player in players.items()}
    playing = {name: item for name, item in players.items() if item.games and not item.entrant.fixed}
    passes = []
    for first in (True, False, False):
        estimates = {
            name: _estimate(player, values, unit, rules, first=first)
            for name, player in playing.items()
            if not first or player.state.games == 0
        }
        values = {**values, **{name: _shortened(item.value) for name, item in estimates.items()}}
        passes.append(estimates)
    after, floors = dict[str, UschessState | None](), dict[str, int]()
    for name, entrant in unit.entrants.items():
        after[name] = entrant.state
        if name in playing:
            floors[name] = _floor(playing[name], unit, rules)
            after[name] = _state_after(playing[name], passes[-1][name], floors[name], unit, rules)
    findings = tuple(_findings(playing, after))
    return Section(players=players, passes=tuple(passes), after=after, floors=floors, findings=findings)


def _players(unit: Unit[UschessState], rules: UschessRules) -> dict[str, Player]:
    """Return the players with the ratings from which the section starts (steps 1 and 2)."""
    players = {}
    for name, games in unit.games_by_player().items():
        entrant = unit.entrants[name]
        initial = None if entrant.state else initial_rating(entrant.facts, unit.last_day, rules)
        state = entrant.state or UschessState(
            rating=initial.rating if initial else Fraction(0), games=initial.games if initial else 0
        )
        players[name] = Player(
            entrant=entrant,
            state=state,
            initial=initial,
            games=games,
            effective=effective_games(state.rating, state.games, rules),
            special=is_special(state.games, state.history, rules),
            most_met=max(Counter(game.opponent for game in games).values(), default=0),
        )
    return players


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
    rating = player.state.rating
    if first or player.special:
        effective = Fraction(1) if first else player.effective
        found = special_rating(rating, effective, results, rules, player.state.history)
    else:
        regular = unit.facts.get("system", "regular") == "regular"
        found = standard_rating(
            rating,
            player.effective,
            results,
            rules,
            most_met=player.most_met,
            dual=bool(unit.facts.get("dual")) and regular,
            match=_match_room(player.state, unit.last_day, rules) if unit.facts.get("match") else None,
        )
    least = Fraction(rules.estimate_least.value)
    if found.value >= least:
        return found
    return replace(found, value=least, limit=found.limit + least - found.value)


def _shortened(value: Fraction) -> Fraction:
    return value if value.denominator < _FINE else exact(real(value))


# --------------------------------------------------------------------------------------------------- matches


def _match_refused(players: Mapping[str, Player], rules: UschessRules) -> Finding | None:
    """Return why a match is not rated: both must be established, and not too far apart (section on matches)."""
    playing = {name: player for name, player in players.items() if player.games}
    if len(playing) != len(("white", "black")):
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


def _floor(player: Player, unit: Unit[UschessState], rules: UschessRules) -> int:
    """Return the highest of a player's floors, with the results of this section (chapter 5)."""
    state = player.state
    wins, draws = (sum(2 * game.score == half for game in player.games) for half in (2, 1))
    events = state.events + (len(player.games) >= rules.floor_event_games.value)
    floors = [absolute_floor(state.wins + wins, state.draws + draws, events, rules), state.floor]
    if unit.facts.get("system", "regular") == "regular":
        floors.append(peak_floor(state.peak, rules))
    return max(floor for floor in floors if floor is not None)


def _state_after(
    player: Player, final: Estimate, floor: int, unit: Unit[UschessState], rules: UschessRules
) -> UschessState:
    """Return the state after a section; the rating is carried with ten decimals."""
    state, games = player.state, player.games
    value = max(final.value, Fraction(floor))
    rating = Fraction(half_up(value * 10**PLACES), 10**PLACES)
    played = state.games + len(games)
    peak = state.peak
    if played > rules.provisional_games.value:
        peak = max(half_up(rating), state.peak or 0)
    matches = state.matches
    if unit.facts.get("match") and unit.last_day is not None:
        kept = (item for item in matches if unit.last_day - item[0] <= _THREE_YEARS)
        matches = (*kept, (unit.last_day, rating - state.rating))
    return UschessState(
        rating=rating,
        games=played,
        wins=state.wins + sum(game.score == 1 for game in games),
        draws=state.draws + sum(2 * game.score == 1 for game in games),
        losses=state.losses + sum(game.score == 0 for game in games),
        events=state.events + (len(games) >= rules.floor_event_games.value),
        peak=peak,
        floor=state.floor,
        matches=matches,
    )


def _findings(playing: Mapping[str, Player], after: Mapping[str, UschessState | None]) -> list[Finding]:
    """Return which printed figures are in doubt, and which initial ratings were mixed."""
    findings = []
    for name, player in playing.items():
        state = after[name]
        if state is not None and is_doubtful(real(state.rating)):
            facts = {"player": name, "value": decimal_text(state.rating, places=PLACES)}
            findings.append(Finding(Severity.WARNING, "rounding-in-doubt", "4.2", facts=facts))
        if player.initial is not None and player.initial.mixed:
            findings.append(Finding(Severity.WARNING, "uschess-blended", "2", facts={"player": name}))
    return findings
