"""From the sums of a period to the next list: K and its limit, rounding, newcomers, floor, activity."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter

import numpy as np

from arpad.lists.engine.columns import NONE, Column, Ratings, Roster, Tranches, ordinal
from arpad.lists.engine.entry import entry_ratings
from arpad.lists.engine.event_columns import Context, EventKey
from arpad.lists.engine.sums import GAME, Kind, Partial, add_partials, unpack
from arpad.lists.imported_history import first_games_are_over, top_was_reached
from arpad.lists.period import Event, Gathered, InForce, RegisterFacts, count
from arpad.model.chess import Performance, PlayerState
from arpad.model.exact import half_up
from arpad.model.people import Birth, birth_year
from arpad.regulations.fide.change import (
    EIGHTEENTH,
    round_change,
    round_new_rating,
    until_end_of_eighteenth_year,
)
from arpad.regulations.fide.rules import ChessRules, OneOffAdjustment, add_months


@dataclass(frozen=True, slots=True)
class EngineResult:
    """A period closed on columns."""

    roster: Roster
    """The players of the new list."""

    games: Column
    """Games rated in the period, as the list shows them."""

    fresh: Tranches
    """The additions of the period's events to the pools of unrated players, in the order in which they ended."""


def finish_list(partial: Partial, context: Context) -> EngineResult:
    """Return the next list from the sums of all events of the period."""
    partial = _with_readable_events(partial, context)
    rank = {key: index for index, key in enumerate(sorted(set(partial.keys)))}
    ranks = np.array([rank[key] for key in partial.keys], np.int64)[partial.event]
    fresh = partial.tranches.at(np.argsort(ranks, kind="stable"))
    after = context.roster.copy()
    played = _change_ratings(partial.sums, partial.standard_taken, after, context)
    rated = after.rating > 0
    pending = Tranches.joined([context.roster.tranches, fresh])
    pending = pending.at(np.flatnonzero(~rated[pending.row]))
    after.delisted[:] = False
    if len(pending):
        entered = entry_ratings(pending, context)
        _enter(entered.row, entered.rating, entered.games, after, context)
        played[entered.row] = entered.games
        pending = entered.remaining
    _apply_list_rules(after, context)
    return EngineResult(replace(after, tranches=pending), played, fresh)


# ---------------------------------------------------------------------------------------------- rated players


def _change_ratings(
    sums: Mapping[Kind, Column],
    standard_taken: tuple[Column, Column, Column],
    after: Roster,
    context: Context,
) -> Column:
    """Write the new ratings, and return the games of all players in the period."""
    frame, before = context.frame, context.roster
    _start_from_standard(standard_taken, after)
    has_games = np.zeros(len(before), np.bool_)
    for packed in sums.values():
        has_games |= packed != 0
    who = np.flatnonzero(has_games)
    by_kind = {kind: unpack(packed[who]) for kind, packed in sums.items()}
    games = np.zeros(len(who), np.int64)
    for counted, _ in by_kind.values():
        games += counted
    rating = after.rating[who]
    change = np.zeros(len(who), np.int64)
    for (edition, since), (counted, points) in by_kind.items():
        rules = frame.by_edition[edition]
        so_far = before.games[who]
        if since:
            _set_games_rated_since(so_far, who, np.flatnonzero(counted), rules, before)
        k = _coefficients(who, so_far, rules, context)
        change += _limit_k(k, games, frame.rules) * points
    # 0 would mean no rating: a player who lost more than they had gets 1, below any floor
    new = np.maximum(rating + _round_changes(rating, change, frame.rules), 1)
    listed = np.flatnonzero(before.k != NONE)
    if len(listed):
        _apply_listed_k(listed, after, frame.opening)
    after.entered[who] = np.where(before.rating[who] > 0, before.entered[who], ordinal(frame.day))
    np.maximum(after.peak, before.rating, out=after.peak)
    after.rating[who] = new
    after.games[who] += games.astype(np.int32)
    after.last_list[who] = ordinal(frame.day)
    played = np.zeros(len(before), np.int32)
    played[who] = games
    return played


def _limit_k(k: Column, games: Column, rules: ChessRules) -> Column:
    """Return K by the rule that K times the games of a period may not exceed a limit."""
    if rules.k_times_games:
        limit = rules.k_times_games.value
        over = np.flatnonzero(k * games > limit)
        k[over] = limit // games[over]
    return k


def _start_from_standard(standard_taken: tuple[Column, Column, Column], after: Roster) -> None:
    """Give unrated players the standard rating with which they began their latest event."""
    row, day, rating = standard_taken
    order = np.argsort(day, kind="stable")
    new = order[after.rating[row[order]] == 0]
    after.rating[row[new]] = rating[new]


