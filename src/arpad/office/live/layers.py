"""The layers of live lists: what each is made from, and a player on them.

A layer is made from the next list's day, its base, and the reports accepted so far, or received too. The reports are
stored with it, each with a text about its entrants:

    (empty)       accepted: the entrants are on file
    [12,"ITA"]    received: the player of each entrant, or the federation of somebody who is not identified
    !             received, and not ready to be accepted
    =…            one of the above, and a received report replaces it

A player has the rating as it would be published now, and each event behind it explained. As for published lists, no
explanation is stored: the change is computed from the player's own events when somebody asks. It uses what was known at
the last act that the live list has seen, so that it fits the stored rating.
"""

from collections.abc import Container, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date

from sqlalchemy import Connection

from arpad.lists.explanation import ExplainedChange, ExplainedGame, explain_draughts
from arpad.lists.inputs import Inputs
from arpad.model.canonical_json import dump, load
from arpad.model.people import Person
from arpad.model.rules import LISTS, ListName, Severity
from arpad.model.version import VERSION
from arpad.office.drafts.acts import draft_sources
from arpad.office.drafts.load_inputs import UnfiledEntrants, load_inputs
from arpad.office.drafts.procedures import next_list_day, procedure_of
from arpad.office.inbox.check_report import check_reports, decided_report
from arpad.office.inbox.entrant_decisions import joined_matches
from arpad.office.inbox.match_players import DOUBTS
from arpad.office.lists import rows as lists
from arpad.office.lists.in_force import AsOf, newest
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE
from arpad.office.live import rows as live_rows
from arpad.office.live.rows import (
    ACCEPTED,
    RECEIVED,
    ChangesSince,
    LiveRow,
    LiveState,
    rows_since,
    verbs_since,
)
from arpad.office.players.acts import LiveStanding
from arpad.office.players.explain import explain_players, with_decisions_of, with_pooled_events
from arpad.office.register.number_rows import hidden, merge_targets, with_merged
from arpad.office.reports import rows
from arpad.office.reports.entrant_rows import decisions_about
from arpad.office.reports.rows import decisions_in_force
from arpad.regulations.systems import system_of
from arpad.store.settings import PUBLIC, read_setting
from arpad.system.lru import Lru

NO_LIST = frozenset(
    "add-user appeal change-password change-user choose-mails choose-password issue-token record-norm record-norms "
    "revoke-norm revoke-two-people rotate-key second-factor sent-to-fide two-people withdraw-token invoice "
    "credit-invoice pay-invoice reopen-invoice player-data".split()
)
"""Acts that no list depends on."""

BY_CHECK = frozenset(
    "change-arbiter import-arbiters license-arbiter register-arbiter register-event change-event refuse-event "
    "cancel-event reinstate-event match".split()
)
"""Acts that decide whether a received report can be accepted, and who its entrants are."""

BY_REPORT = frozenset({"submit", "join-stages", "accept", "return", "withdraw", "reinstate"})
"""Acts about a report."""

BY_DECISION = frozenset({"decide", "revoke", "settle"})
"""Acts about a report or a player."""

BY_PLAYER = frozenset(
    "register-player change-player add-identifier remove-identifier transfer hide-player show-player".split()
)
"""Acts that change what is known about one player."""

MOST_PLAYERS = 20_000
"""From this number of players on, computing the whole list is not slower."""


def changes_since(connection: Connection, act: int) -> ChangesSince:
    """Return what happened after an act; an act that is not known here touches everybody."""
    verbs = verbs_since(connection, act)
    if verbs - NO_LIST - BY_CHECK - BY_REPORT - BY_DECISION - BY_PLAYER:
        return ChangesSince(everybody=True)
    if not verbs - NO_LIST:
        return ChangesSince(everybody=False)
    touched = rows_since(connection, act)
    if touched.everybody or len(touched.players) > MOST_PLAYERS:
        return ChangesSince(everybody=True)
    return replace(touched, checks=bool(verbs & (BY_CHECK | BY_PLAYER)))


ON_FILE, NOT_READY, REPLACED = "", "!", "="

_PLACES = 100_000
"""More than any report has entrants: the numbers of strangers do not meet."""


@dataclass(frozen=True, slots=True)
class LiveSources:
    """The sources of a layer of a live list."""

    on_list: ListName
    day: date
    base: Publication | None
    """The list from which the period starts."""

    official: Publication | None
    """The list that is shown."""

    as_of: AsOf
    basis: str
    """The values that everybody's line depends on, apart from acts."""

    reports: Mapping[int, str]
    """The reports with their texts, as they are stored."""

    @property
    def rated(self) -> set[int]:
        """The reports that are rated."""
        return rated_reports(self.reports)

    def unfiled(self) -> UnfiledEntrants:
        """Return the entrants of the reports that are not accepted."""
        return unfiled_entrants(self.reports)


def rated_reports(reports: Mapping[int, str]) -> set[int]:
    """Return which of the reports of a live list are rated."""
    return {number for number, text in reports.items() if not text.startswith((NOT_READY, REPLACED))}


