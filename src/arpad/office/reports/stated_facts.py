"""The facts of an event: those of the sender, overridden by those that officers state by decision."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection

from arpad.model.canonical_json import dump, load
from arpad.model.disciplines import discipline_of
from arpad.model.errors import BadInput
from arpad.model.rules import Edition, ListName
from arpad.office.editions.acts import editions_here
from arpad.office.reports import rows
from arpad.office.reports.rows import FACT, Decision, Filed, decided_list
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.event_facts import (
    EventFacts,
    facts_document,
    facts_from,
    player_value,
    read_stated,
    with_stated,
)
from arpad.reports.formats import draughts_list
from arpad.reports.report import Report
from arpad.reports.stages import read_filed

SINGLE_FACTS: Mapping[str, str] = {
    "official": "official",
    "longer-approved": "longer_approved",
    "late-registration": "late_registration_accepted",
}
"""Kinds of decisions that state one fact as true → the fact."""

_ROUTING = ("list", "time_control")
"""The facts that determine on which list a report is rated."""


def stated_document(values: Mapping[str, str]) -> dict[str, Any]:
    """Return the facts that a decision states, for JSON; null for a fact that is taken back."""
    facts, taken_back = read_stated(values)
    document: dict[str, Any] = facts_document(replace(facts, players={}))
    for name in values:
        if name.startswith("players."):
            key, _, field = name.removeprefix("players.").rpartition(".")
            value = player_value(field, getattr(facts.players[key], field))
            document.setdefault("players", {}).setdefault(key, {})[field] = value
    return document | dict.fromkeys(taken_back)


def decided_document(decided: Iterable[Decision], report: int) -> dict[str, Any]:
    """Return the facts that decisions state about a report, for JSON; later decisions override earlier ones."""
    document: dict[str, Any] = {}
    for decision in decided:
        if decision.report != report:
            continue
        if decision.kind == FACT:
            document = with_stated(document, load(decision.value))
        elif decision.kind in SINGLE_FACTS:
            document[SINGLE_FACTS[decision.kind]] = True
    return document


def decided_facts(filed: Filed, decided: Iterable[Decision]) -> EventFacts:
    """Return the facts of an event: what its sender stated, and what was decided since."""
    decided = tuple(decided)
    on_list = str(decided_list(filed.id, decided) or filed.filed_on)
    return _facts_on(filed.facts, on_list, dump(decided_document(decided, filed.id)) if decided else "{}")


@lru_cache(maxsize=256)  # most reports of a month state the same
def _facts_on(filed: str, on_list: str, decided: str) -> EventFacts:
    return facts_from(with_stated(load(filed), load(decided)) | {"list": on_list})


def facts_to_check(filed: Filed, decided: Iterable[Decision]) -> EventFacts:
    """Return the facts with which a report is checked: without a list while its list is undecided."""
    facts = decided_facts(filed, decided)
    return replace(facts, list=None) if filed.undecided else facts


def players_not_in_report(connection: Connection, filed: Filed, stated: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the players in stated facts whose start number or id the report does not have."""
    if "players" not in stated:
        return ()
    report = read_filed(rows.data(connection, filed.id), filed.file)
    entered = {str(number) for number in report.places} | {player.id for player in report.entrants}
    return tuple(key for key in stated["players"] if key not in entered)


def list_after_facts(
    connection: Connection, filed: Filed, decided: Iterable[Decision], stated: Mapping[str, Any]
) -> ListName | None:
    """Return the list on which a report is rated after more facts are stated; None if they do not change it."""
    if not any(name in stated for name in _ROUTING):
        return None
    from arpad.rating.event import control_of  # rating needs all articles; the facts of a list do not

    facts_before = with_stated(load(filed.facts), decided_document(decided, filed.id))
    facts = facts_from(with_stated(facts_before, stated))
    if facts.list is not None:
        return facts.list
    report = read_filed(rows.data(connection, filed.id), filed.file)
    if not report.header.first_day:
        raise BadInput("route-without-day", report=filed.id)
    if not control_of(report, facts).readable:
        raise BadInput("list-would-be-undecided", report=filed.id)
    return list_of(editions_here(connection), report, facts)


def decided_rounds(filed: Filed, decided: Iterable[Decision]) -> tuple[int, int] | None:
    """Return the rounds to rate of an interim report that repeats earlier rounds (4.13); None if all are rated."""
    for decision in decided:
        if decision.report == filed.id and decision.kind == "rounds":
            value = load(decision.value)
            return value["first"], value["last"]
    return None


def list_of(editions: Sequence[Edition[ChessRules]], report: Report, facts: EventFacts) -> ListName:
    """Return the list of a report: the draughts list that its facts or its file name, else that of its time control."""
    if facts.list is not None and not discipline_of(facts.list).by_time_control:
        return facts.list
    if facts.list is None and (declared := draughts_list(report)) is not None:
        return declared
    from arpad.rating.preview import listed_on  # loads all articles

    return listed_on(report, facts, editions)
