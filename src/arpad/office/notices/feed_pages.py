"""Atom feeds: all lists, one list, a player, a club; each in every language, by its address."""

from __future__ import annotations

from hashlib import sha256
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, UUID, uuid5

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect
from sqlalchemy import Connection

from arpad.explain.words import MINUS, Words, load_words
from arpad.model.clubs import UnitKind
from arpad.office.clubs.rows import open_units
from arpad.office.notices.news import (
    ListNews,
    club_news,
    club_title,
    list_name,
    list_news,
    list_title,
    named_change,
    player_news,
    player_title,
    tournament_news,
    tournament_title,
)
from arpad.office.office import today
from arpad.office.proof.checkpoints import checkpoint_behind
from arpad.office.register.merge_rows import merge_targets_of
from arpad.office.register.scheme_rows import public_player
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.publishing.atom import MEDIA_TYPE, Feed, FeedEntry, write_atom
from arpad.publishing.list_pdf import checkpoint_line
from arpad.store import ledger
from arpad.store.list_names import kept_list
from arpad.store.settings import read_setting
from arpad.web.auth import PUBLIC
from arpad.web.cache import not_modified
from arpad.web.requests import Refused, WebRequest, require_office
from arpad.web.site_settings import settings_of, site_address

ENTRIES = 30
CLUB_ENTRIES = 10


