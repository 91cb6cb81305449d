"""Check reports: find out who is who, take the ratings in force, check; nothing is written.

``CheckedReport.rated`` rates a report on demand. Reports of the same event that are on file are found by their games
(``reports.duplicates``).
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.checks.arbiter_licences import check_licences
from arpad.checks.draughts import check_report as check_draughts_report
from arpad.checks.participants import check_members
from arpad.lists.inputs import select_rounds
from arpad.model import names
from arpad.model.canonical_json import load
from arpad.model.errors import BadInput
from arpad.model.names import all_spelled
from arpad.model.rules import Edition, Finding, ListName, Severity
from arpad.office.inbox.find_players import EntrantsFound, PlayerLookup, ReportToCheck, load_players
from arpad.office.inbox.match_players import Match, match_entrants, match_findings
from arpad.office.inbox.ratings_in_force import (
    RatingsInForce,
    load_ratings,
    with_memberships,
    with_ratings_in_force,
)
from arpad.office.lists.rows import ever_published
from arpad.office.parts import fide_numbers_in, registered_event, with_registration
from arpad.office.register.number_rows import hidden
from arpad.office.reports import rows
from arpad.office.reports.rows import Decision, Filed
from arpad.office.reports.stated_facts import decided_rounds, facts_to_check, list_of
from arpad.office.reports.tables import REGISTERED
from arpad.rating.preview import RatedEntrant, RatedReport, findings_only, rate
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.systems import system_named, system_of
from arpad.reports.duplicates import game_marks
from arpad.reports.event_facts import EventFacts, facts_document, facts_from
from arpad.reports.report import Report
from arpad.reports.stages import read_filed
from arpad.store.settings import OwnList, own_lists_of


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
        if system_of(self.on_list).rates_again:
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
    connection: Connection,
    report: Report,
    facts: EventFacts,
    matches: Mapping[int, int] | None = None,
    *,
    public: bool = False,
    left_off: bool = False,
) -> CheckedReport:
    """Check one report; ``matches`` maps start numbers to players, as an officer decided.

    A ``public`` check does not know the players who asked not to be shown. ``left_off`` is a report that an officer
    left off the list of FIDE.
    """
    left_out = hidden(connection) if public else frozenset()
    to_check = {0: ReportToCheck(report, facts)}
    return check_reports(
        connection, to_check, {0: matches or {}}, left_out, {0} if left_off else frozenset()
    )[0]


def check_reports(
    connection: Connection,
    reports: Mapping[int, ReportToCheck],
    matches: Mapping[int, Mapping[int, int]] | None = None,
    left_out: AbstractSet[int] = frozenset(),
    left_off: AbstractSet[int | None] = frozenset(),
) -> dict[int, CheckedReport]:
    """Check several reports with the same few queries; ``matches`` as above, by the key of the report.

    Players in ``left_out`` are not found, as if they were not in the register. Reports in ``left_off`` are those that
    an officer left off the list of FIDE.
    """
    if not reports:
        return {}
    decided = matches or {}
    lookup = load_players(connection, reports, decided, left_out)
    lists = {key: list_of(lookup.editions, it.report, it.facts) for key, it in reports.items()}
    first_days = {
        (on_list, day) for key, on_list in lists.items() if (day := reports[key].report.header.first_day)
    }
    ratings = load_ratings(connection, lookup, first_days)
    checked = {
        key: _check(lookup, ratings, item, lookup.found[key], lists[key], decided.get(key))
        for key, item in reports.items()
    }
    kept, own = {it.list for it in ever_published(connection)}, own_lists_of(connection).values()
    for key, it in checked.items():
        if it.on_list not in kept or key in left_off:
            checked[key] = _checked_for_own_lists(it, own)
    return {key: _with_starts(connection, reports[key].report, it) for key, it in checked.items()}


def _checked_for_own_lists(checked: CheckedReport, own: Iterable[OwnList]) -> CheckedReport:
    """Return a report that counts on lists of the office's own alone: FIDE's articles do not prevent its acceptance.

    Errors without an article are about the report itself, and its system may name others that count.
    """
    last = checked.listed.header.last_day or date.max
    counting = [
        it.name
        for it in own
        if it.since <= last
        and it.name.game == checked.on_list.game
        and it.name.times in ("", checked.on_list)
    ]
    if not counting:
        return checked
    errors = {code for name in counting for code in system_named(name.system).checks}
    findings = (
        replace(it, severity=Severity.WARNING)
        if it.severity == Severity.ERROR and it.article and it.code not in errors
        else it
        for it in checked.findings
    )
    return replace(checked, findings=tuple(findings))


def _with_starts(connection: Connection, report: Report, checked: CheckedReport) -> CheckedReport:
    """Add to a checked draughts report the players about whose capital the commission has to decide."""
    if not system_of(checked.on_list).rates_again:
        return checked
    from arpad.office.drafts.starting_capitals import undecided_starts  # a chess report needs nothing of it

    undecided = undecided_starts(connection, checked.on_list, report, checked.matches)
    return replace(checked, findings=(*checked.findings, *undecided))


def _check(
    lookup: PlayerLookup,
    ratings: RatingsInForce,
    item: ReportToCheck,
    found: EntrantsFound,
    on_list: ListName,
    decided: Mapping[int, int] | None,
) -> CheckedReport:
    """Check a report whose players were found, with the ratings in force."""
    report = item.report
    day = report.header.first_day
    matches = match_entrants(lookup, report, found, ratings.entries_on(on_list, day), decided)
    known = lookup.people.get
    marks = game_marks(
        report, all_spelled([(known(match.player or 0) or match.entrant).name for match in matches])
    )
    findings = match_findings(matches)
    by_season = system_of(on_list).rates_again
    reference = None if by_season else ratings.reference_on(on_list, day)
    in_report = fide_numbers_in(report, found, lookup) if reference else {}
    listed, facts = report, item.facts
    if not by_season:
        listed, facts, differences = with_ratings_in_force(lookup, ratings, item, on_list, matches, in_report)
        findings += differences
    facts = with_memberships(lookup, ratings, ReportToCheck(report, facts), matches)
    if by_season:
        # FIDE's titles mean nothing at draughts
        findings += (finding for finding in report.findings if finding.code != "title-unknown")
        findings += check_draughts_report(report)
        findings += check_members(report, facts, ratings.membership_rule(on_list, day))
    else:
        findings += reference.findings(report, in_report) if reference else ()
        about_arbiters, licensed = check_licences(report, lookup.arbiters)
        findings += about_arbiters
        if facts.licensed_arbiters is None and licensed is not None:
            facts = replace(facts, licensed_arbiters=licensed)
        findings += findings_only(listed, facts=facts, editions=lookup.editions, file=report)[1]
    guests = reference.guests(matches, lookup.merged_into) if reference else frozenset()
    return CheckedReport(on_list, matches, tuple(findings), marks, listed, facts, lookup.editions, guests)


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


def decided_report(
    connection: Connection, filed: Filed, decided: Sequence[Decision], report: Report | None = None
) -> ReportToCheck:
    """Read a report on file; of a long event only the rounds that were decided (4.13), which are all it plans.

    ``report`` is the report in its bytes, if it was read already.
    """
    report = report or read_filed(rows.data(connection, filed.id), filed.file)
    facts = facts_to_check(filed, decided)
    event = registered_event(connection, filed.event) if filed.event is not None else None
    if event is not None:  # it may have changed since the report came
        facts = with_registration(facts, event)
    if rounds := decided_rounds(filed, decided):
        report, facts = select_rounds(report, *rounds), facts.of_rounds(*rounds)
        header = replace(report.header, rounds=rounds[1], days_to_come=())
        report = replace(report, header=header)
    return ReportToCheck(report, facts)
