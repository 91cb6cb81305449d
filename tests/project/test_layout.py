"""The tests mirror the source."""

from pathlib import Path

from tests.paths import ROOT, SOURCE

TESTS = ROOT / "tests"
WHOLE_PROJECT = {"project", "robustness", "fuzz", "mutation", "simulation", "surfaces"}
"""Folders of tests that are about the repository or about all commands and routes at once."""


def modules_of(package: Path) -> list[str]:
    """Return the names that a test file of a package may begin with: its modules, and the package itself."""
    inside = [path.stem for path in package.iterdir() if path.suffix == ".py" or path.is_dir()]
    return [*(name for name in inside if not name.startswith("__")), package.name]


def test_every_test_file_names_the_module_it_tests() -> None:
    astray = []
    for path in sorted(TESTS.rglob("test_*.py")):
        folder = path.relative_to(TESTS).parent
        if folder.parts and folder.parts[0] in WHOLE_PROJECT:
            continue
        subject, package = path.stem.removeprefix("test_"), SOURCE / folder
        names = modules_of(package) if package.is_dir() else []
        if not any(subject == name or subject.startswith(f"{name}_") for name in names):
            astray.append(str(path.relative_to(TESTS)))

    assert astray == []
