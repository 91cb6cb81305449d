"""The register of players, one for chess and draughts: enter, change and find players."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Annotated, Any, Literal

from sqlalchemy import Connection

from arpad.model.declared import Accepts, Upload
from arpad.model.errors import BadInput
from arpad.model.federations import known_federation
from arpad.model.json_values import from_birth
from arpad.model.names import stored_form
from arpad.model.people import Birth, Person, birth_year
from arpad.model.typed_values import check_within, parse_birth
from arpad.office.declared import AppliesFrom, PlayerNumber, Reading, Reason, act, costly, query
from arpad.office.office import ActContext, Office
from arpad.office.register import imports, rows
from arpad.office.register.imports import ImportedRegister
from arpad.office.register.number_rows import (
    declared_schemes,
    hidden,
    hidden_schemes,
    merge_targets_of,
    players_with_unknown_number,
    shown_person,
)
from arpad.office.register.rows import CHANGEABLE, COLUMNS
from arpad.office.register.search_rows import search, similar_names
from arpad.office.users import EVERYBODY, Permission, Role, User, officer_of, officer_of_all
from arpad.reports.number_schemes import BUILT_IN, ON_PLAYER, fits
from arpad.store.ledger import some_acts
from arpad.store.settings import read_setting

SEXES = ("", "M", "F")
_LONGEST = 200
PAGE = "/desk/players/{player}"
MOST_PUBLIC = 50
"""Players whom a search finds for the public; the owner of the office may ask for more."""


def _birth(text: str, parameter: str) -> Birth:
    return parse_birth(text, parameter) if text else None


PersonName = Annotated[str, Accepts("Neri, Ada", word="person-name", personal=True)]
FederationCode = Annotated[
    str,
    Accepts(
        "ITA",
        longest=10,
        word="person-federation",
        personal=False,
        read=lambda text, _parameter: text.upper(),
    ),
]  # fmt: skip
Sex = Annotated[Literal["M", "F"], Accepts("F", word="person-sex")]
Born = Annotated[Birth, Accepts("1990", longest=10, word="person-born", read=_birth, personal=True)]
Title = Annotated[str, Accepts("FM", longest=10, word="person-title", personal=False)]
WomenTitle = Annotated[str, Accepts("WFM", longest=10, word="person-women-title", personal=False)]
OtherTitles = Annotated[str, Accepts("IA", longest=40, word="person-other-titles", personal=False)]
Affiliation = Annotated[Literal["IBCA", "ICSC", "IPCA"], Accepts("IBCA", word="person-affiliation")]
Identifiers = Annotated[
    dict[str, str], Accepts("fsi=990001", longest=40, word="person-numbers", personal=True)
]
PersonFacts = Annotated[
    dict[str, str], Accepts("title=CM", word="person-facts", fields=COLUMNS, personal=("name", "born"))
]
SeenAct = Annotated[int, Accepts("12", low=0, word="seen-act", unwritten=True)]
DeathDay = Annotated[date, Accepts("2024-12-20", word="death-day")]
Scheme = Annotated[str, Accepts("fsi", longest=20, word="number-scheme", personal=False)]
SchemeNumber = Annotated[str, Accepts("990001", longest=40, word="scheme-number", personal=True)]
RegisterFile = Annotated[Upload, Accepts(word="register-file")]
NameOrNumber = Annotated[str, Accepts("Rossi", longest=100, word="name-or-number")]
MostFound = Annotated[int, Accepts("20", high=1000, word="most-found")]


def officer_of_players(*names: str) -> Permission:
    """Return the permission of officers of the federations of all players whom some parameters name."""

    def check(connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
        people = [known_player(connection, given[name], name) for name in names]
        return all(user.may(Role.OFFICER, person.federation) for person in people)

    return Permission(Role.OFFICER, "register", check)


OF_PLAYER = officer_of_players("player")
OF_NEW_PLAYER = officer_of("register", lambda _connection, given: str(given["federation"]))


@dataclass(frozen=True, slots=True)
class Player:
    """A player of the register; of the birth only the year."""

    id: int
    name: str
    federation: str
    sex: str
    title: str
    """The title, or without one the women's title."""

    born: int | None
    identifiers: dict[str, str]
    deceased: bool = False
    women_title: str = ""
    died: date | None = None
    """The day of death; the public sees only that the player is deceased."""


