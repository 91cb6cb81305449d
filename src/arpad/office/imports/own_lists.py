"""Read the ratings from which a list of the office's own starts: a CSV with the fields of its rating system."""

from datetime import date
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from arpad.lists.canonical import canonical_lines
from arpad.lists.published import PublishedList, StoredPlayer
from arpad.lists.system_list import listed_player, own_columns
from arpad.lists.system_units import state_of, state_text
from arpad.lists.table import table_of
from arpad.model.canonical_json import dump
from arpad.model.disciplines import CHESS
from arpad.model.errors import BadInput
from arpad.model.federations import known_federation
from arpad.model.json_values import to_birth
from arpad.model.names import stored_form
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.office.office import ActContext
from arpad.office.register import rows as register
from arpad.office.register.number_rows import ImportedRows, Progress, source_rules
from arpad.rating.event_question import read_rows, read_states
from arpad.regulations import OF_OWN_LISTS
from arpad.regulations.systems import edition_on, system_named
from arpad.store.settings import read_setting


def import_own_rows(
    act: ActContext, path: Path, on_list: ListName, day: date, progress: Progress
) -> ImportedRows:
    """Store all players of a list in the register, and their states on the list.

    The column ``id`` has the number that reports have; newcomers to the register also need a ``name``.
    """
    connection, system = act.connection, system_named(on_list.system)
    edition = edition_on(system, day)
    rules = {(rule.kind, rule.value): rule.scheme for rule in source_rules(connection)}
    scheme = rules.get(("discipline", CHESS.name), CHESS.schemes[0])
    rows, states = read_rows(path), _states(path, on_list)
    numbers = register.by_identifier(connection, scheme, rows)
    new = {identifier: row for identifier, row in rows.items() if identifier not in numbers}
    newcomers = _newcomers(connection, new, scheme)
    register.add_people(connection, [(person, act.seq) for person in newcomers])
    numbers |= dict(zip(new, (person.id for person in newcomers), strict=True))
    people = register.load_people(connection, numbers.values(), on=day)
    stored, lines = [], {}
    for identifier in rows:
        player = numbers[identifier]
        if player in lines:
            raise BadInput("state-twice", value=identifier)
        state = states[identifier]
        lines[player] = system.line(state, edition.rules, day)
        stored.append((player, state_text(system, state)))
    columns = own_columns(lines.values())
    shown = [
        listed_player(people[player], line, columns)
        for player, line in lines.items()
        if line.figure is not None
    ]
    texts = canonical_lines(PublishedList(on_list, day, 1, edition.id, rows=tuple(shown)))
    table = table_of(
        (StoredPlayer(player, lines[player].figure, state, texts.get(player)) for player, state in stored),
        system,
    )
    progress(len(rows))
    return ImportedRows(table, edition.id, len(rows), len(newcomers), 0, columns=columns)


def _states(path: Path, on_list: ListName) -> dict[str, Any]:
    """Return the states of a file by number; refuse one that cannot be, and a list of another system."""
    try:
        return _states_under(path, on_list.system)
    except BadInput as error:
        columns = {name for row in read_rows(path).values() for name in row}
        own = {field.name for field in system_named(on_list.system).fields}
        others = [
            it for it in OF_OWN_LISTS if (columns - own) & {field.name for field in system_named(it).fields}
        ]
        if other := next((it for it in others if _fits(path, it)), ""):
            about = {"list": str(on_list), "system": on_list.system, "other": other}
            raise BadInput("list-of-other-system", **about) from error
        error.facts["in_file"] = True
        raise


def _states_under(path: Path, name: str) -> dict[str, Any]:
    system = system_named(name)
    states = read_states(path, system)
    return {identifier: state_of(system, dump(it), identifier) for identifier, it in states.items()}


def _fits(path: Path, system: str) -> bool:
    try:
        _states_under(path, system)
    except BadInput:
        return False
    return True


def _newcomers(connection: Connection, rows: dict[str, dict[str, str]], scheme: str) -> list[Person]:
    """Return the people of a file whom the register does not know."""
    home, first = read_setting(connection, "federation"), register.next_player(connection)
    newcomers = []
    for number, (identifier, row) in enumerate(rows.items(), start=first):
        name = row.get("name", "")
        if not name:
            raise BadInput("own-list-nobody", number=identifier, scheme=scheme)
        federation = known_federation(row.get("federation", home), home)
        born = to_birth(row.get("born", ""))
        sex, numbers = row.get("sex", ""), ((scheme, identifier),)
        newcomers.append(Person(number, stored_form(name), federation, sex, born, identifiers=numbers))
    return newcomers
