"""Some reports looked at together, in whatever process: read, matched and checked, nothing written.

What is found holds as long as nobody does anything in the office but accept reports; ``Seen.loose`` tells which
newcomers would change it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection

from arpad.lists.inputs import part_of
from arpad.lists.published import DRAUGHTS
from arpad.model.errors import ArpadError
from arpad.model.json_values import dump, from_finding
from arpad.model.rules import ListName, Severity
from arpad.office.check_report import Checked, check_on, known_facts, list_of
from arpad.office.decisions import decided_rounds
from arpad.office.incoming_files import read_file
from arpad.office.player_lookup import PlayerLookup, ReportToCheck, place_on_lists, roll_of
from arpad.office.report_versions import sent_again, taken_over
from arpad.office.stated_facts import decided_facts
from arpad.reports.event_facts import EventFacts, facts_document
from arpad.reports.report import Entrant, Report
from arpad.reports.stages import read_filed
from arpad.store import ledger
from arpad.store import reports as rows
from arpad.store.database import Store, open_store
from arpad.store.name_index import spelled
from arpad.store.reports import Filed
from arpad.system.batches import gc_paused
from arpad.system.workers import end_with_parent


class Sent(NamedTuple):
    """A file to be looked at: its bytes, or where they are."""

    file: str
    data: bytes | Path


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for all reports of a sending, or of an acceptance."""

    today: date
    facts: EventFacts = field(default_factory=EventFacts)
    event: int | None = None
    matches: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """By report on file: what an officer decided of doubtful entrants."""

    replaces: int | None = None
    """The report on file that each of them replaces."""


class Seen(NamedTuple):
    """What there is to say of a report, ready to be filed."""

    file: str
    data: bytes
    digest: str
    on_list: ListName
    name: str
    federation: str
    first_day: str
    last_day: str
    marks: bytes
    facts: str
    findings: tuple[str, ...]
    """Each as canonical JSON."""

    against: tuple[str, ...]
    """The codes of the errors."""

    event: int | None
    who: tuple[int | None, ...]
    newcomers: tuple[Entrant, ...]
    """In the order of the places without a player."""

    replaces: int | None
    """The report on file that it replaces."""

    loose: frozenset[str]
    """Names and numbers that the register does not know yet: a newcomer of that name or number changes everything."""


Outcome = Seen | int | ArpadError
"""What was seen; or the report on file that has the very same bytes; or why it cannot be read."""


class Examined(NamedTuple):
    """What was found, and the last act that was known by then."""

    act: int
    outcomes: tuple[Outcome, ...]


def examine_sent(connection: Connection, sent: Sequence[Sent], terms: Terms) -> Examined:
    """Look at files that were sent."""
    act = ledger.next_seq(connection) - 1
    outcomes: list[Outcome | None] = [None] * len(sent)
    read: dict[int, tuple[Report, bytes, str]] = {}
    for place, one in enumerate(sent):
        try:
            data = one.data if isinstance(one.data, bytes) else read_file(one.data)
            read[place] = read_filed(data, one.file), data, sha256(data).hexdigest()
        except ArpadError as error:
            outcomes[place] = error
    before = rows.by_digests(connection, [digest for _, _, digest in read.values()])
    on_file = rows.filed(connection, [*before.values(), *([terms.replaces] if terms.replaces else ())])
    asked: dict[int, tuple[ReportToCheck, int | None, int | None]] = {}
    days = {str(report.header.first_day) for report, _, _ in read.values()}
    registered = rows.registered_events(connection, None if terms.event else days)
    for place, (report, _, digest) in read.items():
        earlier = _earlier(connection, on_file, before.get(digest), terms)
        if digest in before and earlier is None:
            outcomes[place] = before[digest]
            continue
        given = taken_over(connection, earlier, terms.facts) if earlier else terms.facts
        same_day = [e for e in registered if terms.event or e["first_day"] == str(report.header.first_day)]
        try:
            facts, event = known_facts(same_day, report, given, terms.event, terms.today)
            asked[place] = ReportToCheck(report, facts), event, earlier.id if earlier else None
        except ArpadError as error:
            outcomes[place] = error
    found = _checked(connection, {place: one for place, (one, _, _) in asked.items()}, {})
    for place, (checked, roll) in found.items():
        mine, event, replaces = asked[place]
        _, data, digest = read[place]
        known = dump(facts_document(mine.facts))
        outcomes[place] = _seen(sent[place].file, data, digest, mine, checked, roll, known, event, replaces)
    return Examined(act, tuple(outcome for outcome in outcomes if outcome is not None))


