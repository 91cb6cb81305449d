"""Norms on record for tests."""

from datetime import date
from typing import Any

from arpad.office.office import Office
from arpad.regulations.fide.titles.rules import NormTitle

FIRST, LAST = date(2024, 3, 1), date(2024, 3, 9)


def enter_norm(
    office: Office,
    player: int,
    title: NormTitle = NormTitle.IM,
    days: tuple[date, date] = (FIRST, LAST),
    **facts: Any,
) -> int:
    """Put a norm of nine games on record; return its number."""
    from arpad.office.titles.acts import record_norm

    given: dict[str, Any] = {"event": "Open", "first_day": days[0], "last_day": days[1], "games": 9, **facts}
    (number,) = record_norm(office, player, title, **given).norms
    return number
