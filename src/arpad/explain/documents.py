"""Documents that the command line (``--json``) and the API share: steps, findings and proposals."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeVar

from arpad.explain.words import Words
from arpad.model.declared import Worded, document
from arpad.model.errors import ArpadError
from arpad.model.exact import decimal_text
from arpad.model.rules import Finding, Step

if TYPE_CHECKING:
    from arpad.checks.proposals import Proposal
    from arpad.rating.calculator import Calculator

D = TypeVar("D")


def filled(kind: type[D], value: object, /, **given: Any) -> D:
    """Return a document with some fields as they are given, and the others as a value has them."""
    described: Any = kind  # a dataclass, which its type variable does not say
    names = (item.name for item in fields(described) if item.name not in given)
    return kind(**{name: plain_value(getattr(value, name)) for name in names}, **given)


def plain_value(value: Any) -> Any:
    """Return a value for JSON: integers stay integers, other numbers become exact decimal strings."""
    if isinstance(value, Fraction):
        return decimal_text(value)
    if isinstance(value, tuple):
        return [plain_value(item) for item in value]
    if isinstance(value, Enum):
        return str(value)
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
    cell = str(finding.facts["cell"]) if "cell" in finding.facts else None
    article = finding.article or None
    return filled(FindingDocument, finding, article=article, message=words.finding(finding), cell=cell)


def short_finding(finding: Finding, words: Words) -> dict[str, str]:
    """Return the document of a finding about no line of a file."""
    return {
        "severity": str(finding.severity), "code": finding.code, "article": finding.article,
        "message": words.finding(finding),
    }  # fmt: skip


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
            [filled(EditDocument, edit, cell=edit.cell or None) for edit in proposal.edits],
        )
        for proposal in proposals
    ]


@dataclass(frozen=True, slots=True)
class Calculation:
    """A calculator as a command and as an address of the API: its name and what both answer."""

    name: str
    """The words of the command, as ``calc change``."""

    calculator: Calculator[Any]
    document: Callable[[Any, Words], Any]
    kind: type[Any]
    """The type of the document."""

    local: tuple[str, ...] = ()
    """Parameters that only the command has, since they may name a person."""
