"""A report against the register and the regulations: who is who, what the articles say, which games it holds.

Nothing is rated here; ``Checked.rated`` rates on demand. The same event in other bytes is recognised by its players and
results: every game leaves a mark, and a report that shares its marks with another is not accepted beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import blake2b
from typing import Any

from sqlalchemy import Connection

from arpad.checks.draughts import check_report
from arpad.lists.published import DRAUGHTS
from arpad.model import names
from arpad.model.errors import BadInput
from arpad.model.json_values import load
from arpad.model.rules import Edition, Fact, Finding, ListName, Severity
from arpad.office.match_players import Match, match
from arpad.office.match_players import findings as match_findings
from arpad.office.player_lookup import ListEntry, PlayerLookup, ReportToCheck, place_on_lists, roll_of
from arpad.rating.context import how_ratings_differ
from arpad.rating.preview import RatedReport, findings_only, listed_on, rate
from arpad.regulations.chess.rules import ChessRules
from arpad.reports.event_facts import NOTHING_KNOWN, EventFacts, KnownPlayer, facts_document, facts_from
from arpad.reports.report import PLAYED, Report
from arpad.store import reports as rows
from arpad.store.name_index import spelled
from arpad.store.reports import ACCEPTED, RECEIVED, Filed

MARK = 8
"""Bytes of the mark that a game leaves."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A report against the register and the regulations."""

    on_list: ListName
    matches: Sequence[Match]
    findings: tuple[Finding, ...]
    marks: bytes
    listed: Report
    """The report with the ratings in force instead of its own."""

    known: EventFacts
    editions: Sequence[Edition[ChessRules]]

    @property
    def rated(self) -> RatedReport | None:
        """What it would give; nothing for draughts, which are rated in the order of a year."""
        return (
            None if self.on_list in DRAUGHTS else rate(self.listed, facts=self.known, editions=self.editions)
        )


def check(
    connection: Connection, report: Report, facts: EventFacts, decided: Mapping[int, int] | None = None
) -> Checked:
    """Everything there is to say of one report, with the ratings in force on its first day."""
    roll = roll_of(
        connection, [ReportToCheck(report, facts)], [player for player in (decided or {}).values() if player]
    )
    on_list = list_of(roll, report, facts)
    if report.header.first_day and on_list not in DRAUGHTS:
        place_on_lists(connection, roll, [(on_list, report.header.first_day)])
    return check_on(roll, report, facts, on_list, decided)


def list_of(roll: PlayerLookup, report: Report, facts: EventFacts) -> ListName:
    """The list that a report is for: as an officer says, else by its time control."""
    return facts.list if facts.list in DRAUGHTS else listed_on(report, facts, roll.editions)


def check_on(
    roll: PlayerLookup,
    report: Report,
    facts: EventFacts,
    on_list: ListName,
    decided: Mapping[int, int] | None = None,
) -> Checked:
    """Everything there is to say of a report whose players are on the roll."""
    found = match(roll, report, facts.list or ListName.STANDARD, decided)
    marks = game_marks(report, [_spelled(roll, one) for one in found])
    if on_list in DRAUGHTS:
        # FIDE's titles mean nothing at draughts
        read = (finding for finding in report.findings if finding.code != "title-unknown")
        said = (*match_findings(found), *read, *check_report(report))
        return Checked(on_list, found, said, marks, report, facts, roll.editions)
    listed, known, differing = _with_ratings_in_force(roll, report, facts, on_list, found)
    _, findings = findings_only(listed, facts=known, editions=roll.editions, file=report)
    said = (*match_findings(found), *differing, *findings)
    return Checked(on_list, found, said, marks, listed, known, roll.editions)


def _with_ratings_in_force(
    roll: PlayerLookup, report: Report, facts: EventFacts, on_list: ListName, found: Sequence[Match]
) -> tuple[Report, EventFacts, list[Finding]]:
    """The report with the ratings in force instead of its own; where they differ, that is said."""
    day = report.header.first_day
    placed: Mapping[int, ListEntry] = roll.placed[on_list, day] if day else {}
    entrants, differing, known = [], [], dict(facts.players)
    changed = False
    for one in found:
        entrant = one.entrant
        player = None if one.player is None else roll.kept_instead(one.player)
        place = placed.get(player) if player is not None else None
        rating = place.rating if place is not None else None
        if rating != (entrant.rating or None) and not one.undecided:
            differing.append(_differs(one, rating))
        if rating != entrant.rating:
            entrant, changed = replace(entrant, rating=rating), True
        entrants.append(entrant)
        if place is not None and player is not None:
            person = roll.people[player]
            known.setdefault(
                str(entrant.number),
                KnownPlayer(
                    rating,
                    place.k,
                    place.games,
                    place.peak,
                    person.born,
                    bool(person.affiliation),
                    place.counted,
                    from_standard=place.from_standard,
                ),
            )
        if player is not None and (died := roll.people[player].died) is not None:
            number = str(entrant.number)
            known[number] = known.get(number, NOTHING_KNOWN)._replace(died=died)
    listed = replace(report, entrants=tuple(entrants)) if changed else report
    return listed, replace(facts, players=known, list=on_list), differing


