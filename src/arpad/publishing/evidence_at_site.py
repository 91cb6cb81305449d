"""Compare what people have kept with the site of an office, which everybody can ask."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlencode

from arpad.model.errors import BadInput
from arpad.proofs.checked_proofs import ProofAnswer, answer, left_open, no
from arpad.proofs.checkpoints import Checkpoint, consistent, parse_checkpoint
from arpad.proofs.receipts import decoded_nodes
from arpad.proofs.witnesses import show
from arpad.publishing.evidence import KeptBundle, KeptDigest, KeptFile, Thing, note_of
from arpad.system.web_pages import fetch

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
            yield _file(base, thing)
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


def _file(base: str, file: KeptFile) -> ProofAnswer:
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
