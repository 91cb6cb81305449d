"""The register of players, one for chess and draughts: add, change and find players."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date

from sqlalchemy import Connection

from arpad.model.errors import BadInput
from arpad.model.federations import known_federation
from arpad.model.json_values import from_birth
from arpad.model.names import stored_form
from arpad.model.people import Birth, Person, birth_year
from arpad.office.office import Office, record_act
from arpad.office.register import rows
from arpad.office.register.hidden_rows import hidden
from arpad.office.register.merge_rows import merge_targets_of
from arpad.office.register.rows import CHANGEABLE
from arpad.office.register.scheme_rows import declared_schemes, hidden_schemes, players_with_unknown_number
from arpad.office.register.search_rows import search
from arpad.office.register.similar_rows import similar_names
from arpad.reports.number_schemes import BUILT_IN, ON_PLAYER, fits
from arpad.store.settings import read_setting

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
    """Add a player; return the number."""
    numbers = tuple(sorted((scheme, value.strip()) for scheme, value in (identifiers or {}).items()))
    person = Person(
        0, stored_form(name), federation.strip().upper(), sex, born, title, women_title, other_titles, affiliation,
        numbers,
    )  # fmt: skip
    _refuse(person)
    with record_act(office, "register-player", reason) as act:
        refuse_federation(act.connection, person.federation)
        refuse_numbers(act.connection, person.identifiers)
        person = replace(person, id=rows.next_player(act.connection))
        refuse_taken(act.connection, person)
        rows.add_people(act.connection, [(person, act.seq)])
        act.record(player=person.id, **ledger_details(person))
    return person.id


def add_identifier(office: Office, player: int, scheme: str, value: str, *, reason: str = "") -> None:
    """Add the number that another body gave a player."""
    value = value.strip()
    with record_act(office, "add-identifier", reason) as act:
        person = replace(known_player(act.connection, player), identifiers=((scheme, value),))
        refuse_numbers(act.connection, person.identifiers)
        refuse_taken(act.connection, person)
        rows.add_identifiers(act.connection, [(scheme, value, player, act.seq)])
        act.record(player=player, scheme=scheme, value=value)


def remove_identifier(office: Office, player: int, scheme: str, value: str, *, reason: str) -> None:
    """Remove a number that was added by mistake; it can then be given to another player."""
    with record_act(office, "remove-identifier", reason, reason_needed=True) as act:
        person = known_player(act.connection, player)
        if (scheme, value) not in person.identifiers:
            raise BadInput("no-identifier", scheme=scheme[:20], value=value[:40], player=player)
        rows.change_identifier(act.connection, scheme, value, None, act.seq)
        act.record(player=player, scheme=scheme, value=value)


def report_death(office: Office, player: int, day: date, *, reason: str) -> None:
    """Enter the day of a player's death, as the federation reports it (10.2)."""
    change_player(office, player, since=day, reason=reason, died=day)


def withdraw_death(office: Office, player: int, *, reason: str) -> None:
    """Remove a death that was reported by mistake."""
    with office.store.reading() as connection:
        died = known_player(connection, player).died
    if died is None:
        raise BadInput("not-dead", player=player)
    change_player(office, player, since=died, reason=reason, died=None)


def change_player(office: Office, player: int, *, since: date, reason: str, **facts: str | Birth) -> None:
    """Change name, federation, birth, title and so on from a day on; the earlier facts stay on record."""
    wrong = [field for field in facts if field not in CHANGEABLE]
    if wrong or not facts:
        raise BadInput("player-field", field=", ".join(wrong) or "-", accepted=", ".join(CHANGEABLE))
    facts = {field: value.strip() if isinstance(value, str) else value for field, value in facts.items()}
    for field, form in (("name", stored_form), ("federation", str.upper)):
        if isinstance(value := facts.get(field), str):
            facts[field] = form(value)
    with record_act(office, "change-player", reason, reason_needed=True) as act:
        before = known_player(act.connection, player)
        after = replace(before, **facts)  # type: ignore[arg-type]  # the names were checked
        _refuse(after)
        refuse_federation(act.connection, str(facts.get("federation", "")))
        if after.died is not None and after.died > act.today:
            raise BadInput("death-in-future", day=after.died)
        values = {
            field: from_birth(value) if field == "born" else str(value or "")  # type: ignore[arg-type]  # only born holds a birth
            for field, value in facts.items()
        }
        changes = [(player, field, value, since) for field, value in values.items() if field != "died"]
        if "died" in facts:
            changes += rows.death_facts(act.connection, player, after.died)
        rows.add_facts(act.connection, changes, act.seq)
        act.record(player=player, since=str(since), **values)


_ELIDED = re.compile(r"(?i)\b(d|l|o|all|dall|degl|dell|nell|quell|sant)\s+(?=\w)")
"""Words that an apostrophe joins to the next one, written with a space: D Angelo, Sant Elmo, O Neill."""