def _differs(one: Match, rating: int | None) -> Finding:
    entrant = one.entrant
    about: dict[str, Fact] = {"name": entrant.name, "report": entrant.rating or 0, "listed": rating or 0}
    code = how_ratings_differ(entrant.rating, rating)
    return Finding(Severity.WARNING, code, line=entrant.line, player=entrant.number, facts=about)


def known_facts(
    registered: Sequence[Mapping[str, Any]], report: Report, given: EventFacts, event: int | None, today: date
) -> tuple[EventFacts, int | None]:
    """What the sender says, and what the office knows: when it was received, when the event was registered.

    ``registered`` are the tournaments that begin on its first day, or all where one of them is named.
    """
    facts = replace(given, received=given.received or today)
    found = None
    for one in registered:
        same_name = names.key(one["name"]) == names.key(report.header.name)
        if one["id"] == event or (event is None and same_name):
            found = one
    if event is not None and found is None:
        raise BadInput("no-event", event=event)
    if found is None:
        return facts, None
    merged = facts_from({**facts_document(facts_from(load(found["facts"]))), **facts_document(facts)})
    return replace(merged, registered=facts.registered or date.fromisoformat(found["registered"])), found[
        "id"
    ]


# ------------------------------------------------------------------------------------------- the same event


def _spelled(roll: PlayerLookup, one: Match) -> str:
    """An entrant by the register's spelling, else by his own."""
    known = roll.people.get(one.player) if one.player is not None else None
    return spelled(known.name if known is not None else one.entrant.name)


def game_marks(report: Report, keys: Sequence[str]) -> bytes:
    """A mark for every game played: who, against whom, with which result; neither round nor colour nor order."""
    numbers = [entrant.number for entrant in report.entrants]
    place_of = report.places.get
    times: dict[str, int] = {}
    marks = []
    for cells in report.rounds:
        for number, one, opponent, result in zip(numbers, keys, cells.opponents, cells.results, strict=True):
            if number >= opponent or result not in PLAYED:
                continue
            other = place_of(opponent)
            if other is None:
                continue
            two = keys[other]
            told = f"{one}|{two}|{result}" if one <= two else f"{two}|{one}|{_TURNED[result]}"
            turn = times[told] = times.get(told, 0) + 1
            marks.append(blake2b(f"{told}|{turn}".encode(), digest_size=MARK).digest())
    marks.sort()
    return b"".join(marks)


_TURNED = {"1": "0", "0": "1", "=": "="}


def split(marks: bytes) -> set[bytes]:
    """The marks one by one."""
    return {marks[start : start + MARK] for start in range(0, len(marks), MARK)}


def overlaps(
    connection: Connection,
    report: Report,
    marks: bytes,
    *,
    but: Collection[int | None] = (),
    only: str = "",
) -> list[Finding]:
    """Other reports on file that hold the same games."""
    near = near_reports(connection, report, marks)
    near = {number: whole for number, whole in near.items() if number not in but}
    return overlap_findings(rows.filed(connection, near), near, only=only)


def near_reports(connection: Connection, report: Report, marks: bytes) -> dict[int, bool]:
    """Return the reports on file that hold half of the games or more, each with whether it holds all of them."""
    first = report.header.first_day
    last = report.header.last_day or first
    mine = split(marks)
    if first is None or last is None or not mine:
        return {}
    near = {}
    for number, theirs in rows.overlapping(connection, first, last):
        other = split(theirs)
        if is_near(shared := len(mine & other), len(mine), len(other)):
            near[number] = shared == min(len(mine), len(other))
    return near


def is_near(shared: int, mine: int, theirs: int) -> bool:
    """Whether half of the smaller report's games stand in the other as well."""
    return shared > 0 and 2 * shared >= min(mine, theirs)


def overlap_findings(
    filed: Mapping[int, Filed], near: Mapping[int, bool], *, only: str = ""
) -> list[Finding]:
    """What is said of reports with the same games; ``near`` tells of each whether it holds all of them."""
    said = []
    for number, other in filed.items():
        if other.status not in ((only,) if only else (RECEIVED, ACCEPTED)):
            continue
        facts: dict[str, Fact] = {"report": number, "name": other.name, "file": other.file}
        said.append(
            Finding(Severity.ERROR, "event-on-file" if near[number] else "event-overlaps", facts=facts)
        )
    return said
