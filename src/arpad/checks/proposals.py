"""Proposed corrections of a report: for findings that leave one answer only, the exact change of the text.

Only a TRF has columns that can be changed one by one. A correction is proposed if the rest of the file leaves no doubt:
of two results that contradict each other, the one is kept that agrees with the points of both players.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import date
from fractions import Fraction
from functools import cached_property

from arpad.checks import check_file
from arpad.checks.points import Halves, other_totals, totals_of
from arpad.model.rules import Finding
from arpad.model.values import dataclass
from arpad.reports.formats import read_report
from arpad.reports.formats.dates import format_day
from arpad.reports.formats.federations import FEDERATIONS
from arpad.reports.formats.reader_findings import Notes
from arpad.reports.formats.trf_columns import CELL, HEADER_TEXT, PLAYER, cell_column
from arpad.reports.formats.trf_write import put_cell, put_entrant
from arpad.reports.report import MIRROR, Entrant, Report, worth
from arpad.reports.text_edits import TextEdit, apply_edits, line_difference

Cell = tuple[int, str, str]
"""Opponent, colour and result."""

Place = tuple[int, int]
"""The place of an entrant, and a round counted from zero."""

_OTHER_COLOUR = {"w": "b", "b": "w"}
_FIRST_NUMBER = re.compile(r"\d{1,9}(?!\d)", re.ASCII)
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
    if not report.format.startswith("trf") or not report.source:
        return ()
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
        data = apply_edits(data, [edit for proposal in new for edit in proposal.edits])
    return CorrectedFile(data, tuple(proposals))


# ------------------------------------------------------------------------------------------- the file as a whole


@dataclass(frozen=True)
class _Page:
    """A report with its findings, and what follows from both."""

    report: Report
    findings: tuple[Finding, ...]
    notes: Notes = field(default_factory=Notes)
    """Not used: the fields that are written here fit their columns."""

    def line(self, number: int) -> str:
        """Return a line without its line end."""
        return self.report.source[number - 1].rstrip("\r\n")

    def header_line(self, *tags: str) -> int | None:
        """Return the number of the first line with one of the tags."""
        lines = enumerate(self.report.source, start=1)
        return next((number for number, text in lines if text[:3] in tags), None)

    def has(self, *codes: str) -> bool:
        """Return whether one of the codes was found."""
        return any(finding.code in codes for finding in self.findings)

    def place(self, finding: Finding) -> Place | None:
        """Return the cell of a finding; None if it names none, or if its start number is used twice."""
        index = self.index_of(finding)
        if index is None or finding.round is None or not 1 <= finding.round <= len(self.report.rounds):
            return None
        return index, finding.round - 1

    def index_of(self, finding: Finding) -> int | None:
        """Return the place of the entrant on the line of a finding."""
        return self._by_line.get(finding.line or 0)

    def cell(self, place: Place) -> Cell:
        """Return a cell."""
        index, round_index = place
        cells = self.report.rounds[round_index]
        return cells.opponents[index], cells.colours[index], cells.results[index]

    def opposite(self, place: Place) -> Place | None:
        """Return the opponent's cell of the same round; None if the opponent is not in the file or is the same."""
        index, round_index = place
        other = self.report.places.get(self.cell(place)[0])
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
    def new_cells(self) -> Mapping[Place, Cell]:
        """The cells that follow from the opponent's, of players whose points agree with all of them."""
        return _new_cells(self)

    @cached_property
    def doubtful(self) -> Collection[int]:
        """The places of entrants whose results are in doubt, since a finding about their cells stays."""
        places: set[int] = set()
        for finding in self.findings:
            if finding.code not in IN_CELLS:
                continue
            place = self.place(finding)
            if place is None:
                index = self.index_of(finding)
                places |= {index} if index is not None else set(range(len(self.report.entrants)))
                continue
            both = {place, self.opposite(place) or place}
            if not both & self.new_cells.keys():
                places |= {index for index, _ in both}
        return places


# ------------------------------------------------------------------------------------------------------- cells


def _new_cells(page: _Page) -> dict[Place, Cell]:
    """Return the cells that follow from the opponent's.

    All new cells of a player are accepted together, if the points of the player are the sum of the results with them.
    """
    if page.has("start-number-twice", "start-number-unreadable"):
        return {}
    candidates: defaultdict[int, dict[Place, Cell]] = defaultdict(dict)
    for finding in page.findings:
        place = page.place(finding)
        rule = _CELL_RULES.get(finding.code)
        for at, cell in rule(page, place).items() if place and rule else ():
            candidates[at[0]].setdefault(at, cell)
    accepted: dict[Place, Cell] = {}
    for index, cells in candidates.items():
        gain = sum((page.worth(cell) - page.worth(page.cell(at)) for at, cell in cells.items()), Fraction(0))
        if page.report.entrants[index].half_points is None or page.agrees(index, gain):
            accepted |= cells
    return accepted


