"""The register at the desk: add, correct, number, merge, unmerge, hide and erase players."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from litestar import Response, get, post
from litestar.concurrency import sync_to_thread
from litestar.params import FromPath, FromQuery
from sqlalchemy import Connection

from arpad.model.clubs import UnitKind, club_on
from arpad.model.errors import ArpadError, BadInput
from arpad.model.rules import ListName
from arpad.model.typed_values import parse_birth, parse_day
from arpad.office.clubs.rows import clubs_of_player, units_on
from arpad.office.corrections.affected_lists import affected_lists
from arpad.office.fide.reference import find_in_reference, kept_references
from arpad.office.lists.block_rows import read_players
from arpad.office.lists.in_force import newest
from arpad.office.lists.rows import all_publications
from arpad.office.office import Office, require_reason, today
from arpad.office.privacy.acts import hide_player
from arpad.office.privacy.erase import erase_player
from arpad.office.privacy.player_data import player_data, player_data_bytes
from arpad.office.proof.erasures import load_erasures
from arpad.office.register import hidden_rows as hidden_players
from arpad.office.register import rows as register
from arpad.office.register.acts import (
    add_identifier,
    find_players,
    known_player,
    register_player,
    remove_identifier,
    report_death,
    withdraw_death,
)
from arpad.office.register.acts import change_player as office_change_player
from arpad.office.register.merge_rows import merge_targets, merges_into
from arpad.office.register.rows import COLUMNS
from arpad.office.register.scheme_rows import unknown_numbers_of
from arpad.office.reports import rows
from arpad.office.reports.federation_pages import reads, require_players
from arpad.office.users import Role
from arpad.office.who_is_who.duplicates import agreement
from arpad.office.who_is_who.merge import concerned_by_merge, merge, unmerge
from arpad.office.who_is_who.number_schemes import number_rules
from arpad.reports.entrant_match import DOUBTFUL_FROM
from arpad.reports.number_schemes import BUILT_IN
from arpad.store import ledger
from arpad.store.ledger import Act
from arpad.web import cache
from arpad.web.auth import COSTLY, OFFICER
from arpad.web.desk import attachment, bound_to, desk_of, for_all, is_for_all, worker
from arpad.web.forms import (
    Done,
    act_and_redirect,
    choice_field,
    form_texts,
    form_values,
    number_field,
    refuse,
)
from arpad.web.language import words_for
from arpad.web.refusals import Refused
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page

VERBS = (
    "correct",
    "death",
    "alive",
    "identify",
    "take",
    "merge",
    "unmerge",
    "hide",
    "show",
    "erase",
)

FOUND = 50
"""Players whom a search shows."""

LOOKED_AT = 1000
"""Players whom the search of an officer who is bound to a federation goes through."""

CONFIRMED = ("merge", "hide", "erase")
"""Acts that the desk shows with their consequences before they are done."""


@get("/desk/players", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def players_page(
    request: WebRequest, q: FromQuery[str] = "", fide: FromQuery[str] = "", number: FromQuery[str] = ""
) -> Response[str]:
    """Show the search in the register and in the reference list, and the form for a new player.

    ``fide`` is searched in the reference list; ``number`` fills the form with a player of it.
    """
    return _players_page(request, q.strip()[:100], fide.strip()[:100], number.strip()[:15])


def _players_page(request: WebRequest, text: str = "", fide: str = "", number: str = "") -> Response[str]:
    office = require_office(request)
    listed = find_in_reference(office, fide) if fide else []
    chosen = next(iter(find_in_reference(office, number)), None) if number.isdigit() else None
    may = reads(request)
    most = FOUND if is_for_all(request) else LOOKED_AT
    people = [it for it in find_players(office, text, most) if may(it.federation)][:FOUND] if text else []
    return page(
        request,
        "desk_players.html",
        text=text,
        people=people,
        schemes=_schemes(request),
        own=bound_to(request),
        references=kept_references(office),
        fide=fide,
        listed=listed,
        chosen=chosen,
    )


def _schemes(request: WebRequest) -> tuple[str, ...]:
    """Return the codes of all number schemes of the office."""
    return (*BUILT_IN, *number_rules(require_office(request)).declared)


@post("/desk/players", opt=OFFICER, include_in_schema=False, status_code=200)
async def new_player(request: WebRequest) -> Response[Any]:
    """Add a player."""
    texts = await form_texts(request)

    def act() -> str:
        if not worker(request).may(Role.OFFICER, texts.get("federation", "")):
            raise Refused(403, "bound-officer")
        born = texts.get("born", "")
        number = register_player(
            desk_of(request), texts.get("name", ""), federation=texts.get("federation", ""),
            sex=texts.get("sex", ""), born=parse_birth(born, "born") if born else None,
            title=texts.get("title", "").upper(), affiliation=texts.get("affiliation", ""),
            identifiers={s: texts[s] for s in _schemes(request) if texts.get(s)}, reason=texts.get("reason", ""),
        )  # fmt: skip
        return f"/desk/players/{number}"

    return await act_and_redirect(request, act, lambda: _players_page(request))


@get("/desk/players/{number:int}", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def player_page(request: WebRequest, number: FromPath[int]) -> Response[str]:
    """Show a player of the register, with what an officer may change."""
    return _player_page(request, number)


def _player_page(request: WebRequest, number: int) -> Response[str]:
    office, words = require_office(request), words_for(request)
    with office.store.reading() as connection:
        person = known_player(connection, number)
        require_players(request, connection, number)
        past = register.facts_of(connection, number)
        acts = ledger.some_acts(connection, [fact.act for fact in past])
        merged, merges = merge_targets(connection).get(number), merges_into(connection, number)
        concerned = affected_lists(connection)
        erased = _erasure_of(connection, number)
        hidden = number in hidden_players.hidden(connection)
        day = today(office, connection)
        units = units_on(connection, day)
        own_clubs = clubs_of_player(connection, number)
        unknown = unknown_numbers_of(connection, [number])
    clubs = sorted((it for it in units.values() if it.kind == UnitKind.CLUB), key=lambda it: it.name)
    return page(
        request, "desk_player.html", clubs=clubs,
        club_choices=[(it.code, it.name) for it in clubs], units=units, club=club_on(own_clubs.items(), day),
        person=person, merged=merged, merges=merges, hidden=hidden, day_=day,
        concerned=concerned,
        past=past, acts=acts, schemes=[(scheme, scheme.upper()) for scheme in _schemes(request)],
        unknown_numbers=unknown,
        may_erase=is_for_all(request), erased=erased,
        person_fields=[(name, words.text(f"site.person-{name}")) for name in COLUMNS],
    )  # fmt: skip


@post("/desk/players/{number:int}/data", opt=dict(OFFICER) | COSTLY, include_in_schema=False, status_code=200)
async def collect_data(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Return everything that the office holds about a player, as a file for that person."""
    texts = await form_texts(request)
    values = form_values((await request.form()).multi_items())

    def work() -> Response[Any]:
        office = desk_of(request)
        try:
            with office.store.reading() as connection:
                require_players(request, connection, number)
            document = player_data(office, number, texts.get("reason", ""))
        except ArpadError as error:
            refuse(request, error, values)
            return _player_page(request, number)
        return attachment(player_data_bytes(document), "application/json", f"player-{number}.json")

    return await sync_to_thread(work)


