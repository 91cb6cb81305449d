"""Offices on a full or read-only disk can be read, verified and saved to another disk."""

import lzma
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from arpad.model.errors import Unreadable
from arpad.office.backup.acts import backup, restore
from arpad.office.verify.acts import verify
from tests.builders.offices import Clock
from tests.builders.verbs import all_settings, change_settings, migrate, open_office, publications
from tests.store.release_files import OFFICE, RELEASES

NAME = "A name that only the log has"


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a disk of its own with four megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    made = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if not made or made.returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def write_office(folder: Path, *, in_log: bool) -> Path:
    """Write an office to a folder, with its last act in SQLite's log or in its file; nobody has it open."""
    path = folder / "office.db"
    path.touch(mode=0o600)
    path.write_bytes(lzma.decompress((RELEASES / "0.1.0" / OFFICE).read_bytes()))
    migrate(str(path))
    with closing(sqlite3.connect(path)) as other:
        other.execute("SELECT count(*) FROM ledger").fetchall()  # so that the log stays
        with closing(open_office(str(path), now=Clock(LATER), author="B")) as office:
            change_settings(office, set_={"name": NAME})
        files = {name: Path(f"{path}{name}").read_bytes() for name in ("", "-wal")}
    if in_log:
        assert NAME.encode() not in files[""]
        for name, content in files.items():
            Path(f"{path}{name}").write_bytes(content)
    assert not Path(f"{path}-shm").exists()
    return path


LATER = Clock().day.replace(month=7)


def fill(disk: Path) -> None:
    """Write to a disk until it is full."""
    with suppress(OSError), (disk / "rest").open("wb", buffering=0) as rest:
        while True:
            rest.write(bytes(4096))
    assert shutil.disk_usage(disk).free == 0


def close(disk: Path) -> None:
    """Let nobody write to a disk."""
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)


@pytest.mark.parametrize("in_log", [False, True], ids=["file", "log"])
@pytest.mark.parametrize(
    ("end", "code"), [(fill, "disk-full"), (close, "database-read-only")], ids=["full", "read-only"]
)
def test_an_office_on_a_disk_that_cannot_be_written_is_read(
    disk: Path, tmp_path: Path, end: object, code: str, in_log: bool
) -> None:
    path = write_office(disk, in_log=in_log)
    assert callable(end)
    end(disk)

    with closing(open_office(str(path), now=Clock(LATER), author="B")) as office:
        assert all_settings(office)["name"] == NAME
        assert len(publications(office)) > 3
        assert verify(office).altered == ()
        backup(office, tmp_path / "saved.zip")
        with pytest.raises(Unreadable, match=code):
            change_settings(office, set_={"name": "Another"})

    restore(tmp_path / "saved.zip", str(tmp_path / "new.db"))
    with closing(open_office(str(tmp_path / "new.db"))) as office:
        assert all_settings(office)["name"] == NAME


def test_a_change_while_it_is_read_is_noticed(disk: Path) -> None:
    """Without SQLite's own files nobody keeps others from writing."""
    path = write_office(disk, in_log=False)
    fill(disk)
    with closing(open_office(str(path))) as office:
        (disk / "rest").unlink()
        with closing(open_office(str(path), now=Clock(LATER), author="B")) as other:
            change_settings(other, set_={"name": "Another"})
        with pytest.raises(Unreadable, match="office-busy"):
            publications(office)


@pytest.mark.parametrize("in_log", [False, True], ids=["file", "log"])
def test_the_command_reads_where_no_file_can_grow(tmp_path: Path, in_log: bool) -> None:
    """As on a full disk, without one: the process may write no file."""
    path = write_office(tmp_path, in_log=in_log)
    done = subprocess.run(
        [sys.executable, "-m", "arpad", "office", "lists", "--db", str(path)],
        capture_output=True, text=True, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == ((2, done.stderr) if in_log else (0, ""))
    assert in_log == ("rapid" not in done.stdout)
    assert "Traceback" not in done.stderr
