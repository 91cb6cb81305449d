"""The journal of what other sites have taken: small files outside the database.

Between the answer of a mail server and the commit that notes it, a worker can be killed or lose its database; without a
trace the mail would be sent again. So each job that hands something over has an entry, a file of its own. It is made
before the site can have anything, so that a full disk is noticed in time, and says only that somebody is at it: its
lock keeps other workers of this machine from the same job. Before the octets that end a mail its first word becomes
``asked``: if nothing follows, nobody but the server knows whether it has the mail. Directly after the answer the first
words are replaced again and brought to the disk. A worker that claims the job again reads them and sends nothing. Once
the database has the note, the file is deleted. A file that is empty or torn says nothing: the job is done as if there
were none.
"""

from __future__ import annotations

import fcntl
import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from arpad.model.errors import BadInput
from arpad.office.clock import iso_time
from arpad.office.office import Office
from arpad.store import jobs, ledger
from arpad.store.jobs import Job, JobState
from arpad.system.atomic_files import PRIVATE, sync_folder

log = logging.getLogger("arpad.worker")

FOLDER = "ARPAD_JOURNAL"
"""The environment variable with the folder of the journal."""

STATE_FOLDERS = ("STATE_DIRECTORY", "XDG_STATE_HOME")
"""Variables by which a system names a folder for such files."""

_TAKEN, _ASKED, _OPEN = b"taken", b"asked", b"open"
_HEAD = len("taken 2026-11-16T12:00:00+00:00 250")
_MOST = 1000
"""No entry is longer; keys of jobs are much shorter."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The open file of a job."""

    path: Path
    handle: int


@dataclass(frozen=True, slots=True)
class Taken:
    """When a site took something, and its answer."""

    at: str
    answer: int


def journal_folder(office: Office) -> Path:
    """Return the folder of an office's journal: in the named one, beside a SQLite database, or in the user's."""
    with office.store.reading() as connection:
        name = ledger.act(connection, 1).digest[:16]  # several offices may share a folder
    if named := os.environ.get(FOLDER):
        return Path(named) / name
    url = office.store.engine.url
    if url.get_backend_name() == "sqlite":
        return Path(f"{url.database}.sent") / name
    of_system = next((os.environ[each] for each in STATE_FOLDERS if os.environ.get(each)), "~/.local/state")
    return Path(of_system.partition(":")[0]).expanduser() / "arpad-sent" / name


@contextmanager
def open_entry(office: Office, job: Job) -> Iterator[Entry]:
    """Open the entry of a job, for one worker of this machine at a time.

    At the end it is deleted, unless it says that the mail or request was taken, or perhaps taken.
    """
    folder = journal_folder(office)
    path = folder / sha256(f"{job.kind} {job.key}".encode()).hexdigest()[:32]
    try:
        _make_folder(folder)
        handle = _locked(path)
        if handle is None:
            raise BadInput("job-lost", kind=job.kind)
        entry = Entry(path, handle)
        _begin(entry, job)
    except OSError as error:
        raise BadInput("cannot-write", path=str(path), reason=error.strerror or str(error)) from error
    try:
        yield entry
    finally:
        if read_taken(entry) is None and not is_asked(entry):
            drop(entry)
        os.close(handle)


def _begin(entry: Entry, job: Job) -> None:
    """Write whose entry it is, unless it says more than that; if the disk is full, let go of the file."""
    if read_taken(entry) is not None or is_asked(entry):
        return
    try:
        os.pwrite(entry.handle, _OPEN.ljust(_HEAD) + f" {job.kind} {job.key}\n".encode(), 0)
    except OSError:
        drop(entry)
        os.close(entry.handle)  # else its lock would keep every worker from the job until this one ends
        raise


def _make_folder(folder: Path) -> None:
    """Make a folder for the owner alone, and its names durable."""
    for each in (folder.parent, folder):
        if not each.is_dir():
            each.mkdir(mode=0o700, parents=True, exist_ok=True)
            sync_folder(each.parent)


def _locked(path: Path) -> int | None:
    """Return a locked handle of a file; None if another process has locked it."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, PRIVATE)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        if _is_at(path, handle):
            return handle
        os.close(handle)  # its worker has deleted it meanwhile


def _is_at(path: Path, handle: int) -> bool:
    """Return whether a path still leads to an open file."""
    with suppress(FileNotFoundError):
        return path.stat().st_ino == os.fstat(handle).st_ino
    return False


def read_taken(entry: Entry) -> Taken | None:
    """Return what an entry says; None if nothing was taken."""
    return _parse(os.pread(entry.handle, _MOST, 0))


def _parse(line: bytes) -> Taken | None:
    words = line[:_HEAD].split()
    if len(words) != len(("taken", "time", "answer")) or words[0] != _TAKEN:
        return None
    with suppress(ValueError):
        datetime.fromisoformat(words[1].decode())
        return Taken(words[1].decode(), int(words[2]))
    return None


def is_asked(entry: Entry) -> bool:
    """Return whether an entry says that a site was asked to take something, and not what it answered."""
    return os.pread(entry.handle, len(_ASKED), 0) == _ASKED


def note_asked(entry: Entry) -> None:
    """Note that a site is asked now to take something; until this is on the disk, it must not be asked."""
    try:
        os.pwrite(entry.handle, _ASKED.ljust(_HEAD), 0)
        os.fsync(entry.handle)
        sync_folder(entry.path.parent)
    except OSError as error:
        note_refused(entry)
        raise BadInput("cannot-write", path=str(entry.path), reason=error.strerror or str(error)) from error


def note_refused(entry: Entry) -> None:
    """Note that a site has not taken what it was asked to take."""
    with suppress(OSError):
        os.pwrite(entry.handle, _OPEN.ljust(_HEAD), 0)


def note_taken(entry: Entry, answer: int) -> Taken:
    """Note that a site has taken something; a fault of the disk does not undo that, so it is only logged."""
    at = iso_time(datetime.now(UTC))
    try:
        os.pwrite(entry.handle, f"taken {at} {answer}".encode(), 0)
        os.fsync(entry.handle)
        sync_folder(entry.path.parent)
    except OSError as error:
        log.warning("the journal could not be written: %s", error)
    return Taken(at, answer)


def drop(entry: Entry) -> None:
    """Delete an entry: the database has what it says."""
    with suppress(OSError):
        if _is_at(
            entry.path, entry.handle
        ):  # not deleted before: then another worker may have a new one there
            entry.path.unlink(missing_ok=True)


def clear_journal(office: Office) -> None:
    """Delete the entries whose jobs are done, given up or gone: of workers that were killed just after their commit."""
    folder = journal_folder(office)
    if not folder.is_dir():
        return
    with office.store.reading() as connection:
        for path in sorted(folder.iterdir()):
            handle = _locked(path)
            if handle is None:
                continue
            kind, _, key = (
                os.pread(handle, _MOST, 0)[_HEAD:].decode("utf-8", "replace").strip().partition(" ")
            )
            state = jobs.state_of(connection, kind, key)
            if state in (None, JobState.DONE, JobState.FAILED):
                drop(Entry(path, handle))
            os.close(handle)
