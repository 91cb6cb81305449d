"""The bundle: one file from which anybody recomputes a list to the same bytes, with no database.

A ZIP without compression, its members in a fixed order with a fixed time; so the same list gives the same bundle, and a
bundle that was touched anywhere is not what would be written from its own contents.
"""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from arpad.lists.compute import compute_list
from arpad.lists.input_files import file_digests, inputs_digest, read_inputs, write_inputs
from arpad.lists.inputs import Inputs
from arpad.lists.result import ListResult
from arpad.model.errors import ArpadError, Unreadable
from arpad.model.json_values import dump
from arpad.system.batches import gc_paused

SCHEMA = "arpad.bundle/1"
MANIFEST, LIST = "manifest.json", "list.txt"
_MOMENT = (1980, 1, 1, 0, 0, 0)
_LARGEST = 4 << 30
_BLOCK = 1 << 20
NO_ARCHIVE = (
    zipfile.BadZipFile, zlib.error, OSError, EOFError, LookupError, TypeError, ValueError, AttributeError, RuntimeError,
)  # fmt: skip
"""All that Python raises over a ZIP, or the JSON in it, that is damaged, encrypted or no such thing."""


@dataclass(frozen=True, slots=True)
class Altered:
    """A place that is not as it was published."""

    code: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verification found: nothing, or the first place that was altered and those after it."""

    what: str
    altered: tuple[Altered, ...]
    counted: Mapping[str, int]
    whole_digest: str = ""
    """The digest of the published list, where a bundle leaves players off who asked not to be shown."""

    erased: tuple[Altered, ...] = ()
    """Players whom the office erased, with the day and by whom."""

    @property
    def intact(self) -> bool:
        """Whether everything is as it was published."""
        return not self.altered


def write_bundle(inputs: Inputs, closed: ListResult) -> bytes:
    """The bytes of a bundle."""
    out = io.BytesIO()
    put_bundle(inputs, closed, out)
    return out.getvalue()


def put_bundle(
    inputs: Inputs, closed: ListResult, stream: BinaryIO, packed: Mapping[str, bytes] | None = None
) -> None:
    """Write a bundle; ``packed`` are the files of the inputs, where they are at hand."""
    made = write_inputs(inputs) if packed is None else packed
    text = closed.text
    found = file_digests({LIST: text, **made})
    manifest = {
        "schema": SCHEMA,
        "arpad": version("arpad"),
        "list": str(inputs.on_list),
        "date": str(inputs.day),
        "revision": inputs.revision,
        "number": inputs.number,
        "digest": found[LIST],
        "standings_digest": closed.standings_digest,
        "inputs_digest": inputs_digest({name: found[name] for name in made}),
        "files": found,
        **({"left_off": inputs.left_off, "whole_digest": inputs.whole_digest} if inputs.left_off else {}),
    }
    _zip(manifest, ((name, text if name == LIST else made[name]) for name in sorted(found)), stream)


def _zip(manifest: Mapping[str, Any], members: Iterable[tuple[str, bytes]], stream: BinaryIO) -> None:
    """The manifest first, then the members in their order, one at a time."""
    first = (dump(manifest) + "\n").encode()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in chain([(MANIFEST, first)], members):
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)


def verify_bundle(path: Path) -> Verified:
    """Recompute a list from its bundle alone; names the first member that does not hold.

    The file is read member by member; what is held is what the list is made from.
    """
    with gc_paused(), _opened(path) as archive:
        manifest, members, altered = _members(archive, path)
        if not altered:
            altered = _recomputed(manifest, members)
        if not altered and not _same_container(path, manifest, members):
            altered = [Altered("bundle-container", {})]
    counted = {"files": len(members)}
    if not altered and manifest.get("left_off"):
        counted["left_off"] = manifest["left_off"]
    return Verified("bundle", tuple(altered), counted, whole_digest=str(manifest.get("whole_digest", "")))


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        if path.stat().st_size > _LARGEST:
            raise Unreadable("bundle-unreadable", path=str(path))
        with path.open("rb") as stream:
            try:
                archive = zipfile.ZipFile(stream)
            except NO_ARCHIVE as error:
                raise Unreadable("bundle-unreadable", path=str(path)) from error
            with archive:
                yield archive
    except OSError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error


def _same_container(path: Path, manifest: Mapping[str, Any], members: Mapping[str, bytes]) -> bool:
    """Whether the file is, byte for byte, what would be written from its own contents."""
    with tempfile.TemporaryFile() as again, path.open("rb") as given:
        _zip(manifest, sorted(members.items()), again)
        size = again.tell()
        again.seek(0)
        if size != path.stat().st_size:
            return False
        while block := again.read(_BLOCK):
            if block != given.read(_BLOCK):
                return False
    return True


def _members(archive: zipfile.ZipFile, path: Path) -> tuple[dict[str, Any], dict[str, bytes], list[Altered]]:
    """What the archive holds; members that do not fit the manifest are named."""
    try:
        manifest = json.loads(archive.read(MANIFEST))
        expected: dict[str, str] = dict(manifest["files"])
        if manifest["schema"] != SCHEMA:
            raise Unreadable("bundle-schema", path=str(path), found=str(manifest["schema"]), known=SCHEMA)
    except NO_ARCHIVE as error:
        raise Unreadable("bundle-unreadable", path=str(path)) from error
    members: dict[str, bytes] = {}
    altered: list[Altered] = []
    for name, digest in expected.items():
        try:
            members[name] = archive.read(name)
        except NO_ARCHIVE:
            altered.append(Altered("bundle-member", {"name": name}))
            continue
        if sha256(members[name]).hexdigest() != digest:
            altered.append(Altered("bundle-member", {"name": name}))
    return manifest, members, altered


def _recomputed(manifest: Mapping[str, Any], members: Mapping[str, bytes]) -> list[Altered]:
    """The list made again from the inputs, compared line by line."""
    made = {name: data for name, data in members.items() if name != LIST}
    try:
        inputs, editions = read_inputs(made)
        ours = inputs.editions()
        closed = compute_list(inputs)
    except (ArpadError, ArithmeticError, *NO_ARCHIVE):
        return [Altered("bundle-inputs", {})]
    for name, digest in editions.items():
        if ours.get(name) != digest:
            return [Altered("bundle-edition", {"edition": name})]
    listed = members.get(LIST, b"")
    if closed.text != listed:
        return [first_difference(closed.text, listed)]
    told = {
        "list": str(inputs.on_list), "date": str(inputs.day), "revision": inputs.revision, "number": inputs.number,
        "digest": closed.digest, "standings_digest": closed.standings_digest,
        "inputs_digest": inputs_digest({name: manifest["files"][name] for name in made}),
        "left_off": inputs.left_off or None, "whole_digest": inputs.whole_digest or None,
    }  # fmt: skip
    wrong = [name for name, value in told.items() if manifest.get(name) != value]
    return [Altered("bundle-manifest", {"name": name}) for name in wrong]


def first_difference(made: bytes, listed: bytes) -> Altered:
    """The first line in which a list is not what is computed."""
    ours, theirs = made.split(b"\n"), listed.split(b"\n")
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False), start=1):
        if one != other:
            said = other.decode("utf-8", "replace").replace("\t", " ")[:60]
            return Altered("list-line", {"line": number, "text": said})
    return Altered("list-line", {"line": min(len(ours), len(theirs)), "text": ""})
