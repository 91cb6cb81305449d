"""The title norms of an accepted report, by the editions of this office."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.drafts.load_events import load_events
from arpad.office.editions.acts import title_editions
from arpad.office.register.merge_rows import merge_targets
from arpad.office.reports.decided_rows import decisions_in_force, with_kept_players
from arpad.office.reports.status import report_on_file, require_status
from arpad.office.reports.tables import ACCEPTED
from arpad.office.titles.rows import RecordedNorm
from arpad.rating.norm_report import NormOptions, ReportNorms, find_norms
from arpad.regulations.editions import CHESS_EDITIONS
from arpad.regulations.fide.titles.field import BigField


@dataclass(frozen=True, slots=True)
class FiledNorms:
    """The norms of an accepted report."""

    result: ReportNorms
    players: Mapping[int, int]
    """Players of the register by start number."""

    made: list[RecordedNorm]
    """The norms made, as they are put on record."""


def norms_of_report(connection: Connection, number: int) -> FiledNorms:
    """Return the norms of an accepted report."""
    filed = report_on_file(connection, number)
    require_status(filed, ACCEPTED)
    if filed.list is not ListName.STANDARD:
        raise BadInput("norms-standard-only", report=number, list=str(filed.list))
    merged = merge_targets(connection)
    decided = with_kept_players(decisions_in_force(connection), merged)
    whole = [decision for decision in decided if decision.kind != "by-round"]
    (event,) = load_events(connection, [filed], whole, merged, filed.list, (), CHESS_EDITIONS)
    report = event.report()
    found_norms = find_norms(report, NormOptions.of_facts(event.facts, title_editions(connection)))
    header = report.header
    players = dict(zip((entrant.number for entrant in report.entrants), event.players, strict=True))
    days = [cells.day for cells in report.rounds if cells.day]
    made = [
        RecordedNorm(
            players[player.entrant.number], norm.title, header.name, header.city, event.first_day,
            header.last_day or event.first_day, norm.edition.id, norm.counted, norm.exempt is None,
            sum(days.count(day) == 1 for day in set(days)), found_norms.big is BigField.ALL,
            norm.basis is not None and norm.basis == norm.edition.on(ListName.STANDARD).bye_norm, number,
        )
        for player in found_norms.players
        for norm in player.norms
        if norm.norm
    ]  # fmt: skip
    return FiledNorms(found_norms, players, made)
