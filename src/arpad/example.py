"""What ``make run`` shows: two tournaments of our own making, then a federation with two years of lists."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from importlib.resources import as_file, files
from pathlib import Path

REPORTS: tuple[tuple[str, ...], ...] = (
    ("rate", "open.trf"),
    ("explain", "open.trf", "Quaglia"),
    ("explain", "open.trf", "Vescovi"),
    ("rate", "round-robin.trf"),
    ("explain", "round-robin.trf", "9"),
)
DATABASE = ("--db", "demo/office.db")
OFFICE: tuple[tuple[str, ...], ...] = (
    ("demo", "demo"),
    ("office", "search", "Dondognoli", *DATABASE),
    ("office", "explain", "84", "--list", "standard", "--date", "2023-02-15", *DATABASE),
    ("office", "verify", "demo/lists/standard-2024-08-01-r2.bundle.zip"),
)


def main() -> int:
    """Run each command, showing what is typed."""
    worst = 0
    with as_file(files("arpad") / "examples") as folder, tempfile.TemporaryDirectory() as desk:
        for command in REPORTS:
            worst = max(worst, _shown(command, folder))
        for command in OFFICE:
            worst = max(worst, _shown(command, Path(desk)))
    print("\nMore: arpad --help, and the README. `arpad demo DIR` keeps the federation for you.")
    return worst


def _shown(command: tuple[str, ...], folder: Path) -> int:
    print(f"\n$ arpad {shlex.join(command)}\n", flush=True)
    run = [sys.executable, "-m", "arpad", *command]
    return subprocess.run(run, check=False, cwd=folder).returncode  # noqa: S603  our own program


if __name__ == "__main__":
    sys.exit(main())
