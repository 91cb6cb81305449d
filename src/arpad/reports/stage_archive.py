"""Stages of one event as one report on file (2009 6.2): the files as they came, in one archive.

The archive is a ZIP without compression, its members in their order after a first one that names its kind; so the bytes
of each stage are kept, and the same stages give the same archive.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

from arpad.model.errors import Unreadable
from arpad.reports.formats import read_report
from arpad.reports.report import Report
from arpad.reports.stages import merge_stages

_KIND = "arpad-stages"
_MOMENT = (1980, 1, 1, 0, 0, 0)
_NAME_AT = 30
"""Where the name of the first member stands in a ZIP."""

MOST = 20
"""How many stages an event can have."""


def pack_stages(stages: Sequence[tuple[str, bytes]]) -> bytes:
    """Return the archive of some stages, each a file's name and its bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        members = [(_KIND, b"1\n")]
        members += [(f"{number:02}/{name}", data) for number, (name, data) in enumerate(stages, start=1)]
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name, _MOMENT), data)
    return out.getvalue()


def holds_stages(data: bytes) -> bool:
    """Whether bytes are an archive of stages."""
    return data.startswith(b"PK") and data[_NAME_AT : _NAME_AT + len(_KIND)] == _KIND.encode()


def read_filed(data: bytes, file: str = "") -> Report:
    """Return the report in the bytes of a file, or in those of its stages together."""
    if not holds_stages(data):
        return read_report(data, file)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [item for item in archive.infolist() if item.filename != _KIND]
            if any(item.compress_type != zipfile.ZIP_STORED for item in members) or len(members) > MOST:
                raise Unreadable("file-zip")
            stages = [(item.filename.partition("/")[2], archive.read(item)) for item in members]
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, RuntimeError) as error:
        raise Unreadable("file-zip") from error
    return merge_stages([read_report(found, name) for name, found in stages])
