"""The questions that a receipt or the proof of a line answers, each by itself: yes, no or open."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from arpad.proofs import lines
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.proofs.lines import LineProof, line_included, parse_line_proof, published_list
from arpad.proofs.receipts import Receipt, ReceiptCheck, check_receipt, parse_receipt
from arpad.proofs.signed_notes import PublicKey

_SAID = {True: "yes", False: "no", None: "open"}


class ProofAnswer(NamedTuple):
    """The answer to one question; None if it stays open."""

    right: bool | None
    key: str
    """Of the sentence."""

    facts: Mapping[str, Any]


def yes(key: str, facts: Mapping[str, Any]) -> ProofAnswer:
    """Return that something is proved."""
    return ProofAnswer(right=True, key=key, facts=facts)


def no(key: str, facts: Mapping[str, Any]) -> ProofAnswer:
    """Return that something is wrong."""
    return ProofAnswer(right=False, key=key, facts=facts)


def left_open(key: str, facts: Mapping[str, Any]) -> ProofAnswer:
    """Return that something was not checked."""
    return ProofAnswer(right=None, key=key, facts=facts)


def answer(question: str, facts: Mapping[str, Any], *, right: bool) -> ProofAnswer:
    """Return the answer to a question, whose sentences end with ``-yes`` and ``-no``."""
    return ProofAnswer(right, f"{question}-{_SAID[right]}", facts)


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

    def document(self) -> dict[str, Any]:
        """Return everything for programs."""
        asked = {"included": self.check.included, "signed": self.check.signed, "file": self.check.file}
        of_line = {"line_included": self.line_in_list, **self.line_facts()} if self.line else {}
        return {**self.facts(), **asked, **of_line, "holds": self.holds}

    def answers(self) -> list[ProofAnswer]:
        """Return what was proved and what was not."""
        facts = {**self.facts(), **self.line_facts()}
        asked = {"included": self.check.included, "signed": self.check.signed}
        if self.line is None:
            asked["file"] = self.check.file
        else:
            asked = {"line": self.line_in_list, **asked}
        said = [ProofAnswer(right, f"proof.{name}-{_SAID[right]}", facts) for name, right in asked.items()]
        after = "still-there" if self.line is None else "line-after"
        return [*said, left_open(f"proof.{after}", facts)] if self.holds else said


def checked_proof(
    proof: Receipt | LineProof, keys: Sequence[PublicKey], data: bytes | None = None
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
