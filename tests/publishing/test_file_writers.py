"""Other processes write the same files and rankings, and a process that dies changes nothing."""

from __future__ import annotations

import errno
import os
import signal
from datetime import date
from importlib import import_module
from pathlib import Path

import pytest
from sqlalchemy import select

from arpad import office as verbs
from arpad.model.errors import BadInput
from arpad.publishing import file_writers
from arpad.store.schema import ranking_pages, rankings
from tests.builders.chess import event
from tests.builders.offices import STANDARD, Clock, Desk, listed

JAN, FEB, MAR = (date(2018, month, 1) for month in range(1, 4))
TABLE = """
1 2000 | 2w1 3b=
2 1950 | 1b0 4w1
3 1900 | 4w= 1w=
4 1850 | 3b= 2b0
"""
PUBLISH = import_module("arpad.office.publish")  # the package has a function of that name
KINDS = ("canonical", "txt", "xml", "csv", "sections")


@pytest.fixture
def ready(sqlite_desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """An office with a list to publish that counts as a long one."""
    monkeypatch.setattr(PUBLISH, "LONG", 1)
    return prepared(sqlite_desk)


def prepared(desk: Desk) -> Desk:
    rows = [listed(number, 2050 - 50 * number, sex="F" if number % 2 else "M") for number in range(1, 5)]
    desk.list(JAN, *rows, listed(5, 1400, name="Vento & <Mare>, Anna \\ta"))
    desk.report(event("First", TABLE, date(2018, 1, 10)))
    desk.on(FEB)
    return desk


def published(desk: Desk, folder: Path, processes: int) -> str:
    return verbs.publish(desk.office, STANDARD, FEB, folder, kinds=KINDS, processes=processes).digest


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def cuts(desk: Desk) -> list[tuple[object, ...]]:
    with desk.office.store.reading() as connection:
        queries = (select(rankings).order_by(*rankings.c), select(ranking_pages).order_by(*ranking_pages.c))
        return [tuple(row) for query in queries for row in connection.execute(query)]


def test_other_processes_write_the_same_files_and_rankings(ready: Desk, tmp_path: Path) -> None:
    other = prepared(Desk.made(str(tmp_path / "other.db"), tmp_path, Clock()))
    here, there = tmp_path / "here", tmp_path / "there"
    assert published(other, here, processes=1) == published(ready, there, processes=3)
    assert contents(here) == contents(there)
    assert len(contents(there)) > len(KINDS)
    assert b"Vento &amp; &lt;Mare&gt;, Anna" in contents(there)["standard-2018-02-01-r1.xml"]
    assert cuts(other) == cuts(ready)


def test_a_process_that_dies_costs_nothing_but_time(
    ready: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_writers, "_rank", _die)
    digest = published(ready, tmp_path / "lists", processes=2)
    found = contents(tmp_path / "lists")
    again = tmp_path / "again"
    assert published(ready, again, processes=1) == digest
    assert contents(again) == found
    assert [row[1] for row in cuts(ready)].count("all") == 4  # both lists: a total and a page each


def _die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_list_that_is_not_published_leaves_no_files(
    ready: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise BadInput("no-player", player=1)

    monkeypatch.setattr(PUBLISH, "add_rankings", refused)
    with pytest.raises(BadInput):
        published(ready, tmp_path / "lists", processes=2)
    assert list((tmp_path / "lists").iterdir()) == []


def test_a_file_that_cannot_be_written_is_named(ready: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "lists"
    (folder / "standard-2018-02-01-r1.csv").mkdir(parents=True)
    with pytest.raises(BadInput) as refusal:
        published(ready, folder, processes=2)
    assert refusal.value.code == "cannot-write"
    assert refusal.value.facts["path"] == str(folder / "standard-2018-02-01-r1.csv")


def test_a_file_that_is_a_link_to_another_disk_is_written_there(
    ready: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, elsewhere = tmp_path / "lists", tmp_path / "elsewhere.csv"
    folder.mkdir()
    elsewhere.write_bytes(b"as it was")
    (folder / "standard-2018-02-01-r1.csv").symlink_to(elsewhere)
    rename = Path.replace

    def on_one_disk(self: Path, target: Path) -> Path:
        if target == elsewhere and self.parent != elsewhere.parent:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        return rename(self, target)

    monkeypatch.setattr(Path, "replace", on_one_disk)
    published(ready, folder, processes=2)
    assert (folder / "standard-2018-02-01-r1.csv").is_symlink()
    assert elsewhere.read_bytes().startswith(b"id,name,")


def test_short_lists_start_no_process(ready: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PUBLISH, "LONG", 6)
    monkeypatch.setattr(file_writers, "_submit", _never)
    published(ready, tmp_path / "lists", processes=2)
    assert "standard-2018-02-01-r1.csv" in contents(tmp_path / "lists")


def _never(*_: object) -> None:
    pytest.fail("a process was started")