def _earlier(
    connection: Connection, on_file: Mapping[int, Filed], same_bytes: int | None, terms: Terms
) -> Filed | None:
    """Return the report on file that a report replaces, if it does."""
    if same_bytes is None:
        return on_file[terms.replaces] if terms.replaces else None
    found = on_file[same_bytes]
    return found if sent_again(connection, found, terms.facts, "") else None


def examine_filed(connection: Connection, numbers: Sequence[int], terms: Terms) -> Examined:
    """Look again at reports on file, with what was decided since."""
    act = ledger.next_seq(connection) - 1
    filed = rows.filed(connection, numbers)
    decided = rows.standing_decisions(connection)
    asked: dict[int, ReportToCheck] = {}
    for number in numbers:
        report = read_filed(rows.data(connection, number), filed[number].file)
        facts = decided_facts(filed[number], decided)
        if rounds := decided_rounds(filed[number], decided):
            report, facts = part_of(report, *rounds), facts.of_rounds(*rounds)
        asked[number] = ReportToCheck(report, facts)
    found = _checked(connection, asked, terms.matches)
    outcomes = []
    for number, one in asked.items():
        checked, roll = found[number]
        mine = filed[number]
        outcomes.append(
            _seen(mine.file, b"", mine.digest, one, checked, roll, mine.facts, mine.event, mine.replaces)
        )
    return Examined(act, tuple(outcomes))


def _checked(
    connection: Connection, asked: Mapping[int, ReportToCheck], matches: Mapping[int, Mapping[int, int]]
) -> dict[int, tuple[Checked, PlayerLookup]]:
    decided = {player for by_number in matches.values() for player in by_number.values() if player}
    roll = roll_of(connection, asked.values(), decided)
    lists = {place: list_of(roll, one.report, one.facts) for place, one in asked.items()}
    days = {
        (on_list, day)
        for place, on_list in lists.items()
        if (day := asked[place].report.header.first_day) and on_list not in DRAUGHTS
    }
    place_on_lists(connection, roll, days)
    return {
        place: (check_on(roll, one.report, one.facts, lists[place], matches.get(place)), roll)
        for place, one in asked.items()
    }


def _seen(
    file: str,
    data: bytes,
    digest: str,
    one: ReportToCheck,
    checked: Checked,
    roll: PlayerLookup,
    facts: str,
    event: int | None,
    replaces: int | None,
) -> Seen:
    header = one.report.header
    unnumbered = roll.unnumbered(one)
    scheme = loose_number(checked.on_list)
    loose = {scheme + entrant.id for entrant in unnumbered if entrant.id}
    return Seen(
        file, data, digest, checked.on_list, header.name, header.federation, str(header.first_day or ""),
        str(header.last_day or header.first_day or ""), checked.marks, facts,
        tuple(dump(from_finding(finding)) for finding in checked.findings),
        tuple(finding.code for finding in checked.findings if finding.severity == Severity.ERROR),
        event,
        tuple(match.player for match in checked.matches),
        tuple(match.entrant for match in checked.matches if match.player is None),
        replaces,
        frozenset(loose | {spelled(entrant.name) for entrant in unnumbered}),
    )  # fmt: skip


def loose_number(on_list: ListName) -> str:
    """What stands before a number that the register does not know, to tell it from a name."""
    return "draughts#" if on_list in DRAUGHTS else "chess#"


# ----------------------------------------------------------------------------------------- in another process

Examine = Callable[[Connection, Sequence[Any], Terms], Examined]

_here: list[tuple[Store, Terms]] = []
"""In a worker: the office and the terms, once for all its tasks."""


def begin(place: str, terms: Terms) -> None:
    """Open the office in a process of its own, which ends with the one that began it."""
    end_with_parent()
    _here[:] = [(open_store(place), terms)]


def examine_here(look: Examine, some: Sequence[Any]) -> Examined:
    """Look at some reports in a process that has begun."""
    store, terms = _here[0]
    with store.reading() as connection, gc_paused():
        return look(connection, some, terms)
