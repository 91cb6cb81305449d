"""A chess list made on columns of numbers: states, lists and reports straight into the engine, lines and states out.

Equal to ``closing.computed_readably`` in every byte, and without a value for each player or game. Texts that occur many
times (states, births) are read and written once each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache, partial

import numpy as np

from arpad.lists.canonical import DELISTED, INACTIVE, canonical_head, numbers_text, person_text
from arpad.lists.compute_chess import period_event, published_list
from arpad.lists.engine import (
    Column,
    Context,
    EventColumns,
    PlayerColumns,
    Roster,
    Tranches,
    finish_list,
    sum_events,
)
from arpad.lists.engine import EngineResult as Finished
from arpad.lists.engine.columns import NONE, from_ordinal, ordinal
from arpad.lists.engine.event_columns import columns_of_event
from arpad.lists.engine.next_list import k_from_facts
from arpad.lists.inputs import EventInput, Inputs
from arpad.lists.people import Facts, People
from arpad.lists.period_inputs import Frame
from arpad.lists.result import ListResult, Pending
from arpad.lists.standings import NO_STATE
from arpad.model.chess import Performance
from arpad.model.json_values import from_figures, to_birth, to_standing, with_tranches
from arpad.model.people import birth_year
from arpad.model.rules import Edition
from arpad.regulations.chess.entry_rating import entry_rating
from arpad.regulations.chess.rules import ChessRules, add_months


def compute_list_fast(inputs: Inputs) -> ListResult:
    """Make the list."""
    people = People.of(inputs.people)
    sheets = _sheets(inputs)
    roster = _roster(inputs.states, sheets)
    editions = [*inputs.regulations(), *(sheet.edition for sheet in sheets)]
    frame = Frame.of(inputs.on_list, inputs.day, inputs.opened, inputs.governing(), editions)
    lists = {digest: _column(ratings, roster) for digest, ratings in inputs.lists.items()}
    beside = _beside(inputs, people, roster, lists)
    context = Context(roster, beside, _ListsInForce(inputs.in_force, lists), frame)
    made = finish_list(sum_events(sheets, context), context)
    lines = _lines(inputs, people, context, made)
    after = made.roster
    states = _states(inputs.states, roster, after)
    rated = after.rating > 0
    both = np.flatnonzero(rated & (roster.rating > 0) & (after.rating != roster.rating))
    return ListResult(
        canonical_head(published_list(inputs, frame.rules), len(lines)),
        lines,
        states,
        _ratings(after, states),
        _movements(roster, after, both),
        _players(after, rated & (roster.rating == 0)),
        _players(after, after.delisted & (roster.rating > 0)),
        lambda: _pending(context, made),
    )


def _players(roster: Roster, those: Column) -> tuple[int, ...]:
    return tuple(roster.player[those].tolist())


# ---------------------------------------------------------------------------------------------------- events in


def _sheets(inputs: Inputs) -> list[EventColumns]:
    """The events as columns, from their bytes where those are regular."""
    editions: dict[date, Edition[ChessRules]] = {}
    found = []
    for event in inputs.events:
        day = event.first_day
        if day not in editions:
            editions[day] = inputs.edition_on(day)
        found.append(_sheet(event, editions[day], inputs))
    return found


def _sheet(event: EventInput, edition: Edition[ChessRules], inputs: Inputs) -> EventColumns:
    told = event.numbered
    if told is None:
        return columns_of_event(period_event(event, inputs))
    if len(told.numbers) != len(event.players):
        raise ValueError(event.id)
    return EventColumns(
        event.id, told.name, told.first_day, told.last_day, edition, event.facts,
        np.array(event.players, np.int64), told.numbers, told.opponents, told.results, told.time_control,
        partial(period_event, event, inputs),
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------------- states in


def _roster(states: Mapping[int, str], sheets: Sequence[EventColumns]) -> Roster:
    """Everybody who stands or plays, as columns; each different state is read once."""
    codes: dict[str, int] = {}
    index = np.fromiter(
        (codes.setdefault(text, len(codes)) for text in states.values()), np.int32, len(states)
    )
    different = Roster.of({code: to_standing(code, text) for text, code in codes.items()}, (len(codes),))
    known = np.fromiter(states, np.int64, len(states))
    player = _joined(np.sort(known), [sheet.players for sheet in sheets])
    code = np.full(len(player), len(codes), np.int32)  # whoever has no state is like nobody
    code[np.searchsorted(player, known)] = index
    return Roster(
        player, different.rating[code], different.games[code], different.peak[code], different.k[code],
        different.entered[code], different.entry[code], different.last_list[code], different.delisted[code],
        different.inactive[code], _spread(different.tranches, code),
    )  # fmt: skip


def _joined(known: Column, playing: Sequence[Column]) -> Column:
    """Everybody by number: those known, and whoever plays beside them."""
    entrants = np.concatenate([known[:0], *playing])
    at = np.minimum(np.searchsorted(known, entrants), max(len(known) - 1, 0))
    fresh = entrants[known[at] != entrants] if len(known) else entrants
    return np.sort(np.concatenate([known, np.unique(fresh)]))


def _spread(tranches: Tranches, code: Column) -> Tranches:
    """The pending events of each different state, for every row that is in it."""
    if not len(tranches):
        return tranches
    count = np.bincount(tranches.row, minlength=int(code.max()) + 1)
    begins = np.cumsum(count) - count
    rows = np.flatnonzero(count[code])
    lines = np.concatenate([np.arange(begins[c], begins[c] + count[c]) for c in code[rows].tolist()])
    return replace(tranches.at(lines), row=np.repeat(rows, count[code[rows]]).astype(np.int32))


# ------------------------------------------------------------------------------------------------ beside the list


@dataclass(frozen=True, slots=True)
class _ListsInForce:
    """Ratings in force: each day's list as a column."""

    days: Mapping[date, str]
    lists: Mapping[str, Column]

    def __call__(self, rows: Column, day: date) -> Column:
        """The ratings of some rows on a day."""
        digest = self.days.get(day)
        return np.zeros(len(rows), np.int16) if digest is None else self.lists[digest][rows]


