"""The files of a list that is being published: none before it is stored, each whole, an error names its file."""

import errno
import os
from datetime import date
from pathlib import Path

import pytest

from arpad.model.errors import BadInput
from tests.builders.chess import event
from tests.builders.offices import STANDARD, Desk, listed
from tests.builders.verbs import publish

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)
TABLE = """
1 2000 | 2w1 3b=
2 1950 | 1b0 4w1
3 1900 | 4w= 1w=
4 1850 | 3b= 2b0
"""
KINDS = ("canonical", "txt", "xml", "csv", "sections")


@pytest.fixture
def ready(sqlite_desk: Desk) -> Desk:
    """An office with a list to publish."""
    rows = [listed(number, 2050 - 50 * number, sex="F" if number % 2 else "M") for number in range(1, 5)]
    sqlite_desk.list(JAN, *rows, listed(5, 1400, name="Vento & <Mare>, Anna \\ta"))
    sqlite_desk.report(event("First", TABLE, date(2018, 1, 10)))
    sqlite_desk.on(FEB)
    return sqlite_desk


def published(desk: Desk, folder: Path) -> dict[str, bytes]:
    publish(desk.office, STANDARD, FEB, folder, kinds=KINDS)
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_files_written_again_from_the_stored_rows_are_the_same(ready: Desk, tmp_path: Path) -> None:
    files = published(ready, tmp_path / "lists")
    assert len(files) > len(KINDS)
    assert b"Vento &amp; &lt;Mare&gt;, Anna" in files["standard-2018-02-01-r1.xml"]
    assert published(ready, tmp_path / "again") == files


def test_a_list_that_is_not_published_leaves_no_files(
    ready: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise BadInput("no-player", player=1)

    monkeypatch.setattr("arpad.office.lists.rows.add_rated", refused)
    with pytest.raises(BadInput):
        published(ready, tmp_path / "lists")
    assert list((tmp_path / "lists").iterdir()) == []


def test_a_file_that_cannot_be_written_is_named(ready: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "lists"
    (folder / "standard-2018-02-01-r1.csv").mkdir(parents=True)
    with pytest.raises(BadInput) as refusal:
        published(ready, folder)
    assert refusal.value.code == "cannot-write"
    assert refusal.value.facts["path"] == str(folder / "standard-2018-02-01-r1.csv")


def test_a_file_that_is_a_link_to_another_disk_is_written_there(
    ready: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, elsewhere = tmp_path / "lists", tmp_path / "elsewhere" / "list.csv"
    folder.mkdir()
    elsewhere.parent.mkdir()
    elsewhere.write_bytes(b"as it was")
    (folder / "standard-2018-02-01-r1.csv").symlink_to(elsewhere)
    rename = Path.replace

    def on_one_disk(self: Path, target: Path) -> Path:
        if target == elsewhere and self.parent != elsewhere.parent:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", on_one_disk)
    published(ready, folder)
    assert (folder / "standard-2018-02-01-r1.csv").is_symlink()
    assert elsewhere.read_bytes().startswith(b"id,name,")
