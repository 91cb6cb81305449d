"""Look up the players of reports in a rating list: ratings by id, and proposals by name."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from arpad.checks.context import of_player, warning
from arpad.lists.canonical import is_canonical, read_canonical
from arpad.lists.published import all_rows
from arpad.model import names
from arpad.model.people import birth_year, births_agree
from arpad.model.rules import Edition, Finding, ListName
from arpad.rating.context import ListedRating, participant
from arpad.rating.preview import RatedReport, ordered, rate
from arpad.regulations.fide.rules import ChessRules
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.lists.fide_list import open_file, open_list
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.formats.lists.layouts import BY_HEADER, Reading
from arpad.reports.formats.lists.list_csv import (
    is_csv_list,
    names_quick_lists,
    read_cells,
    read_csv_list,
)
from arpad.reports.report import Entrant, Report

MAX_CANDIDATES = 5
QUICK = (ListName.RAPID, ListName.BLITZ)
HEAD = 4096
"""Bytes at the beginning of a file that show its format."""


@dataclass(slots=True)
class RatingLookup:
    """The entries of a list about the players of some reports."""

    by_id: dict[str, ListedRating] = field(default_factory=dict)
    rows: dict[str, ListRow] = field(default_factory=dict)
    candidates: dict[str, list[ListRow]] = field(default_factory=dict)
    """Rows with the same name, by the key of the name."""


def look_up_ratings(path: Path, reports: Iterable[Report]) -> RatingLookup:
    """Read a list once and keep the entries of the players of the reports."""
    entrants = [entrant for report in reports for entrant in report.entrants]
    ids = {entrant.id for entrant in entrants if entrant.id}
    spelled = {names.key(entrant.name) for entrant in entrants if entrant.name}
    lookup = RatingLookup()
    for row, combined in read_list_rows(path):
        identifier = str(row.id)
        fide = any(scheme == "fide" for scheme, _ in row.numbers)
        if identifier in ids and (fide or identifier not in lookup.rows):
            quick = {name: (row.figures(name)[0], row.figures(name)[2]) for name in QUICK} if combined else {}
            lookup.by_id[identifier] = ListedRating(row.rating, row.k, row.name, quick)
            lookup.rows[identifier] = row
        if (key := names.key(row.name)) in spelled:
            lookup.candidates.setdefault(key, []).append(row)
    return lookup


def read_list_rows(path: Path, reading: Reading = BY_HEADER) -> Iterator[tuple[ListRow, bool]]:
    """Yield the rows of a list file, each with whether it has standard, rapid and blitz ratings.

    The file may be FIDE's text or XML, a CSV, or the canonical text of a published list.
    """
    with open_file(path) as stream:
        head = stream.read(HEAD)
    if reading.columns is not None and (cells := reading.columns.cells):
        combined = "rapid_rating" in cells
        yield from ((row, combined) for row in read_cells(path, cells))
    elif is_canonical(head):
        yield from ((row, False) for row in all_rows(read_canonical(path.read_bytes())))
    elif is_csv_list(head):
        combined = names_quick_lists(head)
        yield from ((row, combined) for row in read_csv_list(path, every_player=reading.every_player))
    else:
        with open_list(path, reading) as rows:
            for row in rows:
                yield row, rows.combined


def rate_listed(
    report: Report, lookup: RatingLookup | None, *, facts: EventFacts, edition: Edition[ChessRules] | None
) -> RatedReport:
    """Rate a report, with the ratings of a list if there is one, and with what the list says about the ids."""
    rated = rate(report, facts=facts, edition=edition, listed=lookup.by_id if lookup else None)
    more = identity_findings(report, lookup) if lookup else []
    return replace(rated, findings=ordered([*rated.findings, *more]))


def with_listed_ratings(report: Report, path: Path) -> Report:
    """Return the report with the ratings of a list; who is not on it, or has no id, keeps none or the report's."""
    listed, nothing = look_up_ratings(path, [report]).by_id, EventFacts()
    entrants = (
        replace(entrant, rating=participant(entrant, nothing, listed).rating) for entrant in report.entrants
    )
    return replace(report, entrants=tuple(entrants))


def identity_findings(report: Report, lookup: RatingLookup) -> list[Finding]:
    """Return findings about ids that are missing or another player's, with proposals; no player is matched silently."""
    findings: list[Finding] = []
    for index, entrant in enumerate(report.entrants):
        row = lookup.rows.get(entrant.id) if entrant.id else None
        where = of_player(report, index, "id")
        if row is not None and not names.same_person_name(row.name, entrant.name):
            findings.append(
                warning("id-of-another", **where, id=entrant.id, name=entrant.name, listed=row.name)
            )
        if row is None and (proposed := _proposals(entrant, lookup)):
            findings.append(warning("id-proposed", **where, name=entrant.name, candidates=proposed))
    return findings


def _proposals(entrant: Entrant, lookup: RatingLookup) -> str:
    rows = lookup.candidates.get(names.key(entrant.name), [])
    year = birth_year(entrant.born)
    rows = [row for row in rows if births_agree(year, birth_year(row.born))][:MAX_CANDIDATES]
    return ", ".join(
        f"{row.id} {row.name} ({row.federation or '?'}, {birth_year(row.born) or '?'})" for row in rows
    )
