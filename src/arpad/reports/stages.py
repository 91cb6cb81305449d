"""Merge reports of one event, its stages (2009 6.2) or groups, and keep their files in one archive.

The archive is a ZIP without compression, its members in their order after a first one that names its kind; so the bytes
of each stage are kept, and the same stages give the same archive.
"""

import io
import zipfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from arpad.model import names
from arpad.model.errors import Unreadable
from arpad.model.rules import Finding, Severity
from arpad.reports.formats import read_report
from arpad.reports.report import Entrant, Header, Report, Round


def merge_stages(reports: Sequence[Report]) -> Report:
    """Return one report for several (6.2): groups side by side, stages one after the other.

    Entrants of two files are the same player if the ids agree, or without ids the names and births; an id with two
    names gives a finding. Two lines of one file are never the same player. Start numbers are assigned anew.
    """
    ordered = sorted(
        reports, key=lambda report: (report.header.first_day is None, report.header.first_day or 0)
    )
    everyone: dict[str, Entrant] = {}
    findings = [finding for report in ordered for finding in report.findings]
    seated: list[list[int]] = []
    for report in ordered:
        seats: list[int] = []
        occurrences: Counter[str] = Counter()
        for entrant in report.entrants:
            same = _identity(entrant)
            occurrences[same] += 1
            if occurrences[same] > 1:
                same = f"{same} {occurrences[same]}"
            if same not in everyone:
                everyone[same] = replace(
                    entrant, number=len(everyone) + 1, half_points=None, rank=None, line=None
                )
            elif names.key(everyone[same].name) != names.key(entrant.name):
                about = {"id": entrant.id, "one": everyone[same].name, "other": entrant.name}
                findings.append(Finding(Severity.ERROR, "one-id-two-names", facts=about))
            seats.append(everyone[same].number)
        seated.append(seats)
    rounds: list[Round] = []
    for part, (report, seats) in enumerate(zip(ordered, seated, strict=True)):
        beside = part > 0 and not any(set(seats) & set(earlier) for earlier in seated[:part])
        spread = [_spread(cells, report, seats, len(everyone)) for cells in report.rounds]
        rounds = _beside(rounds, spread) if beside else rounds + spread
    return Report(
        header=_header([report.header for report in ordered], len(everyone), len(rounds)),
        entrants=tuple(everyone.values()),
        rounds=tuple(rounds),
        teams=tuple(
            replace(team, members=tuple(_seat(number, report, seats, 0) for number in team.members))
            for report, seats in zip(ordered, seated, strict=True)
            for team in report.teams
        ),
        format="together",
        findings=tuple(findings),
    )


def _identity(entrant: Entrant) -> str:
    return f"id {entrant.id}" if entrant.id else f"{names.key(entrant.name)} {entrant.born}"


def _seat(number: int, report: Report, seats: Sequence[int], absent: int) -> int:
    """Return the new number of a start number of one file; ``absent`` if the file has no such player."""
    index = report.places.get(number)
    return absent if index is None else seats[index]


def _spread(cells: Round, report: Report, seats: Sequence[int], players: int) -> Round:
    """Return a round of one file with columns for all players."""
    opponents, colours, results = [0] * players, [" "] * players, [" "] * players
    for index, seat in enumerate(seats):
        opponent = cells.opponents[index]
        # an opponent missing from the file must not become the entrant that now has this number
        opponents[seat - 1] = _seat(opponent, report, seats, players + opponent) if opponent else 0
        colours[seat - 1], results[seat - 1] = cells.colours[index], cells.results[index]
    return replace(cells, opponents=tuple(opponents), colours="".join(colours), results="".join(results))


def _beside(rounds: list[Round], parallel: list[Round]) -> list[Round]:
    """Return the rounds of two groups played at the same time, merged column by column."""
    shorter = min(len(rounds), len(parallel))
    both = [_merged(*pair) for pair in zip(rounds, parallel, strict=False)]
    return [*both, *rounds[shorter:], *parallel[shorter:]]


def _merged(first: Round, second: Round) -> Round:
    """Return a round with the cells of the second one where it has a game or a result."""
    cells = [
        other if other[0] or other[2] != " " else own
        for own, other in zip(
            zip(first.opponents, first.colours, first.results, strict=True),
            zip(second.opponents, second.colours, second.results, strict=True),
            strict=True,
        )
    ]
    opponents, colours, results = zip(*cells, strict=True) if cells else ((), (), ())
    return Round(opponents, "".join(colours), "".join(results), first.day or second.day)


def _header(headers: list[Header], players: int, rounds: int) -> Header:
    """Return the header of the first file with the days of all."""
    ends = [header.last_day for header in headers if header.last_day]
    arbiters = [name for header in headers for name in (header.chief_arbiter, *header.deputies) if name]
    return replace(
        headers[0],
        last_day=max(ends, default=None),
        players=players,
        rated_players=None,
        teams=None,
        rounds=rounds,
        deputies=tuple(dict.fromkeys(name for name in arbiters if name != headers[0].chief_arbiter)),
        days_to_come=(),
    )


# ------------------------------------------------------------ stages on file as one archive

_KIND = "arpad-stages"
_MOMENT = (1980, 1, 1, 0, 0, 0)
_NAME_AT = 30
"""Offset of the name of the first member in a ZIP."""

MAX_STAGES = 20
"""The most stages of an event."""


def pack_stages(stages: Sequence[tuple[str, bytes]]) -> bytes:
    """Return the archive of stages, each a file name and its bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        members = [(_KIND, b"1\n")]
        members += [(f"{number:02}/{name}", data) for number, (name, data) in enumerate(stages, start=1)]
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name, _MOMENT), data)
    return out.getvalue()


def holds_stages(data: bytes) -> bool:
    """Return whether bytes are an archive of stages."""
    return data.startswith(b"PK") and data[_NAME_AT : _NAME_AT + len(_KIND)] == _KIND.encode()


def read_filed(data: bytes, file: str = "") -> Report:
    """Return the report in the bytes of a file, or the merged report of an archive of stages."""
    if not holds_stages(data):
        return read_report(data, file)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [item for item in archive.infolist() if item.filename != _KIND]
            stored = all(item.compress_type == zipfile.ZIP_STORED for item in members)
            if not stored or not 0 < len(members) <= MAX_STAGES:
                raise Unreadable("file-zip")
            stages = [(item.filename.partition("/")[2], archive.read(item)) for item in members]
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError) as error:
        raise Unreadable("file-zip") from error
    return merge_stages([read_report(content, name) for name, content in stages])
