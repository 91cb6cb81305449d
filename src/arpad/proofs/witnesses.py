"""Witnesses: anybody keeps the checkpoints of an office, and finds a ledger that was shortened or replaced.

A folder has a part for each office: its keys, where its checkpoints come from, and every checkpoint that was kept. The
evidence against an office is two signed checkpoints that cannot both be true; anybody can check it.
"""

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arpad.model.errors import ArpadError, BadInput
from arpad.proofs.checkpoints import Checkpoint, consistent, contradict, parse_checkpoint
from arpad.proofs.receipts import decoded_nodes, document_bytes
from arpad.proofs.signed_notes import Note, PublicKey, parse_note, parse_public_key, signers, with_successors
from arpad.system.atomic_files import prepare_folder, write_file
from arpad.system.web_pages import fetch, is_address

EVIDENCE = "arpad.evidence/1"
OFFICE = "office.json"


@dataclass(frozen=True, slots=True)
class Shown:
    """A checkpoint that a source shows, and the proof from an earlier one if it has any."""

    note: Note
    earlier: int = 0
    proof: tuple[bytes, ...] | None = None


def read_shown(data: bytes) -> Shown:
    """Return the checkpoint in the bytes of a file: a note, ``office proof checkpoint --json``, a receipt."""
    try:
        text = data.decode()
    except UnicodeError:
        raise BadInput("bad-note") from None
    if not text.lstrip().startswith("{"):
        return Shown(parse_note(text))
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise BadInput("bad-note") from None
    note = parse_note(str(document.get("checkpoint", "")))
    growth = document.get("consistency")
    if isinstance(growth, Mapping) and type(growth.get("from")) is int:
        return Shown(note, growth["from"], decoded_nodes(growth.get("proof")))
    return Shown(note)


def show(source: str) -> Shown:
    """Return the newest checkpoint of a site or of a file."""
    if not is_address(source):
        return read_shown(Path(source).read_bytes())
    data = fetch(f"{source.rstrip('/')}/checkpoint")
    if data is None:
        raise BadInput("no-checkpoint-there", source=source)
    return read_shown(data)


def _fetched(source: str, part: str) -> bytes | None:
    """Return what a site has below its checkpoint; None for a file, and if there is nothing."""
    return fetch(f"{source.rstrip('/')}/checkpoint/{part}") if is_address(source) else None


def keys_of(source: str, whose: str = "keys") -> list[PublicKey]:
    """Return the public keys that a site shows: its own, or those of its ``witnesses``."""
    data = _fetched(source, whose)
    return [parse_public_key(line) for line in (data or b"").decode("utf-8", "replace").splitlines()]


# ------------------------------------------------------------------------------------------------ kept checkpoints


@dataclass(frozen=True, slots=True)
class Watched:
    """An office whose checkpoints a witness keeps."""

    folder: Path
    source: str
    keys: tuple[PublicKey, ...]

    @property
    def origin(self) -> str:
        """Return the name of the office."""
        return self.keys[0].name

    def notes(self) -> list[Note]:
        """Return the checkpoints that were kept, the shortest ledger first."""
        return [parse_note(path.read_text("utf-8")) for path in sorted(self.folder.glob("*.checkpoint"))]

    def keep(self, note: Note) -> Path:
        """Keep a checkpoint; its file is named by the number of acts."""
        path = self.folder / f"{parse_checkpoint(note).size:012}.checkpoint"
        write_file(path, note.written().encode())
        return path


def watch(folder: Path, source: str, keys: Sequence[PublicKey]) -> Watched:
    """Begin to keep the checkpoints of an office."""
    shown = show(source)
    known = list(keys) or keys_of(source)
    origin = parse_checkpoint(shown.note).origin
    known = [key for key in known if key.name == origin]
    if not known:
        raise BadInput("witness-no-key", origin=origin)
    if not signers(shown.note, known):
        raise BadInput("witness-not-signed", origin=origin)
    part = folder / re.sub(r"[^A-Za-z0-9.-]", "-", origin).lstrip(".")[:100]
    if (part / OFFICE).exists():
        raise BadInput("witness-known", origin=origin)
    prepare_folder(part)
    watched = _remember(part, source, known)
    watched.keep(shown.note)
    return watched


def _remember(folder: Path, source: str, keys: Sequence[PublicKey]) -> Watched:
    """Write where the checkpoints of an office come from, and its keys."""
    about = {"source": source, "keys": [key.text() for key in keys]}
    write_file(folder / OFFICE, document_bytes(about))
    return Watched(folder, source, tuple(keys))


def all_watched(folder: Path) -> Iterator[Watched]:
    """Yield the offices of a witness by name."""
    for path in sorted(folder.glob(f"*/{OFFICE}")):
        about = json.loads(path.read_text("utf-8"))
        yield Watched(path.parent, about["source"], tuple(map(parse_public_key, about["keys"])))


# -------------------------------------------------------------------------------------------------------- checking


