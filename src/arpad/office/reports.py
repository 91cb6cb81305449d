"""Reports in: checked at once, filed with their bytes, then accepted, returned or withdrawn.

The same file twice changes nothing. The same event in other bytes is recognised by its players and results: every game
leaves a mark, and a report that shares its marks with another is not accepted beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import blake2b, sha256

from anyascii import anyascii
from sqlalchemy import Connection

from arpad import names
from arpad.draughts.check import check_report
from arpad.errors import BadInput
from arpad.facts import EventFacts, KnownPlayer
from arpad.formats import read_report
from arpad.model import Fact, Finding, ListName, Severity
from arpad.office.decisions import decided_facts, decided_rounds
from arpad.office.desk import Acting, Office, acting
from arpad.office.event_facts import facts_document, facts_from
from arpad.office.in_force import ratings_on, standings_on
from arpad.office.inputs import part_of
from arpad.office.matching import Match, match, scheme_of
from arpad.office.matching import findings as match_findings
from arpad.published import DRAUGHTS
from arpad.rate import RatedReport, rate
from arpad.report import PLAYED, Report
from arpad.store import register
from arpad.store import reports as rows
from arpad.store.register import Person
from arpad.store.reports import ACCEPTED, RECEIVED, RETURNED, SUPERSEDED, WITHDRAWN, Filed
from arpad.store.schema import players
from arpad.store.values import dump, from_finding, load, to_finding

_MARK = 8
_FEW = 3


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
    with acting(office, "register-event", reason) as doing:
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
) -> Submitted:
    """File a report and check it; nothing is rated before it is accepted."""
    report = read_report(data, file)
    digest = sha256(data).hexdigest()
    with acting(office, "submit", reason) as doing:
        before = rows.by_digest(doing.connection, digest)
        if before is not None:
            found = rows.filed(doing.connection, [before])[before]
            findings = tuple(to_finding(entry) for entry in load(found.findings))
            return Submitted(before, found.status, found.list, findings, again=True)
        if replaces is not None:
            on_file(doing.connection, replaces)
        known, event = _known_facts(doing, report, facts or EventFacts(), event)
        checked = check(doing.connection, report, known)
        overlap = _overlaps(doing.connection, report, checked.marks, replaces)
        findings = (*overlap, *checked.findings)
        number = rows.add_report(
            doing.connection,
            {
                "digest": digest, "data": data, "file": file, "received": str(doing.today),
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
    with acting(office, "accept", reason, reason_needed=bool(overruled)) as doing:
        connection = doing.connection
        filed = on_file(connection, report)
        _refuse_unless(filed, RECEIVED)
        for player in {player for player in (matches or {}).values() if player}:
            if player not in register.people(connection, [player]):
                raise BadInput("no-player", player=player)
        read = read_report(rows.data(connection, report), filed.file)
        decided = rows.standing_decisions(connection)
        if rounds := decided_rounds(filed, decided):
            read = part_of(read, *rounds)
        facts = decided_facts(filed, decided)
        checked = check(connection, read, facts, matches)
        against = [
            *_overlaps(connection, read, checked.marks, filed.replaces, only=ACCEPTED, but=report),
            *(finding for finding in checked.findings if finding.severity == Severity.ERROR),
        ]
        codes = sorted({finding.code for finding in against} - overruled)
        if codes:
            raise BadInput("report-has-errors", report=report, codes=", ".join(codes))
        if not filed.first_day:
            raise BadInput("report-has-errors", report=report, codes="no-first-day")
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


def reports_on_file(office: Office, *, status: str = "", on_list: ListName | None = None) -> list[Filed]:
    """Reports on file, perhaps of one status or one list."""
    with office.store.reading() as connection:
        found = rows.filed(connection).values()
    return [f for f in found if (not status or f.status == status) and (on_list is None or f.list == on_list)]


# --------------------------------------------------------------------------------------------------- checking


@dataclass(frozen=True, slots=True)
class Checked:
    """A report against the register and the regulations."""

    on_list: ListName
    matches: Sequence[Match]
    findings: tuple[Finding, ...]
    marks: bytes
    rated: RatedReport | None = None


def check(
    connection: Connection,
    report: Report,
    facts: EventFacts,
    decided: Mapping[int, int] | None = None,
) -> Checked:
    """Everything there is to say of a report, with the ratings in force on its first day."""
    if facts.list in DRAUGHTS:
        on_list = ListName(facts.list)
        found = match(connection, report, on_list, decided)
        said = (*match_findings(found), *report.findings, *check_report(report))
        return Checked(on_list, found, said, game_marks(report, _names(connection, found)))
    found = match(connection, report, facts.list or ListName.STANDARD, decided)
    on_list = rate(report, facts=facts).on_list
    rated, differing = _rated(connection, report, facts, on_list, found)
    said = (*match_findings(found), *differing, *rated.findings)
    return Checked(on_list, found, said, game_marks(report, _names(connection, found)), rated)


def _rated(
    connection: Connection, report: Report, facts: EventFacts, on_list: ListName, found: Sequence[Match]
) -> tuple[RatedReport, list[Finding]]:
    """The report with the ratings in force instead of its own; where they differ, that is said."""
    day = report.header.first_day
    kept = register.merged(connection)
    who = [None if one.player is None else kept.get(one.player, one.player) for one in found]
    ratings = ratings_on(connection, on_list, day, who) if day else {}
    standings = standings_on(connection, on_list, day, who) if day else {}
    people = register.people(connection, [player for player in who if player is not None])
    entrants, differing, known = [], [], dict(facts.players)
    for player, entrant in zip(who, report.entrants, strict=True):
        rating = ratings.get(player) if player is not None else None
        if rating != (entrant.rating or None):
            about: dict[str, Fact] = {
                "name": entrant.name,
                "report": entrant.rating or 0,
                "listed": rating or 0,
            }
            differing.append(
                Finding(
                    Severity.WARNING, "rating-differs", line=entrant.line, player=entrant.number, facts=about
                )
            )
        entrants.append(replace(entrant, rating=rating))
        standing = standings.get(player) if player is not None else None
        if standing is not None and player is not None:
            person = people[player]
            known.setdefault(
                str(entrant.number),
                KnownPlayer(
                    k=standing.k, games=standing.games, peak=standing.peak, born=person.born,
                    affiliated=bool(person.affiliation), counted_before=bool(standing.tranches),
                ),
            )  # fmt: skip
    listed = replace(report, entrants=tuple(entrants))
    return rate(listed, facts=replace(facts, players=known, list=on_list)), differing


def _known_facts(
    doing: Acting, report: Report, given: EventFacts, event: int | None
) -> tuple[EventFacts, int | None]:
    """What the sender says, and what the office knows: when it was received, when the event was registered."""
    facts = replace(given, received=given.received or doing.today)
    found = None
    for registered in rows.registered_events(
        doing.connection, None if event else str(report.header.first_day)
    ):
        same_name = names.key(registered["name"]) == names.key(report.header.name)
        if registered["id"] == event or (event is None and same_name):
            found = registered
    if event is not None and found is None:
        raise BadInput("no-event", event=event)
    if found is None:
        return facts, None
    registered_facts = facts_document(facts_from(load(found["facts"])))
    merged = facts_from({**registered_facts, **facts_document(facts)})
    return replace(merged, registered=facts.registered or date.fromisoformat(found["registered"])), found[
        "id"
    ]


# ------------------------------------------------------------------------------------------- the same event


def _names(connection: Connection, found: Sequence[Match]) -> list[str]:
    """Each entrant by the register's spelling, else by his own."""
    people = register.people(connection, [one.player for one in found if one.player is not None])
    return [people[one.player].name if one.player in people else one.entrant.name for one in found]


