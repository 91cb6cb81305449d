"""Check many reports in columns: nearly all entrants are as registered, and only the others become objects.

A report takes this way if it is of a table, on a chess list, and nothing special is known about it: no decision about
an entrant, no fact about a player, no reference list, no membership to check. All other reports are checked by
``matched_entrants.check_entrants``; the findings are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from sqlalchemy import Connection

from arpad.checks.arbiter_licences import check_licences
from arpad.checks.file_columns import check_files
from arpad.model.disciplines import discipline_of
from arpad.model.names import all_spelled
from arpad.model.rules import Finding, ListName
from arpad.office.check_report import list_of, rating_difference
from arpad.office.editions import editions_here
from arpad.office.match_players import Match, match_findings, match_uncertain
from arpad.office.matched_entrants import CheckedEntrants, matched_entrants
from arpad.office.player_lookup import (
    ColumnsFound,
    PlayerLookup,
    ReportToCheck,
    load_list_entries,
    load_players,
)
from arpad.office.reference_checks import has_references
from arpad.rating.event import control_of
from arpad.rating.preview import findings_of_field
from arpad.reports.duplicates import game_marks
from arpad.reports.event_facts import NOTHING_KNOWN, EventFacts, KnownPlayer
from arpad.reports.report_table import TableReport


def check_columns(
    connection: Connection,
    reports: Mapping[int, ReportToCheck],
    matches: Mapping[int, Mapping[int, int]],
) -> dict[int, CheckedEntrants]:
    """Check those of some reports that can be checked in columns; ``matches`` as for ``check_reports``."""
    editions = editions_here(connection)
    plain = {} if has_references(connection) else _plain_reports(reports, matches)
    lists = {key: list_of(editions, *reports[key]) for key in plain}
    return _check_columns(connection, {key: reports[key] for key in plain}, plain, lists)


def _plain_reports(
    reports: Mapping[int, ReportToCheck], matches: Mapping[int, Mapping[int, int]]
) -> dict[int, TableReport]:
    """Return the reports of tables about which nothing special is known."""
    return {
        key: report
        for key, (report, facts) in reports.items()
        if isinstance(report, TableReport)
        and not matches.get(key)
        and not facts.players
        and (facts.list is None or discipline_of(facts.list).by_time_control)
        and report.header.first_day is not None
        and (facts.list is not None or control_of(report, facts).readable)
    }


class _Case(NamedTuple):
    """A report that is checked in columns."""

    report: TableReport
    facts: EventFacts
    on_list: ListName
    day: date
    entrants: ColumnsFound
    contradictions: tuple[Finding, ...]


def _check_columns(
    connection: Connection,
    items: Mapping[int, ReportToCheck],
    reports: Mapping[int, TableReport],
    lists: Mapping[int, ListName],
) -> dict[int, CheckedEntrants]:
    """Check reports in columns; those that need more are left out."""
    if not items:
        return {}
    lookup = load_players(connection, items, in_columns=items)
    days = {(lists[key], day) for key, report in reports.items() if (day := report.header.first_day)}
    load_list_entries(connection, lookup, days)
    required = {pair for pair in days if lookup.membership_rule(*pair)}
    files = dict(zip(reports, check_files(list(reports.values())), strict=True))
    facts_on = _FactsOnLists()
    checked: dict[int, CheckedEntrants] = {}
    for key, entrants in lookup.in_columns.items():
        report, on_list = reports[key], lists[key]
        day = report.header.first_day
        if day is None or (on_list, day) in required:
            continue
        facts = facts_on.of(items[key].facts, on_list)
        part = _check(lookup, _Case(report, facts, on_list, day, entrants, files[key]))
        if part is not None:
            checked[key] = part
    return checked


class _FactsOnLists:
    """The facts of events with the list on which they count; nearly all events of a batch have the same facts."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, ListName], tuple[EventFacts, EventFacts]] = {}

    def of(self, facts: EventFacts, on_list: ListName) -> EventFacts:
        """Return the facts of an event on a list."""
        key = id(facts), on_list
        if key not in self._kept:
            # the facts themselves are kept too, so that no others get their identity
            self._kept[key] = facts, replace(facts, list=on_list)
        return self._kept[key][1]


def _check(lookup: PlayerLookup, case: _Case) -> CheckedEntrants | None:
    """Return the matches and findings of a report; None if it has to be checked by its entrants."""
    report, facts, entrants = case.report, case.facts, case.entrants
    entries = lookup.entries[case.on_list, case.day]
    matches = {
        place: match_uncertain(lookup, report, entrants.meaning, entries, entrant, holders)
        for place, (entrant, holders) in entrants.uncertain.items()
    }
    players, names = list(entrants.players), list(entrants.names)
    for place, match in matches.items():
        players[place] = match.player
        if match.player is not None:
            names[place] = lookup.people[match.player].name
    known_players = [player for player in players if player is not None]
    if len({*known_players}) < len(known_players) or not lookup.merged_into.keys().isdisjoint(known_players):
        return None
    if any((person := lookup.people.get(player)) and person.died for player in known_players):
        return None
    field = [entries.get(player, NOTHING_KNOWN) if player else NOTHING_KNOWN for player in players]
    findings = match_findings(list(matches.values()))
    findings += _differences(report, field, matches)
    about_arbiters, licensed = check_licences(report, lookup.arbiters)
    findings += about_arbiters
    if facts.licensed_arbiters is None and licensed is not None:
        facts = replace(facts, licensed_arbiters=licensed)
    facts, field = _with_register(report, facts, field)
    about_event = findings_of_field(report, facts, lookup.editions, field, case.contradictions)
    if about_event is None:
        return None
    findings += about_event
    marks = game_marks(report, all_spelled(names))
    return CheckedEntrants(case.on_list, matched_entrants(players, matches.items()), tuple(findings), marks)


def _differences(
    report: TableReport, field: Sequence[KnownPlayer], matches: Mapping[int, Match]
) -> Iterable[Finding]:
    """Return how the ratings of a report differ from those in force."""
    given, in_force = report.column("rating"), [player.rating for player in field]
    if given == in_force:
        return []
    undecided = {place for place, match in matches.items() if match.undecided}
    return [
        rating_difference(report.entrant(place), listed)
        for place, (rating, listed) in enumerate(zip(given, in_force, strict=True))
        if rating != listed and place not in undecided
    ]


def _with_register(
    report: TableReport, facts: EventFacts, field: list[KnownPlayer]
) -> tuple[EventFacts, list[KnownPlayer]]:
    """Add the facts that decide K, and those about unrated players who have played before."""
    if any(player.rating is not None and player.k is None for player in field):
        births = report.column("born")
        field = [player._replace(born=born) for player, born in zip(field, births, strict=True)]
    before = {str(place + 1): player for place, player in enumerate(field) if player.counted_before}
    return (replace(facts, players=before), field) if before else (facts, field)
