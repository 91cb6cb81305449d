"""The household, made once for each test process, where another user may look at it."""

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import nullcontext
from functools import cache
from pathlib import Path

import pytest
from typer.main import get_command

from arpad.cli import program
from tests.robustness.working_calls import Household, furnish

BUILD, COMMAND = cache(program.build), cache(get_command)


@pytest.fixture(scope="session")
def furnished() -> Iterator[Household]:
    folder = Path(tempfile.mkdtemp(prefix="arpad-luck-"))
    folder.chmod(0o755)
    home = furnish(folder)
    yield home
    shutil.rmtree(folder)


@pytest.fixture
def home(furnished: Household, monkeypatch: pytest.MonkeyPatch) -> Household:
    """As it was furnished; nobody at the keyboard, nothing in the environment, no server that stays."""
    furnished.fresh()
    for name in [name for name in os.environ if name.startswith("ARPAD_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(furnished.folder / "fresh" / "settings"))
    # a thousand commands are run here: the whole program is put together once
    monkeypatch.setattr(program, "build", lambda _typed: BUILD())
    monkeypatch.setattr(program, "get_command", COMMAND)
    monkeypatch.setattr(sys, "stdin", io.StringIO("correct horse battery\n"))
    monkeypatch.setattr("arpad.cli.serve._run", lambda listening, _processes, **_: listening.close())
    monkeypatch.setattr("arpad.cli.serve._worker", nullcontext)  # tests/worker start real ones
    monkeypatch.setattr("arpad.office.mail.worker.hand_over", lambda *_arguments, **_options: None)
    monkeypatch.setattr("arpad.store.database.WAIT_SECONDS", 0)
    return furnished