@post("/desk/players/{number:int}/{verb:str}", opt=OFFICER, include_in_schema=False, status_code=200)
async def change_player(request: WebRequest, number: FromPath[int], verb: FromPath[str]) -> Response[Any]:
    """Correct a player, add or remove a number, merge or unmerge, hide or show."""
    texts = await form_texts(request)

    def act() -> str | Done:
        office = desk_of(request)
        with office.store.reading() as connection:
            require_players(request, connection, number)
            if verb == "merge":
                require_players(request, connection, number_field(texts, "dropped"))
            if verb == "erase":
                for_all(request)  # the erased texts are on public lists
            if verb == "unmerge" and number_field(texts, "merge") not in merges_into(connection, number):
                raise BadInput("no-merge", merge=number_field(texts, "merge"))
        _change(office, number, choice_field({"verb": verb}, "verb", VERBS), texts)
        address = f"/desk/players/{number}"
        return Done(address, verb, texts.get("dropped", "")) if verb in CONFIRMED else address

    return await act_and_redirect(request, act, lambda: _player_page(request, number))


@post("/desk/players/{number:int}/{verb:str}/confirm", opt=OFFICER, include_in_schema=False, status_code=200)
async def confirm_change(request: WebRequest, number: FromPath[int], verb: FromPath[str]) -> Response[Any]:
    """Show what merging, hiding or erasing a player would do, before it is done; nothing is stored."""
    texts = await form_texts(request)
    values = form_values((await request.form()).multi_items())

    def work() -> Response[str]:
        choice_field({"verb": verb}, "verb", CONFIRMED)
        office = replace(desk_of(request), rehearsing=True)
        try:
            with office.store.reading() as connection:
                require_players(request, connection, number)
                if verb == "merge":
                    require_players(request, connection, number_field(texts, "dropped"))
                if verb == "erase":
                    for_all(request)
                    _check_erasure(connection, number, texts)
            if verb != "erase":  # rehearsed, it would verify the whole office
                _change(office, number, verb, texts)
        except ArpadError as error:
            refuse(request, error, values, f"/desk/players/{number}/{verb}")
            return _player_page(request, number)
        return _confirm_page(request, number, verb, texts)

    return await sync_to_thread(work)


