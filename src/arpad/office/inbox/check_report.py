"""Check reports against the register, the lists in force and the regulations; nothing is written.

``CheckedReport.rated`` rates a report on demand. Reports of the same event that are on file are found by their games
(``reports.duplicates``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.checks.arbiter_licences import check_licences
from arpad.checks.draughts import check_report as check_draughts_report
from arpad.checks.participants import check_members
from arpad.model import names
from arpad.model.canonical_json import load
from arpad.model.disciplines import discipline_of
from arpad.model.errors import BadInput
from arpad.model.names import all_spelled
from arpad.model.rules import Edition, Fact, Finding, ListName, Severity
from arpad.office.inbox.entrant_lookup import load_players
from arpad.office.inbox.match_players import Match, match_entrants, match_findings
from arpad.office.inbox.player_lookup import (
    EntrantsFound,
    PlayerLookup,
    ReportToCheck,
    load_list_entries,
    load_memberships,
)
from arpad.office.parts import fide_numbers_in, load_references, with_registration
from arpad.office.reports.stated_facts import list_of
from arpad.office.reports.tables import REGISTERED
from arpad.rating.context import how_ratings_differ
from arpad.rating.event import control_of
from arpad.rating.preview import RatedEntrant, RatedReport, findings_only, rate
from arpad.regulations.chess.rules import ChessRules
from arpad.reports.duplicates import game_marks
from arpad.reports.event_facts import NOTHING_KNOWN, EventFacts, facts_document, facts_from
from arpad.reports.report import Entrant, Report


@dataclass(frozen=True, slots=True)
class CheckedReport:
    """A report with its players found in the register and the findings of all checks."""

    on_list: ListName
    matches: Sequence[Match]
    findings: tuple[Finding, ...]
    marks: bytes
    """The marks of its games, by which another report of the same event is recognised."""

    listed: Report
    """The report with the ratings in force instead of its own."""

    facts: EventFacts
    """The facts of the event, with those of the register about its players."""

    editions: Sequence[Edition[ChessRules]]
    guests: frozenset[int] = frozenset()
    """The start numbers of players whom the list does not rate: they only count for their opponents."""

    @property
    def rated(self) -> RatedReport | None:
        """The rated report; None for draughts, which are rated in the order of a year."""
        if discipline_of(self.on_list).by_season:
            return None
        rated = rate(self.listed, facts=self.facts, editions=self.editions)
        players = tuple(
            _as_guest(player) if player.entrant.number in self.guests else player for player in rated.players
        )
        return replace(rated, players=players)


def _as_guest(player: RatedEntrant) -> RatedEntrant:
    """Return a player without a change: the list does not rate guests."""
    games = tuple(replace(game, change=None) for game in player.games)
    return replace(player, k=None, change=None, initial=None, games=games, steps=())


def check(
    connection: Connection, report: Report, facts: EventFacts, matches: Mapping[int, int] | None = None
) -> CheckedReport:
    """Check one report; ``matches`` maps start numbers to players, as an officer decided."""
    return check_reports(connection, {0: ReportToCheck(report, facts)}, {0: matches or {}})[0]


def check_reports(
    connection: Connection,
    reports: Mapping[int, ReportToCheck],
    matches: Mapping[int, Mapping[int, int]] | None = None,
) -> dict[int, CheckedReport]:
    """Check several reports with the same few queries; ``matches`` as above, by the key of the report."""
    matches = matches or {}
    lookup = load_players(connection, reports, matches)
    lists = {key: list_of(lookup.editions, *item) for key, item in reports.items()}
    first_days = {
        (on_list, day) for key, on_list in lists.items() if (day := reports[key].report.header.first_day)
    }
    days = {(on_list, day) for on_list, day in first_days if not discipline_of(on_list).by_season}
    load_list_entries(connection, lookup, days)
    load_memberships(connection, lookup, first_days)
    of_day = load_references(connection, lookup, reports.values(), days)
    checked = {
        key: _check(
            lookup, item, lookup.found[key], lists[key], matches.get(key),
            of_day.get((lists[key], item.report.header.first_day or date.min)),
        )
        for key, item in reports.items()
    }  # fmt: skip
    return {key: _with_starts(connection, reports[key].report, it) for key, it in checked.items()}


def _with_starts(connection: Connection, report: Report, checked: CheckedReport) -> CheckedReport:
    """Add to a checked draughts report the players about whose capital the commission has to decide."""
    if not discipline_of(checked.on_list).by_season:
        return checked
    from arpad.office.drafts.starting_capitals import undecided_starts  # a chess report needs nothing of it

    undecided = undecided_starts(connection, checked.on_list, report, checked.matches)
    return replace(checked, findings=(*checked.findings, *undecided))


def _check(
    lookup: PlayerLookup,
    item: ReportToCheck,
    found: EntrantsFound,
    on_list: ListName,
    decided: Mapping[int, int] | None,
    reference: Any,
) -> CheckedReport:
    """Check a report whose players were loaded."""
    report, facts = item
    day = report.header.first_day
    matches = match_entrants(lookup, report, found, lookup.entries_on(on_list, day), decided)
    marks = game_marks(report, _registered_names(lookup, matches))
    findings = match_findings(matches)
    listed = report
    if discipline_of(on_list).by_season:
        # FIDE's titles mean nothing at draughts
        findings += (finding for finding in report.findings if finding.code != "title-unknown")
        findings += check_draughts_report(report)
        facts = _with_memberships(lookup, report, facts, matches)
        findings += check_members(report, facts, lookup.membership_rule(on_list, day) if day else None)
    else:
        in_report = fide_numbers_in(report, found.meaning, lookup) if reference else {}
        listed, facts, differences = _with_ratings_in_force(
            lookup, report, facts, on_list, matches, reference, in_report
        )
        facts = _with_memberships(lookup, report, facts, matches)
        findings += differences
        findings += reference.findings(report, in_report) if reference else ()
        about_arbiters, licensed = check_licences(report, lookup.arbiters)
        findings += about_arbiters
        if facts.licensed_arbiters is None and licensed is not None:
            facts = replace(facts, licensed_arbiters=licensed)
        findings += findings_only(listed, facts=facts, editions=lookup.editions, file=report)[1]
    guests = reference.guests(matches, lookup.merged_into) if reference else frozenset()
    return CheckedReport(on_list, matches, tuple(findings), marks, listed, facts, lookup.editions, guests)


def _registered_names(lookup: PlayerLookup, matches: Sequence[Match]) -> list[str]:
    """Return the simplified names of the entrants: the register's, if the player is known."""
    known = lookup.people.get
    return all_spelled([(known(match.player or 0) or match.entrant).name for match in matches])


