"""What a person kept of an office: a digest, a checkpoint, a receipt, a proof, evidence, a bundle, a list's file.

Each is recognised by its content, and answered alone: what it proves without the office that published it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote, urlencode
from zipfile import is_zipfile

from arpad.lists.canonical import parse_head
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import LISTS
from arpad.proofs.checked_proofs import ProofAnswer, answer, checked_proof, left_open, no, parse_proof, yes
from arpad.proofs.checkpoints import Checkpoint, consistent, parse_checkpoint
from arpad.proofs.lines import LineProof
from arpad.proofs.receipts import Receipt, decoded_nodes
from arpad.proofs.signed_notes import (
    COSIGNED,
    ED25519,
    Note,
    PublicKey,
    cosigned_at,
    moment_text,
    parse_note,
    signers,
)
from arpad.proofs.witnesses import EVIDENCE, Evidence, parse_evidence, read_shown, show
from arpad.publishing.bundle import opened_manifest, opened_proof, verify_bundle
from arpad.publishing.list_pdf import read_printed
from arpad.publishing.verification import Verification
from arpad.system.web_pages import fetch

_DIGEST = re.compile(r"[0-9a-fA-F]{64}")
_NAME = re.compile(rf"({'|'.join(LISTS)})-[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}-r[0-9]{{1,4}}")
LARGEST_DOCUMENT = 1 << 20


@dataclass(frozen=True, slots=True)
class KeptDigest:
    """A SHA-256 that somebody wrote down."""

    digest: str


@dataclass(frozen=True, slots=True)
class KeptBundle:
    """A bundle, recomputed."""

    manifest: Mapping[str, Any]
    verification: Verification
    proof: Receipt | None
    """The act that published its list, under a checkpoint."""

    @property
    def name(self) -> str:
        """Return the name of its list."""
        it = self.manifest
        return f"{it.get('list')}-{it.get('date')}-r{it.get('revision')}"

    @property
    def digest(self) -> str:
        """Return the published digest of its list."""
        return str(self.manifest.get("whole_digest") or self.manifest.get("digest"))


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of a published list."""

    file: str
    data: bytes

    @property
    def name(self) -> str:
        """Return the name of the list: from the canonical text, else from the name of the file; empty if unknown."""
        if head := self.head():
            return head[0]
        match = _NAME.match(self.file)
        return match[0] if match else ""

    @property
    def ending(self) -> str:
        """Return the part of its name behind the last dot."""
        return self.file.rpartition(".")[2].lower()

    @property
    def is_archive(self) -> bool:
        """Return whether it is a ZIP archive, as a workbook must be."""
        return is_zipfile(BytesIO(self.data))

    def head(self) -> tuple[str, str] | None:
        """Return the name and the digest of a list from its canonical text; None for other files."""
        start = self.data[:20_000]
        try:
            head = parse_head(start.decode("utf-8", "replace"))
        except (ArpadError, ValueError, LookupError):
            return None
        return head.name, sha256(self.data).hexdigest()

    def printed(self) -> tuple[str, Checkpoint] | None:
        """Return the digest and the checkpoint that a PDF has printed."""
        return read_printed(self.data) if self.data.startswith(b"%PDF") else None


Thing: TypeAlias = KeptDigest | Note | Receipt | LineProof | Evidence | KeptBundle | KeptFile


def read_thing(text: str) -> Thing:
    """Return the thing of a file or a digest; refuse what is none."""
    path = Path(text)
    if _DIGEST.fullmatch(text) and not path.exists():
        return KeptDigest(text.lower())
    data = path.read_bytes()
    if data.startswith(b"PK") and (manifest := opened_manifest(path)) is not None:
        return KeptBundle(manifest, verify_bundle(path), opened_proof(path))
    if len(data) <= LARGEST_DOCUMENT:
        if data.lstrip()[:1] == b"{":
            return _document(data)
        if "\n\n— ".encode() in data:
            return read_shown(data).note
    return KeptFile(path.name, data)


