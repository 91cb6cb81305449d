"""The register: one for chess and draughts; players come in, change, and sometimes turn out to be one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.json_values import from_birth
from arpad.model.people import Birth, Person, birth_year
from arpad.office.office import Office, record_act
from arpad.store import register as rows
from arpad.store.register import CHANGEABLE
from arpad.store.search import search

SCHEMES = ("fide", "fsi", "fid", "fmjd")
AFFILIATIONS = ("", "IBCA", "ICSC", "IPCA")
SEXES = ("", "M", "F")
_LONGEST = 200


def register_player(  # noqa: PLR0913  a player has as many facts
    office: Office,
    name: str,
    *,
    federation: str = "",
    sex: str = "",
    born: Birth = None,
    title: str = "",
    women_title: str = "",
    other_titles: str = "",
    affiliation: str = "",
    identifiers: Mapping[str, str] | None = None,
    reason: str = "",
) -> int:
    """Enter a player; the register gives the number."""
    known = tuple(sorted((scheme, value.strip()) for scheme, value in (identifiers or {}).items()))
    person = Person(
        0, name.strip(), federation.strip().upper(), sex, born, title, women_title, other_titles, affiliation,
        known,
    )  # fmt: skip
    _refuse(person)
    with record_act(office, "register-player", reason) as doing:
        person = replace(person, id=rows.next_player(doing.connection))
        refuse_taken(doing.connection, person)
        rows.add_people(doing.connection, [person], doing.seq)
        doing.record(player=person.id, **told(person))
    return person.id


def add_identifier(office: Office, player: int, scheme: str, value: str, *, reason: str = "") -> None:
    """Enter the number by which another body knows a player."""
    value = value.strip()
    with record_act(office, "add-identifier", reason) as doing:
        person = replace(known_player(doing.connection, player), identifiers=((scheme, value),))
        _refuse(person)
        refuse_taken(doing.connection, person)
        rows.add_identifiers(doing.connection, [(scheme, value, player)], doing.seq)
        doing.record(player=player, scheme=scheme, value=value)


def remove_identifier(office: Office, player: int, scheme: str, value: str, *, reason: str) -> None:
    """A number entered by mistake is taken from a player; it may then be given to another."""
    with record_act(office, "remove-identifier", reason, reason_needed=True) as doing:
        person = known_player(doing.connection, player)
        if (scheme, value) not in person.identifiers:
            raise BadInput("no-identifier", scheme=scheme[:20], value=value[:40], player=player)
        rows.change_identifier(doing.connection, scheme, value, None, doing.seq)
        doing.record(player=player, scheme=scheme, value=value)


def report_death(office: Office, player: int, day: date, *, reason: str) -> None:
    """Enter the day of a player's death, as the federation reports it (10.2)."""
    change_player(office, player, since=day, reason=reason, died=day)


def withdraw_death(office: Office, player: int, *, reason: str) -> None:
    """Take back the report of a death that was a mistake."""
    with office.store.reading() as connection:
        died = known_player(connection, player).died
    if died is None:
        raise BadInput("not-dead", player=player)
    change_player(office, player, since=died, reason=reason, died=None)


def change_player(office: Office, player: int, *, since: date, reason: str, **facts: str | Birth) -> None:
    """A change of name, federation, birth, title … that holds from a day on; what was before stays on record."""
    wrong = [field for field in facts if field not in CHANGEABLE]
    if wrong or not facts:
        raise BadInput("player-field", field=", ".join(wrong) or "-", accepted=", ".join(CHANGEABLE))
    facts = {field: value.strip() if isinstance(value, str) else value for field, value in facts.items()}
    if isinstance(federation := facts.get("federation"), str):
        facts["federation"] = federation.upper()
    with record_act(office, "change-player", reason, reason_needed=True) as doing:
        before = known_player(doing.connection, player)
        after = replace(before, **facts)  # type: ignore[arg-type]  # the names were checked
        _refuse(after)
        if after.died is not None and after.died > doing.today:
            raise BadInput("death-in-future", day=after.died)
        values = {
            field: from_birth(value) if field == "born" else str(value or "")  # type: ignore[arg-type]  # only born holds a birth
            for field, value in facts.items()
        }
        changes = [(player, field, value, since) for field, value in values.items() if field != "died"]
        if "died" in facts:
            changes += rows.death_facts(doing.connection, player, after.died)
        rows.add_facts(doing.connection, changes, doing.seq)
        doing.record(player=player, since=str(since), **values)


_ELIDED = re.compile(r"(?i)\b(d|l|o|all|dall|degl|dell|nell|quell|sant)\s+(?=\w)")
"""What an apostrophe joins to the next word, where somebody writes a space: D Angelo, Sant Elmo, O Neill."""


def find_players(office: Office, asked: str, limit: int = 20) -> list[Person]:
    """Players by a name however it is written, by initials, swapped, or by a number of theirs."""
    with office.store.reading() as connection:
        plain = asked.strip()
        if plain.isdecimal():
            found = {rows.by_identifier(connection, scheme, [plain]).get(plain, 0) for scheme in SCHEMES}
            found.add(int(plain) if len(plain) < 10 else 0)  # noqa: PLR2004  beyond what the register counts
            return sorted(rows.load_people(connection, found).values(), key=lambda person: person.id)
        return search(connection, plain, limit) or search(connection, _ELIDED.sub(r"\1'", plain), limit)


def known_player(connection: Connection, player: int) -> Person:
    """A player of the register, or a sentence that there is none."""
    found = rows.load_people(connection, [player]).get(player)
    if found is None:
        raise BadInput("no-player", player=player)
    return found


def refuse_taken(connection: Connection, person: Person) -> None:
    """A number of another body belongs to one player."""
    for scheme, value in person.identifiers:
        other = rows.by_identifier(connection, scheme, [value]).get(value)
        if other is not None:
            raise BadInput("identifier-taken", scheme=scheme, value=value, player=other)


def told(person: Person) -> dict[str, str]:
    """What the ledger says of a new player."""
    facts = {field: str(getattr(person, field)) for field in CHANGEABLE if getattr(person, field)}
    return facts | {f"id-{scheme}": value for scheme, value in person.identifiers}


def _refuse(person: Person) -> None:
    """What no register should hold."""
    name = person.name.strip()
    if not name or len(name) > _LONGEST or not name.isprintable():
        raise BadInput("player-name", given=name[:40])
    born = birth_year(person.born)
    if person.died is not None and born is not None and person.died.year < born:
        raise BadInput("death-before-birth", day=person.died, year=born)
    for field, given, accepted in (
        ("sex", person.sex, SEXES),
        ("affiliation", person.affiliation, AFFILIATIONS),
    ):
        if given not in accepted:
            raise BadInput("player-value", field=field, given=given, accepted=", ".join(accepted[1:]))
    for scheme, value in person.identifiers:
        if scheme not in SCHEMES:
            raise BadInput("identifier-scheme", scheme=scheme, accepted=", ".join(SCHEMES))
        if not value.strip() or not value.isascii() or (scheme == "fide" and not value.isdecimal()):
            raise BadInput("player-value", field=scheme, given=value, accepted="123456")
