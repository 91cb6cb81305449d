"""The bundle of a list: one file from which anyone recomputes the list to the same bytes, without a database.

It is a ZIP without compression, with its members in a fixed order and with a fixed time. So the same list gives the
same bundle, and a bundle that was altered anywhere differs from the one that its own contents would give.
"""

import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from arpad.lists.bundle_files import InputFiles, inputs_digest
from arpad.lists.compute import compute_list
from arpad.lists.input_files import input_files, read_inputs
from arpad.lists.inputs import Inputs
from arpad.lists.result import ListResult
from arpad.lists.system_files import SYSTEM_LIST, read_system_inputs, system_files
from arpad.lists.system_list import SystemInputs, SystemResult, compute_system_list, edition_of_list
from arpad.model.canonical_json import dump
from arpad.model.errors import ArpadError, Unreadable
from arpad.model.rules import Alteration
from arpad.model.version import VERSION
from arpad.proofs.lines import published_lists
from arpad.proofs.receipts import Receipt, check_receipt, parse_receipt
from arpad.publishing.verification import Verification, first_difference
from arpad.regulations.systems import edition_digest
from arpad.system.batches import gc_paused

SCHEMA, SYSTEM_SCHEMA = "arpad.bundle/1", "arpad.bundle/2"
"""Of a list of FIDE or Elo-Rubele, and of a list of another rating system."""

MANIFEST, LIST, PROOF = "manifest.json", "list.txt", "publication.json"
_MAX_PROOF = 1 << 20
LARGEST = 4 << 30
"""Bytes of the largest bundle that is read."""

FIRST_DAY, UNIX = (1980, 1, 1, 0, 0, 0), 3
"""Of all members, whenever and wherever they are written."""

ARCHIVE_ERRORS = (
    zipfile.BadZipFile, zlib.error, OSError, EOFError, LookupError, TypeError, ValueError, AttributeError, RuntimeError,
)  # fmt: skip
"""Exceptions of Python for a ZIP, or for JSON in it, that is damaged, encrypted or something else."""


def bundle_bytes(
    inputs: Inputs | SystemInputs, result: ListResult | SystemResult, proof: bytes = b""
) -> bytes:
    """Return the bytes of a bundle."""
    out = io.BytesIO()
    write_bundle_to(inputs, result, out, proof=proof)
    return out.getvalue()


def write_bundle_to(
    inputs: Inputs | SystemInputs,
    result: ListResult | SystemResult,
    stream: BinaryIO,
    written: InputFiles | None = None,
    proof: bytes = b"",
) -> None:
    """Write a bundle; ``written`` are the inputs as files, if they are known.

    ``proof`` is the act of publication under its checkpoint, if the office signs its ledger.
    """
    if isinstance(inputs, Inputs) and inputs.system is not None:
        inputs = inputs.system
    if isinstance(inputs, SystemInputs):
        schema, files = SYSTEM_SCHEMA, written or system_files(inputs)
    else:
        schema, files = SCHEMA, written or input_files(inputs)
    members, digests = {LIST: result.text, **files.contents}, {LIST: result.digest, **files.digests}
    if proof:
        members[PROOF], digests[PROOF] = proof, sha256(proof).hexdigest()
    manifest = {
        "schema": schema,
        "arpad": VERSION,
        "files": digests,
        **{name: fact for name, fact in _facts(inputs, result, files.digest).items() if fact is not None},
    }
    stream.write(_container(manifest, members))


def _facts(
    inputs: Inputs | SystemInputs, result: ListResult | SystemResult, digest_of_inputs: str
) -> dict[str, Any]:
    """Return what a manifest says about its list; None is left out."""
    own: dict[str, Any]
    if isinstance(inputs, SystemInputs):
        edition = edition_of_list(inputs)
        own = {"system": inputs.system, "edition": edition.id, "edition_digest": edition_digest(edition)}
    else:
        own = {}
    return {
        "list": str(inputs.on_list), "date": str(inputs.day), "revision": inputs.revision, "number": inputs.number,
        "digest": result.digest, "standings_digest": result.standings_digest, "inputs_digest": digest_of_inputs,
        **own, "left_off": inputs.left_off or None, "whole_digest": inputs.whole_digest or None,
    }  # fmt: skip


def _container(manifest: Mapping[str, Any], members: Mapping[str, bytes]) -> memoryview:
    """Return the bytes of the file: the manifest, then the members by name; equal members give equal bytes."""
    container = io.BytesIO()
    first = (dump(manifest) + "\n").encode()
    with zipfile.ZipFile(container, "w") as archive:
        for name, data in chain([(MANIFEST, first)], sorted(members.items())):
            entry = zipfile.ZipInfo(name, FIRST_DAY)
            entry.create_system, entry.external_attr = UNIX, 0o644 << 16
            archive.writestr(entry, data)
    return container.getbuffer()


