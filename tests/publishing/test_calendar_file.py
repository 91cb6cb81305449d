"""Calendars as RFC 5545 wants them: folded lines, escaped texts, stable identities."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from icalendar import Calendar

from arpad.publishing.calendar_file import CalendarDay, escape_text, fold_line, write_calendar

DAY = CalendarDay("list-1@office", "2018-01-01T12:30:00Z", date(2018, 2, 1), date(2018, 2, 3), "Open")


def read(*days: CalendarDay) -> list[dict[str, object]]:
    """The events as another program reads them."""
    calendar = Calendar.from_ical(write_calendar("Liste", "it", days))
    assert isinstance(calendar, Calendar)
    assert str(calendar["VERSION"]) == "2.0"
    return [dict(event) for event in calendar.walk("VEVENT")]


def test_a_day_is_read_back() -> None:
    (event,) = read(DAY)
    assert str(event["UID"]) == "list-1@office"
    assert event["DTSTAMP"].dt == datetime(2018, 1, 1, 12, 30, tzinfo=UTC)  # type: ignore[attr-defined]
    assert event["DTSTART"].dt == date(2018, 2, 1)  # type: ignore[attr-defined]
    assert event["DTEND"].dt == date(2018, 2, 4)  # type: ignore[attr-defined]  # the day after the last


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("a,b;c", r"a\,b\;c"),
        ("a\\n", r"a\\n"),
        ("a\r\nb\nc\rd", r"a\nb\nc\nd"),
        ("a\x00\x1bb", "ab"),
        ("è", "è"),
    ],
)
def test_texts_are_escaped(text: str, escaped: str) -> None:
    assert escape_text(text) == escaped


def test_no_text_begins_a_property_of_its_own() -> None:
    (event,) = read(
        CalendarDay("u", DAY.revised, DAY.first, DAY.last, "x\r\nEND:VEVENT\r\nATTACH:file:///etc")
    )
    assert str(event["SUMMARY"]) == "x\nEND:VEVENT\nATTACH:file:///etc"
    assert "ATTACH" not in event


def test_long_lines_are_folded_between_characters() -> None:
    folded = fold_line("SUMMARY:" + "è♞𝄞" * 40)
    lines = folded.split("\r\n")
    assert len(lines) > 4
    assert all(len(line.encode()) <= 75 for line in lines)
    assert all(line.startswith(" ") for line in lines[1:])
    assert "".join([lines[0], *(line[1:] for line in lines[1:])]) == "SUMMARY:" + "è♞𝄞" * 40


@given(
    st.text(
        st.characters(min_codepoint=32, exclude_characters="\x7f", exclude_categories=["Cs"]), max_size=120
    )
)
def test_any_text_is_read_back(text: str) -> None:
    (event,) = read(CalendarDay("u", DAY.revised, DAY.first, DAY.last, text, text, text))
    assert str(event["SUMMARY"]) == text
