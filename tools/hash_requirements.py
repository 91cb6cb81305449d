"""``python -m tools.hash_requirements``: write the SHA-256 of every file of every pinned package beside its version.

Run it after a version has changed in a requirements file; it asks the package index, by uv in an environment of its
own. It also writes the files of ``deploy``: the pins that a server needs, and those that build the package.
``--deploy`` writes only these, without the index.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from packaging.utils import canonicalize_name
from tools.release import brought_by

ROOT = Path(__file__).resolve().parent.parent
PINNED = ("requirements.txt", "requirements-tools.txt", "requirements-fuzz.txt")
SERVER, BUILD = Path("deploy/requirements.txt"), Path("deploy/requirements-build.txt")
SERVER_EXTRAS = ("", "postgres", "studies")
PROGRAM = Path("build/hashes/bin/uv")
ABOUT = {
    SERVER: "# What arpad[postgres,studies] needs, as tested; pip compares the hashes.\n",
    BUILD: "# What builds the package of Arpad from its source.\n",
}
PIN = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)(?: \\\n    --hash=\S+)*$", re.MULTILINE)


def main(words: list[str]) -> int:
    """Write the hashes into every file."""
    if words != ["--deploy"]:
        for name in PINNED:
            path = ROOT / name
            path.write_text(with_hashes(path.read_text(encoding="utf-8")), encoding="utf-8")
    for path, text in deploy_files().items():
        (ROOT / path).write_text(text, encoding="utf-8")
    return 0


def without_hashes(text: str) -> str:
    """Return a requirements file with the versions alone."""
    return PIN.sub(r"\1==\2", text)


def pins_of(text: str) -> dict[str, str]:
    """Return the entry of each package: name → version and hashes."""
    return {canonicalize_name(match[1]): match[0] for match in PIN.finditer(text)}


def with_hashes(text: str) -> str:
    """Return a requirements file with the hashes that the package index has."""
    if not (ROOT / PROGRAM).exists():
        run(sys.executable, "-m", "venv", "build/hashes")
        run("build/hashes/bin/python", "-m", "pip", "install", "--quiet", "uv")
    options = ("--no-deps", "--generate-hashes", "--no-header", "--no-annotate", "--quiet")
    hashed = pins_of(run(str(PROGRAM), "pip", "compile", "-", *options, given=without_hashes(text)))
    return PIN.sub(lambda match: hashed[canonicalize_name(match[1])], text)


def deploy_files() -> dict[Path, str]:
    """Return the text of each requirements file for a server, from requirements.txt."""
    pins = pins_of((ROOT / "requirements.txt").read_text(encoding="utf-8"))
    needs = {SERVER: brought_by(SERVER_EXTRAS), BUILD: brought_by(("",), "hatchling") | {"hatchling"}}
    return {
        path: ABOUT[path] + "".join(f"{pins[name]}\n" for name in sorted(names))
        for path, names in needs.items()
    }


def run(*command: str, given: str = "") -> str:
    """Run a program and return what it prints."""
    done = subprocess.run(  # noqa: S603  our own programs
        command, cwd=ROOT, input=given, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
