"""Proposed corrections of a report: for findings that leave one answer only, the exact change of the file.

The same rules hold for every format; its ``FileMap`` says how a value is written there, and what it
cannot write is not proposed. A correction is proposed if the rest of the file leaves no doubt: of two results that
contradict each other, the one is kept that agrees with the points of both players.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import cached_property

from arpad.checks import check_file
from arpad.checks.points import Halves, other_totals, totals_of
from arpad.model.federations import FEDERATIONS
from arpad.model.rules import Finding
from arpad.reports.file_edits import edited_file
from arpad.reports.formats import read_report
from arpad.reports.report import MIRROR, Cell, Report, TextEdit, worth

CellPosition = tuple[int, int]
"""The place of an entrant, and a round counted from zero."""

_OTHER_COLOUR = {"w": "b", "b": "w"}
MOST_PASSES = 4
"""One correction may remove the doubt that held back another; nothing is left after two passes in practice."""

IN_CELLS = frozenset({
    "results-not-mirrored", "both-win", "result-missing", "result-unknown", "pairing-one-sided", "pairing-not-mutual",
    "game-without-opponent", "bye-with-opponent", "opponent-not-in-file", "opponent-unreadable", "paired-with-himself",
    "cell-shifted", "start-number-twice", "start-number-unreadable", "tab-in-line",
})  # fmt: skip
"""Findings after which the results of a player are in doubt."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposed correction: the finding that it removes, and the edits that belong together."""

    finding: Finding
    edits: tuple[TextEdit, ...]

    @property
    def key(self) -> str:
        """A name of the correction within its file."""
        return f"{self.finding.code}-{self.edits[0].line}-{self.edits[0].column}"


@dataclass(frozen=True, slots=True)
class CorrectedFile:
    """The corrected bytes of a report, and the corrections in the order in which they were made."""

    data: bytes
    proposals: tuple[Proposal, ...]


def propose(report: Report, findings: Iterable[Finding]) -> tuple[Proposal, ...]:
    """Return the corrections for the findings of a report, in their order; none of two that change the same text."""
    page = _Page(report, tuple(findings))
    proposals: list[Proposal] = []
    taken: defaultdict[int, list[TextEdit]] = defaultdict(list)
    for finding in page.findings:
        proposer = _PROPOSERS.get(finding.code)
        edits = proposer(page, finding) if proposer else []
        if edits and not any(edit.overlaps(other) for edit in edits for other in taken[edit.line]):
            proposals.append(Proposal(finding, tuple(edits)))
            for edit in edits:
                taken[edit.line].append(edit)
    return tuple(proposals)


def propose_for_file(report: Report) -> tuple[Proposal, ...]:
    """Return the corrections for what the reader and the checks of the file alone find."""
    return propose(report, (*report.findings, *check_file(report)))


def correct_file(data: bytes, name: str) -> CorrectedFile:
    """Return a report with every proposed correction; a second call changes nothing."""
    proposals: list[Proposal] = []
    for _ in range(MOST_PASSES):
        new = propose_for_file(read_report(data, name))
        if not new:
            break
        proposals += new
        data = edited_file(data, [edit for proposal in new for edit in proposal.edits])
    return CorrectedFile(data, tuple(proposals))


# ------------------------------------------------------------------------------------------- the file as a whole


