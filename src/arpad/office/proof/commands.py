"""``arpad office proof``: the key of the office, its checkpoints with their cosignatures, and receipts for reports."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import naming_file, print_json, read_keys
from arpad.cli.office.options import ReadOptions, Reason, Report, WriteOptions
from arpad.system.atomic_files import write_file


def make_key(
    desk: WriteOptions,
    name: Annotated[
        str,
        typer.Argument(metavar="NAME", help="The name of the office in checkpoints, as ratings.example.org."),
    ],
    file: Annotated[
        Path | None,
        typer.Option("--file", metavar="FILE", help="Where the key is kept; default: beside the database."),
    ] = None,
    reason: Reason = "",
    *,
    lost: Annotated[
        bool, typer.Option("--lost", help="The previous key is lost; a reason is needed.")
    ] = False,
) -> None:
    """Make the key. A file elsewhere must be named in ARPAD_SIGNING_KEY_FILE from then on.

    Example: arpad office proof make-key ratings.example.org --db office.db
    """
    from arpad.office.proof.signing_keys import make_signing_key

    with desk.acting() as office:
        public = make_signing_key(office, name, place=file, lost=lost, reason=reason)
    desk.tell(public.text(), "arpad.office-signing-key/1", {"keys": [public.text()]})


def rotate_key(desk: WriteOptions, reason: Reason) -> None:
    """Replace the key; the old key signs the change."""
    from arpad.office.proof.signing_keys import rotate_signing_key

    with desk.acting() as office:
        public = rotate_signing_key(office, reason)
    desk.tell(public.text(), "arpad.office-signing-key/1", {"keys": [public.text()]})


def keys(look: ReadOptions) -> None:
    """Show every public key of the office, the newest last."""
    from arpad.office.proof.signing_keys import public_keys

    with look.opened() as office, office.store.reading() as connection:
        known = [key.text() for key in public_keys(connection)]
    sentence = "\n".join(known) or look.words.text("proof.no-key")
    look.tell(sentence, "arpad.office-signing-key/1", {"keys": known})


def checkpoint(
    look: ReadOptions,
    size: Annotated[
        int | None, typer.Option("--size", metavar="N", help="Over so many acts; default: all.")
    ] = None,
    since: Annotated[
        int | None,
        typer.Option("--since", metavar="N", help="With the proof that the ledger began with so many acts."),
    ] = None,
    *,
    cosigned: Annotated[
        bool, typer.Option("--cosigned", help="The newest one that witnesses have signed too.")
    ] = False,
) -> None:
    """Print the signed checkpoint of the ledger.

    Keep it elsewhere: it shows later whether the ledger was shortened or changed.

    Example: arpad office proof checkpoint --db office.db
    """
    from arpad.office.proof.checkpoints import checkpoint as signed_checkpoint
    from arpad.office.proof.checkpoints import consistency
    from arpad.office.proof.cosignatures import require_cosigned
    from arpad.proofs.receipts import proof_document

    with look.opened() as office:
        note = (require_cosigned(office, size) if cosigned else signed_checkpoint(office, size)).written()
        proof = None if since is None else proof_document(since, *consistency(office, since, size))
    if look.json or proof is not None:
        print_json("arpad.office-checkpoint/1", {"checkpoint": note, "consistency": proof})
        return
    sys.stdout.write(note)


def cosigned(
    desk: WriteOptions,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The checkpoint as arpad witness cosign printed it.")
    ],
    key: Annotated[
        list[str],
        typer.Option("--key", metavar="KEY", help="The public key of a new witness, or a file of keys."),
    ] = [],  # noqa: B006  typer never changes it
) -> None:
    """Keep the signatures of witnesses under a checkpoint of this office; the site serves them with it.

    Example: arpad office proof cosigned signed.checkpoint --key "club.example.org+…" --db office.db
    """
    from arpad.office.proof.cosignatures import add_cosignatures
    from arpad.proofs.witnesses import read_shown

    with naming_file(file):
        note = read_shown(file.read_bytes()).note
    keys = read_keys(key)
    with desk.acting() as office:
        witnesses = [witness.text() for witness in add_cosignatures(office, note, keys)]
    names = ", ".join(text.partition("+")[0] for text in witnesses)
    sentence = desk.words.text("proof.cosigned-kept", witnesses=names)
    desk.tell(sentence, "arpad.office-cosigned/1", {"witnesses": witnesses})


def receipt(
    look: ReadOptions,
    report: Report,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write it here; default: stdout.")
    ] = None,
) -> None:
    """Give the receipt for a report: the proof that the ledger has it.

    Example: arpad office proof receipt 12 --out receipt.json --db office.db
    """
    from arpad.office.proof.checkpoints import receipt as receipt_of
    from arpad.proofs.receipts import document_bytes

    with look.opened() as office:
        data = document_bytes(receipt_of(office, report).document())
    if out is None:
        sys.stdout.write(data.decode())
        return
    write_file(out, data)
    sys.stderr.write(look.words.text("proof.receipt-written", path=str(out)) + "\n")


COMMANDS = {
    "proof checkpoint": checkpoint,
    "proof cosigned": cosigned,
    "proof receipt": receipt,
    "proof keys": keys,
    "proof make-key": make_key,
    "proof rotate-key": rotate_key,
}
