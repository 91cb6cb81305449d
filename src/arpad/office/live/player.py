"""A player on the live lists: the rating as it would be published now, and each event behind it explained.

As for published lists, no explanation is stored: the change is computed from the player's own events when somebody
asks. It uses what was known at the last act that the live list has seen, so that it fits the stored rating.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from arpad.lists.explanation import ExplainedChange, ExplainedGame, explain_draughts
from arpad.lists.inputs import Inputs
from arpad.model.rules import LISTS, ListName
from arpad.office.drafts.load_inputs import load_inputs
from arpad.office.drafts.procedures import procedure_of
from arpad.office.lists import rows as lists
from arpad.office.lists.as_of import AsOf
from arpad.office.lists.tables import BASE
from arpad.office.live import rows as live_rows
from arpad.office.live.rows import ACCEPTED, RECEIVED, LiveRow, LiveState
from arpad.office.live.sources import rated_reports, unfiled_entrants
from arpad.office.players.acts import LiveStanding
from arpad.office.players.explain import explain_players, with_decisions_of, with_pooled_events
from arpad.office.register.merge_rows import hidden, merge_targets
from arpad.office.reports import rows
from arpad.regulations.systems import system_of
from arpad.store.settings import PUBLIC, read_setting
from arpad.system.lru import Lru


def are_public(connection: Connection) -> bool:
    """Return whether visitors see the live lists."""
    return read_setting(connection, "live_lists") == PUBLIC


def current_states(connection: Connection) -> dict[tuple[str, str], LiveState]:
    """Return the layers of live lists that were computed since the last list was published, by list and layer."""
    by_day = lists.all_publications(connection)
    official = {publication.list: publication.id for publication in by_day if publication.kind != BASE}
    return {
        (it.list, it.layer): replace(it, list=ListName(it.list))
        for it in live_rows.live_states(connection)
        if it.list in LISTS and it.official == official.get(it.list)
    }


def shown_state(
    connection: Connection, on_list: ListName, layer: str = ACCEPTED, *, everything: bool = False
) -> LiveState | None:
    """Return a layer of a live list that visitors may see, or that there is; None if there is none."""
    is_shown = everything or are_public(connection)
    return current_states(connection).get((on_list, layer)) if is_shown else None


def live_lists_shown(connection: Connection) -> list[ListName]:
    """Return the lists that have a live list which visitors may see."""
    states = current_states(connection) if are_public(connection) else {}
    return [name for name in LISTS if (name, ACCEPTED) in states]


@dataclass(frozen=True, slots=True)
class LivePlayer:
    """A player on a live list."""

    state: LiveState
    accepted: LiveRow
    """With the reports accepted so far."""

    received: LiveRow | None
    """With those that wait for an officer too; None if nothing is different then."""

    change: ExplainedChange | None = None
    """How the rating with the accepted reports comes about."""

    received_change: ExplainedChange | None = None
    """The same with the received reports: only the events that wait."""


def live_players(
    connection: Connection, player: int, unexplained: Container[ListName | None] = LISTS
) -> dict[ListName, LivePlayer]:
    """Return a player on the live lists that visitors may see, if something is different from the official list.

    A player who asked not to be shown is on none.
    """
    if not are_public(connection) or player in hidden(connection):
        return {}
    states, rows_of = current_states(connection), live_rows.rows_of_player(connection, player)
    entries = {
        name: _live_player(connection, states, rows_of, name, explained=name not in unexplained)
        for name in LISTS
        if (name, ACCEPTED) in states
    }
    return {name: entry for name, entry in entries.items() if entry is not None}


def _live_player(
    connection: Connection,
    states: Mapping[tuple[str, str], LiveState],
    rows_of: Mapping[tuple[str, str], LiveRow],
    on_list: ListName,
    *,
    explained: bool,
) -> LivePlayer | None:
    state, of_received = states[on_list, ACCEPTED], states.get((on_list, RECEIVED))
    accepted = rows_of.get((on_list, ACCEPTED))
    received = rows_of.get((on_list, RECEIVED)) if of_received else None
    shown = accepted or (received and _as_official(received))
    if shown is None or not (_says_something(accepted) or _says_something(received)):
        return None
    player = shown.player
    if received is not None and (received.rating, received.events) == (shown.rating, shown.events):
        received = None
    if not explained:
        return LivePlayer(state, shown, received)
    change = _explained(connection, state, player) if shown.events else None
    waiting = None
    if of_received is not None and received is not None and received.events > shown.events:
        waiting = _explained(connection, of_received, player)
        accepted_events = {event.report for event in change.events} if change else set()
        if waiting is not None:
            events = tuple(event for event in waiting.events if event.report not in accepted_events)
            waiting = replace(waiting, events=events)
    return LivePlayer(state, shown, received, change, waiting)


_CHANGES: Lru[ExplainedChange | None] = Lru(1024)
"""How the ratings of players came about, by the state of the live list, whose last act bounds what counts."""


def _explained(connection: Connection, state: LiveState, player: int) -> ExplainedChange | None:
    return _CHANGES.get((state, player), lambda: explain_live(connection, state, {player}).get(player))


def _as_official(received: LiveRow) -> LiveRow:
    """Return the row of a player for whom only received reports change something."""
    rating = received.before
    return LiveRow(received.player, rating, rating, games=0, events=0, listed=rating is not None, values={})


def _says_something(row: LiveRow | None) -> bool:
    """Return whether a row is shown: the player has an event or another rating."""
    return row is not None and (row.events > 0 or row.rating != row.before)


def live_changes(
    connection: Connection, on_list: ListName, report: int, players: Iterable[int]
) -> dict[int, ExplainedChange]:
    """Explain the changes of players on the live list that visitors see; nothing if it does not rate a report."""
    state = shown_state(connection, on_list)
    if state is None or report not in rated_reports(live_rows.read_reports(connection, on_list, state.layer)):
        return {}
    return explain_live(connection, state, {*players})


def explain_live(connection: Connection, state: LiveState, players: set[int]) -> dict[int, ExplainedChange]:
    """Explain how the live ratings of players come about; strangers have neither number nor name."""
    stored = live_rows.read_reports(connection, state.list, state.layer)
    unfiled, rated = unfiled_entrants(stored), rated_reports(stored)
    merged = merge_targets(connection, state.act)
    as_of = AsOf(0, register_as_of=state.act, decisions_as_of=state.act, merges_as_of=state.act)
    publications = lists.all_publications(connection, state.list)
    base = procedure_of(state.list).start(publications, state.day).base

    def load(reports: Iterable[int], only: set[int] | None, counted: set[int] | None) -> Inputs:
        filed = rows.filed(connection, sorted(reports)).values()
        return load_inputs(
            connection, state.list, state.day, filed, base, as_of, only=only, counted=counted, unfiled=unfiled
        )

    def load_of(concerned: set[int]) -> Inputs:
        numbers = {*concerned, *(dropped for dropped, kept in merged.items() if kept in concerned)}
        reports = rows.reports_with(connection, numbers) & rated
        reports |= {
            number for number, entrants in unfiled.players.items() if not numbers.isdisjoint(entrants)
        }
        return load(reports, players, concerned)

    by_season = system_of(state.list).rates_again
    changes = explain_draughts(load(rated, None, None)) if by_season else explain_players(players, load_of)
    pooled = {
        player: with_pooled_events(connection, base.id if base else None, player, change)
        for player, change in changes.items()
        if player in players
    }
    return {
        player: _without_strangers(with_decisions_of(connection, change, state.act))
        for player, change in pooled.items()
    }


def _without_strangers(change: ExplainedChange) -> ExplainedChange:
    """Return a change without the names of entrants who are not matched with the register yet.

    Such an entrant may be a player who asked not to be shown.
    """

    def game(of: ExplainedGame) -> ExplainedGame:
        return replace(of, opponent=None, name="") if of.opponent is not None and of.opponent < 0 else of

    events = tuple(replace(event, games=tuple(map(game, event.games))) for event in change.events)
    return replace(change, events=events)


def live_standings(connection: Connection, player: int) -> list[LiveStanding]:
    """Return a player on the live lists that visitors may see."""
    return [
        LiveStanding(
            str(it.state.list), it.state.day, it.state.at, it.accepted.before, it.accepted.rating,
            it.accepted.change, it.accepted.games, it.accepted.events, it.received.rating if it.received else None,
        )
        for it in live_players(connection, player).values()
    ]  # fmt: skip
