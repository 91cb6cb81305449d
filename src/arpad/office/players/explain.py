"""Explain a rating: the list in force on a day, and how the player's rating changed with it.

No explanation is stored. The inputs of a list can be loaded again as they were when it was published, so a change is
recomputed from the player's own events of the period, in some milliseconds, however long the list is. The latest
explanations are cached by the digests of the list and of its inputs, so a cached one is never out of date.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date, timedelta
from threading import Lock
from typing import Any

from sqlalchemy import Connection

from arpad.lists.categories import CategoryChange
from arpad.lists.chain import Chain
from arpad.lists.compute_chess import compute_period, period_event
from arpad.lists.explanation import (
    EventDecision,
    ExplainedChange,
    ExplainedChessEvent,
    ExplainedGame,
    explain_chess,
    explain_draughts,
    explain_own,
)
from arpad.lists.inputs import Inputs
from arpad.lists.period import Event
from arpad.model.canonical_json import load
from arpad.model.json_values import to_state
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.office.drafts.checkpoint_rows import rate_from_checkpoint
from arpad.office.drafts.load_inputs import inputs_of, load_inputs
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.history_rows import player_history
from arpad.office.lists.in_force import inputs_as_of, newest, publication_in_force
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE, IMPORTED, PUBLISHED
from arpad.office.parts import player_categories
from arpad.office.register.acts import known_player
from arpad.office.register.number_rows import merge_targets, with_merged
from arpad.office.register.rows import load_names
from arpad.office.reports import rows
from arpad.office.reports.rows import decisions_in_force
from arpad.regulations.fide.event_kind import meetings
from arpad.regulations.systems import system_of
from arpad.store import ledger
from arpad.system.lru import Lru


@dataclass(frozen=True, slots=True)
class Explanation:
    """A player on a list on a day: the rating in force, and how it came about."""

    person: Person
    publication: Publication | None
    """The list in force; None before the first one."""

    rating: int | None
    since: Publication | None
    """The list with which the rating last changed; None if it was imported and has not changed since."""

    change: ExplainedChange | None
    pending: int
    """How many events of an unrated player may still count."""

    categories: tuple[CategoryChange, ...] = ()
    """Every change of the national category up to the list in force, the latest last."""


def explain_on(connection: Connection, number: int, on_list: ListName, day: date) -> Explanation:
    """Return the rating in force on a day and how it came about; for an unrated player what is still missing."""
    person = known_player(connection, number)
    number = merge_targets(connection).get(number, number)
    publications = lists.all_publications(connection, on_list)
    in_force = publication_in_force(publications, day)
    if in_force is None:
        return Explanation(person, None, None, None, None, 0)
    rating, pending = _state(connection, in_force, number)
    since, change = _last_change(connection, publications, in_force, number)
    categories = player_categories(connection, number, on_list, in_force.day)
    return Explanation(person, in_force, rating, since, change, pending, tuple(categories))


def _state(connection: Connection, publication: Publication, number: int) -> tuple[int | None, int]:
    state = list_rows.states(connection, publication.id, [number]).get(number)
    if state is None:
        return None, 0
    stored = system_of(publication.list).stored
    return stored.rating_of(state), stored.pending_events(state)


def _last_change(
    connection: Connection, publications: tuple[Publication, ...], in_force: Publication, number: int
) -> tuple[Publication | None, ExplainedChange | None]:
    """Return the last list up to the one in force that changed something for the player, and the change."""
    latest: dict[date, Publication] = {}
    for publication in publications:
        if publication.kind != BASE and publication.day < in_force.day:
            latest[publication.day] = publication
    candidates = (in_force, *(latest[day] for day in sorted(latest, reverse=True)))
    eventful = eventful_lists(connection, number, candidates)
    for publication in candidates:
        change = explain_change(connection, publication, number) if publication.id in eventful else None
        if change is not None:
            return publication, with_context(connection, publication, number, change)
    return None, None


def eventful_lists(
    connection: Connection,
    player: int,
    publications: Iterable[Publication],
    known: AbstractSet[int] | None = None,
) -> set[int]:
    """Return the lists that rated a report of the player or changed their stored state.

    A merged player may have played under either number. ``known`` are the lists that changed the state under the
    player's own number, if the caller has read them.
    """
    merged = merge_targets(connection)
    numbers = with_merged({player}, merged)
    to_read = numbers if known is None else numbers - {player}
    publications = list(publications)
    changed = set(known or ())
    for number in to_read:
        rows_of = player_history(connection, number)
        changed |= {it.id for it in publications if it.id in rows_of and rows_of[it.id].happened(it.list)}
    rating = lists.lists_rating(connection, numbers)
    # each list of a rating system rates all events since its start
    return {it.id for it in publications if it.id in changed or (it.id in rating and not it.list.is_own)}


def with_context(
    connection: Connection, publication: Publication, player: int, change: ExplainedChange
) -> ExplainedChange:
    """Return a change with the earlier events of an entry, and the decisions about each event."""
    change = with_pooled_events(connection, publication.base, player, change)
    return with_decisions_of(connection, change, inputs_as_of(publication).decisions_as_of)


def with_pooled_events(
    connection: Connection, base: int | None, player: int, change: ExplainedChange
) -> ExplainedChange:
    """Return a change with the events of earlier lists that the entry of a newcomer pools (12.4).

    They are looked for on the lists before, from ``base`` on backwards, as those lists rated them.
    """
    pooled = Counter((tranche.event, tranche.last_day) for tranche, _ in change.tranches)
    pooled -= Counter((event.name, event.last_day) for event in change.events)
    if not pooled:
        return change
    publications = {publication.id: publication for publication in lists.all_publications(connection)}
    rating = lists.lists_rating(connection, with_merged({player}, merge_targets(connection)))
    events: dict[str, ExplainedChessEvent] = {}
    while base is not None and pooled:
        publication = publications[base]
        base = publication.base
        if publication.id not in rating or publication.kind == IMPORTED:
            continue
        earlier = compute_changes(connection, publication, {player}).get(player)
        for event in earlier.events if earlier else ():
            key = (event.name, event.last_day)
            if isinstance(event, ExplainedChessEvent) and event.id not in events and pooled[key] > 0:
                events[event.id] = event
                pooled -= Counter([key])
    ordered = sorted(events.values(), key=lambda event: (event.last_day or date.min, event.report))
    return replace(change, pooled=tuple(ordered))


def with_decisions_of(
    connection: Connection, change: ExplainedChange, as_of_act: int | None
) -> ExplainedChange:
    """Return a change with the decisions about each of its events that were in force after an act."""
    reports = {event.report for event in change.all_events}
    in_force = decisions_in_force(connection, as_of_act)
    relevant = [item for item in in_force if item.report in reports and item.kind != "appeal"]
    acts = ledger.some_acts(connection, [item.act for item in relevant])
    decisions: dict[int | None, list[EventDecision]] = {}
    for item in relevant:
        act = acts[item.act]
        decisions.setdefault(item.report, []).append(
            EventDecision(
                item.id, item.kind, load(item.value), date.fromisoformat(act.at[:10]), act.author, act.reason
            )
        )
    return replace(
        change,
        events=tuple(replace(it, decisions=tuple(decisions.get(it.report, ()))) for it in change.events),
        pooled=tuple(replace(it, decisions=tuple(decisions.get(it.report, ()))) for it in change.pooled),
    )


# -------------------------------------------------------------------------------------------------- recomputing


class _ExplanationCache:
    """The latest explanations by list and player; None if nothing happened to the player."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._changes: OrderedDict[tuple[str, str, int], ExplainedChange | None] = OrderedDict()
        self._lock = Lock()

    def get(self, publication: Publication, players: set[int]) -> dict[int, ExplainedChange | None]:
        """Return the cached changes of these players, all at once: another request may push them out."""
        with self._lock:
            keys = {player: (publication.digest, publication.inputs_digest, player) for player in players}
            return {player: self._changes[key] for player, key in keys.items() if key in self._changes}

    def add(self, publication: Publication, player: int, change: ExplainedChange | None) -> None:
        with self._lock:
            self._changes[publication.digest, publication.inputs_digest, player] = change
            while len(self._changes) > self.size:
                self._changes.popitem(last=False)


