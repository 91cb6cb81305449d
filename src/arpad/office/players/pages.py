"""The page of a player: ratings, the curve, every change with its article."""

from datetime import date
from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Redirect
from sqlalchemy import Connection

from arpad.explain.cards import shared_picture
from arpad.explain.title_applications import requirement_rows
from arpad.explain.words import capitalized
from arpad.model.clubs import club_on
from arpad.model.people import Person, birth_year
from arpad.model.rules import ListName
from arpad.office.lists.page_rows import published_ratings, snapshot
from arpad.office.lists.published import lists_in_force
from arpad.office.office import Office, today
from arpad.office.parts import (
    clubs_of_player,
    live_ratings,
    player_categories,
    player_norms,
    playing_now,
    reference_record,
    title_checks,
    units_on,
)
from arpad.office.players.history import player_history
from arpad.office.players.page import LEAST_GAMES, all_results, careers, page_values, results_picture
from arpad.office.proof.checkpoints import checkpoint_behind
from arpad.office.register import number_rows as hidden_players
from arpad.office.register.number_rows import merge_targets_of, public_player
from arpad.office.reports.fact_forms import public_facts
from arpad.office.reports.rows import last_decision_act
from arpad.regulations.systems import system_of
from arpad.store.settings import read_setting
from arpad.web.cache import fresh_headers
from arpad.web.event_strips import event_strip
from arpad.web.reader import COSTLY, PUBLIC, page_words
from arpad.web.requests import WebRequest, page_number, require_office
from arpad.web.templates import page


@get("/players/{number:int}", opt=PUBLIC, include_in_schema=False, sync_to_thread=True)
def player(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show a player's ratings, the curve, and every change with its article."""
    return _player_page(request, number)


@get("/players/{number:int}/whole", opt={**PUBLIC, **COSTLY}, include_in_schema=False, sync_to_thread=True)
def whole_history(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show the page of a player with the tournaments of all years, to be printed."""
    return _player_page(request, number, whole=page_number(request.query_params.get("page", "1")))


@get("/players/{number:int}/career", opt=PUBLIC | COSTLY, include_in_schema=False, sync_to_thread=True)
def career(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show what a player did on each list: games, results, opponents, the best win and the best performance."""
    with require_office(request).store.reading() as connection:
        person = public_player(connection, number)
        history = player_history(connection, number)
        hidden = hidden_players.hidden(connection)
        headers = fresh_headers(
            request,
            "career",
            *_public_values(person),
            snapshot(connection).head,
            snapshot(connection).hidden_version,
        )
        by_list = careers(connection, number, history)
    return page(
        request, "players/career.html", headers=headers, person=person, careers=by_list, hidden=hidden,
        together=all_results(by_list), least=LEAST_GAMES, results_picture=results_picture,
        results=lambda it: page_words(request).text(
            "player.wins-draws-losses", wins=it.wins, draws=it.draws, losses=it.losses
        ),
    )  # fmt: skip


def _player_page(request: WebRequest, number: int, *, whole: int = 0) -> Response[Any]:
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
        reference = reference_record(connection, person.identifier("fide"))
        unit = units_on(connection, day).get(club_on(clubs_of_player(connection, number).items(), day))
        club = unit if unit is not None and unit.is_open(day) else None
        national = {
            name: reached for name in history if (reached := player_categories(connection, number, name, day))
        }
        norms = player_norms(connection, number)
        name = request.query_params.get("list", "")
        on_list = next((it for it in history if it == name), next(iter(history), None))
        live = live_ratings(connection, number, elsewhere=history.keys() - {on_list})
        playing = playing_now(connection, number)
        proved = _proved_list(office, connection, number, on_list)
        by_season = on_list is not None and system_of(on_list).rates_again
        at = _day_of(request.query_params.get("at", ""))
        headers = fresh_headers(
            request,
            *_public_values(person),
            club,
            national,
            tuple(norm.norm for norm in norms),
            on_list,
            proved,
            at,
            whole,
            [(it.name, it.version) for it in playing],
            day,
            version,
            last_decision if by_season else 0,
            reference.reference.digest if reference else "",
            [entry.state for entry, _ in live.values()],
            *(entry.publication.digest for entries in history.values() for entry in entries),
        )
        values = page_values(
            office, connection, person, history, on_list, day, page_words(request), at=at, whole=whole
        )
        checks = title_checks(connection, person, day, norms) if norms else []
    return page(
        request, "players/player.html", headers=headers, club=club, national=national, hidden=hidden,
        year=birth_year, reference=reference,
        system_of=system_of, public_facts=public_facts,
        proved=proved, live=live, playing=playing, norms=norms,
        title_rows=[(it, requirement_rows(it.requirements, page_words(request))) for it in checks if it.norms],
        strip=lambda event: event_strip(event, hidden, page_words(request)), **values,
    )  # fmt: skip


@get(
    "/players/{number:int}/picture.png",
    opt={**PUBLIC, **COSTLY},
    include_in_schema=False,
    sync_to_thread=True,
)
def picture(request: WebRequest, number: FromPath[int]) -> Response[bytes]:
    """Return the picture of a player that others show when the page is shared."""
    office = require_office(request)
    words = page_words(request)
    with office.store.reading() as connection:
        person = public_player(connection, number)
        history = player_history(connection, number)
        day = today(office, connection)
        foot = read_setting(connection, "name")
    until_today = {
        name: [entry for entry in entries if entry.publication.day <= day]
        for name, entries in history.items()
    }
    headers = fresh_headers(
        request, "picture", *_public_values(person), foot, words.language, day,
        *(entries[-1].publication.digest for entries in until_today.values() if entries),
    )  # fmt: skip
    ratings = [
        (capitalized(words.text(f"site.list-{name}")), str(entries[-1].rating))
        for name, entries in until_today.items()
        if entries and entries[-1].rating is not None
    ]
    points = next(([(e.publication.day, e.rating) for e in entries] for entries in until_today.values()), [])
    about = " · ".join(filter(None, (person.title or person.women_title, person.federation)))
    content = shared_picture(person.name, about, ratings, points, foot, words.language)
    return Response(content, headers=headers, media_type="image/png")


def _proved_list(office: Office, connection: Connection, number: int, on_list: ListName | None) -> str:
    """Return the list in force on which a line of the player can be proved; empty if there is none."""
    publication = lists_in_force(office, connection).get(on_list) if on_list is not None else None
    if publication is None or checkpoint_behind(connection, publication.act) is None:
        return ""
    return publication.name if number in published_ratings(connection, publication.id, [number]) else ""


def _day_of(text: str) -> date | None:
    """Return the day of an address, None if it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _public_values(person: Person) -> tuple[object, ...]:
    """Return what the page shows of a person: of the birth only the year, no affiliation."""
    return (
        person.id, person.name, person.federation, person.title or person.women_title, birth_year(person.born),
        person.identifiers,
    )  # fmt: skip
