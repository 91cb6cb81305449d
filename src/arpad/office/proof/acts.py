"""The ledger for people and programs: its acts, its signed checkpoints, and the keys that sign them.

The receipt for a report is a query of the inbox; ``office proof receipt`` writes it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from arpad.model.declared import Accepts, Upload
from arpad.office.declared import Reading, Reason, query, task
from arpad.office.office import Office
from arpad.office.users import ADMINISTRATOR, EVERYBODY, officer_of_all
from arpad.store import ledger

Acts = Annotated[int, Accepts("2", low=0, word="acts-counted")]
EarlierActs = Annotated[int, Accepts("2", low=0, word="acts-before")]
Cosigned = Annotated[bool, Accepts(word="cosigned")]
FirstAct = Annotated[int, Accepts("1", word="first-act")]
NoteFile = Annotated[Upload, Accepts(word="note-file")]
WitnessKeys = Annotated[
    Sequence[str], Accepts("club.example.org+0123abcd+AQID", longest=500, word="witness-keys", personal=False)
]


@dataclass(frozen=True, slots=True)
class SignedCheckpoint:
    """A checkpoint as it was signed, and the proof that the ledger began with an earlier one."""

    checkpoint: str
    consistency: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class PublicKeys:
    """Public keys of the office, the newest last."""

    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CosignedBy:
    """The witnesses whose signatures were added, by their public keys."""

    witnesses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LedgerAct:
    """An act with its seal."""

    seq: int
    at: str
    author: str
    verb: str
    details: Mapping[str, Any]
    reason: str
    rows: str
    previous: str
    digest: str


@dataclass(frozen=True, slots=True)
class LedgerActs:
    """Acts of the ledger, in order."""

    acts: tuple[LedgerAct, ...]


@query("ledger", officer_of_all("office"), columns=("at", "author", "verb"), path="/ledger")
def list_acts(reading: Reading, *, since: FirstAct = 1) -> LedgerActs:
    """Show every act: who, when, what and why.

    The newest acts come first.
    """
    return LedgerActs(
        tuple(
            LedgerAct(
                act.seq, act.at, act.author, act.verb, act.facts, act.reason, act.rows, act.previous, act.digest
            )
            for act in ledger.acts(reading.connection, since)
        )
    )  # fmt: skip


@query("proof checkpoint", EVERYBODY, path="/checkpoint")
def show_checkpoint(
    reading: Reading,
    *,
    size: Acts | None = None,
    since: EarlierActs | None = None,
    cosigned: Cosigned = False,
) -> SignedCheckpoint:
    """Print the signed checkpoint of the ledger.

    Keep it elsewhere: it shows later whether the ledger was shortened or changed.

    Example: arpad office proof checkpoint --db office.db
    """
    from arpad.office.proof.checkpoints import checkpoint, consistency, require_cosigned
    from arpad.proofs.receipts import proof_document

    office = reading.office
    note = require_cosigned(office, size) if cosigned else checkpoint(office, size)
    proof = None if since is None else proof_document(since, *consistency(office, since, size))
    return SignedCheckpoint(note.written(), proof)


@query("proof keys", EVERYBODY, path="/checkpoint/keys")
def list_keys(reading: Reading) -> PublicKeys:
    """Show every public key of the office, the newest last."""
    from arpad.office.proof.signing_keys import public_keys

    return PublicKeys(tuple(key.text() for key in public_keys(reading.connection)))


@task("proof rotate-key", ADMINISTRATOR)
def rotate_key(office: Office, *, reason: Reason) -> PublicKeys:
    """Replace the key; the old key signs the change."""
    from arpad.office.proof.signing_keys import rotate_signing_key

    return PublicKeys((rotate_signing_key(office, reason).text(),))


@task("proof cosigned", ADMINISTRATOR)
def keep_cosignatures(office: Office, file: NoteFile, *, key: WitnessKeys = ()) -> CosignedBy:
    """Keep the signatures of witnesses under a checkpoint of this office; the site serves them with it.

    Example: arpad office proof cosigned signed.checkpoint --key "club.example.org+…" --db office.db
    """
    from arpad.office.proof.checkpoints import add_cosignatures
    from arpad.proofs.signed_notes import parse_public_key
    from arpad.proofs.witnesses import read_shown

    keys = [parse_public_key(text) for text in key]
    witnesses = add_cosignatures(office, read_shown(file.data).note, keys)
    return CosignedBy(tuple(witness.text() for witness in witnesses))