def _set_games_rated_since(
    so_far: Column, who: Column, selected: Column, rules: ChessRules, before: Roster
) -> None:
    """Set the games that K looks at for players who are rated since their event began (8.4, 8.2.4)."""
    rows = who[selected]
    figures = zip(
        *(column[rows].tolist() for column in (before.rating, before.entry, before.games)), strict=True
    )
    computed = rules.rated_meanwhile.value
    so_far[selected] = [computed(rating, entry or None, games).games for rating, entry, games in figures]


def _coefficients(who: Column, games: Column, rules: ChessRules, context: Context) -> Column:
    """Return K for each of some rows: decided, else listed, else from the facts as the period begins.

    A rating that is brought from the standard list is not published on this one, so K does not look at it.
    """
    before, players = context.roster, context.players
    k = k_from_facts(
        before.rating[who],
        games,
        before.peak[who],
        players.born[who],
        players.births,
        context.frame.opened,
        rules,
    )
    for column in (before.k, players.decided_k):
        fixed_k = column[who]
        fixed = np.flatnonzero(fixed_k != NONE)
        k[fixed] = fixed_k[fixed]
    return k


def k_from_facts(
    rating: Column,
    games: Column,
    peak: Column,
    born: Column,
    births: tuple[Birth, ...],
    on: date,
    rules: ChessRules,
) -> Column:
    """Return K from the facts of some players on a day; ``born`` are indices into ``births``."""
    highest = np.maximum(peak, rating)
    k = np.where(games < rules.k_new_games.value, rules.k_new.value, rules.k_usual.value)
    if rules.k_junior and rules.k_junior_below and rules.k_junior_until:
        junior = _is_junior(rules.k_junior_until.value, births, on)[born] & (
            highest < rules.k_junior_below.value
        )
        k[junior] = rules.k_junior.value
    k[highest >= rules.k_top_from.value] = rules.k_top.value
    return k


def _is_junior(until: Callable[[Birth, date], bool], births: tuple[Birth, ...], on: date) -> Column:
    """Return for each date of birth whether it still has the K of juniors."""
    if until is until_end_of_eighteenth_year:
        return np.asarray(on.year <= _birth_years(births) + EIGHTEENTH)
    return np.array([until(born, on) for born in births], np.bool_)


@lru_cache(maxsize=2)  # K is needed before and after a period
def _birth_years(births: tuple[Birth, ...]) -> Column:
    return np.array([birth_year(born) or 0 for born in births], np.int32)