@get("/feeds/{language:str}/lists", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def all_lists_feed(request: WebRequest, language: FromPath[str]) -> Response[Any]:
    """Return the feed of all lists."""
    return _lists_feed(request, language, None)


@get("/feeds/{language:str}/lists/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def list_feed(request: WebRequest, language: FromPath[str], name: FromPath[str]) -> Response[Any]:
    """Return the feed of one list."""
    return _lists_feed(request, language, name)


def _lists_feed(request: WebRequest, language: str, name: str | None) -> Response[Any]:
    words = words_of_address(request, language)
    with require_office(request).store.reading() as connection:
        on_list = None if name is None else kept_list(connection, name)
        if name is not None and on_list is None:
            raise Refused(404, "no-list-here")
        feed = _FeedMaker(request, connection, words)
        news = list_news(connection, on_list, ENTRIES)
        entries = [
            feed.entry(
                f"list {item.act} {item.publication.name}", item.at,
                list_title(words, item.publication, taken_back=item.taken_back),
                f"/lists/{item.publication.name}", _checkpoint_lines(connection, words, item),
            )
            for item in news
        ]  # fmt: skip
        if on_list is None:
            return feed.response(words.text("news.feed-lists"), "/lists", entries)
        title = words.text("news.feed-list", list=list_name(words, on_list))
        return feed.response(title, f"/lists/{on_list}", entries)


def _checkpoint_lines(connection: Connection, words: Words, news: ListNews) -> tuple[str, ...]:
    """Return the line with the checkpoint behind a publication, as its PDF has it, for whoever keeps feeds."""
    note = None if news.taken_back else checkpoint_behind(connection, news.publication.act)
    return (checkpoint_line(parse_checkpoint(note), words),) if note else ()


@get("/feeds/{language:str}/players/{number:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def player_feed(request: WebRequest, language: FromPath[str], number: FromPath[int]) -> Response[Any]:
    """Return the feed of a player: the lists that changed the rating, and the accepted tournaments."""
    words = words_of_address(request, language)
    with require_office(request).store.reading() as connection:
        person = public_player(connection, number)
        merged_into = merge_targets_of(connection, [number]).get(number)
        if merged_into is not None:
            return Redirect(f"/feeds/{language}/players/{merged_into}", status_code=303)
        feed = _FeedMaker(request, connection, words)
        page = f"/players/{number}"
        lists = [
            (item.act, feed.entry(_key("player", number, item), item.at, player_title(words, item), page))
            for item in player_news(connection, number, ENTRIES)
        ]
        tournaments = [
            (
                item.act,
                feed.entry(
                    f"player {number} tournament {item.report.id}", item.at, tournament_title(words, item),
                    f"/tournaments/{item.report.id}",
                ),
            )
            for item in tournament_news(connection, number, ENTRIES)
        ]  # fmt: skip
        newest = sorted([*lists, *tournaments], key=lambda item: -item[0])[:ENTRIES]
        title = words.text("news.feed-player", name=person.name)
        return feed.response(title, page, [entry for _, entry in newest])


@get("/feeds/{language:str}/clubs/{code:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def club_feed(request: WebRequest, language: FromPath[str], code: FromPath[str]) -> Response[Any]:
    """Return the feed of a club: the lists that changed ratings of its members."""
    office, words = require_office(request), words_of_address(request, language)
    with office.store.reading() as connection:
        unit = open_units(connection, today(office, connection)).get(code.upper()[:20])
        if unit is None or unit.kind != UnitKind.CLUB:
            raise Refused(404, "no-club-here")
        feed = _FeedMaker(request, connection, words)
        page = f"/clubs/{quote(unit.code)}"
        entries = [
            feed.entry(
                _key("club", unit.code, item), item.at, club_title(words, item), page,
                tuple(named_change(words, rating) for rating in item.ratings),
            )
            for item in club_news(connection, unit.code, CLUB_ENTRIES)
        ]  # fmt: skip
        return feed.response(words.text("news.feed-club", club=unit.name), page, entries)


# ----------------------------------------------------------------------------------------------------------- parts


def words_of_address(request: WebRequest, language: str) -> Words:
    """Return the words of the language in an address; refuse one that the office does not offer."""
    if language not in settings_of(request).languages:
        raise Refused(404, "no-page")
    return load_words(language, MINUS)


def office_id(connection: Connection) -> UUID:
    """Return an identity of the office that no move to another address changes: that of its first act."""
    return uuid5(NAMESPACE_URL, f"arpad:{ledger.act(connection, 1).digest}")


def published_bytes(request: WebRequest, content: bytes, media_type: str) -> Response[Any]:
    """Return something public with an ETag of its bytes; only the headers if the reader has it."""
    etag = f'"{sha256(content).hexdigest()[:24]}"'
    headers = {"ETag": etag, "Cache-Control": "public, no-cache"}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if etag in known:
        return not_modified(headers)
    return Response(content, headers=headers, media_type=media_type)


def _key(kind: str, target: int | str, news: ListNews) -> str:
    return f"{kind} {target} list {news.act} {news.publication.name}"


class _FeedMaker:
    """The values that all entries of a feed share."""

    def __init__(self, request: WebRequest, connection: Connection, words: Words) -> None:
        self.request, self.connection, self.words = request, connection, words
        self.site = site_address(request)
        self.office = office_id(connection)

    def entry(self, key: str, at: str, title: str, path: str, lines: tuple[str, ...] = ()) -> FeedEntry:
        """Return an entry; its id depends on its key and its language."""
        return FeedEntry(self._urn(key), title, at, f"{self.site}{path}", lines)

    def response(self, title: str, page: str, entries: list[FeedEntry]) -> Response[Any]:
        """Return the feed; without entries its time is that of the office's first act."""
        updated = max((entry.updated for entry in entries), default=ledger.act(self.connection, 1).at)
        path = self.request.url.path
        publisher = read_setting(self.connection, "name") or "Arpad"
        feed = Feed(
            self._urn(f"feed {path}"), f"{publisher} – {title}", updated, self.words.language, publisher,
            f"{self.site}{path}", f"{self.site}{page}", tuple(entries),
        )  # fmt: skip
        return published_bytes(self.request, write_atom(feed), MEDIA_TYPE)

    def _urn(self, key: str) -> str:
        return uuid5(self.office, f"{self.words.language} {key}").urn


ROUTES = (all_lists_feed, list_feed, player_feed, club_feed)