def _document(data: bytes) -> Thing:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise BadInput("bad-receipt") from None
    if isinstance(document, Mapping):
        if document.get("schema") == EVIDENCE:
            return parse_evidence(document)
        if document.get("schema") == "arpad.office-proof-checkpoint/1":
            return parse_note(str(document.get("checkpoint")))
    return parse_proof(document)


def note_of(thing: Thing) -> Note | None:
    """Return the checkpoint of a thing, if it has one with signatures."""
    match thing:
        case Note():
            return thing
        case Receipt():
            return thing.checkpoint
        case LineProof():
            return thing.receipt.checkpoint
        case KeptBundle(proof=Receipt() as proof):
            return proof.checkpoint
        case _:
            return None


def answers_alone(
    thing: Thing, keys: Sequence[PublicKey], report: bytes | None = None
) -> Iterator[ProofAnswer]:
    """Yield what a thing proves by itself, with the office's keys and the report of a receipt if known."""
    match thing:
        case KeptDigest():
            yield left_open("kept.digest-alone", {"digest": thing.digest})
        case Note():
            yield from _checkpoint(thing, keys)
        case Receipt() | LineProof():
            yield from checked_proof(thing, keys, report).answers()
        case Evidence():
            yield from _evidence(thing)
        case KeptBundle():
            yield from _bundle(thing)
        case KeptFile():
            yield from _file(thing)


def _checkpoint(note: Note, keys: Sequence[PublicKey]) -> Iterator[ProofAnswer]:
    checkpoint = parse_checkpoint(note)
    facts = {"origin": checkpoint.origin, "size": checkpoint.size, "root": checkpoint.root.hex()}
    yield left_open("kept.checkpoint", facts)
    of_offices = [key for key in keys if key.kind == ED25519]
    if of_offices:
        right = bool(signers(note, (key for key in of_offices if key.name == checkpoint.origin)))
        yield answer("proof.signed", facts, right=right)
    else:
        yield left_open("proof.signed-open", facts)
    yield from _cosignatures(note, checkpoint.origin, keys)


def _cosignatures(note: Note, origin: str, keys: Sequence[PublicKey]) -> Iterator[ProofAnswer]:
    """Yield who else signed a checkpoint and when, as far as the keys of the witnesses are known."""
    known = {(key.name, key.number): key for key in keys if key.kind == COSIGNED}
    for signature in note.signatures:
        if signature.name == origin:
            continue
        facts = {"witness": signature.name, "at": ""}
        key = known.get((signature.name, signature.number))
        if key is None:
            yield left_open("kept.cosigned-open", facts)
        elif (seconds := cosigned_at(note, key)) is None:
            yield no("kept.cosigned-no", facts)
        else:
            yield yes("kept.cosigned-yes", {**facts, "at": moment_text(seconds)})


def _evidence(evidence: Evidence) -> Iterator[ProofAnswer]:
    first, second = parse_checkpoint(evidence.first), parse_checkpoint(evidence.second)
    facts = {"origin": first.origin, "first": first.size, "second": second.size}
    both = evidence.signed and evidence.contradicts
    key = "histories" if first.size == second.size else "shorter"
    yield ProofAnswer(both, f"kept.evidence-{key if both else 'none'}", facts)
    if both:
        keys = ", ".join(key.text() for key in evidence.keys)
        yield left_open("kept.evidence-keys", {**facts, "keys": keys})


def _bundle(bundle: KeptBundle) -> Iterator[ProofAnswer]:
    facts = {"list": bundle.name, "digest": bundle.digest}
    if bundle.verification.intact:
        yield yes("kept.bundle-yes", facts)
        yield left_open("kept.bundle-alone", facts)
        return
    for item in bundle.verification.altered:
        yield no(f"altered.{item.code}", item.facts)


