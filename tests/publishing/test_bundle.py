"""A bundle recomputes its list to the same bytes, with no database, no SQLAlchemy, no NumPy and no Polars."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from arpad.lists.compute import compute_list
from arpad.lists.inputs import EventInput, Inputs
from arpad.model.chess import Standing
from arpad.model.json_values import from_standing
from arpad.model.people import Person
from arpad.model.rules import ListName
from arpad.publishing.bundle import bundle_bytes, verify_bundle
from arpad.reports.formats import write_report
from tests.builders.chess import event
from tests.builders.offices import WIN

JAN, FEB = date(2018, 1, 1), date(2018, 2, 1)
BASE = "ab" * 32
RATINGS = {1: 2000, 2: 1900}

WITHOUT_DATABASE = """
import sys

sys.modules |= dict.fromkeys(("sqlalchemy", "alembic", "numpy", "polars"))
"""
"""Makes Python behave as if SQLAlchemy, Alembic, NumPy and Polars were not installed."""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of a list with one event of one game: 2000 beats 1900."""
    data, _ = write_report(event("Match", WIN, date(2018, 1, 10)), "trf16")
    inputs = Inputs(
        ListName.STANDARD, FEB, JAN, 2, 1, BASE, "", "fide-2017",
        {player: from_standing(Standing(player, rating, 40, rating)) for player, rating in RATINGS.items()},
        lists={BASE: RATINGS},
        in_force={date(2018, 1, 10): BASE},
        events=(EventInput("1", "match.trf", data, (1, 2)),),
        people={player: Person(player, f"Player {player}", "ITA") for player in RATINGS},
    )  # fmt: skip
    result = compute_list(inputs)
    assert result.ratings == {1: 2007, 2: 1893}
    path = tmp_path_factory.mktemp("bundle") / "list.bundle.zip"
    path.write_bytes(bundle_bytes(inputs, result))
    return path


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
