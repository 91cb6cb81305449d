"""Files and folders are written whole or not at all; links, rights and devices stay, leftovers are cleared."""

import fcntl
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from arpad.model.errors import BadInput
from arpad.system import atomic_files
from arpad.system.atomic_files import atomic_folder, atomic_write, clear_leftovers, files_together, write_file


def test_write_file_follows_links_and_keeps_rights_and_devices(tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real.csv", tmp_path / "link.csv", tmp_path / "pipe"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_file(link, b"new")
    assert (link.is_symlink(), real.read_bytes(), real.stat().st_mode & 0o777) == (True, b"new", 0o640)
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        write_file(pipe, b"content")
        assert reader.communicate()[0] == b"content"
    assert pipe.is_fifo()
    write_file(Path(os.devnull), b"gone")
    assert Path(os.devnull).is_char_device()


def test_files_together_reach_the_disk_with_one_sync_of_their_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    monkeypatch.setattr(atomic_files, "sync_folder", synced.append)
    with ThreadPoolExecutor(2) as beside, files_together(tmp_path, beside) as write:
        for name in ("a.csv", "b.csv", "c.csv"):
            write(name, lambda stream, name=name: stream.write(name.encode()))  # type: ignore[misc]

    assert synced == [tmp_path.resolve()]
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        name: name for name in ("a.csv", "b.csv", "c.csv")
    }


def test_a_file_among_others_that_cannot_be_written_leaves_nothing_of_itself(tmp_path: Path) -> None:
    def stop(stream: object) -> None:
        raise OSError(28, "No space left on device")

    with ThreadPoolExecutor(2) as beside, files_together(tmp_path, beside) as write:
        write("a.csv", lambda stream: stream.write(b"whole"))
        with pytest.raises(BadInput, match="cannot-write"):
            write("b.csv", stop)

    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize("refused", [False, True], ids=["past the cache", "refused by the file system"])
@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097, 8192, 20_000])
def test_large_files_are_written_in_blocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int, *, refused: bool
) -> None:
    set_flags = fcntl.fcntl

    def refuse(file: int, command: int, flags: int) -> int:
        if refused and flags:
            raise OSError(22, "Invalid argument")
        return set_flags(file, command, flags)

    monkeypatch.setattr(atomic_files, "_BLOCK", 4096)
    monkeypatch.setattr(fcntl, "fcntl", refuse)
    data = bytes(number % 251 for number in range(size))
    with ThreadPoolExecutor(1) as beside, files_together(tmp_path, beside) as write:
        write("once", lambda stream: stream.write(data))
        write("parts", lambda stream: [stream.write(data[at : at + 999]) for at in range(0, size, 999)])

    assert [(tmp_path / name).read_bytes() for name in ("once", "parts")] == [data, data]


# ------------------------------------------------------------------------------------------------------ leftovers

HANGING = """
import sys
from pathlib import Path
from arpad.system.atomic_files import atomic_write
with atomic_write(Path(sys.argv[1])) as stream:
    stream.write(b"begun")
    stream.flush()
    print("begun", flush=True)
    sys.stdin.read()
"""


def parts(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.endswith(".part")]


def test_files_of_a_killed_process_are_cleared_and_those_being_written_are_not(tmp_path: Path) -> None:
    command = [sys.executable, "-c", HANGING, str(tmp_path / "file")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        (begun,) = parts(tmp_path)
        clear_leftovers(tmp_path)
        assert parts(tmp_path) == [begun]
        process.kill()
    with atomic_write(tmp_path / "other") as stream:
        stream.write(b"whole")
    assert parts(tmp_path) == []


def test_leftover_folders_are_cleared_and_other_names_are_not(tmp_path: Path) -> None:
    (tmp_path / ".0123456789abcdef.part" / "reports").mkdir(parents=True)
    (tmp_path / ".mine.part").write_bytes(b"")
    os.mkfifo(tmp_path / ".0123456789abcde0.part")
    (tmp_path / ".0123456789abcde1.part").symlink_to(tmp_path / ".mine.part")
    with atomic_folder(tmp_path / "export") as folder:
        (folder / "file").write_bytes(b"x")
    assert {path.name for path in tmp_path.iterdir()} == {
        ".mine.part", ".0123456789abcde1.part", "export",
    }  # fmt: skip
