"""An uploaded report and the result of its check, as a page shows them: lines and cells with their findings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from arpad.checks.proposals import Proposal
from arpad.explain.draughts_board import EventBoard
from arpad.explain.findings import mark
from arpad.model.rules import Finding, ListName, Severity
from arpad.rating.norm_report import ReportNorms
from arpad.rating.preview import RatedReport
from arpad.reports.entrant_match import Candidate
from arpad.reports.formats.sheet import SheetMap
from arpad.reports.formats.sheet_grid import Sheet, column_letters
from arpad.reports.report import Entrant, Report

MOST_ROWS, MOST_COLUMNS = 60, 60
"""Rows and columns of a worksheet that are shown; rows with findings always are."""

MOST_LINES = 600
"""Of a longer file only the lines with findings are shown."""


@dataclass(frozen=True, slots=True)
class FileLine:
    """One line of the file with its findings."""

    number: int
    text: str
    findings: tuple[Finding, ...]
    delimiter: str = ""

    @property
    def worst(self) -> str:
        """The gravest severity among the findings."""
        return _worst(self.findings)

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The text in pieces, each with the severity of the finding that is about it, or an empty text."""
        pieces: list[tuple[str, str]] = []
        rest, end = self.text, 0
        marked = {
            (spot.start, spot.start + len(spot.marked)): str(finding.severity)
            for finding in reversed(self.findings)
            if finding.column and (spot := mark(self.text, finding.column, self.delimiter))
        }
        for (start, after), severity in sorted(marked.items()):
            if start - 1 < end:
                continue
            pieces += [(self.text[end : start - 1], ""), (self.text[start - 1 : after - 1] or " ", severity)]
            end = after - 1
            rest = self.text[end:]
        return [*pieces, (rest, "")]


def _worst(findings: Iterable[Finding]) -> str:
    """Return the gravest severity among findings, or an empty text."""
    severities = {finding.severity for finding in findings}
    return next((str(severity) for severity in Severity if severity in severities), "")


@dataclass(frozen=True, slots=True)
class GridCell:
    """A cell of a workbook, with the gravest severity of its findings."""

    address: str
    text: str
    severity: str


@dataclass(frozen=True, slots=True)
class SheetGrid:
    """A worksheet as it is shown."""

    name: str
    letters: tuple[str, ...]
    rows: tuple[tuple[int, tuple[GridCell, ...]], ...]


def _sheet_grid(sheet: Sheet, findings: Mapping[str, Sequence[Finding]]) -> SheetGrid:
    """Return the first rows of a worksheet, and every row with a finding."""
    columns = range(1, min(max((max(row.cells) for row in sheet.rows), default=0), MOST_COLUMNS) + 1)
    rows = []
    for place, row in enumerate(sheet.rows):
        addresses = [sheet.address(row.line, column) for column in columns]
        if place < MOST_ROWS or any(address in findings for address in addresses):
            cells = zip(columns, addresses, strict=True)
            rows.append((row.line, tuple(
                GridCell(address, row.cells.get(column, ""), _worst(findings.get(address, ())))
                for column, address in cells
            )))  # fmt: skip
    return SheetGrid(sheet.name, tuple(column_letters(column) for column in columns), tuple(rows))


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of a check: the findings, and the preview or the draughts board."""

    report: Report
    findings: tuple[Finding, ...]
    rated: RatedReport | None
    board: EventBoard | None
    on_list: ListName
    shown: int = 0
    """How many players the page shows, from the first on: of a very large report only a part."""

    norms: ReportNorms | None = None
    """The title norms of a standard event; None if no title edition can be chosen."""

    proposals: tuple[Proposal, ...] = ()

    doubtful: tuple[tuple[Entrant, tuple[Candidate, ...]], ...] = ()
    """The entrants whom the register leaves in doubt, with those who they may be and have a FIDE ID."""

    @property
    def errors(self) -> int:
        """The number of errors."""
        return sum(finding.severity == Severity.ERROR for finding in self.findings)

    @property
    def elsewhere(self) -> tuple[Finding, ...]:
        """The findings that concern no single line."""
        line_count = len(self.report.source)
        return tuple(f for f in self.findings if f.line is None or not 1 <= f.line <= line_count)

    def lines(self) -> list[FileLine]:
        """Return the lines of the file with their findings."""
        by_line: dict[int, list[Finding]] = {}
        for finding in self.findings:
            if finding.line is not None:
                by_line.setdefault(finding.line, []).append(finding)
        delimiter = self.report.file_map.delimiter
        all_lines = [
            FileLine(number, text.rstrip("\r\n"), tuple(by_line.get(number, ())), delimiter)
            for number, text in enumerate(self.report.source, start=1)
        ]
        return all_lines if len(all_lines) <= MOST_LINES else [line for line in all_lines if line.findings]

    def grids(self) -> list[SheetGrid]:
        """Return the worksheets of a workbook with their findings; nothing for a text."""
        by_cell: dict[str, list[Finding]] = {}
        for finding in self.findings:
            by_cell.setdefault(str(finding.facts.get("cell", "")), []).append(finding)
        file_map = self.report.file_map
        sheets = file_map.sheets if isinstance(file_map, SheetMap) and not self.report.source else ()
        return [_sheet_grid(sheet, by_cell) for sheet in sheets]

    @property
    def grids_cut(self) -> int:
        """The number of rows shown, if a worksheet has more."""
        file_map = self.report.file_map
        sheets = file_map.sheets if isinstance(file_map, SheetMap) else ()
        return MOST_ROWS if any(len(sheet.rows) > MOST_ROWS for sheet in sheets) else 0