def live_sources(
    connection: Connection,
    on_list: ListName,
    today: date,
    *,
    received: bool,
    before: Mapping[int, str],
    basis: str | None,
    changes: ChangesSince,
) -> tuple[LiveSources, ChangesSince]:
    """Return what a layer is made from now, and what changed for it.

    ``before`` and ``basis`` are those of the last time.
    Only reports that something happened to are selected again, unless everything is.
    """
    publications = lists.all_publications(connection, on_list)
    day = next_list_day(connection, on_list, newest(publications), today)
    official = newest([publication for publication in publications if publication.kind != BASE])
    used = system_of(on_list).lists_used(on_list)
    known = [publication.id for publication in lists.all_publications(connection) if publication.list in used]
    now = dump([str(day), official.id if official else 0, known, VERSION])
    if basis != now:
        changes = ChangesSince(everybody=True)
    among = None if changes.everybody else changes.reports
    draft = draft_sources(connection, on_list, day, publications, among)
    kept = {} if changes.everybody else {
        number: text.removeprefix(REPLACED) for number, text in before.items() if number not in changes.reports
    }  # fmt: skip
    accepted = {number for number, text in kept.items() if text == ON_FILE}
    accepted |= {filed.id for filed in draft.reports}
    reports = dict.fromkeys(accepted, ON_FILE)
    if received:
        waiting = {number: text for number, text in kept.items() if text != ON_FILE}
        waiting |= {left.report.id: NOT_READY for left in draft.left_out if left.reason == RECEIVED}
        reports = _with_received(connection, accepted, waiting, before, changes)
    return LiveSources(on_list, day, draft.base, official, draft.as_of, now, reports), changes


# ------------------------------------------------------------------------------------------------ received reports


def _with_received(
    connection: Connection,
    accepted: Iterable[int],
    waiting: Mapping[int, str],
    before: Mapping[int, str],
    changes: ChangesSince,
) -> dict[int, str]:
    """Return the accepted reports with the received ones that could be accepted, which replace earlier versions.

    A report is matched with the register again if an entrant may be another player now.
    """
    to_match = [number for number, text in waiting.items() if _may_differ(number, text, before, changes)]
    texts = {**waiting, **_matched(connection, to_match)}
    usable = rows.filed(connection, [number for number, text in texts.items() if text != NOT_READY])
    replaced = {
        number
        for earlier in rows.earlier_versions(connection, usable.values()).values()
        for number in earlier
    }
    reports = {**dict.fromkeys(accepted, ON_FILE), **texts}
    return {number: REPLACED + text if number in replaced else text for number, text in reports.items()}


def _may_differ(number: int, text: str, before: Mapping[int, str], changes: ChangesSince) -> bool:
    if number not in before or changes.everybody or changes.checks or number in changes.reports:
        return True
    if text == NOT_READY:
        return changes.newcomers
    return changes.newcomers and any(isinstance(entrant, str) for entrant in load(text))


def _matched(connection: Connection, numbers: list[int]) -> dict[int, str]:
    """Return the texts of received reports; a doubtful entrant is a stranger."""
    texts = dict.fromkeys(numbers, NOT_READY)
    if not numbers:
        return texts
    decided = decisions_in_force(connection)
    targets = merge_targets(connection)
    about = decisions_about(connection, numbers)
    to_check = {
        number: decided_report(connection, filed, decided)
        for number, filed in rows.filed(connection, numbers).items()
    }
    matches = {number: joined_matches(about.get(number, {}), {}, targets) for number in numbers}
    for number, checked in check_reports(connection, to_check, matches).items():
        errors = {finding.code for finding in checked.findings if finding.severity == Severity.ERROR}
        if errors - DOUBTS or to_check[number].report.header.first_day is None:
            continue
        texts[number] = dump(
            [
                match.entrant.federation if match.player is None or match.undecided else match.player
                for match in checked.matches
            ]
        )
    return texts


def unfiled_entrants(stored: Mapping[int, str]) -> UnfiledEntrants:
    """Return the entrants of reports that are not accepted, as they are stored with a live list."""
    players: dict[int, tuple[int, ...]] = {}
    strangers: dict[int, Person] = {}
    for number, text in stored.items():
        if not text.startswith("["):
            continue
        places = []
        for place, entrant in enumerate(load(text)):
            if isinstance(entrant, str):
                stranger = -(number * _PLACES + place + 1)
                strangers[stranger] = Person(stranger, f"#{place + 1}", entrant)
                places.append(stranger)
            else:
                places.append(entrant)
        players[number] = tuple(places)
    return UnfiledEntrants(players, strangers)


def reports_in(
    connection: Connection, numbers: AbstractSet[int], rated: set[int], unfiled: UnfiledEntrants
) -> set[int]:
    """Return the rated reports in which some numbers take part, also those that are not accepted yet."""
    waiting = unfiled.players.items()
    received = {report for report, entrants in waiting if not numbers.isdisjoint(entrants)}
    return received | rows.reports_with(connection, numbers) & rated


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
        reports = reports_in(connection, with_merged(concerned, merged), rated, unfiled)
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
