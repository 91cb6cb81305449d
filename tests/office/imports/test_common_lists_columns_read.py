"""The columns of a list as they were read: a wrong one is seen before anything is stored."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from arpad.model.rules import ListName
from arpad.office.imports.acts import import_list
from tests.builders.offices import Desk
from tests.builders.site_fixtures import Served, proof

DAY = date(2018, 5, 1)
CSV = """id,name,federation,title,rating,born
101,"Rossi, Anna",ITA,FM,2210,1990
102,"Bianchi, Bruno",ITA,,1840,
103,1999,ITA,,90,2017
104,"Verdi, Carla",XYZ,QQ,1500,1985
"""


def test_each_column_has_its_values_empty_and_odd_cells(sqlite_desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text(CSV)
    imported = import_list(replace(sqlite_desk.office, rehearsing=True), path, ListName.STANDARD, DAY)
    found = {it.column: it for it in imported.columns}
    assert {"name", "federation", "title", "rating", "born"} <= set(found)
    assert (found["name"].filled, found["name"].odd, found["name"].odd_examples) == (4, 1, ("1999",))
    assert (found["federation"].odd, found["federation"].odd_examples) == (1, ("XYZ",))
    assert (found["title"].filled, found["title"].empty, found["title"].odd) == (2, 2, 1)
    assert (found["rating"].odd, found["rating"].odd_examples) == (1, ("90",))
    assert (found["born"].filled, found["born"].empty, found["born"].odd) == (3, 1, 1)
    assert found["rating"].examples == ("2210", "1840", "90")


def test_the_preview_on_the_site_shows_them(own: Served) -> None:
    client = own.client("officer")
    form = {"csrf": proof(client, "/desk/import"), "list": "standard", "day": "2026-11-01"}
    answer = client.post("/desk/import/preview", data=form, files={"file": ("list.csv", CSV.encode())})
    assert answer.status_code == 200
    assert "Columns as they were read" in answer.text
    assert "2210 · 1840 · 90" in answer.text
    assert 'data-busy="Storing 4 players …"' in answer.text