@dataclass(frozen=True, slots=True)
class WitnessResult:
    """The outcome of a check of an office."""

    code: str
    """``same``, ``grown``, ``not-joined``, ``unsigned``, ``shorter`` or ``two-histories``."""

    newest: Checkpoint
    kept: Checkpoint
    evidence: Path | None = None

    @property
    def is_right(self) -> bool:
        """Return whether the ledger only grew."""
        return self.code in ("same", "grown")


def check_watched(watched: Watched, other: Shown | None = None) -> WitnessResult:
    """Compare the newest checkpoint of an office, or one that another person kept, with all that were kept."""
    shown = show(watched.source) if other is None else other
    if not signers(shown.note, watched.keys):
        watched = _with_new_keys(watched)
    newest, kept = parse_checkpoint(shown.note), watched.notes()
    last = parse_checkpoint(kept[-1])
    if newest.origin != watched.origin or not signers(shown.note, watched.keys):
        return WitnessResult("unsigned", newest, last)
    for note in kept:
        if contradict(parse_checkpoint(note), newest):
            code = "two-histories" if parse_checkpoint(note).size == newest.size else "shorter"
            path = write_evidence(watched, note, shown.note)
            return WitnessResult(code, newest, parse_checkpoint(note), path)
    if newest.size < last.size and other is None:
        return WitnessResult("shorter", newest, last, write_evidence(watched, kept[-1], shown.note))
    ends = sorted((kept[-1], shown.note), key=lambda note: parse_checkpoint(note).size)
    earlier, later = map(parse_checkpoint, ends)
    if (earlier.size, earlier.root) == (later.size, later.root):
        return WitnessResult("same", newest, last)
    proof = _growth(watched.source, shown, earlier.size, later.size)
    if proof is not None and consistent(earlier, later, proof):
        watched.keep(shown.note)
        return WitnessResult("grown", newest, last)
    again = _signed_again(watched, earlier.size)
    if again is not None and contradict(parse_checkpoint(again), earlier):
        return WitnessResult("two-histories", newest, last, write_evidence(watched, ends[0], again))
    return WitnessResult("not-joined", newest, last)


def _with_new_keys(watched: Watched) -> Watched:
    """Return an office with the keys that its old ones have announced by signed statements; they are kept."""
    data = _fetched(watched.source, "statements")
    try:
        notes = [parse_note(str(text)) for text in json.loads(data or b"{}").get("statements", [])]
        keys = with_successors(watched.keys, notes)
    except (ArpadError, ValueError, TypeError, AttributeError, RecursionError):
        return watched
    if len(keys) == len(watched.keys):
        return watched
    return _remember(watched.folder, watched.source, keys)


def _growth(source: str, shown: Shown, earlier: int, later: int) -> tuple[bytes, ...] | None:
    """Return the proof between two sizes, from the file itself or from the site; None if there is none."""
    if shown.proof is not None and shown.earlier == earlier and parse_checkpoint(shown.note).size == later:
        return shown.proof
    data = _fetched(source, f"{earlier}/{later}")
    if data is None:
        return None
    try:
        document = json.loads(data)
        return tuple(b64decode(node, validate=True) for node in document["proof"])
    except (ValueError, TypeError, LookupError, RecursionError):
        return None


def _signed_again(watched: Watched, size: int) -> Note | None:
    """Return the checkpoint of an earlier size as the site signs it now; None if it signs none."""
    data = _fetched(watched.source, str(size))
    note = None if data is None else read_shown(data).note
    return note if note is not None and signers(note, watched.keys) else None


# -------------------------------------------------------------------------------------------------------- evidence


def write_evidence(watched: Watched, first: Note, second: Note) -> Path:
    """Write two checkpoints that cannot both be true to a file that anybody can check; return its path."""
    document = {
        "schema": EVIDENCE, "keys": [key.text() for key in watched.keys], "first": first.written(),
        "second": second.written(),
    }  # fmt: skip
    sizes = "-".join(str(parse_checkpoint(note).size) for note in (first, second))
    path = watched.folder / f"evidence-{sizes}.json"
    write_file(path, document_bytes(document))
    return path


@dataclass(frozen=True, slots=True)
class Evidence:
    """Two checkpoints of one office."""

    first: Note
    second: Note
    keys: tuple[PublicKey, ...]

    @property
    def signed(self) -> bool:
        """Return whether both are signed by a key of the office."""
        return all(signers(note, self.keys) for note in (self.first, self.second))

    @property
    def contradicts(self) -> bool:
        """Return whether they cannot both be true."""
        return contradict(parse_checkpoint(self.first), parse_checkpoint(self.second))


def parse_evidence(document: object) -> Evidence:
    """Return the evidence of a document, with the keys that it names."""
    if not isinstance(document, Mapping) or document.get("schema") != EVIDENCE:
        raise BadInput("bad-receipt")
    parts: Any = [document.get(name) for name in ("first", "second", "keys")]
    if not (isinstance(parts[0], str) and isinstance(parts[1], str) and isinstance(parts[2], list)):
        raise BadInput("bad-receipt")
    known = [parse_public_key(str(key)) for key in parts[2]]
    first, second = parse_note(parts[0]), parse_note(parts[1])
    origin = parse_checkpoint(first).origin
    return Evidence(first, second, tuple(key for key in known if key.name == origin))
