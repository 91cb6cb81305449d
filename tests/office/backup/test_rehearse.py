"""The rehearsal of a restore: what a backup has and has not, and that nothing is left of it."""

import json
import tempfile
import zipfile
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import text

from arpad.model.errors import Unreadable
from arpad.office.backup.rehearse import Comparison, Contents, compare, rehearse
from arpad.office.settings.acts import change_settings
from arpad.store.database import scratch_database
from tests.builders.office_fixtures import DEEP_ON_POSTGRESQL
from tests.builders.offices import FEW, STANDARD, Desk
from tests.builders.verbs import backup, init, publish

MARCH = date(2018, 3, 1)
BEFORE = Contents(("a", "b"), {"standard-1": "x"}, 1)


@pytest.fixture(autouse=True)
def scratch_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.mark.parametrize(
    ("running", "expected", "continues"),
    [
        (BEFORE, Comparison(2, 0, 0, (), (), 0), True),
        (Contents(("a", "b", "c"), {"standard-1": "x", "standard-2": "y"}, 3),
         Comparison(2, 1, 0, ("standard-2",), (), 2), True),
        (Contents(("a", "c"), {"standard-1": "z"}, 1), Comparison(1, 1, 1, (), ("standard-1",), 0), False),
        (Contents(("a",), {}, 0), Comparison(1, 0, 1, (), ("standard-1",), 0), False),
        (Contents(("z",), {}, 0), Comparison(0, 1, 2, (), ("standard-1",), 0), False),
    ],
)  # fmt: skip
def test_a_backup_is_compared_act_by_act_and_list_by_list(
    running: Contents, expected: Comparison, *, continues: bool
) -> None:
    assert compare(BEFORE, running) == expected
    assert expected.continues is continues


@DEEP_ON_POSTGRESQL
def test_a_backup_serves_also_after_the_office_went_on(
    out: Desk, tmp_path: Path, scratch_folder: Path
) -> None:
    """On both databases: the copy is verified, the difference is named, and nothing is left."""
    file = tmp_path / "office.zip"
    backup(out.office, file)
    now = rehearse(file, out.office)
    assert (now.serves, now.comparison and now.comparison.missing_acts) == (True, 0)

    publish(out.office, STANDARD, MARCH, tmp_path / "march", kinds=FEW)
    later = rehearse(file, out.office)

    assert later.serves
    assert later.comparison is not None
    assert later.comparison.missing_lists == ("standard-2018-03-01-r1",)
    assert later.comparison.missing_acts >= 1
    assert list(scratch_folder.iterdir()) == []
    if out.office.store.engine.dialect.name == "postgresql":
        with out.office.store.reading() as connection:
            query = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'arpad\\_scratch%'"
            assert connection.execute(text(query)).scalar() == 0


def test_an_altered_office_gives_a_backup_that_does_not_serve(sqlite_desk: Desk, tmp_path: Path) -> None:
    change_settings(sqlite_desk.office, set_={"name": "Federazione"}, reason="name")
    with sqlite_desk.office.store.writing() as connection:
        connection.execute(text("DROP TRIGGER keep_ledger_UPDATE"))
        connection.execute(text("UPDATE ledger SET author = 'nobody' WHERE seq = 1"))
    backup(sqlite_desk.office, tmp_path / "office.zip")

    rehearsal = rehearse(tmp_path / "office.zip")

    assert not rehearsal.serves
    assert rehearsal.verification.altered


def test_the_backup_of_another_office_does_not_serve(sqlite_desk: Desk, tmp_path: Path) -> None:
    backup(sqlite_desk.office, tmp_path / "office.zip")
    with closing(init(str(tmp_path / "other.db"), name="Another")) as office:
        rehearsal = rehearse(tmp_path / "office.zip", office)
    assert not rehearsal.serves
    assert rehearsal.comparison is not None
    assert not rehearsal.comparison.same_office


def test_a_cut_or_foreign_file_is_one_sentence(
    sqlite_desk: Desk, tmp_path: Path, scratch_folder: Path
) -> None:
    file = tmp_path / "office.zip"
    backup(sqlite_desk.office, file)
    whole = file.read_bytes()
    foreign = tmp_path / "foreign.zip"
    with zipfile.ZipFile(foreign, "w") as archive:
        archive.writestr("manifest.json", json.dumps({"schema": "other/1"}))
    file.write_bytes(whole[: len(whole) // 2])
    for path in (file, foreign, tmp_path):
        with pytest.raises(Unreadable, match="backup-unreadable"):
            rehearse(path, sqlite_desk.office)
    assert list(scratch_folder.iterdir()) == []


def test_a_scratch_database_goes_whatever_happens(scratch_folder: Path) -> None:
    def fail() -> None:
        with scratch_database() as address:
            Path(address).touch()
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert list(scratch_folder.iterdir()) == []
