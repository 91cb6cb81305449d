"""Entry ratings of many newcomers at once: window, first-event tests, formula, conditions, in integers.

Pools of Swiss events under the formulas of the editions are computed on columns. A pool with a round robin or a team
championship, a member of an association with rules of its own, and an edition with another window or formula take the
readable way, player by player. If all took it, a list of 50,000 players would take 0.78 s to compute, not 0.54 s.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arpad.lists.engine.columns import KINDS, Column, Tranches, ordinal
from arpad.lists.engine.event_columns import Context
from arpad.model.chess import EventKind, Performance
from arpad.regulations.fide.entry_rating import (
    as_one_tournament,
    first_event_minimum,
    months_before_list,
    months_with_the_lists_own,
    with_hypothetical_draws,
    within_window,
)
from arpad.regulations.fide.rules import ChessRules

_SWISS = KINDS.index(EventKind.SWISS)
_FORMULAS = (as_one_tournament, with_hypothetical_draws)
_WINDOWS = (months_with_the_lists_own, months_before_list)


@dataclass(frozen=True, slots=True)
class Entries:
    """Newcomers who get a rating, and the lines that stay in the pools."""

    row: Column
    rating: Column
    games: Column
    remaining: Tranches


def entry_ratings(pending: Tranches, context: Context) -> Entries:
    """Return the entry ratings of all players with pending events."""
    rules = context.frame.rules
    order = np.lexsort((pending.last_day, pending.row))  # stable: equal days stay in their order
    pending = pending.at(order)
    hard = _hard_lines(pending, rules, context)
    if hard.all():
        return _readable_entries(pending, context)
    easy = _easy_entries(pending.at(np.flatnonzero(~hard)), context)
    if not hard.any():
        return easy
    slow = _readable_entries(pending.at(np.flatnonzero(hard)), context)
    remaining = Tranches.joined([easy.remaining, slow.remaining])
    return Entries(
        np.concatenate([easy.row, slow.row]),
        np.concatenate([easy.rating, slow.rating]),
        np.concatenate([easy.games, slow.games]),
        remaining.at(np.argsort(remaining.row, kind="stable")),
    )


def _hard_lines(pending: Tranches, rules: ChessRules, context: Context) -> Column:
    """Return which lines belong to players of the readable path."""
    if rules.minimum_tranche or rules.window_start.value not in _WINDOWS:
        return np.ones(len(pending), np.bool_)
    hard = (pending.kind != _SWISS) | pending.team | context.players.affiliated[pending.row]
    hard |= pending.last_day == 0
    for edition in set(pending.edition.tolist()):
        own = context.frame.by_edition.get(edition, rules)
        if own.entry_formula.value not in _FORMULAS or own.every_event_tested:
            hard |= pending.edition == edition
    players = np.zeros(len(context.roster), np.bool_)
    players[pending.row[hard]] = True
    return players[pending.row]


# ------------------------------------------------------------------------------------------------ on columns


def _easy_entries(pending: Tranches, context: Context) -> Entries:
    rules, day = context.frame.rules, context.frame.day
    start = ordinal(rules.window_start.value(rules.window.value, day, ()))
    pending = pending.at(np.flatnonzero(pending.last_day >= start))
    counted = _from_first(pending.row, ~_ignored_as_first(pending, context))
    pool = pending.at(np.flatnonzero(counted))
    row, first = np.unique(pool.row, return_index=True)
    if not len(row):
        empty = np.zeros(0, np.int64)
        return Entries(row, empty, empty, pending)
    games, score, total = (
        np.add.reduceat(column.astype(np.int64), first) for column in (pool.games, pool.score, pool.total)
    )
    latest = pool.edition[np.append(first[1:], len(pool)) - 1]
    rating = np.zeros(len(row), np.int64)
    for edition in set(latest.tolist()):
        of_edition = np.flatnonzero(latest == edition)
        formula = context.frame.by_edition.get(edition, rules)
        rating[of_edition] = entry_values(total[of_edition], score[of_edition], games[of_edition], formula)
    published = (games >= rules.minimum_games.value) & (rating >= rules.floor.value)
    remaining = pending.at(np.flatnonzero(~np.isin(pending.row, row[published])))
    return Entries(row[published], rating[published], games[published], remaining)


def _from_first(row: Column, passed: Column) -> Column:
    """Return which lines are a player's first that passed, or come after it; lines of a player are adjacent."""
    lines = np.arange(len(row))
    reached = np.maximum.accumulate(np.where(passed, lines, -1)) if len(row) else lines
    begins = np.searchsorted(row, row)
    return np.asarray(reached >= begins)


