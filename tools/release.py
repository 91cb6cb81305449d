"""``make release VERSION=1.2.3``: the version, the day in the changelog, wheel, source archive, parts, sums, tag.

Everything goes to ``dist/1.2.3``. Nothing is pushed or uploaded. docs/project/versions.md says what a version means.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from datetime import UTC, datetime
from importlib.metadata import requires
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version

MODULE = Path("src/arpad/model/version.py")
CHANGELOG = Path("docs/changelog.md")
PARTS_LIST = Path(".venv/tools/bin/cyclonedx-py")
WRITTEN = re.compile(r'^VERSION = "(.+)"$', re.MULTILINE)
MIGRATIONS = Path("src/arpad/store/migrations/versions")
KEPT_RELEASES = Path("tests/store/releases")
LEFT_OUT = "fuzz"
"""An extra for the developers of Arpad alone."""


class Refusal(Exception):
    """One sentence that says why there is no release."""


def main(words: list[str]) -> int:
    """Make the release that the command line names."""
    try:
        (text,) = words or [""]
        print(f"Released {release(text)}: see dist/{text}, then push the commit and the tag v{text}.")
    except (Refusal, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def release(text: str) -> str:
    """Make a release, or leave everything as it was."""
    version = parse_version(text)
    section = read_section(CHANGELOG.read_text(encoding="utf-8"), version)
    refuse_unclean(version)
    refuse_without_office(version)
    before = git("rev-parse", "HEAD")
    try:
        write_version(version)
        git("commit", "--quiet", "--all", "--message", f"release: {version}")
        folder = Path("dist") / version
        folder.mkdir(parents=True)
        epoch = git("show", "--no-patch", "--format=%ct", "HEAD")
        build(folder, epoch)
        write_parts(folder / f"arpad-{version}.cdx.json", version, epoch)
        write_sums(folder)
        git(
            "tag",
            "--annotate",
            f"v{version}",
            "--message",
            f"Arpad {version}\n\n{section}",
            "--cleanup=verbatim",
        )
    except BaseException:
        git("reset", "--quiet", "--keep", before)
        raise
    return version


def parse_version(text: str) -> str:
    """Return the version if it is of the form 1.2.3 and not below the present one."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", text):
        raise Refusal("Name the version, as in: make release VERSION=1.2.3")
    present = written_version()
    try:
        higher = Version(text) >= Version(present)
    except InvalidVersion:
        raise Refusal(f"{MODULE} has the version {present}, which is none.") from None
    if not higher:
        raise Refusal(f"{text} is below the present version, {present}.")
    return text


def written_version() -> str:
    """Return the version in the source."""
    match = WRITTEN.search(MODULE.read_text(encoding="utf-8"))
    if match is None:
        raise Refusal(f"{MODULE} has no line with the version.")
    return match[1]


def read_section(changelog: str, version: str) -> str:
    """Return the lines of the changelog about a version."""
    match = re.search(
        rf"^## {re.escape(version)}(?: \([^\n]*\))?\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL
    )
    if match is None or not match[1].strip():
        raise Refusal(f"{CHANGELOG} has no section “## {version}” with lines in it: write it first.")
    return match[1].strip()


def refuse_unclean(version: str) -> None:
    """Refuse if something is not committed, or the release is there already."""
    if git("status", "--porcelain"):
        raise Refusal("The tree has changes that are not committed: commit or remove them first.")
    if git("tag", "--list", f"v{version}"):
        raise Refusal(f"There is a tag v{version} already.")
    if (Path("dist") / version).exists():
        raise Refusal(f"There is a folder dist/{version} already.")
    if not PARTS_LIST.exists():
        raise Refusal(f"{PARTS_LIST} is missing: run tools/setup tools.")


def refuse_without_office(version: str) -> None:
    """Refuse if the tests do not keep an office and a backup of this version, with the migrations as they are now."""
    sums = KEPT_RELEASES / version / "migrations.sha256"
    recorded = sums.read_text(encoding="ascii").split() if sums.exists() else []
    migrations = sorted(MIGRATIONS.glob("[0-9]*.py"))
    present = [
        word for path in migrations for word in (hashlib.sha256(path.read_bytes()).hexdigest(), path.name)
    ]
    if recorded != present:
        raise Refusal(
            f"{sums.parent} has no office with the present schema: "
            f"run .venv/bin/python -m tests.store.release_files {version}, and commit it."
        )


