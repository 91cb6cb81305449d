"""A small office of the tests' own: made lists, made reports, a clock that is set by hand."""

from __future__ import annotations

import io
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arpad.model.rules import ListName
from arpad.office.inbox.results import Submitted
from arpad.office.lists.rows import Publication
from arpad.office.office import Office
from arpad.office.reports import rows as report_rows
from arpad.office.reports.rows import Filed
from arpad.office.reports.status import report_on_file
from arpad.publishing.fide_list import write_list
from arpad.reports.event_facts import EventFacts
from arpad.reports.formats import write_report
from arpad.reports.formats.lists.fide_rows import ListRow
from arpad.reports.report import Report
from tests.builders.verbs import accept, import_list, init, open_office, ratings_in_force, submit
from tests.builders.verbs import publish as office_publish

STANDARD = ListName.STANDARD
FEW = ("canonical", "txt", "xml")
"""The files that are quick to write."""

WIN = """
1 2000 | 2w1
2 1900 | 1b0
"""
"""One game: 2000 wins against 1900."""


NEW: dict[str, Any] = {
    "federation": "ITA", "name": "Test", "author": "T. Officer", "numbers": ("fide", "fid"),
}  # fmt: skip
"""The numbers of entrants in the tests' reports are FIDE's; at draughts the Italian federation's."""


@dataclass(slots=True)
class Clock:
    """Noon of a day that the test sets."""

    day: date = date(2018, 1, 1)

    def __call__(self) -> datetime:
        return datetime.combine(self.day, time(12), UTC)


@dataclass(slots=True)
class Desk:
    """An office under test."""

    office: Office
    clock: Clock
    folder: Path
    place: str

    @classmethod
    def made(cls, place: str, folder: Path, clock: Clock) -> Desk:
        """Return a new office; on SQLite a copy, since creating the tables takes longer than most tests."""
        if "://" in place:
            office = init(place, **NEW, now=clock)
        else:
            path = Path(place)
            path.touch(mode=0o600, exist_ok=False)
            path.write_bytes(_new_office(clock.day))
            office = open_office(place, now=clock, author=NEW["author"])
        return cls(office, clock, folder, place)

    def on(self, day: date) -> None:
        self.clock.day = day

    def list(self, day: date, *rows: ListRow, on_list: ListName = STANDARD) -> Path:
        """Import a list with these rows."""
        self.on(day)
        path = self.folder / f"{on_list}-{day}.txt"
        path.write_bytes(list_bytes(day, *rows))
        if "://" in self.place:
            import_list(self.office, path, on_list, day)
        else:
            self._import_or_copy(path, on_list, day)
        return path

    def _import_or_copy(self, path: Path, on_list: ListName, day: date) -> None:
        """Import a list, or copy the files of an equal office that has imported it: many tests begin alike."""
        digest = sha256(b"".join((*_database_files(self.place), path.read_bytes()))).digest()
        act = (digest, on_list, day)
        if act not in _imported:
            import_list(self.office, path, on_list, day)
            if len(_imported) > MOST_IMPORTED:
                _imported.clear()
            _imported[act] = _database_files(self.place)
            return
        self.office.store.engine.dispose()
        Path(self.place + "-shm").unlink(missing_ok=True)
        for suffix, content in zip(SQLITE_FILES, _imported[act], strict=True):
            Path(self.place + suffix).write_bytes(content)

    def report(self, report: Report, **more: Any) -> int:
        """Submit and accept a report on the day after its end."""
        last = report.header.last_day
        assert last is not None
        if self.clock.day < last:
            self.on(last)
        sent = self.send(report, **more)
        accept(self.office, sent.report)
        return sent.report

    def send(self, report: Report, *, facts: EventFacts | None = None, **more: Any) -> Submitted:
        name = report.header.name.replace(" ", "-").lower()
        return submit(self.office, trf(report), f"{name}.trf", facts=facts, **more)

    def publish(self, day: date, on_list: ListName = STANDARD, *, special: str = "") -> Publication:
        """Publish a list; ``special`` is the reason for one that is not the next of the calendar."""
        self.on(day)
        folder = self.folder / "lists"
        return office_publish(
            self.office, on_list, day, folder, kinds=FEW, special=bool(special), reason=special
        )

    def rating(self, player: int, day: date, on_list: ListName = STANDARD) -> int | None:
        return ratings_in_force(self.office, on_list, day).get(player)


SQLITE_FILES = ("", "-wal")
"""The end of the name of each file that has a part of a SQLite database."""

MOST_IMPORTED = 40
"""Offices whose files are kept in memory; the tests of a module come one after the other."""

_imported: dict[tuple[bytes, ListName, date], tuple[bytes, ...]] = {}
"""The files of an office after the import of a list, by the digest of its files before and of the list."""


def _database_files(place: str) -> tuple[bytes, ...]:
    paths = [Path(place + suffix) for suffix in SQLITE_FILES]
    return tuple(path.read_bytes() if path.exists() else b"" for path in paths)


@cache
def _new_office(day: date) -> bytes:
    """Return the SQLite file of an office created on a day."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "office.db"
        init(str(path), **NEW, now=Clock(day)).close()
        return path.read_bytes()


def report_file(office: Office, report: int) -> tuple[Filed, bytes, list[tuple[str, int]]]:
    """Return a report, its bytes as received, and its history: each status with its act."""
    with office.store.reading() as connection:
        filed = report_on_file(connection, report)
        return filed, report_rows.data(connection, report), report_rows.history(connection, report)


def list_bytes(day: date, *rows: ListRow) -> bytes:
    stream = io.BytesIO()
    write_list(rows, stream, "single", day)
    return stream.getvalue()


def listed(number: int, rating: int | None, k: int | None = 20, **more: object) -> ListRow:
    """A row of a list; the player of start number n in a made report has FIDE ID 9000 + n."""
    return replaced(
        ListRow(9000 + number, f"Player {number}", "ITA", "M", rating=rating, games=0, k=k), **more
    )


def replaced(row: ListRow, **more: object) -> ListRow:
    return row._replace(**more)  # type: ignore[arg-type]


def trf(report: Report) -> bytes:
    return write_report(report, "trf16")[0]
