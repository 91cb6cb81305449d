"""Open data: tables that fit together, exact figures, and nobody who asked not to be shown."""

import csv
import json
from datetime import date
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from arpad.model.errors import BadInput
from arpad.office.open_data.acts import data_version, present_data, renew_open_data, write_open_data
from arpad.office.privacy.acts import hide_player
from arpad.office.register.acts import change_player
from arpad.publishing.open_data import EXACT, TABLES
from arpad.system.atomic_files import file_digest
from tests.builders.chess import event
from tests.builders.offices import WIN, Desk, listed
from tests.builders.verbs import change_settings

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)


@pytest.fixture
def played(sqlite_desk: Desk) -> Desk:
    """An office with one match, which a list rates."""
    desk = sqlite_desk
    desk.list(JAN, listed(1, 2000), listed(2, 1900))
    desk.on(date(2018, 1, 12))
    desk.report(event("Match", WIN, date(2018, 1, 10)))
    desk.publish(FEB)
    return desk


def tables(folder: Path) -> dict[str, list[dict[str, str]]]:
    """Return all CSV tables of a folder."""
    return {
        table.name: list(csv.DictReader(StringIO((folder / f"{table.name}.csv").read_text(encoding="utf-8"))))
        for table in TABLES
    }


def test_the_games_of_a_player_give_the_change(played: Desk, tmp_path: Path) -> None:
    counts = write_open_data(played.office, tmp_path / "data")
    data = tables(tmp_path / "data")
    assert {name: len(rows) for name, rows in data.items()} == counts
    assert [row["list"] for row in data["lists"]] == ["standard-2018-01-01-r1", "standard-2018-02-01-r1"]
    assert len(data["games"]) == len(data["changes"]) == 2
    for change in data["changes"]:
        games = [game for game in data["games"] if game["player"] == change["player"]]
        terms = [int(g["k"]) * (Decimal(g["score"]) - Decimal(g["expected"])) for g in games]
        exact = sum(terms, Decimal(0))
        assert exact == Decimal(change["points"]) == sum(Decimal(game["points"]) for game in games)
        assert abs(int(change["after"]) - int(change["before"]) - exact) <= Decimal("0.5")
        assert all(game["article"] for game in games)
        assert json.loads(change["steps"])
    (match,) = data["events"]
    assert (match["name"], {game["event"] for game in data["games"]}) == ("Match", {match["event"]})


def test_the_description_fits_the_files(played: Desk, tmp_path: Path) -> None:
    change_settings(played.office, set_={"open_data_licence": "CC-BY-4.0"})
    folder = tmp_path / "data"
    write_open_data(played.office, folder)
    package: dict[str, Any] = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    assert [licence["name"] for licence in package["licenses"]] == ["CC-BY-4.0"]
    assert {path.name for path in folder.iterdir()} == {
        "datapackage.json",
        *(resource["path"] for resource in package["resources"]),
    }
    data = tables(folder)
    for resource in package["resources"]:
        path = folder / resource["path"]
        assert resource["bytes"] == path.stat().st_size
        assert resource["hash"] == f"sha256:{file_digest(path)}"
        names = [field["name"] for field in resource["schema"]["fields"]]
        if resource["format"] == "parquet":
            frame = pl.read_parquet(path)
            assert frame.columns == names
            assert frame.height == len(data[resource["name"].removesuffix("-parquet")])
            assert {kind for kind in frame.dtypes if kind.is_decimal()} <= {EXACT}
    with pytest.raises(BadInput):
        change_settings(played.office, set_={"open_data_licence": "<b>"})


def test_nobody_is_written_who_asked_not_to_be_shown(played: Desk, tmp_path: Path) -> None:
    write_open_data(played.office, tmp_path / "before")
    first = tables(tmp_path / "before")["players"][0]
    change_player(played.office, 2, since=JAN, reason="spelled so", set_={"name": '=HYPERLINK("x")'})
    hide_player(played.office, int(first["player"]), reason="asked")
    write_open_data(played.office, tmp_path / "after")
    for path in (tmp_path / "after").iterdir():
        assert first["name"].encode() not in path.read_bytes(), path.name
    after = tables(tmp_path / "after")
    assert {row["player"] for row in (*after["players"], *after["ratings"], *after["games"])} == {"2"}
    assert [game["opponent"] for game in after["games"]] == [""]
    assert after["players"][0]["name"].startswith("'=")  # harmless in a spreadsheet, as it is in Parquet
    assert pl.read_parquet(tmp_path / "after" / "players.parquet")["name"].to_list() == ['=HYPERLINK("x")']


def test_the_data_of_the_site_are_those_since_the_last_hidden_player(played: Desk, tmp_path: Path) -> None:
    def version() -> str:
        with played.office.store.reading() as connection:
            return data_version(connection)

    assert present_data(tmp_path / "site", version()) is None
    folder = renew_open_data(played.office, tmp_path / "site")
    assert present_data(tmp_path / "site", version()) == folder
    assert renew_open_data(played.office, tmp_path / "site") == folder
    hide_player(played.office, 1, reason="asked")
    assert present_data(tmp_path / "site", version()) is None
    newer = renew_open_data(played.office, tmp_path / "site")
    assert present_data(tmp_path / "site", version()) == newer
    assert list((tmp_path / "site").iterdir()) == [newer]
