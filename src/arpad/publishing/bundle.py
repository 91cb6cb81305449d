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
_TIMESTAMP = (1980, 1, 1, 0, 0, 0)
_MAX_SIZE = 4 << 30
_BLOCK = 1 << 20
ARCHIVE_ERRORS = (
    zipfile.BadZipFile, zlib.error, OSError, EOFError, LookupError, TypeError, ValueError, AttributeError, RuntimeError,
)  # fmt: skip
"""All that Python raises over a ZIP, or the JSON in it, that is damaged, encrypted or no such thing."""


@dataclass(frozen=True, slots=True)
class Alteration:
    """A place that is not as it was published."""

    code: str
    facts: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verification:
    """What a verification found: nothing, or the first place that was altered and those after it."""

    what: str
    altered: tuple[Alteration, ...]
    counted: Mapping[str, int]
    whole_digest: str = ""
    """The digest of the published list, where a bundle leaves players off who asked not to be shown."""

    erased: tuple[Alteration, ...] = ()
    """Players whom the office erased, with the day and by whom."""

    @property
    def intact(self) -> bool:
        """Whether everything is as it was published."""
        return not self.altered


def bundle_bytes(inputs: Inputs, closed: ListResult) -> bytes:
    """The bytes of a bundle."""
    out = io.BytesIO()
    write_bundle_to(inputs, closed, out)
    return out.getvalue()


def write_bundle_to(
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
    _write_zip(manifest, ((name, text if name == LIST else made[name]) for name in sorted(found)), stream)


def _write_zip(manifest: Mapping[str, Any], members: Iterable[tuple[str, bytes]], stream: BinaryIO) -> None:
    """The manifest first, then the members in their order, one at a time."""
    first = (dump(manifest) + "\n").encode()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in chain([(MANIFEST, first)], members):
            entry = zipfile.ZipInfo(name, _TIMESTAMP)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)


def verify_bundle(path: Path) -> Verification:
    """Recompute a list from its bundle alone; names the first member that does not hold.

    The file is read member by member; what is held is what the list is made from.
    """
    with gc_paused(), _open_archive(path) as archive:
        manifest, members, altered = _read_members(archive, path)
        if not altered:
            altered = _compare_recomputed(manifest, members)
        if not altered and not _same_container(path, manifest, members):
            altered = [Alteration("bundle-container", {})]
    counted = {"files": len(members)}
    if not altered and manifest.get("left_off"):
        counted["left_off"] = manifest["left_off"]
    return Verification("bundle", tuple(altered), counted, whole_digest=str(manifest.get("whole_digest", "")))


@contextmanager
def _open_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        if path.stat().st_size > _MAX_SIZE:
            raise Unreadable("bundle-unreadable", path=str(path))
        with path.open("rb") as stream:
            try:
                archive = zipfile.ZipFile(stream)
            except ARCHIVE_ERRORS as error:
                raise Unreadable("bundle-unreadable", path=str(path)) from error
            with archive:
                yield archive
    except OSError as error:
        raise Unreadable("file-not-opened", path=str(path), reason=error.strerror or str(error)) from error


def _same_container(path: Path, manifest: Mapping[str, Any], members: Mapping[str, bytes]) -> bool:
    """Whether the file is, byte for byte, what would be written from its own contents."""
    with tempfile.TemporaryFile() as again, path.open("rb") as given:
        _write_zip(manifest, sorted(members.items()), again)
        size = again.tell()
        again.seek(0)
        if size != path.stat().st_size:
            return False
        while block := again.read(_BLOCK):
            if block != given.read(_BLOCK):
                return False
    return True


def _read_members(
    archive: zipfile.ZipFile, path: Path
) -> tuple[dict[str, Any], dict[str, bytes], list[Alteration]]:
    """What the archive holds; members that do not fit the manifest are named."""
    try:
        manifest = json.loads(archive.read(MANIFEST))
        expected: dict[str, str] = dict(manifest["files"])
        if manifest["schema"] != SCHEMA:
            raise Unreadable("bundle-schema", path=str(path), found=str(manifest["schema"]), known=SCHEMA)
    except ARCHIVE_ERRORS as error:
        raise Unreadable("bundle-unreadable", path=str(path)) from error
    members: dict[str, bytes] = {}
    altered: list[Alteration] = []
    for name, digest in expected.items():
        try:
            members[name] = archive.read(name)
        except ARCHIVE_ERRORS:
            altered.append(Alteration("bundle-member", {"name": name}))
            continue
        if sha256(members[name]).hexdigest() != digest:
            altered.append(Alteration("bundle-member", {"name": name}))
    return manifest, members, altered


def _compare_recomputed(manifest: Mapping[str, Any], members: Mapping[str, bytes]) -> list[Alteration]:
    """The list made again from the inputs, compared line by line."""
    made = {name: data for name, data in members.items() if name != LIST}
    try:
        inputs, editions = read_inputs(made)
        ours = inputs.editions()
        closed = compute_list(inputs)
    except (ArpadError, ArithmeticError, *ARCHIVE_ERRORS):
        return [Alteration("bundle-inputs", {})]
    for name, digest in editions.items():
        if ours.get(name) != digest:
            return [Alteration("bundle-edition", {"edition": name})]
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
    return [Alteration("bundle-manifest", {"name": name}) for name in wrong]


def first_difference(made: bytes, listed: bytes) -> Alteration:
    """The first line in which a list is not what is computed."""
    ours, theirs = made.split(b"\n"), listed.split(b"\n")
    for number, (one, other) in enumerate(zip(ours, theirs, strict=False), start=1):
        if one != other:
            said = other.decode("utf-8", "replace").replace("\t", " ")[:60]
            return Alteration("list-line", {"line": number, "text": said})
    return Alteration("list-line", {"line": min(len(ours), len(theirs)), "text": ""})
