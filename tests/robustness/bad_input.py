"""Bad luck, kind by kind: for everything a parameter takes, what may come instead."""

import io
import os
import pwd
import resource
import shutil
import sqlite3
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from tests.robustness.command_tree import Kind
from tests.robustness.working_calls import Household

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89"
)
HUGE = 24 << 20
"""Beyond what any report may measure."""


@dataclass(frozen=True)
class Case:
    """A piece of bad luck: the value that a parameter gets, and the circumstances."""

    name: str
    value: Callable[[Household], str]
    strict: bool = True
    """Whether it must be refused; otherwise it may also be accepted, for all that it looks odd."""

    circumstances: Callable[[Household], AbstractContextManager[None]] = lambda _home: nullcontext()


def _text(name: str, value: str, *, strict: bool = True) -> Case:
    return Case(name, lambda _home: value, strict)


# ----------------------------------------------------------------------------------------------- circumstances


@contextmanager
def as_somebody_else() -> Iterator[None]:
    """Without the rights of root, who may read and write everything."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(pwd.getpwnam("nobody").pw_uid)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def no_rights(path: Path, rights: int = 0) -> Iterator[None]:
    """A file or folder that may not be read, or not be written."""
    before = stat.S_IMODE(path.stat().st_mode)
    path.chmod(rights)
    try:
        with as_somebody_else():
            yield
    finally:
        path.chmod(before)


@contextmanager
def disk_full() -> Iterator[None]:
    """No file may grow any more."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def _locked(home: Household) -> Iterator[None]:
    other = sqlite3.connect(home.folder / "office.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


# ------------------------------------------------------------------------------------------------------- files


def _file(name: str, data: bytes, suffix: str = "") -> Callable[[Household], str]:
    def made(home: Household) -> str:
        path = home.folder / "fresh" / f"{name}{suffix}"
        path.write_bytes(data)
        return str(path)

    return made


def _huge(home: Household) -> str:
    path = home.folder / "fresh" / "huge"
    with path.open("wb") as stream:
        stream.truncate(HUGE)
    return str(path)


def _huge_text(home: Household) -> str:
    path = home.folder / "fresh" / "huge-text"
    path.write_bytes(b"x, y; z\n" * (HUGE // 8))
    return str(path)


def _folder(home: Household) -> str:
    path = home.folder / "fresh" / "folder"
    path.mkdir(exist_ok=True)
    return str(path)


def _zip() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        packed.writestr("letter.txt", "Dear arbiter")
    return made.getvalue()


def _unreadable(home: Household) -> AbstractContextManager[None]:
    path = home.folder / "fresh" / "unreadable"
    path.write_bytes((home.folder / "open.trf").read_bytes())
    return no_rights(path)


FILES = (
    Case("missing", lambda home: str(home.folder / "fresh" / "none.trf")),
    Case("name too long", lambda home: str(home.folder / ("x" * 300))),
    Case("empty", _file("empty", b""), strict=False),
    Case("a folder", _folder),
    Case("huge", _huge),
    Case("huge text", _huge_text),
    Case("a picture", _file("picture", PNG)),
    Case("an archive", _file("archive", _zip())),
    Case("UTF-16", _file("utf16", "012 Open però\n001    1\n".encode("utf-16"))),
    Case("not UTF-8", _file("western", "per\xf2, citt\xe0\n".encode("latin-1"))),
    Case("NUL bytes", _file("nul", b"012 Open\x00\n001    1\x00\n")),
    Case("no rights", lambda home: str(home.folder / "fresh" / "unreadable"), circumstances=_unreadable),
)

_PLACE = "fresh/written"


def _no_folder_rights(home: Household) -> AbstractContextManager[None]:
    return no_rights(home.folder / "fresh", 0o555)


def _there_already(home: Household) -> str:
    path = home.folder / "fresh" / "written.csv"
    path.write_bytes(b"kept")
    return str(path)


OUTS = (
    Case("no such folder", lambda home: str(home.folder / "none" / "written.csv")),
    Case("below a file", lambda home: str(home.folder / "open.trf" / "written.csv")),
    Case("a folder", _folder),
    Case("folder not writable", lambda home: str(home.folder / "fresh/written.csv"), True, _no_folder_rights),
    Case("disk full", lambda home: str(home.folder / "fresh/written.csv"), True, lambda _home: disk_full()),
    Case("disk full, file there", _there_already, True, lambda _home: disk_full()),
)
FOLDERS = (
    Case("below a file", lambda home: str(home.folder / "open.trf" / "written")),
    Case("a file", _file("taken", b"kept")),
    Case("folder not writable", lambda home: str(home.folder / _PLACE), True, _no_folder_rights),
    Case("disk full", lambda home: str(home.folder / _PLACE), True, lambda _home: disk_full()),
)


# ---------------------------------------------------------------------------------------------------- databases


def _another_database(home: Household) -> str:
    path = home.folder / "fresh" / "other.db"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE letters (text)")
    made.close()
    return str(path)


def _newer(home: Household) -> str:
    path = home.folder / "fresh" / "newer.db"
    shutil.copyfile(home.folder / "kept.db", path)
    with sqlite3.connect(path) as made:
        made.execute("UPDATE alembic_version SET version_num = '9999'")
    made.close()
    return str(path)


def _unreadable_database(home: Household) -> AbstractContextManager[None]:
    return no_rights(home.folder / "office.db")


EVERY_DATABASE = (
    Case("a folder", _folder),
    Case("a picture", _file("picture.db", PNG)),
    Case("some text", _file("text.db", b"not a database, by far\n" * 100)),
    Case("below a file", lambda home: str(home.folder / "open.trf" / "office.db")),
    Case("another database", _another_database),
    Case("newer", _newer),
    _text("no server", "postgresql://arpad:secret@127.0.0.1:1/office"),
    _text("another kind of server", "mysql://127.0.0.1/office"),
    _text("no URL", "postgresql://:::"),
    Case("no rights", lambda home: str(home.folder / "office.db"), True, _unreadable_database),
)
DATABASES = (
    *EVERY_DATABASE,
    Case("missing", lambda home: str(home.folder / "fresh" / "none.db")),
    Case("empty", _file("empty.db", b"")),
    _text("nothing", "", strict=False),
    Case("locked", lambda home: str(home.folder / "office.db"), strict=False, circumstances=_locked),
    Case("disk full", lambda home: str(home.folder / "office.db"), False, lambda _home: disk_full()),
)
NEW_DATABASES = (
    *EVERY_DATABASE,
    Case("an office", lambda home: str(home.folder / "office.db")),
    Case("disk full", lambda home: str(home.folder / "fresh/full.db"), True, lambda _home: disk_full()),
)


# -------------------------------------------------------------------------------------------------- plain values

ODD_TEXT = (
    _text("empty", "", strict=False),
    _text("long, not UTF-8, steers a terminal", "\x1b[2J\nper\udcf2" + "x" * 50_000, strict=False),
)
NUMBERS = (
    _text("a word", "many"),
    _text("nothing", ""),
    _text("a fraction of nothing", "1/0"),
    _text("below nought", "-7", strict=False),
    _text("more than a database holds", "9" * 40, strict=False),
)
DAYS = (
    _text("as in Italy", "31/12/2018"),
    _text("no such day", "2018-02-30"),
    _text("a word", "yesterday"),
    _text("the first of all days", "0001-01-01", strict=False),
    _text("the last of all days", "9999-12-31", strict=False),
)
MOMENTS = (
    _text("a word", "now"),
    _text("the first", "0001-01-01T00:00:00+14:00", strict=False),
    _text("the last", "9999-12-31T23:59:59-12:00", strict=False),
)
CHOICES = (_text("none of them", "nonsense"), *ODD_TEXT)
EDITIONS = (
    _text("none of them", "fide-1066"),
    _text("missing", "none.toml"),
    Case("a folder", lambda home: _renamed(_folder(home))),
    Case("a picture", _file("picture", PNG, ".toml")),
    Case("empty", _file("empty", b"", ".toml")),
    Case("brackets without end", _file("deep", b"a = " + b"[" * 5000, ".toml")),
    *ODD_TEXT,
)
FORMS = (_text("no form", "nonsense"), *ODD_TEXT)


def _renamed(folder: str) -> str:
    path = Path(f"{folder}.toml")
    path.mkdir(exist_ok=True)
    return str(path)


CASES: dict[Kind, tuple[Case, ...]] = {
    Kind.FLAG: (),
    Kind.FILE: FILES,
    Kind.OUT: OUTS,
    Kind.FOLDER: FOLDERS,
    Kind.DATABASE: DATABASES,
    Kind.NEW_DATABASE: NEW_DATABASES,
    Kind.DAY: DAYS,
    Kind.MOMENT: MOMENTS,
    Kind.NUMBER: NUMBERS,
    Kind.CHOICE: CHOICES,
    Kind.EDITION: EDITIONS,
    Kind.FORM: FORMS,
    Kind.TEXT: ODD_TEXT,
}
