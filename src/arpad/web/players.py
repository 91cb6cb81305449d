"""The page of a player: ratings, the curve, every change with its article."""

from __future__ import annotations

from datetime import date
from typing import Any
from urllib.parse import urlencode

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect
from sqlalchemy import Connection

from arpad.explain.charts import RatingCurve, rating_curve
from arpad.explain.title_checks import requirement_rows
from arpad.explain.words import Words
from arpad.model.clubs import Unit, club_on
from arpad.model.disciplines import discipline_of
from arpad.model.people import Person, birth_year
from arpad.model.rules import Edition, ListName
from arpad.office.draughts_records import player_record
from arpad.office.editions import edition_on
from arpad.office.national_categories import player_categories
from arpad.office.office import Office, today
from arpad.office.reference import ReferenceRecord
from arpad.office.titles import TitleCheck, check_titles, norms_of
from arpad.regulations.chess.rules import ChessRules
from arpad.store import hidden_players
from arpad.store.clubs import clubs_of_player, units_on
from arpad.store.decisions import last_decision_act
from arpad.store.merges import merge_targets_of
from arpad.store.pages import snapshot
from arpad.store.reference_blocks import newest_reference, read_players
from arpad.web.auth import PUBLIC
from arpad.web.cache import etag_headers, not_modified
from arpad.web.fact_forms import public_facts
from arpad.web.language import words_for
from arpad.web.player_history import HistoryEntry, explained_changes, player_history, rating_since
from arpad.web.requests import WebRequest, page_number, public_player, require_office
from arpad.web.templates import page


@get("/players/{number:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def player(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show a player's ratings, the curve, and every change with its article."""
    office = require_office(request)
    with office.store.reading() as connection:
        person = public_player(connection, number)
        merged_into = merge_targets_of(connection, [number]).get(number)
        if merged_into is not None:
            return Redirect(f"/players/{merged_into}", status_code=303)
        day = today(office, connection)
        history = player_history(connection, number)
        hidden = hidden_players.hidden(connection)
        version = snapshot(connection).hidden_version
        last_decision = last_decision_act(connection)
        reference = _at_fide(connection, person)
        club = _club(connection, number, day)
        national = {
            name: reached for name in history if (reached := player_categories(connection, number, name, day))
        }
    norms = norms_of(office, number)
    name = request.query_params.get("list", "")
    on_list = ListName(name) if name in tuple(ListName) and name in history else next(iter(history), None)
    by_season = on_list is not None and discipline_of(on_list).by_season
    wanted_page = page_number(request.query_params.get("page", "1"))
    headers, unchanged = etag_headers(
        request,
        *_public_values(person),
        club,
        national,
        tuple(norm.id for norm in norms),
        on_list,
        wanted_page,
        day,
        version,
        last_decision if by_season else 0,
        reference.reference.digest if reference else "",
        *(entry.publication.digest for entries in history.values() for entry in entries),
    )
    if unchanged:
        return not_modified(headers)
    entries = history[on_list] if on_list else []
    with office.store.reading() as connection:
        changes, current_page, pages = explained_changes(connection, number, entries, wanted_page)
        edition = edition_on(connection, on_list, day) if on_list and not by_season else None
    record = player_record(office, on_list, number) if on_list and by_season else None
    until_today = {
        name: [entry for entry in entries if entry.publication.day <= day]
        for name, entries in history.items()
    }

    def address(to: int) -> str:
        return f"/players/{number}?{urlencode({'list': str(on_list), 'page': to})}#told"

    return page(
        request, "player.html", headers=headers, person=person, club=club, national=national, hidden=hidden,
        year=birth_year, history=history, reference=reference,
        on_list=on_list, record=record, discipline_of=discipline_of, chart=_curve(entries, words_for(request)),
        cards=[(name, entries[-1], rating_since(entries)) for name, entries in until_today.items() if entries],
        changes=changes, page_number=current_page, pages=pages, address=address, public_facts=public_facts,
        needs=_needs(on_list, entries, changes, edition) if on_list and edition and current_page == 1 else None,
        what_if=_what_if(on_list, until_today[on_list], edition) if on_list and edition else None,
        norms=norms, title_rows=_title_rows(office, number, words_for(request)) if norms else [],
    )  # fmt: skip


def _title_rows(office: Office, number: int, words: Words) -> list[tuple[TitleCheck, list[list[str]]]]:
    """Return each title above the player's, with the requirements of an application in words."""
    return [
        (check, requirement_rows(check.requirements, words))
        for check in check_titles(office, number)
        if check.norms
    ]


def _club(connection: Connection, number: int, day: date) -> Unit | None:
    """Return the club of a player on a day."""
    unit = units_on(connection, day).get(club_on(clubs_of_player(connection, number).items(), day))
    return unit if unit is not None and unit.is_open(day) else None


def _at_fide(connection: Connection, person: Person) -> ReferenceRecord | None:
    """Return what the newest reference list says about a player."""
    number = person.identifier("fide")
    newest = newest_reference(connection)
    if newest is None or not number.isdigit():
        return None
    player = read_players(connection, newest.id, [int(number)]).get(int(number))
    return ReferenceRecord(newest, player) if player else None


def _public_values(person: Person) -> tuple[object, ...]:
    """Return what the page shows of a person: of the birth only the year, no affiliation."""
    return (
        person.id, person.name, person.federation, person.title or person.women_title, birth_year(person.born),
        person.identifiers,
    )  # fmt: skip


def _curve(entries: list[HistoryEntry], words: Words) -> RatingCurve | None:
    return rating_curve(
        [
            (entry.publication.day, entry.rating, f"{words.day(entry.publication.day)}: {entry.rating}")
            for entry in entries
            if entry.rating is not None
        ]
    )


def _needs(
    on_list: ListName,
    entries: list[HistoryEntry],
    changes: list[HistoryEntry],
    edition: Edition[ChessRules],
) -> dict[str, Any] | None:
    """Return what an unrated player still lacks on a chess list: games so far, games needed, the floor."""
    if entries[-1].rating is not None:
        return None
    rules = edition.on(on_list)
    entry = next((c.change.entry for c in changes if c.change and c.change.entry), None)
    return {
        "entry": entry,
        "games": entry.games if entry else 0,
        "needed": rules.minimum_games.value,
        "floor": rules.floor.value,
        "edition": edition.id,
        "articles": {"games": rules.minimum_games.article, "floor": rules.floor.article},
    }


def _what_if(
    on_list: ListName, entries: list[HistoryEntry], edition: Edition[ChessRules]
) -> dict[str, Any] | None:
    """Return the rating, K and edition with which the calculator counts games of today on a chess list."""
    if not entries or entries[-1].rating is None:
        return None
    return {"rating": entries[-1].rating, "k": entries[-1].k, "edition": edition.id, "list": str(on_list)}


ROUTES = (player,)
