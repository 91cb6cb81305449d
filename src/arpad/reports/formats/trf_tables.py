"""Read many regular TRFs together: the columns of all their entrants become arrays, and no entrant becomes an object.

A report is regular if ``trf.read`` would read it without a finding, its start numbers are 1, 2, 3 …, and every field is
in its usual form. Any other file is left to ``trf.read``; a regular one gives the same report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from arpad.model.federations import FEDERATIONS
from arpad.model.people import YEARS
from arpad.reports.formats.encoding import MOST_LINES, read_text
from arpad.reports.formats.findings import Notes
from arpad.reports.formats.trf import FOREIGN_TAGS, variant
from arpad.reports.formats.trf_columns import (
    CELL_STEP,
    DAYS,
    DEPUTY,
    FIRST_CELL,
    HEADER_LINES,
    MAX_PLAYERS,
    MAX_ROUNDS,
    OLD_TEAM_TAG,
    PLAYER,
    cell_column,
    rounds_in,
)
from arpad.reports.formats.trf_header import read_header
from arpad.reports.formats.trf_numbers import (
    PLAYER_LINE,
    FileLines,
    four_digit_numbers,
    lines_of_files,
)
from arpad.reports.formats.trf_players import TITLES, PlayerLine
from arpad.reports.formats.trf_records import read_teams
from arpad.reports.letter_arrays import EIGHT, eight_letters
from arpad.reports.report import MIRROR, Header, Result, Team
from arpad.reports.report_table import EntrantTexts, ReportTable, TableReport, letters_among, report_of_table

Array = npt.NDArray[Any]

_HEADER_TAGS = frozenset({line.tag for line in HEADER_LINES} | {DEPUTY, DAYS, OLD_TEAM_TAG})
_BLANK = ord(" ")
_COLOUR, _RESULT, _BLANKS_OF_CELL = 5, 7, (4, 6, 8, 9)
"""Offsets in a cell."""

_GAPS = [slice(column - 1, column) for column in (4, *PLAYER.gaps, FIRST_CELL - 2, FIRST_CELL - 1)]


_SEXES, _COLOURS, _RESULTS = letters_among(" mMwW"), letters_among("wb- "), letters_among("".join(Result))
_GAMES = letters_among("".join(MIRROR))
"""Results that need an opponent."""


class _FileText(NamedTuple):
    """The lines of one file that are not of players."""

    header: Header
    days: tuple[date | None, ...]
    format: str
    teams: tuple[Team, ...]


def read_tables(files: Sequence[bytes]) -> list[TableReport | None]:
    """Return the report in the bytes of each regular TRF, None for other files.

    Reports with as many rounds share a table.
    """
    reports: list[TableReport | None] = [None] * len(files)
    if not files:
        return reports
    lines = lines_of_files(files)
    players = _player_lines(lines)
    rounds = _rounds_of_files(lines, players)
    texts = _file_texts(lines, rounds)
    for count in sorted({rounds[file] for file in texts}):
        of_table = [file for file in texts if rounds[file] == count]
        table, regular = _table(lines, players.of_files(of_table), count)
        for index, file in enumerate(of_table):
            if regular[index]:
                text = texts[file]
                days = (*text.days[:count], *repeat(None, count - len(text.days)))
                source = partial(_source, files[file])
                reports[file] = report_of_table(
                    table, index, text.header, days, text.format, text.teams, source
                )
    return reports


def _source(data: bytes) -> tuple[str, ...]:
    return read_text(data).lines


# ------------------------------------------------------------------------------------------- lines of players


class _PlayerLines(NamedTuple):
    """The lines of players, in the order of the files."""

    file: Array
    number: Array
    """Counted from 1 in each file."""

    begin: Array
    length: Array
    """In letters, without blanks at the end."""

    surplus: Array
    """Bytes that letters outside ASCII have in addition to one."""

    def of_files(self, files: Sequence[int]) -> _PlayerLines:
        """Return those of some files."""
        chosen = np.isin(self.file, files)
        return _PlayerLines(*(column[chosen] for column in self))


def _player_lines(lines: FileLines) -> _PlayerLines:
    rows = np.flatnonzero(lines.tag == PLAYER_LINE)
    file, begin, surplus = lines.file[rows], lines.begin[rows], lines.surplus[rows]
    first_lines = np.searchsorted(lines.file, np.arange(len(lines.usable)))
    length = lines.stripped_ends(rows) - begin - surplus
    return _PlayerLines(file, rows - first_lines[file] + 1, begin, length, surplus)


def _rounds_of_files(lines: FileLines, players: _PlayerLines) -> list[int]:
    """Return the number of rounds of each file; 0 if it is not regular, or a line does not reach the last round."""
    count = len(lines.usable)
    rounds = [0] * count
    sizes = np.bincount(players.file, minlength=count)
    with_players = np.flatnonzero(sizes)
    if not len(with_players):
        return rounds
    firsts = (np.cumsum(sizes) - sizes)[with_players]
    longest, shortest = (reduce.reduceat(players.length, firsts) for reduce in (np.maximum, np.minimum))
    regular = lines.usable & (sizes <= MAX_PLAYERS) & (np.bincount(lines.file) <= MOST_LINES)
    for file, most, least in zip(with_players.tolist(), longest.tolist(), shortest.tolist(), strict=True):
        number = rounds_in(most)
        if regular[file] and 0 < number <= MAX_ROUNDS and least >= cell_column(number):
            rounds[file] = number
    return rounds


# ------------------------------------------------------------------------------------------------- other lines


def _file_texts(lines: FileLines, rounds: Sequence[int]) -> dict[int, _FileText]:
    """Return the other lines of each file with rounds; without files that need a finding or have an unusual line."""
    by_file: dict[int, dict[str, list[PlayerLine]]] = {
        file: {} for file, number in enumerate(rounds) if number
    }
    others = np.flatnonzero((lines.tag != PLAYER_LINE) & (lines.end > lines.begin))
    first_lines = np.searchsorted(lines.file, np.arange(len(rounds)))
    files = lines.file[others]
    columns = (files, others - first_lines[files] + 1, lines.begin[others], lines.end[others])
    for file, number, begin, end in zip(*(column.tolist() for column in columns), strict=True):
        by_tag = by_file.get(file)
        if by_tag is None:
            continue
        line = lines.joined[begin:end].decode()
        tag = line[:3]
        if tag in _HEADER_TAGS and not (tag in FOREIGN_TAGS and "|" in line):
            by_tag.setdefault(tag, []).append(PlayerLine(number, line))
        else:
            del by_file[file]
    texts = {file: _file_text(by_tag, rounds[file]) for file, by_tag in by_file.items()}
    return {file: text for file, text in texts.items() if text is not None}


def _file_text(by_tag: Mapping[str, Sequence[PlayerLine]], rounds: int) -> _FileText | None:
    """Return what the lines of a file say that are not of players; None if they need a finding."""
    notes = Notes()
    header, days = read_header(by_tag, notes)
    teams = read_teams(by_tag, notes) if OLD_TEAM_TAG in by_tag else ()
    if notes.all() or (header.rounds and rounds > header.rounds):
        return None
    if to_come := days[rounds:]:
        header = replace(header, days_to_come=to_come)
    return _FileText(header, days, variant(by_tag, national=False), teams)


# ------------------------------------------------------------------------------------------------------ tables

_CUTS = {column.name: slice(column.first - 1, column.last) for column in PLAYER.columns}
_NAME = _CUTS["name"]


class _Letters(NamedTuple):
    """The letters of players' lines before their names, and behind them: there are letters outside ASCII in names."""

    before: Array
    behind: Array

    def column(self, cut: slice) -> Array:
        """Return some letters of all lines."""
        if cut.stop <= _NAME.start:
            return self.before[:, cut]
        return self.behind[:, cut.start - _NAME.stop : cut.stop - _NAME.stop]


