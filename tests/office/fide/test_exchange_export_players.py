"""Player files for pairing programs: FIDE's layouts with national numbers and ratings, and a CSV with clubs."""

import csv
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from arpad.model.clubs import UnitKind
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.clubs.acts import enter_club, transfer
from arpad.office.fide.exchange import export_players
from arpad.office.fide.reference import add_reference
from arpad.reports.formats.lists.fide_list import open_list
from tests.builders.offices import Clock, Desk, listed
from tests.builders.reference import row, write_reference
from tests.builders.verbs import add_identifier, change_settings, register_player
from tests.commands import refusal, run_json

JAN = date(2018, 1, 1)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An office with two lists, a club, a reference list with other ratings, and a player on no list."""
    folder = tmp_path_factory.mktemp("export")
    made = Desk.made(str(folder / "office.db"), folder, Clock())
    made.list(
        JAN,
        listed(1, 2000),
        listed(2, 1900, sex="F", name='Di "Due", Ada'),
        listed(3, 1800, federation="FRA"),
    )
    made.list(JAN, listed(1, 1950), on_list=ListName.RAPID)
    change_settings(made.office, set_={f"owned_{name}": "home" for name in ("standard", "rapid", "blitz")})
    register_player(made.office, "Neri, Ugo", federation="ITA", identifiers={"fsi": "77"})
    add_identifier(made.office, 1, "fsi", "55")
    enter_club(made.office, "C1", "Circolo, Uno", kind=UnitKind.CLUB, since=JAN)
    transfer(made.office, 1, "C1", since=JAN)
    reference = write_reference(
        folder, "fide.txt", row(9001, "Player 1", rating=2050, rapid=2010, blitz=1990)
    )
    add_reference(made.office, reference, JAN)
    yield made
    made.office.close()


@pytest.mark.parametrize("ending", ["txt", "xml"])
def test_fide_layouts_have_the_reference_and_our_own_beside_it(desk: Desk, ending: str) -> None:
    path = desk.folder / f"players.{ending}"
    assert export_players(desk.office, path, day=JAN) == (3, ())
    with open_list(path) as rows:
        by_number = {it.id: it for it in rows}
    one, two = by_number[9001], by_number[9002]
    assert (one.rating, one.rapid_rating, one.blitz_rating) == (2050, 2010, 1990)
    assert (two.rating, two.rapid_rating, two.sex, two.flag) == (1900, None, "F", "w")
    text = path.read_text(encoding="utf-8")
    if ending == "xml":
        assert "<national_number>1</national_number>\n<national_standard>2000</national_standard>" in text
    else:
        line = next(it for it in text.splitlines() if it.startswith("9001"))
        assert [line[163:178].strip(), line[178:184].strip(), line[184:190].strip()] == ["1", "2000", "1950"]


def test_the_csv_has_clubs_and_both_ratings_ours_first(desk: Desk) -> None:
    path = desk.folder / "players.csv"
    count, _ = export_players(desk.office, path, day=JAN, scheme="fsi", unrated=True)
    with path.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert count == len(rows) == 4
    assert [it["name"] for it in rows] == ['Di "Due", Ada', "Neri, Ugo", "Player 1", "Player 3"]
    by_name = {it["name"]: it for it in rows}
    one = by_name["Player 1"]
    assert (one["fide_number"], one["national_number"], one["club"], one["club_name"]) == (
        "9001", "55", "C1", "Circolo, Uno",
    )  # fmt: skip
    assert (one["standard"], one["rapid"], one["fide_standard"], one["fide_rapid"]) == (
        "2000",
        "1950",
        "2050",
        "2010",
    )
    assert (by_name["Neri, Ugo"]["standard"], by_name["Neri, Ugo"]["national_number"]) == ("", "77")


def test_another_ending_is_refused(desk: Desk) -> None:
    with pytest.raises(BadInput) as caught:
        export_players(desk.office, desk.folder / "players.swt")
    assert caught.value.code == "players-format"


def test_the_command(desk: Desk, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    asked = ("office", "fide", "export-players")
    document = run_json(capsys, *asked, str(tmp_path / "a.xml"), "--day", "2018-01-01", "--db", desk.place)
    assert document["players"] == 3
    assert ".csv" in refusal(capsys, *asked, str(tmp_path / "a.doc"), "--db", desk.place)
