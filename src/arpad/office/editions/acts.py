"""The editions of an office: the printed ones, and its federation's own, adopted for a list from a day on (11.3).

An own edition of the rating regulations can begin only after the last published list, one of the title regulations
only after the tournaments of the norms on record: what is published or recorded stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any

from sqlalchemy import Connection

from arpad.model.declared import Accepts
from arpad.model.errors import BadInput, NoEdition
from arpad.model.rules import Edition, ListName, Rule
from arpad.office.declared import Reading, Reason, act, query
from arpad.office.editions import rows
from arpad.office.editions.rows import RATINGS, TITLES, Adopted, adopted
from arpad.office.editions.tables import edition_revocations, editions
from arpad.office.lists.rows import all_publications
from arpad.office.lists.tables import IMPORTED
from arpad.office.office import ActContext, Office
from arpad.office.parts import norms_on_record
from arpad.office.users import ADMINISTRATOR
from arpad.regulations.adopted import Own, editions_with, is_about_titles, read_own, title_editions_with
from arpad.regulations.editions import ALL, EditionByDay, dated, in_force, in_turn, with_own
from arpad.regulations.fide.rules import ChessRules

if TYPE_CHECKING:  # few commands need the title regulations
    from arpad.regulations.fide.titles.rules import TitleRules

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")
"""The name is part of addresses and of the names of files."""

_PAGES = frozenset({"compare"})
"""Pages of the site at addresses that an edition's page would have."""

_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
)
"""Windows has no files of these names, whatever follows a dot."""


def own_of(
    connection: Connection, on_list: ListName, until: date = date.max, as_of_act: int | None = None
) -> tuple[Own, ...]:
    """Return the own editions of a list that began by a day, as they were known at an act."""
    adoptions = rows.adopted(connection, on_list, as_of_act=as_of_act)
    return tuple(Own(own.edition, own.since, own.text) for own in adoptions if own.since <= until)


def editions_of(connection: Connection, on_list: ListName) -> tuple[Edition[Any], ...]:
    """Return the editions of a list."""
    return editions_with(on_list, own_of(connection, on_list))


def edition_on(connection: Connection, on_list: ListName, day: date) -> Edition[Any]:
    """Return the edition in force for a list on a day."""
    return in_force(editions_of(connection, on_list), on_list, day)


def editions_in_turn(office: Office, on_list: ListName) -> EditionByDay:
    """Return the editions of a chess list as they came into force in this office."""
    with office.store.reading() as connection:
        editions = dated(editions_of(connection, on_list), on_list)
    return in_turn(on_list, [edition for edition in editions if edition.starts(on_list) < date.max])


def chess_rules(connection: Connection, on_list: ListName, day: date) -> ChessRules:
    """Return the rules in force for a chess list on a day."""
    rules: ChessRules = edition_on(connection, on_list, day).on(on_list)
    return rules


def category_names(connection: Connection, on_list: ListName, day: date) -> tuple[str, ...]:
    """Return the national categories of a chess list's edition on a day, the lowest first."""
    try:
        rule = chess_rules(connection, on_list, day).categories
    except NoEdition:
        return ()
    return tuple(category.name for category in rule.value) if rule else ()


def editions_here(connection: Connection) -> tuple[Edition[Any], ...]:
    """Return all editions of this office, to be found by name or by day."""
    return with_own(ALL, own_named(connection))


def title_editions(connection: Connection) -> tuple[Edition[TitleRules], ...]:
    """Return the editions of the title regulations in this office, to be found by name or by day (B.01 0.2)."""
    own = rows.adopted(connection, about=TITLES)
    return title_editions_with(
        tuple(Own(adoption.edition, adoption.since, adoption.text) for adoption in own)
    )


