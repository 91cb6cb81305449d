"""FIDE's rating regulations as a rating system: the games of a period, from the ratings at its start.

It rates an event or a period of its own. An office's lists are computed by ``lists.period`` and its twin on columns,
which also know what differs from event to event: lists in force, kinds of events, editions, the standard list.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from typing import Any

from arpad.model.chess import EventKind, Performance, PlayerFacts, PlayerState, RatedGame
from arpad.model.errors import BadInput
from arpad.model.exact import from_hundredths
from arpad.model.json_values import from_state, to_state
from arpad.model.rules import CHESS_LISTS, Fact, ListName, Step, step
from arpad.model.typed_values import HIGHEST_K, HIGHEST_RATING
from arpad.regulations.fide.change import coefficient, rating_change
from arpad.regulations.fide.editions import EDITIONS
from arpad.regulations.fide.entry_rating import (
    different_opponents,
    entry_rating,
    swiss_performance,
    within_window,
)
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.fide.settlement import settled
from arpad.regulations.outcomes import Adjustment, GameFigures, Line, Outcome, Pass, PlayerOutcome, adjusted
from arpad.regulations.rating_system import DecidingDay, Driver, StoredStates, System, editions_by_list
from arpad.regulations.system_fields import birth, day, flag, list_of, read_fields, real_number, whole
from arpad.regulations.units import Entrant, Game, Unit, scores_of

_MANY = 10**6
_TRANCHE = (
    *(whole(name, 1, _MANY) for name in ("games", "opponents")),
    whole("score", 0, 2 * _MANY),
    real_number("opponents_total", 0, _MANY * HIGHEST_RATING),
    day("last_day"),
)


def _read_tranche(item: Any, place: str) -> Performance:
    """Return an earlier event of an unrated player, whose score is counted in half-points."""
    values = read_fields(_TRANCHE, item, place)
    if missing := [name for name in ("games", "opponents", "score", "opponents_total") if name not in values]:
        raise BadInput("value-missing", option=f"{place}.{missing[0]}")
    rated = {"rated_games": values["games"], "rated_score": values["score"]}
    return Performance("", EventKind.SWISS, **values, **rated)


FIELDS = (
    *(whole(name, 0, HIGHEST_RATING) for name in ("rating", "peak")),
    whole("games", 0, _MANY),
    whole("k", 1, HIGHEST_K),
    birth("born"),
    day("last_list"),
    flag("inactive"),
    list_of("tranches", _read_tranche),
)
_STATE = ("rating", "peak", "games", "last_list", "inactive")
_FACTS = ("k", "born")


def parse(values: Mapping[str, Any], place: str) -> Entrant[PlayerState]:
    """Return the entrant of typed values: K needs the games so far, or is given."""
    if values.get("rating") is None and values["fixed"]:
        raise BadInput("value-missing", option=f"{place}.rating")
    if values.get("rating") is not None and values.get("tranches"):
        raise BadInput("state-contradicts", option=f"{place}.tranches", field="rating")
    if values.get("rating") is not None and not values["fixed"] and not {"games", "k"} & values.keys():
        raise BadInput("value-missing", option=f"{place}.games")
    given = {name: values[name] for name in _STATE if name in values}
    state = PlayerState(0, **given, tranches=values.get("tranches", ()))
    facts = {name: values[name] for name in _FACTS if name in values}
    return Entrant(None if state == PlayerState(0) else state, values["fixed"], facts)


def values_of(entrant: Entrant[PlayerState]) -> dict[str, Any]:
    """Return the values of an entrant, from which ``parse`` makes it again."""
    state = entrant.state or PlayerState(0)
    tranches = [
        {name: value for field in _TRANCHE if (value := getattr(it, name := field.name)) is not None}
        for it in state.tranches
    ]
    values = {name: value for name in _STATE if (value := getattr(state, name)) not in (None, False)}
    if state.rating is None:
        values = {name: value for name, value in values.items() if value}
    more = {"tranches": tranches, "fixed": entrant.fixed}
    return {**values, **entrant.facts, **{name: value for name, value in more.items() if value}}


def rate(unit: Unit[PlayerState], rules: ChessRules) -> Outcome[PlayerState]:
    """Rate a period, all players from their states before it (8.2, 8.5); of the list of its last day (7.21, 7.23)."""
    games = unit.games_by_player()
    return Outcome({name: _player(name, games[name], unit, rules) for name in unit.entrants})


def _player(
    name: str, games: tuple[Game, ...], unit: Unit[PlayerState], rules: ChessRules
) -> PlayerOutcome[PlayerState]:
    entrant = unit.entrants[name]
    state = entrant.state or PlayerState(0)
    ratings = [None if (it := unit.entrants[game.opponent].state) is None else it.rating for game in games]
    if entrant.fixed:
        return PlayerOutcome(before=entrant.state, after=entrant.state)
    if state.rating is None:
        return _newcomer(entrant, games, ratings, unit, rules)
    rated = [
        RatedGame(state.rating, rating, int(2 * game.score))
        for game, rating in zip(games, ratings, strict=True)
        if rating is not None
    ]
    if not rated:
        after = _settled(state, unit, rules)[0]
        return PlayerOutcome(before=entrant.state, after=after)
    k, steps = _k(state, entrant.facts, unit, rules)
    result = rating_change(state.rating, k, rated, rules)
    changes = iter(result.games)
    figures = []
    for game, rating in zip(games, ratings, strict=True):
        change = None if rating is None else next(changes)
        counted = change is not None and change.rated
        figures.append(
            GameFigures.of(
                game,
                value=rating if counted else None,
                source="rating" if counted else "none",
                expected=from_hundredths(change.expected) if change and counted else None,
                contribution=from_hundredths(result.k_applied * change.change) if change else 0,
            )
        )
    played = sum(game.rated for game in result.games)
    after, settlement = _settled(
        replace(
            state,
            rating=result.new_rating,
            games=state.games + played,
            peak=max(state.peak, state.rating),
            last_list=(unit.last_day or state.last_list) if played else state.last_list,
        ),
        unit,
        rules,
    )
    article = rules.articles["change"]
    adjustments = adjusted(
        ("rounding", rules.rounding.article, result.new_rating - result.rating - result.change),
        ("fide-list", rules.floor.article, (after.rating or 0) - result.new_rating),
    )
    expected = sum((from_hundredths(game.expected) for game in result.games), Fraction(0))
    steps += (*(it for it in result.steps if it.quantity != "delisted"), *settlement)
    explaining: dict[str, Fact] = {
        "score": scores_of(games),
        "games": played,
        "expected": expected,
        "k": result.k_applied,
    }
    return _outcome(entrant.state, after, explaining, article, figures, adjustments, steps)


def _settled(
    state: PlayerState, unit: Unit[PlayerState], rules: ChessRules
) -> tuple[PlayerState, tuple[Step, ...]]:
    """Return a state as the list of the unit's last day has it; a player who was delisted is simply unrated."""
    after, steps = settled(state, unit.last_day or date.max, rules)
    inactive = after.inactive and unit.last_day is not None
    return replace(after, inactive=inactive, delisted=False), steps


