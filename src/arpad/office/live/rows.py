"""The live lists: what would be published now, as the lines by which it differs from the official list.

Each list has two layers: ``accepted``, with the reports accepted so far, and ``received``, with those that wait for an
officer too. A layer knows the last act that it has seen and the reports that it rates; its rows are of the players
with an event, or whose line differs. Everything can be computed again, and nothing is of the size of the list.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from typing import Any

import polars as pl
from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    Table,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from arpad.lists.live_table import line_texts
from arpad.model.canonical_json import dump, load
from arpad.model.rules import LISTS, ListName
from arpad.office.drafts.rows import day_or_first
from arpad.office.live.tables import live_lists, live_reports, live_rows
from arpad.office.register.tables import identifier_changes, identifiers, player_facts, players
from arpad.office.reports.tables import decisions, entrant_decisions, report_statuses, reports, revocations
from arpad.store.bulk import add_rows, columns_of, fetch_rows, in_values
from arpad.store.schema import ledger

_WITH_PLAYER = ("hide-player", "show-player")

ACCEPTED, RECEIVED = LAYERS = ("accepted", "received")


@dataclass(frozen=True, slots=True)
class LiveState:
    """A layer of a live list, as it was computed last."""

    list: ListName
    layer: str
    day: date
    """The day of the list that would be published."""

    official: int | None
    """The publication from which its rows differ; None before the first list."""

    basis: str
    """The values on which every row depends; if they differ now, everything is computed again."""

    act: int
    """The last act that was seen."""

    at: str
    """When it was computed, in UTC."""

    version: int = 0
    """Counts the computations: a computation that began from another version is thrown away."""

    digest: str = ""
    """Of everything that was computed."""


@dataclass(frozen=True, slots=True)
class LiveRow:
    """A player with an event, or whose line differs from the official list."""

    player: int
    rating: int | None
    before: int | None
    """The rating on the official list."""

    games: int
    events: int
    """The events of the player that the live list rates."""

    listed: bool
    """Whether the list would show the player."""

    values: Mapping[str, Any]
    """The line of the list: name, federation, titles; empty if the list would not show the player."""

    @property
    def change(self) -> int | None:
        """The difference to the official rating; None if one of the two is missing."""
        return None if self.rating is None or self.before is None else self.rating - self.before


@dataclass(frozen=True, slots=True)
class LiveChange:
    """The rows that a computation writes: of some players, or of all."""

    players: Collection[int] | None
    """The players who were computed; None for all."""

    lines: pl.DataFrame
    """The lines that differ."""

    before: Mapping[int, int | None]
    """The official ratings of all players who have a row."""

    events: Mapping[int, int]
    """The events of the players who have some; those without a line have a row too."""

    reports: Mapping[int, str]
    """The reports, as ``live_sources`` writes them."""


# -------------------------------------------------------------------------------------------------------- writing


def write_live(
    connection: Connection, seen: LiveState | None, state: LiveState, change: LiveChange | None
) -> bool:
    """Store a computation that began from ``seen``; return False if another one was stored since.

    Without a change only the last act and the time are new.
    """
    row = {**columns_of(state), "version": seen.version + 1 if seen else 1}
    if seen is None:
        if read_state(connection, state.list, state.layer) is not None:
            return False
        connection.execute(insert(live_lists), row)
    else:
        same = _key(live_lists, state.list, state.layer) & (live_lists.c.version == seen.version)
        if not connection.execute(update(live_lists).where(same).values(row)).rowcount:
            return False
    if change is not None:
        _write_reports(connection, state, change.reports)
        _write_rows(connection, state, change)
    this = _key(live_lists, state.list, state.layer)
    connection.execute(update(live_lists).where(this).values(digest=layer_digest(connection, state)))
    return True


def layer_digest(connection: Connection, state: LiveState) -> str:
    """Return the digest of a layer of a live list as it is stored; the act and the time are not in it."""
    about: list[Any] = [str(state.list), state.layer, str(state.day), state.official, state.basis]
    for table in (live_reports, live_rows):
        query = select(table).where(_key(table, state.list, state.layer)).order_by(*table.primary_key.columns)
        about.append(list(map(list, fetch_rows(connection, query))))
    return sha256(dump(about).encode()).hexdigest()


def _write_reports(connection: Connection, state: LiveState, reports: Mapping[int, str]) -> None:
    """Store which reports are rated; only the differences are written."""
    before = read_reports(connection, state.list, state.layer)
    left = [number for number, players in before.items() if reports.get(number) != players]
    of_left = _key(live_reports, state.list, state.layer), in_values(connection, live_reports.c.report, left)
    connection.execute(delete(live_reports).where(*of_left))
    rows = [
        (str(state.list), state.layer, number, players)
        for number, players in reports.items()
        if before.get(number) != players
    ]
    add_rows(connection, live_reports, ("list", "layer", "report", "players"), rows)


def _write_rows(connection: Connection, state: LiveState, change: LiveChange) -> None:
    computed = _key(live_rows, state.list, state.layer)
    if change.players is not None:
        computed &= in_values(connection, live_rows.c.player, change.players)
    connection.execute(delete(live_rows).where(computed))
    rows = changed_rows(state.list, state.layer, change)
    add_rows(connection, live_rows, [column.name for column in live_rows.columns], rows)


def changed_rows(on_list: ListName, layer: str, change: LiveChange) -> list[tuple[Any, ...]]:
    """Return the rows of a computation, with the columns of the table in order."""
    key = (str(on_list), layer)
    figures = change.lines.select("player", "rating", "games").iter_rows()
    before, events = change.before, change.events
    rows: dict[int, tuple[Any, ...]] = {
        player: (*key, player, rating, before.get(player), games, events.get(player, 0), 1, text)
        for (player, rating, games), text in zip(figures, line_texts(change.lines), strict=True)
    }
    for player in {*before, *events} - rows.keys():
        rows[player] = (*key, player, None, before.get(player), 0, events.get(player, 0), 0, "")
    return list(rows.values())


def delete_live(connection: Connection, on_list: ListName | None = None) -> None:
    """Delete the live list of a list, or of all lists; it is computed again."""
    for table in (live_rows, live_reports, live_lists):
        statement = delete(table)
        connection.execute(statement if on_list is None else statement.where(table.c.list == str(on_list)))


# -------------------------------------------------------------------------------------------------------- reading


def _key(table: Table, on_list: ListName, layer: str) -> ColumnElement[bool]:
    return (table.c.list == str(on_list)) & (table.c.layer == layer)


def read_state(connection: Connection, on_list: ListName, layer: str = ACCEPTED) -> LiveState | None:
    """Return a layer of a live list, or None if it was never computed."""
    query = select(live_lists).where(_key(live_lists, on_list, layer))
    row = connection.execute(query).mappings().first()
    return LiveState(**{**row, "list": on_list, "day": date.fromisoformat(row["day"])}) if row else None


_VERSION = select(func.coalesce(func.sum(live_lists.c.version), 0))


def read_reports(connection: Connection, on_list: ListName, layer: str) -> dict[int, str]:
    """Return the reports of a layer, as ``live_sources`` writes them."""
    query = select(live_reports.c.report, live_reports.c.players)
    return dict(fetch_rows(connection, query.where(_key(live_reports, on_list, layer))))


def rows_of_player(connection: Connection, player: int) -> dict[tuple[str, str], LiveRow]:
    """Return the rows of a player, by list and layer."""
    rows = connection.execute(_OF_PLAYER, {"player": player}).mappings()
    return {(row["list"], row["layer"]): _row(row) for row in rows}


_OF_PLAYER = select(live_rows).where(
    live_rows.c.list.in_(LISTS), live_rows.c.layer.in_(LAYERS), live_rows.c.player == bindparam("player")
)


MOVED = (live_rows.c.listed == 1) & (
    (live_rows.c.events > 0) | (func.coalesce(live_rows.c.rating, 0) != func.coalesce(live_rows.c.before, 0))
)
"""Players with an event, or with another rating."""


def moved_rows(
    connection: Connection,
    on_list: ListName,
    layer: str,
    hidden: Collection[int] = (),
    *,
    most: int | None = None,
    after: int = 0,
) -> list[LiveRow]:
    """Return the shown players who moved: the largest change first, then by rating and number."""
    change = func.abs(func.coalesce(live_rows.c.rating - live_rows.c.before, live_rows.c.rating, 0))
    query = _moved(select(live_rows), on_list, layer, hidden)
    query = query.order_by(change.desc(), func.coalesce(live_rows.c.rating, 0).desc(), live_rows.c.player)
    return [_row(row) for row in connection.execute(query.limit(most).offset(after)).mappings()]


def count_moved(connection: Connection, on_list: ListName, layer: str, hidden: Collection[int] = ()) -> int:
    """Return how many shown players moved."""
    query = _moved(select(func.count()).select_from(live_rows), on_list, layer, hidden)
    return int(connection.execute(query).scalar_one())


def _moved(query: Select[Any], on_list: ListName, layer: str, hidden: Collection[int]) -> Select[Any]:
    return query.where(_key(live_rows, on_list, layer), MOVED, live_rows.c.player.not_in(sorted(hidden)))


def _row(row: RowMapping) -> LiveRow:
    values = load(row["line"]) if row["line"] else {}
    figures = {name: row[name] for name in ("player", "rating", "before", "games", "events")}
    return LiveRow(**figures, listed=bool(row["listed"]), values=values)


def live_states(connection: Connection) -> list[LiveState]:
    """Return all layers of all live lists."""
    rows = connection.execute(select(live_lists).order_by(live_lists.c.list, live_lists.c.layer)).mappings()
    return [LiveState(**{**row, "day": day_or_first(row["day"])}) for row in rows]


def erase_texts(connection: Connection, _person: object) -> dict[str, Any]:
    """Delete all live lists, which have the names of players; they are computed again."""
    delete_live(connection)
    return {}


def rows_version(connection: Connection) -> int:
    """Return the version of the live lists, which changes when one is computed."""
    return int(connection.execute(_VERSION).scalar_one())


# ------------------------------------------------------------------------------------- the rows that acts added


@dataclass(frozen=True, slots=True)
class ChangesSince:
    """The changes since an act."""

    everybody: bool
    """Whether everything is to be computed again."""

    players: frozenset[int] = frozenset()
    """The players about whom something else is known, or was decided."""

    reports: frozenset[int] = frozenset()
    """The reports with another status, or about which something was decided."""

    checks: bool = False
    """Whether a received report may be checked otherwise now, or an entrant may be another player."""

    newcomers: bool = False
    """Whether players were registered, or got numbers."""


def verbs_since(connection: Connection, act: int) -> set[str]:
    """Return the verbs of all acts after one."""
    query = select(ledger.c.verb).where(ledger.c.seq > act).distinct()
    return set(connection.execute(query).scalars())


def rows_since(connection: Connection, act: int) -> ChangesSince:
    """Return whom and what the acts after one are about, from the rows that they added."""

    def added(column: Column[int]) -> set[int]:
        """Return the numbers in a column of the rows that the acts added."""
        query = select(column).where(column.table.c.act > act)
        return {number for (number,) in fetch_rows(connection, query)}

    people = added(players.c.id) | added(identifiers.c.player) | added(player_facts.c.player)
    on_file = added(reports.c.id) | added(report_statuses.c.report) | added(entrant_decisions.c.report)
    revoked = select(revocations.c.decision).where(revocations.c.act > act)
    about = select(decisions.c.player, decisions.c.report)
    about = about.where((decisions.c.act > act) | decisions.c.id.in_(revoked))
    decided = fetch_rows(connection, about)
    hidden = select(ledger.c.details).where(ledger.c.seq > act, ledger.c.verb.in_(_WITH_PLAYER))
    shown_or_hidden = {load(details)["player"] for (details,) in fetch_rows(connection, hidden)}
    return ChangesSince(
        # a decision about a whole federation, or a number that was taken from a player
        everybody=(None, None) in map(tuple, decided) or bool(added(identifier_changes.c.id)),
        players=frozenset(people | shown_or_hidden | {player for player, _ in decided if player is not None}),
        reports=frozenset(on_file | {report for _, report in decided if report is not None}),
        newcomers=bool(people),
    )
