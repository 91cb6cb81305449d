"""The living demo: it ends on a day, has work to do then, and something on every page."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from arpad.demo.actions import Publish
from arpad.demo.build import build
from arpad.demo.present import invoiced_events, logo, present_acts
from arpad.demo.season import END, season
from arpad.office.office import open_office
from arpad.office.settings.logo import image_type
from arpad.office.users import Grant, Role
from arpad.office.verify.acts import verify
from arpad.store import ledger
from tests.builders.site_fixtures import PASSWORD, Served, serving
from tests.builders.users import add_user
from tests.commands import run

DAY = date(2026, 11, 19)
DAYS = (END, date(2025, 3, 1), date(2026, 2, 28), date(2026, 8, 10), DAY, date(2027, 1, 31))


@pytest.fixture(scope="module")
def living(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("living") / "demo"
    build(folder, end=DAY, living=True)
    return folder


@pytest.fixture(scope="module")
def site(living: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    for name in ("office.db", "office.db.signing-key"):
        shutil.copy(living / name, folder)
    office = open_office(
        str(folder / "office.db"), now=lambda: datetime(2026, 11, 19, 9, tzinfo=UTC), author="tests"
    )
    add_user(office, "anna", "Anna", PASSWORD, [Grant(Role.OFFICER)], own_password=True)
    with serving(office) as running:
        yield running


@pytest.mark.parametrize("end", DAYS, ids=str)
def test_two_years_of_lists_end_in_the_month_of_the_day(end: date) -> None:
    made = season(end=end)
    days = sorted({act.day for act in made.acts if isinstance(act, Publish) and act.on_list == "standard"})
    assert (len(days), days[-1]) == (24, end.replace(day=1))
    assert max(act.day for act in made.acts) <= end
    assert max(act.day for act in present_acts(made)) <= end
    assert season(end=end) == made
    assert list(present_acts(made)) == list(present_acts(season(end=end)))


@pytest.mark.parametrize("month", [2, 4, 5])
def test_every_month_has_whole_tournaments_and_invoices_of_chess(month: int) -> None:
    made = season(end=date(2026, month, 15))
    assert [event.key for event in made.events if len(event.days) != len(event.rounds)] == []
    chess = {event.key for event in made.events if not event.draughts}
    invoiced = invoiced_events(made)
    assert len(chess.intersection(invoiced)) == len(invoiced) == 3


EMPTY = {
    "/desk": ("Trofeo di Vignalta 2026", "Rapid del Lungolago 2026", "Rapid del sabato 2026"),
    "/desk/reports": ("Lampo di mezzanotte 2026", "Trofeo di Vignalta 2026"),
    "/desk/running": ("Torneo del circolo 2026",),
    "/desk/clubs": ("Scaccomatto", "Bellariva e dintorni"),
    "/desk/titles": ("Festival internazionale",),
    "/desk/events": ("Gran Premio di Bellariva 2026",),
    "/desk/arbiters": ("Rinaldi, Carla",),
    "/desk/fees": ("Quota per giocatore",),
    "/desk/invoices?year=2026": ("2026/1",),
    "/desk/decisions": ("Torna a giocare",),
    "/desk/reconciliation": ("1 November 2026",),
    "/running": ("Torneo del circolo 2026",),
    "/calendar": ("Gran Premio di Bellariva 2026",),
    "/clubs": ("Due Torri",),
    "/live/standard": ("1 December 2026", 'class="up"'),
    "/": ("/logo?v=", "1 November 2026"),
}
"""What the pages would not show in a demo without work, by address."""


@pytest.mark.parametrize("address", EMPTY)
def test_no_page_is_empty(site: Served, address: str) -> None:
    answer = site.client("anna").get(address, follow_redirects=True)
    assert answer.status_code == 200
    assert [text for text in EMPTY[address] if text not in answer.text] == []


def test_it_is_intact_and_has_no_act_that_was_entered_later(living: Path, tmp_path: Path) -> None:
    path = shutil.copy(living / "office.db", tmp_path)
    with closing(open_office(str(path))) as office:
        assert verify(office, recompute=False).altered == ()
        with office.store.reading() as connection:
            assert ledger.times_before(connection) == {}


@pytest.mark.deep
def test_the_same_day_gives_the_same_bytes(
    living: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "again"
    document = json.loads(run(capsys, "demo", str(folder), "--day", str(DAY), "--json")[1])
    assert document["publications"] == 82
    for path in (living / "lists").iterdir():
        assert (folder / "lists" / path.name).read_bytes() == path.read_bytes(), path.name
    seals: list[list[str]] = []
    for place in (living, folder):
        database = shutil.copy(place / "office.db", tmp_path / f"{len(seals)}.db")
        with closing(open_office(str(database))) as office, office.store.reading() as connection:
            seals.append(ledger.digests(connection))
    assert seals[0] == seals[1]


def test_the_logo_is_an_image() -> None:
    assert image_type(logo()) == "image/png"
