"""Tournament reports in FIDE's own format: TRF16 with the habits of its predecessor, TRFx, TRF26.

Reading keeps every line; writing a report back changes only the lines whose values were changed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from arpad.errors import Unreadable
from arpad.formats.encoding import read_text
from arpad.formats.federations import FEDERATIONS
from arpad.formats.notes import Notes
from arpad.formats.trf_columns import (
    EXTENSIONS,
    KNOWN,
    NATIONAL,
    ONLY_TRF26,
    PLAYER,
    PLAYER_TAG,
    cell_column,
    rounds_in,
)
from arpad.formats.trf_header import read_header
from arpad.formats.trf_players import PlayerLine, digits, read_entrants, read_rounds
from arpad.formats.trf_records import read_records, read_teams
from arpad.model import Finding, Severity
from arpad.report import Entrant, Header, NationalEntry, Report, Round

FORMATS = ("trf16", "trfx", "trf26")
_RULER = re.compile(r"(?:(\w)\1\1|III|123|   )[\s\w/]*")
_FOREIGN = frozenset({"142", "152", "162", "172", "182", "192"})


def read(data: bytes, name: str = "") -> Report:  # noqa: ARG001 (all readers are called alike)
    """The report in a TRF."""
    text = read_text(data)
    return read_lines(text.lines, text.encoding, text.findings)


def read_lines(source: Sequence[str], encoding: str = "utf-8", findings: Sequence[Finding] = ()) -> Report:
    """The report in lines that were decoded already."""
    notes = Notes(list(findings))
    lines, national = _sorted_by_tag(source, notes)
    players = lines.get(PLAYER_TAG, [])
    if not players:
        raise Unreadable("no-players", line=1, column=1)
    header, days = read_header(lines, notes)
    entrants = read_entrants(players, PLAYER, notes)
    rounds = read_rounds(players, [entrant.number for entrant in entrants], notes)
    _note_missing_numbers(entrants, notes)
    _note_surplus(players, entrants, header, len(rounds), notes)
    dated = (*map(_dated, rounds, days), *rounds[len(days) :])
    return Report(
        header=replace(header, days_to_come=days[len(rounds) :]),
        entrants=entrants,
        rounds=dated,
        teams=read_teams(lines, notes),
        format=_variant(lines, national=bool(national)),
        source=tuple(source),
        national=_read_national(national, notes),
        records=read_records(lines, notes),
        encoding=encoding,
        findings=notes.all(),
    )


def _dated(cells: Round, day: date | None) -> Round:
    return replace(cells, day=day)


# ------------------------------------------------------------------------------------------------- lines


def _sorted_by_tag(
    source: Sequence[str], notes: Notes
) -> tuple[dict[str, list[PlayerLine]], list[PlayerLine]]:
    """The known lines by their tag, and the records of national ratings."""
    lines: defaultdict[str, list[PlayerLine]] = defaultdict(list)
    national: list[PlayerLine] = []
    for number, line in enumerate(source, start=1):
        body, tag = line.rstrip("\r\n"), line[:3]
        if tag in KNOWN and not (tag in _FOREIGN and "|" in body):
            lines[tag].append(PlayerLine(number, body))
        elif tag in FEDERATIONS and digits(body[4:8].strip()) is not None:
            national.append(PlayerLine(number, body))
        elif _says_something(body):
            notes.add(Severity.WARNING, "line-unknown", number, 1, tag=tag)
    return dict(lines), national


def _says_something(body: str) -> bool:
    """Whether a line is more than a comment, a blank or a ruler that shows the columns."""
    text = body.strip(" \t\x1a\f\v")
    return bool(text) and not body.startswith("#") and not _RULER.fullmatch(body)


def _variant(lines: dict[str, list[PlayerLine]], *, national: bool) -> str:
    tags = frozenset(lines)
    if national or tags & ONLY_TRF26:
        return "trf26"
    return "trfx" if tags & EXTENSIONS else "trf16"


def _read_national(lines: list[PlayerLine], notes: Notes) -> tuple[NationalEntry, ...]:
    """National ratings; what is odd about them is of no concern here."""
    entrants = read_entrants(lines, NATIONAL, Notes())
    for line, entrant in zip(lines, entrants, strict=True):
        notes.count(Severity.INFO, "national-ratings", line.line, 1, player=entrant.number, body=line.text[:3])
    return tuple(NationalEntry(line.text[:3], entrant) for line, entrant in zip(lines, entrants, strict=True))


# -------------------------------------------------------------------------------------- the whole at a glance


def _note_missing_numbers(entrants: Sequence[Entrant], notes: Notes) -> None:
    """Start numbers that nobody has although higher ones are taken."""
    taken = {entrant.number for entrant in entrants} - {0}
    if len(taken) == max(taken, default=0):
        return
    missing = [number for number in range(1, max(taken)) if number not in taken]
    after = next(entrant for entrant in entrants if entrant.number > missing[0])
    shown = (*missing[:10], *(["…"] if len(missing) > 10 else []))  # noqa: PLR2004
    notes.add(Severity.WARNING, "start-numbers-missing", after.line, 5, count=len(missing), numbers=shown)


def _note_surplus(
    players: Sequence[PlayerLine], entrants: Sequence[Entrant], header: Header, rounds: int, notes: Notes
) -> None:
    """Cells after the last round that the report declares."""
    declared = header.rounds
    if not declared or rounds <= declared:
        return
    for (line, text), entrant in zip(players, entrants, strict=True):
        if rounds_in(len(text.rstrip())) > declared:
            column = cell_column(declared + 1)
            notes.count(
                Severity.WARNING, "cells-surplus", line, column, player=entrant.number, declared=declared
            )