@dataclass(frozen=True)
class _Page:
    """A report with its findings, and what follows from both."""

    report: Report
    findings: tuple[Finding, ...]

    def has(self, *codes: str) -> bool:
        """Return whether one of the codes was found."""
        return any(finding.code in codes for finding in self.findings)

    def position_of(self, finding: Finding) -> CellPosition | None:
        """Return the cell of a finding; None if it names none, or if its start number is used twice."""
        index = self.index_of(finding)
        if index is None or finding.round is None or not 1 <= finding.round <= len(self.report.rounds):
            return None
        return index, finding.round - 1

    def index_of(self, finding: Finding) -> int | None:
        """Return the place of the entrant on the line of a finding; None if it is not the one that it names."""
        index = self._by_line.get(finding.line or 0)
        if index is None or finding.player in (None, self.report.entrants[index].number):
            return index
        return None

    def cell(self, position: CellPosition) -> Cell:
        """Return a cell."""
        index, round_index = position
        cells = self.report.rounds[round_index]
        return cells.opponents[index], cells.colours[index], cells.results[index]

    def opposite(self, position: CellPosition) -> CellPosition | None:
        """Return the opponent's cell of the same round; None if the opponent is not in the file or is the same."""
        index, round_index = position
        other = self.report.places.get(self.cell(position)[0])
        return None if other is None or other == index else (other, round_index)

    @cached_property
    def _by_line(self) -> Mapping[int, int]:
        return {
            entrant.line: index
            for index, entrant in enumerate(self.report.entrants)
            if entrant.line and self.report.places.get(entrant.number) == index and entrant.number
        }

    @cached_property
    def totals(self) -> list[Halves]:
        """The half-points that the results make."""
        return totals_of(self.report)

    @cached_property
    def _differences(self) -> list[set[Halves]]:
        """For each entrant, by how much a right total may differ from the sum: awarded points, byes to come."""
        others = other_totals(self.report, self.totals)
        return [{0, *(other[index] - total for other in others)} for index, total in enumerate(self.totals)]

    def agrees(self, index: int, gain: Halves = 0) -> bool:
        """Return whether the points of an entrant agree with their results, if these were worth ``gain`` more."""
        claim = self.report.entrants[index].half_points
        return claim is not None and claim - self.totals[index] - gain in self._differences[index]

    def has_one_total(self, index: int) -> bool:
        """Return whether only one number of points can be right."""
        return self._differences[index] == {0}

    def worth(self, cell: Cell) -> Halves:
        """Return the half-points of a cell."""
        halves = 2 * worth(self.report.header.points, cell[2], cell[1])
        return int(halves) if halves.denominator == 1 else halves

    @cached_property
    def new_cells(self) -> Mapping[CellPosition, Cell]:
        """The cells that follow from the opponent's, of players whose points agree with all of them."""
        return _new_cells(self)

    @cached_property
    def doubtful(self) -> Collection[int]:
        """The places of entrants whose results are in doubt, since a finding about their cells stays."""
        places: set[int] = set()
        for finding in self.findings:
            if finding.code not in IN_CELLS:
                continue
            position = self.position_of(finding)
            if position is None:
                index = self.index_of(finding)
                places |= {index} if index is not None else set(range(len(self.report.entrants)))
                continue
            both = {position, self.opposite(position) or position}
            if not both & self.new_cells.keys():
                places |= {index for index, _ in both}
        return places


# ------------------------------------------------------------------------------------------------------- cells


def _new_cells(page: _Page) -> dict[CellPosition, Cell]:
    """Return the cells that follow from the opponent's.

    All new cells of a player are accepted together, if the points of the player are the sum of the results with them.
    """
    if page.has("start-number-twice", "start-number-unreadable"):
        return {}
    candidates: defaultdict[int, dict[CellPosition, Cell]] = defaultdict(dict)
    for finding in page.findings:
        position = page.position_of(finding)
        rule = _CELL_RULES.get(finding.code)
        for at, cell in rule(page, position).items() if position and rule else ():
            candidates[at[0]].setdefault(at, cell)
    accepted: dict[CellPosition, Cell] = {}
    for index, cells in candidates.items():
        gain = sum((page.worth(cell) - page.worth(page.cell(at)) for at, cell in cells.items()), Fraction(0))
        if page.report.entrants[index].half_points is None or page.agrees(index, gain):
            accepted |= cells
    return accepted