def own_named(connection: Connection, about: str = RATINGS) -> tuple[Edition[Any], ...]:
    """Return the own editions by name, as they were written; ``begins`` has the first day of each list.

    On a list that did not adopt it, an edition never begins.
    """
    by_name: dict[str, list[Adopted]] = {}
    for adoption in rows.adopted(connection, about=about):
        by_name.setdefault(adoption.edition, []).append(adoption)
    return tuple(_begun(read_own(adoptions[0].text), adoptions) for adoptions in by_name.values())


def _begun(edition: Edition[Any], adoptions: Sequence[Adopted]) -> Edition[Any]:
    since = {adoption.list: adoption.since for adoption in adoptions}
    return replace(
        edition,
        by_name_only=False,
        effective=min(since.values()),
        begins={name: Rule(since.get(name, date.max), "") for name in edition.lists},
    )


# ---------------------------------------------------------------------------------------------------- adopting


EditionText = Annotated[str, Accepts(longest=20_000, lines=True, word="edition-text", personal=False)]
ForLists = Annotated[list[ListName], Accepts("standard", word="edition-lists")]
Since = Annotated[date, Accepts("2030-01-01", word="edition-since")]
AdoptionNumber = Annotated[int, Accepts("1", word="adoption")]


@dataclass(frozen=True, slots=True)
class AdoptedEdition:
    """An own edition that was adopted: the number of the adoption for each list."""

    edition: str
    since: date
    lists: tuple[ListName, ...]
    adoptions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class OwnEdition:
    """An own edition in force for one list from a day on."""

    adoption: int
    list: ListName
    edition: str
    since: date
    about: str
    """``ratings`` or ``titles``."""


@dataclass(frozen=True, slots=True)
class OwnEditions:
    """The own editions that are not revoked, by list and day; those for titles last."""

    editions: tuple[OwnEdition, ...]


@query(
    "edition list", ADMINISTRATOR, columns=("adoption", "list", "edition", "since"), path="/adopted-editions",
    says="own.none",
)  # fmt: skip
def own_editions(reading: Reading) -> OwnEditions:
    """List the own editions in force, list by list."""
    adopted = _all_adopted(reading.connection)
    return OwnEditions(tuple(OwnEdition(it.id, it.list, it.edition, it.since, it.about) for it in adopted))


def _all_adopted(connection: Connection) -> tuple[Adopted, ...]:
    return (*rows.adopted(connection), *rows.adopted(connection, about=TITLES))


@act("edition adopt", ADMINISTRATOR, says="own.adopted", page="/admin/editions")
def adopt_edition(
    act: ActContext,
    text: EditionText,
    *,
    lists: ForLists = [],  # noqa: B006  nobody changes it
    since: Since | None = None,
    reason: Reason,
) -> AdoptedEdition:
    """Adopt an own edition for lists and events from a day on, until another follows it.

    Without lists it is adopted for all its lists, without a day from its own day on (11.3).
    """
    written = text if text.endswith("\n") else f"{text}\n"
    adoptions = _all_adopted(act.connection)
    edition = _read_alone(written, adoptions)
    _refuse_name(edition.id)
    on_lists = tuple(dict.fromkeys(lists)) or tuple(edition.lists)
    first = since or edition.effective
    about = TITLES if is_about_titles(edition) else RATINGS
    if any(own.edition == edition.id and own.text != written for own in adoptions):
        raise BadInput("edition-name-taken", option="text", edition=edition.id)
    for on_list in on_lists:
        edition.on(on_list)
        _refuse_overlap([own for own in adoptions if own.about == about], edition.id, on_list, first)
        _refuse_late(act.connection, about, on_list, first)
    numbers = tuple(
        act.add(editions, edition=edition.id, about=about, list=str(on_list), since=str(first), text=written)
        for on_list in on_lists
    )
    act.details = {
        "edition": edition.id, "base": edition.base, "lists": [str(name) for name in on_lists], "since": str(first),
        "sha256": sha256(written.encode()).hexdigest(), "adoptions": list(numbers),
    }  # fmt: skip
    return AdoptedEdition(edition.id, first, on_lists, numbers)


