"""A short command starts fast: what it loads is counted, not timed (docs/performance.md has the seconds)."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from arpad import cli
sys.argv = ["arpad", *sys.argv[1:]]
try:
    cli.main()
except SystemExit:
    pass
names = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
print(*sorted(name for name in names if not name.startswith("_")), file=sys.stderr)
"""
COMMAND_LINE = {"annotated_doc", "arpad", "shellingham", "typer"}
WITH_TABLES = COMMAND_LINE | {"rich"}
SMALL = {"backports", "typing_extensions", "sitecustomize", "coverage"}
"""What some environments load into every Python, or what costs nothing."""


@pytest.mark.parametrize(
    ("command", "loaded"),
    [
        ("--help", COMMAND_LINE),
        ("calc --help", COMMAND_LINE),
        ("calc change --edition fide-2017 --rating 1850 --k 20 --game 1900:1 --json", COMMAND_LINE),
        ("calc change --edition fide-2017 --rating 1850 --k 20 --game 1900:1", WITH_TABLES),
        ("calc k --rating 1850 --games 5 --edition fide-2017", WITH_TABLES),
        ("editions", WITH_TABLES),
        ("rubele groups --players 62 --rounds 6 --groups 4", WITH_TABLES),
    ],
)
def test_a_short_command_loads_nothing_heavy(command: str, loaded: set[str]) -> None:
    run = [sys.executable, "-I", "-c", PROGRAM, *command.split()]
    done = subprocess.run(run, capture_output=True, text=True, check=True)

    assert set(done.stderr.split()) - SMALL <= loaded
    assert done.stdout