def _missing_result(page: _Page, position: CellPosition) -> dict[CellPosition, Cell]:
    """Fill in the mirror of the opponent's result."""
    other = page.opposite(position)
    if other is None or page.opposite(other) != position:
        return {}
    opponent, colour, _ = page.cell(position)
    mirrored = MIRROR.get(page.cell(other)[2])
    return {position: (opponent, colour, mirrored)} if mirrored else {}


def _written_half(page: _Page, position: CellPosition) -> dict[CellPosition, Cell]:
    """Write a draw as the format does, or fill in the mirror of the opponent's result."""
    opponent, colour, result = page.cell(position)
    return {position: (opponent, colour, "=")} if result == "½" else _missing_result(page, position)


def _one_sided(page: _Page, position: CellPosition) -> dict[CellPosition, Cell]:
    """Fill in the cell of an opponent who has no game in the round; only if one player names them."""
    other = page.opposite(position)
    if other is None:
        return {}
    index, round_index = position
    number, named = page.report.entrants[index].number, page.report.entrants[other[0]].number
    if page.report.rounds[round_index].opponents.count(named) != 1:
        return {}
    _, colour, result = page.cell(position)
    _, own_colour, _ = page.cell(other)
    mirrored = MIRROR.get(result)
    colour = own_colour if own_colour in _OTHER_COLOUR else _OTHER_COLOUR.get(colour, "-")
    return {other: (number, colour, mirrored)} if mirrored else {}


def _contradiction(page: _Page, position: CellPosition) -> dict[CellPosition, Cell]:
    """Of two results that contradict each other, change the one that the points of both players contradict."""
    other = page.opposite(position)
    if other is None or page.opposite(other) != position:
        return {}
    if " " in (page.cell(position)[2], page.cell(other)[2]):
        return _missing_result(page, position if page.cell(position)[2] == " " else other)
    agree = page.agrees(position[0]), page.agrees(other[0])
    if agree == (True, False):
        return _missing_result(page, other)
    return _missing_result(page, position) if agree == (False, True) else {}


_CELL_RULES: Mapping[str, Callable[[_Page, CellPosition], dict[CellPosition, Cell]]] = {
    "result-missing": _missing_result,
    "result-unknown": _written_half,
    "pairing-one-sided": _one_sided,
    "results-not-mirrored": _contradiction,
    "both-win": _contradiction,
}


def _cell_edits(page: _Page, finding: Finding) -> list[TextEdit]:
    position = page.position_of(finding)
    rule = _CELL_RULES[finding.code]
    new = rule(page, position) if position else {}
    return [
        edit
        for at, cell in new.items()
        if page.new_cells.get(at) == cell
        for edit in page.report.file_map.write_game(
            page.report.entrants[at[0]], at[1] + 1, page.cell(at), cell
        )
    ]


def _colour(page: _Page, finding: Finding) -> list[TextEdit]:
    """Replace an unknown colour by the one that the opponent's leaves."""
    position = page.position_of(finding)
    other = page.opposite(position) if position else None
    if position is None or other is None or page.opposite(other) != position:
        return []
    colour, line, column = _OTHER_COLOUR.get(page.cell(other)[1]), finding.line or 0, finding.column or 0
    written = (
        page.report.source[line - 1][column - 1 : column] if 1 <= line <= len(page.report.source) else ""
    )
    return [TextEdit(line, column, written, colour)] if colour and written else []


# ------------------------------------------------------------------------------------------- points and fields


def _sum_of_points(page: _Page, index: int) -> list[TextEdit]:
    total = page.totals[index]
    if index in page.doubtful or not page.has_one_total(index) or not isinstance(total, int):
        return []
    return page.report.file_map.write_player(
        replace(page.report.entrants[index], half_points=total), "half_points"
    )


def _points(page: _Page, finding: Finding) -> list[TextEdit]:
    """Write the sum of the results."""
    index = page.index_of(finding)
    touched = {index for index, _ in page.new_cells}
    return [] if index is None or index in touched else _sum_of_points(page, index)