def _confirm_page(request: WebRequest, number: int, verb: str, texts: Mapping[str, str]) -> Response[str]:
    office = require_office(request)
    numbers = [number, number_field(texts, "dropped")] if verb == "merge" else [number]
    with office.store.reading() as connection:
        people = [known_player(connection, player) for player in numbers]
        listed = {player: _newest_ratings(connection, player) for player in numbers}
        entered = {player: len(rows.reports_of(connection, player)) for player in numbers}
    revise = concerned_by_merge(desk_of(request), *numbers) if verb == "merge" else ()
    score, agree = agreement(*people) if verb == "merge" else (0, True)
    return page(
        request, "desk_confirm.html", verb=verb, people=people, listed=listed, entered=entered, revise=revise,
        texts=texts, score=score, agree=agree, least=DOUBTFUL_FROM,
    )  # fmt: skip


def _check_erasure(connection: Connection, number: int, texts: Mapping[str, str]) -> None:
    """Refuse an erasure without the repeated number or a reason, and of a player who is erased."""
    if number_field(texts, "confirm") != number:
        raise BadInput("erase-confirm", player=number)
    require_reason("erase", texts.get("reason", ""))
    if _erasure_of(connection, number) is not None:
        raise BadInput("erased-already", player=number)


def _erasure_of(connection: Connection, number: int) -> Act | None:
    """Return the act that erased a player, if one did."""
    acts = load_erasures(connection).acts
    return next((act for act in acts if number in act.facts["numbers"]), None)


def _newest_ratings(connection: Connection, player: int) -> list[tuple[str, int]]:
    """Return the ratings of a player on the newest list of each kind."""
    ratings = []
    for name in ListName:
        publication = newest(all_publications(connection, name))
        table = read_players(connection, publication.id, [player]) if publication else None
        if table is not None and len(table) and (rating := table["rating"][0]) is not None:
            ratings.append((str(name), int(rating)))
    return ratings


def _change(office: Office, number: int, verb: str, texts: Mapping[str, str]) -> None:
    reason, scheme = texts.get("reason", ""), texts.get("scheme", "")
    match verb:
        case "correct":
            field, value = choice_field(texts, "field", COLUMNS), texts.get("value", "")
            since = parse_day(texts.get("since", ""), "since")
            fact = (parse_birth(value, "born") if value else None) if field == "born" else value
            office_change_player(office, number, since=since, reason=reason, **{field: fact})
        case "death":
            report_death(office, number, parse_day(texts.get("day", ""), "day"), reason=reason)
        case "alive":
            withdraw_death(office, number, reason=reason)
        case "identify":
            add_identifier(office, number, scheme, texts.get("number", ""), reason=reason)
        case "take":
            remove_identifier(office, number, scheme, texts.get("number", ""), reason=reason)
        case "merge":
            confirmed = office.rehearsing or texts.get("different") == "yes"
            merge(office, number, number_field(texts, "dropped"), reason, confirmed=confirmed)
        case "unmerge":
            unmerge(office, number_field(texts, "merge"), reason)
        case "erase":
            with office.store.reading() as connection:
                _check_erasure(connection, number, texts)
            erase_player(office, number, by=texts.get("by", ""), reason=reason)
            cache.delete_files()
        case _:
            hide_player(office, number, reason, hidden=verb == "hide")
            cache.delete_files()


ROUTES = (players_page, new_player, player_page, collect_data, change_player, confirm_change)