def _letters_of(lines: FileLines, players: _PlayerLines, rounds: int) -> _Letters:
    """Return the letters of players' lines, filled with blanks at the end."""
    width = cell_column(rounds + 1) - 1 - _NAME.stop
    at = (players.begin + players.surplus + _NAME.stop)[:, None] + np.arange(0, width, 8)
    behind = eight_letters(lines.letters, at).reshape(len(at), -1)[:, :width]
    last_cell = behind[:, -CELL_STEP:]
    last_cell[np.arange(CELL_STEP) > (players.length - cell_column(rounds))[:, None]] = _BLANK
    before = eight_letters(lines.letters, players.begin[:, None] + np.arange(0, _NAME.start, 8))
    return _Letters(before.reshape(len(at), -1), behind)


def _table(lines: FileLines, players: _PlayerLines, rounds: int) -> tuple[ReportTable, list[bool]]:
    """Return the columns of files with the same number of rounds, and which of the files are regular."""
    letters = _letters_of(lines, players, rounds)
    count = len(players.file)
    first = np.flatnonzero(np.diff(players.file, prepend=-1))
    size = np.diff(first, append=count)
    cells = letters.behind[:, FIRST_CELL - 1 - _NAME.stop :].reshape(count, rounds, CELL_STEP)
    colours, results = (np.ascontiguousarray(cells[:, :, offset]) for offset in (_COLOUR, _RESULT))
    opponents, regular_cells = four_digit_numbers(cells[:, :, :4])
    regular_cells &= _COLOURS[colours] & _RESULTS[results] & (_GAMES[results] == (opponents > 0))
    for offset in _BLANKS_OF_CELL:
        regular_cells &= cells[:, :, offset] == _BLANK
    numbers, ratings, ranks = (
        four_digit_numbers(letters.column(_CUTS[field])) for field in ("number", "rating", "rank")
    )
    half_points, births, names, ids = (
        _half_points(letters.column(_CUTS["half_points"])),
        _births(letters.column(_CUTS["born"])),
        _names(lines, players),
        _ids(letters.column(_CUTS["id"])),
    )
    federations = letters.column(_CUTS["federation"])
    in_order = numbers[0] == np.arange(1, count + 1) - np.repeat(first, size)
    regular = np.logical_and.reduce(
        [
            regular_cells.all(axis=1),
            *(readable for _, readable in (numbers, ratings, ranks, half_points, births, names, ids)),
            in_order,
            ranks[0] > 0,
            *((letters.column(gap) == _BLANK)[:, 0] for gap in _GAPS),
            _SEXES[letters.column(_CUTS["sex"])[:, 0]],
            _codes_among(letters.column(_CUTS["title"]), _TITLE_CODES),
            _codes_among(federations, _FEDERATION_CODES),
        ]
    )
    table = ReportTable(
        first=first.tolist(),
        size=size.tolist(),
        lines=players.number.tolist(),
        names=names[0],
        read_texts=partial(_texts, letters),
        numbers=ids[0],
        birth_days=births[0],
        ratings=ratings[0],
        highest=np.maximum.reduceat(ratings[0], first).tolist(),
        without_federation=np.logical_or.reduceat((federations == _BLANK).all(axis=1), first).tolist(),
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


def _names(lines: FileLines, players: _PlayerLines) -> tuple[list[str], Array]:
    """Return the names, and which are neither empty nor as long as their column."""
    width = _NAME.stop - _NAME.start
    sizes = (width + players.surplus)[:, None]
    columns = np.arange(0, int(sizes.max()) + 1, EIGHT)
    letters = eight_letters(lines.letters, (players.begin + _NAME.start)[:, None] + columns)
    letters = letters.reshape(len(sizes), -1)
    letters[np.arange(letters.shape[1]) >= sizes] = _BLANK
    letters[:, -1] = ord("\n")
    names = [name.strip() for name in letters.tobytes().decode(errors="replace").split("\n")[:-1]]
    lengths = np.fromiter(map(len, names), np.int16, len(names))
    return names, (lengths > 0) & (lengths < width)


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


def _texts(letters: _Letters, row: int) -> EntrantTexts:
    """Return sex, title, federation and number of an entrant."""
    before, behind = (each.tobytes().decode("latin-1") for each in (letters.before[row], letters.behind[row]))
    id_ = behind[_ID].strip()
    return EntrantTexts(
        before[_CUTS["sex"]].strip().lower(),
        before[_CUTS["title"]].strip(),
        behind[_FEDERATION].strip(),
        id_ if id_.strip("0") else "",
    )


_FEDERATION, _ID = (
    slice(_CUTS[field].start - _NAME.stop, _CUTS[field].stop - _NAME.stop) for field in ("federation", "id")
)
"""Letters behind the name."""
