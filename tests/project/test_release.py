"""``make release``: what it refuses, and what it makes in a clone of the repository."""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tools import release
from tools.readme_hook import for_index

from tests.paths import ROOT

TEXT = (
    "# Changelog\n\n## 1.2.0 (unreleased)\n\n- One.\n- Two.\n\n## 1.1.0 (2026-01-01)\n\n- Old.\n\n## 1.0.0\n"
)


def test_the_section_of_a_version_is_found() -> None:
    assert release.read_section(TEXT, "1.2.0") == "- One.\n- Two."
    assert release.read_section(TEXT, "1.1.0") == "- Old."


@pytest.mark.parametrize("version", ["1.2.1", "1.0.0", "1.2", "11.1.0"])
def test_a_changelog_without_lines_for_the_version_is_refused(version: str) -> None:
    with pytest.raises(release.Refusal, match=r"no section .*write it first"):
        release.read_section(TEXT, version)


@pytest.mark.parametrize("text", ["", "1.2", "v1.2.3", "1.2.3rc1", "0.0.1"])
def test_a_version_that_is_none_or_below_the_present_one_is_refused(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    with pytest.raises(release.Refusal):
        release.parse_version(text)


def test_a_release_needs_an_office_with_its_schema(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    for version in ("0.1.0", "9.8.7"):  # one with an older schema, and one that nobody has made
        with pytest.raises(release.Refusal, match=rf"release_files {re.escape(version)}"):
            release.refuse_without_office(version)
    monkeypatch.setattr(release, "KEPT_RELEASES", tmp_path)
    (tmp_path / "9.8.7").mkdir()
    sums = [
        f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(release.MIGRATIONS.glob("[0-9]*.py"))
    ]
    (tmp_path / "9.8.7" / "migrations.sha256").write_text("".join(sums), encoding="ascii")
    release.refuse_without_office("9.8.7")


def test_the_readme_has_no_dead_link_on_an_index() -> None:
    text = for_index((ROOT / "README.md").read_text(encoding="utf-8"))

    assert "](" not in text.replace("](https://", "")
    assert "pip install arpad" in text
    assert for_index(
        "see [this](docs/a.md), [that](#b) and [site](https://example.org)\n\n![p](p.svg)\n\nend"
    ) == ("see this, that and [site](https://example.org)\n\nend")


def test_the_list_of_parts_has_the_packages_of_arpad_alone() -> None:
    names = ("rich", "pygments", "sqlalchemy", "pytest", "Arpad")
    bill: dict[str, Any] = {
        "metadata": {},
        "components": [{"name": name, "bom-ref": f"{name}-ref"} for name in names],
        "dependencies": [
            {"ref": "rich-ref", "dependsOn": ["pygments-ref", "pytest-ref"]},
            {"ref": "pytest-ref"},
        ],
    }

    parts = release.parts_of(bill, "1.2.3")

    assert {part["name"]: part["scope"] for part in parts["components"]} == {
        "rich": "required", "pygments": "required", "sqlalchemy": "optional",
    }  # fmt: skip
    assert parts["metadata"]["component"]["purl"].endswith("arpad@1.2.3")
    assert parts["dependencies"] == [
        {"ref": "arpad", "dependsOn": ["rich-ref", "sqlalchemy-ref"]},
        {"ref": "rich-ref", "dependsOn": ["pygments-ref"]},
    ]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a clone of the repository whose changelog has a section for 9.8.7."""
    folder = tmp_path_factory.mktemp("clone") / "arpad"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(folder)], check=True)
    for name, value in (("user.name", "Tests"), ("user.email", "tests@example.org")):
        subprocess.run(["git", "config", name, value], cwd=folder, check=True)
    (folder / ".git" / "info" / "exclude").write_text(
        ".venv\n", encoding="utf-8"
    )  # .gitignore names a folder
    (folder / ".venv").symlink_to(ROOT / ".venv")
    return folder


def released(folder: Path, version: str) -> tuple[int, str]:
    command = [sys.executable, str(folder / "tools" / "release.py"), version]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()


def keep_an_office(clone: Path, version: str) -> None:
    """Commit the office of a release, without which there is none."""
    assert f"release_files {version}" in released(clone, version)[1]
    shutil.copytree(clone / release.KEPT_RELEASES / "0.1.0", clone / release.KEPT_RELEASES / version)
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--message", f"tests: keep an office of {version}")


@pytest.mark.deep
def test_a_release_in_a_clone(clone: Path) -> None:
    if not (ROOT / release.PARTS_LIST).exists():
        pytest.skip("the programs of requirements-tools.txt are not installed: tools/setup tools")
    before = git(clone, "rev-parse", "HEAD")
    assert "no section" in released(clone, "9.8.7")[1]
    changelog = clone / release.CHANGELOG
    changelog.write_text(
        changelog.read_text(encoding="utf-8").replace(
            "\n## ", "\n## 9.8.7 (unreleased)\n\n- News.\n\n## ", 1
        ),
        encoding="utf-8",
    )
    assert "not committed" in released(clone, "9.8.7")[1]
    assert git(clone, "rev-parse", "HEAD") == before
    git(clone, "commit", "--quiet", "--all", "--message", "docs: news")
    keep_an_office(clone, "9.8.7")

    status, said = released(clone, "9.8.7")

    assert status == 0, said
    folder = clone / "dist" / "9.8.7"
    assert sorted(path.name for path in folder.iterdir()) == [
        "SHA256SUMS", "arpad-9.8.7-py3-none-any.whl", "arpad-9.8.7.cdx.json", "arpad-9.8.7.tar.gz",
    ]  # fmt: skip
    for line in (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert git(clone, "status", "--porcelain") == ""
    assert git(clone, "cat-file", "-t", "v9.8.7") == "tag"
    assert "- News." in git(clone, "tag", "--list", "--format=%(contents)", "v9.8.7")
    assert git(clone, "log", "-1", "--format=%s") == "release: 9.8.7"
    assert "(unreleased)" not in changelog.read_text(encoding="utf-8").partition("- News.")[0]
    with zipfile.ZipFile(folder / "arpad-9.8.7-py3-none-any.whl") as wheel:
        assert b'VERSION = "9.8.7"' in wheel.read("arpad/model/version.py")
        assert b"\nVersion: 9.8.7\n" in wheel.read("arpad-9.8.7.dist-info/METADATA")
    with tarfile.open(folder / "arpad-9.8.7.tar.gz") as archive:
        assert "arpad-9.8.7/docs/changelog.md" in archive.getnames()
    check_parts(folder / "arpad-9.8.7.cdx.json")
    assert "already" in released(clone, "9.8.7")[1]


def check_parts(path: Path) -> None:
    """Check that the list of parts is a CycloneDX document, names licences and no path of a machine."""
    text = path.read_text(encoding="utf-8")
    bill = json.loads(text)
    required = {part["name"] for part in bill["components"] if part["scope"] == "required"}
    program = (
        "import sys\nfrom cyclonedx.schema import SchemaVersion\n"
        "from cyclonedx.validation.json import JsonStrictValidator\n"
        "print(JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read()))"
    )
    interpreter = str(ROOT / ".venv" / "tools" / "bin" / "python")
    done = subprocess.run([interpreter, "-c", program, str(path)], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "None"
    assert {"rich", "typer"} <= required
    assert "polars" not in required
    silent = {part["name"] for part in bill["components"] if not part.get("licenses")}
    assert silent <= {"partd", "rich-click"}  # their metadata name none; docs/dependencies.md does
    assert "file:" not in text
    assert "pytest" not in {part["name"] for part in bill["components"]}
