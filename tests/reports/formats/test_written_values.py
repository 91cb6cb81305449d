"""Days and births in all the ways real files write them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arpad.model.people import Birth
from arpad.reports.formats.written_values import (
    format_birth,
    format_day,
    format_short_day,
    read_birth,
    read_day,
)


@pytest.mark.parametrize(
    ("written", "readings", "usual"),
    [
        ("2025/09/13", [date(2025, 9, 13)], True),
        ("2025-9-3", [date(2025, 9, 3)], True),
        ("20250913", [date(2025, 9, 13)], True),
        ("2025/09/13 15:30", [date(2025, 9, 13)], True),
        ("25/09/13", [date(2025, 9, 13), date(2013, 9, 25)], True),
        ("12/05/18", [date(2012, 5, 18), date(2018, 5, 12), date(2018, 12, 5)], True),
        ("98.12.31", [date(1998, 12, 31)], True),
        ("2025/13/09", [date(2025, 9, 13)], False),
        ("11.25.02", [date(2011, 2, 25)], False),
        ("31.12.98", [date(1998, 12, 31)], False),
        ("28. 07. 2005", [date(2005, 7, 28)], False),
        ("07/28/2005", [date(2005, 7, 28)], False),
        ("08/04/2018", [date(2018, 4, 8), date(2018, 8, 4)], False),
        ("04/04/2018", [date(2018, 4, 4)], False),
        ("May 10, 2020", [date(2020, 5, 10)], False),
        ("Jun 26 2020", [date(2020, 6, 26)], False),
        ("26th June 2020", [date(2020, 6, 26)], False),
        ("1º maggio 2020", [date(2020, 5, 1)], False),
        ("3. März 2019", [date(2019, 3, 3)], False),
        ("03-mar-24", [date(2024, 3, 3)], False),
        ("3/mag/2019", [date(2019, 5, 3)], False),
        ("31-dic-98", [date(1998, 12, 31)], False),
        ("31-feb-24", [], False),
        ("03-mar-024", [], False),
        ("3 de agosto de 2019", [date(2019, 8, 3)], False),
        ("2024/02/30", [], False),
        ("0000/00/00", [], False),
        ("0001/01/01", [], False),
        ("1799/12/31", [], False),
        ("1800/01/01", [date(1800, 1, 1)], True),
        ("2999/12/31", [date(2999, 12, 31)], True),
        ("9999/12/31", [], False),
        ("31.12.9999", [], False),
        ("Smarch 3, 2019", [], False),
        ("domani", [], False),
        ("123/4/5", [], False),
        ("٢٠٢٥/٠٩/١٣", [], False),
    ],
)
def test_days(written: str, readings: list[date], usual: bool) -> None:
    day = read_day(written)
    assert (list(day.readings), day.usual) == (readings, usual)


@pytest.mark.parametrize(
    ("written", "born", "readable"),
    [
        ("1969/12/06", date(1969, 12, 6), True),
        ("1969.12.06", date(1969, 12, 6), True),
        ("1965-06-01", date(1965, 6, 1), True),
        ("06.12.1969", date(1969, 12, 6), True),
        ("1978", 1978, True),
        ("1978/00/00", 1978, True),
        ("1997/00/", 1997, True),
        ("1990.  .", 1990, True),
        (".  .", None, True),
        ("", None, True),
        ("0000", None, True),
        ("0000/00/00", None, True),
        ("  /  /", None, True),
        ("99/1/2", None, False),
        ("1990/13/32", None, False),
        ("ieri", None, False),
    ],
)
def test_births(written: str, born: Birth, readable: bool) -> None:
    assert read_birth(written) == (born, readable)


@given(st.dates(date(1970, 1, 1), date(2069, 12, 31)))
def test_written_dates_read_back(day: date) -> None:
    assert read_day(format_day(day)).readings == (day,)
    assert read_day(format_short_day(day)).readings[0] == day
    assert read_birth(format_birth(day)) == (day, True)
    assert read_birth(format_birth(day.year)) == (day.year, True)