def _k(
    state: PlayerState, facts: Mapping[str, Fact], unit: Unit[PlayerState], rules: ChessRules
) -> tuple[int, tuple[Step, ...]]:
    """Return K: as it was decided, else from the facts of the first day (8.56, 8.3.3)."""
    if isinstance(k := facts.get("k"), int):
        return k, (step(rules.k_usual.article, "k-decided", k),)
    born, first_day = facts.get("born"), unit.first_day or unit.last_day
    birth_given = born if isinstance(born, int | date) else None
    if birth_given is not None and first_day is None:
        raise BadInput("value-missing", option="start")
    known = PlayerFacts(state.rating or 0, state.games, state.peak, birth_given)
    return coefficient(known, first_day or date.max, rules)


def _newcomer(
    entrant: Entrant[PlayerState],
    games: Sequence[Game],
    ratings: Sequence[int | None],
    unit: Unit[PlayerState],
    rules: ChessRules,
) -> PlayerOutcome[PlayerState]:
    """Return an unrated player, whose event is counted as a Swiss with those before it (8.2, 8.3)."""
    met = [(game, rating) for game, rating in zip(games, ratings, strict=True) if rating is not None]
    state = entrant.state or PlayerState(0)
    if not met:
        return PlayerOutcome(before=entrant.state, after=entrant.state)
    performance = swiss_performance(
        "",
        [rating for _, rating in met],
        int(2 * scores_of(game for game, _ in met)),
        last_day=unit.last_day,
        opponents=different_opponents((game.opponent for game, _ in met), rules),
    )
    tranches = (*state.tranches, performance)
    entry = entry_rating(tranches, rules, list_day=unit.last_day)
    settlement: tuple[Step, ...] = ()
    if entry.rating is None:
        inside, _, _ = within_window(tranches, unit.last_day, rules)
        after = replace(state, tranches=tuple(inside))
    else:
        entered = PlayerState(0, entry.rating, entry.games, state.peak, last_list=unit.last_day)
        after, settlement = _settled(entered, unit, rules)
    article, steps = rules.articles["entry-rounding"], (*entry.steps, *settlement)
    adjustments = adjusted(("fide-entry", article, after.rating or 0))
    figures = (
        GameFigures.of(game, value=rating, source="none" if rating is None else "rating")
        for game, rating in zip(games, ratings, strict=True)
    )
    explaining: dict[str, Fact] = {"score": scores_of(games), "games": len(met)}
    return _outcome(entrant.state, after, explaining, article, figures, adjustments, steps)


