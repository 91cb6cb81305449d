"""What everybody may see of an office: home, search, players, lists, tournaments, how to verify a list."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from hashlib import sha256
from threading import Lock
from typing import Any
from urllib.parse import urlencode

from litestar import Request, Response, get
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect
from sqlalchemy import Connection

from arpad import accounts
from arpad.exact import decimal_text, from_hundredths
from arpad.explain import Words
from arpad.formats import read_report
from arpad.list_files import list_files
from arpad.model import ListName
from arpad.office.closing import year
from arpad.office.desk import Office, setting, today
from arpad.office.register import find_players, known_player
from arpad.published import DRAUGHTS
from arpad.regulations import CHESS, in_force
from arpad.store import register
from arpad.store import reports as report_rows
from arpad.store.lists import PUBLISHED, Publication
from arpad.store.register import Person
from arpad.store.values import load, to_finding, to_step
from arpad.web import queries
from arpad.web.access import PUBLIC, office_of, user_of
from arpad.web.chart import progress
from arpad.web.errors import Refused
from arpad.web.language import say_of
from arpad.web.pages import page

SIGNS = {
    "1": "1",
    "=": "½",
    "0": "0",
    "+": "+",
    "-": "−",
    "W": "1",
    "D": "½",
    "L": "0",
    "H": "½",
    "F": "1",
    "U": "1",
}
DRAUGHTS_SIGNS = {"1": "2", "=": "1", "0": "0", "+": "+", "-": "−", "W": "+", "D": "=", "L": "−"}
MOST_FOUND = 50
"""Players shown for a search."""


def office_here(request: Request[Any, Any, Any]) -> Office:
    """The office, or a sentence that none is open here."""
    office = office_of(request)
    if office is None:
        raise Refused(404, "no-office-here")
    return office


def cached(request: Request[Any, Any, Any], *parts: object) -> tuple[dict[str, str], bool]:
    """Headers for something published, and whether the reader has it already."""
    told = "|".join(map(str, (say_of(request).language, *parts)))
    etag = f'"{sha256(told.encode()).hexdigest()[:24]}"'
    headers = {"ETag": etag, "Cache-Control": "public, max-age=60", "Vary": "Accept-Language, Cookie"}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    return headers, etag in known and user_of(request) is None and "lang" not in request.query_params


_MOST_KEPT = 512
_kept: OrderedDict[tuple[str, str], str] = OrderedDict()
_kept_lock = Lock()


def remembered(request: Request[Any, Any, Any], headers: dict[str, str]) -> Response[str] | None:
    """A page of published data as it was rendered before; only for visitors, whose pages are all alike."""
    if user_of(request) is not None or "lang" in request.query_params:
        return None
    with _kept_lock:
        html = _kept.get((str(request.url), headers["ETag"]))
    return Response(html, headers=headers, media_type="text/html") if html is not None else None


def remember(request: Request[Any, Any, Any], made: Response[str]) -> Response[str]:
    """Keep a page for the next visitor, where it may be kept."""
    if user_of(request) is None and "ETag" in made.headers and not made.cookies:
        with _kept_lock:
            _kept[str(request.url), made.headers["ETag"]] = made.content
            while len(_kept) > _MOST_KEPT:
                _kept.popitem(last=False)
    return made


def not_modified(headers: dict[str, str]) -> Response[Any]:
    """The reader has it already."""
    return Response(None, status_code=304, headers=headers)


def visible(connection: Connection, number: int) -> Person:
    """A player who may be shown; somebody merged into another is found under that one."""
    if number in accounts.hidden(connection) or number not in register.people(connection, [number]):
        raise Refused(404, "no-player")
    return known_player(connection, number)


# ------------------------------------------------------------------------------------------------ home, search


@get("/", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def home(request: Request[Any, Any, Any]) -> Response[str]:
    """The lists in force and a place to look yourself up."""
    office = office_of(request)
    if office is None:
        return page(request, "home.html", name="", current={}, sizes={}, best={}, latest=[], next_day=None)
    with office.store.reading() as connection:
        current = queries.in_force(office, connection)
        latest, _ = queries.tournaments(connection, 1, 6)
        told = (
            *(p.digest for p in current.values()),
            *(f.id for f in latest),
            sorted(accounts.hidden(connection)),
        )
        headers, known = cached(request, "home", *told)
        if known:
            return not_modified(headers)
        if (before := remembered(request, headers)) is not None:
            return before
        best = {
            name: found.rows[:5]
            for name, publication in current.items()
            if (found := queries.ranking(office, connection, publication, "top", 1)) is not None
        }
        sizes = queries.list_sizes(current.values())
        name = setting(connection, "name")
    made = page(
        request,
        "home.html",
        headers=headers,
        name=name,
        current=current,
        sizes=sizes,
        best=best,
        latest=latest,
    )
    return remember(request, made)


@get("/players", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def search(request: Request[Any, Any, Any], q: FromQuery[str] = "") -> Response[Any]:
    """Players by name or number; a single one is shown at once."""
    office = office_here(request)
    asked = q.strip()[:100]
    found = find_players(office, asked, MOST_FOUND) if asked else []
    with office.store.reading() as connection:
        away = accounts.hidden(connection)
        people = [person for person in found if person.id not in away]
        rated = {
            name: _ratings(connection, publication, people)
            for name, publication in queries.in_force(office, connection).items()
        }
    if len(people) == 1:
        return Redirect(f"/players/{people[0].id}", status_code=303)
    return page(request, "players.html", asked=asked, people=people, rated=rated, year=year)


def _ratings(connection: Connection, publication: Publication, people: list[Person]) -> dict[int, int | None]:
    lines = queries.lines_of(connection, publication.id, [person.id for person in people])
    return {player: queries.row_of(line).rating for player, line in lines.items()}


# ------------------------------------------------------------------------------------------------------ a player


@get("/players/{number:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def player(request: Request[Any, Any, Any], number: FromPath[int]) -> Response[Any]:
    """A player's ratings, the curve, and every change with its article."""
    office = office_here(request)
    with office.store.reading() as connection:
        person = visible(connection, number)
        kept = register.merged(connection).get(number)
        if kept is not None:
            return Redirect(f"/players/{kept}", status_code=303)
        day = today(office, connection)
        past = queries.history(connection, number, stories=False)
        away = accounts.hidden(connection)
    asked = request.query_params.get("list", "")
    shown = ListName(asked) if asked in tuple(ListName) and asked in past else next(iter(past), None)
    latest = {name: found[-1] for name, found in past.items()}
    headers, known = cached(
        request,
        person,
        shown,
        day,
        sorted(away),
        *((p.publication.digest, p.rating) for p in latest.values()),
    )
    if known:
        return not_modified(headers)
    if (before := remembered(request, headers)) is not None:
        return before
    with office.store.reading() as connection:
        past = queries.history(connection, number)
    now = [p for p in past[shown] if p.publication.day <= day] if shown else []
    say = say_of(request)
    made = page(
        request, "player.html", headers=headers, person=person, away=away, year=year, past=past, shown=shown, now=now,
        cards=[(name, found[-1], queries.since(found)) for name, found in past.items()],
        chart=_chart(past.get(shown, []) if shown else [], say), draughts=DRAUGHTS,
        needs=_needs(shown, past, day), what_if=_what_if(shown, latest, day), half=Fraction,
        to_step=to_step, from_hundredths=from_hundredths,
    )  # fmt: skip
    return remember(request, made)


