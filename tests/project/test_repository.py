"""What the repository promises: no addresses, no traces of a machine, no bulk."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from tools.hash_requirements import PINNED, deploy_files, pins_of, without_hashes

from tests.paths import ROOT

LARGEST_FILE = 1 << 20

# Written in pieces, so that this file does not hold them itself.
HOSTS = (
    "pypi" + ".org",
    "python" + "hosted.org",
    "ana" + "conda.org",
    "debian" + ".org",
    "ubuntu" + ".com",
    "npm" + "js.org",
    "npm" + "js.com",
    "un" + "pkg.com",
    "js" + "delivr.net",
    "crates" + ".io",
)
INDEX_OPTIONS = ("index" + "-url", "find" + "-links", "trusted" + "-host")
MACHINE_PATHS = ("/wo" + "rk/", "/ro" + "ot/")
FORBIDDEN = (*HOSTS, *INDEX_OPTIONS, *MACHINE_PATHS)


def tracked_files() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("not a git checkout")
    # a checkout that belongs to another user is read all the same
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    listing = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    files = [ROOT / name for name in listing.stdout.split("\0") if name]
    return [file for file in files if file.is_file()]


def forbidden_words(content: bytes) -> list[str]:
    return [word for word in FORBIDDEN if word.encode() in content.lower()]


def normalised(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def direct_dependencies() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lists = [project["dependencies"], *project.get("optional-dependencies", {}).values()]
    needs = [need for needs in lists for need in needs]
    names = {normalised(re.split(r"[^A-Za-z0-9._-]", need, maxsplit=1)[0]) for need in needs}
    return sorted(names - {normalised(project["name"])})  # an extra may contain another one


def pins() -> dict[str, str]:
    texts = [
        (ROOT / name).read_text(encoding="utf-8") for name in ("requirements.txt", "requirements-fuzz.txt")
    ]
    lines = without_hashes("\n".join(texts)).splitlines()
    stated = [line for line in lines if line and not line.startswith("#")]
    assert [line for line in stated if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9A-Za-z.]*", line)] == []
    return {normalised(name): version for name, version in (line.split("==") for line in stated)}


@pytest.mark.parametrize("name", PINNED)
def test_every_pinned_package_has_the_hashes_of_its_files(name: str) -> None:
    """So that pip installs what was tested, and nothing else."""
    text = (ROOT / name).read_text(encoding="utf-8")
    entries = pins_of(text).values()
    assert entries
    assert [entry for entry in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}$", entry)] == []
    rest = set(without_hashes(text).splitlines()) - {entry.split(" ", 1)[0] for entry in entries}
    assert [line for line in rest if line and not line.startswith("#")] == []


def test_a_server_installs_the_pins_that_were_tested() -> None:
    """If it fails: python -m tools.hash_requirements --deploy."""
    for path, text in deploy_files().items():
        assert (ROOT / path).read_text(encoding="utf-8") == text, path


def test_no_file_names_a_registry_or_a_machine() -> None:
    found = {str(file.relative_to(ROOT)): forbidden_words(file.read_bytes()) for file in tracked_files()}

    assert {name: words for name, words in found.items() if words} == {}


def test_no_file_is_large() -> None:
    assert [str(file) for file in tracked_files() if file.stat().st_size > LARGEST_FILE] == []


def test_every_direct_dependency_is_pinned() -> None:
    assert [name for name in direct_dependencies() if name not in pins()] == []


def test_every_direct_dependency_is_explained() -> None:
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")

    assert [name for name in direct_dependencies() if f"| {name} |" not in page] == []


def test_every_pinned_package_is_on_the_page() -> None:
    page = normalised((ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8"))

    assert [name for name in pins() if not re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", page)] == []
