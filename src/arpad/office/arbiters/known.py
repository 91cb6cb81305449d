"""Arbiters that the register has, and what is refused about them."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection

from arpad.model.arbiters import TITLES, Arbiter, Licence
from arpad.model.errors import BadInput
from arpad.model.names import stored_form
from arpad.office.arbiters.rows import load_arbiters

LONGEST = 200


def known_arbiter(connection: Connection, arbiter: int) -> Arbiter:
    """Return an arbiter; refuse an unknown number."""
    for known in load_arbiters(connection):
        if known.id == arbiter:
            return known
    raise BadInput("no-arbiter", option="arbiter", arbiter=arbiter)


def known_fide(text: str, parameter: str) -> str:
    """Return a FIDE ID; refuse a text that is none."""
    if text and not (text.isdecimal() and text.isascii()):
        raise BadInput("bad-form", option=parameter, value=text[:40], accepted="800123")
    return text


def known_title(text: str, parameter: str) -> str:
    """Return a title of an arbiter, or an empty text; refuse another."""
    if text and text not in TITLES:
        raise BadInput("value-unknown", option=parameter, value=text[:40], accepted=", ".join(TITLES))
    return text


def checked_facts(values: Mapping[str, str]) -> dict[str, str]:
    """Return facts without surrounding blanks; refuse those that cannot be right."""
    stripped = {name: value.strip()[:LONGEST] for name, value in values.items()}
    stripped["name"] = stored_form(stripped["name"])
    if not stripped["name"]:
        raise BadInput("value-missing", option="name")
    known_title(stripped.get("title", ""), "title")
    known_fide(stripped.get("fide", ""), "fide")
    return stripped


def check_licence(licence: Licence) -> None:
    """Refuse a licence that ends before it begins."""
    if licence.until is not None and licence.until < licence.since:
        raise BadInput("licence-backwards", option="until", since=licence.since, until=licence.until)


def refuse_number_of_another(connection: Connection, fide: str, arbiter: int | None) -> None:
    """Refuse a FIDE ID that another arbiter has."""
    for known in load_arbiters(connection) if fide else ():
        if known.fide == fide and known.id != arbiter:
            raise BadInput(
                "arbiter-number-taken", option="fide", fide=fide, name=known.name, arbiter=known.id
            )