def find_players(office: Office, text: str, limit: int = 20, *, public: bool = False) -> list[Person]:
    """Return players by name, in any spelling and order and by initials, or by one of their numbers.

    ``public`` leaves out players who are not shown, as if they did not exist, and numbers that the public does not see:
    those of hidden schemes and of unknown ones.
    """
    with office.store.reading() as connection:
        text = text.strip()
        away = hidden(connection) if public else frozenset()
        if text.isdecimal():
            numbers = _with_number(connection, text, public=public)
            numbers.add(int(text) if len(text) < 10 else 0)  # noqa: PLR2004  beyond what the register counts
            return list(rows.load_people(connection, numbers - away).values())
        if any(letter.isdecimal() for letter in text) and (
            numbers := _with_number(connection, text, public=public) - away
        ):
            return list(rows.load_people(connection, numbers).values())
        spellings = (text, _ELIDED.sub(r"\1'", text))
        found = (_without(search(connection, it, limit + len(away)), away, limit) for it in spellings)
        return next((people for people in found if people), [])


def players_with_similar_names(
    office: Office, text: str, most: int = 5, *, public: bool = False
) -> list[Person]:
    """Return players whose names are near a text that no name has; for the public only those who are shown."""
    with office.store.reading() as connection:
        away = hidden(connection) if public else frozenset()
        return _without(similar_names(connection, text, most + len(away)), away, most)


def _without(people: list[Person], away: frozenset[int], most: int) -> list[Person]:
    """Return the first players who are shown."""
    return [person for person in people if person.id not in away][:most]


def _with_number(connection: Connection, text: str, *, public: bool) -> set[int]:
    """Return the players who have a number, of any scheme or of an unknown one."""
    schemes = _searched_schemes(connection, public=public)
    numbers = {rows.by_identifier(connection, scheme, [text]).get(text, 0) for scheme in schemes}
    unknown = () if public else players_with_unknown_number(connection, text)
    return (numbers - {0}) | {*unknown}


def _searched_schemes(connection: Connection, *, public: bool) -> set[str]:
    """Return the schemes whose numbers find players; for the public without the hidden ones."""
    schemes = {*BUILT_IN, *declared_schemes(connection)}
    return schemes - hidden_schemes(connection, ON_PLAYER) if public else schemes


def player_with_number(connection: Connection, scheme: str, value: str) -> int | None:
    """Return the player with a number of a scheme that the public sees; a hidden or unknown scheme finds nobody."""
    if scheme not in _searched_schemes(connection, public=True):
        return None
    player = rows.by_identifier(connection, scheme, [value]).get(value)
    return None if player is None else merge_targets_of(connection, [player]).get(player, player)


def known_player(connection: Connection, player: int) -> Person:
    """Return a player of the register; refuse an unknown number."""
    person = rows.load_people(connection, [player]).get(player)
    if person is None:
        raise BadInput("no-player", option="player", player=player)
    return person


def refuse_taken(connection: Connection, person: Person) -> None:
    """Refuse an identifier that another player has."""
    for scheme, value in person.identifiers:
        holder = rows.by_identifier(connection, scheme, [value]).get(value)
        if holder is not None:
            raise BadInput("identifier-taken", scheme=scheme, value=value, player=holder)


def ledger_details(person: Person) -> dict[str, str]:
    """Return what the ledger says about a new player."""
    facts = {field: str(getattr(person, field)) for field in CHANGEABLE if getattr(person, field)}
    return facts | {f"id-{scheme}": value for scheme, value in person.identifiers}


def _refuse(person: Person) -> None:
    """Refuse facts that no register should have."""
    name = person.name.strip()
    if not name or len(name) > _LONGEST or not name.isprintable():
        raise BadInput("player-name", given=name[:40])
    born = birth_year(person.born)
    if person.died is not None and born is not None and person.died.year < born:
        raise BadInput("death-before-birth", day=person.died, year=born)
    for field, value, accepted in (
        ("sex", person.sex, SEXES),
        ("affiliation", person.affiliation, AFFILIATIONS),
    ):
        if value not in accepted:
            raise BadInput("player-value", field=field, given=value, accepted=", ".join(accepted[1:]))


def refuse_federation(connection: Connection, code: str) -> None:
    """Refuse a code that is no federation's; none is the federation that nobody knows."""
    if code and not known_federation(code, read_setting(connection, "federation")):
        raise BadInput("player-federation", option="federation", given=code[:40])


def refuse_numbers(connection: Connection, numbers: Iterable[tuple[str, str]]) -> None:
    """Refuse numbers of a scheme that nobody declared, and those that are not of its form."""
    declared = declared_schemes(connection)
    for scheme, value in numbers:
        if scheme not in BUILT_IN and scheme not in declared:
            accepted = ", ".join((*BUILT_IN, *declared))
            raise BadInput("identifier-scheme", scheme=scheme[:20], accepted=accepted)
        if not value.strip() or not value.isascii() or (scheme == "fide" and not value.isdecimal()):
            raise BadInput("player-value", field=scheme, given=value, accepted="123456")
        if scheme in declared and not fits(declared[scheme].pattern, value):
            raise BadInput("player-value", field=scheme, given=value[:40], accepted=declared[scheme].pattern)
