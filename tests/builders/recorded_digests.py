"""The digests of lists that this project published, recorded: a change that alters one of them is seen.

    python -m tests.builders.recorded_digests

computes them and writes tests/cases/list_digests.json. A published list never changes, so this is done again only if
another list is added, or if a decision of the project changes what is published; the commit then says which and why.
"""

import json
import sys
from contextlib import closing
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from arpad.demo.build import build
from arpad.office.lists.in_force import publications
from arpad.office.office import Office, open_office
from tests.paths import BENCHMARKS, CASES

RECORD = CASES / "list_digests.json"
REPORTS, PLAYERS, SEED = 100, 70_000, 1
"""Of the made month. Its list has more than 20,000 rows, which are stored in several blocks."""

Digests: TypeAlias = dict[str, list[str]]
"""The digest of each list, of its standings and of its inputs, by the name of its files."""


def recorded() -> dict[str, dict[str, Any]]:
    """Return what was recorded: of the demo and of the made month, and the files of the latter."""
    content: dict[str, dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))
    return content


def digests(office: Office) -> Digests:
    """Return the digests of every list of an office, also of those that were imported."""
    return {
        f"{publication.name} {publication.kind}": [
            publication.digest, publication.standings_digest, publication.inputs_digest,
        ]
        for publication in publications(office)
    }  # fmt: skip


def file_digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every file of a folder, except bundles: zlib may compress the same bytes otherwise."""
    paths = [path for path in sorted(folder.iterdir()) if not path.name.endswith(".bundle.zip")]
    return {path.name: sha256(path.read_bytes()).hexdigest() for path in paths}


def publish_made_month(database: str, folder: Path, processes: int) -> tuple[Digests, dict[str, str]]:
    """Publish a month of the made world at a new office; return its digests and those of its files."""
    made_month = _benchmark("made_month")
    made_month.write_month(folder, REPORTS, SEED, PLAYERS)
    made_month.begin(database, folder)
    with closing(made_month.open_desk(database)) as desk:
        made_month.submit_reports(desk, folder / made_month.REPORTS, processes)
        accepted = made_month.accept_rest(desk, processes)
        assert accepted["left"] == 0
        made_month.publish_list(desk, folder / "lists")
        return digests(desk), file_digests(folder / "lists")


def _benchmark(name: str) -> Any:
    """Return a module of benchmarks/, which is not a package."""
    if str(BENCHMARKS) not in sys.path:
        sys.path.append(str(BENCHMARKS))
    return import_module(name)


def record() -> None:
    """Compute the digests on SQLite in one process and write them."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        build(folder / "demo")
        with closing(open_office(str(folder / "demo" / "office.db"))) as office:
            demo = digests(office)
        (folder / "month").mkdir()
        month, files = publish_made_month(str(folder / "month" / "office.db"), folder / "month", 1)
    content = {"demo": demo, "made_month": month, "made_month_files": files}
    RECORD.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    record()
