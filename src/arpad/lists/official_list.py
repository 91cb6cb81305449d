"""The ratings a report is rated with: looked up in a list, by id; by name only proposals are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from arpad.checks.context import warning
from arpad.checks.positions import of_player
from arpad.lists.canonical import is_canonical, read_canonical
from arpad.lists.fide_rows import listed_rows
from arpad.model import names
from arpad.model.errors import Unreadable
from arpad.model.people import birth_year
from arpad.model.rules import Finding, ListName
from arpad.rating.context import ListedRating
from arpad.reports.formats.lists.fide_list import ListRow, open_list
from arpad.reports.formats.lists.list_csv import is_csv_list, names_quick_lists, read_csv_list
from arpad.reports.report import Entrant, Report

MOST_CANDIDATES = 5
QUICK = (ListName.RAPID, ListName.BLITZ)


@dataclass(slots=True)
class Lookup:
    """What a list says of the players of some reports."""

    by_id: dict[str, ListedRating] = field(default_factory=dict)
    rows: dict[str, ListRow] = field(default_factory=dict)
    candidates: dict[str, list[ListRow]] = field(default_factory=dict)
    """By the key of a name: rows that spell it so."""


def look_up(path: Path, reports: Iterable[Report]) -> Lookup:
    """Read a list once and keep what concerns the players of the reports."""
    entrants = [entrant for report in reports for entrant in report.entrants]
    wanted = {entrant.id for entrant in entrants if entrant.id}
    spelled = {names.key(entrant.name) for entrant in entrants if entrant.name}
    found = Lookup()
    for row, combined in list_rows(path):
        identifier = str(row.id)
        fide = any(scheme == "fide" for scheme, _ in row.numbers)
        if identifier in wanted and (fide or identifier not in found.rows):
            quick = {name: (row.figures(name)[0], row.figures(name)[2]) for name in QUICK} if combined else {}
            found.by_id[identifier] = ListedRating(row.rating, row.k, row.name, quick)
            found.rows[identifier] = row
        if (key := names.key(row.name)) in spelled:
            found.candidates.setdefault(key, []).append(row)
    return found


def list_rows(path: Path) -> Iterator[tuple[ListRow, bool]]:
    """Yield the rows of a list, each with whether standard, rapid and blitz stand side by side.

    It may be FIDE's text or XML, a CSV, or the canonical text of a published list.
    """
    try:
        with path.open("rb") as stream:
            head = stream.read(4096)
    except OSError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error
    if is_canonical(head):
        for row in listed_rows(read_canonical(path.read_bytes())):
            yield row, False
        return
    if is_csv_list(head):
        combined = names_quick_lists(head)
        for row in read_csv_list(path):
            yield row, combined
        return
    with open_list(path) as rows:
        for row in rows:
            yield row, rows.combined


def identity_findings(report: Report, lookup: Lookup) -> list[Finding]:
    """Ids that are missing or belong to somebody else, with proposals: nobody is matched in silence."""
    findings: list[Finding] = []
    for place, entrant in enumerate(report.entrants):
        row = lookup.rows.get(entrant.id) if entrant.id else None
        where = of_player(report, place, "id")
        if row is not None and not same_person_name(row.name, entrant.name):
            findings.append(
                warning("id-of-another", **where, id=entrant.id, name=entrant.name, listed=row.name)
            )
        if row is None and (proposed := _proposals(entrant, lookup)):
            findings.append(warning("id-proposed", **where, name=entrant.name, candidates=proposed))
    return findings


def same_person_name(one: str, other: str) -> bool:
    """Whether two spellings can be one person: all words of the shorter begin words of the longer."""
    if one == other:
        return True
    shorter, longer = sorted((names.fold(one), names.fold(other)), key=len)
    return names.key(one) == names.key(other) or all(
        any(word.startswith(part) or part.startswith(word) for word in longer) for part in shorter
    )


def _proposals(entrant: Entrant, lookup: Lookup) -> str:
    rows = lookup.candidates.get(names.key(entrant.name), [])
    year = birth_year(entrant.born)
    rows = [row for row in rows if not year or not row.born or birth_year(row.born) == year][:MOST_CANDIDATES]
    return ", ".join(
        f"{row.id} {row.name} ({row.federation or '?'}, {birth_year(row.born) or '?'})" for row in rows
    )
