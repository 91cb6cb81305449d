"""Follow by mail: the form, and the page that the links in mails open; feeds and calendars for programs of visitors.

Feeds (Atom) are of all lists, one list, a player, a club; calendars have the days of lists with their cut-offs, and the
registered tournaments; each in every language, by its address.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import quote
from uuid import NAMESPACE_URL, UUID, uuid5

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from sqlalchemy import Connection

from arpad.explain.words import MINUS, Words, load_words
from arpad.model.canonical_json import load
from arpad.model.clubs import UnitKind
from arpad.model.errors import NoEdition
from arpad.model.rules import Fact, ListName
from arpad.office.clubs.rows import open_units
from arpad.office.editions.acts import chess_rules
from arpad.office.lists.rows import all_publications
from arpad.office.mails import mail_is_set_up
from arpad.office.notices.acts import (
    CONFIRM_DAYS,
    KINDS,
    Followed,
    ask_to_follow,
    change_follow,
    followed,
    follower_page,
)
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
from arpad.office.register.number_rows import merge_targets_of, public_player
from arpad.office.registrations.rows import registered_events
from arpad.office.reports.tables import REGISTERED
from arpad.office.reports.tournament_names import public_event_names
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.publishing.atom import MEDIA_TYPE, Feed, FeedEntry, write_atom
from arpad.publishing.calendar_file import MEDIA_TYPE as CALENDAR_TYPE
from arpad.publishing.calendar_file import CalendarDay, write_calendar
from arpad.publishing.list_pdf import checkpoint_line
from arpad.regulations.calendar import half_year_end, is_list_day
from arpad.regulations.fide.rules import add_months
from arpad.regulations.systems import system_of
from arpad.reports.event_facts import facts_from
from arpad.store import ledger
from arpad.store.settings import kept_list, kept_lists, read_setting
from arpad.web.cache import not_modified
from arpad.web.cookies import ONE_CLICK, done_cookie
from arpad.web.forms import act_and_redirect, form_texts
from arpad.web.reader import COSTLY, PUBLIC, language_of, words_for
from arpad.web.requests import Refused, WebRequest, client_address, read_form, require_office
from arpad.web.site_settings import settings_of, site_address
from arpad.web.templates import page

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


MONTHS_BEFORE, MONTHS_AFTER = 6, 12


@dataclass(frozen=True, slots=True)
class ListDay:
    """A day on which a list is published, and the last day on which an event for it may end."""

    list: ListName
    day: date
    cutoff: date
    official_cutoff: date
    """The same for an official event."""

    article: str
    """The article of the cut-off; empty if the edition has none."""


def list_days(connection: Connection, today: date) -> list[ListDay]:
    """Return the days of all lists that the office keeps, from half a year ago to a year ahead."""
    kept = {publication.list for publication in all_publications(connection)}
    first = add_months(today.replace(day=1), -MONTHS_BEFORE)
    last = add_months(today.replace(day=1), MONTHS_AFTER)
    return [
        day
        for name in kept_lists(connection)
        if name in kept
        for day in _days_of(connection, name, first, last)
    ]


def _days_of(connection: Connection, name: ListName, first: date, last: date) -> Iterator[ListDay]:
    """Yield the days of a list: those of its editions, half-years in draughts, every month on a list of our own."""
    half_years = not name.is_own and system_of(name).rates_again
    day = half_year_end(first) if half_years else first
    while day <= last:
        if half_years or name.is_own:
            yield ListDay(name, day, day, day, "")
        else:
            yield from _chess_day(connection, name, day)
        day = half_year_end(day, after=True) if half_years else add_months(day, 1)


def _chess_day(connection: Connection, name: ListName, day: date) -> Iterator[ListDay]:
    """Yield the day if the edition in force makes a list on it."""
    with suppress(NoEdition):
        rules = chess_rules(connection, name, day)
        if is_list_day(day, rules):
            cutoff = day - timedelta(days=rules.cutoff_days.value)
            official = day - timedelta(days=rules.official_cutoff_days.value)
            yield ListDay(name, day, cutoff, official, rules.cutoff_days.article)


def calendar_revised(connection: Connection) -> str:
    """Return when the calendar changed last: with an edition, or with the office itself."""
    changed = [
        act for verb in ("adopt-edition", "revoke-edition") for act in ledger.acts_of(connection, verb)
    ]
    return max(changed, key=lambda act: act.seq).at if changed else ledger.act(connection, 1).at


MOST_TOURNAMENTS = 1000
"""The latest ones; calendar programs refuse files of several megabytes."""


@get("/calendars/{language:str}/lists.ics", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def lists_calendar(request: WebRequest, language: FromPath[str]) -> Response[Any]:
    """Return the calendar of list days and cut-offs."""
    office, words = require_office(request), words_of_address(request, language)
    with office.store.reading() as connection:
        identity, revised = office_id(connection), calendar_revised(connection)
        days = list_days(connection, today(office, connection))
        publisher = read_setting(connection, "name") or "Arpad"
    site = site_address(request)

    def entry(item: ListDay, kind: str, day: date) -> CalendarDay:
        facts: dict[str, Fact] = {
            "list": list_name(words, item.list),
            "day": item.day,
            "article": item.article,
        }
        description = words.text(f"news.calendar-{kind}-about", **facts) if kind != "list" else ""
        return CalendarDay(
            f"{kind}-{item.list}-{item.day}-{language}@{identity}", revised, day, day,
            words.text(f"news.calendar-{kind}", **facts), description, address=f"{site}/lists/{item.list}",
        )  # fmt: skip

    entries = []
    for item in days:
        entries.append(entry(item, "list", item.day))
        if item.article:
            entries.append(entry(item, "cutoff", item.cutoff))
        if item.official_cutoff != item.cutoff:
            entries.append(entry(item, "official-cutoff", item.official_cutoff))
    name = words.text("news.calendar-lists", office=publisher)
    return published_bytes(request, write_calendar(name, language, entries), CALENDAR_TYPE)


@get("/calendars/{language:str}/tournaments.ics", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def tournaments_calendar(request: WebRequest, language: FromPath[str]) -> Response[Any]:
    """Return the calendar of registered tournaments."""
    office, words = require_office(request), words_of_address(request, language)
    with office.store.reading() as connection:
        identity = office_id(connection)
        events = registered_events(connection)[-MOST_TOURNAMENTS:]
        names = public_event_names(connection, events)
        acts = ledger.some_acts(connection, [event["act"] for event in events])
        publisher = read_setting(connection, "name") or "Arpad"
    entries = [
        CalendarDay(
            f"tournament-{event['id']}@{identity}", acts[event["act"]].at, date.fromisoformat(event["first_day"]),
            date.fromisoformat(event["last_day"]), names[event["id"]] or words.text("page.untitled"),
            description="\n".join(facts_from(load(event["facts"])).schedule),
            location=", ".join(part for part in (event["city"], event["federation"]) if part),
            cancelled=event["state"] != REGISTERED,
        )
        for event in events
    ]  # fmt: skip
    name = words.text("news.calendar-tournaments", office=publisher)
    return published_bytes(request, write_calendar(name, language, entries), CALENDAR_TYPE)


NOT_KEPT = {"Cache-Control": "private, no-store", "X-Robots-Tag": "noindex"}
VERBS = ("confirm", "end", "language", "forget")


def _thing(request: WebRequest, kind: str, target: str) -> tuple[Followed, bool]:
    """Return what a visitor wants to follow, and whether the office can send mails."""
    office = require_office(request)
    with office.store.reading() as connection:
        thing = followed(connection, words_for(request), kind, target, office)
        if thing is None:
            raise Refused(404, "no-page")
        return thing, mail_is_set_up(connection)


@get("/follow", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def form(request: WebRequest, kind: FromQuery[str] = "", target: FromQuery[str] = "") -> Response[str]:
    """Show the form to follow a player, a club or a list by mail."""
    thing, by_mail = _thing(request, kind, target)
    return page(
        request, "notices/follow_form.html", headers=NOT_KEPT, thing=thing, by_mail=by_mail, asked=False
    )


@post("/follow", opt=PUBLIC | COSTLY, include_in_schema=False, status_code=200)
async def ask(request: WebRequest) -> Response[str]:
    """Send the mail that asks for a confirmation; the answer is the same for every address."""
    texts = await form_texts(request)

    def form_page(*, asked: bool = False) -> Response[str]:
        thing, by_mail = _thing(request, texts.get("kind", ""), texts.get("target", ""))
        if asked:
            ask_to_follow(
                require_office(request), texts.get("address", ""), thing, language=language_of(request),
                network=client_address(request),
            )  # fmt: skip
        return page(
            request, "notices/follow_form.html", headers=NOT_KEPT, thing=thing, by_mail=by_mail, asked=asked,
            days=CONFIRM_DAYS,
        )  # fmt: skip

    return await act_and_redirect(request, partial(form_page, asked=True), form_page)


@get("/follow/{token:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def own_page(request: WebRequest, token: FromPath[str]) -> Response[str]:
    """Show what an address follows to the person who has the link from a mail to it."""
    shown = follower_page(require_office(request), token[:60], words_for(request))
    return page(
        request, "notices/followed.html", headers=NOT_KEPT, status=200 if shown else 404, shown=shown,
        languages=[(name, load_words(name).text("form.language")) for name in settings_of(request).languages],
    )  # fmt: skip


@post("/follow/{token:str}", opt=PUBLIC | {ONE_CLICK: True}, include_in_schema=False, status_code=200)
async def unsubscribe(request: WebRequest, token: FromPath[str]) -> Response[str]:
    """Delete an address with everything it follows, asked for by a mail program with one click (RFC 8058)."""
    form = await read_form(request)
    if form.get("List-Unsubscribe") != "One-Click":
        raise Refused(403, "form-expired")
    await sync_to_thread(change_follow, require_office(request), token[:60], "forget", "", "")
    return Response("\n", media_type="text/plain", headers=NOT_KEPT)


@post("/follow/{token:str}/{verb:str}", opt=PUBLIC, include_in_schema=False, status_code=200)
async def change(request: WebRequest, token: FromPath[str], verb: FromPath[str]) -> Response[Any]:
    """Confirm or end a follow, choose the language, or delete the address."""
    texts = await form_texts(request)
    kind, language = texts.get("kind", ""), texts.get("language", "")
    known = verb in VERBS and (verb not in VERBS[:2] or kind in KINDS)
    if not known or (verb == "language" and language not in settings_of(request).languages):
        raise Refused(404, "no-page")

    def act() -> Response[Any]:
        target = texts.get("target", "")[:20]
        exists = change_follow(require_office(request), token[:60], verb, kind, target, language)
        if exists:
            said = words_for(request).text(f"follow.done-{verb}")
            return Redirect(f"/follow/{token[:60]}", status_code=303, cookies=[done_cookie(request, said)])
        return page(request, "notices/followed.html", headers=NOT_KEPT, shown=None, languages=())

    return await sync_to_thread(act)