def _all_points(page: _Page, _finding: Finding) -> list[TextEdit]:
    """Write the sum of the results for every player."""
    claims = [entrant.half_points for entrant in page.report.entrants]
    wrong = [index for index, total in enumerate(page.totals) if claims[index] is not None and total]
    edits = [edit for index in wrong for edit in _sum_of_points(page, index)]
    return edits if len(edits) == len(wrong) else []


def _id(page: _Page, finding: Finding) -> list[TextEdit]:
    """Write a FIDE ID without quotation marks."""
    index = page.index_of(finding)
    return [] if index is None else page.report.file_map.write_player(page.report.entrants[index], "id")


def _federation(page: _Page, finding: Finding) -> list[TextEdit]:
    """Write the code of a federation in capital letters, for all players who have it so."""
    written = str(finding.facts.get("text", ""))
    if written.upper() not in FEDERATIONS:
        return []
    same = [entrant for entrant in page.report.entrants if entrant.federation == written]
    capital = [replace(entrant, federation=written.upper()) for entrant in same]
    return [edit for entrant in capital for edit in page.report.file_map.write_player(entrant, "federation")]


# ------------------------------------------------------------------------------------------------------ header


def _event_federation(page: _Page, finding: Finding) -> list[TextEdit]:
    written = str(finding.facts.get("text", "")).upper()
    return page.report.file_map.write_header("032", written) if written in FEDERATIONS else []


def _count(tag: str) -> Callable[[_Page, Finding], list[TextEdit]]:
    """Return a rule that writes the number of lines into the header."""

    def rule(page: _Page, finding: Finding) -> list[TextEdit]:
        number = finding.facts.get("found")
        if page.has("opponent-not-in-file") or not isinstance(number, int):  # a line may be lost
            return []
        return page.report.file_map.write_header(tag, number)

    return rule


def _rounds(page: _Page, finding: Finding) -> list[TextEdit]:
    """Declare as many rounds as have games."""
    rounds = page.report.rounds
    if not rounds or not any(rounds[-1].opponents) or finding.facts.get("declared") == len(rounds):
        return []
    return page.report.file_map.write_header("142", len(rounds))


def _day(page: _Page, finding: Finding) -> list[TextEdit]:
    """Write a day as year/month/day, if there is one reading only."""
    day = finding.facts.get("read_as")
    if not isinstance(day, date):
        return []
    for tag in ("042", "052"):
        spot = page.report.file_map.header(tag)
        if spot and spot.line == finding.line:
            return page.report.file_map.write_header(tag, day)
    return []


def _days(page: _Page, _finding: Finding) -> list[TextEdit]:
    """Swap the first and the last day, if no round lies outside them then."""
    first, last = page.report.header.first_day, page.report.header.last_day
    if first is None or last is None:
        return []
    if any(cells.day and not last <= cells.day <= first for cells in page.report.rounds):
        return []
    edits = [
        *page.report.file_map.write_header("042", last),
        *page.report.file_map.write_header("052", first),
    ]
    return edits if len(edits) == len((first, last)) else []


def _result(page: _Page, finding: Finding) -> list[TextEdit]:
    """Write the result of a game as its moves end."""
    return page.report.file_map.write_result(finding.line or 0)


_PROPOSERS: Mapping[str, Callable[[_Page, Finding], list[TextEdit]]] = {
    **dict.fromkeys(_CELL_RULES, _cell_edits),
    "colour-unknown": _colour,
    "points-not-the-sum": _points,
    "points-unreadable": _points,
    "sheet-points": _points,
    "points-all-zero": _all_points,
    "id-quoted": _id,
    "federation-unknown": _federation,
    "event-federation-unknown": _event_federation,
    "count-of-players": _count("062"),
    "count-of-rated": _count("072"),
    "count-of-teams": _count("082"),
    "cells-surplus": _rounds,
    "last-day-before-first": _days,
    "date-unusual": _day,
    "pgn-unfinished": _result,
    "pgn-result": _result,
}