def _column(ratings: Mapping[int, int], roster: Roster) -> Column:
    """The ratings of a list by row; 0 for none."""
    column = np.zeros(len(roster), np.int16)
    if not ratings:
        return column
    player = np.fromiter(ratings, np.int64, len(ratings))
    rating = np.fromiter(ratings.values(), np.int16, len(ratings))
    row = np.minimum(np.searchsorted(roster.player, player), len(roster) - 1)
    here = roster.player[row] == player
    column[row[here]] = rating[here]
    return column


def _beside(inputs: Inputs, people: People, roster: Roster, lists: Mapping[str, Column]) -> PlayerColumns:
    births: dict[str, int] = {"": 0}
    facts = [people.rows[player][1] for player in roster.player.tolist()]
    born = np.fromiter((births.setdefault(it.born, len(births)) for it in facts), np.int32, len(facts))
    affiliated = np.fromiter((it.affiliation != "" for it in facts), np.bool_, len(facts))
    dead = np.fromiter((it.died != "" for it in facts), np.bool_, len(facts))
    decided = np.full(len(roster), NONE, np.int16)
    for player, k in inputs.k.items():
        row = int(np.searchsorted(roster.player, player))
        if row < len(roster) and roster.player[row] == player:
            decided[row] = k
    return PlayerColumns(
        tuple(map(to_birth, births)), born, affiliated, decided, _column(inputs.standard, roster), dead,
        _ListsInForce(inputs.standard_in_force, lists),
    )  # fmt: skip


# ----------------------------------------------------------------------------------------------------- states out


_FIGURES = ("rating", "games", "peak", "k", "entered", "entry", "last_list", "delisted", "inactive")
_BLANK = (0, 0, 0, NONE, 0, 0, 0, False, False)


def _states(known: Mapping[int, str], before: Roster, after: Roster) -> dict[int, str]:
    """Everybody's state as canonical JSON; who is as before keeps his, who is unknown to the list has none."""
    changed = np.zeros(len(after), np.bool_)
    for name in _FIGURES:
        changed |= getattr(after, name) != getattr(before, name)
    changed[before.tranches.row] = changed[after.tranches.row] = True
    rows = np.flatnonzero(changed)
    states, pending = dict(known), after.pending()
    written: dict[tuple[int, ...], str] = {_BLANK: ""}
    every = zip(*(getattr(after, name)[rows].tolist() for name in _FIGURES), strict=True)
    for row, player, figures in zip(rows.tolist(), after.player[rows].tolist(), every, strict=True):
        text = written.get(figures)
        if text is None:
            text = written[figures] = _state(*figures)
        if row in pending:
            states[player] = with_tranches(text or NO_STATE, pending[row])
        elif text:
            states[player] = text
        else:
            states.pop(player, None)
    return states