def _chart(found: list[queries.Point], say: Words) -> Any:
    rated = [
        (p.publication.day, p.rating, f"{say.day(p.publication.day)}: {p.rating}")
        for p in found
        if p.rating is not None
    ]
    return progress(rated)


def _needs(
    shown: ListName | None, past: dict[ListName, list[queries.Point]], day: date
) -> dict[str, Any] | None:
    """What an unrated player still lacks on a chess list: games so far, games needed, the floor."""
    if shown is None or shown in DRAUGHTS or past[shown][-1].rating is not None:
        return None
    rules = in_force(CHESS, shown, day).on(shown)
    told = next((p.story for p in reversed(past[shown]) if p.story and p.story.get("entry")), None)
    entry = told["entry"] if told else None
    return {
        "entry": entry,
        "games": entry["games"] if entry else 0,
        "needed": rules.minimum_games.value,
        "floor": rules.floor.value,
        "edition": in_force(CHESS, shown, day).id,
        "articles": {"games": rules.minimum_games.article, "floor": rules.floor.article},
    }


def _what_if(
    shown: ListName | None, latest: dict[ListName, queries.Point], day: date
) -> dict[str, Any] | None:
    """With which rating, K and edition the next games would be counted."""
    point = latest.get(shown) if shown else None
    if shown is None or shown in DRAUGHTS or point is None or point.rating is None:
        return None
    return {
        "rating": point.rating,
        "k": point.k,
        "edition": in_force(CHESS, shown, day).id,
        "list": str(shown),
    }


# -------------------------------------------------------------------------------------------------------- lists


