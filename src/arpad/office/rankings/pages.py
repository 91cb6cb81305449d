"""The pages of lists: by date, page by page, corrections, downloads."""

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import count, takewhile
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromPath
from markupsafe import Markup
from sqlalchemy import Connection

from arpad.explain.cards import STYLE_DIGEST
from arpad.explain.pictures import Mark, distribution
from arpad.explain.words import Words
from arpad.lists.canonical import parse_head, parse_line
from arpad.lists.compute import compute_list
from arpad.lists.cuts import RANKED
from arpad.lists.rankings import BAND, PAGE
from arpad.model.age_groups import AgeDay, AgeGroup
from arpad.model.draughts import Category
from arpad.model.errors import BadInput, Missing
from arpad.model.rules import ListName
from arpad.office.drafts.load_inputs import inputs_of
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import page_rows as rankings
from arpad.office.lists import published as published_lists
from arpad.office.lists.history_rows import public_list
from arpad.office.lists.ownership import ownership
from arpad.office.lists.page_rows import published_ratings, rating_ages, rating_counts, snapshot
from arpad.office.lists.published import ACTIVE, Ranking, asked_list
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import PUBLISHED
from arpad.office.office import Office
from arpad.office.parts import has_categories, live_lists_shown
from arpad.office.proof.checkpoints import checkpoint_behind, publication_proof
from arpad.office.rankings import files as list_making
from arpad.office.rankings.acts import OF_BUNDLES
from arpad.office.rankings.highlights import Highlight, highlights, ranking_csv, ranking_picture
from arpad.office.rankings.selection import MOVERS, OURS, TITLED, ListQuery, asked_ranking, choices
from arpad.office.rankings.trends import TREND_YEARS, Ages, ages_of, trends
from arpad.office.register import number_rows as hidden_players
from arpad.proofs.checkpoints import parse_checkpoint
from arpad.publishing.bundle import bundle_bytes
from arpad.publishing.list_pdf import checkpoint_line
from arpad.regulations.systems import system_of
from arpad.store import ledger
from arpad.store.settings import kept_lists, read_setting
from arpad.web import cache
from arpad.web.cache import fresh_headers
from arpad.web.reader import COSTLY, PUBLIC, page_words, permitted_office, staff_user, user_of, words_for
from arpad.web.requests import Refused, WebRequest, page_number, require_office, saved_as
from arpad.web.site_settings import settings_of
from arpad.web.templates import page

MOST_MOVERS = 50
MOST_REGIONS = 12
"""Regions that have a tab."""

TITLES = ("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM")
"""The titles by which a chess list is filtered."""