def game_marks(report: Report, spelled: Sequence[str]) -> bytes:
    """A mark for every game played: who, against whom, with which result; neither round nor colour nor order."""
    keys = [names.key(anyascii(name)) for name in spelled]
    times: Counter[str] = Counter()
    marks = []
    for place, entrant in enumerate(report.entrants):
        for game in report.games(place):
            other = report.places.get(game.opponent)
            if other is None or game.result not in PLAYED or entrant.number >= game.opponent:
                continue
            one, two = sorted((keys[place], keys[other]))
            result = game.result if keys[place] == one else {"1": "0", "0": "1"}.get(game.result, "=")
            told = f"{one}|{two}|{result}"
            times[told] += 1
            marks.append(blake2b(f"{told}|{times[told]}".encode(), digest_size=_MARK).digest())
    return b"".join(sorted(marks))


def _overlaps(
    connection: Connection,
    report: Report,
    marks: bytes,
    replaces: int | None,
    *,
    only: str = "",
    but: int | None = None,
) -> list[Finding]:
    """Other reports on file that hold the same games."""
    first = report.header.first_day
    last = report.header.last_day or first
    if first is None or last is None:
        return []
    mine = _split(marks)
    shared = {
        number: len(mine & _split(theirs)) / max(1, min(len(mine), len(_split(theirs))))
        for number, theirs in rows.overlapping(connection, first, last)
        if number not in (replaces, but)
    }
    near = {number: share for number, share in shared.items() if share * 2 >= 1 and mine}
    said = []
    for number, filed in rows.filed(connection, near).items():
        if filed.status not in ((only,) if only else (RECEIVED, ACCEPTED)):
            continue
        code = "event-on-file" if near[number] == 1 else "event-overlaps"
        facts: dict[str, Fact] = {"report": number, "name": filed.name, "file": filed.file}
        said.append(Finding(Severity.ERROR, code, facts=facts))
    return said