@dataclass(frozen=True, slots=True)
class FoundPlayers:
    """The players whom a search finds; if there are none, those with similar names."""

    players: tuple[Player, ...]
    similar: tuple[Player, ...]
    asked: str


def player_facts(person: Person, *, public: bool = False) -> Player:
    """Return a player of the register as an answer."""
    return Player(
        person.id, person.name, person.federation, person.sex, person.title or person.women_title,
        birth_year(person.born), dict(person.identifiers), person.died is not None, person.women_title,
        None if public else person.died,
    )  # fmt: skip


# ------------------------------------------------------------------------------------------------------ one player


@act(
    "register enter",
    OF_NEW_PLAYER,
    says="register.entered",
    page="/desk/players/{id}",
    verb="register-player",
)
def register_player(  # noqa: PLR0913  a player has as many facts
    act: ActContext,
    name: PersonName,
    *,
    federation: FederationCode = "",
    sex: Sex | None = None,
    born: Born = None,
    title: Title = "",
    women_title: WomenTitle = "",
    other_titles: OtherTitles = "",
    affiliation: Affiliation | None = None,
    identifiers: Identifiers | None = None,
    reason: Reason = "",
) -> Player:
    """Add a player; the register assigns the number."""
    numbers = tuple(sorted((identifiers or {}).items()))
    person = Person(
        rows.next_player(act.connection), stored_form(name), federation, sex or "", born, title.upper(),
        women_title.upper(), other_titles, affiliation or "", numbers,
    )  # fmt: skip
    _refuse(person)
    refuse_federation(act.connection, person.federation)
    refuse_numbers(act.connection, person.identifiers, "identifiers")
    refuse_taken(act.connection, person, "identifiers")
    rows.add_people(act.connection, [(person, act.seq)])
    act.record(player=person.id, **_facts(person))
    return player_facts(person)


@act("register change", OF_PLAYER, says="register.changed", page=PAGE, verb="change-player")
def change_player(
    act: ActContext,
    player: PlayerNumber,
    *,
    since: AppliesFrom,
    set_: PersonFacts,
    seen: SeenAct | None = None,
    reason: Reason,
) -> Player:
    """Change the facts about a player from a day on; the earlier ones stay on record.

    Facts are name, federation, birth, titles and affiliation.
    """
    latest = latest_change(rows.facts_of(act.connection, player))
    if seen is not None and latest > seen:
        raise BadInput("changed-meanwhile", author=some_acts(act.connection, [latest])[latest].author)
    values = {field: _fact(field, value) for field, value in set_.items()}
    before = known_player(act.connection, player)
    facts: dict[str, Any] = values | ({"born": _birth(set_["born"], "born")} if "born" in set_ else {})
    after = replace(before, **facts)
    _refuse(after, "set")
    refuse_federation(act.connection, values.get("federation", ""), "set")
    rows.add_facts(
        act.connection, [(player, field, value, since) for field, value in values.items()], act.seq
    )
    act.record(set=None, **values)
    return player_facts(known_player(act.connection, player))


def latest_change(facts: Iterable[Any]) -> int:
    """Return the last act that changed these facts about a player, or 0."""
    return max((fact.act for fact in facts), default=0)


def _fact(field: str, value: str) -> str:
    """Return a fact as the register keeps it."""
    match field:
        case "name":
            return stored_form(value)
        case "federation" | "title" | "women_title":
            return value.upper()
        case "born":
            return from_birth(_birth(value, "born"))
        case _:
            return value


@act("register death", OF_PLAYER, says="register.death-entered", page=PAGE, verb="change-player")
def report_death(act: ActContext, player: PlayerNumber, day: DeathDay, *, reason: Reason) -> Player:
    """Enter the day of a player's death, as the federation reports it (2024 10.2)."""
    person = replace(known_player(act.connection, player), died=day)
    _refuse(person, "day")
    if day > act.today:
        raise BadInput("death-in-future", option="day", day=day)
    rows.add_facts(act.connection, rows.death_facts(act.connection, player, day), act.seq)
    act.record(day=None, since=str(day), died=str(day))
    return player_facts(person)


