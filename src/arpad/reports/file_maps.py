"""The map of a report (the reader's, or for a TRF the columns of the format), and the file after edits."""

from __future__ import annotations

from collections.abc import Iterable

from arpad.reports.file_map import FileMap, TextEdit, apply_edits
from arpad.reports.formats.trf_map import TrfMap
from arpad.reports.report import Report

_ZIP = b"PK\x03\x04"


def file_map_of(report: Report) -> FileMap:
    """Return where the values of a report are in its file."""
    if report.format.startswith("trf"):
        return TrfMap(report)
    return report.file_map if isinstance(report.file_map, FileMap) else FileMap()


def edited_file(data: bytes, edits: Iterable[TextEdit]) -> bytes:
    """Return the bytes of a text or a workbook with edits applied; refuse edits that are not for this file."""
    if data.startswith(_ZIP):
        from arpad.reports.formats.sheet_xlsx import apply_cell_edits

        return apply_cell_edits(data, list(edits))
    return apply_edits(data, edits)
