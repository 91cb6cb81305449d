"""Ten times as many letters in any field take about ten times as long to read, never a hundred times.

The tests compare processor time, and only if it is long enough to mean something: a linear reader stays far below the
floor or near ten times, a quadratic one needs a hundred times.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import date
from itertools import chain

import pytest

from arpad.checks.proposals import propose_for_file
from arpad.model.errors import ArpadError
from arpad.model.names import fold, key
from arpad.rating.preview import rate
from arpad.reports.formats import read_report
from arpad.reports.formats.crosstable import Habits, habits_of, read_cell
from arpad.reports.formats.sheet_words import round_number
from arpad.reports.formats.written_values import read_birth, read_day
from arpad.system.spreadsheet_cells import escape
from tests.fuzz.readers import survives
from tests.reports.formats.fields import Field, every_field, every_place
from tests.thinning import one_in

LETTERS = (
    *" \t\n\r\xa0\u2028\x00", *"019aAWfxeéß½İ٣\u0301", *".,;:-+=/\\'\"()[]{}<>&%$#@!?*_|^~`",
)  # fmt: skip
PAIRS = (
    "a ", "1 ", "A ", "1.", "1,", "a.", "ae", ", ", "- ", "= ", "0/", "1:", "W=", "f ", "f(", "( ", "[ ", "[a", "{}",
    "()", '\\"', '""', "<a", "&a", "&amp;", "1\n", "a\n", "|a", ";a", "\t1", "a'", "1+", "h ", "de ", "5/5/", "_x0041_",
    "001    1\n", '[Event "',
)  # fmt: skip
RUNS = (*LETTERS, *PAIRS)
ALWAYS = (" ", "A")
"""Runs that each field gets in the normal suite; of the others every field gets a 24th, the deep tests all."""

FLOOR_SECONDS = 0.25
MOST_TIMES = 30
"""Ten is linear, a hundred quadratic."""

LONG_RUN = 10_000
"""Characters from which a quadratic reader would take minutes."""


def run(letters: str, size: int) -> bytes:
    """Return the letters repeated up to a number of characters."""
    return (letters * (size // len(letters) + 1))[:size].encode("utf-8", "surrogatepass")


def seconds(field: Field, letters: str, size: int) -> float:
    """Return the processor time of reading a file with a run of letters in one field."""
    data = field.before + run(letters, size) + field.after
    before = time.process_time()
    survives(field.reader, data)
    return time.process_time() - before


def slow_run(field: Field, letters: str, small: int, large: int) -> str:
    """Return the run and its times if reading grows faster than the file, else nothing.

    The short run is read only if the long one is slow; before a very long run it is read first, so that a quadratic
    reader fails soon.
    """
    if large > LONG_RUN and (few := seconds(field, letters, small)) > FLOOR_SECONDS:
        fewer = min(seconds(field, letters, small // 10) for _ in range(2))
        few = min(few, seconds(field, letters, small))
        return f"{field} {letters!r}: {fewer:.3f} s, {few:.3f} s" if few > MOST_TIMES * fewer else ""
    many = seconds(field, letters, large)
    if many <= FLOOR_SECONDS:
        return ""
    few = max(seconds(field, letters, small) for _ in range(2))
    many = min(many, seconds(field, letters, large))
    too_slow = many > max(FLOOR_SECONDS, MOST_TIMES * few)
    return f"{field} {letters!r}: {few:.3f} s, {many:.3f} s" if too_slow else ""


def slow_runs(fields: Iterable[tuple[Field, Sequence[str]]], small: int, large: int) -> list[str]:
    sentences = (slow_run(field, letters, small, large) for field, runs in fields for letters in runs)
    return [sentence for sentence in sentences if sentence]


FIELDS = tuple(every_field())
FORMATS = sorted({field.format for field in FIELDS})


@pytest.mark.parametrize("form", one_in(6, FORMATS))
def test_reading_time_is_linear_in_any_field(form: str) -> None:
    rest = [letters for letters in RUNS if letters not in ALWAYS]
    fields = [
        (field, (*ALWAYS, *rest[number % 24 :: 24]))
        for number, field in enumerate(FIELDS)
        if field.format == form
    ]
    assert slow_runs(fields, 1_000, 10_000) == []


POINTS = [field for field in FIELDS if field.name in ("162", "362", "XXS", "BBW", "BBD", "162 end")]
RESULTS = [
    field for field in FIELDS if field.format == "games sheet" and field.name[:5] in ("1-0 f", "Resul")
]


@pytest.mark.parametrize("field", [*POINTS, *RESULTS], ids=str)
def test_blanks_and_letters_between_points_and_in_results(field: Field) -> None:
    """500 blanks after 162 took 1.5 s, 2,000 took 64 s; a result of 10,000 blanks a second."""
    assert slow_runs([(field, (" ", "A", "f ", "\t"))], 10_000, 100_000) == []


@pytest.mark.parametrize("letters", one_in(4, RUNS))
def test_a_run_in_a_value(letters: str) -> None:
    """What forms, sheets and registers hand over whole, with something before and behind the run."""
    for before, after in (("", ""), ("2000-", "x"), ("1", "!"), ("12w", "?"), ("1 de", "de 99"), ("R", "1")):
        spent = []
        for size in (1_000, 10_000):
            text = before + run(letters, size).decode("utf-8", "replace") + after
            begun = time.process_time()
            read_birth(text)
            read_day(text)
            read_cell(text, Habits())
            habits_of([text])
            escape(text)
            round_number(text)
            key(text)
            fold(text)
            spent.append(time.process_time() - begun)
        assert spent[1] < max(FLOOR_SECONDS, MOST_TIMES * spent[0]), (before, letters, after)


def wide_rounds(size: int) -> list[str]:
    """A heading with as many rounds as the size, and two players in all of them."""
    heading = ",".join(("No", "Name", "Rating", *(f"R{number}" for number in range(size))))
    return [heading, "1,Rossi,1500" + ",2w1" * size, "2,Bianchi,1600" + ",1b1" * size]


def repeated_heading(size: int) -> list[str]:
    """The same heading as many times as the size: all but the first are columns that nobody knows."""
    return [",".join(("No", "Name", "R1", *["Rating"] * size)), "1,Rossi,2w1", "2,Bianchi,1b0"]


def wrong_cells(size: int) -> list[str]:
    """A cross-table with about as many cells as the size, in which every cell is wrong."""
    side = range(1, int(size**0.5) + 2)
    heading = ",".join(("No", "Name", "Rating", "Points", *(f"R{number}" for number in side)))
    return [
        heading,
        *(f"{number},Player {number},15x0,½," + ",".join(f"{other}w?" for other in side) for number in side),
    ]


@pytest.mark.parametrize("table", [wide_rounds, repeated_heading, wrong_cells])
def test_the_time_for_a_sheet_is_linear_in_its_cells(table: Callable[[int], list[str]]) -> None:
    """5,000 headings (60 kB) took six seconds: each finding took its whole line apart."""
    spent = []
    for size in (1_000, 10_000):
        data = "\n".join(("Event,Open", "First day,2024-03-01", *table(size))).encode()
        begun = time.process_time()
        with suppress(ArpadError):
            report = read_report(data, "open.csv")
            rate(report)
            propose_for_file(report)
        spent.append(time.process_time() - begun)
    assert spent[1] < max(FLOOR_SECONDS, MOST_TIMES * spent[0]), spent


def test_a_year_with_blanks_is_still_a_year() -> None:
    assert read_birth("1990 - 00 - 00") == (1990, True)
    assert read_birth("1990/ 0 0") == (1990, True)
    assert read_birth("1990-05-17") == (date(1990, 5, 17), True)


@pytest.mark.deep
@pytest.mark.parametrize("form", FORMATS)
def test_every_run_in_every_field(form: str) -> None:
    fields = [(field, RUNS) for field in FIELDS if field.format == form]
    assert slow_runs(fields, 10_000, 100_000) == []


PLACES = tuple(every_place())


@pytest.mark.deep
@pytest.mark.parametrize("form", sorted({field.format for field in PLACES}))
def test_a_run_at_every_place(form: str) -> None:
    fields = [(field, RUNS[number % 8 :: 8]) for number, field in enumerate(PLACES) if field.format == form]
    assert slow_runs(chain(fields), 1_000, 10_000) == []
