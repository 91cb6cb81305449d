"""Each feature that an office can do without is taken out of a copy of the source, and the rest works.

Out go its folder, its tests and its line in the list of features, and with it the features that need it. Its tests
are its folder of tests and every module of tests that imports it. ``ARPAD_REMOVED_TESTS=tests`` runs all the others,
which takes an hour; without it a sample runs.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import pytest

from arpad.office.backup.acts import restore
from arpad.office.features import FEATURES, features_that_need
from arpad.office.office import open_office
from arpad.office.verify.acts import verify
from tests.paths import ROOT

SAMPLE = (
    "tests/office/test_office_month.py",
    "tests/office/test_features.py",
    "tests/office/settings",
    "tests/office/decisions",
    "tests/office/drafts",
    "tests/surfaces/test_personal.py",
    "tests/surfaces/test_surfaces.py::test_the_example_works_alike",
    "tests/project/test_architecture.py",
    "tests/web/test_home.py",
    "tests/explain/test_words.py",
)
MENTIONS_ALL = (
    "tests/surfaces/test_surfaces.py::test_the_example_works_alike[privacy data]",
    "tests/surfaces/test_surfaces.py::test_the_example_works_alike[publish]",
    "tests/surfaces/test_surfaces.py::test_the_example_works_alike[verify]",
    "tests/office/test_features.py::test_everything_that_is_asked_for_is_offered",
    "tests/office/settings/test_switches.py",
)
"""What compares with all features, or switches some by name: what each holds, offers to others or has in tables."""

REMOVABLE = [name for name, feature in FEATURES.items() if feature.optional]


def without_features(target: Path, names: Collection[str]) -> None:
    """Copy the source and its tests without some features."""
    folders = {str(ROOT / part / name) for part in ("src/arpad/office", "tests/office") for name in names}

    def left_out(folder: str, entries: list[str]) -> list[str]:
        return [it for it in entries if it == "__pycache__" or f"{folder}/{it}" in folders]

    for part in ("src", "tests", "docs", "tools"):
        shutil.copytree(ROOT / part, target / part, ignore=left_out)
    shutil.copy(ROOT / "pyproject.toml", target)
    features = target / "src" / "arpad" / "office" / "features.py"
    listed = features.read_text(encoding="utf-8")
    for name in names:
        listed, lines = re.subn(
            rf'^    "{name}": .*?\n(?=    "|}})', "", listed, flags=re.MULTILINE | re.DOTALL
        )
        assert lines == 1, name
    features.write_text(listed, encoding="utf-8")
    imported = re.compile(
        rf"^ *(?:from|import) (?:arpad|tests)\.office\.(?:{'|'.join(names)})\b", re.MULTILINE
    )
    for path in (target / "tests").rglob("test_*.py"):
        if imported.search(path.read_text(encoding="utf-8")):
            path.unlink()


IMPORT_EVERYTHING = """
from importlib import import_module
from pathlib import Path
import arpad
source = Path(arpad.__file__).parent
for path in sorted(source.rglob("*.py")):
    module = ".".join(path.relative_to(source.parent).with_suffix("").parts).removesuffix(".__init__")
    if path.stem != "__main__" and "migrations" not in path.parts:
        import_module(module)
"""


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python on a copy of the source."""
    env = os.environ | {"PYTHONPATH": str(copy / "src"), "LC_ALL": "C.UTF-8"}
    env.pop("PYTEST_XDIST_WORKER", None)
    return subprocess.run(
        [sys.executable, *arguments], cwd=copy, env=env, capture_output=True, text=True, check=False
    )


def test_an_office_with_tables_of_a_missing_feature_is_verified_and_backed_up(
    used_office: Path, tmp_path: Path
) -> None:
    without, database = tmp_path / "without", str(used_office / "office.db")
    without_features(without, {"fees"})
    verified = run(without, "-m", "arpad", "office", "verify", "--quick", "--json", "--db", database)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    assert json.loads(verified.stdout)["uncompared"] == {
        "tables": ["invoice_payments", "invoices"],
        "verbs": ["credit-invoice", "invoice", "pay-invoice", "set-fee-table"],
    }
    backup = tmp_path / "backup.zip"
    run(without, "-m", "arpad", "office", "backup", str(backup), "--db", database).check_returncode()
    restored = str(tmp_path / "restored.db")
    restore(backup, restored)
    with closing(open_office(restored)) as office:
        assert verify(office, recompute=False).intact


@pytest.mark.deep
@pytest.mark.parametrize("feature", REMOVABLE)
def test_the_rest_works_without(feature: str, tmp_path: Path) -> None:
    without_features(tmp_path, {feature, *features_that_need(feature)})
    imported = run(tmp_path, "-c", IMPORT_EVERYTHING)
    assert imported.returncode == 0, imported.stderr
    given = os.environ.get("ARPAD_REMOVED_TESTS", "").split()
    chosen = given or [it for it in SAMPLE if (tmp_path / it.partition(":")[0]).exists()]
    deselected = [f"--deselect={it}" for it in MENTIONS_ALL]
    tested = run(tmp_path, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", *deselected, *chosen)
    assert tested.returncode == 0, tested.stdout[-4000:] + tested.stderr[-2000:]