CACHE = _ExplanationCache(4096)


def explain_change(connection: Connection, publication: Publication, player: int) -> ExplainedChange | None:
    """Return how a player's rating changed with a revision of a list, or None if nothing happened."""
    return explain_changes(connection, publication, [player]).get(player)


def explain_changes(
    connection: Connection, publication: Publication, players: Iterable[int]
) -> dict[int, ExplainedChange]:
    """Return how the ratings of these players changed with a revision of a list."""
    if publication.kind != PUBLISHED:
        return {}
    numbers = set(players)
    changes = CACHE.get(publication, numbers)
    missing = numbers - changes.keys()
    if missing:
        computed = compute_changes(connection, publication, missing)
        for player in {*missing, *computed}:
            CACHE.add(publication, player, computed.get(player))
        changes |= {player: computed.get(player) for player in missing}
    return _with_register_names(
        connection, {player: change for player, change in changes.items() if change is not None}
    )


def _with_register_names(
    connection: Connection, changes: Mapping[int, ExplainedChange]
) -> dict[int, ExplainedChange]:
    """Name the opponents as the register does now, not as their reports spell them."""
    games = [game for change in changes.values() for event in change.events for game in event.games]
    names = present_names(connection, {game.opponent for game in games if game.opponent is not None})

    def named(game: ExplainedGame) -> ExplainedGame:
        name = names.get(game.opponent or 0, game.name)
        return game if name == game.name else replace(game, name=name)

    def in_change(change: ExplainedChange) -> ExplainedChange:
        events = (replace(it, games=tuple(map(named, it.games))) for it in change.events)
        return replace(change, events=tuple(events))

    return {player: in_change(change) for player, change in changes.items()}


