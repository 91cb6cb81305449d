"""The rating systems, each loaded when it is first asked for, and the edition in force."""

from dataclasses import fields
from datetime import date
from functools import cache
from hashlib import sha256
from importlib import import_module
from typing import Any, TypeVar

from arpad.model.errors import NoEdition
from arpad.model.real_numbers import fifty_digits
from arpad.model.rules import ListName, Rule
from arpad.model.typed_values import check_among
from arpad.regulations import FOLDERS
from arpad.regulations.outcomes import Outcome
from arpad.regulations.rating_system import DecidingDay, System, SystemEdition
from arpad.regulations.units import Unit

S = TypeVar("S")
R = TypeVar("R")


@cache
def system_named(name: str, among: tuple[str, ...] = FOLDERS) -> System[Any, Any]:
    """Return a system by its name, loaded when it is first asked for; refuse one that is not among some."""
    check_among(name, "system", among)
    system: System[Any, Any] = import_module(f"arpad.regulations.{name}.system").SYSTEM
    return system


def system_of(on_list: ListName) -> System[Any, Any]:
    """Return the system that computes a list."""
    return system_named(on_list.system)


def edition_named(system: System[S, R], name: str) -> SystemEdition[R]:
    """Return an edition of a system by name."""
    for edition in system.editions:
        if edition.id == name:
            return edition
    accepted = ", ".join(edition.id for edition in system.editions)
    raise NoEdition("unknown-edition", edition=name[:40], accepted=accepted)


@cache
def is_edition_of_system(name: str) -> bool:
    """Return whether an edition is one of a rating system's alone: not a printed one of FIDE or Elo-Rubele."""
    from arpad.regulations.editions import ALL  # as in edition_digest

    known = (edition.id for folder in FOLDERS for edition in system_named(folder).editions)
    return name in known and all(edition.id != name for edition in ALL)


def edition_on(system: System[S, R], day: date, known: date | None = None) -> SystemEdition[R]:
    """Return the edition for units whose deciding day it is, as an office could know it on another day."""
    editions = [
        edition for edition in system.editions if edition.applies_from <= day and edition.is_known(known)
    ]
    if not editions:
        first = min(edition.applies_from for edition in system.editions)
        raise NoEdition("no-edition-of-system-yet", day=day, system=system.id, first=first)
    return max(reversed(editions), key=lambda edition: edition.applies_from)


def edition_digest(edition: SystemEdition[Any]) -> str:
    """Return the SHA-256 of everything an edition sets; a bundle names the editions of its list with it."""
    from arpad.regulations.editions import plain  # loads the printed editions, which few questions need

    lines = [f"{edition.id} {edition.applies_from} {edition.known_since or ''}"]
    for item in fields(edition.rules):
        rule = getattr(edition.rules, item.name)
        if rule is None or isinstance(rule, Rule):
            lines.append(f"{item.name} {plain(rule.value)} ({rule.article})" if rule else f"{item.name} -")
    return sha256("\n".join(lines).encode()).hexdigest()


def edition_of(system: System[S, R], unit: Unit[S], known: date | None = None) -> SystemEdition[R]:
    """Return the edition by which a unit is rated: by its deciding day, the newest if it has none."""
    days = (unit.first_day, unit.last_day)
    day = days[0] or days[1] if system.deciding_day is DecidingDay.FIRST else days[1] or days[0]
    return system.editions[-1] if day is None else edition_on(system, day, known)


def rate_unit(system: System[S, R], unit: Unit[S], rules: R) -> Outcome[S]:
    """Rate all players of a unit together, with decimals of 50 digits."""
    with fifty_digits():
        return system.rate(unit, rules)
