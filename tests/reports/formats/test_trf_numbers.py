"""Reports as numbers: nothing, or exactly what the reader proper reads."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arpad.model.errors import ArpadError
from arpad.reports.formats import read_report
from tests.builders.trf import HEAD, PAIR, player, text
from tests.shared_data import real_files
from tests.thinning import examples

trf_numbers = pytest.importorskip(
    "arpad.reports.formats.trf_numbers", reason="the extra `scale` is not installed"
)

FULL = text(
    *HEAD,
    player(1, "   2 w 1", "   3 b =", "0000 - H", name="Bianchi, Ada"),
    player(2, "   1 b 0", "   4 w +", "   3 w 0", name="Öztürk, Ela"),
    player(3, "   4 w =", "   1 w =", "   2 b 1", name="陈, 静"),
    player(4, "   3 b =", "   2 b -", "0000 - Z"),
    end="\r\n",
)


def agrees(data: bytes) -> bool:
    """Return whether the file is read as numbers; if so, compare them with the full reader."""
    told = trf_numbers.read_numbers(data)
    if told is None:
        return False
    report = read_report(data)
    header = report.header
    assert (told.name, told.first_day, told.last_day) == (header.name, header.first_day, header.last_day)
    assert told.time_control == (header.time_control, header.coded_time_control)
    assert told.numbers.tolist() == [entrant.number for entrant in report.entrants]
    assert [tuple(turn) for turn in told.opponents.tolist()] == [cells.opponents for cells in report.rounds]
    for turn, cells in zip(told.results.tolist(), report.rounds, strict=True):
        for letter, result, opponent in zip(turn, cells.results, cells.opponents, strict=True):
            played = chr(letter) if chr(letter) in "1=0" and opponent else ""
            assert played == (result if result in "1=0" and opponent else "")
    return True


def test_a_regular_report_is_read_as_numbers() -> None:
    assert agrees(FULL)
    assert agrees(text(*HEAD, *PAIR))
    assert agrees(text(*PAIR)), "without a header there are no days"


def test_many_reports_are_read_as_each_alone() -> None:
    files = [FULL, b"", text(*HEAD, *PAIR), FULL.replace(b"   3 b", b" 3 3 b"), FULL, text(*PAIR)]
    together = trf_numbers.read_many_numbers(files)
    alone = [trf_numbers.read_numbers(data) for data in files]
    assert [report is None for report in together] == [False, True, False, True, False, False]
    for one, other in zip(together, alone, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            assert one[:4] == other[:4]
            assert [column.tolist() for column in one[4:]] == [column.tolist() for column in other[4:]]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xef\xbb\xbf" + FULL,
        FULL.decode().encode("latin-1", "replace").replace(b"?", b"\xf6"),
        FULL.replace(b"\r\n", b"\n", 1),
        FULL.replace(b"2024/03/01", b"01.03.2024"),
        FULL.replace(b"2024/03/01", b"9999/03/01"),
        FULL.replace(b"   2 w 1", b" 2 2 w 1"),
        FULL.replace(b"001    4", b"001    0"),
        FULL + b"012 Once more\r\n",
        FULL.replace(b"Ada", b"A\x00a"),
        b"012 Nobody\n",
    ],
    ids=str,
)
def test_an_irregular_report_is_left_to_the_full_reader(data: bytes) -> None:
    assert not agrees(data)


@settings(max_examples=examples(300), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(FULL) - 1), st.binary(min_size=1, max_size=2)), max_size=4),
    st.integers(0, 3),
)
def test_whatever_is_changed_the_two_readers_agree(changes: list[tuple[int, bytes]], dropped: int) -> None:
    data = bytearray(FULL)
    for place, letters in changes:
        data[place : place + len(letters)] = letters
    del data[len(data) // 2 : len(data) // 2 + dropped]
    try:
        read_report(bytes(data))
    except ArpadError:
        assert trf_numbers.read_numbers(bytes(data)) is None
    else:
        agrees(bytes(data))


def test_real_reports_are_read_alike() -> None:
    files = real_files("trf")
    if not files:
        pytest.skip("the real files are not here")
    assert any(_or_refused(path.read_bytes()) for path in files[:150])


def _or_refused(data: bytes) -> bool:
    try:
        return agrees(data)
    except ArpadError:
        return False


def test_one_file_in_another_encoding_leaves_the_others_to_columns() -> None:
    """Letters outside ASCII are looked at together; only the file that is no UTF-8 goes to the full reader."""
    odd = FULL.decode().encode("latin-1", "replace").replace(b"?", b"\xf6")
    among_cells = FULL.replace(b"   3 w 0", "   3 w é".encode())
    files = [FULL, odd, among_cells, FULL.replace(b"\r\n", b"\n"), FULL.rstrip()]
    together = trf_numbers.read_many_numbers(files)
    assert [report is None for report in together] == [False, True, True, False, False]


@settings(max_examples=examples(100), deadline=None)
@given(st.lists(st.sampled_from(["0", "9", " ", "x", "\xe9", "/", ":"]), min_size=4, max_size=4))
def test_four_letters_are_a_number_if_only_blanks_are_around_its_digits(letters: list[str]) -> None:
    import numpy as np

    text_ = "".join(letters)
    value, regular = trf_numbers.four_digit_numbers(np.frombuffer(text_.encode("latin-1"), np.uint8)[None])
    digits = text_.strip(" ")
    assert bool(regular[0]) == (not digits or (digits.isascii() and digits.isdigit()))
    if regular[0]:
        assert int(value[0]) == int(digits or 0)
