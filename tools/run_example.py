"""What ``make run`` shows: two tournaments of our own making, then a federation with two years of lists.

On a terminal the federation's site opens at the end, with one login for each role; SERVE=0 leaves that out.
"""

from __future__ import annotations

import os
import secrets
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
    ("office", "checkpoint", *DATABASE),
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
        if sys.stdout.isatty() and os.environ.get("SERVE") != "0":
            worst = max(worst, _served(Path(desk)))
    print("\nMore: arpad --help, and the README. `arpad demo DIR` keeps the federation.")
    return worst


def _shown(command: tuple[str, ...], folder: Path) -> int:
    print(f"\n$ arpad {shlex.join(command)}\n", flush=True)
    run = [sys.executable, "-m", "arpad", *command]
    return subprocess.run(run, check=False, cwd=folder).returncode  # noqa: S603  our own program


def _served(folder: Path) -> int:
    """The site on the demo office, until interrupted."""
    from arpad.office.accounts.users import enter_user
    from arpad.office.office import open_office, record_act
    from arpad.office.users import Grant, Role

    office = open_office(str(folder / DATABASE[1]), author="example")
    print("\nThe federation's site, with one login for each role:\n")
    for role in Role:
        password = secrets.token_urlsafe(9)
        with record_act(office, "add-user") as act:
            enter_user(act, role, role.capitalize(), password, [Grant(role)], own_password=True)
        print(f"  {role:<14} {password}")
    office.store.engine.dispose()
    _shown(("monitor", "keep", *DATABASE), folder)
    try:
        return _shown(("serve", *DATABASE), folder)
    except KeyboardInterrupt:
        return 0


if __name__ == "__main__":
    sys.exit(main())