@act("register withdraw-death", OF_PLAYER, says="register.death-withdrawn", page=PAGE, verb="change-player")
def withdraw_death(act: ActContext, player: PlayerNumber, *, reason: Reason) -> Player:
    """Take back a death that was reported by mistake."""
    person = known_player(act.connection, player)
    if person.died is None:
        raise BadInput("not-dead", option="player", player=player)
    rows.add_facts(act.connection, rows.death_facts(act.connection, player, None), act.seq)
    act.record(since=str(person.died), died="")
    return player_facts(replace(person, died=None))


@act("register number", OF_PLAYER, says="register.numbered", page=PAGE, verb="add-identifier")
def add_identifier(
    act: ActContext, player: PlayerNumber, scheme: Scheme, value: SchemeNumber, *, reason: Reason = ""
) -> Player:
    """Add the number that another body gave a player."""
    person = replace(known_player(act.connection, player), identifiers=((scheme, value),))
    refuse_numbers(act.connection, person.identifiers, "scheme", "value")
    refuse_taken(act.connection, person, "value")
    rows.add_identifiers(act.connection, [(scheme, value, player, act.seq)])
    return player_facts(known_player(act.connection, player))


@act("register remove-number", OF_PLAYER, says="register.number-removed", page=PAGE, verb="remove-identifier")
def remove_identifier(
    act: ActContext, player: PlayerNumber, scheme: Scheme, value: SchemeNumber, *, reason: Reason
) -> Player:
    """Remove a number that was added by mistake; it can then be given to another player."""
    person = known_player(act.connection, player)
    if (scheme, value) not in person.identifiers:
        raise BadInput("no-identifier", option="value", scheme=scheme, value=value, player=player)
    rows.change_identifier(act.connection, scheme, value, None, act.seq)
    return player_facts(known_player(act.connection, player))


@costly
@act("import-register", officer_of_all("register"), says="office.imported")
def import_register(
    act: ActContext, file: RegisterFile, *, date_: AppliesFrom, reason: Reason = ""
) -> ImportedRegister:
    """Import players without ratings. Doubtful rows are skipped and reported."""
    from arpad.office.register.table_rows import (
        add_register_parts,
    )  # loads Polars, which a search does without

    imported = imports.enter_register(act, file.data, date_)
    act.afterwards = add_register_parts
    act.unchanged = not (imported.newcomers or imported.changed)
    act.record(date=None, since=str(date_), rows=imported.rows)
    act.record(newcomers=imported.newcomers, changed=imported.changed)
    return imported


# -------------------------------------------------------------------------------------------------------- searching


@query(
    "search",
    EVERYBODY,
    columns=("id", "name", "federation", "born", "identifiers"),
    path="/search",
    says="office.nobody-called",
)
def search_players(reading: Reading, q: NameOrNumber, *, limit: MostFound = 20) -> FoundPlayers:
    """Find players by name, in any spelling, or by number.

    Müller, Mueller and Muller are alike; names may be swapped, abbreviated, or in other alphabets.
    """
    connection, public = reading.connection, not reading.caller.owner
    if public:
        check_within(limit, "limit", 1, MOST_PUBLIC)
    found = players_found(connection, q, limit, public=public)
    similar = [] if found or public else _similar(connection, q, 5, public=public)
    away = hidden_schemes(connection, ON_PLAYER) if public else frozenset()
    return FoundPlayers(
        tuple(player_facts(shown_person(it, away), public=public) for it in found),
        tuple(player_facts(it) for it in similar),
        q,
    )


_ELIDED = re.compile(r"(?i)\b(d|l|o|all|dall|degl|dell|nell|quell|sant)\s+(?=\w)")
"""Words that an apostrophe joins to the next one, written with a space: D Angelo, Sant Elmo, O Neill."""


