"""What ``make run`` shows: two tournaments of our own making, rated and explained, as a user would do it."""

from __future__ import annotations

import shlex
import subprocess
import sys
from importlib.resources import as_file, files

COMMANDS = (
    ("rate", "open.trf"),
    ("explain", "open.trf", "Quaglia"),
    ("explain", "open.trf", "Vescovi"),
    ("rate", "round-robin.trf"),
    ("explain", "round-robin.trf", "9"),
)


def main() -> int:
    """Run each command on the example reports, showing what is typed."""
    worst = 0
    with as_file(files("arpad") / "examples") as folder:
        for verb, report, *rest in COMMANDS:
            print(f"\n$ arpad {shlex.join([verb, report, *rest])}\n", flush=True)
            command = [sys.executable, "-m", "arpad", verb, str(folder / report), *rest]
            worst = max(worst, subprocess.run(command, check=False).returncode)  # noqa: S603  our own program
    print("\nMore: arpad --help, and the README.")
    return worst


if __name__ == "__main__":
    sys.exit(main())