def write_version(version: str) -> None:
    """Write the version into the source, and the day into the changelog."""
    source = MODULE.read_text(encoding="utf-8")
    MODULE.write_text(WRITTEN.sub(f'VERSION = "{version}"', source), encoding="utf-8")
    heading = re.compile(rf"^## {re.escape(version)}(?: \(.*\))?$", re.MULTILINE)
    text = CHANGELOG.read_text(encoding="utf-8")
    CHANGELOG.write_text(
        heading.sub(f"## {version} ({datetime.now(UTC):%Y-%m-%d})", text, count=1), encoding="utf-8"
    )


def build(folder: Path, epoch: str) -> None:
    """Build the wheel and the source archive from the files of the commit alone."""
    with tempfile.TemporaryDirectory() as copy:
        archive = Path(copy) / "source.tar"
        git("archive", "--output", str(archive), "HEAD")
        source = Path(copy) / "source"
        with tarfile.open(archive) as members:
            members.extractall(source, filter="data")
        command = [
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "-t",
            "wheel",
            "-t",
            "sdist",
            "-d",
            str(folder.resolve()),
        ]
        run(command, cwd=source, SOURCE_DATE_EPOCH=epoch)


def write_parts(path: Path, version: str, epoch: str) -> None:
    """Write the software bill of materials: every package of Arpad and its extras, as tested, with its licence."""
    command = [
        str(PARTS_LIST),
        "environment",
        "--output-reproducible",
        "--mc-type",
        "library",
        sys.executable,
    ]
    bill = json.loads(run(command, SOURCE_DATE_EPOCH=epoch))
    path.write_text(json.dumps(parts_of(bill, version), indent=2) + "\n", encoding="utf-8")


def parts_of(bill: dict[str, Any], version: str) -> dict[str, Any]:
    """Return the bill of an environment with the packages of Arpad alone: those of extras are optional."""
    core, everything = brought_by(("",)), brought_by(("", *extras()))
    kept = [part for part in bill["components"] if canonicalize_name(part["name"]) in everything]
    for part in kept:
        part["scope"] = "required" if canonicalize_name(part["name"]) in core else "optional"
    root = {
        "type": "library", "bom-ref": "arpad", "name": "arpad", "version": version,
        "licenses": [{"license": {"id": "MIT"}}], "purl": f"pkg:pypi/arpad@{version}",
    }  # fmt: skip
    references = {part["bom-ref"] for part in kept}
    below = [
        {**entry, "dependsOn": [name for name in entry.get("dependsOn", ()) if name in references]}
        for entry in bill["dependencies"]
        if entry["ref"] in references
    ]
    direct = {canonicalize_name(Requirement(need).name) for need in requires("arpad") or ()}
    top = sorted(part["bom-ref"] for part in kept if canonicalize_name(part["name"]) in direct)
    return {
        **bill,
        "metadata": {**bill["metadata"], "component": root},
        "components": kept,
        "dependencies": [{"ref": "arpad", "dependsOn": top}, *below],
    }


def extras() -> list[str]:
    """Return the extras of Arpad that its users can install."""
    needs = [Requirement(need) for need in requires("arpad") or ()]
    named = {match for need in needs for match in re.findall(r'extra == "([\w-]+)"', str(need.marker or ""))}
    return sorted(named - {LEFT_OUT})


def brought_by(chosen: tuple[str, ...], root: str = "arpad") -> set[str]:
    """Return the packages that pip installs for Arpad or another one with the chosen extras, without itself."""
    names: set[str] = set()
    waiting = [(root, extra) for extra in chosen]
    done: set[tuple[str, str]] = set()
    while waiting:
        package, extra = waiting.pop()
        if (package, extra) in done:
            continue
        done.add((package, extra))
        for need in map(Requirement, requires(package) or ()):
            if need.marker is None or need.marker.evaluate({"extra": extra}):
                name = canonicalize_name(need.name)
                names.add(name)
                waiting += [(name, more) for more in ("", *need.extras)]
    return names - {root}


def write_sums(folder: Path) -> None:
    """Write the SHA-256 of every file, as ``sha256sum --check`` reads it."""
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())
    ]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def git(*words: str) -> str:
    """Run git and return what it prints."""
    return run(["git", *words]).strip()


def run(command: list[str], *, cwd: Path | None = None, **variables: str) -> str:
    """Run a program and return what it prints; refuse with its last line if it fails."""
    done = subprocess.run(  # noqa: S603  git and the programs of .venv
        command, cwd=cwd, capture_output=True, text=True, check=False, env={**os.environ, **variables}
    )
    if done.returncode:
        reason = (done.stderr or done.stdout).strip().rpartition("\n")[2]
        raise Refusal(f"{Path(command[0]).name} {command[1]} failed: {reason}")
    return done.stdout


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parent.parent)
    sys.exit(main(sys.argv[1:]))
