"""The published lists for programs: all of them, and each page by page, as JSON and CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Request, Response, get
from sqlalchemy import Connection

from arpad.model.cursors import Cursor, parse_cursor
from arpad.model.errors import BadInput
from arpad.model.rules import ListName
from arpad.office.lists import published as published_lists
from arpad.office.lists.page_rows import snapshot
from arpad.office.lists.rows import Publication
from arpad.office.rankings import selections
from arpad.office.rankings.pages import asked_list, files_version
from arpad.web.api import parameters
from arpad.web.api.cursors import After, next_link
from arpad.web.api.parameters import ClubOnly, Cut, Federation, GroupOnly, OnlyList, RegionOnly
from arpad.web.api.responses import answers, csv_answers, csv_text, etagged
from arpad.web.api.schemas import ListOut, ListsOut, RankingOut, RowOut
from arpad.web.auth import PUBLIC
from arpad.web.cache import etag_headers, not_modified
from arpad.web.requests import require_office

Asked = Request[Any, Any, Any]
LISTS = 200


def _list(
    publication: Publication, current: dict[ListName, Publication], by_id: dict[int, Publication]
) -> ListOut:
    corrects = by_id.get(publication.corrects) if publication.corrects is not None else None
    return ListOut(
        publication.name, str(publication.list), str(publication.day), publication.revision, publication.edition,
        publication.digest, published_lists.list_size(publication),
        current.get(publication.list) == publication, corrects.name if corrects else None,
    )  # fmt: skip


@get(
    "/lists", opt=PUBLIC, sync_to_thread=True, summary="All lists",
    responses=answers(ListsOut, "GET /api/v1/lists", 400, 404, etag=True),
)  # fmt: skip
def list_lists(
    request: Asked,
    list: OnlyList = None,  # noqa: A002  the name that programs rely on
    after: After = "",
) -> Response[Any]:
    """Every published list, corrections included."""
    office = require_office(request)
    with office.store.reading() as connection:
        publications = published_lists.shown_publications(connection)
        current = published_lists.lists_in_force(office, connection)
    by_id = {p.id: p for p in publications}
    chosen = [p for p in publications if list in (None, str(p.list))]
    first = _place_after(chosen, after)
    shown = chosen[first : first + LISTS]
    following = str(Cursor(shown[-1].id)) if shown else after
    more = first + LISTS < len(chosen)
    return etagged(request, ListsOut([_list(p, current, by_id) for p in shown], following, more))


def _place_after(publications: Sequence[Publication], after: str) -> int:
    """Return the place of the first list after the one that a cursor names."""
    if not after:
        return 0
    last = parse_cursor(after).item
    places = [place for place, publication in enumerate(publications, start=1) if publication.id == last]
    if not places:
        raise BadInput("bad-cursor", option="after", given=after)
    return places[0]


def _asked(cut: str, *texts: str | None) -> selections.Asked:
    """Return what the parameters ask for: cut, federation, club, region, age group."""
    names = ("federation", "club", "region", "group")
    query = {name: text or "" for name, text in zip(names, texts, strict=True)}
    return selections.Asked.of({"cut": cut, **query})


def _ranking(
    request: Asked, name: str, selection: selections.Asked, after: str
) -> tuple[RankingOut | None, dict[str, str]]:
    """Return a page of a list with its headers; no page if the reader has it.

    The cursor names the list and the pages read, so that all pages are of one list while a new one is published.
    """
    office = require_office(request)
    cursor = parse_cursor(after) if after else Cursor()
    with office.store.reading() as connection:
        publication = asked_list(office, connection, name)
        if after and cursor.item != publication.id:
            publication = _list_of_cursor(connection, publication, cursor, after)
        page = cursor.part + 1
        current = published_lists.lists_in_force(office, connection)
        now = current.get(publication.list) == publication
        version = snapshot(connection).hidden_version
        entered = "" if selection.is_stored else snapshot(connection).head
        entered += files_version(connection, publication)
        headers, unchanged = etag_headers(
            request, "api", publication.digest, selection.key, page, now, version, entered
        )
        if unchanged:
            return None, headers
        ranking = selections.asked_ranking(connection, publication, selection, page)
        by_id = {p.id: p for p in published_lists.shown_publications(connection, publication.list)}
    rows = [
        RowOut(
            r.rank, r.player or None, r.name, r.federation, r.title, r.category, r.rating, r.games, r.k, r.born,
            r.inactive,
        )
        for r in ranking.rows
    ]  # fmt: skip
    rows = rows if page <= ranking.pages else []
    following, more = Cursor(publication.id, min(page, ranking.pages)), page < ranking.pages
    out = RankingOut(
        _list(publication, current, by_id), selection.key, ranking.total, rows, str(following), more
    )
    return out, headers | next_link(request, following, more=more)


def _list_of_cursor(connection: Connection, asked: Publication, cursor: Cursor, after: str) -> Publication:
    """Return the list of which a cursor is, if it has the same name as the one that is asked for."""
    same = [p for p in published_lists.shown_publications(connection, asked.list) if p.id == cursor.item]
    if not same:
        raise BadInput("bad-cursor", option="after", given=after)
    return same[0]


@get(
    "/lists/{name:str}", opt=PUBLIC, sync_to_thread=True, summary="A list",
    responses=answers(RankingOut, "GET /api/v1/lists/{name}", 400, 404, 410, etag=True),
)  # fmt: skip
def get_list(
    request: Asked,
    name: parameters.ListName,
    cut: Cut = "",
    federation: Federation = None,
    club: ClubOnly = None,
    region: RegionOnly = None,
    group: GroupOnly = None,
    after: After = "",
) -> Response[Any]:
    """A page of a list: the active, all, women, juniors, seniors, a federation, a club, a region, an age group.

    A list that was taken back answers 410 and says when and why.
    """
    out, headers = _ranking(request, name, _asked(cut, federation, club, region, group), after)
    return Response(out, headers=headers) if out else not_modified(headers)


@get(
    "/lists/{name:str}/rows.csv", opt=PUBLIC, media_type="text/csv", sync_to_thread=True, summary="A list as CSV",
    responses=csv_answers("GET /api/v1/lists/{name}/rows.csv", 400, 404, 410, etag=True),
)  # fmt: skip
def get_list_csv(
    request: Asked,
    name: parameters.ListName,
    cut: Cut = "",
    federation: Federation = None,
    club: ClubOnly = None,
    region: RegionOnly = None,
    group: GroupOnly = None,
    after: After = "",
) -> Response[Any]:
    """The same page as CSV; the header Link has the address of the next one."""
    out, headers = _ranking(request, name, _asked(cut, federation, club, region, group), after)
    if out is None:
        return not_modified(headers)
    rows = [
        (r.rank, r.id, r.name, r.federation, r.title, r.category, r.rating, r.games, r.k, r.born)
        for r in out.rows
    ]
    heading = ("rank", "id", "name", "federation", "title", "category", "rating", "games", "k", "born")
    return Response(csv_text(heading, rows), media_type="text/csv", headers=headers)


ROUTES = (list_lists, get_list, get_list_csv)