def _ignored_as_first(pending: Tranches, context: Context) -> Column:
    """Return which events are ignored as a player's first one, each by its own edition."""
    ignored = np.zeros(len(pending), np.bool_)
    for edition in set(pending.edition.tolist()):
        rules = context.frame.by_edition.get(edition, context.frame.rules)
        of_edition = np.flatnonzero(pending.edition == edition)
        score, opponents = first_event_minimum(EventKind.SWISS, rules)
        failed = pending.rated_score[of_edition] < score.value
        if opponents:
            failed |= pending.opponents[of_edition] < opponents.value
        if rules.first_at_floor:
            values = entry_values(
                pending.total[of_edition],
                pending.score[of_edition].astype(np.int64),
                pending.games[of_edition].astype(np.int64),
                rules,
            )
            failed |= values < rules.floor.value
        ignored[of_edition] = failed
    return ignored


def entry_values(total: Column, score: Column, games: Column, rules: ChessRules) -> Column:
    """Return Ru of Swiss pools, rounded half up: the average, plus or minus the points for the score."""
    hypothetical = rules.entry_hypothetical if rules.entry_formula.value is with_hypothetical_draws else None
    if hypothetical:
        extra = hypothetical.value
        games, score = games + extra.opponents, score + extra.opponents
        total = total + extra.opponents * extra.rating
    share = (100 * score + games) // (2 * games)  # hundredths, a half goes up
    table = np.array([rules.fraction_table.value.difference(p) for p in range(101)], np.int64)
    above = score - games
    numerator, denominator = table[share], 1
    if rules.entry_bonus:
        denominator = rules.entry_bonus.value.denominator
        bonus = above * rules.entry_bonus.value.numerator
        numerator = np.where(above > 0, bonus, numerator * denominator)
    numerator = np.where(above == 0, 0, numerator)
    # total / games + numerator / denominator + 1/2, rounded down
    value = (2 * denominator * total + 2 * games * numerator + denominator * games) // (
        2 * denominator * games
    )
    if rules.entry_cap and rules.entry_formula.value is with_hypothetical_draws:
        value = np.minimum(value, rules.entry_cap.value)
    return np.asarray(value)


# --------------------------------------------------------------------------------------------- the readable way


def _readable_entries(pending: Tranches, context: Context) -> Entries:
    entries, keep = [], []
    begins = np.flatnonzero(np.append(True, pending.row[1:] != pending.row[:-1]))
    for first, after in zip(begins, [*begins[1:], len(pending)], strict=True):
        tranches = [pending.performance(line) for line in range(first, after)]
        row = int(pending.row[first])
        entry = context.frame.entry(tranches, affiliated=bool(context.players.affiliated[row]))
        if entry.rating is None:
            keep.extend(_lines_kept(tranches, int(first), context))
        else:
            entries.append((row, entry.rating, entry.games))
    row_of, rating, games = np.array(entries, np.int64).reshape(-1, 3).T
    return Entries(row_of, rating, games, pending.at(np.array(keep, np.intp)))


def _lines_kept(tranches: Sequence[Performance], first: int, context: Context) -> list[int]:
    inside, _, _ = within_window(tranches, context.frame.day, context.frame.rules)
    ids = {id(tranche) for tranche in inside}
    return [first + index for index, tranche in enumerate(tranches) if id(tranche) in ids]