def _with_ratings_in_force(
    lookup: PlayerLookup,
    report: Report,
    facts: EventFacts,
    on_list: ListName,
    matches: Sequence[Match],
    reference: Any,
    in_report: Mapping[int, int],
) -> tuple[Report, EventFacts, list[Finding]]:
    """Replace the ratings of a report by those in force; also return the facts of its players and the differences.

    While its first day is unknown no list is in force, so its own ratings stay. ``in_report`` has its FIDE numbers.
    """
    day = report.header.first_day
    entries = lookup.entries[on_list, day] if day else {}
    entrants, differences, players = [], [], dict(facts.players)
    changed = False
    for match in matches:
        entrant = match.entrant
        player = None if match.player is None else lookup.merged_into.get(match.player, match.player)
        entry = entries.get(player) if player is not None else None
        rating = entry.rating if entry is not None else None
        if reference is not None:
            rating = reference.guest_rating(match, on_list, lookup.merged_into, in_report) or rating
        if day is None:
            rating = entrant.rating
        if rating != (entrant.rating or None) and not match.undecided:
            differences.append(rating_difference(entrant, rating))
        if rating != entrant.rating:
            entrant, changed = replace(entrant, rating=rating), True
        entrants.append(entrant)
        if player is None:
            continue
        person, number = lookup.people[player], str(entrant.number)
        if entry is not None and number not in players:
            players[number] = entry._replace(
                rating=rating, born=person.born, affiliated=bool(person.affiliation)
            )
        if person.died is not None:
            players[number] = players.get(number, NOTHING_KNOWN)._replace(died=person.died)
    listed = replace(report, entrants=tuple(entrants)) if changed else report
    undecided = facts.list is None and not control_of(report, facts).readable
    return listed, replace(facts, players=players, list=None if undecided else on_list), differences


def _with_memberships(
    lookup: PlayerLookup, report: Report, facts: EventFacts, matches: Sequence[Match]
) -> EventFacts:
    """Add to the facts who is a member on the first day, if the edition asks for it."""
    day = report.header.first_day
    known = lookup.memberships.get(day) if day else None
    if known is None:
        return facts
    players = dict(facts.players)
    for match in matches:
        entrant, player = match.entrant, match.player
        kept = None if player is None else lookup.merged_into.get(player, player)
        key = entrant.id if entrant.id in facts.players else str(entrant.number)
        players[key] = facts.player(entrant.number, entrant.id)._replace(
            member=kept in known.members, guest=known.is_guest(kept, entrant.federation)
        )
    return replace(facts, players=players)


def rating_difference(entrant: Entrant, rating: int | None) -> Finding:
    """Return the finding that the rating of an entrant is not the one in force."""
    facts: dict[str, Fact] = {"name": entrant.name, "report": entrant.rating or 0, "listed": rating or 0}
    code = how_ratings_differ(entrant.rating, rating)
    return Finding(Severity.WARNING, code, line=entrant.line, player=entrant.number, facts=facts)


def known_facts(
    registered: Sequence[Mapping[str, Any]],
    report: Report,
    sender_facts: EventFacts,
    event_id: int | None,
    today: date,
) -> tuple[EventFacts, int | None]:
    """Add to the sender's facts what the office knows: the day of arrival and the registered event, with its number.

    ``registered`` are the events that begin on the report's first day, or all of them if ``event_id`` names one.
    """
    facts = sender_facts if sender_facts.received else replace(sender_facts, received=today)
    events = [
        event
        for event in registered
        if event["id"] == event_id
        or (event_id is None and names.key(event["name"]) == names.key(report.header.name))
    ]
    if not events:
        if event_id is not None:
            raise BadInput("no-event", event=event_id)
        return facts, None
    event = max(events, key=lambda it: (it["state"] == REGISTERED, it["id"]))
    merged = facts_from({**facts_document(facts_from(load(event["facts"]))), **facts_document(facts)})
    return with_registration(merged, event), event["id"]


def event_days(report: Report) -> tuple[str, str]:
    """Return the first and the last day of a report as text, empty if unknown."""
    header = report.header
    return str(header.first_day or ""), str(header.last_day or header.first_day or "")
