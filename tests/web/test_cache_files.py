"""Files of lists are made once for all visitors and workers, are never out of date, and have a bounded size."""

from __future__ import annotations

import os
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import closing
from datetime import date
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from arpad.office.privacy.acts import hide_player
from arpad.office.rankings import files as list_making
from arpad.office.verbs import change_settings, revise
from arpad.publishing.files import list_files
from arpad.web import cache
from tests.builders.chess import event as made_event
from tests.builders.offices import STANDARD, WIN, Clock, Desk, listed
from tests.web.test_cache import both, two_workers

JANUARY, FEBRUARY = date(2018, 1, 1), date(2018, 2, 1)
FOLDER = cache.cache_folder
"""The real function; servers of other tests have folders of their own."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "cache_folder", FOLDER)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cache.cached_file(bytes, "the first makes the folder")
    (found,) = tmp_path.iterdir()
    for path in found.iterdir():
        path.unlink()
    return found


class Maker:
    """Makes files and records their names."""

    def __init__(self) -> None:
        self.made: list[str] = []

    def ask(self, name: str, *more: str) -> bytes:
        def make() -> bytes:
            self.made.append(name)
            return name.encode() * 1000

        return cache.cached_file(make, name, *more)


def test_a_file_is_made_once_for_each_thing_it_depends_on(folder: Path) -> None:
    maker = Maker()
    for key in (("a",), ("b",), ("a",), ("a", "Federazione"), ("a", "Federazione")):
        assert maker.ask(*key) == key[0].encode() * 1000
    assert maker.made == ["a", "b", "a"]
    assert len(list(folder.iterdir())) == 3


def test_another_version_makes_its_own_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    maker = Maker()
    maker.ask("a")
    monkeypatch.setattr(cache, "__version__", "99.0")
    maker.ask("a")
    assert maker.made == ["a", "a"]
    assert len(list(folder.iterdir())) == 2


def test_the_size_is_bounded_and_the_least_recently_used_file_goes_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_FILE_BYTES", 4500)
    maker = Maker()
    for name in "abcd":
        maker.ask(name)
    for at, path in enumerate(sorted(folder.iterdir(), key=lambda path: path.read_bytes())):
        os.utime(path, (at, at))  # a clock that tells them apart: d is the latest
    maker.ask("a")
    maker.ask("e")  # b goes
    maker.ask("a")
    assert maker.made == [*"abcde"]
    maker.ask("b")
    assert maker.made == [*"abcdeb"]
    assert sum(path.stat().st_size for path in folder.iterdir()) <= 4500


def test_a_file_larger_than_a_quarter_of_the_cache_is_not_cached(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MOST_FILE_BYTES", 3999)
    assert Maker().ask("a") == b"a" * 1000
    assert list(folder.iterdir()) == []


def test_nothing_is_cached_on_a_full_disk_or_in_a_folder_of_another_user(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as stream:
            stream.write(data[:10])
        raise OSError(28, "No space left on device")

    maker = Maker()
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        assert maker.ask("a") == b"a" * 1000
    assert list(folder.iterdir()) == []

    folder.chmod(0o755)  # others may read it, so it is not the one we made
    assert maker.ask("a") == b"a" * 1000
    assert list(folder.iterdir()) == []
    assert maker.made == ["a", "a"]


def test_requests_wait_for_a_file_that_is_being_made(folder: Path) -> None:
    assert folder.is_dir()
    begun, go_on = Event(), Event()
    made: list[int] = []

    def slow() -> bytes:
        made.append(1)
        begun.set()
        assert go_on.wait(60)
        return b"slow"

    with ThreadPoolExecutor(12) as visitors:
        asked = [visitors.submit(cache.cached_file, slow, "slow") for _ in range(3)]
        assert begun.wait(60)
        others = [visitors.submit(Maker().ask, name) for name in "abcdefgh"]
        assert wait(others, 60, FIRST_COMPLETED).done, "hardly anybody waits for another file"
        go_on.set()
        assert [one.result(60) for one in asked] == [b"slow"] * 3
    assert len(made) == 1


def test_a_download_is_made_once_and_never_out_of_date(
    place: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[str] = []
    files: Any = list_files

    def recorded(*arguments: Any, **options: Any) -> Any:
        made.append(str(arguments[0].name))
        return files(*arguments, **options)

    monkeypatch.setattr(list_making, "list_files", recorded)
    desk = Desk.made(place, tmp_path, Clock())
    desk.list(JANUARY, listed(1, 2000), listed(2, 1900))
    desk.report(made_event("Open", WIN, date(2018, 1, 5)))
    desk.publish(FEBRUARY)
    first = "/lists/standard-2018-02-01-r1/files/standard-2018-02-01-r1.csv"
    with closing(desk.office), two_workers(desk) as workers:
        text = both(workers, first)
        assert (made, "2007" in text) == (["standard-2018-02-01-r1"], True)

        late = desk.report(made_event("Altra prova", WIN, date(2018, 1, 8)))
        revise(desk.office, STANDARD, add=[late], reason="a report was lost", kinds=())
        assert both(workers, first) == text, "what was published stays as it is"
        assert "2014" in both(workers, first.replace("-r1", "-r2"))
        assert made == ["standard-2018-02-01-r1", "standard-2018-02-01-r2"]

        hide_player(desk.office, 2, reason="asked for it")
        assert "Player 2" in text
        assert "Player 2" not in both(workers, first), (
            "a file made before the request is not given out after it"
        )
        assert made.pop() == "standard-2018-02-01-r1"

        change_settings(desk.office, set_={"name": "Altro nome"})
        both(workers, first)
        assert made[2:] == ["standard-2018-02-01-r1"], "a PDF names who publishes it"
        assert workers[0].get(first.replace(".csv", "-federation-XYZ.csv")).status_code == 404
