"""Write a changed TRF back over the lines it was read from; unchanged lines stay the same to the byte."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from arpad.reports.formats.encoding import write_text
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.fixed_width import one_line
from arpad.reports.formats.trf_columns import (
    DAYS,
    DEPUTY,
    HEADER_LINES,
    JAVAFO_POINTS,
    MATCH_POINTS,
    OLD_TEAM_TAG,
    PLAYER_TAG,
    POINT_CODES,
    POINTS,
    TEAM_TAG,
    HeaderLine,
    cell_column,
)
from arpad.reports.formats.trf_records import format_record, format_team
from arpad.reports.formats.trf_write import (
    NEW_LINE,
    Written,
    cell_at,
    days_line,
    entrant_fields,
    header_line,
    national_line,
    player_line,
    points_line,
    points_lines,
    put_cell,
    put_entrant,
    round_days,
)
from arpad.reports.report import Entrant, NationalEntry, Record, Report, Team

T = TypeVar("T", Team, Record, NationalEntry)


@dataclass(slots=True)
class _ChangedLines:
    """The lines of a file with changes; everything else stays the same to the byte."""

    source: Sequence[str]
    bodies: dict[int, str | None] = field(default_factory=dict)
    inserted: defaultdict[int, list[str]] = field(default_factory=lambda: defaultdict(list))
    tags: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for number, line in enumerate(self.source, start=1):
            self.tags[line[:3]].append(number)

    def body(self, number: int) -> str:
        """Return a line without its line end."""
        return self.source[number - 1].rstrip("\r\n")

    def set_lines(self, tag: str, bodies: Sequence[str]) -> None:
        """Replace the lines of a tag; drop or insert the rest."""
        numbers = self.tags[tag]
        for number, body in zip(numbers, bodies, strict=False):
            self.bodies[number] = body
        for number in numbers[len(bodies) :]:
            self.bodies[number] = None
        for body in bodies[len(numbers) :]:
            self.inserted[self.insertion_line(tag)].append(body)

    def insertion_line(self, tag: str) -> int:
        """Return the line after which a tag is inserted: its last line, or that of the nearest tag before."""
        if self.tags[tag]:
            return self.tags[tag][-1]
        if not tag.isdigit() or tag == PLAYER_TAG:
            return len(self.source)
        earlier = [
            max(lines) for present_tag, lines in self.tags.items() if lines and _before(present_tag, tag)
        ]
        return max(earlier, default=0)

    def lines(self) -> tuple[str, ...]:
        """Return all lines with the changes."""
        usual = next((end for line in self.source if (end := _end(line))), NEW_LINE)
        out: list[str] = [body + usual for body in self.inserted[0]]
        for number, line in enumerate(self.source, start=1):
            body = self.bodies.get(number, self.body(number))
            if body is not None:
                out.append(body + _end(line))
            if self.inserted[number] and out and not _end(out[-1]):
                out[-1] += usual
            out += [added + usual for added in self.inserted[number]]
        return tuple(out)


def write_back(report: Report, original: Report) -> Written:
    """Return the file of a report with new lines for the changed values.

    Lines keep their order; entrants, teams and records are identified by their line.
    """
    page, notes = _ChangedLines(report.source), Notes()
    _change_header(page, report, original, notes)
    _change_players(page, report, original, notes)
    team_tag = TEAM_TAG if page.tags[TEAM_TAG] else OLD_TEAM_TAG
    _change_lines(page, report.teams, original.teams, lambda team: (team_tag, format_team(team)))
    if team_tag == TEAM_TAG and page.tags[OLD_TEAM_TAG] and report.teams != original.teams:
        # If old and new lines are both present, they have the same values.
        page.set_lines(OLD_TEAM_TAG, [format_team(Team(team.name, team.members)) for team in report.teams])
    _change_lines(page, report.records, original.records, lambda record: (record.tag, format_record(record)))
    _change_lines(
        page,
        report.national,
        original.national,
        lambda entry: (entry.body, national_line(entry, notes)),
    )
    data, findings = write_text(page.lines(), report.encoding)
    return data, (*notes.all(), *findings)


def _change_header(page: _ChangedLines, report: Report, original: Report, notes: Notes) -> None:
    new, old = report.header, original.header
    for entry in HEADER_LINES:
        if getattr(new, entry.field) != getattr(old, entry.field):
            twins = [line for line in HEADER_LINES if line.field == entry.field]
            present = [line for line in twins if page.tags[line.tag]]
            if entry in (present or [_preferred(twins, report.format)]):
                page.set_lines(entry.tag, [header_line(entry, new)])
    if new.deputies != old.deputies:
        page.set_lines(DEPUTY, [f"{DEPUTY} {one_line(deputy)}" for deputy in new.deputies])
    if round_days(report) != round_days(original):
        page.set_lines(DAYS, [days_line(round_days(report))])
    if new.points != old.points:
        tag = POINTS if report.format == "trf26" else JAVAFO_POINTS
        for code in POINT_CODES:
            page.set_lines(code, points_lines(report, tag, notes) if code == tag else [])
    if new.match_points != old.match_points:
        line = points_line(MATCH_POINTS, new.match_points)
        page.set_lines(MATCH_POINTS, [line] if line else [])


def _change_players(page: _ChangedLines, report: Report, original: Report, notes: Notes) -> None:
    places = {entrant.line: index for index, entrant in enumerate(original.entrants)}
    shorter = len(report.rounds) < len(original.rounds)
    for index, entrant in enumerate(report.entrants):
        before = places.pop(entrant.line, None)
        if before is None or entrant.line is None:
            page.inserted[page.insertion_line(PLAYER_TAG)].append(player_line(report, index, notes))
            continue
        line = was = page.body(entrant.line)
        line = put_entrant(line, entrant, _changed(entrant, original.entrants[before]), notes)
        for round_index in range(len(report.rounds)):
            cell = cell_at(report, index, round_index)
            if cell != cell_at(original, before, round_index):
                line = put_cell(line, round_index, cell)
        if shorter:
            line = line[: cell_column(len(report.rounds) + 1) - 1].rstrip()
        if line != was:
            page.bodies[entrant.line] = line
    for line_number in places:
        page.bodies[line_number or 0] = None


def _changed(entrant: Entrant, before: Entrant) -> Iterable[str]:
    return [name for name in entrant_fields() if getattr(entrant, name) != getattr(before, name)]


def _change_lines(
    page: _ChangedLines, new: Sequence[T], old: Sequence[T], form: Callable[[T], tuple[str, str]]
) -> None:
    """Remove, add and change the lines of one kind of record."""
    before = {_line(item): item for item in old}
    for item in new:
        number = _line(item)
        earlier = before.pop(number, None) if number else None
        if earlier is None:
            tag, body = form(item)
            page.inserted[page.insertion_line(tag)].append(body)
        elif earlier != item:
            page.bodies[number or 0] = form(item)[1]
    for number in before:
        page.bodies[number or 0] = None


def _line(item: Team | Record | NationalEntry) -> int | None:
    return item.entrant.line if isinstance(item, NationalEntry) else item.line


def _preferred(twins: Sequence[HeaderLine], variant: str) -> HeaderLine:
    """Return the tag of a variant, of two tags for the same field."""
    return next((twin for twin in twins if twin.trf26 == (variant == "trf26")), twins[0])


def _before(first: str, tag: str) -> bool:
    """Return whether a header line of one tag comes before that of another."""
    return first.isdigit() and first.endswith("2") and first < tag


def _end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]