def _read_alone(text: str, adoptions: Sequence[Adopted]) -> Edition[Any]:
    """Read an own edition; refuse one that is based on another own edition.

    The file must contain all changes of the federation: a bundle contains only this file, and a revocation of the other
    edition would change it.
    """
    try:
        return read_own(text)
    except BadInput as error:
        base = error.facts["value"] if error.facts.get("field") == "base" else None
        own = next((adoption for adoption in adoptions if adoption.edition == base), None)
        if own is None:
            raise
        printed = read_own(own.text).base
        raise BadInput("edition-on-own", option="text", base=own.edition, printed=printed) from error


def _refuse_name(name: str) -> None:
    from arpad.regulations.all_editions import EVERY

    if not _NAME.fullmatch(name):
        raise BadInput(
            "own-edition-value", option="text", field="id", value=name[:60], accepted="circolo-2018"
        )
    if name in {printed.id for printed in EVERY}:
        raise BadInput("edition-name-taken", option="text", edition=name)
    if name in _PAGES or name.endswith(".toml") or name.partition(".")[0] in _DEVICES:
        raise BadInput("edition-name-reserved", option="text", edition=name)


def _refuse_late(connection: Connection, about: str, on_list: ListName, since: date) -> None:
    """Refuse an own edition for a time of which lists are published, or norms are on record."""
    if days := _days_ruled(connection, about, on_list, since):
        if about == TITLES:
            raise BadInput("title-edition-late", option="since", day=since, last=max(days))
        raise BadInput("edition-late", option="since", list=str(on_list), day=since, last=max(days))


def _days_ruled(connection: Connection, about: str, on_list: ListName, since: date) -> list[date]:
    """Return the days, from one on, of the lists that the office published, or of the tournaments with norms."""
    if about == TITLES:
        return [norm.first_day for norm in norms_on_record(connection) if norm.first_day >= since]
    return [p.day for p in all_publications(connection, on_list) if p.kind != IMPORTED and p.day >= since]


def _refuse_overlap(adoptions: Sequence[Adopted], name: str, on_list: ListName, since: date) -> None:
    """Refuse an own edition that begins on the same day as another of the list, or that the list has already."""
    for own in adoptions:
        if own.list == on_list and (own.since == since or own.edition == name):
            raise BadInput(
                "edition-overlaps", option="since", list=str(on_list), edition=own.edition, day=own.since
            )


@act("edition revoke", ADMINISTRATOR, says="own.revoked", page="/admin/editions")
def revoke_edition(act: ActContext, adoption: AdoptionNumber, *, reason: Reason) -> OwnEdition:
    """Revoke the adoption of an own edition, unless a list already used it."""
    own = next((own for own in _all_adopted(act.connection) if own.id == adoption), None)
    if own is None:
        raise BadInput("no-adoption", option="adoption", adoption=adoption)
    _refuse_used(act.connection, own)
    act.revoke(edition_revocations, adoption)
    act.record(edition=own.edition, list=str(own.list), since=str(own.since))
    return OwnEdition(own.id, own.list, own.edition, own.since, own.about)


def _refuse_used(connection: Connection, own: Adopted) -> None:
    """Refuse the revocation of an own edition under which a list was published or a norm is on record."""
    days = _days_ruled(connection, own.about, own.list, own.since)
    if own.about == TITLES:
        if days:
            raise BadInput("title-edition-used", edition=own.edition, day=min(days))
        return
    named = [p.day for p in all_publications(connection, own.list) if p.edition == own.edition]
    if used := [*named, *days]:
        raise BadInput("edition-used", edition=own.edition, list=str(own.list), day=used[0])


def site_facts(_office: Office, connection: Connection) -> dict[str, Any]:
    """Return the editions that the pages of the site show."""
    adoptions = tuple(it.id for about in (RATINGS, TITLES) for it in adopted(connection, about=about))
    return {
        "own": own_named(connection),
        "own_titles": own_named(connection, TITLES),
        "title_editions": title_editions(connection),
        "adoptions": adoptions,
    }
