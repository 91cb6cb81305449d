"""A page of a large office costs the database as much as one of a small office."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import event

from arpad.office.office import Office
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.web import site_settings
from tests.builders.offices import Clock, Desk, listed
from tests.builders.site_fixtures import serving

JANUARY, FEBRUARY = date(2018, 1, 1), date(2018, 2, 1)
DRAW = """
1 2000 | 2w=
2 1900 | 1b=
"""
FEW, MANY = 400, 4000
FIRST = ("Anna", "Bruno", "Carla", "Dario", "Elsa", "Furio", "Gaia", "Hugo")
FEDERATIONS = ("ITA", "FRA", "ESP", "GER")


def player_row(number: int) -> ListRow:
    """Return a made-up player; fifty have each surname, ratings are multiples of 7."""
    name = f"Cognome{_letters(number // 50)}, {FIRST[number % 8]}"
    return ListRow(
        900_000 + number, name, FEDERATIONS[number % 4], "F" if number % 3 == 0 else "M", born=1940 + number % 70,
        rating=1400 + number * 7919 % 1200 // 7 * 7, games=0, k=20,
    )  # fmt: skip


def _letters(number: int) -> str:
    return chr(97 + number // 26) + chr(97 + number % 26)


def filled(place: str, folder: Path, players: int) -> Desk:
    folder.mkdir(exist_ok=True)
    desk = Desk.made(place, folder, Clock())
    known = (listed(1, 2000), listed(2, 1900))
    desk.list(JANUARY, *known, *(player_row(number) for number in range(players)))
    desk.on(JANUARY)
    return desk


# ------------------------------------------------------------------------------------------------------- the work

PAGES = (
    "/",
    "/players?q=cognomeab",
    "/players?q=anna",
    "/players?q=gaia+cognomeab",
    "/players?q=kognomeab",
    "/players?q=zzz",
    "/players/77",
    "/lists",
    "/lists/standard",
    "/lists/standard?cut=all&page=2",
    "/lists/standard?cut=all&page=40",
    "/lists/standard?cut=women",
    "/lists/standard?federation=ita&page=4",
    "/tournaments",
    "/api/v1/search?q=cognomeac",
    "/api/v1/lists/standard?cut=juniors",
    "/api/v1/players/77",
)


class Work:
    """Counts what SQLite does for a page: instructions of its virtual machine (in hundreds) and queries."""

    def __init__(self, office: Office) -> None:
        self.steps = self.queries = 0
        office.store.engine.dispose()
        event.listen(office.store.engine, "connect", self._watch)
        event.listen(office.store.engine, "before_cursor_execute", self._query)

    def _watch(self, connection: object, _record: object) -> None:
        connection.set_progress_handler(self._step, 100)  # type: ignore[attr-defined]

    def _step(self) -> int:
        self.steps += 1
        return 0

    def _query(self, *_: object) -> None:
        self.queries += 1


def work_for(desk: Desk) -> dict[str, tuple[int, int]]:
    """Return instructions and queries for each page at the second visit, when nothing is read for the first time."""
    work = Work(desk.office)
    costs = {}
    with serving(replace(desk.office, author="")) as running:
        for address in PAGES:
            for language in ("it", "en"):  # so that no page comes from the cache
                before = work.steps, work.queries
                assert running.client(language=language).get(address).status_code == 200, address
                costs[address] = work.steps - before[0], work.queries - before[1]
    return costs


@pytest.mark.deep
def test_a_page_costs_the_same_in_an_office_ten_times_as_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a slow machine would ask for the settings in between
    monkeypatch.setattr(site_settings, "FRESH_SECONDS", 3600.0)
    few = work_for(filled(str(tmp_path / "few.db"), tmp_path / "few", FEW))
    many = work_for(filled(str(tmp_path / "many.db"), tmp_path / "many", MANY))

    for address in PAGES:
        assert many[address][0] <= 2 * few[address][0] + 60, (address, few[address], many[address])
        assert many[address][1] <= few[address][1] + 2, (address, few[address], many[address])