def _missing_result(page: _Page, place: Place) -> dict[Place, Cell]:
    """Fill in the mirror of the opponent's result."""
    other = page.opposite(place)
    if other is None or page.opposite(other) != place:
        return {}
    opponent, colour, _ = page.cell(place)
    mirrored = MIRROR.get(page.cell(other)[2])
    return {place: (opponent, colour, mirrored)} if mirrored else {}


def _written_half(page: _Page, place: Place) -> dict[Place, Cell]:
    """Write a draw as the format does, or fill in the mirror of the opponent's result."""
    opponent, colour, result = page.cell(place)
    return {place: (opponent, colour, "=")} if result == "½" else _missing_result(page, place)


def _one_sided(page: _Page, place: Place) -> dict[Place, Cell]:
    """Fill in the cell of an opponent who has no game in the round; only if one player names them."""
    other = page.opposite(place)
    if other is None:
        return {}
    index, round_index = place
    number, named = page.report.entrants[index].number, page.report.entrants[other[0]].number
    if page.report.rounds[round_index].opponents.count(named) != 1:
        return {}
    _, colour, result = page.cell(place)
    _, own_colour, _ = page.cell(other)
    mirrored = MIRROR.get(result)
    colour = own_colour if own_colour in _OTHER_COLOUR else _OTHER_COLOUR.get(colour, "-")
    return {other: (number, colour, mirrored)} if mirrored else {}


def _contradiction(page: _Page, place: Place) -> dict[Place, Cell]:
    """Of two results that contradict each other, change the one that the points of both players contradict."""
    other = page.opposite(place)
    if other is None or page.opposite(other) != place:
        return {}
    if " " in (page.cell(place)[2], page.cell(other)[2]):
        return _missing_result(page, place if page.cell(place)[2] == " " else other)
    agree = page.agrees(place[0]), page.agrees(other[0])
    if agree == (True, False):
        return _missing_result(page, other)
    return _missing_result(page, place) if agree == (False, True) else {}


_CELL_RULES: Mapping[str, Callable[[_Page, Place], dict[Place, Cell]]] = {
    "result-missing": _missing_result,
    "result-unknown": _written_half,
    "pairing-one-sided": _one_sided,
    "results-not-mirrored": _contradiction,
    "both-win": _contradiction,
}


def _cell_edits(page: _Page, finding: Finding) -> list[TextEdit]:
    place = page.place(finding)
    rule = _CELL_RULES[finding.code]
    new = rule(page, place) if place else {}
    return [
        edit for at, cell in new.items() if page.new_cells.get(at) == cell and (edit := _put(page, at, cell))
    ]


def _put(page: _Page, place: Place, cell: Cell) -> TextEdit | None:
    index, round_index = place
    number = page.report.entrants[index].line or 0
    line = page.line(number)
    if cell[:2] == page.cell(place)[:2]:
        column = cell_column(round_index + 1) + CELL.by_name["result"].first - 1
        padded = line.ljust(column)
        return line_difference(number, line, padded[: column - 1] + cell[2] + padded[column:])
    return line_difference(number, line, put_cell(line, round_index, cell))


def _colour(page: _Page, finding: Finding) -> list[TextEdit]:
    """Replace an unknown colour by the one that the opponent's leaves."""
    place = page.place(finding)
    other = page.opposite(place) if place else None
    if place is None or other is None or page.opposite(other) != place:
        return []
    colour = _OTHER_COLOUR.get(page.cell(other)[1])
    edit = TextEdit(finding.line or 0, finding.column or 0, page.cell(place)[1], colour or "")
    written = page.line(edit.line)[edit.column - 1 : edit.column]
    return [replace(edit, old=written)] if colour and written else []


# ------------------------------------------------------------------------------------------- points and fields


def _entrant_edit(page: _Page, entrant: Entrant, name: str) -> list[TextEdit]:
    """Write a field of an entrant anew."""
    number, column = entrant.line or 0, PLAYER.by_name[name]
    line = page.line(number)
    new = put_entrant(line, entrant, [name], page.notes)
    edit = line_difference(number, line, new, column.first, column.last)
    return [edit] if edit else []


def _sum_of_points(page: _Page, index: int) -> list[TextEdit]:
    total = page.totals[index]
    if index in page.doubtful or not page.has_one_total(index) or not isinstance(total, int):
        return []
    return _entrant_edit(page, replace(page.report.entrants[index], half_points=total), "half_points")


