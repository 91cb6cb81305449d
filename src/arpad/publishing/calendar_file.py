"""Calendars (RFC 5545) as bytes: days on which something happens, for calendar programs to subscribe to."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

MEDIA_TYPE = "text/calendar"
LONGEST_LINE = 75
"""Octets of a content line without its line break (RFC 5545, 3.1)."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_BREAK = re.compile(r"\r\n|\r|\n")
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,"})


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """One or more whole days on which something happens."""

    uid: str
    """It never changes."""

    revised: str
    """When the office entered it last: ISO 8601 in UTC."""

    first: date
    last: date
    summary: str
    description: str = ""
    location: str = ""
    address: str = ""
    cancelled: bool = False


def write_calendar(name: str, language: str, days: Iterable[CalendarDay]) -> bytes:
    """Return a calendar file; its lines are folded and end as the standard asks."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Arpad//Arpad//EN",
        "CALSCALE:GREGORIAN",
        f"NAME;LANGUAGE={language}:{escape_text(name)}",
        f"X-WR-CALNAME:{escape_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:P1D",
        *(line for day in days for line in _event(day)),
        "END:VCALENDAR",
    ]
    return "".join(f"{fold_line(line)}\r\n" for line in lines).encode()


def _event(day: CalendarDay) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield f"UID:{escape_text(day.uid)}"
    yield f"DTSTAMP:{datetime.fromisoformat(day.revised):%Y%m%dT%H%M%SZ}"
    yield f"DTSTART;VALUE=DATE:{day.first:%Y%m%d}"
    yield f"DTEND;VALUE=DATE:{day.last + timedelta(days=1):%Y%m%d}"
    yield f"SUMMARY:{escape_text(day.summary)}"
    if day.description:
        yield f"DESCRIPTION:{escape_text(day.description)}"
    if day.location:
        yield f"LOCATION:{escape_text(day.location)}"
    if day.address:
        yield f"URL:{_CONTROL.sub('', day.address)}"
    if day.cancelled:
        yield "STATUS:CANCELLED"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def escape_text(text: str) -> str:
    """Return a text as the value of a property: separators and line breaks escaped, control characters removed."""
    return _CONTROL.sub("", _BREAK.sub("\n", text)).translate(_ESCAPED).replace("\n", "\\n")


def fold_line(line: str) -> str:
    """Return a line folded after 75 octets at most, never inside a character."""
    parts: list[str] = []
    part, size = "", 0
    for letter in line:
        octets = len(letter.encode())
        if size + octets > LONGEST_LINE:
            parts.append(part)
            part, size = "", 1  # the blank that marks a continuation
        part += letter
        size += octets
    return "\r\n ".join([*parts, part])