def _state(
    rating: int,
    games: int,
    peak: int,
    k: int,
    entered: int,
    entry: int,
    last: int,
    delisted: int,
    inactive: int,
) -> str:
    """Figures as text; noughts stand for none."""
    return from_figures(
        rating or None, games, peak, None if k == NONE else k, _day(entered), entry or None, _day(last),
        delisted=bool(delisted), inactive=bool(inactive),
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _day(number: int) -> str:
    return str(from_ordinal(number) or "")


def _ratings(after: Roster, states: Mapping[int, str]) -> dict[int, int | None]:
    every = zip(after.player.tolist(), after.rating.tolist(), strict=True)
    return {player: rating or None for player, rating in every if player in states}


def _movements(before: Roster, after: Roster, rows: Column) -> tuple[tuple[int, int, int], ...]:
    """The largest first, then by number."""
    old, new = before.rating[rows].astype(np.int64), after.rating[rows].astype(np.int64)
    order = np.lexsort((after.player[rows], -np.abs(new - old)))
    columns = (after.player[rows][order], old[order], new[order])
    return tuple(zip(*(column.tolist() for column in columns), strict=True))


# ------------------------------------------------------------------------------------------------------ lines out


def _lines(inputs: Inputs, people: People, context: Context, made: Finished) -> dict[int, str]:
    """The published lines, by player: whoever has a rating or lost it with this list, and the titled unrated."""
    before, after, day, rules = context.roster, made.roster, inputs.day, context.frame.rules
    fell = after.delisted & (before.rating > 0)
    shown = ((after.rating > 0) | fell) & ~_left_the_list(after, day, rules)
    if inputs.hidden:
        shown &= ~np.isin(after.player, np.fromiter(inputs.hidden, np.int64, len(inputs.hidden)))
    k = k_from_facts(
        after.rating, after.games, after.peak, context.beside.born, context.beside.births, day, rules
    )
    rows = np.flatnonzero(shown)
    columns = (after.player, after.rating, made.games, k, after.inactive, fell)
    lines = dict(_written(people, zip(*(column[rows].tolist() for column in columns), strict=True)))
    unrated = {
        player
        for player, (_, facts, _) in people.rows.items()
        if (facts.title or facts.women_title) and player not in lines and player not in inputs.hidden
    }
    found = np.searchsorted(after.player, sorted(unrated)).tolist()
    for player, row in zip(sorted(unrated), found, strict=True):
        there = row < len(after) and int(after.player[row]) == player
        if not there or not after.rating[row]:
            inactive = there and bool(after.inactive[row])
            lines |= _written(people, [(player, 0, 0, 0, inactive, False)])
    return lines if not unrated else dict(sorted(lines.items()))


def _written(
    people: People, rows: Iterator[tuple[int, ...]] | Sequence[tuple[int, ...]]
) -> Iterator[tuple[int, str]]:
    alike: dict[Facts, tuple[str, str]] = {}
    for player, rating, games, k, inactive, fell in rows:
        name, facts, numbers = people.rows[player]
        if facts not in alike:
            shown = (facts.federation, facts.sex, facts.title, facts.women_title, facts.other_titles, "")
            alike[facts] = person_text(shown), str(birth_year(to_birth(facts.born)) or "")
        who, born = alike[facts]
        flags = (INACTIVE if inactive else "") + (DELISTED if fell else "")
        figures = f"{rating or ''}\t{games}\t{k if rating else ''}\t{born}\t{flags}"
        if "\\" in name or not name.isprintable():
            name = person_text((name,))
        yield player, f"{player}\t{name}\t{who}\t{figures}\t{numbers_text(numbers)}"


def _left_the_list(after: Roster, day: date, rules: ChessRules) -> Column:
    """Inactive for longer than the edition keeps them on its list (2009 7.23)."""
    kept = rules.inactive_listed_months
    if kept is None:
        return np.zeros(len(after), np.bool_)
    since = ordinal(add_months(day, -(rules.inactive_months.value + kept.value)))
    return after.inactive & (after.last_list > 0) & (after.last_list <= since)


# -------------------------------------------------------------------------------------------------------- pending


def _pending(context: Context, made: Finished) -> Pending:
    """Newcomers to whose pool something came, or from whose pool something left, and who are not rated yet."""
    before, after = context.roster, made.roster
    old, fresh, kept = before.tranches, made.fresh, after.tranches
    size = len(before)
    count = [np.bincount(some.row, minlength=size) for some in (old, fresh, kept)]
    moved = (count[1] > 0) | (count[0] != count[2])
    rows = np.flatnonzero(moved & (before.rating == 0) & (after.rating == 0) & ~after.delisted)
    wanted = set(rows.tolist())
    pools: dict[int, list[Performance]] = {}
    for some in (old, fresh):
        for line in np.flatnonzero(np.isin(some.row, rows)).tolist():
            pools.setdefault(int(some.row[line]), []).append(some.performance(line))
    frame = context.frame
    found = []
    for row in sorted(wanted & pools.keys()):
        entry = entry_rating(
            sorted(pools[row], key=lambda tranche: tranche.last_day or date.min),
            frame.rules,
            list_day=frame.day,
            affiliated=bool(context.beside.affiliated[row]),
            rules_of=frame.rules_of,
        )
        if entry.rating is None:
            found.append((int(before.player[row]), entry.reason))
    return tuple(found)
