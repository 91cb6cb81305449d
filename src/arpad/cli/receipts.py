"""``arpad verify-receipt``: what a receipt or the proof of a line proves, in plain words, without a database."""

from __future__ import annotations

import json as json_text
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from arpad.cli.common import Json, Lang, naming_file, print_json, words_for
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.proofs.checked_proofs import ProofAnswer, checked_proof, parse_proof
from arpad.proofs.signed_notes import PublicKey, parse_public_key

LARGEST = 1024 * 1024


def verify_receipt(
    file: Annotated[Path, typer.Argument(metavar="RECEIPT", help="The receipt, or the proof of a line.")],
    key: Annotated[
        list[str],
        typer.Option("--key", metavar="KEY", help="A public key that you trust, or a file of keys."),
    ] = [],  # noqa: B006  typer never changes it
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
        proof = parse_proof(_document(file))
    data = None
    if report is not None:
        with naming_file(report):
            data = report.read_bytes()
    result = checked_proof(proof, read_keys(key), data)
    if json:
        print_json("arpad.verify-receipt/1", result.document())
    else:
        typer.echo("\n".join(sentences(result.answers(), words)))
    return int(not result.holds)


def read_keys(given: Iterable[str]) -> list[PublicKey]:
    """Return public keys, each written as it is or in a file with one key a line."""
    lines: list[str] = []
    for text in given:
        if "+" in text:
            lines.append(text)
            continue
        with naming_file(text):
            lines += Path(text).read_text("utf-8", "replace").splitlines()
    return [parse_public_key(line) for line in lines if line.strip()]


def sentences(answers: Iterable[ProofAnswer], words: Words) -> list[str]:
    """Return answers in plain words."""
    return [words.text(answer.key, **answer.facts) for answer in answers]


def _document(path: Path) -> object:
    """Return the JSON of a small file."""
    with path.open("rb") as stream:
        data = stream.read(LARGEST + 1)
    try:
        return None if len(data) > LARGEST else json_text.loads(data)
    except (ValueError, RecursionError):
        raise BadInput("bad-receipt") from None
