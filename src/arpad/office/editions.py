"""The editions an office goes by: the printed ones, and its federation's own, adopted for a list from a day on (11.3).

An own edition can begin only after the last list that is out: what is published stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.rules import Edition, ListName, Rule
from arpad.office.office import Office, record_act
from arpad.regulations.adopted import Own, editions_with, read_own
from arpad.regulations.chess.rules import ChessRules
from arpad.regulations.editions import ALL, EditionByDay, dated, in_force, in_turn, with_own
from arpad.store import editions as rows
from arpad.store import lists
from arpad.store.editions import Adopted
from arpad.store.lists import IMPORTED, Publication

_NAME = re.compile(r"[a-z0-9][a-z0-9.-]{0,39}")
"""It stands in addresses and in the names of files."""

_PAGES = frozenset({"compare"})
"""What the site has where an edition's page would stand."""

_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10))}
)
"""Windows has no files of these names, whatever follows a dot."""


def own_of(
    connection: Connection, on_list: ListName, until: date = date.max, known_at: int | None = None
) -> tuple[Own, ...]:
    """The own editions of a list that began by a day, as they were known when an act was done."""
    found = rows.adopted(connection, on_list, known_at=known_at)
    return tuple(Own(one.edition, one.since, one.text) for one in found if one.since <= until)


def editions_of(connection: Connection, on_list: ListName) -> tuple[Edition[Any], ...]:
    """The editions that a list goes by now."""
    return editions_with(on_list, own_of(connection, on_list))


def edition_on(connection: Connection, on_list: ListName, day: date) -> Edition[Any]:
    """The edition in force for a list on a day."""
    return in_force(editions_of(connection, on_list), on_list, day)


def editions_in_turn(office: Office, on_list: ListName) -> EditionByDay:
    """The editions of a chess list as they came into force in this office."""
    with office.store.reading() as connection:
        known = dated(editions_of(connection, on_list), on_list)
    return in_turn(on_list, [edition for edition in known if edition.starts(on_list) < date.max])


def chess_rules(connection: Connection, on_list: ListName, day: date) -> ChessRules:
    """What is in force for a chess list on a day."""
    rules: ChessRules = edition_on(connection, on_list, day).on(on_list)
    return rules


def editions_here(connection: Connection) -> tuple[Edition[Any], ...]:
    """All editions as this office goes by them, for whoever asks by name or by day."""
    return with_own(ALL, own_named(connection))


def own_named(connection: Connection) -> tuple[Edition[Any], ...]:
    """The own editions by name, each as it was written; ``begins`` tells which lists go by it, and since when.

    On a list that did not adopt it, it never begins.
    """
    found: dict[str, list[Adopted]] = {}
    for one in rows.adopted(connection):
        found.setdefault(one.edition, []).append(one)
    return tuple(_begun(read_own(some[0].text), some) for some in found.values())


def _begun(edition: Edition[Any], some: Sequence[Adopted]) -> Edition[Any]:
    since = {one.list: one.since for one in some}
    return replace(
        edition,
        by_name_only=False,
        effective=min(since.values()),
        begins={name: Rule(since.get(name, date.max), "") for name in edition.lists},
    )


# ---------------------------------------------------------------------------------------------------- adopting


def own_editions(office: Office) -> tuple[Adopted, ...]:
    """The federation's own editions that stand, by list and day."""
    with office.store.reading() as connection:
        return rows.adopted(connection)


def adopt_edition(
    office: Office,
    text: str,
    *,
    reason: str,
    on_lists: Iterable[ListName] = (),
    since: date | None = None,
) -> tuple[int, ...]:
    """Put an own edition in force: on the lists named, else on all it has; from a day on, else from its own (11.3).

    Gives the number of each adoption.
    """
    edition = _read_alone(office, text)
    _refuse_name(edition.id)
    wanted = tuple(dict.fromkeys(on_lists)) or tuple(edition.lists)
    since = since or edition.effective
    with record_act(office, "adopt-edition", reason, reason_needed=True) as doing:
        standing = rows.adopted(doing.connection)
        if any(one.edition == edition.id and one.text != text for one in standing):
            raise BadInput("edition-name-taken", edition=edition.id)
        for on_list in wanted:
            edition.on(on_list)
            _refuse_overlap(standing, edition.id, on_list, since)
            if out := _made_since(doing.connection, on_list, since):
                raise BadInput("edition-late", list=str(on_list), day=since, last=out[-1].day)
        numbers = tuple(
            rows.add_adopted(doing.connection, edition.id, on_list, since, text, doing.seq)
            for on_list in wanted
        )
        doing.record(
            edition=edition.id, base=edition.base, lists=[str(name) for name in wanted], since=str(since),
            sha256=sha256(text.encode()).hexdigest(), adoptions=list(numbers),
        )  # fmt: skip
    return numbers


def _read_alone(office: Office, text: str) -> Edition[Any]:
    """What the TOML sets; one that stands on another own edition is refused with the reason.

    Its file must tell by itself all that the federation set otherwise: a bundle holds it alone, and whoever revokes the
    other would change it.
    """
    try:
        return read_own(text)
    except BadInput as error:
        base = error.facts["value"] if error.facts.get("field") == "base" else None
        own = next((one for one in own_editions(office) if one.edition == base), None)
        if own is None:
            raise
        printed = read_own(own.text).base
        raise BadInput("edition-on-own", base=own.edition, printed=printed) from error


def _refuse_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise BadInput("own-edition-value", field="id", value=name[:60], accepted="circolo-2018")
    if name in {printed.id for printed in ALL}:
        raise BadInput("edition-name-taken", edition=name)
    if name in _PAGES or name.endswith(".toml") or name.partition(".")[0] in _DEVICES:
        raise BadInput("edition-name-reserved", edition=name)


def _refuse_overlap(standing: Sequence[Adopted], name: str, on_list: ListName, since: date) -> None:
    """Two own editions of a list follow one another: neither begins with another, nor does one come twice."""
    for one in standing:
        if one.list == on_list and (one.since == since or one.edition == name):
            raise BadInput("edition-overlaps", list=str(on_list), edition=one.edition, day=one.since)


def revoke_edition(office: Office, adoption: int, reason: str) -> None:
    """An own edition adopted by mistake no longer stands; once a list went by it, another has to follow it."""
    with record_act(office, "revoke-edition", reason, reason_needed=True) as doing:
        found = next((one for one in rows.adopted(doing.connection) if one.id == adoption), None)
        if found is None:
            raise BadInput("no-adoption", adoption=adoption)
        named = [
            p for p in lists.all_publications(doing.connection, found.list) if p.edition == found.edition
        ]
        if out := [*named, *_made_since(doing.connection, found.list, found.since)]:
            raise BadInput("edition-used", edition=found.edition, list=str(found.list), day=out[0].day)
        rows.add_revocation(doing.connection, adoption, doing.seq)
        doing.record(adoption=adoption, edition=found.edition, list=str(found.list), since=str(found.since))


def _made_since(connection: Connection, on_list: ListName, since: date) -> list[Publication]:
    """The lists of a day or later that the office made itself."""
    return [p for p in lists.all_publications(connection, on_list) if p.kind != IMPORTED and p.day >= since]
