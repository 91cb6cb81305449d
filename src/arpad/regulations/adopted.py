"""A federation's own editions as an office adopts them: read from TOML, put in turn with the printed ones."""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from arpad.model.rules import Edition, ListName
from arpad.regulations.editions import ALL, adopted, with_own
from arpad.regulations.fide import editions as fide
from arpad.regulations.own_editions import own_edition
from arpad.regulations.rubele import editions as rubele

if TYPE_CHECKING:  # few commands need the title regulations
    from arpad.regulations.fide.titles.rules import TitleRules

_REMEMBERED = 64


class Own(NamedTuple):
    """An own edition in force for a list: all that is needed to go by it."""

    name: str
    since: date
    text: str


@lru_cache(maxsize=_REMEMBERED)
def read_own(text: str) -> Edition[Any]:
    """Return what the TOML of an own edition sets, on whichever base."""
    from arpad.regulations.all_editions import EVERY

    return own_edition(text, EVERY, (*fide.PROCEDURES, *rubele.PROCEDURES))


@lru_cache(maxsize=_REMEMBERED)
def editions_with(on_list: ListName, own: tuple[Own, ...]) -> tuple[Edition[Any], ...]:
    """Return the editions of a list with these own ones in force, each from its day on."""
    printed = [edition for edition in ALL if on_list.system in {name.system for name in edition.lists}]
    return with_own(printed, [adopted(read_own(edition.text), on_list, edition.since) for edition in own])


@lru_cache(maxsize=_REMEMBERED)
def title_editions_with(own: tuple[Own, ...]) -> tuple[Edition[TitleRules], ...]:
    """Return the editions of the title regulations with these own ones in force, each from its day on."""
    from arpad.regulations.all_editions import TITLE_EDITIONS

    begun = [adopted(read_own(edition.text), ListName.STANDARD, edition.since) for edition in own]
    return with_own(TITLE_EDITIONS, begun)


def is_about_titles(edition: Edition[Any]) -> bool:
    """Return whether an edition is of the title regulations."""
    from arpad.regulations.fide.titles.rules import TitleRules

    return any(isinstance(rules, TitleRules) for rules in edition.lists.values())
