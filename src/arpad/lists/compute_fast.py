"""Compute a chess list on columns: states, lists and reports into the engine, a table of all players out.

Every byte of its texts is equal to that of ``compute_chess_list``, but there is no value for each player or game. A
list of 50,000 players and 400 reports takes 0.5 s; through the readable period it would take 8.0 s.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

import numpy as np
import polars as pl

from arpad.lists.canonical import canonical_head
from arpad.lists.compute_chess import period_event, published_list
from arpad.lists.engine.columns import (
    KINDS,
    NONE,
    Column,
    PlayerColumns,
    Ratings,
    Roster,
    Tranches,
    find_rows,
    ordinal,
)
from arpad.lists.engine.event_columns import Context, EventColumns, event_columns
from arpad.lists.engine.next_list import EngineResult, finish_list, k_from_facts
from arpad.lists.engine.sums import sum_events
from arpad.lists.input_tables import PeopleTable, RatingTable, StateTable
from arpad.lists.inputs import EventInput, Inputs
from arpad.lists.period_inputs import Frame
from arpad.lists.result import ListResult, Movement, Pending
from arpad.lists.table import SCHEMA, blank_unlisted, has_state
from arpad.model.canonical_json import dump
from arpad.model.chess import Performance
from arpad.model.json_values import from_step, to_birth, to_pool
from arpad.regulations.fide.rules import ChessRules, add_months
from arpad.regulations.fide.system import SYSTEM as FIDE


def compute_list_fast(inputs: Inputs) -> ListResult:
    """Compute the list."""
    people = PeopleTable.of(inputs.people).frame
    events = [_event_columns(event, inputs) for event in inputs.events]
    roster = _roster(StateTable.of(inputs.states, FIDE).frame, events)
    editions = [*inputs.regulations(), *(event.edition for event in events)]
    frame = Frame.of(inputs.on_list, inputs.day, inputs.opened, inputs.governing(), editions)
    lists = {digest: _by_row(ratings, roster) for digest, ratings in inputs.lists.items()}
    players = _player_columns(inputs, people, roster, lists)
    context = Context(roster, players, _in_force(inputs.in_force, lists), frame)
    result = finish_list(sum_events(events, context), context)
    after = result.roster
    rated = after.rating > 0
    table = _table(inputs, people, context, result)
    pending = _pending(context, result)
    return ListResult(
        canonical_head(published_list(inputs, frame.rules), int(table["listed"].sum())),
        FIDE,
        table,
        _movements(roster, after, rated & (roster.rating > 0) & (after.rating != roster.rating)),
        _players(after, rated & (roster.rating == 0)),
        _players(after, after.delisted & (roster.rating > 0)),
        tuple(roster.player[pending].tolist()),
        lambda: _reasons(pending, context, result),
    )


def _players(roster: Roster, mask: Column) -> tuple[int, ...]:
    return tuple(roster.player[mask].tolist())


# ---------------------------------------------------------------------------------------------------- events in


def _event_columns(event: EventInput, inputs: Inputs) -> EventColumns:
    """Return an event as columns."""
    games, facts = event.games, event.facts
    if games is not None and games.size != len(event.players):
        raise ValueError(event.id)
    facts = facts.of_rounds(*event.rounds) if event.rounds else facts
    edition, readable = inputs.edition_on(event.first_day), partial(period_event, event, inputs)
    return event_columns(event.id, games, event.players, edition, facts, readable)


# ---------------------------------------------------------------------------------------------------- states in


def _roster(states: pl.DataFrame, events: Sequence[EventColumns]) -> Roster:
    """Return all players with a state or an event as columns."""
    with_state = states["player"].to_numpy()
    entrants = np.concatenate([with_state[:0], *(event.players for event in events)])
    fresh = np.unique(entrants[~np.isin(entrants, with_state)])
    at = np.searchsorted(with_state, fresh)
    player = np.insert(with_state, at, fresh)
    known = np.ones(len(player), np.bool_)
    known[at + np.arange(len(fresh))] = False
    rows = np.flatnonzero(known)
    figures = states.select(_ROSTER)

    def column(name: str, kind: type, none: int = 0) -> Column:
        column: Column = np.full(len(player), none, kind)
        column[rows] = figures[name].to_numpy()
        return column

    return Roster(
        player, column("rating", np.int16), column("rated_games", np.int32), column("peak", np.int16),
        column("imported_k", np.int16, NONE), column("entered", np.int32), column("entry", np.int16),
        column("last_list", np.int32), column("state_delisted", np.bool_), column("state_inactive", np.bool_),
        _tranches(states["pool"], rows),
    )  # fmt: skip


_FIRST_DAY = date(1970, 1, 1).toordinal()
"""Polars counts days from here."""

_DAYS = ("entered", "last_list")
_ROSTER = (
    pl.col("rating", "rated_games", "peak", "entry").fill_null(0),
    pl.col("imported_k").fill_null(NONE),
    (pl.col(_DAYS).cast(pl.Int32) + _FIRST_DAY).fill_null(0),
    pl.col("state_delisted", "state_inactive"),
)
"""The figures of states without nulls, a day as Python counts it."""


def _tranches(pools: pl.Series, rows: Column) -> Tranches:
    """Return the pending events of all players."""
    with_pool = pools.is_not_null().arg_true()
    pending = zip(rows[with_pool.to_numpy()].tolist(), pools.gather(with_pool), strict=True)
    return Tranches.of((row, tranche) for row, pool in pending for tranche in to_pool(pool))


# ------------------------------------------------------------------------------------------------ facts about players


def _in_force(days: Mapping[date, str], lists: Mapping[str, Column]) -> Ratings:
    """Return the ratings in force: those of the list of each day."""

    def ratings(rows: Column, day: date) -> Column:
        digest = days.get(day)
        return np.zeros(len(rows), np.int16) if digest is None else lists[digest][rows]

    return ratings


def _by_row(values: Mapping[int, int], roster: Roster, none: int = 0) -> Column:
    """Return the ratings of a list, or other values of players, by row."""
    column: Column = np.full(len(roster), none, np.int16)
    table = RatingTable.of(values).frame
    row = find_rows(roster.player, table["player"].to_numpy())
    present = row >= 0
    column[row[present]] = table["rating"].to_numpy()[present]
    return column


def _player_columns(
    inputs: Inputs, people: pl.DataFrame, roster: Roster, lists: Mapping[str, Column]
) -> PlayerColumns:
    facts = _people_of(roster, people.select("player", "born", "affiliation", "died"))
    births = facts["born"].unique().cast(pl.String).sort()
    born = facts["born"].cast(pl.Enum(births)).to_physical().cast(pl.Int32).to_numpy()
    return PlayerColumns(
        tuple(map(to_birth, births)), born, (facts["affiliation"] != "").to_numpy(),
        _by_row(inputs.k, roster, NONE), _by_row(inputs.standard, roster), (facts["died"] != "").to_numpy(),
        _in_force(inputs.standard_in_force, lists),
        {day: of_day.ratings for day, of_day in inputs.guests.items()},
    )  # fmt: skip


def _people_of(roster: Roster, people: pl.DataFrame) -> pl.DataFrame:
    """Return the people of a roster; mostly they are all people there are."""
    if not np.array_equal(people["player"].to_numpy(), roster.player):
        row = np.searchsorted(people["player"].to_numpy(), roster.player)
        people = people[np.minimum(row, len(people) - 1)] if len(roster) else people.clear()
    if not np.array_equal(people["player"].to_numpy(), roster.player):
        raise KeyError("people")
    return people


# ------------------------------------------------------------------------------------------------------- table out


def _table(inputs: Inputs, people: pl.DataFrame, context: Context, result: EngineResult) -> pl.DataFrame:
    """Return the list: rated players, those delisted with it, titled unrated players, and all with a state."""
    titled = (pl.col("title") != "") | (pl.col("women_title") != "")
    hidden = pl.col("player").is_in(list(inputs.hidden))
    figures = _figures(inputs, context, result)
    if figures["player"].equals(people["player"]):
        table = people.hstack(figures.drop("player"))
    else:  # some people have only a title
        table = people.join(figures, on="player", how="left", maintain_order="left")
        table = table.with_columns(pl.col(name).fill_null(value) for name, value in _NOT_PLAYING.items())
    rated_or_fell = pl.col("shown") & ~hidden
    unrated = titled & ~rated_or_fell & ~hidden & pl.col("rating").is_null()
    columns = (
        table.lazy()
        .with_columns(_WITH_NULLS)
        .with_columns(
            pl.when(rated_or_fell).then("games").otherwise(0).alias("games"),
            pl.when(rated_or_fell & pl.col("rating").is_not_null()).then("k").alias("k"),
            _birth_years(people["born"]),
            (pl.col("fell") & rated_or_fell).alias("delisted"),
            pl.col("state_inactive").alias("inactive"),
            (rated_or_fell | unrated).alias("listed"),
            category=pl.lit(""),
            own=pl.lit(None, pl.String),
            state=pl.lit(None, pl.String),
        )
    )
    listed = columns.select(*SCHEMA).filter(pl.col("listed") | has_state()).cast(pl.Schema(SCHEMA))
    # in pieces that stay in the processor's cache
    return listed.with_columns(blank_unlisted()).collect(engine="streaming")


def _birth_years(born: pl.Series) -> pl.Series:
    """Return the years of births; null for none."""
    births = born.unique()
    years = births.cast(pl.String).str.split("-").list.first().cast(pl.Int32, strict=False)
    return born.replace_strict(births, years, return_dtype=pl.Int32)


_NOT_PLAYING = {
    "rated_games": 0, "peak": 0, "state_delisted": False, "state_inactive": False, "games": 0, "shown": False,
    "fell": False,
}  # fmt: skip
"""The figures of a titled player who has no state."""


def _figures(inputs: Inputs, context: Context, result: EngineResult) -> pl.DataFrame:
    """Return the state of each player after the period, and what the list shows of it, without nulls."""
    before, after, rules = context.roster, result.roster, context.frame.rules
    fell = after.delisted & (before.rating > 0)
    shown = ((after.rating > 0) | fell) & ~_left_the_list(after, inputs.day, rules)
    births = context.players
    k = k_from_facts(after.rating, after.games, after.peak, births.born, births.births, inputs.day, rules)
    return pl.DataFrame(
        {
            "player": after.player, "rating": after.rating, "rated_games": after.games, "peak": after.peak,
            "imported_k": after.k, "entered": after.entered, "entry": after.entry, "last_list": after.last_list,
            "state_delisted": after.delisted, "state_inactive": after.inactive, "games": result.games, "k": k,
            "shown": shown, "fell": fell, "pool": _pools(after.tranches, len(after)),
        },
        schema_overrides={"pool": pl.String},
    )  # fmt: skip


_WITH_NULLS = (
    *(pl.when(pl.col(name) > 0).then(name).alias(name) for name in ("rating", "entry")),
    pl.when(pl.col("imported_k") != NONE).then("imported_k").alias("imported_k"),
    *(
        pl.when(pl.col(name) > 0).then(pl.col(name).cast(pl.Int32) - _FIRST_DAY).cast(pl.Date).alias(name)
        for name in _DAYS
    ),
)
"""The columns of a roster with null for no value."""


def _pools(pending: Tranches, players: int) -> pl.Series:
    """Return the pending events of each player as canonical JSON."""
    pools = _pool_texts(pending)
    texts = pl.concat([pl.Series("text", [None], pl.String), pools["text"].cast(pl.String)])
    index = np.zeros(players, np.uint32)
    index[pools["row"].to_numpy()] = np.arange(1, len(texts))
    return texts.gather(pl.Series(index))


def _pool_texts(pending: Tranches) -> pl.DataFrame:
    """Return the pending events of players as canonical JSON (``pool_text`` for many), with their rows."""
    frame = pl.DataFrame(
        {name: getattr(pending, name) for name in _FIGURES}
        | {name: _json_texts(getattr(pending, name).tolist()) for name in ("edition", "event")}
        | {
            "kind": [_KIND_TEXTS[kind] for kind in pending.kind.tolist()],
            "steps": [
                dump([from_step(step) for step in steps]) if steps else "[]" for steps in pending.steps
            ],
        }
    )
    texts = frame.select("row", text=pl.concat_str(_TRANCHE))
    several = texts.filter(~pl.col("row").is_unique())  # few players have several
    joined = several.group_by("row", maintain_order=True).agg(pl.col("text").str.join(","))
    texts = pl.concat([texts.filter(pl.col("row").is_unique()), joined]).sort("row")
    return texts.with_columns(text=pl.concat_str(pl.lit("["), "text", pl.lit("]")))


def _json_texts(texts: Sequence[str]) -> list[str]:
    """Return texts as JSON; many of them are the same."""
    written = {text: dump(text) for text in {*texts}}
    return [written[text] for text in texts]


_KIND_TEXTS = [dump(str(kind)) for kind in KINDS]
_FIGURES = (
    "row", "last_day", "games", "score", "total", "opponents", "rated_games", "rated_score", "team",
)  # fmt: skip
_LAST_DAY = (pl.col("last_day") - _FIRST_DAY).cast(pl.Date).dt.to_string('"%Y-%m-%d"')
_TRANCHE = [
    pl.lit('{"edition":'), "edition", pl.lit(',"event":'), "event", pl.lit(',"games":'), "games",
    pl.lit(',"kind":'), "kind", pl.lit(',"last_day":'),
    pl.when(pl.col("last_day") != 0).then(_LAST_DAY).otherwise(pl.lit("null")),
    pl.lit(',"opponents":'), "opponents", pl.lit(',"opponents_total":"'), "total",
    pl.lit('","rated_games":'), "rated_games", pl.lit(',"rated_score":'), "rated_score",
    pl.lit(',"score":'), "score", pl.lit(',"steps":'), "steps", pl.lit(',"team_championship":'),
    pl.when("team").then(pl.lit("true")).otherwise(pl.lit("false")), pl.lit("}"),
]  # fmt: skip


def _moved_pools(before: Roster, result: EngineResult) -> Column:
    """Return for which players pending events came or went."""
    old, fresh, remaining = (
        np.bincount(tranches.row, minlength=len(before))
        for tranches in (before.tranches, result.fresh, result.roster.tranches)
    )
    return np.asarray((fresh > 0) | (old != remaining))


def _movements(before: Roster, after: Roster, changed: Column) -> tuple[Movement, ...]:
    """Return the changed ratings, the largest change first, then by number."""
    columns = [column[changed] for column in (after.player, before.rating, after.rating)]
    order = np.argsort(-np.abs(columns[2] - columns[1]), kind="stable")
    return tuple(zip(*(column[order].tolist() for column in columns), strict=True))


def _left_the_list(after: Roster, day: date, rules: ChessRules) -> Column:
    """Return which players are inactive for longer than the edition keeps them on its list (2009 7.23)."""
    months = rules.inactive_listed_months
    if months is None:
        return np.zeros(len(after), np.bool_)
    since = ordinal(add_months(day, -(rules.inactive_months.value + months.value)))
    return after.inactive & (after.last_list > 0) & (after.last_list <= since)


# -------------------------------------------------------------------------------------------------------- pending


def _pending(context: Context, result: EngineResult) -> Column:
    """Return the rows of the unrated players whose pool of events changed and who have no rating yet."""
    before, after = context.roster, result.roster
    moved = _moved_pools(before, result)
    return np.flatnonzero(moved & (before.rating == 0) & (after.rating == 0) & ~after.delisted)


def _reasons(rows: Column, context: Context, result: EngineResult) -> Pending:
    """Return pending players with the reason why they have no rating yet."""
    pools: dict[int, list[Performance]] = {}
    for tranches in (context.roster.tranches, result.fresh):
        for line in np.flatnonzero(np.isin(tranches.row, rows)).tolist():
            pools.setdefault(int(tranches.row[line]), []).append(tranches.performance(line))
    reasons = []
    for row in rows.tolist():
        in_order = sorted(pools[row], key=lambda tranche: tranche.last_day or date.min)
        entry = context.frame.entry(in_order, affiliated=bool(context.players.affiliated[row]))
        reasons.append((int(context.roster.player[row]), entry.reason))
    return tuple(reasons)
