"""The personal texts of a player, and texts, facts and reports without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import PurePath
from typing import Any

from arpad.lists.canonical import canonical_line, parse_line
from arpad.lists.published import EMPTY_STATE, StoredPlayer
from arpad.model.errors import BadInput
from arpad.model.json_values import from_birth, to_birth
from arpad.model.people import Birth, birth_year
from arpad.office.proof.erasure_rows import PersonalValues
from arpad.publishing.public_bundle import anonymous_entrant, bare_report, vague_or_no_birth
from arpad.regulations.rating_system import System
from arpad.reports.duplicates import results_digest
from arpad.reports.formats import format_names, read_report, write_report
from arpad.reports.stages import read_filed
from arpad.store.declared_tables import is_lasting

ERASED = "[erased]"
"""What is left of a text."""

_SHORTEST = 4
"""Shorter names would be found inside other words."""


@dataclass(slots=True)
class PersonalTexts:
    """The texts that tell who a player is, and what replaces them."""

    numbers: frozenset[int]
    names: frozenset[str] = frozenset()
    values: set[str] = field(default_factory=set)
    """Births and identifiers, as texts."""

    births: dict[str, str] = field(default_factory=dict)
    """Each birth on record → what is left of it."""

    @classmethod
    def of(
        cls,
        numbers: frozenset[int],
        values: PersonalValues,
        days: AbstractSet[date],
        takes: Callable[[Birth], object],
    ) -> PersonalTexts:
        """Return the texts of a player.

        ``days`` are those whose rules need to know the age; ``takes`` is what the systems of own lists take from it.
        """
        person = cls(numbers, values.names, set(values.identifiers))
        left = {text: vague_or_no_birth(to_birth(text), days, takes) for text in values.births}
        for text, birth in left.items():
            year = birth_year(to_birth(text))
            same_year = [other for key, other in left.items() if birth_year(to_birth(key)) == year]
            left_birth: Birth = birth if birth is not None or not any(same_year) else year
            person.births[text] = from_birth(left_birth)
            if len(text) > len("1990"):
                person.values |= {text, text.replace("-", "/")}
        return person

    def year(self, born: int | None) -> int | None:
        """Return the year of birth that is left on a list that showed one."""
        left = {birth_year(to_birth(text)): birth_year(to_birth(to)) for text, to in self.births.items()}
        return left.get(born) if born is not None else None

    def without_names(self, text: str) -> str:
        """Return a text without the names of the player."""
        for name in sorted(_spellings(self.names), key=len, reverse=True):
            text = re.sub(re.escape(name), ERASED, text, flags=re.IGNORECASE)
        return text

    def without_texts(self, value: Any, *, own: bool) -> Any:
        """Return a JSON value without the player's names; with ``own`` also without births and identifiers."""
        return self._without("", value, own=own)

    def _without(self, key: str, value: Any, *, own: bool) -> Any:
        """Return the value of a key without the player's texts; digests, days and names of lists stay."""
        if isinstance(value, str):
            if is_lasting(key, value):
                return value
            return ERASED if own and value in self.values else self.without_names(value)
        if isinstance(value, list):
            return [self._without(key, item, own=own) for item in value]
        if isinstance(value, dict):
            return {name: self._without(name, item, own=own) for name, item in value.items()}
        return value


def erased_name(number: int) -> str:
    """Return the name of an erased player."""
    return f"Erased {number}"


def _spellings(names: Iterable[str]) -> Iterator[str]:
    """Yield each name as it is on record, and with its parts the other way round."""
    for name in names:
        family, comma, first = (part.strip() for part in name.partition(","))
        forms = (name, f"{first} {family}", f"{family} {first}") if comma and first else (name,)
        yield from (form for form in forms if len(form) >= _SHORTEST)


def erased_findings(
    findings: list[dict[str, Any]], person: PersonalTexts, keys: AbstractSet[str]
) -> list[dict[str, Any]]:
    """Return findings without the player's texts; those about the player also lose births and numbers."""
    return [person.without_texts(item, own=str(item.get("player")) in keys) for item in findings]


def erased_facts(facts: dict[str, Any], keys: Mapping[str, str]) -> dict[str, Any]:
    """Return facts about a report in which the player's key is the start number, and births and deaths are gone."""
    if "players" not in facts:
        return facts
    players: dict[str, dict[str, Any]] = {}
    for key, player_facts in facts["players"].items():
        if key in keys:
            left = {name: value for name, value in player_facts.items() if name not in ("born", "died")}
            players.setdefault(keys[key], {}).update(left)
        else:
            players[key] = player_facts
    return {**facts, "players": players}


def erased_report(
    data: bytes, file: str, person: PersonalTexts, entries: Mapping[int, int], number: int
) -> tuple[bytes, str]:
    """Return a report with the same games and without the player, in its own format if that can be written.

    ``entries`` are the indexes of the player among the entrants, each with the player's number there.
    """
    report = read_filed(data, file)
    left = replace(
        report,
        entrants=tuple(
            anonymous_entrant(entrant, erased_name(entries[index])) if index in entries else entrant
            for index, entrant in enumerate(report.entrants)
        ),
    )
    own = report.format if report.format in format_names() else "trf16"
    plain = "pdn" if report.format == "pdn" else "trf16"
    for candidate, format_name in ((left, own), (bare_report(left), plain)):
        written, _ = write_report(candidate, format_name)
        name = file if format_name == report.format else f"{PurePath(file).stem}.{format_name[:3]}"
        if results_digest(read_report(written, name)) == results_digest(report) and not _names_in(
            written, person
        ):
            return written, name
    raise BadInput("erase-report", report=number)


def _names_in(data: bytes, person: PersonalTexts) -> bool:
    text = data.decode("utf-8", "replace")
    return person.without_names(text) != text


def erased_list_row(row: StoredPlayer, person: PersonalTexts, system: System[Any, Any]) -> StoredPlayer:
    """Return a player's row on a list without the player's texts."""
    state = row.state
    if state != EMPTY_STATE:
        state = system.stored.with_name(state, erased_name(row.player), None)
    return row._replace(state=state, line=row.line and _erased_line(row.line, person, system))


def _erased_line(line: str, person: PersonalTexts, system: System[Any, Any]) -> str:
    row = parse_line(line, own=system.is_own)
    return canonical_line(
        row._replace(name=erased_name(row.player), born=person.year(row.born), identifiers=())
    )
