"""Integer sums of games by player: parts of a period can be summed up separately, in any order, and added.

A player's games and points above expectation, in hundredths, are packed into one integer: games times 2³² plus points.
A game is worth at most 100 hundredths, so that the two cannot overlap below twenty million games.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from arpad.lists.engine.columns import KINDS, NO_TRANCHES, Column, Tranches
from arpad.lists.engine.event_columns import (
    Context,
    EventColumns,
    EventKey,
    EventLabel,
    Games,
    columns_of_event,
    game_columns,
)
from arpad.lists.period import Event
from arpad.model.chess import EventKind
from arpad.regulations.fide.change import cap_one_game_per_event
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.tables import ExpectationTable

GAME = 1 << 32
"""What a game adds to a packed sum, in addition to its points."""

BLOCK = 1 << 16
"""Games at a time: temporary columns then stay in the processor's cache, which halves the time."""

WIDEST_GAP = 1 << 15
"""Larger than any difference of two ratings."""

Kind = tuple[str, bool]
"""Edition, which decides K, and whether the player was unrated when the event began (8.4, 8.2.4)."""


def unpack(packed: Column) -> tuple[Column, Column]:
    """Return games, and points in hundredths."""
    games = (packed + (GAME >> 1)) >> 32
    return games, packed - (games << 32)


@dataclass(frozen=True, slots=True)
class Partial:
    """The sums of some events of a period."""

    sums: Mapping[Kind, Column]
    """Packed sums for each row of the roster."""

    tranches: Tranches = NO_TRANCHES
    """What the events add to the pools of unrated players."""

    event: Column = field(default_factory=lambda: np.zeros(0, np.int32))
    keys: tuple[EventKey, ...] = ()
    standard_taken: tuple[Column, Column, Column] = field(
        default_factory=lambda: (np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int16))
    )
    """Players who take part with the standard rating: row, first day, rating."""

    readable: tuple[tuple[EventKey, Event], ...] = ()
    """Events that are counted at the end, the readable way."""


def add_partials(parts: Iterable[Partial]) -> Partial:
    """Return several parts of a period as one; their order does not matter."""
    parts = [Partial({}), *parts]
    sums: dict[Kind, Column] = {}
    for part in parts:
        for kind, packed in part.sums.items():
            sums[kind] = sums[kind] + packed if kind in sums else packed
    offsets = np.cumsum([0, *(len(part.keys) for part in parts)])
    return Partial(
        sums,
        Tranches.joined([part.tranches for part in parts]),
        np.concatenate([part.event + offset for part, offset in zip(parts, offsets, strict=False)]),
        tuple(key for part in parts for key in part.keys),
        tuple(np.concatenate([part.standard_taken[index] for part in parts]) for index in range(3)),  # type: ignore[arg-type]  # three arrays, as declared
        tuple(event for part in parts for event in part.readable),
    )


def sum_events(events: Sequence[Event | EventColumns], context: Context) -> Partial:
    """Sum up some events of a period."""
    columns = [it if isinstance(it, EventColumns) else columns_of_event(it) for it in events]
    games, readable = game_columns(columns, context)
    frame = context.frame
    labels = [event.label for event in columns]
    parts = [
        sum_games(of_edition, frame.by_edition[of_edition.edition], context, labels) for of_edition in games
    ]
    return replace(
        add_partials(parts),
        keys=tuple(it.key for it in labels),
        readable=tuple((event.label.key, event.readable()) for event in readable),
    )


# --------------------------------------------------------------------------------------------- rated players


def sum_games(
    games: Games, rules: ChessRules, context: Context, events: Sequence[EventLabel] = ()
) -> Partial:
    """Sum up the games of some events under one edition by player."""
    entrants = games.entrants
    rating = entrants.rating_for_opponents
    packed = np.zeros(len(entrants), np.int64)
    if rating.all():
        _both_sides(packed, games, rules)
    else:
        rated_one, rated_other = rating[games.first] > 0, rating[games.second] > 0
        _both_sides(packed, games.where(rated_one & rated_other), rules)
        _unrated_sides(packed, games.where(rated_one ^ rated_other), rules)
    sums = {}
    for since in (False, True):
        lines = np.flatnonzero((entrants.own_rating > 0) & (entrants.rated_since == since) & (packed != 0))
        if len(lines):
            sums[games.edition, since] = total = np.zeros(len(context.roster), np.int64)
            np.add.at(total, entrants.row[lines].astype(np.intp), packed[lines])
    tranches, event = _tranches(games, rules, events)
    return Partial(sums, tranches, event, standard_taken=_standard_taken(games, packed, events))


