"""The home page, and the page that explains how to verify a list."""

from __future__ import annotations

from typing import Any

from litestar import Response, get

from arpad.store.lists import PUBLISHED
from arpad.store.pages import accepted_reports, snapshot
from arpad.store.settings import read_setting
from arpad.web import published_lists
from arpad.web.auth import PUBLIC
from arpad.web.cache import etag_headers, not_modified
from arpad.web.requests import WebRequest, office_of
from arpad.web.templates import page


@get("/", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def home(request: WebRequest) -> Response[str]:
    """Show the lists in force and the search."""
    office = office_of(request)
    if office is None:
        return page(request, "home.html", name="", current={}, sizes={}, best={}, latest=[])
    with office.store.reading() as connection:
        current = published_lists.lists_in_force(office, connection)
        latest, _ = accepted_reports(connection, 1, 6)
        cuts = {name: published_lists.first_cut(connection, name) for name in current}
        parts = (
            *(p.digest for p in current.values()),
            *cuts.values(),
            *(f.id for f in latest),
            snapshot(connection).hidden_version,
        )
        headers, unchanged = etag_headers(request, "home", *parts)
        if unchanged:
            return not_modified(headers)
        best = {
            name: top.rows
            for name, publication in current.items()
            if (
                top := published_lists.ranking(connection, publication, cuts[name], 1, most=5)
                or published_lists.ranking(connection, publication, "top", 1, most=5)
            )
            is not None
        }
        sizes = {p.id: published_lists.list_size(p) for p in current.values()}
        name = read_setting(connection, "name")
    return page(
        request,
        "home.html",
        headers=headers,
        name=name,
        current=current,
        sizes=sizes,
        best=best,
        latest=latest,
    )


@get("/verify", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def how_to_verify(request: WebRequest) -> Response[Any]:
    """Explain how anybody can recompute a list."""
    office = office_of(request)
    example = None
    if office is not None:
        with office.store.reading() as connection:
            current = published_lists.lists_in_force(office, connection)
            example = next((p for p in current.values() if p.kind == PUBLISHED), None)
    return page(request, "verify.html", example=example)


ROUTES = (home, how_to_verify)
