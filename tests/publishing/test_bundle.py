"""A bundle recomputes its list to the same bytes, with no database, no SQLAlchemy, no NumPy and no Polars."""

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from arpad.lists.system_list import compute_system_list
from arpad.publishing.bundle import bundle_bytes, verify_bundle
from tests.builders.bundles import written_bundle
from tests.builders.system_worlds import BEGINS, made_world
from tests.commands import run as run_command
from tests.commands import run_json

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


def test_the_bundle_and_the_text_of_a_systems_list_are_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    inputs = made_world("dwz").inputs(BEGINS["dwz"] + timedelta(days=200))
    result = compute_system_list(inputs)
    bundle, text = tmp_path / "national.bundle.zip", tmp_path / "national.txt"
    bundle.write_bytes(data := bundle_bytes(inputs, result))
    text.write_bytes(result.text)

    document = run_json(capsys, "verify", str(bundle))
    assert document["right"]
    assert document["answers"][0]["facts"] == {"list": result.published.name, "digest": result.digest}
    assert result.digest in run_command(capsys, "verify", str(text), "--lang", "en")[1]

    bundle.write_bytes(data.replace(b"Event 1", b"Event 2", 1))
    assert run_command(capsys, "verify", str(bundle), "--lang", "en")[0] == 1
