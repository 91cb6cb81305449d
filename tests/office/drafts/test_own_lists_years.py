"""Three years of a federation through an office under each system: every list is that of a plain program.

Reports come late, are corrected by a new version, register newcomers, and name a player by a second number until an
officer merges the two.
"""

from datetime import date, timedelta
from typing import Any

import pytest

from arpad.lists.canonical import read_canonical
from arpad.lists.system_units import state_of
from arpad.model.rules import ListName
from arpad.office.lists.acts import add_list
from arpad.office.lists.history_rows import canonical_text
from arpad.office.verify.acts import verify
from arpad.publishing.bundle import verify_bundle
from arpad.regulations.system_fields import written
from arpad.regulations.units import Entrant as Rated
from arpad.regulations.units import Unit
from arpad.reports.report import Entrant, Header, Report, Round
from arpad.store.settings import list_named
from arpad.system.spreadsheet_cells import csv_text
from tests.builders.offices import Desk
from tests.builders.system_worlds import BEGINS, FACTS, ROUNDS, World, made_world
from tests.builders.verbs import accept, import_list, merge
from tests.lists.test_system_list_years import DOUBLE, LISTS, MERGED_ON, PLAIN, REAL, end_of, reports

PLACES = {1: "1", 0: "0"}


def report_of(unit: Unit[Any], born: Any) -> Report:
    """Return an event of the made world as a report; the number of each player is that of the world after 9000."""
    names = list(unit.entrants)
    numbers = {name: number for number, name in enumerate(names, start=1)}
    rounds = []
    for played in range(1, ROUNDS + 1):
        cells = dict.fromkeys(names, (0, "-", "Z"))
        for game in (game for game in unit.games if game.round == played):
            for side, colour in ((game, "w"), (game.turned(), "b")):
                result = "=" if side.score * 2 == 1 else str(side.score)
                cells[side.player] = (numbers[side.opponent], colour, result)
        opponents, colours, results = zip(*cells.values(), strict=True)
        rounds.append(Round(opponents, "".join(colours), "".join(results)))
    entrants = [
        Entrant(numbers[it], f"Player {it}", id=str(9000 + int(it)), federation="ITA", born=born)
        for it in names
    ]
    header = Header(
        name=unit.name, city="Bellariva", federation="ITA", first_day=unit.first_day, last_day=unit.last_day,
        time_control="90 min/40 moves + 30 min + 30 sec per move from move one", chief_arbiter="IA Rossi",
    )  # fmt: skip
    return Report(header, tuple(entrants), tuple(rounds))


def begun(desk: Desk, world: World) -> ListName:
    """Return the list of an office that has taken over the ratings of the made world."""
    system, first = world.system, BEGINS[world.system.id] - timedelta(days=1)
    desk.on(first)
    add_list(desk.office, "own", system=system.id, since=first)
    with desk.office.store.reading() as connection:
        own = list_named(connection, "own")
    columns = [field.name for field in system.fields if field.name != "born"]
    rows = []
    for number, text in world.start.items():
        values = written(system.values(Rated(state_of(system, text))))
        born = written(FACTS[system.id].get("born"))
        rows.append((9000 + number, f"Player {number}", born, *(values.get(name) for name in columns)))
    path = desk.folder / "own.csv"
    path.write_text(csv_text(("id", "name", "born", *columns), rows))
    import_list(desk.office, path, own, first)
    return own


def numbers_of(desk: Desk) -> dict[str, int]:
    """Return the register's numbers by those of the made world."""
    with desk.office.store.reading() as connection:
        from arpad.office.register import rows

        people = rows.load_people(connection, range(1, rows.next_player(connection)))
        return {
            str(int(it.identifier("fide")) - 9000): it.id for it in people.values() if it.identifier("fide")
        }


@pytest.mark.parametrize("name", PLAIN)
def test_every_list_of_an_office_is_that_of_a_plain_program(sqlite_desk: Desk, name: str) -> None:
    desk, world = sqlite_desk, made_world(name, guests=False)
    own, known = begun(desk, world), dict[int, tuple[Unit[Any], int]]()
    again = 0
    for number in LISTS:
        day = end_of(name, number)
        desk.on(day)
        if number == MERGED_ON:
            numbers = numbers_of(desk)
            merge(desk.office, numbers[REAL], numbers[DOUBLE], reason="one person", confirmed=True)
        for unit in reports(world, number):
            before, report = known.get(unit.number, (None, 0))
            renamed = before is not None and DOUBLE in before.entrants
            if before is None or (before != unit and not renamed):
                sent = desk.send(report_of(unit, FACTS[name].get("born")), replaces=report or None)
                accept(desk.office, sent.report)
                again += bool(report)
                known[unit.number] = (unit, sent.report)
        published = desk.publish(day, own)
        with desk.office.store.reading() as connection:
            rows = read_canonical(canonical_text(connection, published)).rows
        world_number = {number: int(it) for it, number in numbers_of(desk).items()}
        ordered = sorted(reports(world, number), key=lambda unit: unit.last_day or date.max)
        assert {world_number[row.player]: row.printed for row in rows} == PLAIN[name](
            world, ordered, number
        ), number
    assert again >= 6, "corrected versions"
    assert len(rows) == 30, "newcomers too, and nobody twice"
    assert verify(desk.office).intact
    assert verify_bundle(desk.folder / "lists" / f"{published.name}.bundle.zip").intact
