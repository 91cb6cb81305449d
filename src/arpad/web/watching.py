"""Can the list be trusted? The monitor's pages: drift and calibration for everybody, all of it for administrators.

A page is made once for each list by a process of its own (``arpad monitor keep``), since a large office takes minutes;
here it is only shown, or said that it is not there yet.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from threading import Thread
from typing import Any

from litestar import Request, Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.response import Redirect
from markupsafe import Markup

from arpad import watching
from arpad.errors import BadInput
from arpad.model import ListName
from arpad.office.desk import Office
from arpad.store.lists import Publication
from arpad.web.access import ADMINISTRATOR, PUBLIC
from arpad.web.errors import Refused
from arpad.web.language import say_of
from arpad.web.pages import page
from arpad.web.visiting import office_here

Asked = Request[Any, Any, Any]
PACKAGES = ("numpy", "scipy", "glicko2")


def _shown(request: Asked, kind: str) -> Response[str]:
    office = office_here(request)
    asked = request.query_params.get("list", "")
    with office.store.reading() as connection:
        found = {name: one for name in ListName if (one := watching.newest(connection, name)) is not None}
        if asked and asked not in found:
            raise Refused(404, "no-page")
        name = ListName(asked) if asked else next(iter(found), None)
        publication = found[name] if name is not None else None
        kept, busy = None, False
        if publication is not None:
            kept = watching.page_of(connection, publication, kind, say_of(request).language)
            busy = watching.under_way(office, connection, publication)
    return page(
        request, "watching.html", whole=kind == watching.WHOLE, name=name, names=tuple(found),
        publication=publication, busy=busy, ready=statistics_are_here(),
        made=kept.made.date() if kept else None, body=Markup(kept.body) if kept else "",  # noqa: S704  escaped when made
    )  # fmt: skip


def statistics_are_here() -> bool:
    """Whether the extra is installed."""
    return all(find_spec(package) is not None for package in PACKAGES)


@get("/watching", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def for_everybody(request: Asked) -> Response[str]:
    """Drift and calibration, which name nobody."""
    return _shown(request, watching.PUBLIC)


@get("/admin/watching", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def for_administrators(request: Asked) -> Response[str]:
    """The whole report: points, drift, calibration, pools, and what a rating officer should look at."""
    return _shown(request, watching.WHOLE)


@post("/admin/watching", opt=ADMINISTRATOR, include_in_schema=False, status_code=200)
async def examine(request: Asked) -> Redirect:
    """Examine a list now; the page says that it is under way until it is there."""
    form = await request.form()
    asked = str(form.get("list", ""))
    if asked not in tuple(ListName):
        raise BadInput("value-unknown", option="list", value=asked[:40], accepted=", ".join(ListName))
    on_list = ListName(asked)

    def work() -> str:
        office = office_here(request)
        with office.store.reading() as connection:
            publication = watching.newest(connection, on_list)
        if publication is None:
            raise BadInput("no-lists-yet", list=str(on_list))
        if statistics_are_here():
            start_examining(office, publication)
        return f"/admin/watching?list={on_list}"

    return Redirect(await sync_to_thread(work), status_code=303)


def start_examining(office: Office, publication: Publication) -> None:
    """In a process of its own, so that no visitor waits; it ends by itself."""
    if not watching.begin(office, publication):
        return
    address = office.store.engine.url.render_as_string(hide_password=False)
    running = subprocess.Popen(  # noqa: S603  our own command
        [sys.executable, "-m", "arpad", "monitor", "keep", "--list", str(publication.list)],
        env={**os.environ, "ARPAD_DB": address},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )

    def wait() -> None:
        """What went wrong stands in the server's own log; the button is there again."""
        if running.wait() != 0:
            watching.give_up(office, publication)

    Thread(target=wait, daemon=True).start()


ROUTES = (for_everybody, for_administrators, examine)
