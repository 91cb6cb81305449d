"""What an office has settled about its site: its name, the languages offered, the one for everybody else."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

from litestar.connection import ASGIConnection

from arpad.errors import ArpadError
from arpad.explain import LANGUAGES
from arpad.model import Edition
from arpad.office.editions import own_named
from arpad.office.preferences import settings
from arpad.regulations import ALL
from arpad.web.access import office_of

Connection = ASGIConnection[Any, Any, Any, Any]
KEPT_SECONDS = 5.0
"""So soon the other workers know of a change."""


@dataclass(frozen=True, slots=True)
class Settled:
    """The settings that every page needs."""

    name: str = ""
    language: str = "en"
    languages: tuple[str, ...] = LANGUAGES
    demands_factor: bool = False
    own_names: tuple[str, ...] = ()
    own: tuple[Edition[Any], ...] = field(default=(), repr=False)
    """The federation's own editions, by name."""


def settled(connection: Connection) -> Settled:
    """As the office has it; asked of the store every few seconds."""
    office = office_of(connection)
    if office is None:
        return Settled()
    state = connection.app.state
    kept: tuple[float, Settled] | None = state.get("settled")
    if kept is None or time.monotonic() - kept[0] > KEPT_SECONDS:
        try:
            found = settings(office)
            with office.store.reading() as reading:
                own = own_named(reading)
        except ArpadError:  # the page that says so needs a language too
            return kept[1] if kept is not None else Settled()
        offered = tuple(name for name in LANGUAGES if name in found["languages"].split())
        kept = (
            time.monotonic(),
            Settled(
                found["name"],
                found["language"],
                offered,
                found["second_factor"] == "demanded",
                tuple(edition.id for edition in own),
                own,
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
