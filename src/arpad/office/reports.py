"""Reports in: checked at once, filed with their bytes, then accepted, returned or withdrawn.

The same file twice changes nothing; the same event in other bytes is recognised (``checking``). Thousands of reports at
once go the way of ``bulk``, with the same result.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from hashlib import sha256

from sqlalchemy import Connection

from arpad.lists.inputs import part_of
from arpad.lists.published import DRAUGHTS
from arpad.model.errors import BadInput
from arpad.model.json_values import dump, from_finding, load, to_finding
from arpad.model.people import Person
from arpad.model.rules import Finding, ListName, Severity
from arpad.office.check_report import Checked, check, known_facts, near_reports, overlap_findings, overlaps
from arpad.office.decisions import decided_rounds
from arpad.office.match_players import NEW
from arpad.office.office import ActContext, Office, record_act, signed_by
from arpad.office.player_lookup import schemes_of
from arpad.office.report_versions import PUT_ASIDE, earlier_version, sent_again, taken_over
from arpad.office.stated_facts import decided_facts
from arpad.reports.event_facts import EventFacts, facts_document
from arpad.reports.report import Entrant, Report
from arpad.reports.stages import read_filed
from arpad.store import register
from arpad.store import reports as rows
from arpad.store.bulk import next_id
from arpad.store.reports import ACCEPTED, RECEIVED, RETURNED, SUPERSEDED, WITHDRAWN, Filed
from arpad.store.schema import players

__all__ = [
    "Accepted", "Submitted", "accept", "check", "file_report", "newcomer", "on_file", "refuse_unless",
    "register_event", "reinstate", "reports_on_file",
    "return_", "submit", "withdraw",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Submitted:
    """A report on file, and what the checks had to say."""

    report: int
    status: str
    list: ListName
    findings: tuple[Finding, ...]
    again: bool = False
    """The same bytes were on file already: nothing was done."""

    @property
    def errors(self) -> tuple[Finding, ...]:
        """What stands against accepting it."""
        return tuple(finding for finding in self.findings if finding.severity == Severity.ERROR)


@dataclass(frozen=True, slots=True)
class Accepted:
    """A report accepted: who played, and who is new to the register."""

    report: int
    players: tuple[int, ...]
    newcomers: tuple[int, ...]
    superseded: int | None = None


def register_event(
    office: Office,
    name: str,
    *,
    first_day: date,
    last_day: date,
    city: str = "",
    federation: str = "",
    facts: EventFacts | None = None,
    reason: str = "",
) -> int:
    """Enter a tournament before it starts (0.2); reports of that name and first day are found to be of it."""
    if last_day < first_day:
        raise BadInput("event-days", first=first_day, last=last_day)
    with record_act(office, "register-event", reason) as doing:
        row = {
            "name": name.strip(), "city": city, "federation": federation, "first_day": str(first_day),
            "last_day": str(last_day), "registered": str(doing.today),
            "facts": dump(facts_document(facts or EventFacts())), "act": doing.seq,
        }  # fmt: skip
        number = rows.add_event(doing.connection, row)
        doing.record(event=number, name=row["name"], first_day=row["first_day"], last_day=row["last_day"])
    return number


def submit(
    office: Office,
    data: bytes,
    file: str,
    *,
    facts: EventFacts | None = None,
    event: int | None = None,
    replaces: int | None = None,
    reason: str = "",
    among_own: bool = False,
) -> Submitted:
    """File a report and check it; nothing is rated before it is accepted.

    With ``among_own``, it is taken for a new version only of what its sender sent themselves.
    """
    report = read_filed(data, file)
    with record_act(office, "submit", reason) as doing:
        only_of = signed_by(office) if among_own else ""
        return file_report(doing, report, data, file, facts, event, replaces, only_of=only_of)


def file_report(
    doing: ActContext,
    report: Report,
    data: bytes,
    file: str,
    facts: EventFacts | None = None,
    event: int | None = None,
    replaces: int | None = None,
    *,
    only_of: str = "",
) -> Submitted:
    """File a report that was read and check it, as part of an act."""
    digest = sha256(data).hexdigest()
    connection, given = doing.connection, facts or EventFacts()
    before = rows.by_digest(connection, digest)
    if before is not None:
        found = rows.filed(connection, [before])[before]
        named = replaces == before and found.status in PUT_ASIDE
        if not named and not sent_again(connection, found, given, only_of):
            findings = tuple(to_finding(entry) for entry in load(found.findings))
            return Submitted(before, found.status, found.list, findings, again=True)
        replaces = before
    known, event, checked = _looked_at(doing, report, given, event, replaces)
    near = near_reports(connection, report, checked.marks)
    filed = rows.filed(connection, near)
    if replaces is None and (earlier := earlier_version(connection, filed.values(), only_of)):
        replaces = earlier.id
        known, event, checked = _looked_at(doing, report, given, event, replaces)
    near.pop(replaces or 0, None)
    overlap = overlap_findings({number: filed[number] for number in near}, near)
    findings = (*overlap, *checked.findings)
    number = rows.add_report(
        connection,
        {
            "digest": rows.filing_key(connection, digest), "data": data, "file": file,
            "received": str(doing.today),
            "list": str(checked.on_list), "name": report.header.name,
            "federation": report.header.federation, "first_day": str(report.header.first_day or ""),
            "last_day": str(report.header.last_day or report.header.first_day or ""),
            "games": checked.marks, "facts": dump(facts_document(known)),
            "findings": dump([from_finding(finding) for finding in findings]),
            "event": event, "replaces": replaces, "act": doing.seq,
        },
    )  # fmt: skip
    doing.record(report=number, sha256=digest, file=file, list=str(checked.on_list))
    if replaces is not None:
        doing.record(replaces=replaces)
    return Submitted(number, RECEIVED, checked.on_list, findings)


def _looked_at(
    doing: ActContext, report: Report, given: EventFacts, event: int | None, replaces: int | None
) -> tuple[EventFacts, int | None, Checked]:
    """Return what is known of a report that came in, the registered event it belongs to, and what the checks say."""
    if replaces is not None:
        given = taken_over(doing.connection, on_file(doing.connection, replaces), given)
    days = None if event else [str(report.header.first_day)]
    registered = rows.registered_events(doing.connection, days)
    known, event = known_facts(registered, report, given, event, doing.today)
    return known, event, check(doing.connection, report, known)


def accept(
    office: Office,
    report: int,
    *,
    matches: Mapping[int, int] | None = None,
    overrule: Iterable[str] = (),
    reason: str = "",
) -> Accepted:
    """Take a report into the next list: who played is settled, newcomers get their numbers.

    ``matches`` decides doubtful entrants by start number: a player's number, or ``NEW``. ``overrule`` names the codes
    of errors that the officer sets aside, which needs a reason.
    """
    overruled = frozenset(overrule)
    with record_act(office, "accept", reason, reason_needed=bool(overruled)) as doing:
        connection = doing.connection
        filed = on_file(connection, report)
        refuse_unless(filed, RECEIVED)
        read = read_filed(rows.data(connection, report), filed.file)
        decided = rows.standing_decisions(connection)
        facts = decided_facts(filed, decided)
        if rounds := decided_rounds(filed, decided):
            read, facts = part_of(read, *rounds), facts.of_rounds(*rounds)
        _refuse_slips(connection, report, read, matches or {})
        checked = check(connection, read, facts, matches)
        overlap = overlaps(connection, read, checked.marks, but=(filed.replaces, report), only=ACCEPTED)
        _refuse_what_stands(filed, checked, overlap, overruled)
        who, newcomers = _settled(doing, checked)
        rows.add_entrants(connection, report, who, doing.seq)
        rows.add_status(connection, report, ACCEPTED, doing.seq)
        superseded = _supersede(doing, filed)
        doing.record(report=report, players=len(who), newcomers=list(newcomers))
        if matches:
            doing.record(matches={str(number): player for number, player in sorted(matches.items())})
        if overruled:
            doing.record(overruled=sorted(overruled))
    return Accepted(report, who, newcomers, superseded)


def return_(office: Office, report: int, reason: str) -> None:
    """Send a report back to whoever sent it."""
    _set_status(office, "return", report, RETURNED, reason, (RECEIVED,))


def withdraw(office: Office, report: int, reason: str) -> None:
    """Take a report out; lists that rated it change only by a revision."""
    _set_status(office, "withdraw", report, WITHDRAWN, reason, (RECEIVED, RETURNED, ACCEPTED))


def reinstate(office: Office, report: int, reason: str) -> str:
    """Undo the withdrawal of a report, or its replacement: it is again what it was before; returns its status.

    Lists that were revised without it take it back only with ``revise`` and its number, or the next list does.
    """
    with record_act(office, "reinstate", reason, reason_needed=True) as doing:
        connection = doing.connection
        filed = on_file(connection, report)
        refuse_unless(filed, WITHDRAWN, SUPERSEDED)
        statuses = [status for status, _ in rows.history(connection, report)]
        before = [status for status in statuses if status not in (WITHDRAWN, SUPERSEDED)][-1]
        read = read_filed(rows.data(connection, report), filed.file)
        marks = rows.marks(connection, report)
        if overlap := overlaps(connection, read, marks, but=(report,)):
            held = ", ".join(str(finding.facts["report"]) for finding in overlap)
            raise BadInput("reinstate-held", report=report, others=held)
        rows.add_status(connection, report, before, doing.seq)
        doing.record(report=report, status=before)
    return before


def reports_on_file(office: Office, *, status: str = "", on_list: ListName | None = None) -> list[Filed]:
    """Reports on file, perhaps of one status or one list."""
    with office.store.reading() as connection:
        found = rows.filed(connection).values()
    return [f for f in found if (not status or f.status == status) and (on_list is None or f.list == on_list)]


# -------------------------------------------------------------------------------------------------- accepting


def _refuse_slips(connection: Connection, report: int, read: Report, matches: Mapping[int, int]) -> None:
    """Whoever is said to be somebody is in the report, and that somebody in the register."""
    named = {player for player in matches.values() if player != NEW}
    if unknown := named - register.load_people(connection, named).keys():
        raise BadInput("no-player", player=min(unknown))
    if nobody := matches.keys() - read.places.keys():
        raise BadInput("match-nobody", number=min(nobody), report=report)


def _refuse_what_stands(
    filed: Filed, checked: Checked, overlap: Iterable[Finding], overruled: frozenset[str]
) -> None:
    """Errors that nobody has set aside; who somebody is cannot be, and neither can a missing day."""
    against = [*overlap, *(finding for finding in checked.findings if finding.severity == Severity.ERROR)]
    if codes := sorted({finding.code for finding in against} - overruled):
        raise BadInput("report-has-errors", report=filed.id, codes=", ".join(codes))
    if doubtful := [one.entrant.number for one in checked.matches if one.undecided]:
        raise BadInput("who-not-overruled", report=filed.id, numbers=", ".join(map(str, doubtful)))
    if not filed.first_day:
        raise BadInput("report-has-errors", report=filed.id, codes="no-first-day")


def _settled(doing: ActContext, checked: Checked) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Everybody's number; who is new to the register gets the next one."""
    undecided = [one for one in checked.matches if one.player is None]
    first = next_id(doing.connection, players)
    newcomers = [
        newcomer(one.entrant, number, checked.on_list) for number, one in enumerate(undecided, start=first)
    ]
    register.add_people(doing.connection, newcomers, doing.seq)
    numbers = iter(person.id for person in newcomers)
    who = tuple(one.player if one.player is not None else next(numbers) for one in checked.matches)
    return who, tuple(person.id for person in newcomers)


