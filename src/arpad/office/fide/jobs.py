"""Add an uploaded reference list, in a process of its own."""

from __future__ import annotations

from tempfile import TemporaryDirectory

from arpad.office.fide.reference import AddedReference, add_reference
from arpad.office.imports.jobs import ListArguments, written_upload
from arpad.office.office import Office
from arpad.web.cost_limits import Bounds
from arpad.web.limited_process import OfficeLocation, opened_office
from arpad.web.uploads import Upload


def add_reference_upload(
    _bounds: Bounds, upload: Upload, office: Office | OfficeLocation | None, arguments: ListArguments
) -> AddedReference:
    """Add an uploaded list of another body as a reference."""
    from arpad.reports.formats.lists.layouts import parse_columns

    assert office is not None  # noqa: S101  the guard admits only staff of an office
    with TemporaryDirectory(prefix="arpad-list-") as folder, opened_office(office) as desk:
        return add_reference(
            desk, written_upload(folder, upload), arguments.day, on_list=arguments.list, fewer=arguments.fewer,
            columns=parse_columns(arguments.columns) if arguments.columns else None, reason=arguments.reason,
        )  # fmt: skip
