"""The home page, the pages about privacy and about verifying a list, the logo, and the pictures of shared addresses."""

import os
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from sqlalchemy import Connection

from arpad.explain.cards import shared_picture
from arpad.explain.words import Words, capitalized
from arpad.model.rules import ListName
from arpad.office.backup.acts import KEEP, parse_kept
from arpad.office.drafts.procedures import closing_day, next_list_day
from arpad.office.lists import published as published_lists
from arpad.office.lists.page_rows import snapshot
from arpad.office.lists.published import ChangedPlayer, RankedPlayer
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import PUBLISHED
from arpad.office.office import today
from arpad.office.parts import shown_running, upcoming_events
from arpad.office.reports.page_rows import accepted_reports, activity
from arpad.office.reports.rows import unrated_reports
from arpad.office.settings.logo import read_logo
from arpad.office.settings.retention import retention_rows
from arpad.store.bulk import kept
from arpad.store.settings import read_setting
from arpad.web.cache import fresh_headers, settings_headers
from arpad.web.cards import tournament_facts
from arpad.web.reader import COSTLY, PUBLIC, page_words, words_for
from arpad.web.requests import Refused, WebRequest, office_of, require_office
from arpad.web.site_settings import settings_of
from arpad.web.templates import YEAR_SECONDS, page
from arpad.worker.kinds import BACKUPS

BEST = 5
LATEST = 6
"""Players of each list, movers, and tournaments that the home page shows."""


@get("/", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def home(request: WebRequest) -> Response[str]:
    """Show the lists in force with their days, the search, movers, and tournaments."""
    office = office_of(request)
    if office is None:
        return page(request, "home.html")
    with office.store.reading() as connection:
        day = today(office, connection)
        current = published_lists.lists_in_force(office, connection)
        latest, _ = accepted_reports(connection, 1, LATEST)
        unrated = unrated_reports(connection)
        coming = upcoming_events(connection, day, LATEST)
        in_progress = shown_running(connection, LATEST)
        cuts = {name: published_lists.first_cut(connection, name) for name in current}
        done = activity(connection, f"{day.replace(day=1, year=day.year - 1)}")
        parts = (
            done,
            *(p.digest for p in current.values()),
            *cuts.values(),
            *((f.id, f.id in unrated) for f in latest),
            *(f"{event['id']}-{event['act']}" for event in coming),
            day,
            *(item.tournament.digest for item in in_progress),
            snapshot(connection).hidden_version,
        )
        headers = fresh_headers(request, "home", *parts)
        best = kept(connection, ("best", *cuts.values(), day), lambda: _best(connection, current, cuts))
        sizes = {p.id: published_lists.list_size(p) for p in current.values()}
        key = (*(p.digest for p in current.values()), day)
        months = kept(connection, ("months", *key), lambda: _months(connection, current, day))
        moved = kept(connection, ("moved", *key), lambda: _movers(connection, current))
    return page(
        request, "home.html", headers=headers, current=current, sizes=sizes, best=best, months=months,
        activity=done, today=day, moved=moved, latest=latest, unrated=unrated, coming=coming, in_progress=in_progress,
    )  # fmt: skip


def _best(
    connection: Connection, current: Mapping[ListName, Publication], cuts: Mapping[ListName, str]
) -> dict[ListName, tuple[RankedPlayer, ...]]:
    """Return the first players of each list: those of the office's own federation, if the list is about them."""
    return {
        name: top.rows
        for name, publication in current.items()
        if (
            top := published_lists.ranking(connection, publication, cuts[name], 1, most=BEST)
            or published_lists.ranking(connection, publication, published_lists.ACTIVE, 1, most=BEST)
        )
        is not None
    }


def _months(
    connection: Connection, current: Mapping[ListName, Publication], day: date
) -> dict[tuple[date, date, date], list[ListName]]:
    """Return the lists by their day, the day of the next one, and the last day of tournaments that are in time."""
    months: dict[tuple[date, date, date], list[ListName]] = {}
    for name, publication in current.items():
        following = next_list_day(connection, name, publication, day)
        days = publication.day, following, closing_day(connection, name, following)
        months.setdefault(days, []).append(name)
    return months


def _movers(
    connection: Connection, current: Mapping[ListName, Publication]
) -> tuple[Publication, list[ChangedPlayer], list[RankedPlayer]] | None:
    """Return the first list with a change since the list before it, who moved most, and who is new."""
    for publication in current.values():
        before = published_lists.previous_publication(connection, publication)
        if before is None:
            continue
        moved = published_lists.movers(connection, before, publication, LATEST)
        newcomers = published_lists.first_rated(connection, before, publication, LATEST)
        if moved or newcomers:
            return publication, moved, newcomers
    return None


@get("/privacy", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def privacy(request: WebRequest) -> Response[str]:
    """Say what the site shows of players, in the words of the office and in ours."""
    office = office_of(request)
    text, words = "", words_for(request)
    if office is None:
        rows = retention_rows(None, words, _backups(words))
    else:
        with office.store.reading() as connection:
            text, rows = (
                read_setting(connection, "privacy"),
                retention_rows(connection, words, _backups(words)),
            )
    return page(
        request, "privacy.html", paragraphs=[line for line in text.splitlines() if line], retention=rows
    )


def _backups(words: Words) -> str:
    """Return how long the nightly backups of this server are kept; empty if it makes none."""
    if not os.environ.get(BACKUPS):
        return ""
    return words.text("retention.backups-nightly", **parse_kept(os.environ.get(KEEP, ""))._asdict())


@get("/logo", opt={**PUBLIC, "any_password": True}, include_in_schema=False, sync_to_thread=True)
def logo(request: WebRequest) -> Response[bytes]:
    """Return the federation's logo; under the address with its digest it never changes."""
    with require_office(request).store.reading() as connection:
        image = read_logo(connection)
    if image is None:
        raise Refused(404, "no-page")
    fixed = request.query_params.get("v") == image.digest
    keep = f"public, max-age={YEAR_SECONDS}, immutable" if fixed else "public, max-age=300"
    return Response(image.data, headers={"Cache-Control": keep}, media_type=image.type)


@get("/verify", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def how_to_verify(request: WebRequest) -> Response[Any]:
    """Explain how anybody can recompute a list."""
    office = office_of(request)
    example = None
    if office is not None:
        with office.store.reading() as connection:
            current = published_lists.lists_in_force(office, connection)
            example = next((p for p in current.values() if p.kind == PUBLISHED), None)
    headers = settings_headers(request, example.digest if example else "")
    return page(request, "verify.html", headers=headers, example=example)


FIRST = 3
"""Players whom a picture names."""


def _drawn(
    request: WebRequest, name: str, about: str, figures: Sequence[tuple[str, str]], *version: object
) -> Response[Any]:
    """Return the picture with these words, unless the reader has it."""
    words, foot = page_words(request), settings_of(request).name
    headers = fresh_headers(request, "shared", name, about, figures, foot, *version)
    content = shared_picture(name, about, figures, (), foot if foot != name else "", words.language)
    return Response(content, headers=headers, media_type="image/png")


@get("/picture.png", opt=PUBLIC | COSTLY, include_in_schema=False, sync_to_thread=True)
def of_home(request: WebRequest) -> Response[Any]:
    """Return the picture of the office: the players of each list in force."""
    office, words = require_office(request), page_words(request)
    with office.store.reading() as connection:
        current = published_lists.lists_in_force(office, connection)
    sizes = [
        (capitalized(words.text(f"site.list-{name}")), words.count(published_lists.list_size(publication)))
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