def _both_sides(packed: Column, games: Games, rules: ChessRules) -> None:
    """Add games between rated players, block by block; then correct the few wide gaps that count otherwise."""
    met_rating = games.entrants.rating_for_opponents
    wide = []
    for at in range(0, len(games.first), BLOCK):
        block = slice(at, at + BLOCK)
        first, second = games.first[block].astype(np.intp), games.second[block].astype(np.intp)
        ratings = met_rating.take(first), met_rating.take(second)
        wide.append(add_games(packed, first, second, games.score[block], *ratings, rules))
    if rules.cap_rule.value is not cap_one_game_per_event and rules.cap_exempt_from is None:
        return
    entrant = np.concatenate([np.zeros(0, np.intp), *(sides[0] for sides in wide)])
    gap = np.concatenate([np.zeros(0, np.int64), *(sides[1] for sides in wide)])
    np.add.at(packed, entrant, cap_correction(entrant, gap, met_rating[entrant], rules))


def add_games(
    packed: Column,
    first: Column,
    second: Column,
    score: Column,
    rating: Column,
    opposing: Column,
    rules: ChessRules,
) -> tuple[Column, Column]:
    """Add some games: one player is above expectation by what the other is below. Return the sides with wide gaps."""
    difference = rating - opposing
    if rules.unrated_gap:
        near = _rated_gap(difference, np.maximum(rating, opposing), rules)
        first, second, score, difference = first[near], second[near], score[near], difference[near]
    cap = rules.cap.value
    counted = np.clip(difference, -cap, cap)
    wide = np.flatnonzero(counted != difference)
    counted += cap
    points = score * np.int64(50)
    points -= expectations(rules.expectation_table.value, cap).take(counted)
    np.add.at(packed, second, GAME - points)
    points += GAME
    np.add.at(packed, first, points)
    gap = difference[wide].astype(np.int64)
    return np.concatenate([first[wide], second[wide]]), np.concatenate([gap, -gap])


def _rated_gap(difference: Column, stronger: Column, rules: ChessRules) -> Column:
    """Return which games are not too far apart to be rated."""
    far = rules.unrated_gap
    if far is None:
        return np.ones(len(difference), np.bool_)
    return ~((np.abs(difference) >= far.value.gap) & (stronger > far.value.above))


def cap_correction(entrant: Column, gap: Column, own: Column, rules: ChessRules) -> Column:
    """Return what the rule for wide gaps changes in a sum in which all of them counted as the cap."""
    table, cap = rules.expectation_table.value, rules.cap.value
    full, capped = expectations(table, WIDEST_GAP), expectations(table, cap)
    correction = capped[np.clip(gap, -cap, cap) + cap].astype(np.int64) - full[gap + WIDEST_GAP]
    if rules.cap_rule.value is cap_one_game_per_event:
        correction[(gap < 0) | _widest_gap(entrant, gap)] = 0
    elif rules.cap_exempt_from is not None:
        correction[own < rules.cap_exempt_from.value] = 0
    return np.asarray(correction)


def _widest_gap(entrant: Column, gap: Column) -> Column:
    """Return the widest gap of each entrant, once; which of several equal ones does not change the sum."""
    order = np.lexsort((-gap, entrant))
    first = np.ones(len(order), np.bool_)
    first[1:] = entrant[order][1:] != entrant[order][:-1]
    widest = np.zeros(len(order), np.bool_)
    widest[order[first]] = True
    return widest


@lru_cache(maxsize=64)
def expectations(table: ExpectationTable, widest: int) -> Column:
    """Return the expectation of every difference from -widest to +widest, in hundredths."""
    above = table.even + np.searchsorted(np.array(table.bounds), np.arange(widest + 1))
    values = np.concatenate([(2 * table.even - above)[:0:-1], above]).astype(np.int16)
    values.setflags(write=False)
    return values


# -------------------------------------------------------------------------------------------- unrated players