def find_players(office: Office, text: str, limit: int = 20, *, public: bool = False) -> list[Person]:
    """Return players by name, in any spelling and order and by initials, or by one of their numbers.

    ``public`` leaves out players who are not shown, as if they did not exist, and numbers that the public does not see:
    those of hidden schemes and of unknown ones.
    """
    with office.store.reading() as connection:
        return players_found(connection, text, limit, public=public)


def players_found(connection: Connection, text: str, limit: int, *, public: bool = False) -> list[Person]:
    """Return what ``find_players`` does, within a transaction."""
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
        return _similar(connection, text, most, public=public)


def _similar(connection: Connection, text: str, most: int, *, public: bool) -> list[Person]:
    away = hidden(connection) if public else frozenset()
    return _without(similar_names(connection, text, most + len(away)), away, most)


def _without(people: list[Person], away: frozenset[int], most: int) -> list[Person]:
    """Return the first players who are shown."""
    return [person for person in people if person.id not in away][:most]


def _with_number(connection: Connection, text: str, *, public: bool) -> set[int]:
    """Return the players who have a number, of any scheme or of an unknown one."""
    schemes = _searched_schemes(connection, public=public)
    holders = rows.holders_of(connection, [(scheme, text) for scheme in schemes]).values()
    return {*holders, *(() if public else players_with_unknown_number(connection, text))}


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


def known_player(connection: Connection, player: int, option: str = "player") -> Person:
    """Return a player of the register; refuse an unknown number, which a parameter gave."""
    person = rows.load_people(connection, [player]).get(player)
    if person is None:
        raise BadInput("no-player", option=option, player=player)
    return person


def refuse_taken(connection: Connection, person: Person, option: str) -> None:
    """Refuse an identifier that another player has."""
    for (scheme, value), holder in rows.holders_of(connection, person.identifiers).items():
        raise BadInput("identifier-taken", option=option, scheme=scheme, value=value, player=holder)


def ledger_details(person: Person) -> dict[str, str]:
    """Return what the ledger says about a new player."""
    return _facts(person) | {f"id-{scheme}": value for scheme, value in person.identifiers}


def _facts(person: Person) -> dict[str, str]:
    return {field: str(getattr(person, field)) for field in CHANGEABLE if getattr(person, field)}


def _refuse(person: Person, option: str = "name") -> None:
    """Refuse facts that no register should have; ``option`` is the parameter that they come from."""
    name = person.name.strip()
    if not name or len(name) > _LONGEST or not name.isprintable():
        raise BadInput("player-name", option=option, field="name", given=name[:40])
    born = birth_year(person.born)
    if person.died is not None and born is not None and person.died.year < born:
        raise BadInput("death-before-birth", option=option, day=person.died, year=born)
    for field, value, accepted in (
        ("sex", person.sex, SEXES),
        ("affiliation", person.affiliation, imports.AFFILIATIONS),
    ):
        if value not in accepted:
            raise BadInput(
                "player-value", option=option, field=field, given=value, accepted=", ".join(accepted[1:])
            )


def refuse_federation(connection: Connection, code: str, option: str = "federation") -> None:
    """Refuse a code that is no federation's; none is the federation that nobody knows."""
    if code and not known_federation(code, read_setting(connection, "federation")):
        raise BadInput("player-federation", option=option, field="federation", given=code[:40])


def refuse_numbers(
    connection: Connection, numbers: Iterable[tuple[str, str]], of_scheme: str, of_value: str = ""
) -> None:
    """Refuse numbers of a scheme that nobody declared, and those that are not of its form."""
    declared = declared_schemes(connection)
    for scheme, value in numbers:
        if scheme not in BUILT_IN and scheme not in declared:
            accepted = ", ".join((*BUILT_IN, *declared))
            raise BadInput("identifier-scheme", option=of_scheme, scheme=scheme[:20], accepted=accepted)
        form = declared[scheme].pattern if scheme in declared else "123456"
        if (
            not value.strip()
            or not value.isascii()
            or (scheme == "fide" and not value.isdecimal())
            or (scheme in declared and not fits(form, value))
        ):
            option = of_value or of_scheme
            raise BadInput("player-value", option=option, field=scheme, given=value[:40], accepted=form)
