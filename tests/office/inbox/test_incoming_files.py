"""Files, folders and archives: what is in them in the order of names, and one sentence for whatever is wrong."""

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from arpad.model.errors import ArpadError
from arpad.office.inbox import incoming_files as arrivals
from arpad.office.inbox.incoming_files import IncomingFiles


def zipped(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return path


def tarred(path: Path, members: dict[str, bytes], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return path


def told(*paths: Path) -> list[tuple[str, bytes | str]]:
    """Own name and bytes of each file, or the code of what is wrong."""
    found: list[tuple[str, bytes | str]] = []
    with IncomingFiles(paths) as there:
        for one in there.files:
            try:
                found.append((one.name, one.read()))
            except ArpadError as error:
                found.append((one.name, error.code))
    return found


FILES = {"b.trf": b"two", "a.trf": b"one", "deep/c.trf": b"three"}
IN_ORDER = [("a.trf", b"one"), ("b.trf", b"two"), ("c.trf", b"three")]


def test_the_same_from_a_folder_and_from_every_kind_of_archive(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    (folder / ".hidden").write_bytes(b"left by a system")
    (folder / "__MACOSX").mkdir()
    (folder / "__MACOSX" / "a.trf").write_bytes(b"left by a system")
    assert told(folder) == IN_ORDER
    assert told(zipped(tmp_path / "a.zip", FILES)) == IN_ORDER
    assert told(tarred(tmp_path / "a.tar", FILES)) == IN_ORDER
    assert told(tarred(tmp_path / "a.tar.gz", FILES, "w:gz")) == IN_ORDER
    assert told(tarred(tmp_path / "a.TGZ", FILES, "w:gz")) == IN_ORDER
    assert told(tarred(tmp_path / "a.tar.bz2", FILES, "w:bz2")) == IN_ORDER
    assert told(tarred(tmp_path / "a.tar.xz", FILES, "w:xz")) == IN_ORDER


def test_paths_in_the_order_given_and_archives_within_folders(tmp_path: Path) -> None:
    zipped(tmp_path / "m.zip", FILES)
    (tmp_path / "z.trf").write_bytes(b"last")
    assert told(tmp_path / "z.trf", tmp_path) == [("z.trf", b"last"), *IN_ORDER, ("z.trf", b"last")]


@pytest.mark.parametrize(
    "name", ["../out.trf", "/etc/out.trf", "deep/../../out.trf", "C:\\out.trf", "..\\out.trf"]
)
def test_names_that_point_elsewhere(tmp_path: Path, name: str) -> None:
    members = {name: b"bad", "good.trf": b"good"}
    for archive in (zipped(tmp_path / "a.zip", members), tarred(tmp_path / "a.tar", members)):
        assert sorted(what for _, what in told(archive) if isinstance(what, str)) == ["archive-name"]
        assert ("good.trf", b"good") in told(archive)


def test_archives_within_archives(tmp_path: Path) -> None:
    assert told(zipped(tmp_path / "a.zip", {"in.tar.gz": b"x", "r.trf": b"y"})) == [
        ("in.tar.gz", "archive-nested"),
        ("r.trf", b"y"),
    ]


def test_links_and_devices(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        link = tarfile.TarInfo("link.trf")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        pipe = tarfile.TarInfo("pipe.trf")
        pipe.type = tarfile.FIFOTYPE
        archive.addfile(pipe)
    assert told(tmp_path / "a.tar") == [("link.trf", "archive-member"), ("pipe.trf", "archive-member")]


def test_an_encrypted_file(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.trf": b"x" * 40})
    data = bytearray(path.read_bytes())
    data[6] |= 1  # the flag in the file's own heading
    data[data.index(b"PK\x01\x02") + 8] |= 1  # and in the table at the end
    path.write_bytes(data)
    assert told(path) == [("a.trf", "archive-encrypted")]


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.tar.xz"])
def test_broken_archives(tmp_path: Path, name: str) -> None:
    members = {f"{n}.trf": os.urandom(3000) for n in range(5)}
    mode = {"a.tar.gz": "w:gz", "a.tar.xz": "w:xz"}.get(name, "w")
    make = zipped(tmp_path / name, members) if name == "a.zip" else tarred(tmp_path / name, members, mode)
    whole = make.read_bytes()
    for part in (b"", b"no archive at all", whole[: len(whole) // 2], b"\0" * 600 + whole[600:]):
        make.write_bytes(part)
        codes = {what for _, what in told(make) if isinstance(what, str)}
        assert codes <= {"archive-broken", "archive-empty"}
        assert codes, "something is said of it"


def test_a_damaged_file_in_a_sound_archive(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a.trf": b"one" * 99, "b.trf": b"two"})
    data = bytearray(path.read_bytes())
    data[37] ^= 0xFF
    path.write_bytes(data)
    assert told(path) == [("a.trf", "archive-broken"), ("b.trf", b"two")]


def test_what_unfolds_out_of_all_proportion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrivals, "MOST_UNPACKED", 1 << 20)
    members = {f"{n}.trf": bytes(1 << 18) for n in range(5)}
    assert told(zipped(tmp_path / "a.zip", members)) == [("a.zip", "archive-too-large")]
    assert told(tarred(tmp_path / "a.tgz", members, "w:gz")) == [("a.tgz", "archive-too-large")]


def test_a_file_that_lies_about_its_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table says ten bytes, the file unfolds to more than a report may have."""
    monkeypatch.setattr(arrivals, "LIMIT", 1000)
    path = zipped(tmp_path / "a.zip", {"a.trf": bytes(5000)})
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (10).to_bytes(4, "little")
    path.write_bytes(data)
    ((_, what),) = told(path)
    assert what in ("archive-broken", "file-too-large", b"")


def test_files_that_are_too_large_too_many_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "LIMIT", 4)
    monkeypatch.setattr(arrivals, "MOST_FILES", 2)
    (tmp_path / "large.trf").write_bytes(b"12345")
    (tmp_path / "empty").mkdir()
    assert told(tmp_path / "large.trf") == [("large.trf", "file-too-large")]
    assert told(zipped(tmp_path / "l.zip", {"l.trf": b"12345"})) == [("l.trf", "file-too-large")]
    assert told(zipped(tmp_path / "m.zip", FILES)) == [("m.zip", "archive-too-many")]
    assert told(zipped(tmp_path / "n.zip", {})) == [("n.zip", "archive-empty")]
    assert told(tmp_path / "empty") == [("empty", "folder-empty")]
    assert told(tmp_path / "nowhere.zip") == [("nowhere.zip", "cannot-read")]
    assert told(tmp_path / "nowhere.trf") == [("nowhere.trf", "cannot-read")]