@get("/lists", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def all_lists(request: WebRequest) -> Response[Any]:
    """Show every list by name and date, with corrections."""
    office = require_office(request)
    with office.store.reading() as connection:
        head, live = snapshot(connection).head, live_lists_shown(connection)
        current = published_lists.lists_in_force(office, connection)
        headers = fresh_headers(request, "lists", head, [p.id for p in current.values()], live)
        by_name: dict[ListName, list[Publication]] = {}
        for publication in published_lists.shown_publications(connection):
            by_name.setdefault(publication.list, []).insert(0, publication)
        sizes = {
            p.id: published_lists.list_size(p) for publications in by_name.values() for p in publications
        }
        taken_back = published_lists.lists_taken_back(connection)
        kept = kept_lists(connection)
    ordered = {name: by_name[name] for name in kept if name in by_name}
    return page(
        request, "rankings/lists.html",
        headers=headers, by_name=ordered, current=current, sizes=sizes, taken_back=taken_back,
        live=live,
    )  # fmt: skip


@get("/lists/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def one_list(request: WebRequest, name: FromPath[str]) -> Response[Any]:
    """Show a list: a cut, filtered and sorted, page by page; its distribution; movers; downloads."""
    office = require_office(request)
    asked = ListQuery.of(request.query_params)
    number, row = _place(request.query_params)
    with office.store.reading() as connection:
        publication = asked_list(office, connection, name)
        owned = ownership(connection, publication.list) is not None
        if owned and not asked.parameters:
            asked = replace(asked, cut=OURS)
        before = published_lists.previous_publication(connection, publication)
        revisions = [
            p
            for p in published_lists.shown_publications(connection, publication.list)
            if p.day == publication.day
        ]
        related = [p.id for p in (before, *revisions) if p is not None]
        version = snapshot(connection).hidden_version
        entered = "" if asked.is_stored else snapshot(connection).head
        entered += files_version(connection, publication)
        headers = fresh_headers(request, publication.digest, asked, number, row, related, version, entered)
        here = _rating_of(connection, publication, asked.here)
        if asked.here is not None and here is not None and "page" not in request.query_params:
            number = page_of(connection, publication, asked, here)
        movers, ranking = None, None
        if asked.cut == MOVERS:
            if before is None:
                raise Missing("no-list-here")
            movers = published_lists.movers(connection, before, publication, MOST_MOVERS)
        else:
            ranking = asked_ranking(connection, publication, asked, number, before)
        context: dict[str, Any] = {
            "choices": choices(connection, publication.day),
            "national": has_categories(connection, publication.list, publication.day),
            "federations": rankings.federations(connection, publication.id),
            "checkpoint": _checkpoint(request, connection, publication),
            "curves": trends(connection, publication, ranking.rows) if ranking else {},
            "years": TREND_YEARS,
            "ages": _ages(request, connection, publication, asked, here),
            "counts": {
                cut: rankings.ranking_size(connection, publication.id, cut) for cut in (ACTIVE, "all")
            },
        }

    def address(to: int) -> str:
        return f"/lists/{publication.name}?{urlencode({**asked.parameters, 'page': to})}"

    system = system_of(publication.list)
    return page(
        request, "rankings/list.html", headers=headers, publication=publication, asked=asked, cut=_shown_cut(asked),
        ranking=ranking, movers=movers, before=before, revisions=revisions, here=here,
        size=published_lists.list_size(publication), address=address,
        cuts=_cuts(publication.list, owned=owned, moved=before is not None),
        spread=_picture(request, publication, ranking, here) if ranking else "",
        titles=tuple(Category) if system.has_categories else (TITLED, *TITLES),
        row_asked=row, by_tab=_by_tab(asked), most_regions=MOST_REGIONS,
        born_in=lambda group: _born_in(group, publication, context["choices"].age_day, page_words(request)),
        system_columns=parse_head(publication.head).columns, draughts=system.has_categories,
        own=publication.kind == PUBLISHED, band=BAND, **context,
    )  # fmt: skip


def _cuts(on_list: ListName, *, owned: bool, moved: bool) -> tuple[str, ...]:
    """Return the tabs of a list; the lists of rating systems do not show the sex."""
    ranked = [cut for cut in RANKED if cut != "women" or not on_list.is_own]
    return (*((OURS,) if owned else ()), *ranked, *((MOVERS,) if moved else ()))


def _place(query: Mapping[str, str]) -> tuple[int, int]:
    """Return the page that an address asks for, and the row of the rank on it that it asks for; 0 for none."""
    if "rank" not in query:
        return page_number(query.get("page", "1")), 0
    page_before, row_before = divmod(max(page_number(query["rank"]), 1) - 1, PAGE)
    return page_before + 1, row_before + 1


def _by_tab(asked: ListQuery) -> bool:
    """Return whether a tab of the page leads to what is asked: an age group or a region alone."""
    return len(asked.parameters) == 1 and bool(asked.group or asked.region)


def _born_in(group: AgeGroup, publication: Publication, day: AgeDay, words: Words) -> str:
    """Return the years of birth of an age group on the day of a list."""
    year = publication.day.year - group.years
    if group.under:
        return words.text("site.born-from", year=year + (day == AgeDay.LAST))
    return words.text("site.born-until", year=year - (day == AgeDay.FIRST))


def _checkpoint(request: WebRequest, connection: Connection, publication: Publication) -> str:
    """Return the checkpoint behind a publication in a line, as its PDF has it; empty if there is none."""
    note = checkpoint_behind(connection, publication.act)
    return checkpoint_line(parse_checkpoint(note), page_words(request)) if note else ""


def _rating_of(connection: Connection, publication: Publication, player: int | None) -> int | None:
    """Return the rating of the player at whom the picture points; None for nobody and for hidden players."""
    if player is None or player in hidden_players.hidden(connection):
        return None
    return published_ratings(connection, publication.id, [player]).get(player)


def page_of(connection: Connection, publication: Publication, asked: ListQuery, rating: int) -> int:
    """Return the page of the active players on which the one at whom the picture points is; 1 in other rankings."""
    if not asked.is_stored or asked.federation or asked.cut not in ("", ACTIVE):
        return 1
    rank = rating_counts(connection, publication).rank(rating)
    pages = (
        (number, rankings.ranking_page(connection, publication.id, ACTIVE, number))
        for number in count(1 + (rank - 1) // PAGE)
    )
    # equal ratings share a rank and may fill more than a page
    listed = takewhile(lambda item: item[1].players and item[1].rank <= rank, pages)
    return next((number for number, shown in listed if asked.here in shown.players), 1)


def _picture(request: WebRequest, publication: Publication, ranking: Ranking, here: int | None) -> Markup:
    """Return the distribution of the ratings of a ranking, which points at the rating of a player."""
    words = page_words(request)
    name = words.text(f"site.list-{publication.list}")
    key = "spread-of-capitals" if system_of(publication.list).has_categories else "spread-of"
    title = words.text(f"site.{key}", list=name, day=publication.day)
    mark = None if here is None else Mark(here, words.text("site.you-are-here", rating=here))
    inside = mark is not None and here is not None and here // BAND * BAND in ranking.bands
    drawn = distribution(title, ranking.bands, mark if inside else None, least=BAND)
    return Markup(drawn)  # noqa: S704  a picture of our own, whose texts are escaped


def _ages(
    request: WebRequest, connection: Connection, publication: Publication, asked: ListQuery, here: int | None
) -> Ages | None:
    """Return the ratings by age, if the page shows all active players; their picture points at one of them."""
    if not asked.is_stored or asked.federation or asked.cut not in ("", ACTIVE):
        return None
    spreads = rating_ages(connection, publication, hidden_players.hidden(connection))
    age = None
    if asked.here is not None and here is not None:
        line = list_rows.lines(connection, publication.id, [asked.here])[asked.here]
        born = parse_line(line, own=publication.list.is_own).born
        age = None if born is None else publication.day.year - born
    return ages_of(publication, spreads, page_words(request), None if age is None else (age, here or 0))


def _shown_cut(asked: ListQuery) -> str:
    """Return the tab of a list that is open; none if a federation's own list is shown."""
    return asked.cut or ("" if asked.federation and asked.is_stored else ACTIVE)


@get("/rankings/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def short_rankings(request: WebRequest, name: FromPath[str]) -> Response[Any]:
    """Show the short rankings of a list."""
    office = require_office(request)
    with office.store.reading() as connection:
        current = published_lists.lists_in_force(office, connection)
        publication = asked_list(office, connection, name)
        headers = fresh_headers(
            request, "rankings", publication.digest, [*current], snapshot(connection).head
        )
        shown = highlights(connection, publication)
    return page(
        request, "rankings/rankings.html", headers=headers, publication=publication, lists=[*current],
        highlights=shown, heading=lambda item: _heading(item, page_words(request)),
    )  # fmt: skip


def _heading(item: Highlight, words: Words) -> str:
    """Return the heading of a short ranking; an age group has its label."""
    key = f"ranking.{item.name}"
    group = re.fullmatch(r"([us])(\d+)", item.name)
    if group is not None:
        return AgeGroup(group[1] == "u", int(group[2])).label
    return words.text(key, day=item.since) if item.since else words.text(key)


@get("/rankings/{name:str}/{file:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def ranking_file(request: WebRequest, name: FromPath[str], file: FromPath[str]) -> Response[Any]:
    """Return a short ranking as CSV, or as a picture to print."""
    office, words = require_office(request), page_words(request)
    asked, _, kind = file.rpartition(".")
    with office.store.reading() as connection:
        publication = asked_list(office, connection, name)
        item = next((it for it in highlights(connection, publication) if it.name == asked), None)
        if item is None or kind not in ("csv", "svg"):
            raise Refused(404, "no-page")
        saved = {"Content-Disposition": saved_as(f"{publication.name}-{file}")}
        headers = fresh_headers(request, publication.digest, file, snapshot(connection).head, others=saved)
    if kind == "csv":
        return Response(ranking_csv(item, words), headers=headers, media_type=FILE_TYPES["csv"])
    list_name = words.text(f"site.list-{publication.list}")
    about = words.text("ranking.title", list=list_name, day=publication.day)
    headers["Content-Security-Policy"] = f"default-src 'none'; style-src '{STYLE_DIGEST}'"
    picture = ranking_picture(item, _heading(item, words), about, settings_of(request).name, words)
    return Response(picture, headers=headers, media_type="image/svg+xml")


@get("/lists/{name:str}/difference", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def difference(request: WebRequest, name: FromPath[str]) -> Response[Any]:
    """Show a correction: the original and the revised list, player by player."""
    office = require_office(request)
    with office.store.reading() as connection:
        publication = asked_list(office, connection, name)
        by_id = {p.id: p for p in published_lists.shown_publications(connection)}
        corrected = by_id.get(publication.corrects) if publication.corrects is not None else None
        if corrected is None:
            raise Refused(404, "no-correction")
        rows = published_lists.changed_players(connection, corrected, publication)
        reason = ledger.act(connection, publication.act).reason
    return page(
        request,
        "rankings/difference.html",
        publication=publication,
        corrected=corrected,
        rows=rows,
        reason=reason,
    )


@get("/lists/{name:str}/files/{file:str}", opt=PUBLIC | COSTLY, include_in_schema=False, sync_to_thread=True)
def download(request: WebRequest, name: FromPath[str], file: FromPath[str]) -> Response[Any]:
    """Return a file of a list, made from its rows: the same bytes until a player is hidden."""
    office = require_office(request)
    with office.store.reading() as connection:
        publication = asked_list(office, connection, name)
        saved = {"Content-Disposition": _disposition(request, publication, file)}
        if file.endswith(".bundle.zip"):  # it holds the reports as they came, with days of birth in them
            if staff_user(request) is None:
                raise Refused(401 if user_of(request) is None else 403, "bundle-for-members")
            permitted_office(request, OF_BUNDLES)
            headers = {"Cache-Control": "no-store", **saved}
        else:
            version = files_version(connection, publication)
            headers = fresh_headers(request, publication.digest, file, version, others=saved)
        try:
            data = file_bytes(office, connection, publication, file)
        except BadInput as error:
            if error.code != list_making.NO_SUCH_FILE:
                raise
            raise Refused(404, "no-page") from None
    return Response(data, headers=headers, media_type=_kind(file))


def _disposition(request: WebRequest, publication: Publication, file: str) -> str:
    """Return how a file of a list is saved: a PDF under the federation's name, the others under their own."""
    if not file.endswith(".pdf"):
        return "attachment"
    words = words_for(request)
    named = (
        settings_of(request).name,
        words.text(f"site.list-{publication.list}"),
        words.day(publication.day),
    )
    return saved_as(f"{' - '.join(filter(None, named))}.pdf")


def files_version(connection: Connection, publication: Publication) -> str:
    """Return a text that changes if the files of a list do: with hidden or owned players, and national categories."""
    now = snapshot(connection)
    entered_later = has_categories(connection, publication.list, publication.day) or (
        ownership(connection, publication.list) is not None
    )
    return f"{now.hidden_version}-{now.head}" if entered_later else now.hidden_version


FILE_TYPES = {
    "txt": "text/plain",
    "xml": "application/xml",
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "checkpoint": "text/plain; charset=utf-8",
    "pdf": "application/pdf",
    "zip": "application/zip",
}


def _kind(file: str) -> str:
    return FILE_TYPES.get(file.rpartition(".")[2], "application/octet-stream")


def file_bytes(office: Office, connection: Connection, publication: Publication, file: str) -> bytes:
    """Return the bytes of a file; only the file names of the list exist."""
    version = files_version(connection, publication)
    cache.keep_files_for(snapshot(connection).hidden_version)
    note = checkpoint_behind(connection, publication.act)
    of = publication.digest, publication.inputs_digest, file, version, note.written() if note else ""
    if file == f"{publication.name}.canonical.txt":
        return public_list(connection, publication).text
    if file == f"{publication.name}.checkpoint" and note is not None:
        return note.written().encode()
    if file == f"{publication.name}.bundle.zip" and publication.kind == PUBLISHED:
        inputs = inputs_of(connection, publication)
        return bundle_bytes(inputs, compute_list(inputs), publication_proof(connection, publication))
    if file == f"{publication.name}.public.zip" and publication.kind == PUBLISHED:
        return cache.cached_file(
            lambda: list_making.make_list_file(office, connection, publication, file, ""), *of
        )
    if file.rpartition(".")[2] in list_making.KINDS and file.startswith(publication.name):
        publisher = read_setting(connection, "name")
        return cache.cached_file(
            lambda: list_making.make_list_file(office, connection, publication, file, publisher),
            *of,
            publisher,
        )
    raise Refused(404, "no-page")