def newcomer(entrant: Entrant, number: int, on_list: ListName) -> Person:
    """Who is new to the register, as his first report tells."""
    women = entrant.title.startswith("W")
    sex = {"m": "M", "w": "F"}.get(entrant.sex, "")
    known = ((schemes_of(on_list)[0], entrant.id),) if entrant.id else ()
    return Person(
        number,
        entrant.name or f"#{number}",
        entrant.federation,
        sex,
        entrant.born,
        title="" if on_list in DRAUGHTS or women else entrant.title,
        women_title=entrant.title if women else "",
        identifiers=known,
    )


def _supersede(doing: ActContext, filed: Filed) -> int | None:
    """A corrected report takes the place of the earlier one."""
    if filed.replaces is None:
        return None
    before = on_file(doing.connection, filed.replaces)
    if before.status in (RECEIVED, ACCEPTED, RETURNED):
        rows.add_status(doing.connection, before.id, SUPERSEDED, doing.seq)
        doing.record(superseded=before.id)
    return before.id


def _set_status(
    office: Office, verb: str, report: int, status: str, reason: str, allowed: tuple[str, ...]
) -> None:
    with record_act(office, verb, reason, reason_needed=True) as doing:
        refuse_unless(on_file(doing.connection, report), *allowed)
        rows.add_status(doing.connection, report, status, doing.seq)
        doing.record(report=report)


def on_file(connection: Connection, report: int) -> Filed:
    """A report on file, or a sentence that there is none."""
    found = rows.filed(connection, [report]).get(report)
    if found is None:
        raise BadInput("no-report", report=report)
    return found


def refuse_unless(filed: Filed, *allowed: str) -> None:
    """Refuse what can only be done with a report of certain statuses."""
    if filed.status not in allowed:
        raise BadInput("report-status", report=filed.id, status=filed.status, accepted=allowed)