def verify_bundle(path: Path) -> Verification:
    """Recompute a list from its bundle alone, and report what does not agree with the bundle."""
    with gc_paused(), _open_archive(path) as archive:
        manifest, members, altered = _read_members(archive, path)
        if not altered:
            altered = _compare_recomputed(manifest, members) or _compare_proof(manifest, members)
        # byte for byte, the file is the one written from its own contents
        if not altered and path.read_bytes() != _container(manifest, members):
            altered = [Alteration("bundle-container", {})]
    counted = {"files": len(members)}
    if not altered and manifest.get("left_off"):
        counted["left_off"] = manifest["left_off"]
    return Verification("bundle", tuple(altered), counted, whole_digest=str(manifest.get("whole_digest", "")))


def opened_manifest(path: Path) -> dict[str, Any] | None:
    """Return the manifest of a bundle; None if the file is another archive."""
    try:
        with _open_archive(path) as archive:
            manifest = json.loads(archive.read(MANIFEST))
    except (Unreadable, *ARCHIVE_ERRORS):
        return None
    return (
        manifest if isinstance(manifest, dict) and manifest.get("schema") in (SCHEMA, SYSTEM_SCHEMA) else None
    )


def opened_proof(path: Path) -> Receipt | None:
    """Return the act of publication in a bundle, with its checkpoint; None if the bundle has none that can be read."""
    try:
        with _open_archive(path) as archive:
            if archive.getinfo(PROOF).file_size > _MAX_PROOF:
                return None
            return parse_receipt(json.loads(archive.read(PROOF)))
    except (ArpadError, *ARCHIVE_ERRORS):  # RecursionError is a RuntimeError
        return None


@contextmanager
def _open_archive(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        if path.stat().st_size > LARGEST:
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


def _read_members(
    archive: zipfile.ZipFile, path: Path
) -> tuple[dict[str, Any], dict[str, bytes], list[Alteration]]:
    """Return the manifest, the members, and alterations for members that differ from the manifest."""
    try:
        manifest = json.loads(archive.read(MANIFEST))
        expected: dict[str, str] = dict(manifest["files"])
        if manifest["schema"] not in (SCHEMA, SYSTEM_SCHEMA):
            known = f"{SCHEMA}, {SYSTEM_SCHEMA}"
            raise Unreadable("bundle-schema", path=str(path), found=str(manifest["schema"]), known=known)
    except ARCHIVE_ERRORS as error:
        raise Unreadable("bundle-unreadable", path=str(path)) from error
    members: dict[str, bytes] = {}
    altered: list[Alteration] = []
    for name, digest in expected.items():
        with suppress(*ARCHIVE_ERRORS):
            members[name] = archive.read(name)
        if name not in members or sha256(members[name]).hexdigest() != digest:
            altered.append(Alteration("bundle-member", {"name": name}))
    return manifest, members, altered


def _compare_recomputed(manifest: Mapping[str, Any], members: Mapping[str, bytes]) -> list[Alteration]:
    """Recompute the list from the inputs, and compare it line by line."""
    files = {name: data for name, data in members.items() if name not in (LIST, PROOF)}
    try:
        inputs, editions, result = _recomputed(files)
        ours = inputs.editions()
    except (ArpadError, ArithmeticError, *ARCHIVE_ERRORS):
        return [Alteration("bundle-inputs", {})]
    for name, digest in editions.items():
        if ours.get(name) != digest:
            return [Alteration("bundle-edition", {"edition": name})]
    listed = members.get(LIST, b"")
    if result.text != listed:
        return [first_difference(result.text, listed)]
    expected = _facts(inputs, result, inputs_digest({name: manifest["files"][name] for name in files}))
    wrong = [name for name, value in expected.items() if manifest.get(name) != value]
    return [Alteration("bundle-manifest", {"name": name}) for name in wrong]


def _recomputed(
    files: Mapping[str, bytes],
) -> tuple[Inputs | SystemInputs, Mapping[str, str], ListResult | SystemResult]:
    if SYSTEM_LIST in files:
        of_system, editions = read_system_inputs(files)
        return of_system, editions, compute_system_list(of_system)
    inputs, editions = read_inputs(files)
    return inputs, editions, compute_list(inputs)


def _compare_proof(manifest: Mapping[str, Any], members: Mapping[str, bytes]) -> list[Alteration]:
    """Compare the list with the act that published it, if the bundle has it; signatures need the office's key."""
    if PROOF not in members:
        return []
    try:
        receipt = parse_receipt(json.loads(members[PROOF]))
        included = check_receipt(receipt).included
    except (ArpadError, RecursionError, ValueError):
        return [Alteration("bundle-proof", {})]
    digest = manifest.get("whole_digest") or manifest["digest"]
    proved = included and digest in {entry.get("digest") for entry in published_lists(receipt)}
    return [] if proved else [Alteration("bundle-proof", {})]
