"""The live list: what would be published now, kept as the lines by which it differs from the official list.

``update_live`` is called when something happened, never when somebody looks. It computes the players whom the acts
since the last calculation touch (``office.live.changes``), or everybody if it must. The result is the draft's, line
by line.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Literal

import polars as pl
from sqlalchemy import Connection

from arpad.lists.compute import compute_list
from arpad.lists.compute_chess import period_event
from arpad.lists.inputs import Inputs
from arpad.lists.live_table import differing_lines, listed_lines, players_gone
from arpad.lists.sealed_blocks import UNREADABLE
from arpad.lists.table import SCHEMA
from arpad.model.cursors import Cursor, parse_cursor
from arpad.model.declared import Accepts
from arpad.model.errors import ArpadError, BadInput, Missing
from arpad.model.people import Person
from arpad.model.rules import LISTS, Alteration, ListName, derived_row
from arpad.office.declared import ListChosen, Reading, costly, query, task
from arpad.office.drafts.load_inputs import load_inputs
from arpad.office.lists.block_rows import read_players, read_table
from arpad.office.lists.in_force import publications
from arpad.office.lists.ownership import ownership
from arpad.office.live import rows as live_rows
from arpad.office.live.layers import (
    MOST_PLAYERS,
    REPLACED,
    LiveSources,
    changes_since,
    live_sources,
    reports_in,
    shown_state,
    unfiled_entrants,
)
from arpad.office.live.rows import (
    ACCEPTED,
    LAYERS,
    RECEIVED,
    ChangesSince,
    LiveChange,
    LiveRow,
    LiveState,
    changed_rows,
    layer_digest,
    live_states,
)
from arpad.office.office import Office, today, utc
from arpad.office.register.number_rows import hidden, merge_targets, with_merged
from arpad.office.reports import rows
from arpad.office.users import EVERYBODY, officer_of_all
from arpad.regulations.fide.event_kind import meetings
from arpad.regulations.systems import system_of
from arpad.store import ledger
from arpad.store.damaged_rows import differing_rows
from arpad.store.jobs import Job
from arpad.system.batches import gc_paused

PER_PAGE = 100
"""Players on one page of a live list."""

_ATTEMPTS = 5
"""How often a computation is begun again because another worker was faster."""


Layer = Annotated[Literal["accepted", "received"], Accepts("received", word="live-reports")]
After = Annotated[str, Accepts("0.0", longest=40, word="after-row")]


@dataclass(frozen=True, slots=True)
class LiveLine:
    """A player who moved since the official list."""

    id: int
    name: str
    federation: str
    title: str
    official: int | None
    rating: int | None
    change: int | None
    games: int
    events: int


@dataclass(frozen=True, slots=True)
class LiveList:
    """A page of a live list; not official."""

    list: str
    official: bool
    """Always false."""

    day: str
    """The day of the next list."""

    computed: str
    reports: str
    """``accepted``, or ``received``: with those that are not accepted yet too."""

    total: int
    rows: tuple[LiveLine, ...]
    next: str
    more: bool


@dataclass(frozen=True, slots=True)
class Updated:
    """When a live list was computed, for which day; empty if no list can be made now."""

    list: str
    day: str = ""
    computed: str = ""


@query("live show", EVERYBODY, path="/live/{list}")
def live_list(
    reading: Reading, list_: ListChosen, *, reports: Layer = "accepted", after: After = ""
) -> LiveList:
    """Show the players who moved since the official list, with what would be published now; not official.

    A worker keeps the live lists if the setting live_lists is public.
    """
    if list_.is_own:
        raise BadInput("own-list-live", option="list", list=str(list_))
    connection, skipped = reading.connection, parse_cursor(after).item
    state = shown_state(connection, list_, reports, everything=reading.caller.owner)
    if state is None:
        raise Missing("no-live-list")
    away = hidden(connection)
    total = live_rows.count_moved(connection, list_, reports, away)
    rows = live_rows.moved_rows(connection, list_, reports, away, most=PER_PAGE, after=skipped)
    read = skipped + len(rows)
    return LiveList(
        str(list_), official=False, day=str(state.day), computed=state.at, reports=reports, total=total,
        rows=tuple(map(_line, rows)), next=str(Cursor(read)), more=read < total,
    )  # fmt: skip


def _line(row: LiveRow) -> LiveLine:
    values = row.values
    return LiveLine(
        row.player, values["name"], values["federation"], values["title"] or values["women_title"], row.before,
        row.rating, row.change, row.games, row.events,
    )  # fmt: skip


@costly
@task("live update", officer_of_all("lists"), says="live.updated")
def update_live_list(office: Office, list_: ListChosen) -> Updated:
    """Compute what changed on a live list since the last calculation.

    Example: arpad office live update standard --db office.db
    """
    if list_.is_own:
        raise BadInput("own-list-live", option="list", list=str(list_))
    state = update_live(office, list_)
    return Updated(str(list_), str(state.day), state.at) if state is not None else Updated(str(list_))


def update_live(
    office: Office, on_list: ListName, layers: Sequence[str] = LAYERS, *, whole: bool = False
) -> LiveState | None:
    """Bring the live list of a list up to the last act, in all layers or some; ``whole`` computes everybody again.

    Return the accepted layer; None if no list can be made now, as when a year of draughts is still open.
    """
    with gc_paused():
        for layer in layers:
            for _ in range(_ATTEMPTS):
                if _update_layer(office, on_list, layer, whole=whole):
                    break
    with office.store.reading() as connection:
        return live_rows.read_state(connection, on_list)


def _update_layer(office: Office, on_list: ListName, layer: str, *, whole: bool) -> bool:
    """Compute what changed and store it; return False if another worker stored something meanwhile."""
    with office.store.reading() as connection:
        seen = None if whole else live_rows.read_state(connection, on_list, layer)
        act = ledger.next_seq(connection) - 1
        if seen is not None and seen.act == act:
            return True
        day = today(office, connection)
        try:
            sources, change = _computed(connection, on_list, layer, day, seen)
        except BadInput:
            sources, change = None, None
    with office.store.writing() as connection:
        if sources is None:
            live_rows.delete_live(connection, on_list)
            return True
        stored = live_rows.read_state(connection, on_list, layer) if whole else seen
        official = sources.official.id if sources.official else None
        state = LiveState(on_list, layer, sources.day, official, sources.basis, act, utc(office.now()))
        return live_rows.write_live(connection, stored, state, change)


def live_now(
    connection: Connection, on_list: ListName, layer: str, day: date
) -> tuple[LiveSources, LiveChange]:
    """Return what a layer is made from on a day, and all its rows."""
    sources, change = _computed(connection, on_list, layer, day, None)
    assert change is not None  # noqa: S101  everybody is computed
    return sources, change


def _computed(
    connection: Connection, on_list: ListName, layer: str, day: date, seen: LiveState | None
) -> tuple[LiveSources, LiveChange | None]:
    """Return what a layer is made from now, and its rows that may have changed; None if there are none."""
    before = live_rows.read_reports(connection, on_list, layer)
    sources, changes = live_sources(
        connection, on_list, day, received=layer == RECEIVED, before=before, basis=seen.basis if seen else None,
        changes=changes_since(connection, seen.act) if seen else ChangesSince(everybody=True),
    )  # fmt: skip
    if changes.everybody:
        return sources, _whole_change(connection, sources)
    touched = _touched(connection, sources, before, changes)
    if not touched:
        nobody = LiveChange((), listed_lines(pl.DataFrame(schema=SCHEMA)), {}, {}, sources.reports)
        return sources, None if before == sources.reports else nobody
    if system_of(on_list).rates_again or len(touched) > MOST_PLAYERS:
        return sources, _whole_change(connection, sources)
    return sources, _change_of(connection, sources, touched)


# -------------------------------------------------------------------------------------------------------- whom


def _touched(
    connection: Connection, sources: LiveSources, before: Mapping[int, str], changes: ChangesSince
) -> set[int]:
    """Return the players whose lines may differ now."""
    now = sources.reports
    reports = {number for number in {*before, *now} if before.get(number) != now.get(number)}
    reports |= changes.reports & now.keys()
    merged = merge_targets(connection)
    players = {merged.get(player, player) for player in changes.players}
    if players and ownership(connection, sources.on_list) is not None:
        reports |= _reports_with(connection, sources, players, merged)  # an opponent may be a guest now
    for entrants in rows.entrants_of(connection, reports).values():
        players.update(merged.get(player, player) for player in entrants)
    for stored in (before, now):
        texts = {number: stored[number].removeprefix(REPLACED) for number in reports & stored.keys()}
        for matched in unfiled_entrants(texts).players.values():
            players.update(merged.get(player, player) for player in matched if player > 0)
    return players


def _reports_with(
    connection: Connection, sources: LiveSources, players: AbstractSet[int], merged: Mapping[int, int]
) -> set[int]:
    """Return the rated reports in which some players take part, under any number of theirs."""
    return reports_in(connection, with_merged(players, merged), sources.rated, sources.unfiled())


# ------------------------------------------------------------------------------------------------------ computing


def _whole_change(connection: Connection, sources: LiveSources) -> LiveChange:
    """Compute everybody."""
    inputs = whole_inputs(connection, sources)
    official = (
        read_table(connection, sources.official.id) if sources.official else pl.DataFrame(schema=SCHEMA)
    )
    return _differences(sources, inputs, official, None)


def whole_inputs(connection: Connection, sources: LiveSources) -> Inputs:
    """Load what the list of everybody is computed from."""
    reports = rows.filed(connection, sources.rated).values()
    return load_inputs(
        connection,
        sources.on_list,
        sources.day,
        reports,
        sources.base,
        sources.as_of,
        unfiled=sources.unfiled(),
    )


def _change_of(connection: Connection, sources: LiveSources, touched: AbstractSet[int]) -> LiveChange:
    """Compute some players, from their own events."""
    merged = merge_targets(connection)
    players, more = set(touched), set(touched)
    while more:
        players |= more
        reports = rows.filed(connection, _reports_with(connection, sources, players, merged)).values()
        inputs = load_inputs(
            connection, sources.on_list, sources.day, reports, sources.base, sources.as_of,
            only=players, unfiled=sources.unfiled(),
        )  # fmt: skip
        more = _in_round_robins(inputs) - players
    official = pl.DataFrame(schema=SCHEMA)
    if sources.official is not None:
        official = read_players(connection, sources.official.id, players)
    playing = {player for event in inputs.events for player in event.players}
    others = {player: Person(player, "") for player in playing - inputs.people.keys()}
    inputs = replace(inputs, people={**inputs.people, **others}, hidden=inputs.hidden | others.keys())
    return _differences(sources, inputs, official, players)


def _in_round_robins(inputs: Inputs) -> set[int]:
    """Return the registered players of round robins under an edition that asks whether unrated players played before.

    What an unrated player did in an earlier event then counts for all others.
    """
    players: set[int] = set()
    for event in inputs.events:
        if inputs.edition_on(event.first_day).on(inputs.on_list).round_robin_entry is None:
            continue
        report = period_event(event, inputs).report
        size = meetings(report).players
        if len(report.rounds) >= size - 1 + size % 2:
            players.update(player for player in event.players if player > 0)
    return players


def _differences(
    sources: LiveSources, inputs: Inputs, official: pl.DataFrame, players: AbstractSet[int] | None
) -> LiveChange:
    """Compute a list, or some players of it, and return the lines that differ from the official ones."""
    computed = compute_list(inputs).table.filter(pl.col("player") > 0)
    if players is not None:
        computed = computed.filter(pl.col("player").is_in(sorted(players)))
    events = Counter(
        player
        for played in _players_by_report(inputs).values()
        for player in played
        if player > 0 and (players is None or player in players)
    )
    playing = listed_lines(computed).filter(pl.col("player").is_in(list(events)))
    lines = pl.concat([differing_lines(official, computed), playing]).unique("player").sort("player")
    before = dict(players_gone(official, computed).iter_rows())
    concerned = [*lines["player"].to_list(), *events]
    ratings = official.filter(pl.col("listed") & pl.col("player").is_in(concerned))
    before |= dict(ratings.select("player", "rating").iter_rows())
    return LiveChange(players, lines, before, events, sources.reports)


def _players_by_report(inputs: Inputs) -> dict[int, set[int]]:
    played: dict[int, set[int]] = {}
    for event in inputs.events:
        played.setdefault(event.report_number, set()).update(event.players)
    return played


# -------------------------------------------------------------------------------------------------------- reading


def keep_live_lists(office: Office, job: Job) -> None:
    """Bring a layer of the live list of every published list up to the last act; once more changes nothing.

    Matching the received reports takes longer, so their layer is a job of its own.
    """
    layer = RECEIVED if job.kind.endswith(RECEIVED) else ACCEPTED
    for on_list in sorted({publication.list for publication in publications(office)}):
        update_live(office, on_list, (layer,))


_WRONG = (ArpadError, ArithmeticError, AttributeError, LookupError, TypeError, *UNREADABLE)
"""The exceptions for rows with the right form and impossible values."""

_LISTS = frozenset(map(str, LISTS))


def altered_derived_tables(
    connection: Connection, day: date, stale: list[Alteration]
) -> Iterator[Alteration]:
    """Yield the rows that do not follow from the office; add the layers of an earlier state to ``stale``."""
    for state in live_states(connection):
        yield from _altered(connection, state, day, stale)


def _altered(
    connection: Connection, state: LiveState, day: date, stale: list[Alteration]
) -> Iterator[Alteration]:
    """Compute a layer of a live list again, if it has seen the last act."""
    about = Alteration("live-stale", {"list": str(state.list), "act": state.act})
    row = f"{state.list}, {state.layer}"
    last = ledger.next_seq(connection) - 1
    if state.act > last or str(state.list) not in _LISTS or state.digest != layer_digest(connection, state):
        yield derived_row("live_lists", row)
        return
    try:
        sources, change = live_now(connection, ListName(state.list), state.layer, day)
    except _WRONG:
        stale.append(about)
        return
    if state.act < last or state.day != sources.day:  # the worker has not come to it yet
        stale.append(about)
        return
    official = sources.official.id if sources.official else None
    if (state.official, state.basis) != (official, sources.basis):
        yield derived_row("live_lists", row)
    layer = (str(state.list), state.layer)
    reports = [(*layer, number, players) for number, players in sources.reports.items()]
    rows = changed_rows(state.list, state.layer, change)
    own = {"list": str(state.list), "layer": state.layer}
    for table, expected in (("live_reports", reports), ("live_rows", rows)):
        for key in differing_rows(connection, table, own, expected):
            yield derived_row(table, key)
