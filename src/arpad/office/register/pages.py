"""The register at the desk: search, enter and change players; features add their parts to the page of a player."""

from collections.abc import Mapping
from typing import Any

from litestar import Response, get, post
from litestar.params import FromPath, FromQuery

from arpad.explain.words import Words
from arpad.model.json_values import from_birth
from arpad.model.people import Person
from arpad.office.office import today
from arpad.office.register import number_rows as hidden_players
from arpad.office.register import rows as register
from arpad.office.register.acts import OF_PLAYER, SEXES, Player, find_players, known_player, latest_change
from arpad.office.register.imports import AFFILIATIONS
from arpad.office.register.number_rows import declared_schemes, merge_targets, unknown_numbers_of
from arpad.office.register.rows import COLUMNS
from arpad.reports.number_schemes import BUILT_IN
from arpad.store import ledger
from arpad.web.declared_forms import rehearsed
from arpad.web.forms import bound_to
from arpad.web.reader import OFFICER, caller_of, permitted_office, words_for
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import page, page_parts

FOUND = 50
"""Players whom a search shows."""

LOOKED_AT = 1000
"""Players whom the search of an officer who is bound to a federation goes through."""

PLACES = ("notices", "facts", "forms", "more")
"""The places of the page of a player to which features add parts, as ``desk-player-forms``."""


@get("/desk/players", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def players_page(request: WebRequest, q: FromQuery[str] = "") -> Response[str]:
    """Show the search in the register, and the form for a new player, which a part of the page may fill in."""
    office, caller, text = require_office(request), caller_of(request), q.strip()[:100]
    most = FOUND if caller.officer_of("") else LOOKED_AT
    found = find_players(office, text, most) if text else []
    with office.store.reading() as connection:
        schemes = (*BUILT_IN, *declared_schemes(connection))
    parts = page_parts("desk-players", request)
    filled: Mapping[str, Any] = next(
        (part.it["new_player"] for part in parts if part.it.get("new_player")), {}
    )
    numbers = dict.fromkeys(schemes, "") | filled.get("identifiers", {})
    return page(
        request, "register/players.html", text=text, parts_here=parts,
        people=[it for it in found if caller.officer_of(it.federation)][:FOUND],
        new={"federation": bound_to(request), **filled, "identifiers": numbers},
    )  # fmt: skip


@get("/desk/players/{number:int}", opt=OFFICER, include_in_schema=False, sync_to_thread=True)
def player_page(request: WebRequest, number: FromPath[int]) -> Response[str]:
    """Show a player of the register, with what an officer may change."""
    office, words = permitted_office(request, OF_PLAYER, player=number), words_for(request)
    with office.store.reading() as connection:
        person = known_player(connection, number)
        past = register.facts_of(connection, number)
        acts = ledger.some_acts(connection, [fact.act for fact in past])
        merged = merge_targets(connection).get(number)
        hidden = number in hidden_players.hidden(connection)
        schemes = (*BUILT_IN, *declared_schemes(connection))
        unknown = unknown_numbers_of(connection, [number])
        day, seen = today(office, connection), latest_change(past)
        parts_at = {
            place: page_parts(f"desk-player-{place}", request, connection, person) for place in PLACES
        }
    return page(
        request, "register/player.html", person=person, merged=merged, hidden=hidden, day_=day, past=past, acts=acts,
        schemes=[(scheme, scheme.upper()) for scheme in schemes], unknown_numbers=unknown, parts_at=parts_at, seen=seen,
        person_fields=[_field(person, name, words) for name in COLUMNS],
    )  # fmt: skip


def _field(person: Person, name: str, words: Words) -> dict[str, Any]:
    """Return a fact about a player as a field of the form of the player."""
    label, hint = words.parameter(f"person-{name.replace('_', '-')}")
    accepted = {"sex": SEXES, "affiliation": AFFILIATIONS}.get(name, ())
    choices = [(it, it or "–") for it in accepted]
    return {"name": name, "label": label, "hint": hint, "value": _text(person, name), "choices": choices}


def _text(person: Person, field: str) -> str:
    """Return a fact as its field shows it."""
    return from_birth(person.born) if field == "born" else str(getattr(person, field))


@post("/desk/players/{number:int}/change", opt=OFFICER, include_in_schema=False, status_code=200)
async def confirm_change(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show what would be changed about a player, before it is done; nothing is stored."""

    def show(given: Mapping[str, Any], _after: Player) -> Response[str]:
        with require_office(request).store.reading() as connection:
            person = known_player(connection, number)
        changes = [(field, _text(person, field), text) for field, text in given["set"].items()]
        texts = {f"set.{field}": text for field, text in given["set"].items()}
        values = {
            name: str(given[name])
            for name in ("player", "since", "seen", "reason")
            if given[name] is not None
        }
        return page(
            request,
            "register/changed.html",
            person=person,
            given=given,
            changes=changes,
            values=values | texts,
        )

    return await rehearsed(request, "register change", show, player=str(number))