def _unrated_sides(packed: Column, games: Games, rules: ChessRules) -> None:
    """Add the change of players who are rated since their event began, against opponents rated then (8.4, 8.2.4)."""
    entrants = games.entrants
    rated_other = entrants.rating_for_opponents[games.second] > 0
    entrant = np.where(rated_other, games.first, games.second).astype(np.intp)
    rival = np.where(rated_other, games.second, games.first)
    score = np.where(rated_other, games.score, 2 - games.score).astype(np.int64)
    since = entrants.own_rating[entrant] > 0
    entrant, rival, score = entrant[since], rival[since], score[since]
    own = entrants.own_rating[entrant].astype(np.int64)
    opponent = entrants.rating_for_opponents[rival].astype(np.int64)
    gap = own - opponent
    near = _rated_gap(gap, np.maximum(own, opponent), rules)
    entrant, score, own, gap = entrant[near], score[near], own[near], gap[near]
    cap = rules.cap.value
    expected = expectations(rules.expectation_table.value, cap)[np.clip(gap, -cap, cap) + cap]
    np.add.at(packed, entrant, GAME + 50 * score - expected)
    wide = np.abs(gap) > cap
    if wide.any() and (rules.cap_rule.value is cap_one_game_per_event or rules.cap_exempt_from is not None):
        np.add.at(packed, entrant[wide], cap_correction(entrant[wide], gap[wide], own[wide], rules))


def _tranches(games: Games, rules: ChessRules, events: Sequence[EventLabel]) -> tuple[Tranches, Column]:
    """Return what the events add to pools: games against rated opponents.

    Players delisted since the event began have a rating in it, and the gap may take their games out (RB 7.3.1).
    """
    entrants = games.entrants
    nothing = NO_TRANCHES, np.zeros(0, np.int32)
    pooled = (entrants.own_rating == 0) & ~entrants.guest
    if not pooled.any():
        return nothing
    met_rating = entrants.rating_for_opponents.astype(np.int64)
    sums = np.zeros((3, len(entrants)), np.int64)
    pairs: list[Column] = []
    for entrant, rival, score in (
        (games.first, games.second, games.score),
        (games.second, games.first, 2 - games.score),
    ):
        counts = pooled[entrant] & (met_rating[rival] > 0)
        if rules.unrated_gap:
            own, opponent = met_rating[entrant], met_rating[rival]
            counts &= (own == 0) | _rated_gap(own - opponent, np.maximum(own, opponent), rules)
        where = np.flatnonzero(counts)
        at = entrant[where].astype(np.intp)
        np.add.at(sums[0], at, 1)
        np.add.at(sums[1], at, score[where].astype(np.int64))
        np.add.at(sums[2], at, met_rating[rival[where]])
        pairs.append(at * len(entrants) + rival[where])
    who = np.flatnonzero(sums[0])
    if not len(who):
        return nothing
    count, half_points = sums[0, who].astype(np.int32), sums[1, who].astype(np.int32)
    event = entrants.event[who]
    last = [it.key[0] for it in events]
    team = [it.team for it in events]
    names = np.empty(len(events), object)
    names[:] = [it.name for it in events]
    lines = Tranches(
        row=entrants.row[who],
        last_day=np.array(last, np.int32)[event],
        games=count,
        score=half_points,
        total=sums[2, who],
        opponents=_different_opponents(pairs, who, len(entrants))
        if rules.first_rated_opponents_swiss
        else count,
        rated_games=count,
        rated_score=half_points,
        kind=np.full(len(who), KINDS.index(EventKind.SWISS), np.int8),
        team=np.array(team, np.bool_)[event],
        edition=np.full(len(who), games.edition, object),
        event=names[event],
        steps=np.full(len(who), None, object),
    )
    return lines, event


def _different_opponents(pairs: Sequence[Column], who: Column, entrants: int) -> Column:
    """Return how many different rated opponents some entrants met."""
    met = np.unique(np.concatenate(pairs)) // entrants
    return np.bincount(met, minlength=entrants)[who].astype(np.int32)


def _standard_taken(
    games: Games, packed: Column, events: Sequence[EventLabel]
) -> tuple[Column, Column, Column]:
    """Return the players who take part with the standard rating and have a rated game."""
    entrants = games.entrants
    who = np.flatnonzero(entrants.uses_standard & (packed != 0))
    day = np.array([it.key[1] for it in events], np.int32)[entrants.event[who]]
    return entrants.row[who], day, entrants.rating_for_opponents[who]
