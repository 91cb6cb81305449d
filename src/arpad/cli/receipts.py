"""``arpad verify-receipt``: what a receipt proves, in plain words, without a database."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import Json, Lang, naming_file, print_json, words_for
from arpad.model.errors import BadInput
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.proofs.receipts import check_receipt, parse_receipt
from arpad.proofs.signed_notes import parse_public_key

LARGEST = 1024 * 1024


def verify_receipt(
    file: Annotated[Path, typer.Argument(metavar="RECEIPT", help="The receipt.")],
    key: Annotated[
        str | None,
        typer.Option("--key", metavar="KEY", help="The public key of the office, as its site shows it."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="The report as it was sent.")
    ] = None,
    *,
    json: Json = False,
    lang: Lang = None,
) -> int:
    """Check the receipt for a report: whether the office had taken it in, and what stays open.

    Example: arpad verify-receipt receipt.json --report open.trf --key "ratings.example.org+…"
    """
    words = words_for(lang)
    with naming_file(file):
        receipt = parse_receipt(_document(file))
        checkpoint = parse_checkpoint(receipt.checkpoint)
    data = None
    if report is not None:
        with naming_file(report):
            data = report.read_bytes()
    result = check_receipt(receipt, parse_public_key(key) if key else None, data)
    if json:
        print_json(
            "arpad.verify-receipt/1",
            {
                "origin": checkpoint.origin, "act": receipt.seq, "at": receipt.act[1], "size": receipt.size,
                "included": result.included, "signed": result.signed, "file": result.file, "holds": result.holds,
            },
        )  # fmt: skip
        return int(not result.holds)
    said = {True: "yes", False: "no", None: "open"}
    facts = {"origin": checkpoint.origin, "act": receipt.seq, "at": receipt.act[1], "size": receipt.size}
    lines = [
        words.text(f"proof.included-{said[result.included]}", **facts),
        words.text(f"proof.signed-{said[result.signed]}", **facts),
        words.text(f"proof.file-{said[result.file]}", **facts),
    ]
    if result.holds:
        lines.append(words.text("proof.still-there", **facts))
    typer.echo("\n".join(lines))
    return int(not result.holds)


def _document(path: Path) -> object:
    with path.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    try:
        return None if len(data) > LARGEST else json_text.loads(data)
    except (ValueError, RecursionError):
        raise BadInput("bad-receipt") from None
