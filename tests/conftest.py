"""How all tests run: the same random examples on every machine, none timed, and one demo for all."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import IO

import argon2
import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.builders.office_fixtures"]

# Machines are slow and busy: time is measured in benchmarks/, never here. Deep runs look for new examples each time.
settings.register_profile(
    "arpad",
    deadline=None,
    derandomize=not os.environ.get("ARPAD_DEEP"),
    max_examples=100 if os.environ.get("ARPAD_DEEP") else 50,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("arpad")


@pytest.fixture(scope="session", autouse=True)
def cheap_password_hashes() -> Iterator[None]:
    """Hash passwords with the smallest parameters, since tests sign in hundreds of times.

    tests/accounts/test_passwords.py checks the real parameters.
    """
    cheap = partial(argon2.PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(argon2, "PasswordHasher", cheap)
        yield


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the demo, built once by the command ``arpad demo``; a test that opens the database copies it first.

    SQLite puts files beside a database while it is read, and another test could copy the folder meanwhile. The JSON
    document of the command is in demo.json beside the folder.
    """
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    folder = shared / "demo"
    with (shared / "demo.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            with (shared / "demo.json").open("w", encoding="utf-8") as document:
                run_demo_command(folder, document)
    return folder


def run_demo_command(folder: Path, stdout: IO[str]) -> None:
    """Run ``arpad demo FOLDER --json`` in this process."""
    from arpad import cli

    with pytest.MonkeyPatch.context() as patch, redirect_stdout(stdout):
        patch.setattr(sys, "argv", ["arpad", "demo", str(folder), "--json"])
        with pytest.raises(SystemExit) as stopped:
            cli.main()
    assert not stopped.value.code
