"""Check many reports in columns: nearly all entrants are as registered, and only the others become objects.

A report takes this way if it is of a table, on a chess list, and nothing special is known about it: no fact about a
player, no reference list, no membership to check. All other reports are checked by
``matched_entrants.check_entrants``; the findings are the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Connection

from arpad.checks.arbiter_licences import check_licences
from arpad.checks.file_columns import check_files, repeats
from arpad.model.disciplines import discipline_of
from arpad.model.errors import NoEdition
from arpad.model.rules import CHESS_LISTS, Edition, Finding, ListName
from arpad.office.inbox.check_report import rating_difference
from arpad.office.inbox.match_players import Match, match_decided, match_findings, match_uncertain
from arpad.office.inbox.matched_entrants import CheckedEntrants, MatchedEntrants, matched_entrants
from arpad.office.inbox.player_lookup import (
    PlayerLookup,
    ReportToCheck,
    lists_of_days,
    load_list_entries,
    new_lookup,
)
from arpad.office.inbox.table_fields import TableFields, keep_lists, load_fields
from arpad.office.inbox.table_players import OtherEntrants, TablePlayers, load_table_players
from arpad.office.parts import has_references
from arpad.office.register.entrant_numbers import ReportNumbers
from arpad.office.reports.stated_facts import list_of
from arpad.rating.event import control_of
from arpad.rating.preview import findings_of_participants
from arpad.regulations.editions import in_force as edition_in_force
from arpad.reports.event_facts import EventFacts
from arpad.reports.report_table import TableReport


def check_columns(
    connection: Connection,
    reports: Mapping[int, ReportToCheck],
    matches: Mapping[int, Mapping[int, int]],
) -> dict[int, CheckedEntrants]:
    """Check those of some reports that can be checked in columns; ``matches`` as for ``check_reports``."""
    if has_references(connection):
        return {}
    lookup = new_lookup(connection)
    editions = _EditionsOfDays(lookup.editions)
    cases: dict[int, _Case] = {}
    for key, item in reports.items():
        report, facts = item
        day = report.header.first_day
        if not isinstance(report, TableReport) or day is None or not _is_plain(report, facts):
            continue
        on_list = list_of(editions.on(day), report, facts)
        meaning = lookup.numbers_of(item)
        if meaning.is_plain and not lookup.membership_rule(on_list, day):
            cases[key] = _Case(report, facts, on_list, day, meaning, matches.get(key, {}))
    return _check_cases(connection, lookup, editions, cases) if cases else {}


def _is_plain(report: TableReport, facts: EventFacts) -> bool:
    """Return whether nothing special is known about a report."""
    if facts.players:
        return False
    if facts.list is not None:
        return discipline_of(facts.list).by_time_control
    return control_of(report, facts).readable


class _EditionsOfDays:
    """The editions in force on each day; many events begin on the same one."""

    def __init__(self, editions: Sequence[Edition[Any]]) -> None:
        self._editions = editions
        self._kept: dict[date, Sequence[Edition[Any]]] = {}

    def on(self, day: date) -> Sequence[Edition[Any]]:
        """Return the editions in force on a day; all if a list has none."""
        if day not in self._kept:
            try:
                of_day = {
                    id(it): it for it in (edition_in_force(self._editions, name, day) for name in CHESS_LISTS)
                }
                self._kept[day] = tuple(of_day.values())
            except NoEdition:
                self._kept[day] = self._editions
        return self._kept[day]


class _Case(NamedTuple):
    """A report that is checked in columns."""

    report: TableReport
    facts: EventFacts
    on_list: ListName
    day: date
    meaning: ReportNumbers
    decided: Mapping[int, int]


def _check_cases(
    connection: Connection, lookup: PlayerLookup, editions: _EditionsOfDays, cases: Mapping[int, _Case]
) -> dict[int, CheckedEntrants]:
    """Check reports in columns; those that need more are left out."""
    reports = {key: case.report for key, case in cases.items()}
    tables, others = load_table_players(
        connection,
        lookup,
        reports,
        {key: case.meaning for key, case in cases.items()},
        {key: case.decided for key, case in cases.items()},
    )
    days = {key: (case.on_list, case.day) for key, case in cases.items()}
    in_force = lists_of_days(connection, lookup, {*days.values()})
    keep_lists(connection, in_force, tables)
    load_list_entries(connection, lookup, {*days.values()})
    matches = {
        key: _match_others(lookup, case, others[key], tables[id(case.report.table)])
        for key, case in cases.items()
    }
    fields = load_fields(connection, in_force, tables, reports, days)
    repeated = {key: repeats(it.table, it.players) for key, it in tables.items()}
    contradictions = dict(zip(reports, check_files(list(reports.values())), strict=True))
    facts_on = _FactsOnLists()
    findings: dict[int, list[Finding]] = {}
    for key, case in cases.items():
        table = id(case.report.table)
        if repeated[table][case.report.index] or not _are_usual(lookup, others[key], matches[key]):
            continue
        about_event = _findings(
            lookup, editions, case._replace(facts=facts_on.of(case.facts, case.on_list)), matches[key],
            fields[table], contradictions[key],
        )  # fmt: skip
        if about_event is not None:
            findings[key] = about_event
    marks = {key: it.marks() for key, it in tables.items()}
    return {
        key: CheckedEntrants(
            cases[key].on_list,
            _stored(tables[id(report.table)], report, matches[key]),
            tuple(findings[key]),
            marks[id(report.table)][report.index],
        )
        for key, report in reports.items()
        if key in findings
    }


def _match_others(
    lookup: PlayerLookup, case: _Case, others: OtherEntrants, table: TablePlayers
) -> dict[int, Match]:
    """Match the entrants of a report who are not certain, by place; note the players of those not as registered."""
    if not others.others:
        return {}
    entries = lookup.entries[case.on_list, case.day]
    matches: dict[int, Match] = {}
    for place, entrant, holders, certain, decided in others.others:
        if decided is not None:
            matches[place] = match_decided(lookup, case.meaning, entrant, decided, holders)
        elif certain is None:
            matches[place] = match_uncertain(lookup, case.report, case.meaning, entries, entrant, holders)
        player = matches[place].player if place in matches else certain
        if player is not None:
            table.note(case.report.first + place, player, lookup.people[player].name)
    return matches


def _are_usual(lookup: PlayerLookup, others: OtherEntrants, matches: Mapping[int, Match]) -> bool:
    """Return whether all players of a report live, and none of them was merged."""
    players = [matches[it.place].player if it.player is None else it.player for it in others.others]
    return not any(
        player in lookup.merged_into or ((person := lookup.people.get(player)) and person.died)
        for player in players
        if player is not None
    )


def _stored(table: TablePlayers, report: TableReport, matches: Mapping[int, Match]) -> MatchedEntrants:
    players = table.players[table.table.rows(report.index)].tolist()
    if matches:
        return matched_entrants([player or None for player in players], matches.items())
    return MatchedEntrants(tuple(players), (), (), (), ())


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


def _findings(
    lookup: PlayerLookup,
    editions: _EditionsOfDays,
    case: _Case,
    matches: Mapping[int, Match],
    fields: TableFields,
    contradictions: Sequence[Finding],
) -> list[Finding] | None:
    """Return the findings of a report; None if it has to be checked by its entrants."""
    report, facts = case.report, case.facts
    ratings = report.column("rating")
    findings = match_findings(list(matches.values())) if matches else []
    if fields.differing[report.index]:
        given, ratings = ratings, fields.ratings_of(report)
        undecided = {place for place, match in matches.items() if match.undecided}
        findings += [
            rating_difference(report.entrant(place), listed)
            for place, (rating, listed) in enumerate(zip(given, ratings, strict=True))
            if rating != listed and place not in undecided
        ]
    about_arbiters, licensed = check_licences(report, lookup.arbiters)
    findings += about_arbiters
    if facts.licensed_arbiters is None and licensed is not None:
        facts = replace(facts, licensed_arbiters=licensed)
    field, before = fields.field(report)
    if before:
        facts = replace(facts, players=before)
    about_event = findings_of_participants(
        report, facts, editions.on(case.day), tuple(ratings), fields.highest[report.index] or None, field,
        contradictions,
    )  # fmt: skip
    return None if about_event is None else [*findings, *about_event]
