"""``arpad verify-receipt``: what a receipt or the proof of a line proves, in plain words, without a database."""

from __future__ import annotations

import json as json_text
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from arpad.cli.common import Json, Lang, naming_file, print_json, words_for
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.proofs import lines
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.proofs.lines import LineProof, line_included, parse_line_proof, published_list
from arpad.proofs.receipts import Receipt, ReceiptCheck, check_receipt, parse_receipt
from arpad.proofs.signed_notes import PublicKey, parse_public_key

LARGEST = 1024 * 1024
_SAID = {True: "yes", False: "no", None: "open"}


def verify_receipt(
    file: Annotated[Path, typer.Argument(metavar="RECEIPT", help="The receipt, or the proof of a line.")],
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
    """Check the receipt for a report or the proof of a line: what was proved, and what stays open.

    Example: arpad verify-receipt receipt.json --report open.trf --key "ratings.example.org+…"
    """
    words = words_for(lang)
    with naming_file(file):
        proof = parse_proof(read_document(file))
    data = None
    if report is not None:
        with naming_file(report):
            data = report.read_bytes()
    result = checked_proof(proof, [parse_public_key(key)] if key else [], data)
    if json:
        print_json("arpad.verify-receipt/1", result.document())
    else:
        typer.echo("\n".join(result.sentences(words)))
    return int(not result.holds)


@dataclass(frozen=True, slots=True)
class CheckedProof:
    """A receipt or the proof of a line, with what it proves."""

    receipt: Receipt
    check: ReceiptCheck
    line: LineProof | None
    line_in_list: bool | None
    """None for a receipt."""

    @property
    def holds(self) -> bool:
        """Return whether nothing that was asked is wrong."""
        return self.check.holds and self.line_in_list is not False

    def facts(self) -> dict[str, Any]:
        """Return what the sentences say about it."""
        origin = parse_checkpoint(self.receipt.checkpoint).origin
        return {
            "origin": origin, "act": self.receipt.seq, "at": self.receipt.act[1], "size": self.receipt.size,
        }  # fmt: skip

    def line_facts(self) -> dict[str, Any]:
        """Return the line and its list; empty for a receipt."""
        if self.line is None:
            return {}
        published = published_list(self.receipt, self.line.publication)
        about = {name: str(published.get(name, "")) for name in ("list", "day", "revision", "digest")}
        return {**about, "line": " ".join(self.line.line.split()), "number": self.line.index + 1}

    def document(self) -> Mapping[str, Any]:
        """Return everything for programs."""
        asked = {"included": self.check.included, "signed": self.check.signed, "file": self.check.file}
        of_line = {"line_included": self.line_in_list, **self.line_facts()} if self.line else {}
        return {**self.facts(), **asked, **of_line, "holds": self.holds}

    def sentences(self, words: Words) -> list[str]:
        """Return what was proved and what was not, in plain words."""
        facts = {**self.facts(), **self.line_facts()}
        asked = {"included": self.check.included, "signed": self.check.signed}
        if self.line is None:
            asked["file"] = self.check.file
        else:
            asked = {"line": self.line_in_list, **asked}
        said = [words.text(f"proof.{name}-{_SAID[answer]}", **facts) for name, answer in asked.items()]
        after = "still-there" if self.line is None else "line-after"
        return [*said, words.text(f"proof.{after}", **facts)] if self.holds else said


def checked_proof(
    proof: Receipt | LineProof, keys: list[PublicKey], data: bytes | None = None
) -> CheckedProof:
    """Check a receipt or the proof of a line; one of the keys must have signed it, if there are any."""
    receipt = proof.receipt if isinstance(proof, LineProof) else proof
    checks = [check_receipt(receipt, key, data) for key in keys] or [check_receipt(receipt, None, data)]
    check = next((it for it in checks if it.signed), checks[0])
    if isinstance(proof, LineProof):
        return CheckedProof(receipt, check, proof, line_included(proof))
    return CheckedProof(receipt, check, None, None)


def parse_proof(document: object) -> Receipt | LineProof:
    """Return the receipt or the proof of a document."""
    if isinstance(document, Mapping) and document.get("schema") == lines.SCHEMA:
        return parse_line_proof(document)
    return parse_receipt(document)


def read_document(path: Path) -> object:
    """Return the JSON of a small file."""
    with path.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    try:
        return None if len(data) > LARGEST else json_text.loads(data)
    except (ValueError, RecursionError):
        raise BadInput("bad-receipt") from None