def present_names(connection: Connection, players: Iterable[int]) -> dict[int, str]:
    """Return the names of players in the register; of a merged player that of the one kept."""
    targets = merge_targets(connection)
    kept = {player: targets.get(player, player) for player in players}
    names = load_names(connection, {*kept.values()})
    return {player: names[number] for player, number in kept.items() if number in names}


def compute_changes(
    connection: Connection, publication: Publication, players: set[int]
) -> dict[int, ExplainedChange]:
    """Compute how the ratings of players changed with a revision of a list; the cache is left as it is."""
    explain_list = _EXPLAIN.get(publication.list.system, _explain_own)
    return explain_list(connection, publication, players)


def _explain_own(
    connection: Connection, publication: Publication, players: set[int]
) -> dict[int, ExplainedChange]:
    key = (publication.digest, publication.inputs_digest)
    inputs, chain = _CHAINS.get(key, lambda: _rated_chain(connection, publication))
    return explain_own(inputs, players, chain)


_CHAINS: Lru[tuple[Inputs, Chain[Any]]] = Lru(2)
"""The own lists that were explained last, with all their events rated: each player's page needs them."""


def _rated_chain(connection: Connection, publication: Publication) -> tuple[Inputs, Chain[Any]]:
    inputs = _since_late_events(connection, publication)
    of_system = inputs.system
    assert of_system is not None  # noqa: S101
    return inputs, rate_from_checkpoint(connection, publication.list, of_system)


def _since_late_events(connection: Connection, publication: Publication) -> Inputs:
    """Return the inputs of an own list that explain all events since the first one that the list before lacked."""
    inputs = inputs_of(connection, publication)
    own = lists.all_publications(connection, publication.list)
    before = newest([it for it in own if it.kind == PUBLISHED and it.id < publication.id], publication.day)
    of_system = inputs.system
    if before is None or of_system is None or of_system.since is None:
        return inputs
    known, since = set(lists.rated_in(connection, before.id)), of_system.since
    late = [it.last_day for it in of_system.units if it.number not in known and it.last_day is not None]
    first = min((day for day in late if day <= since), default=None)
    if first is None:
        return inputs
    return replace(inputs, system=replace(of_system, since=first - timedelta(days=1)))


def _explain_draughts(
    connection: Connection, publication: Publication, players: set[int]
) -> dict[int, ExplainedChange]:
    """Compute the whole year: each event starts from the capitals of the one before."""
    changes = explain_draughts(inputs_of(connection, publication))
    if len(changes) <= CACHE.size // 2:
        return changes
    return {player: change for player, change in changes.items() if player in players}


def _explain_chess(
    connection: Connection, publication: Publication, players: set[int]
) -> dict[int, ExplainedChange]:
    """Explain these players, from the reports that a list rates."""

    def load(concerned: set[int]) -> Inputs:
        base = next((p for p in lists.all_publications(connection) if p.id == publication.base), None)
        merged = merge_targets(connection, inputs_as_of(publication).merges_as_of)
        # they may have played under any number of theirs
        numbers = with_merged(concerned, merged)
        filed = rows.filed(connection, lists.rated_reports_of(connection, publication.id, numbers)).values()
        return load_inputs(
            connection, publication.list, publication.day, filed, base, inputs_as_of(publication),
            only=players, counted=concerned,
        )  # fmt: skip

    return explain_players(players, load)


def explain_players(players: set[int], load_of: Callable[[set[int]], Inputs]) -> dict[int, ExplainedChange]:
    """Explain these players of a chess list; ``load_of`` loads the inputs with the reports of some players.

    Round robins with unrated players also need the earlier events of those players.
    """
    concerned: set[int] = set()
    needed = set(players)
    while not needed <= concerned:
        concerned |= needed
        inputs = load_of(concerned)
        events = [period_event(event, inputs) for event in inputs.events]
        needed = _unrated_in_round_robins(inputs, events)
    states = {player: to_state(player, state) for player, state in inputs.states.items()}
    period = compute_period(inputs, states, events, concerned)
    return {player: explain_chess(player, period, events) for player in period.players if player in players}


_EXPLAIN = {"fide": _explain_chess, "rubele": _explain_draughts}


def _unrated_in_round_robins(inputs: Inputs, events: Iterable[Event]) -> set[int]:
    """Return unrated players of round robins under an edition that asks whether they have played before."""
    players: set[int] = set()
    for event in events:
        rules = event.edition.on(inputs.on_list)
        size = meetings(event.report).players
        if rules.round_robin_entry is None or len(event.report.rounds) < size - 1 + size % 2:
            continue
        listed = inputs.lists.get(inputs.in_force.get(event.first_day, ""), {})
        players.update(player for player in event.players if player not in listed)
    return players
