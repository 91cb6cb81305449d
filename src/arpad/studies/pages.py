"""The kept pages of the monitor: drift and calibration for everybody, the whole report for administrators.

``arpad monitor keep`` makes them; here they are only shown.
"""

from litestar import Response, get
from markupsafe import Markup

from arpad.model.rules import LISTS, ListName
from arpad.studies import kept_pages
from arpad.web.reader import ADMINISTRATOR, PUBLIC, words_for
from arpad.web.requests import Refused, WebRequest, require_office
from arpad.web.templates import page


def _monitor_page(request: WebRequest, kind: str) -> Response[str]:
    list_name = request.query_params.get("list", "")
    with require_office(request).store.reading() as connection:
        newest = {
            name: publication
            for name in LISTS
            if (publication := kept_pages.newest(connection, name)) is not None
        }
        if list_name and list_name not in newest:
            raise Refused(404, "no-page")
        name = ListName(list_name) if list_name else next(iter(newest), None)
        publication = newest[name] if name is not None else None
        stored = None
        if publication is not None:
            stored = kept_pages.page_of(connection, publication, kind, words_for(request).language)
    return page(
        request, "watching.html", whole=kind == kept_pages.WHOLE, name=name, names=tuple(newest),
        publication=publication, made=stored.created.date() if stored else None,
        body=Markup(stored.body) if stored else "",  # noqa: S704  escaped when made
    )  # fmt: skip


@get("/watching", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def for_everybody(request: WebRequest) -> Response[str]:
    """Public monitor page: drift and calibration, without names."""
    return _monitor_page(request, kept_pages.PUBLIC)


@get("/admin/watching", opt=ADMINISTRATOR, include_in_schema=False, sync_to_thread=True)
def for_administrators(request: WebRequest) -> Response[str]:
    """Show the whole report: points, drift, calibration, pools, and what a rating officer should look at."""
    return _monitor_page(request, kept_pages.WHOLE)