def _file(file: KeptFile) -> Iterator[ProofAnswer]:
    digest = sha256(file.data).hexdigest()
    if head := file.head():
        yield left_open("kept.canonical", {"list": head[0], "digest": head[1]})
    elif printed := file.printed():
        of_list, checkpoint = printed
        facts = {
            "digest": of_list, "origin": checkpoint.origin, "size": checkpoint.size, "root": checkpoint.root.hex(),
        }  # fmt: skip
        yield left_open("kept.printed", facts)
    else:
        yield left_open("kept.file-alone", {"file": file.file, "digest": digest})


LARGEST_FILE = 256 << 20
MOST_PAGES = 500


def answers_of_site(site: str, thing: Thing) -> Iterator[ProofAnswer]:
    """Yield how a thing agrees with a site, and the checkpoint with which it was compared."""
    base = site.rstrip("/")
    match thing:
        case KeptDigest():
            names = [entry["name"] for entry in _lists(base) if entry.get("digest") == thing.digest]
            facts = {"digest": thing.digest, "list": names[0] if names else ""}
            yield ProofAnswer(bool(names), f"kept.digest-{'list' if names else 'unknown'}", facts)
        case KeptBundle():
            yield _list(base, thing.name, thing.digest)
        case KeptFile():
            yield _file_at_site(base, thing)
        case _:
            pass
    newest = parse_checkpoint(show(base).note)
    kept = note_of(thing)
    printed = thing.printed() if isinstance(thing, KeptFile) else None
    checkpoint = parse_checkpoint(kept) if kept else printed[1] if printed else None
    if checkpoint is not None:
        yield _grew(base, checkpoint, newest)
    facts = {"size": newest.size, "root": newest.root.hex(), "origin": newest.origin}
    yield left_open("kept.site-head", facts)


def _lists(base: str) -> Iterator[dict[str, Any]]:
    """Yield the published lists as the site's API names them, page by page."""
    after = ""
    for _ in range(MOST_PAGES):
        data = fetch(f"{base}/api/v1/lists?{urlencode({'after': after} if after else {})}")
        try:
            document = json.loads(data or b"")
            yield from document["lists"]
            after, more = document["next"], document["more"]
        except (ValueError, LookupError, TypeError, RecursionError):
            raise BadInput("site-refused", url=base, status=200) from None
        if not more:
            return


def _list(base: str, name: str, digest: str) -> ProofAnswer:
    published = next((entry.get("digest") for entry in _lists(base) if entry.get("name") == name), None)
    if published is None:
        return no("kept.list-unknown", {"list": name, "digest": digest})
    facts = {"list": name, "digest": digest, "published": str(published)}
    return answer("kept.list", facts, right=published == digest)


def _file_at_site(base: str, file: KeptFile) -> ProofAnswer:
    facts = {"file": file.file, "list": file.name, "digest": ""}
    if not file.name:
        return left_open("kept.file-unknown", facts)
    named = f"{file.name}.canonical.txt" if file.head() else file.file
    data = fetch(f"{base}/lists/{quote(file.name)}/files/{quote(named)}", LARGEST_FILE)
    if data is None:
        return no("kept.file-unknown", facts)
    digest = next((entry.get("digest", "") for entry in _lists(base) if entry.get("name") == file.name), "")
    return answer("kept.file", {**facts, "digest": digest}, right=data == file.data)


def _grew(base: str, kept: Checkpoint, newest: Checkpoint) -> ProofAnswer:
    """Ask for the proof that the ledger only grew since a checkpoint."""
    facts = {"size": kept.size, "acts": newest.size}
    if kept.size > newest.size:
        return no("kept.ledger-shorter", facts)
    data = fetch(f"{base}/checkpoint/{kept.size}/{newest.size}")
    try:
        proof = decoded_nodes(json.loads(data or b"{}").get("proof", []))
    except (ValueError, AttributeError, RecursionError):
        proof = ()
    return answer("kept.ledger", facts, right=consistent(kept, newest, proof))
