"""The sources of a live list: the next list's day, its base, and the reports accepted so far, or received too.

The reports of a live list are stored with it, each with a text about its entrants:

    (empty)       accepted: the entrants are on file
    [12,"ITA"]    received: the player of each entrant, or the federation of somebody who is not identified
    !             received, and not ready to be accepted
    =…            one of the above, and a received report replaces it
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection

from arpad.model.canonical_json import dump, load
from arpad.model.people import Person
from arpad.model.rules import ListName, Severity
from arpad.model.version import VERSION
from arpad.office.drafts.acts import draft_sources
from arpad.office.drafts.load_inputs import UnfiledEntrants
from arpad.office.drafts.procedures import next_list_day
from arpad.office.inbox.check_report import check_reports, decided_report
from arpad.office.inbox.entrant_decisions import joined_matches
from arpad.office.inbox.match_players import DOUBTS
from arpad.office.lists import rows as lists
from arpad.office.lists.as_of import AsOf
from arpad.office.lists.in_force import newest
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE
from arpad.office.live.rows import RECEIVED, Touched, rows_since, verbs_since
from arpad.office.register.merge_rows import merge_targets
from arpad.office.reports import rows
from arpad.office.reports.entrant_rows import decisions_about
from arpad.office.reports.rows import decisions_in_force
from arpad.regulations.systems import system_of

NO_LIST = frozenset(
    {
        "add-user", "appeal", "change-password", "change-user", "choose-mails", "choose-password", "issue-token",
        "record-norm", "record-norms", "revoke-norm", "revoke-two-people", "rotate-key", "second-factor",
        "sent-to-fide", "two-people", "withdraw-token", "invoice", "credit-invoice", "pay-invoice", "reopen-invoice",
        "player-data",
    }
)  # fmt: skip
"""Acts that no list depends on."""

BY_CHECK = frozenset(
    {
        "change-arbiter",
        "import-arbiters",
        "license-arbiter",
        "register-arbiter",
        "register-event",
        "change-event",
        "refuse-event",
        "cancel-event",
        "reinstate-event",
        "match",
    }
)
"""Acts that decide whether a received report can be accepted, and who its entrants are."""

BY_REPORT = frozenset({"submit", "join-stages", "accept", "return", "withdraw", "reinstate"})
"""Acts about a report."""

BY_DECISION = frozenset({"decide", "revoke", "settle"})
"""Acts about a report or a player."""

BY_PLAYER = frozenset(
    {
        "register-player", "change-player", "add-identifier", "remove-identifier", "transfer", "hide-player",
        "show-player",
    }
)  # fmt: skip
"""Acts that change what is known about one player."""

MOST_PLAYERS = 20_000
"""From this number of players on, computing the whole list is not slower."""


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


def changes_since(connection: Connection, act: int) -> ChangesSince:
    """Return what happened after an act; an act that is not known here touches everybody."""
    verbs = verbs_since(connection, act)
    if verbs - NO_LIST - BY_CHECK - BY_REPORT - BY_DECISION - BY_PLAYER:
        return ChangesSince(everybody=True)
    if not verbs - NO_LIST:
        return ChangesSince(everybody=False)
    touched: Touched = rows_since(connection, act)
    if touched.others or len(touched.players) > MOST_PLAYERS:
        return ChangesSince(everybody=True)
    return ChangesSince(
        everybody=False,
        players=frozenset(touched.players),
        reports=frozenset(touched.reports),
        checks=bool(verbs & (BY_CHECK | BY_PLAYER)),
        newcomers=touched.registered,
    )


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
