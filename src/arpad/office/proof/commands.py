"""``arpad office proof`` and ``ledger``: what names files of this computer, and answers that are no plain table."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import console, print_json, table
from arpad.cli.declared import command_of
from arpad.cli.office.options import ReadOptions, Reason, Report, WriteOptions
from arpad.explain.words import Words
from arpad.model.declared import document
from arpad.office.proof import acts
from arpad.office.proof.ledger_lines import act_name, act_subject
from arpad.system.atomic_files import write_file


def make_key(
    options: WriteOptions,
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

    with options.acting() as office:
        public = make_signing_key(office, name, place=file, lost=lost, reason=reason)
    options.tell(public.text(), "arpad.office-proof-make-key/1", {"keys": [public.text()]})


def receipt(
    options: ReadOptions,
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

    with options.opened() as office:
        data = document_bytes(receipt_of(office, report).document())
    if out is None:
        sys.stdout.write(data.decode())
        return
    write_file(out, data)
    sys.stderr.write(options.words.text("proof.receipt-written", path=str(out)) + "\n")


# ------------------------------------------------------------------------------------------------------- in words


def _show_checkpoint(found: acts.SignedCheckpoint, _words: Words) -> None:
    if found.consistency is None:
        sys.stdout.write(found.checkpoint)
    else:
        print_json("arpad.office-proof-checkpoint/1", document(found))


def _show_keys(found: acts.PublicKeys, words: Words) -> None:
    sys.stdout.write(("\n".join(found.keys) or words.text("proof.no-key")) + "\n")


def _show_witnesses(found: acts.CosignedBy, words: Words) -> None:
    names = ", ".join(text.partition("+")[0] for text in found.witnesses)
    sys.stdout.write(words.text("proof.cosigned-kept", witnesses=names) + "\n")


def _show_acts(found: acts.LedgerActs, words: Words) -> None:
    columns = [("", "right"), (words.text("column.at"), "fixed")]
    columns += [(words.text("column.author"), "left"), (words.text("column.verb"), "left")]
    rows = []
    for act in reversed(found.acts):
        about = (act_subject(act.details, words), act.reason)  # below the act, so that 80 columns suffice
        done = "\n".join(text for text in (act_name(act.verb, act.details, words), *about) if text)
        rows.append((str(act.seq), act.at[:16].replace("T", " "), act.author, done))
    console().print(table(columns, rows))


COMMANDS = {
    "ledger": command_of(acts.list_acts, _show_acts),
    "proof checkpoint": command_of(acts.show_checkpoint, _show_checkpoint),
    "proof cosigned": command_of(acts.keep_cosignatures, _show_witnesses),
    "proof receipt": receipt,
    "proof keys": command_of(acts.list_keys, _show_keys),
    "proof make-key": make_key,
    "proof rotate-key": command_of(acts.rotate_key, _show_keys),
}
