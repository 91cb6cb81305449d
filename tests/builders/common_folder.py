"""The folder that all processes of one test run have in common, and files in it that one uses at a time."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return the folder of this test run that all its processes have in common."""
    base = factory.getbasetemp()
    return base.parent if base.name.startswith("popen-") else base


@contextmanager
def locked(path: Path) -> Iterator[IO[str]]:
    """Open a file that the other test processes open only afterwards."""
    with path.open("a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield file