def _outcome(
    before: PlayerState | None,
    after: PlayerState,
    explaining: Mapping[str, Fact],
    article: str,
    figures: Iterable[GameFigures],
    adjustments: tuple[Adjustment, ...],
    steps: tuple[Step, ...],
) -> PlayerOutcome[PlayerState]:
    part = Pass(
        name="games", article=article, games=tuple(figures), adjustments=adjustments, steps=steps,
        result=after.rating,
    )  # fmt: skip
    return PlayerOutcome(before=before, after=after, derive=lambda: (explaining, (part,)))


def line(state: PlayerState, _rules: ChessRules, _day: date | None) -> Line:
    """Return how a list prints a rating."""
    return Line(figure=state.rating, text="" if state.rating is None else str(state.rating))


def _joined(player: int, kept: str | None, dropped: str) -> str:
    """Return one state of two: the rating of the number kept, else the other's; games and tranches add up."""
    standing, other = (
        PlayerState(player) if text is None else to_state(player, text) for text in (kept, dropped)
    )
    leading = standing if standing.rating is not None or other.rating is None else other
    days = (standing.last_list, other.last_list)
    return from_state(
        replace(
            leading,
            games=standing.games + other.games,
            peak=max(standing.peak, other.peak),
            last_list=max((day for day in days if day), default=None),
            tranches=() if leading.rating is not None else (*standing.tranches, *other.tranches),
        )
    )


SYSTEM: System[PlayerState, ChessRules] = System(
    id="fide",
    driver=Driver.PERIOD,
    deciding_day=DecidingDay.FIRST,
    editions=editions_by_list(EDITIONS, CHESS_LISTS),
    fields=FIELDS,
    parse=parse,
    values=values_of,
    rating_of=lambda state: state.rating,
    rate=rate,
    line=line,
    lists=CHESS_LISTS,
    main_list=ListName.STANDARD,
    computed_by="arpad.lists.compute.compute_fide_list",
    rates_again=False,
    grade="title",
    stored=StoredStates(
        in_columns=True,
        rating_of=lambda state: to_state(0, state).rating,
        is_inactive=lambda state: to_state(0, state).inactive,
        pending_events=lambda state: len(to_state(0, state).tranches),
        joined=_joined,
    ),
)
