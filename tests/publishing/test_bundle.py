"""A bundle recomputes its list to the same bytes, with no database, no SQLAlchemy, no NumPy and no Polars."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from arpad.publishing.bundle import verify_bundle
from tests.builders.bundles import written_bundle

WITHOUT_DATABASE = """
import sys

sys.modules |= dict.fromkeys(("sqlalchemy", "alembic", "numpy", "polars"))
"""
"""Makes Python behave as if SQLAlchemy, Alembic, NumPy and Polars were not installed."""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written_bundle(tmp_path_factory.mktemp("bundle"))


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_DATABASE + program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_the_function_verifies_a_bundle_without_sqlalchemy(bundle: Path) -> None:
    program = """
from pathlib import Path
from arpad.publishing.bundle import verify_bundle

verified = verify_bundle(Path(sys.argv[1]))
assert verified.intact, verified
"""
    done = run(program, str(bundle))

    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_verifies_a_bundle_without_sqlalchemy(bundle: Path) -> None:
    program = """
from arpad.cli import main

sys.argv[0] = "arpad"
sys.exit(main())
"""
    done = run(program, "office", "verify", str(bundle), "--json")

    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["intact"] is True


def test_the_command_finds_an_altered_bundle_without_sqlalchemy(bundle: Path, tmp_path: Path) -> None:
    altered = tmp_path / "altered.bundle.zip"
    altered.write_bytes(bundle.read_bytes().replace(b"\t2007\t", b"\t2107\t"))
    program = """
from arpad.cli import main

sys.argv[0] = "arpad"
sys.exit(main())
"""
    done = run(program, "office", "verify", str(altered), "--json")

    assert verify_bundle(bundle).intact
    assert (done.returncode, done.stderr) == (1, "")
    assert json.loads(done.stdout)["altered"][0]["code"] == "bundle-member"
