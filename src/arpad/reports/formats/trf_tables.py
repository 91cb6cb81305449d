"""Read many regular TRFs together: the columns of all their entrants become arrays, and no entrant becomes an object.

A report is regular if ``trf.read`` would read it without a finding, its start numbers are 1, 2, 3 …, and every field is
in its usual form. Any other file is left to ``trf.read``; a regular one gives the same report.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arpad.model.people import YEARS
from arpad.reports.formats.encoding import MOST_LINES, read_text
from arpad.reports.formats.federations import FEDERATIONS
from arpad.reports.formats.reader_findings import Notes
from arpad.reports.formats.trf import FOREIGN_TAGS, variant
from arpad.reports.formats.trf_columns import (
    CELL_STEP,
    DAYS,
    DEPUTY,
    FIRST_CELL,
    HEADER_LINES,
    OLD_TEAM_TAG,
    PLAYER,
    PLAYER_TAG,
    cell_column,
    rounds_in,
)
from arpad.reports.formats.trf_header import read_header
from arpad.reports.formats.trf_numbers import filled_lines, four_digit_numbers, lines_of
from arpad.reports.formats.trf_players import TITLES, PlayerLine
from arpad.reports.formats.trf_records import read_teams
from arpad.reports.report import MIRROR, Header, Result, Team
from arpad.reports.report_table import ReportTable, TableReport, report_of_table

Array = npt.NDArray[Any]

_HEADER_TAGS = frozenset({line.tag for line in HEADER_LINES} | {DEPUTY, DAYS, OLD_TEAM_TAG})
_BLANK = ord(" ")
_COLOUR, _RESULT, _BLANKS_OF_CELL = 5, 7, (4, 6, 8, 9)
"""Offsets in a cell."""

_GAPS = [column - 1 for column in (4, *PLAYER.gaps, FIRST_CELL - 2, FIRST_CELL - 1)]


def _letters_among(letters: str) -> Array:
    """Return by the code of a letter whether it is one of these."""
    among = np.zeros(256, np.bool_)
    among[list(letters.encode("ascii"))] = True
    return among


_SEXES, _COLOURS, _RESULTS = _letters_among(" mMwW"), _letters_among("wb- "), _letters_among("".join(Result))
_GAMES = _letters_among("".join(MIRROR))
"""Results that need an opponent."""


class _FileText(NamedTuple):
    """The header and the player lines of one file."""

    header: Header
    days: tuple[date | None, ...]
    format: str
    teams: tuple[Team, ...]
    bodies: list[str]
    lines: list[int]
    letters: bytes
    """The player lines, filled to the same width."""

    width: int


def read_tables(files: Sequence[bytes]) -> list[TableReport | None]:
    """Return the report in the bytes of each regular TRF, None for other files.

    Reports with as many rounds share a table.
    """
    reports: list[TableReport | None] = [None] * len(files)
    by_width: dict[int, list[tuple[int, _FileText]]] = {}
    for index, data in enumerate(files):
        text = _file_text(data)
        if text is not None:
            by_width.setdefault(text.width, []).append((index, text))
    for width, texts in by_width.items():
        table, regular = _table([text for _, text in texts], width)
        count = rounds_in(width)
        for report, (index, text) in enumerate(texts):
            if regular[report]:
                days = (*text.days[:count], *repeat(None, count - len(text.days)))
                source = partial(_source, files[index])
                reports[index] = report_of_table(
                    table, report, text.header, days, text.format, text.teams, source
                )
    return reports


# ------------------------------------------------------------------------------------------------- one file


def _file_text(data: bytes) -> _FileText | None:
    """Return the lines of a file by kind; None if a line needs a finding or is of an unusual kind."""
    lines = lines_of(data)
    if lines is None or len(lines) > MOST_LINES:
        return None
    by_tag: dict[str, list[PlayerLine]] = {}
    players: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(lines, start=1):
        tag = line[:3]
        if tag == PLAYER_TAG:
            players.append(line)
            numbers.append(number)
        elif tag in _HEADER_TAGS and not (tag in FOREIGN_TAGS and "|" in line):
            by_tag.setdefault(tag, []).append(PlayerLine(number, line))
        elif line:
            return None
    bodies = list(map(str.rstrip, players))
    filled = filled_lines(bodies)
    if filled is None:
        return None
    letters, width = filled
    rounds = rounds_in(width)
    if not rounds or min(map(len, bodies)) < cell_column(rounds):
        return None
    notes = Notes()
    header, days = read_header(by_tag, notes)
    teams = read_teams(by_tag, notes) if OLD_TEAM_TAG in by_tag else ()
    if notes.all() or (header.rounds and rounds > header.rounds):
        return None
    if to_come := days[rounds:]:
        header = replace(header, days_to_come=to_come)
    return _FileText(header, days, variant(by_tag, national=False), teams, bodies, numbers, letters, width)


def _source(data: bytes) -> tuple[str, ...]:
    return read_text(data).lines


_CUTS = {column.name: slice(column.first - 1, column.last) for column in PLAYER.columns}
_SEX = _CUTS["sex"].start


# ------------------------------------------------------------------------------------------- many files


def _table(texts: Sequence[_FileText], width: int) -> tuple[ReportTable, list[bool]]:
    """Return the columns of files with the same number of rounds, and which of the files are regular."""
    block = np.frombuffer(b"".join([text.letters for text in texts]), np.uint8).reshape(-1, width)
    bodies = [body for text in texts for body in text.bodies]
    size = [len(text.bodies) for text in texts]
    first = np.concatenate(([0], np.cumsum(size[:-1], dtype=np.int64)))
    cells = block[:, FIRST_CELL - 1 :].reshape(len(block), rounds_in(width), CELL_STEP)
    colours, results = (np.ascontiguousarray(cells[:, :, offset]) for offset in (_COLOUR, _RESULT))
    opponents, regular_cells = four_digit_numbers(cells[:, :, :4])
    regular_cells &= _COLOURS[colours] & _RESULTS[results] & (_GAMES[results] == (opponents > 0))
    for offset in _BLANKS_OF_CELL:
        regular_cells &= cells[:, :, offset] == _BLANK
    numbers, ratings, ranks = (
        four_digit_numbers(block[:, _CUTS[field]]) for field in ("number", "rating", "rank")
    )
    half_points, births, names, ids = (
        _half_points(block[:, _CUTS["half_points"]]),
        _births(block[:, _CUTS["born"]]),
        _names(bodies),
        _ids(block[:, _CUTS["id"]]),
    )
    in_order = numbers[0] == np.arange(1, len(block) + 1) - np.repeat(first, size)
    regular = np.logical_and.reduce(
        [
            regular_cells.all(axis=1),
            *(readable for _, readable in (numbers, ratings, ranks, half_points, births, names, ids)),
            in_order,
            ranks[0] > 0,
            (block[:, _GAPS] == _BLANK).all(axis=1),
            _SEXES[block[:, _SEX]],
            _codes_among(block[:, _CUTS["title"]], _TITLE_CODES),
            _codes_among(block[:, _CUTS["federation"]], _FEDERATION_CODES),
        ]
    )
    table = ReportTable(
        first=first.tolist(),
        size=size,
        lines=[line for text in texts for line in text.lines],
        names=names[0],
        read_texts=partial(_texts, bodies),
        numbers=ids[0],
        birth_days=births[0],
        ratings=ratings[0],
        highest=np.maximum.reduceat(ratings[0], first).tolist(),
        half_points=half_points[0],
        ranks=ranks[0],
        opponents=opponents,
        colours=colours,
        results=results,
    )
    return table, np.logical_and.reduceat(regular, first).tolist()


def _code(text: str) -> int:
    """Return three letters as one number."""
    return int.from_bytes(text.encode("ascii"), "big")


_TITLE_CODES = np.array(
    sorted({_code(form) for title in (*TITLES, "") for form in (title.rjust(3), title.ljust(3))})
)
_FEDERATION_CODES = np.array(sorted(map(_code, (*FEDERATIONS, "   "))))


def _codes_among(letters: Array, codes: Array) -> Array:
    """Return which rows of three letters are among some codes in order."""
    first, second, third = (letters[:, place].astype(np.int64) for place in range(3))
    given = first << 16 | second << 8 | third
    same: Array = codes[np.minimum(np.searchsorted(codes, given), len(codes) - 1)] == given
    return same


def _half_points(letters: Array) -> tuple[Array, Array]:
    """Return points such as ``10.5`` as half-points, and which are such points."""
    ones, half = letters[:, 1] - ord("0"), letters[:, 3]
    tens = np.where(letters[:, 0] == _BLANK, 0, letters[:, 0] - ord("0"))
    readable = (tens <= 9) & (ones <= 9) & (letters[:, 2] == ord("."))  # noqa: PLR2004  digits
    readable &= (half == ord("0")) | (half == ord("5"))
    return 2 * (10 * tens.astype(np.int16) + ones) + (half == ord("5")), readable


_DAYS_OF_MONTH = np.array([0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], np.int16)
_FEBRUARY, _DECEMBER = 2, 12


def _births(letters: Array) -> tuple[Array, Array]:
    """Return births as integers, and which are days such as 1990/05/17, years such as 1990/00/00, or blank."""
    digits = (letters[:, [0, 1, 2, 3, 5, 6, 8, 9]] - ord("0")).astype(np.int16)
    written = (digits <= 9).all(axis=1) & (letters[:, [4, 7]] == ord("/")).all(axis=1)  # noqa: PLR2004  digits
    year = digits[:, 0] * 1000 + digits[:, 1] * 100 + digits[:, 2] * 10 + digits[:, 3]
    month, day = digits[:, 4] * 10 + digits[:, 5], digits[:, 6] * 10 + digits[:, 7]
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    last = _DAYS_OF_MONTH[np.minimum(month, _DECEMBER)] - ((month == _FEBRUARY) & ~leap)
    days = written & (month >= 1) & (month <= _DECEMBER) & (day >= 1) & (day <= last) & (year > 0)
    years = written & (month == 0) & (day == 0) & (year >= YEARS.start) & (year < YEARS.stop)
    blank = (letters == _BLANK).all(axis=1)
    figures = np.where(days | years, year * np.int32(10_000) + (month * np.int16(100) + day), 0)
    return figures, days | years | blank


def _names(bodies: Sequence[str]) -> tuple[list[str], Array]:
    """Return the names, and which are neither empty nor as long as their column."""
    cut = _CUTS["name"]
    names = [body[cut].strip() for body in bodies]
    lengths = np.fromiter(map(len, names), np.int16, len(names))
    return names, (lengths > 0) & (lengths < cut.stop - cut.start)


def _ids(letters: Array) -> tuple[Array, Array]:
    """Return the numbers of the players as integers, negative with zeros before them; and which are of digits."""
    digits = letters - ord("0")
    are_digits = digits <= 9  # noqa: PLR2004  digits
    values = np.zeros(len(letters), np.int64)
    for place in range(letters.shape[1]):
        values = np.where(are_digits[:, place], values * 10 + digits[:, place], values)
    readable = (are_digits | (letters == _BLANK)).all(axis=1)
    readable &= (are_digits[:, 1:] & ~are_digits[:, :-1]).sum(axis=1) + are_digits[:, 0] <= 1
    return np.where(values >= _LEAST_OF_SIZE[are_digits.sum(axis=1)], values, -values), readable


_LEAST_OF_SIZE = 10 ** np.maximum(np.arange(_CUTS["id"].stop - _CUTS["id"].start + 1, dtype=np.int64) - 1, 0)
"""The smallest integer that is written with no digit, one digit, and so on."""


def _texts(bodies: Sequence[str], field: str, rows: slice) -> list[str]:
    """Return the sexes, titles, federations or numbers of some entrants."""
    cut = _CUTS[field]
    texts = [body[cut].strip() for body in bodies[rows]]
    if field == "sex":
        return [text.lower() for text in texts]
    return [text if text.strip("0") else "" for text in texts] if field == "id" else texts
