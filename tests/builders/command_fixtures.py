"""An office that has used everything, for the commands that show and change it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.builders.offices import Clock, Desk
from tests.builders.whole_office import JAN, build_office


@pytest.fixture(scope="module")
def used_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("used")
    path = folder / "office.db"
    desk = Desk.made(str(path), folder, Clock(JAN))
    build_office(desk)
    yield path
    shutil.rmtree(folder)


@pytest.fixture
def used_office(used_database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that office, which commands open if they name no other."""
    for file in used_database.parent.glob("office.db*"):
        shutil.copy(file, tmp_path / file.name)
    monkeypatch.setenv("ARPAD_DB", str(tmp_path / "office.db"))
    monkeypatch.setenv("ARPAD_AUTHOR", "T. Officer")
    monkeypatch.setenv("COLUMNS", "200")
    return tmp_path
