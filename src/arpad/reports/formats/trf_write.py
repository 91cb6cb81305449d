"""Write a TRF anew from the values of a report, or back over the lines it was read from.

Written back, unchanged lines stay the same to the byte.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date
from fractions import Fraction
from typing import TypeVar

from arpad.model.exact import decimal_text
from arpad.model.rules import Finding, Severity
from arpad.reports.formats.encoding import write_text
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.fixed_width import Layout, one_line, overlay
from arpad.reports.formats.trf_columns import (
    CELL,
    DAYS,
    DEPUTY,
    HEADER_LINES,
    JAVAFO_POINTS,
    MATCH_POINTS,
    NATIONAL,
    NUMBER_LISTS,
    OLD_TEAM_TAG,
    PLAYER,
    PLAYER_TAG,
    POINT_CODES,
    POINTS,
    TEAM_TAG,
    HeaderLine,
    cell_column,
)
from arpad.reports.formats.trf_records import format_record, format_team
from arpad.reports.formats.written_values import format_birth, format_day, format_short_day
from arpad.reports.report import BYES, Entrant, Header, NationalEntry, Record, Report, Team

NEW_LINE = "\r\n"
Written = tuple[bytes, tuple[Finding, ...]]


# ----------------------------------------------------------------------------------------------- whole files


def write_anew(report: Report, variant: str) -> Written:
    """Return a new file from the values of a report."""
    notes = Notes()
    lines = [
        *_header_lines(report, variant, notes),
        *(player_line(report, index, notes) for index in range(len(report.entrants))),
        *_other_lines(report, variant, notes),
    ]
    for entrant in report.entrants:
        if entrant.k is not None:
            notes.count(Severity.INFO, "k-not-held", player=entrant.number)
    data, findings = write_text(tuple(line + NEW_LINE for line in lines), "utf-8")
    return data, (*notes.all(), *findings)


def _header_lines(report: Report, variant: str, notes: Notes) -> list[str]:
    header, lines = report.header, {}
    rounds_implied = header.rounds == len(report.rounds)  # it follows from the cells and needs no line
    for entry in HEADER_LINES:
        value = getattr(header, entry.field)
        if value is None or value == "":
            continue
        expressible = (
            entry.trf26 if variant == "trf26" else entry.trf16 and (variant == "trfx" or entry.trf26)
        )
        if expressible:
            lines[entry.tag] = [header_line(entry, header)]
        elif not (variant == "trfx" or entry.trf16 or (entry.field == "rounds" and rounds_implied)):
            notes.add(Severity.WARNING, "header-not-held", tag=entry.tag, text=str(value), format=variant)
    if header.deputies:
        lines[DEPUTY] = [f"{DEPUTY} {one_line(deputy)}" for deputy in header.deputies]
    if round_days(report):
        lines[DAYS] = [days_line(round_days(report))]
    if header.points:
        tag = POINTS if variant == "trf26" else JAVAFO_POINTS
        lines[tag] = points_lines(report, tag if variant != "trf16" else "", notes)
    if header.match_points and variant == "trf26":
        lines[MATCH_POINTS] = [points_line(MATCH_POINTS, header.match_points) or ""]
    elif header.match_points:
        notes.add(Severity.WARNING, "records-not-held", tag=MATCH_POINTS, count=1, format=variant)
    return [line for tag in sorted(lines) for line in lines[tag] if line]


def points_lines(report: Report, tag: str, notes: Notes) -> list[str]:
    """Return the line of the point system, or none with a finding if the tag cannot express it."""
    line = points_line(tag, report.header.points) if tag else None
    if line is None and report.header.points:
        notes.add(Severity.WARNING, "points-not-held")
    return [line] if line else []


def _other_lines(report: Report, variant: str, notes: Notes) -> list[str]:
    """Return the lines of teams, national ratings and other records that the variant has."""
    lines: list[str] = []
    left_out: dict[str, int] = {}
    new = variant == "trf26"
    for entry in report.national:
        if new:
            lines.append(national_line(entry, notes))
        else:
            left_out[entry.body] = left_out.get(entry.body, 0) + 1
    lines += [format_team(team if new else Team(team.name, team.members)) for team in report.teams]
    for record in report.records:
        if new or (variant == "trfx" and record.tag in NUMBER_LISTS):
            lines.append(format_record(record))
        else:
            left_out[record.tag] = left_out.get(record.tag, 0) + 1
    for tag, count in left_out.items():
        notes.add(Severity.WARNING, "records-not-held", tag=tag, count=count, format=variant)
    return lines


# ----------------------------------------------------------------------------------------------- lines

Cell = tuple[int, str, str]
"""Opponent, colour, result."""

NO_CELL: Cell = (0, " ", " ")
_CUT = frozenset({"name", "federation", "title"})
"""Fields that may be cut; a number that is cut would be wrong."""

_TOO_LONG: Mapping[str, str] = {
    "name": "name-cut", "federation": "federation-cut", "title": "title-cut", "number": "start-number-left-out",
    "sex": "sex-left-out", "rating": "rating-left-out", "id": "id-left-out", "born": "birth-left-out",
    "half_points": "points-left-out", "rank": "rank-left-out",
}  # fmt: skip


def cell_at(report: Report, index: int, round_index: int) -> Cell:
    """Return the cell of an entrant in a round counted from zero; blank if there is none."""
    if round_index >= len(report.rounds):
        return NO_CELL
    cells = report.rounds[round_index]
    if index >= len(cells.opponents):
        return NO_CELL
    return cells.opponents[index], cells.colours[index], cells.results[index]


def put_cell(line: str, index: int, cell: Cell) -> str:
    """Return a player line with one cell replaced."""
    opponent, colour, result = cell
    number = str(opponent) if opponent else "0000" if result in BYES else ""
    text = CELL.put("", "opponent", number)
    text = CELL.put(text, "colour", colour)
    return overlay(line, cell_column(index + 1), CELL.put(text, "result", result))


def put_entrant(
    line: str, entrant: Entrant, names: Iterable[str], notes: Notes, layout: Layout = PLAYER
) -> str:
    """Return a line with the named fields of an entrant replaced."""
    for name in names:
        column = layout.by_name.get(name)
        if column is None:
            continue
        text = one_line(_field_text(entrant, name))
        if len(text) > column.width:
            severity = Severity.WARNING if name in _CUT else Severity.ERROR
            notes.add(severity, _TOO_LONG[name], player=entrant.number, text=text, width=column.width)
            text = text if name in _CUT else ""
        line = layout.put(line, name, text)
    return line


def player_line(report: Report, index: int, notes: Notes) -> str:
    """Return a player line."""
    line = put_entrant(PLAYER_TAG, report.entrants[index], PLAYER.by_name, notes)
    for round_index in range(len(report.rounds)):
        line = put_cell(line, round_index, cell_at(report, index, round_index))
    return line.rstrip()


def national_line(entry: NationalEntry, notes: Notes) -> str:
    """Return the line of a national rating."""
    return put_entrant(entry.body[:3], entry.entrant, NATIONAL.by_name, notes, NATIONAL).rstrip()


def header_line(entry: HeaderLine, header: Header) -> str:
    """Return a line about the tournament; only its tag if the field is empty."""
    value = getattr(header, entry.field)
    if isinstance(value, date):
        text = format_day(value)
    elif entry.kind == "colour":
        words = {"w": "white1", "b": "black1"} if entry.tag == "XXC" else {"w": "W", "b": "B"}
        text = words.get(value, value)
    else:
        text = "" if value is None else one_line(str(value))
    return f"{entry.tag} {text}".rstrip()


def round_days(report: Report) -> list[date | None]:
    """Return the days of all rounds, played or to come."""
    days = [cells.day for cells in report.rounds]
    return [*days, *report.header.days_to_come] if any(days) or report.header.days_to_come else []


def days_line(days: Iterable[date | None]) -> str:
    """Return the line of round days, each below its cell."""
    line = DAYS
    for number, day in enumerate(days, start=1):
        line = line.ljust(cell_column(number) - 1) + (format_short_day(day) if day else "")
    return line.rstrip()


def points_line(tag: str, points: Mapping[str, Fraction]) -> str | None:
    """Return the line of a point system; None if its letters cannot express it."""
    pairs: list[tuple[str, Fraction]] = []
    if tag == MATCH_POINTS:
        pairs = list(points.items())
    else:
        named = POINT_CODES[tag]
        # The letters that set several cases come only into TRF26; the JaVaFo line names every case.
        codes = named if tag == POINTS else {code: cases for code, cases in named.items() if code in cases}
        for code, cases in codes.items():
            values = {points[case] for case in cases if case in points}
            if len(values) > 1:
                return None
            pairs += [(code, value) for value in values]
        if set(points) - {case for cases in codes.values() for case in cases}:
            return None
    texts = [(code, decimal_text(value, places=1)) for code, value in pairs]
    if any(Fraction(text) != value for (_, text), (_, value) in zip(texts, pairs, strict=True)):
        return None
    if tag == POINTS:
        return "162  " + "".join(f"{code}{text:>4}".ljust(9) for code, text in texts).rstrip()
    if tag == MATCH_POINTS:
        return "362 " + "".join(f"{code}{text:>5}".ljust(9) for code, text in texts).rstrip()
    return f"{tag} " + " ".join(f"{code}={text}" for code, text in texts)


def entrant_fields() -> tuple[str, ...]:
    """Return the fields of an entrant that can change."""
    return tuple(field.name for field in fields(Entrant) if field.name != "line")


def _field_text(entrant: Entrant, name: str) -> str:
    value = getattr(entrant, name)
    if name == "born":
        return format_birth(value)
    if name == "half_points":
        return "" if value is None else decimal_text(Fraction(value, 2), places=1)
    return "" if value is None else str(value)


# ------------------------------------------------------------------------------------ back over the lines

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
            of_variant = [twin for twin in twins if twin.trf26 == (report.format == "trf26")]
            if entry in (present or (of_variant or twins)[:1]):
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


def _before(first: str, tag: str) -> bool:
    """Return whether a header line of one tag comes before that of another."""
    return first.isdigit() and first.endswith("2") and first < tag


def _end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]