@get("/lists", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def all_lists(request: Request[Any, Any, Any]) -> Response[Any]:
    """Every list by name and date, corrections included."""
    office = office_here(request)
    with office.store.reading() as connection:
        found: dict[ListName, list[Publication]] = {}
        for publication in queries.shown_publications(connection):
            found.setdefault(publication.list, []).insert(0, publication)
        current = queries.in_force(office, connection)
        sizes = queries.list_sizes([p for some in found.values() for p in some])
    ordered = {name: found[name] for name in ListName if name in found}
    return page(request, "lists.html", found=ordered, current=current, sizes=sizes)


def _publication(office: Office, connection: Connection, name: str) -> Publication:
    """A list by its full name, or the one in force by the name of the list alone."""
    found = queries.one_publication(connection, name)
    if found is None and name in tuple(ListName):
        found = queries.in_force(office, connection).get(ListName(name))
    if found is None:
        raise Refused(404, "no-list-here")
    return found


def number_of(text: str) -> int:
    """A page's number; whatever is none counts as the first."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 1  # noqa: PLR2004


@get("/lists/{name:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def one_list(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[Any]:
    """A list: the top, or a cut from it, page by page; movers; downloads."""
    office = office_here(request)
    cut = request.query_params.get("cut", "top")
    federation = request.query_params.get("federation", "").upper()[:10]
    key = f"federation-{federation}" if federation else cut
    number = number_of(request.query_params.get("page", "1"))
    with office.store.reading() as connection:
        publication = _publication(office, connection, name)
        headers, known = cached(request, publication.digest, key, number, sorted(accounts.hidden(connection)))
        if known:
            return not_modified(headers)
        if (rendered := remembered(request, headers)) is not None:
            return rendered
        before = queries.previous(connection, publication)
        movers = queries.moved(connection, before, publication, most=50) if cut == "movers" and before else []
        found = None if cut == "movers" else queries.ranking(office, connection, publication, key, number)
        if found is None and cut != "movers":
            raise Refused(404, "no-list-here")
        others = [
            p for p in queries.shown_publications(connection, publication.list) if p.day == publication.day
        ]
        clubs = queries.federations(office, connection, publication)
        size = queries.list_sizes([publication])[publication.id]

    def address(to: int) -> str:
        asked = {"federation": federation} if federation else {"cut": cut}
        return f"/lists/{publication.name}?{urlencode({**asked, 'page': to})}"

    made = page(
        request, "list.html", headers=headers, publication=publication, cut="" if federation else cut,
        federation=federation, found=found, movers=movers, before=before, revisions=others,
        federations=clubs, size=size, address=address, cuts=("top", "all", "women", "juniors", "seniors"),
        draughts=publication.list in DRAUGHTS, own=publication.kind == PUBLISHED,
    )  # fmt: skip
    return remember(request, made)


@get("/lists/{name:str}/difference", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def difference(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[Any]:
    """A correction: the original and the revised list, player by player."""
    office = office_here(request)
    with office.store.reading() as connection:
        publication = _publication(office, connection, name)
        by_id = {p.id: p for p in queries.shown_publications(connection)}
        corrected = by_id.get(publication.corrects) if publication.corrects is not None else None
        if corrected is None:
            raise Refused(404, "no-correction")
        rows = queries.moved(connection, corrected, publication, entered=True)
        reason = _reason(connection, publication.act)
    return page(
        request, "difference.html", publication=publication, corrected=corrected, rows=rows, reason=reason
    )


def _reason(connection: Connection, act: int) -> str:
    from arpad.store import ledger

    return next(ledger.acts(connection, act)).reason


@get("/lists/{name:str}/files/{file:str}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def download(request: Request[Any, Any, Any], name: FromPath[str], file: FromPath[str]) -> Response[Any]:
    """One of a list's files, made from its rows: always the same bytes."""
    office = office_here(request)
    with office.store.reading() as connection:
        publication = _publication(office, connection, name)
        headers, known = cached(request, publication.digest, file)
        headers["Content-Disposition"] = "attachment"
        if known and not file.endswith(".zip"):
            return not_modified(headers)
        if file.endswith(".zip") and user_of(request) is None:
            # the bundle holds the reports as they came, with days of birth in them
            raise Refused(401, "bundle-for-members")
        data = file_bytes(connection, publication, file)
    return Response(data, headers=headers, media_type=_kind(file))


FILE_TYPES = {
    "txt": "text/plain; charset=utf-8",
    "xml": "application/xml",
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pdf": "application/pdf",
    "zip": "application/zip",
}


def _kind(file: str) -> str:
    return FILE_TYPES.get(file.rpartition(".")[2], "application/octet-stream")


def file_bytes(connection: Connection, publication: Publication, file: str) -> bytes:
    """The bytes of a file; only names that the list itself gives exist."""
    from io import BytesIO

    from arpad.office.bundle import write_bundle
    from arpad.office.closing import computed
    from arpad.office.lists import canonical_text, published_list
    from arpad.office.publishing import inputs_of

    if file == f"{publication.name}.canonical.txt":
        return canonical_text(connection, publication)
    if file == f"{publication.name}.bundle.zip" and publication.kind == PUBLISHED:
        inputs = inputs_of(connection, publication)
        return write_bundle(inputs, computed(inputs))
    suffix = file.rpartition(".")[2]
    kinds = {"txt": ("txt",), "xml": ("xml",), "csv": ("csv", "sections"), "xlsx": ("xlsx",), "pdf": ("pdf",)}
    if suffix in kinds and file.startswith(publication.name):
        made = list_files(
            published_list(connection, publication), kinds[suffix], publisher=setting(connection, "name")
        )
        for entry in made:
            if entry.name == file:
                stream = BytesIO()
                entry.write(stream)
                return stream.getvalue()
    raise Refused(404, "no-page")


# -------------------------------------------------------------------------------------------------- tournaments


@get("/tournaments", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def all_tournaments(request: Request[Any, Any, Any]) -> Response[Any]:
    """Tournaments that were accepted, the latest first."""
    office = office_here(request)
    number = number_of(request.query_params.get("page", "1"))
    with office.store.reading() as connection:
        found, pages = queries.tournaments(connection, number)
    shown = min(max(1, number), pages)
    return page(
        request, "tournaments.html", found=found, page_number=shown, pages=pages,
        address=lambda to: f"/tournaments?page={to}",
    )  # fmt: skip


@get("/tournaments/{number:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def tournament(request: Request[Any, Any, Any], number: FromPath[int]) -> Response[Any]:
    """A tournament: the cross-table, what the checks said, what it was worth to everyone."""
    office = office_here(request)
    with office.store.reading() as connection:
        filed = report_rows.filed(connection, [number]).get(number)
        if filed is None or filed.status != report_rows.ACCEPTED:
            raise Refused(404, "no-tournament")
        report = read_report(report_rows.data(connection, number), filed.file)
        players = report_rows.players_of(connection, number)
        away = accounts.hidden(connection)
        rated = queries.rated_with(connection, number)
        told = queries.stories(connection, rated[-1].id, players) if rated else {}
    draughts = filed.list in DRAUGHTS
    parts = {player: _part(story, number, draughts=draughts) for player, story in told.items()}
    headers, known = cached(request, number, filed.status, *(p.digest for p in rated), sorted(away))
    if known:
        return not_modified(headers)
    return page(
        request, "tournament.html", headers=headers, filed=filed, report=report, players=players, away=away,
        rated=rated, parts_of=parts, findings=[to_finding(entry) for entry in load(filed.findings)],
        draughts=draughts, sign=lambda result: DRAUGHTS_SIGNS.get(result, "–") if draughts else SIGNS.get(result, "–"),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Part:
    """What one tournament was worth to one player."""

    before: int | None
    after: int | None
    score: Fraction
    expected: Fraction | None
    change: Fraction | None
    rounds: dict[int, dict[str, Any]]


def _part(story: dict[str, Any], report: int, *, draughts: bool) -> Part | None:
    """What a player's story says of one report."""
    of = [event for event in story["events"] if event["event"].partition("/")[0] == str(report)]
    if not of:
        return None
    games = [game for event in of for game in event["games"]]
    counted = [game for game in games if game["counts"]]
    per = 100 if draughts else 1
    told = [Fraction(game["expected"]) / per for game in counted if game["expected"] is not None]
    if draughts:
        before, after = of[0]["capital"], of[-1]["final"]
        change: Fraction | None = Fraction(after - before)
        score = sum((Fraction(game["score"]) for game in counted), Fraction(0))
    else:
        before, after = story["before"], None
        points_of = [Fraction(event["points"]) for event in of if event["points"] is not None]
        change = sum(points_of, Fraction(0)) if points_of else None
        score = sum((Fraction(game["score"]) for game in games), Fraction(0))
    rounds = {
        game["round"]: {"expected": _hundredths(game["expected"]) if draughts else ""} for game in games
    }
    return Part(before, after, score, sum(told, Fraction(0)) if told else None, change, rounds)


def _hundredths(text: str | None) -> str:
    return decimal_text(from_hundredths(int(text)), places=2) if text else ""


@get("/verify", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def how_to_verify(request: Request[Any, Any, Any]) -> Response[Any]:
    """How anybody can recompute a list."""
    office = office_of(request)
    example = None
    if office is not None:
        with office.store.reading() as connection:
            current = queries.in_force(office, connection)
            example = next((p for p in current.values() if p.kind == PUBLISHED), None)
    return page(request, "verify.html", example=example)


ROUTES = (
    home, search, player, all_lists, one_list, difference, download, all_tournaments, tournament, how_to_verify,
)  # fmt: skip
