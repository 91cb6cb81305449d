"""What an office has settled about its site: its name, the languages offered, the one for everybody else."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from litestar.connection import ASGIConnection

from arpad.explain.words import LANGUAGES
from arpad.model.errors import ArpadError
from arpad.model.rules import Edition
from arpad.office.editions import own_named
from arpad.office.office import today
from arpad.office.settings import all_settings
from arpad.regulations.editions import ALL, with_own
from arpad.store.editions import adopted
from arpad.web.auth import office_of

Connection = ASGIConnection[Any, Any, Any, Any]
KEPT_SECONDS = 5.0
"""So soon the other workers know of a change."""

AWAY_SECONDS = 1.0
"""So long a store that did not answer is not asked again."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The settings that every page needs."""

    name: str = ""
    language: str = "en"
    languages: tuple[str, ...] = LANGUAGES
    demands_factor: bool = False
    adoptions: tuple[int, ...] = ()
    """The numbers under which own editions stand: others, and a page that was kept is no longer right."""

    own: tuple[Edition[Any], ...] = field(default=(), repr=False)
    """The federation's own editions, by name."""

    editions: tuple[Edition[Any], ...] = field(default=ALL, repr=False)
    """All editions as this office goes by them, by name or by day; without an office the printed ones."""

    today: date | None = field(default=None, repr=False)
    """The day in the federation's time zone."""


def settled(connection: Connection) -> Settled:
    """As the office has it; asked of the store every few seconds."""
    office = office_of(connection)
    if office is None:
        return Settled()
    state = connection.app.state
    kept: tuple[float, Settled] | None = state.get("settled")
    if kept is None or time.monotonic() - kept[0] > KEPT_SECONDS:
        try:
            found = all_settings(office)
            with office.store.reading() as reading:
                own, day = own_named(reading), today(office, reading)
                adoptions = tuple(one.id for one in adopted(reading))
        except ArpadError:  # the page that says so needs a language too, and should not wait once more for it
            found_before = kept[1] if kept is not None else Settled(demands_factor=True)
            state["settled"] = (time.monotonic() - KEPT_SECONDS + AWAY_SECONDS, found_before)
            return found_before
        offered = tuple(name for name in LANGUAGES if name in found["languages"].split())
        kept = (
            time.monotonic(),
            Settled(
                found["name"],
                found["language"],
                offered,
                found["second_factor"] == "demanded",
                adoptions,
                own,
                with_own(ALL, own),
                day,
            ),
        )
        state["settled"] = kept
    return kept[1]


def every_edition(connection: Connection) -> tuple[Edition[Any], ...]:
    """Every edition there is to read here: the printed ones and the federation's own."""
    return (*ALL, *settled(connection).own)


def forget(connection: Connection) -> None:
    """Something was settled anew: ask the store again."""
    connection.app.state["settled"] = None
