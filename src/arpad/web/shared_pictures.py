"""The pictures that others show when the address of the home page, a list or a tournament is shared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from sqlalchemy import Connection

from arpad.explain.cards import shared_picture
from arpad.explain.words import Words
from arpad.office.lists import published as published_lists
from arpad.office.lists.page_rows import snapshot
from arpad.office.lists.rows import Publication
from arpad.web.auth import COSTLY, PUBLIC
from arpad.web.cache import etag_headers, not_modified
from arpad.web.cards import tournament_facts
from arpad.web.language import page_words
from arpad.web.requests import WebRequest, require_office
from arpad.web.site_settings import settings_of

FIRST = 3
"""Players whom a picture names."""


def _drawn(
    request: WebRequest, name: str, about: str, figures: Sequence[tuple[str, str]], *version: object
) -> Response[Any]:
    """Return the picture with these words, unless the reader has it."""
    words, foot = page_words(request), settings_of(request).name
    headers, unchanged = etag_headers(request, "shared", name, about, figures, foot, *version)
    if unchanged:
        return not_modified(headers)
    content = shared_picture(name, about, figures, (), foot if foot != name else "", words.language)
    return Response(content, headers=headers, media_type="image/png")


@get("/picture.png", opt=PUBLIC | COSTLY, include_in_schema=False, sync_to_thread=True)
def of_home(request: WebRequest) -> Response[Any]:
    """Return the picture of the office: the players of each list in force."""
    office, words = require_office(request), page_words(request)
    with office.store.reading() as connection:
        current = published_lists.lists_in_force(office, connection)
    sizes = [
        (words.text(f"site.list-{name}").capitalize(), words.count(published_lists.list_size(publication)))
        for name, publication in current.items()
    ]
    return _drawn(request, settings_of(request).name, words.text("site.home-lead"), sizes)


@get("/lists/{name:str}/picture.png", opt=PUBLIC | COSTLY, include_in_schema=False, sync_to_thread=True)
def of_list(request: WebRequest, name: FromPath[str]) -> Response[Any]:
    """Return the picture of a list: its first players."""
    office, words = require_office(request), page_words(request)
    with office.store.reading() as connection:
        publication = published_lists.asked_list(office, connection, name)
        figures = _first_players(connection, publication, words)
        version = snapshot(connection).hidden_version
    title = f"{words.text(f'rating-list.title-{publication.list}')}, {words.day(publication.day)}"
    about = words.text("site.players-count", players=published_lists.list_size(publication))
    return _drawn(request, title, about, figures, version)


def _first_players(connection: Connection, publication: Publication, words: Words) -> list[tuple[str, str]]:
    cut = published_lists.first_cut(connection, publication.list)
    ranking = published_lists.ranking(connection, publication, cut, 1, most=FIRST)
    hidden = words.text("site.hidden-name")
    return [
        (hidden if row.hidden else row.name, str(row.rating)) for row in (ranking.rows if ranking else ())
    ]


@get(
    "/tournaments/{number:int}/picture.png", opt=PUBLIC | COSTLY, include_in_schema=False, sync_to_thread=True
)
def of_tournament(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Return the picture of a tournament: its first players with their points."""
    card = tournament_facts(request, number)
    return _drawn(request, card.name, card.about, [(line.text, line.figure) for line in card.lines[:FIRST]])


ROUTES = (of_home, of_list, of_tournament)
