"""A short command starts fast: what it loads is counted (docs/explanation/performance.md has the seconds)."""

import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from tests.builders.chess import event
from tests.builders.offices import WIN, Clock, Desk, listed, trf
from tests.thinning import one_in

PROGRAM = """
import sys
from arpad import cli
sys.argv = ["arpad", *sys.argv[1:]]
try:
    cli.main()
except SystemExit:
    pass
names = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
parts = {".".join(name.split(".")[:2]) for name in sys.modules if name.startswith("arpad.")}
parts |= {name for name in sys.modules if name in %r}
print(*sorted(name for name in names | parts if not name.startswith("_")), file=sys.stderr)
"""
NOT_FOR_EVERYBODY = (
    "asyncio.events", "email.message", "ssl", "urllib.request",
    "arpad.lists.compute_draughts", "arpad.publishing.files", "arpad.rating.norms",
    "arpad.regulations.fide.titles.rules", "arpad.regulations.rubele.capital",
)  # fmt: skip
"""Modules that take long to load, and that none of the commands here needs, or only one."""

COMMAND_LINE = {"annotated_doc", "arpad", "shellingham", "typer"}
SMALL = {"backports", "typing_extensions", "sitecustomize", "coverage"}
"""What some environments load into every Python, or what costs nothing."""


@pytest.mark.parametrize(
    ("command", "loaded"),
    [
        ("--help", COMMAND_LINE),
        ("calc --help", COMMAND_LINE),
        ("office --help", COMMAND_LINE),
        ("calc change --edition fide-2017 --rating 1850 --k 20 --game 1900:1 --json", COMMAND_LINE),
        ("calc change --edition fide-2017 --rating 1850 --k 20 --game 1900:1", COMMAND_LINE),
        ("calc k --rating 1850 --games 5 --edition fide-2017", COMMAND_LINE),
        ("editions", COMMAND_LINE),
        ("rubele groups --players 62 --rounds 6 --groups 4", COMMAND_LINE),
    ],
)
def test_a_short_command_loads_nothing_heavy(command: str, loaded: set[str]) -> None:
    assert {name for name in loaded_by(command.split()) if "." not in name} - SMALL <= loaded


def loaded_by(command: list[str]) -> set[str]:
    """Run a command that prints something; return the packages that it loaded, and the parts of our own."""
    run = [sys.executable, "-I", "-c", PROGRAM % (NOT_FOR_EVERYBODY,), *command]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert done.stdout
    return set(done.stderr.split())


OFFICE = COMMAND_LINE | {"anyascii", "cython_runtime", "sqlalchemy", "ssl"}
"""SQLAlchemy loads asyncio, and that loads ssl."""

COLUMNS = OFFICE | {"polars"}
ALWAYS = {"asyncio.events", "email.message", "cli", "explain", "model", "office", "store", "system"}
"""The parts of Arpad, and of what SQLAlchemy loads, that every command of an office needs."""

RATING = {"lists", "rating", "regulations", "reports"}
TITLES = {"regulations.fide.titles.rules"}


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an office with a list and a report."""
    folder = tmp_path_factory.mktemp("office")
    desk = Desk.made(str(folder / "office.db"), folder, Clock())
    desk.list(date(2018, 1, 1), listed(1, 2000), listed(2, 1900))
    report = event("Open", WIN, date(2018, 1, 13), date(2018, 1, 14))
    (folder / "open.trf").write_bytes(trf(report))
    desk.report(report)
    desk.office.close()
    return folder


@pytest.mark.parametrize(
    ("command", "packages", "parts"),
    one_in(
        3,
        [
            ("lists", OFFICE, {"regulations", "reports"}),
            ("settings show", OFFICE, {"regulations", "reports"}),
            ("ledger --json", OFFICE, {"regulations", "reports"}),
            ("reports --json", OFFICE, {"regulations", "reports"}),
            ("search Player --json", OFFICE, {"lists", "regulations", "reports"}),
            ("player 1 --json", COLUMNS, RATING | TITLES | {"checks"}),
            ("explain 1 --date 2018-01-20 --json", COLUMNS, RATING | TITLES | {"checks"}),
            ("submit open.trf", COLUMNS, RATING | {"checks", "proofs"}),
            ("accept --all", COLUMNS, RATING | {"checks", "proofs"}),
            (
                "draft standard 2018-02-01 --now 2018-01-28T12:00:00Z --json",
                COLUMNS | {"numpy"},
                RATING | {"checks", "proofs"},
            ),
            ("verify --quick", COLUMNS, RATING | {"checks", "proofs", "publishing"}),
            ("publish standard 2018-01-01", COLUMNS, RATING | TITLES | {"checks", "proofs"}),
        ],
    ),
)
def test_a_command_of_the_office_loads_only_what_it_needs(
    office: Path, command: str, packages: set[str], parts: set[str]
) -> None:
    verb, *rest = command.split()
    words = [str(office / word) if word.endswith(".trf") else word for word in rest]
    loaded = loaded_by(["office", verb, *words, "--db", str(office / "office.db")])

    assert {name for name in loaded if "." not in name} - SMALL <= packages
    assert {name.removeprefix("arpad.") for name in loaded if "." in name} <= ALWAYS | parts
