"""Documents that the command line (``--json``) and the API share: steps, findings, editions and rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from arpad.explain.words import Words
from arpad.model.declared import Worded, document
from arpad.model.errors import ArpadError
from arpad.model.exact import decimal_text
from arpad.model.rules import Confidence, Edition, Finding, Rule, Step
from arpad.regulations.editions import digest, plain, provisions

if TYPE_CHECKING:
    from arpad.checks.proposals import Proposal


def plain_value(value: Any) -> Any:
    """Return a value for JSON: integers stay integers, other numbers become exact decimal strings."""
    if isinstance(value, Fraction):
        return decimal_text(value)
    if isinstance(value, tuple):
        return [plain_value(item) for item in value]
    return value if isinstance(value, bool | int | str | None) else str(value)


@dataclass
class StepDocument:
    """One step of a derivation, with its article and in words."""

    article: str
    quantity: str
    value: Any
    text: str


def step_documents(steps: Iterable[Step], words: Words) -> list[StepDocument]:
    """Return the steps of a derivation as documents."""
    return [
        StepDocument(step.article, step.quantity, plain_value(step.value), words.step(step)) for step in steps
    ]


@dataclass
class FindingDocument:
    """Something a check has to say."""

    severity: str
    code: str
    article: str | None
    line: int | None
    column: int | None
    player: int | None
    round: int | None
    message: str
    cell: str | None = None
    """The cell of a spreadsheet."""


def finding_document(finding: Finding, words: Words) -> FindingDocument:
    """Return the document of a finding, with its position."""
    return FindingDocument(
        severity=str(finding.severity),
        code=finding.code,
        article=finding.article or None,
        line=finding.line,
        column=finding.column,
        player=finding.player,
        round=finding.round,
        message=words.finding(finding),
        cell=str(finding.facts["cell"]) if "cell" in finding.facts else None,
    )


def worded_document(result: Any, words: Words) -> Any:
    """Return a result of the office as JSON has it, with findings and refusals in words."""
    findings: Worded = {
        Finding: lambda finding: document(finding_document(finding, words)),
        ArpadError: words.error,
    }
    return document(result, findings)


@dataclass
class EditDocument:
    """A piece of a file and what replaces it; of a workbook the cell."""

    line: int
    column: int
    cell: str | None
    old: str
    new: str


@dataclass
class ProposalDocument:
    """A correction that Arpad proposes: its name, what it does, and the edits that belong together."""

    key: str
    code: str
    message: str
    edits: list[EditDocument]


def proposal_documents(proposals: Iterable[Proposal], words: Words) -> list[ProposalDocument]:
    """Return proposed corrections as documents."""
    return [
        ProposalDocument(
            proposal.key,
            proposal.finding.code,
            words.text(f"proposal.{proposal.finding.code}"),
            [
                EditDocument(edit.line, edit.column, edit.cell or None, edit.old, edit.new)
                for edit in proposal.edits
            ],
        )
        for proposal in proposals
    ]


# ------------------------------------------------------------------------------------------------- regulations


def edition_document(edition: Edition[Any], words: Words) -> dict[str, Any]:
    """Return the fields that identify an edition."""
    return {
        "id": edition.id,
        "body": edition.body,
        "effective": str(edition.effective),
        "by_name_only": edition.by_name_only,
        "base": edition.base or None,
        "source": edition_source(edition, words),
        "adopted": edition.adopted or None,
        "checked": str(edition.checked),
        "lists": [str(name) for name in edition.lists],
        "digest": digest(edition),
        "about": edition_about(edition, words),
    }


def edition_source(edition: Edition[Any], words: Words) -> str:
    """Return the source of an edition; of a federation's own, as its file names it."""
    return _of_printed(edition, "source", words)


def edition_about(edition: Edition[Any], words: Words) -> str:
    """Return an edition in a few words."""
    return _of_printed(edition, "edition", words)


def _of_printed(edition: Edition[Any], section: str, words: Words) -> str:
    key = f"{section}.{edition.id}"
    printed = edition.id in _printed_names()  # an own one may have any name, that of some other sentence too
    return words.text(key) if printed and words.has(key) else edition.source


@cache
def _printed_names() -> frozenset[str]:
    from arpad.regulations.all_editions import EVERY  # few commands need the title regulations

    return frozenset(edition.id for edition in EVERY)


@dataclass
class RuleDocument:
    """A value, its article, and how surely it is known: verified, secondary, inferred or unknown."""

    value: Any
    article: str
    confidence: str


def rule_document(rule: Rule[Any] | None) -> RuleDocument | None:
    """Return the document of a rule; None if the edition has no such rule."""
    if rule is None:
        return None
    return RuleDocument(plain(rule.value), rule.article, str(rule.confidence))


CONFIDENCE_SIGNS = {
    Confidence.VERIFIED: "",
    Confidence.SECONDARY: "*",
    Confidence.INFERRED: "~",
    Confidence.UNKNOWN: "?",
}
"""The sign after the article of a rule that was not read in the text itself."""


def legend(rules: Iterable[Rule[Any] | None], words: Words) -> str:
    """Return the meaning of the signs of these rules in one line; empty if no rule has a sign."""
    marks = {rule.confidence for rule in rules if rule}
    return "; ".join(
        f"{sign} {words.text(f'confidence.{mark}')}"
        for mark, sign in CONFIDENCE_SIGNS.items()
        if sign and mark in marks
    )


def how_surely(edition: Edition[Any], words: Words) -> str:
    """Return in one sentence how many rules of an edition have each degree of confidence."""
    marks = [item.rule.confidence for item in provisions(edition) if item.rule]
    counts = [
        words.text(
            "confidence.count", sign=sign, meaning=words.text(f"confidence.{mark}"), rules=marks.count(mark)
        ).strip()
        for mark, sign in CONFIDENCE_SIGNS.items()
        if mark in marks
    ]
    return words.text("confidence.how-surely", marks="; ".join(counts))
