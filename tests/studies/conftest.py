"""Offices to be watched: the demonstration, and one of one's own."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def demo_office(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The demonstration office, to be read only."""
    return str(shutil.copy(demo_folder / "office.db", tmp_path_factory.mktemp("monitored")))
