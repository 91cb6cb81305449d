"""Take over an uploaded list, see what it would do, or keep it as a reference: jobs for a limited process."""

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arpad.model.rules import ListName
from arpad.office.office import Office
from arpad.web.limited_process import Bounds, OfficeLocation, opened_office
from arpad.web.uploads import Upload


@dataclass(frozen=True, slots=True)
class ListArguments:
    """The arguments of taking over a list."""

    list: ListName | None
    """None for a reference list that has the ratings of all lists."""

    day: date
    columns: str = ""
    last_event: date | None = None
    reason: str = ""
    follows: str | None = None
    """The list before it that a preview named; None: whichever it is."""

    preview: bool = False
    fewer: bool = False
    """Whether a reference list may have far fewer players than the one before."""


def take_over(
    _bounds: Bounds, upload: Upload, office: Office | OfficeLocation | None, arguments: ListArguments
) -> dict[str, Any]:
    """Take over an uploaded list and return the document of it; with ``preview`` only return it."""
    from arpad.office.imports.acts import import_document, import_list
    from arpad.reports.formats.lists.layouts import parse_columns

    assert office is not None  # noqa: S101  the guard admits only staff of an office
    assert arguments.list is not None  # noqa: S101  only a reference list has several
    options: dict[str, Any] = {
        "last_event": arguments.last_event,
        "columns": parse_columns(arguments.columns) if arguments.columns else None,
    }
    with TemporaryDirectory(prefix="arpad-list-") as folder, opened_office(office) as desk:
        path = written_upload(folder, upload)
        imported = import_list(
            replace(desk, rehearsing=arguments.preview), path, arguments.list, arguments.day,
            reason=arguments.reason, follows=arguments.follows, **options,
        )  # fmt: skip
    return import_document(imported, kept=not arguments.preview)


def written_upload(folder: str, upload: Upload) -> Path:
    """Write the upload into a folder; a name such as ``..`` is no name of a file."""
    path = Path(folder) / (upload.name.lstrip(".") or "list")
    path.write_bytes(upload.data)
    return path
