"""The office and the backup that the tests keep of every release.

``python -m tests.store.release_files 0.1.0`` writes them; docs/project/versions.md says when. The office has a row in
every table, lists of three kinds, corrections, decisions and users. The same source always writes the same bytes.
"""

import lzma
import os
import random
import sqlite3
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import date
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from arpad.model.canonical_json import dump
from arpad.model.rules import ListName
from arpad.office.backup.acts import backup
from arpad.office.proof.checkpoints import receipt
from arpad.office.proof.signing_keys import make_first_key
from arpad.proofs.signed_notes import signing_key_of_seed
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats.lists import draughts_list_csv
from tests.builders.chess import event
from tests.builders.draughts_lists import DRAW, ITALIANA, standing
from tests.builders.offices import WIN, Clock, Desk, listed
from tests.builders.verbs import import_list
from tests.builders.whole_office import MAR, build_office
from tests.paths import ROOT

RELEASES = Path(__file__).parent / "releases"
MIGRATIONS = ROOT / "src" / "arpad" / "store" / "migrations" / "versions"
OFFICE, BACKUP, BUNDLE = "office.db.xz", "backup.zip", "list.bundle.zip"
RECEIPT, SUMS = "receipt.json", "migrations.sha256"
KEY = signing_key_of_seed("releases.example.org", bytes(range(32)))
"""The signing key of the offices; everybody knows it."""

RAPID = ListName.RAPID
END = date(2018, 6, 30)
MOST_BYTES = 200_000
"""What the files of a release may take."""


def main() -> int:
    """Write the files of the release that the command line names."""
    (version,) = sys.argv[1:] or [""]
    if not version:
        print("Name the version, as in: python -m tests.store.release_files 0.1.0", file=sys.stderr)  # noqa: T201
        return 2
    folder = RELEASES / version
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch, same_each_time():
        write_release(folder, Path(scratch))
    sums = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in migrations()]
    (folder / SUMS).write_text("".join(sums), encoding="ascii")
    for path in sorted(folder.iterdir()):
        print(path.relative_to(ROOT), path.stat().st_size)  # noqa: T201
    return 0


def migrations() -> list[Path]:
    """Return the migrations in the source."""
    return sorted(MIGRATIONS.glob("[0-9]*.py"))


def write_release(folder: Path, scratch: Path) -> None:
    """Build the office and write its files."""
    desk = Desk.made(str(scratch / "office.db"), scratch, Clock())
    make_first_key(desk.office, KEY.name, KEY)
    build_office(desk)
    more_lists(desk)
    same_jobs(scratch / "office.db")
    backup(desk.office, scratch / BACKUP)
    pack_again(scratch / BACKUP, folder / BACKUP)
    (bundle,) = (scratch / "lists").glob("rapid-*.bundle.zip")
    (folder / BUNDLE).write_bytes(bundle.read_bytes())
    (folder / RECEIPT).write_text(dump(receipt(desk.office, 1).document()) + "\n", encoding="utf-8")
    desk.office.close()
    with closing(sqlite3.connect(scratch / "office.db")) as database:
        database.execute("VACUUM")
    (folder / OFFICE).write_bytes(lzma.compress((scratch / "office.db").read_bytes(), preset=9))


def more_lists(desk: Desk) -> None:
    """Add a rapid list and one of draughts, each with a report."""
    desk.list(MAR, listed(1, 1950), listed(2, 1850), on_list=RAPID)
    desk.report(event("Rapid", WIN, date(2018, 3, 10), time_control="15 min + 10 sec per move"))
    desk.publish(date(2018, 4, 1), RAPID)
    path = desk.folder / "italiana.csv"
    path.write_bytes(draughts_list_csv.write([standing(1, 2000), standing(2, 2000)]))
    import_list(desk.office, path, ITALIANA, date(2017, 12, 31))
    desk.report(event("Torneo", DRAW, date(2018, 4, 10)), facts=EventFacts(list=ITALIANA))
    desk.publish(END, ITALIANA)


@contextmanager
def same_each_time() -> Iterator[None]:
    """Draw the same salts and secrets in every run, at the same time: nobody relies on this office."""
    drawn, moment = random.Random(1).randbytes, Clock()().timestamp()  # noqa: S311
    with (
        patch.object(os, "urandom", drawn),
        patch.object(random, "_urandom", drawn),
        patch.object(time, "time", lambda: moment),
    ):
        yield


def same_jobs(place: Path) -> None:
    """Let all jobs wait since the same day: the queue goes by the clock of the machine."""
    with closing(sqlite3.connect(place)) as database, database:
        database.execute("UPDATE jobs SET due = :now, changed = :now", {"now": Clock()().isoformat()})


def pack_again(source: Path, target: Path) -> None:
    """Write an archive with the same day for all its parts."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            member = zipfile.ZipInfo(name)
            member.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(member, old.read(name), compresslevel=9)


if __name__ == "__main__":
    sys.exit(main())
