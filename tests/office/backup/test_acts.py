"""Backup, restore and export."""

import csv
import json
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from arpad.model.errors import BadInput, Unreadable
from arpad.store.declared_tables import Kind, all_tables, rows_of
from tests.builders.chess import event
from tests.builders.office_fixtures import new_database
from tests.builders.offices import FEW, STANDARD, WIN, Desk, trf
from tests.builders.verbs import backup, export, ledger, open_office, publish, restore, verify

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))


@pytest.fixture(params=["sqlite", "postgres"])
def other_place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    if request.param == "sqlite":
        yield str(tmp_path / "other.db")
    else:
        yield new_database(request.getfixturevalue("postgres_server"))


def test_a_backup_is_restored_into_either_database(out: Desk, other_place: str, tmp_path: Path) -> None:
    file = tmp_path / "office.backup"
    rows = backup(out.office, file)
    assert rows["reports"] == 1

    restore(file, other_place)

    other = open_office(other_place, now=out.clock, author="T. Officer")
    try:
        assert verify(other).intact
        assert ledger(other) == ledger(out.office)
        folder = tmp_path / "again"
        publish(other, STANDARD, FEB, folder, kinds=FEW)
        for path in (out.folder / "lists").iterdir():
            assert (folder / path.name).read_bytes() == path.read_bytes(), path.name
        publish(other, STANDARD, MAR, folder, kinds=FEW)
    finally:
        other.close()


def test_a_backup_is_restored_only_into_an_empty_database(out: Desk, tmp_path: Path) -> None:
    file = tmp_path / "office.backup"
    backup(out.office, file)

    with pytest.raises(BadInput, match="office-exists"):
        restore(file, out.place)


@pytest.mark.parametrize("share", [0, 30, 90])
def test_a_damaged_backup_restores_nothing(sqlite_desk: Desk, tmp_path: Path, share: int) -> None:
    file = tmp_path / "office.backup"
    backup(sqlite_desk.office, file)
    file.write_bytes(file.read_bytes()[: file.stat().st_size * share // 100])

    with pytest.raises(Unreadable, match="backup-unreadable"):
        restore(file, str(tmp_path / "new.db"))

    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize("wrong", [{"revision": "9999"}, {"schema": "arpad.backup/0"}, {"rows": None}])
def test_a_backup_that_is_refused_is_closed_again(
    sqlite_desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, object]
) -> None:
    file = tmp_path / "office.backup"
    backup(sqlite_desk.office, file)
    with zipfile.ZipFile(file) as archive:
        told = {name: archive.read(name) for name in archive.namelist()}
    told["manifest.json"] = json.dumps(json.loads(told["manifest.json"]) | wrong).encode()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in told.items():
            archive.writestr(name, data)
    opened: list[zipfile.ZipFile] = []

    class Watched(zipfile.ZipFile):
        def __init__(self, path: Path) -> None:
            super().__init__(path)
            opened.append(self)

    monkeypatch.setattr(zipfile, "ZipFile", Watched)

    with pytest.raises(Unreadable, match="database-newer" if "revision" in wrong else "backup-unreadable"):
        restore(file, str(tmp_path / "new.db"))

    assert [archive.fp for archive in opened] == [None]
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize(
    "row", ['{"act": 1, "part": 2}', '{"reader": "x", "act": 1, "part": 2, "more": 3}', "[]"]
)
def test_a_row_with_other_columns_than_its_table_is_damage(
    sqlite_desk: Desk, tmp_path: Path, row: str
) -> None:
    file, changed = tmp_path / "office.backup", tmp_path / "changed.backup"
    backup(sqlite_desk.office, file)
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(changed, "w") as other:
        for name in archive.namelist():
            other.writestr(name, row if name == "change_readers.jsonl" else archive.read(name))

    with pytest.raises(Unreadable, match="backup-damaged"):
        restore(changed, str(tmp_path / "new.db"))

    assert not (tmp_path / "new.db").exists()


def test_everything_is_exported_in_open_formats(out: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "export"
    export(out.office, folder)

    with (folder / "players.csv").open(encoding="utf-8", newline="") as stream:
        assert [row["name"] for row in csv.DictReader(stream)] == ["Player 1", "Player 2"]
    assert (folder / "reports" / "1-match.trf").read_bytes() == trf(event("Match", WIN, date(2018, 1, 10)))
    with (folder / "entrants.csv").open(encoding="utf-8", newline="") as stream:
        assert [(row["place"], row["player"]) for row in csv.DictReader(stream)] == [("0", "1"), ("1", "2")]
    with pytest.raises(BadInput, match="folder-not-empty"):
        export(out.office, folder)


def test_only_the_owner_reads_an_export(sqlite_desk: Desk, tmp_path: Path) -> None:
    export(sqlite_desk.office, tmp_path / "export")
    modes = {path.is_dir(): path.stat().st_mode & 0o777 for path in (tmp_path / "export").rglob("*")}
    assert modes == {True: 0o700, False: 0o600}


def test_a_backup_that_is_not_there_is_called_so(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match=r"file-not-opened .*No such file") as refused:
        restore(tmp_path / "missing.zip", str(tmp_path / "new.db"))
    assert refused.value.facts["path"] == str(tmp_path / "missing.zip")


def test_an_export_contains_no_accounts(desk: Desk, tmp_path: Path) -> None:
    exported = export(desk.office, tmp_path / "out")
    unopened = {name for name in all_tables() if rows_of(name).kind is not Kind.KEPT} - {"hidden_players"}
    assert set(all_tables()) - set(exported) == unopened | {"list_blocks", "reference_blocks"}
