"""Read and write teams and other records of a TRF that name players by number."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from arpad.model.exact import decimal_text
from arpad.model.rules import Severity
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.fixed_width import Layout
from arpad.reports.formats.trf_columns import NUMBER_LISTS, OLD_TEAM, OLD_TEAM_TAG, RECORDS, TEAM, TEAM_TAG
from arpad.reports.formats.trf_players import PlayerLine
from arpad.reports.formats.written_values import digits
from arpad.reports.report import Record, Team

ByTag = Mapping[str, Sequence[PlayerLine]]
_TEXTS = frozenset({"type", "name", "nick", "strength", "tag"})
_DECIMALS = frozenset({"match_points", "game_points"})


def read_teams(lines: ByTag, notes: Notes) -> tuple[Team, ...]:
    """Return the teams; of the new and the old record the new one counts."""
    if TEAM_TAG in lines:
        return tuple(team for line in lines[TEAM_TAG] if (team := _team(line, TEAM, notes)))
    return tuple(team for line in lines.get(OLD_TEAM_TAG, ()) if (team := _team(line, OLD_TEAM, notes)))


def read_records(lines: ByTag, notes: Notes) -> tuple[Record, ...]:
    """Return all other records, in the order of the file."""
    records = [
        record
        for tag in (*RECORDS, *NUMBER_LISTS)
        for line in lines.get(tag, ())
        if (record := _record(tag, line, notes))
    ]
    return tuple(sorted(records, key=lambda record: record.line or 0))


def format_team(team: Team) -> str:
    """Return the line of a team; without number the old record."""
    if team.number is None:
        return OLD_TEAM.format("", {"tag": OLD_TEAM_TAG, "name": team.name}, map(str, team.members))
    values = {
        "number": str(team.number),
        "name": team.name,
        "nick": team.nick,
        "strength": team.strength,
        "match_points": points_text(team.match_points),
        "game_points": points_text(team.game_points),
        "rank": "" if team.rank is None else str(team.rank),
    }
    return TEAM.format(TEAM_TAG, values, map(str, team.members))


def format_record(record: Record) -> str:
    """Return the line of a record."""
    if record.tag in NUMBER_LISTS:
        return " ".join([record.tag, *map(str, record.numbers)])
    layout = RECORDS[record.tag]
    blank_is_zero = record.tag == "320"
    numbers = ("" if blank_is_zero and not number else str(number) for number in record.numbers)
    return layout.format(record.tag, record.fields, numbers)


def _team(line: PlayerLine, layout: Layout, notes: Notes) -> Team | None:
    if not _aligned(line, layout, notes):
        return None
    fields = {column.name: text for column, text in layout.fields(line.text)}
    members = _numbers(line, layout, notes)
    if members is None:
        return None
    if layout is OLD_TEAM:
        return Team(fields["name"], members, line=line.line)
    return Team(
        fields["name"],
        members,
        digits(fields["number"]),
        fields["nick"],
        fields["strength"],
        _decimal(fields["match_points"]),
        _decimal(fields["game_points"]),
        digits(fields["rank"]),
        line.line,
    )


def _record(tag: str, line: PlayerLine, notes: Notes) -> Record | None:
    if tag in NUMBER_LISTS:
        words = line.text[3:].split()
        numbers = [digits(word) for word in words]
        if None in numbers:
            notes.add(Severity.WARNING, "record-unreadable", line.line, 5, tag=tag)
            return None
        return Record(tag, {}, tuple(number or 0 for number in numbers), line.line)
    layout = RECORDS[tag]
    if not _aligned(line, layout, notes):
        return None
    fields = {column.name: text for column, text in layout.fields(line.text) if text}
    start_numbers = _numbers(line, layout, notes)
    return None if start_numbers is None else Record(tag, fields, start_numbers, line.line)


def _aligned(line: PlayerLine, layout: Layout, notes: Notes) -> bool:
    """Return whether the fields are in their columns; other lines are kept unchanged."""
    column = next(_misplaced(line.text, layout), None)
    if column is None:
        return True
    notes.add(Severity.WARNING, "record-unreadable", line.line, column, tag=line.text[:3])
    return False


def _misplaced(text: str, layout: Layout) -> Iterator[int]:
    """Yield the columns with unexpected text."""
    for gap in layout.gaps:
        if text[gap - 1 : gap].strip():
            yield gap
    for column, field in layout.fields(text):
        if column.name in _DECIMALS:
            readable = not field or _decimal(field) is not None
        else:
            readable = not field or column.name in _TEXTS or digits(field) is not None
        if not readable:
            yield column.first


def _numbers(line: PlayerLine, layout: Layout, notes: Notes) -> tuple[int, ...] | None:
    numbers: list[int] = []
    for column, text in layout.tail.cut(line.text) if layout.tail else ():
        number = digits(text.strip() or "0")
        if number is None:
            notes.add(Severity.WARNING, "record-unreadable", line.line, column, tag=line.text[:3])
            return None
        numbers.append(number)
    return tuple(numbers)


def _decimal(text: str) -> Fraction | None:
    whole, dot, rest = text.lstrip("+-").partition(".")
    if digits(whole or "0") is None or digits(rest or "0") is None or not (whole or rest):
        return None
    value = Fraction(f"{whole or 0}{dot}{rest}" if rest else whole or "0")
    return -value if text.startswith("-") else value


def points_text(points: Fraction | None) -> str:
    """Return points with one decimal."""
    return "" if points is None else decimal_text(points, places=1)