def _points(page: _Page, finding: Finding) -> list[TextEdit]:
    """Write the sum of the results."""
    index = page.index_of(finding)
    touched = {place for place, _ in page.new_cells}
    return [] if index is None or index in touched else _sum_of_points(page, index)


def _all_points(page: _Page, _finding: Finding) -> list[TextEdit]:
    """Write the sum of the results for every player."""
    claims = [entrant.half_points for entrant in page.report.entrants]
    wrong = [index for index, total in enumerate(page.totals) if claims[index] is not None and total]
    edits = [edit for index in wrong for edit in _sum_of_points(page, index)]
    return edits if len(edits) == len(wrong) else []


def _id(page: _Page, finding: Finding) -> list[TextEdit]:
    """Write a FIDE number without quotation marks."""
    index = page.index_of(finding)
    return [] if index is None else _entrant_edit(page, page.report.entrants[index], "id")


def _federation(page: _Page, finding: Finding) -> list[TextEdit]:
    """Write the code of a federation in capital letters, for all players who have it so."""
    written = str(finding.facts.get("text", ""))
    if written.upper() not in FEDERATIONS:
        return []
    same = [entrant for entrant in page.report.entrants if entrant.federation == written]
    capital = [replace(entrant, federation=written.upper()) for entrant in same]
    return [edit for entrant in capital for edit in _entrant_edit(page, entrant, "federation")]


# ------------------------------------------------------------------------------------------------------ header


def _header_text(page: _Page, number: int, text: str) -> TextEdit | None:
    """Replace the text after the tag; blanks at the end stay."""
    line = page.line(number)
    old = line[HEADER_TEXT - 1 :].strip()
    start = line.index(old, HEADER_TEXT - 1) if old else min(HEADER_TEXT - 1, len(line))
    return TextEdit(number, start + 1, old, text) if old and old != text else None


def _event_federation(page: _Page, finding: Finding) -> list[TextEdit]:
    written = str(finding.facts.get("text", ""))
    edit = _header_text(page, finding.line or 0, written.upper()) if written.upper() in FEDERATIONS else None
    return [edit] if edit else []


def _count(*tags: str) -> Callable[[_Page, Finding], list[TextEdit]]:
    """Return a rule that writes the number of lines into the header."""

    def rule(page: _Page, finding: Finding) -> list[TextEdit]:
        if page.has("opponent-not-in-file"):  # a line may be lost
            return []
        return _number(page, tags, finding.facts.get("found"))

    return rule


def _number(page: _Page, tags: Sequence[str], value: object) -> list[TextEdit]:
    """Replace the first number of the first line with one of the tags."""
    number = page.header_line(*tags)
    if number is None or not isinstance(value, int):
        return []
    match = _FIRST_NUMBER.search(page.line(number), HEADER_TEXT - 1)
    return [TextEdit(number, match.start() + 1, match[0], str(value))] if match else []


def _rounds(page: _Page, finding: Finding) -> list[TextEdit]:
    """Declare as many rounds as have games."""
    rounds = page.report.rounds
    if not rounds or not any(rounds[-1].opponents) or finding.facts.get("declared") == len(rounds):
        return []
    return _number(page, ("142", "XXR"), len(rounds))


def _day(page: _Page, finding: Finding) -> list[TextEdit]:
    """Write a day as year/month/day, if there is one reading only."""
    day = finding.facts.get("read_as")
    edit = _header_text(page, finding.line or 0, format_day(day)) if isinstance(day, date) else None
    return [edit] if edit else []


def _days(page: _Page, _finding: Finding) -> list[TextEdit]:
    """Swap the first and the last day, if no round lies outside them then."""
    header = page.report.header
    first, last = page.header_line("042"), page.header_line("052")
    if first is None or last is None or header.first_day is None or header.last_day is None:
        return []
    days = [cells.day for cells in page.report.rounds if cells.day]
    if any(not header.last_day <= day <= header.first_day for day in days):
        return []
    edits = (
        _header_text(page, first, format_day(header.last_day)),
        _header_text(page, last, format_day(header.first_day)),
    )
    return [edit for edit in edits if edit]


_PROPOSERS: Mapping[str, Callable[[_Page, Finding], list[TextEdit]]] = {
    **dict.fromkeys(_CELL_RULES, _cell_edits),
    "colour-unknown": _colour,
    "points-not-the-sum": _points,
    "points-unreadable": _points,
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
}

CORRECTED_CODES = frozenset(_PROPOSERS)
"""The codes of findings for which a correction may be proposed."""
