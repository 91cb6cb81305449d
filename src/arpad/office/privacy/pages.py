"""What a player asks for, at the desk: to be hidden, shown, erased, or to get their data."""

from collections.abc import Mapping
from typing import Any

from litestar import Response, post
from litestar.params import FromPath
from sqlalchemy import Connection

from arpad.model.people import Person
from arpad.office.privacy.acts import PlayerData, player_data_bytes
from arpad.office.proof.erasures import load_erasures
from arpad.office.register.acts import known_player
from arpad.office.register.number_rows import hidden, hidden_version
from arpad.office.who_is_who.pages import standing_of
from arpad.store.bulk import cached_until_act
from arpad.store.ledger import Act
from arpad.web.cache import keep_files_for
from arpad.web.declared_forms import performed, rehearsed
from arpad.web.forms import attachment
from arpad.web.reader import COSTLY, OFFICER
from arpad.web.requests import WebRequest, require_office
from arpad.web.templates import PagePart, page


def _erasure(_request: WebRequest, connection: Connection, person: Person) -> Mapping[str, Any]:
    return {"erased": _erasures(connection).get(person.id)}


def _of_player(_request: WebRequest, connection: Connection, person: Person) -> Mapping[str, Any]:
    keep_files_for(hidden_version(connection))  # the page comes after an act that hides or erases the player
    return {
        "hidden": person.id in hidden(connection),
        "erased": _erasures(connection).get(person.id),
    }


@cached_until_act
def _erasures(connection: Connection) -> dict[int, Act]:
    """Return the act that erased each player who was erased."""
    return {number: act for act in load_erasures(connection).acts[::-1] for number in act.facts["numbers"]}


@post("/desk/players/{number:int}/hide", opt=OFFICER, include_in_schema=False, status_code=200)
async def confirm_hiding(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show what hiding a player would do, before it is done; nothing is stored."""
    return await rehearsed(request, "privacy hide", _confirm(request, "hide"), player=str(number))


@post("/desk/players/{number:int}/erase", opt=OFFICER, include_in_schema=False, status_code=200)
async def confirm_erasure(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Show what erasing a player would do, before it is done; nothing is stored."""
    return await rehearsed(request, "privacy erase", _confirm(request, "erase"), player=str(number))


def _confirm(request: WebRequest, verb: str) -> Any:
    def show(given: Mapping[str, Any], _result: Any) -> Response[str]:
        with require_office(request).store.reading() as connection:
            person = known_player(connection, given["player"])
            facts = standing_of(connection, [person])
        return page(request, "privacy/confirm.html", verb=verb, person=person, given=given, **facts)

    return show


@post("/desk/players/{number:int}/data", opt=OFFICER | COSTLY, include_in_schema=False, status_code=200)
async def collect_data(request: WebRequest, number: FromPath[int]) -> Response[Any]:
    """Return everything that the office holds about a player, as a file for that person."""

    def save(_given: Mapping[str, Any], data: PlayerData) -> Response[Any]:
        return attachment(player_data_bytes(data), "application/json", f"player-{number}.json")

    return await performed(request, "privacy data", save, player=str(number))


PARTS = {
    "desk-player-notices": PagePart("privacy/erased.html", _erasure),
    "desk-player-more": PagePart("privacy/player.html", _of_player),
}
