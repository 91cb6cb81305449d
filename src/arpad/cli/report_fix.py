"""``arpad check --fix``: write a corrected copy of a report, and say what was changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arpad.checks.proposals import Proposal, correct_file, propose_for_file
from arpad.cli.common import console, naming_file
from arpad.explain.documents import finding_document, proposal_documents
from arpad.explain.rated_report import heading
from arpad.explain.words import Words
from arpad.model.errors import BadInput
from arpad.rating.preview import RatedReport
from arpad.reports.formats import read_bytes
from arpad.system.atomic_files import write_file


@dataclass(frozen=True, slots=True)
class CorrectedCopy:
    """A corrected copy of a report, and the corrections in it."""

    path: Path
    proposals: tuple[Proposal, ...]

    def print_changes(self, words: Words) -> None:
        """Print every correction with its reason."""
        out = console()
        if not self.proposals:
            out.print(words.text("proposal.none", path=str(self.path)))
            return
        out.print(words.text("proposal.written", path=str(self.path), proposals=len(self.proposals)))
        for proposal in self.proposals:
            out.print(f"  {words.text(f'proposal.{proposal.finding.code}')}")
            for edit in proposal.edits:
                key = "proposal.item-cell" if edit.cell else "proposal.item"
                sentence = words.text(
                    key, line=edit.line, column=edit.column, cell=edit.cell, old=edit.old, new=edit.new
                )
                out.print(f"    {sentence}", style="dim")


def write_corrected(files: Sequence[Path], out: Path | None, *, overwrite: bool) -> CorrectedCopy:
    """Write the corrected copy: beside the report unless ``out`` names it, and never over a file unless asked.

    If there is nothing to correct, no copy is written, and the report itself is returned.
    """
    if len(files) != 1:
        raise BadInput("fix-several")
    (path,) = files
    target = out or (path if overwrite else path.with_name(f"{path.stem}.corrected{path.suffix}"))
    with naming_file(path):
        corrected = correct_file(read_bytes(path), path.name)
    if not corrected.proposals:
        return CorrectedCopy(path, ())
    if target.exists() and not overwrite:
        raise BadInput("fix-exists", path=str(target))
    write_file(target, corrected.data)
    return CorrectedCopy(target, corrected.proposals)


def check_document(rated: RatedReport, words: Words, corrected: CorrectedCopy | None) -> dict[str, Any]:
    """Return the findings of a report, the corrections that are proposed, and those that were made."""
    document = {
        **heading(rated),
        "findings": [finding_document(finding, words) for finding in rated.findings],
        "proposals": proposal_documents(propose_for_file(rated.report), words),
    }
    if corrected is not None:
        document |= {"out": str(corrected.path), "corrected": proposal_documents(corrected.proposals, words)}
    return document
