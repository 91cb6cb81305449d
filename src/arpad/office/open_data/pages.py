"""The open data for download, if a worker writes them: a page, and the files."""

import json
import os
from pathlib import Path
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import File

from arpad.office.open_data.acts import data_version, present_data
from arpad.publishing.open_data import DESCRIPTION
from arpad.web.reader import PUBLIC
from arpad.web.requests import Refused, WebRequest, require_office
from arpad.web.templates import page
from arpad.worker.kinds import OPEN_DATA

FRESH = {"Cache-Control": "no-cache"}
"""Asked for again each time: who is hidden must not stay in a cache."""


def data_folder(request: WebRequest) -> Path | None:
    """Return the folder of the open data; None if none are written, or if somebody was hidden since."""
    root, office = os.environ.get(OPEN_DATA, ""), require_office(request)
    if not root:
        return None
    with office.store.reading() as connection:
        return present_data(Path(root), data_version(connection))


def _description(request: WebRequest) -> tuple[Path, dict[str, Any]]:
    folder = data_folder(request)
    if folder is None:
        raise Refused(404, "no-open-data")
    return folder, json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))


@get("/data", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def show_data(request: WebRequest) -> Response[str]:
    """Show the files of the open data with their sizes, and the licence."""
    _, described = _description(request)
    return page(request, "open_data/page.html", described=described, package=DESCRIPTION, headers=FRESH)


@get("/data/{file:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def send_data(request: WebRequest, file: FromPath[str]) -> File:
    """Send a file of the open data."""
    folder, described = _description(request)
    types = {resource["path"]: resource["mediatype"] for resource in described["resources"]}
    types[DESCRIPTION] = "application/json"
    if file not in types:
        raise Refused(404, "no-page")
    return File(folder / file, filename=file, media_type=types[file], headers=FRESH)