def _round_changes(rating: Column, change: Column, rules: ChessRules) -> Column:
    """Return the change in whole points, from hundredths."""
    rounding = rules.rounding.value
    if rounding is round_new_rating:
        return np.asarray((change + 50) // 100)
    if rounding is round_change:
        return np.asarray(np.sign(change) * ((np.abs(change) + 50) // 100))
    exact = zip(rating.tolist(), change.tolist(), strict=True)
    return np.array([rounding(r, Fraction(c, 100)) - r for r, c in exact], np.int64)


def _apply_listed_k(listed: Column, after: Roster, rules: ChessRules) -> None:
    """Replace the K of an imported list by what it says about the past: peak and games."""
    k, rated = after.k[listed], after.rating[listed] > 0
    values = np.unique(k).tolist()
    reached = listed[rated & np.isin(k, [value for value in values if top_was_reached(value, rules)])]
    settled = listed[rated & np.isin(k, [value for value in values if first_games_are_over(value, rules)])]
    after.peak[reached] = np.maximum(after.peak[reached], rules.k_top_from.value)
    after.games[settled] = np.maximum(after.games[settled], rules.k_new_games.value)
    after.k[listed[rated]] = NONE


# ------------------------------------------------------------------------------------- rules for all players


def _enter(row: Column, rating: Column, games: Column, after: Roster, context: Context) -> None:
    """Write the newcomers of the list."""
    after.rating[row] = rating
    after.games[row] = games
    after.k[row] = NONE
    after.entered[row] = after.last_list[row] = ordinal(context.frame.day)
    after.inactive[row] = False


def _apply_list_rules(after: Roster, context: Context) -> None:
    """Apply one-off adjustments, the floor, and the rule of activity."""
    rules, day = context.frame.rules, context.frame.day
    if rules.one_off_adjustment and rules.one_off_adjustment.value.on == day:
        _adjust_once(after, rules.one_off_adjustment.value, context)
    delisted = np.flatnonzero((after.rating > 0) & (after.rating < rules.floor.value))
    if len(delisted):
        after.rating[delisted] = 0
        after.games[delisted] = 0
        after.k[delisted] = NONE
        after.entered[delisted] = after.entry[delisted] = 0
        after.inactive[delisted] = False
        after.delisted[delisted] = True
    fresh = np.flatnonzero(after.entered == ordinal(day))
    after.entry[fresh] = after.rating[fresh]
    np.maximum(after.peak, after.rating, out=after.peak)
    long_ago = ordinal(add_months(day, -rules.inactive_months.value))
    idle = (after.last_list <= long_ago) | context.players.dead
    np.copyto(after.inactive, idle, where=after.rating > 0)


def _adjust_once(after: Roster, lift: OneOffAdjustment, context: Context) -> None:
    """Apply a one-off adjustment, as ``adjust_once`` does for one player."""
    rated = np.flatnonzero(after.rating > 0)
    rating = after.rating[rated].astype(np.int64)
    if lift.below is not None:
        rise = np.array([half_up(lift.share * lack) for lack in range(lift.below + 1)], np.int64)
        rating += rise[np.clip(lift.below - rating, 0, lift.below)]
    if lift.standard_minus is not None:
        standard = context.players.standard[rated].astype(np.int64)
        rating = np.where(standard > 0, np.maximum(rating, standard - lift.standard_minus), rating)
    after.rating[rated] = rating


# ------------------------------------------------------------------------------------- events the readable way


def _with_readable_events(partial: Partial, context: Context) -> Partial:
    """Return the sums with those of the events that are counted the readable way, in the order in which they ended."""
    if not partial.readable:
        return partial
    keys = [partial.keys[event] for event in partial.event.tolist()]
    readable = _ReadableEvents(context, partial.tranches, keys)
    for key, event in sorted(partial.readable, key=itemgetter(0)):
        readable.count(event, key)
    pools = readable.pools
    row, day, rating = np.array(readable.standard_taken, np.int64).reshape(-1, 3).T
    more = Partial(
        readable.sums, Tranches.of((row, tranche) for row, tranche, _ in pools), np.arange(len(pools)),
        tuple(key for _, _, key in pools), (row, day, rating),
    )  # fmt: skip
    return add_partials([partial, more])


@dataclass(frozen=True, slots=True)
class _ReadableEvents:
    """Counts events the readable way, in the order in which they ended."""

    context: Context
    fresh: Tranches
    keys: Sequence[EventKey]
    """The key of the event of each line of ``fresh``."""

    sums: dict[Kind, Column] = field(default_factory=dict)
    pools: list[tuple[int, Performance, EventKey]] = field(default_factory=list)
    """Row, tranche, key of the event."""

    standard_taken: list[tuple[int, int, int]] = field(default_factory=list)

    def count(self, event: Event, key: EventKey) -> None:
        players, roster = self.context.players, self.context.roster
        rows = dict(zip(event.players, roster.rows(event.players).tolist(), strict=True))
        gathered = Gathered({player: self._standing(row, key) for player, row in rows.items()})
        register = RegisterFacts(
            standard={
                player: int(players.standard[row]) for player, row in rows.items() if players.standard[row]
            },
            standard_then=self._one_by_one(players.standard_then) if players.standard_then else None,
            guests=players.guests,
        )
        count(event, self.context.frame, gathered, self._one_by_one(self.context.in_force), register)
        for player, events in gathered.rated.items():
            for played in events:
                kind = event.edition.id, played.part.rated_since is not None
                points = sum(game.change for game in played.games if game.rated)
                self._add(kind, rows[player], played.rated_games * GAME + points)
                if played.part.uses_standard and played.rated_games:
                    own = played.part.own_rating or 0
                    self.standard_taken.append((rows[player], key[1], own))
        for player, tranches in gathered.pools.items():
            self.pools.extend((rows[player], tranche, key) for tranche in tranches)

    def _add(self, kind: Kind, row: int, packed: int) -> None:
        if packed:
            self.sums.setdefault(kind, np.zeros(len(self.context.roster), np.int64))[row] += packed

    def _one_by_one(self, ratings: Ratings) -> InForce:
        """Return the ratings of a column, player by player."""
        return lambda player, day: int(ratings(self.context.roster.rows([player]), day)[0]) or None

    def _standing(self, row: int, key: EventKey) -> PlayerState:
        """Return a standing; its tranches are also those of events of this period that ended before."""
        roster = self.context.roster
        if roster.rating[row] > 0:
            return roster.standing(row)
        old = np.flatnonzero(roster.tranches.row == row).tolist()
        new = [line for line in np.flatnonzero(self.fresh.row == row).tolist() if self.keys[line] < key]
        tranches = (
            *(roster.tranches.performance(line) for line in old),
            *(self.fresh.performance(line) for line in sorted(new, key=self.keys.__getitem__)),
            *(tranche for at, tranche, _ in self.pools if at == row),
        )
        return roster.standing(row, tranches)