def _split(marks: bytes) -> set[bytes]:
    return {marks[start : start + _MARK] for start in range(0, len(marks), _MARK)}


# -------------------------------------------------------------------------------------------------- accepting


def _settled(doing: Acting, checked: Checked) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Everybody's number; who is new to the register gets the next one."""
    undecided = [one for one in checked.matches if one.player is None]
    first = register.next_id(doing.connection, players)
    newcomers = [_newcomer(one, number, checked.on_list) for number, one in enumerate(undecided, start=first)]
    register.add_people(doing.connection, newcomers, doing.seq)
    numbers = iter(person.id for person in newcomers)
    who = tuple(one.player if one.player is not None else next(numbers) for one in checked.matches)
    return who, tuple(person.id for person in newcomers)


def _newcomer(one: Match, number: int, on_list: ListName) -> Person:
    entrant = one.entrant
    title = {"title": "" if on_list in DRAUGHTS or entrant.title.startswith("W") else entrant.title}
    title["women_title"] = entrant.title if entrant.title.startswith("W") else ""
    sex = {"m": "M", "w": "F"}.get(entrant.sex, "")
    known = ((scheme_of(on_list), entrant.id),) if entrant.id else ()
    return Person(
        number,
        entrant.name or f"#{number}",
        entrant.federation,
        sex,
        entrant.born,
        **title,
        identifiers=known,
    )


def _supersede(doing: Acting, filed: Filed) -> int | None:
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
    with acting(office, verb, reason, reason_needed=True) as doing:
        _refuse_unless(on_file(doing.connection, report), *allowed)
        rows.add_status(doing.connection, report, status, doing.seq)
        doing.record(report=report)


def on_file(connection: Connection, report: int) -> Filed:
    """A report on file, or a sentence that there is none."""
    found = rows.filed(connection, [report]).get(report)
    if found is None:
        raise BadInput("no-report", report=report)
    return found


def _refuse_unless(filed: Filed, *allowed: str) -> None:
    if filed.status not in allowed:
        raise BadInput("report-status", report=filed.id, status=filed.status, accepted=", ".join(allowed))
