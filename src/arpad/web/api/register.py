"""Routes of the register for officers' programs: adding players, their facts and numbers."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, post
from litestar.openapi.spec import Example
from litestar.params import QueryParameter

from arpad.model.errors import BadInput
from arpad.model.people import Person
from arpad.model.typed_values import parse_birth, parse_day
from arpad.office.office import Office
from arpad.office.privacy.player_data import player_data, player_data_bytes
from arpad.office.register.acts import add_identifier, known_player, remove_identifier
from arpad.office.register.acts import change_player as office_change_player
from arpad.office.register.acts import register_player as office_register_player
from arpad.office.register.api import person_out
from arpad.office.reports.federation_pages import office_of_players
from arpad.office.users import Role
from arpad.web.api.parameters import COSTLY_SECURED, SECURED, Asked, Note, Number, officers_office, text_query
from arpad.web.api.responses import answers, file_answers
from arpad.web.api.schemas import PlayerOut
from arpad.web.desk import worker
from arpad.web.refusals import Refused


def _person(office: Office, number: int) -> Person:
    with office.store.reading() as connection:
        return known_player(connection, number)


@post(
    "/players", status_code=201, summary="Add a player", **SECURED,
    responses=answers(PlayerOut, "POST /api/v1/players", 400, 401, 403, 404, status=201),
)  # fmt: skip
def register_player(
    request: Asked,
    name: Annotated[str, text_query("Surname, Name.", "Byrne, Aoife", 120)],
    federation: Annotated[str, text_query("The federation.", "IRL", 3)] = "",
    sex: Annotated[str, text_query("M or F.", "F", 1)] = "",
    born: Annotated[str, text_query("Day or year of birth.", "1990")] = "",
    title: Annotated[str, text_query("As GM, IM, FM, CM.", "FM", 4)] = "",
    women_title: Annotated[str, text_query("As WGM, WIM, WFM, WCM.", "WFM", 4)] = "",
    identifier: Annotated[
        list[str] | None,
        QueryParameter(
            description="SCHEME=NUMBER, once for each.", max_items=20, examples=[Example(value=["fide=99000001"])]
        ),
    ] = None,
    reason: Note = "",
) -> PlayerOut:  # fmt: skip
    """Add a player; the register assigns the number."""
    office = officers_office(request)
    if not worker(request).may(Role.OFFICER, federation.upper()):
        raise Refused(403, "bound-officer")
    number = office_register_player(
        office, name, federation=federation, sex=sex, born=parse_birth(born, "born") if born else None, title=title,
        women_title=women_title, identifiers=dict(_pair(text) for text in identifier or ()), reason=reason,
    )  # fmt: skip
    return person_out(_person(office, number))


def _pair(text: str) -> tuple[str, str]:
    scheme, sign, number = text.partition("=")
    if not sign:
        raise BadInput("bad-form", option="identifier", value=text[:40], accepted="fide=800101")
    return scheme, number


@post(
    "/players/{number:int}/data", status_code=200, summary="Everything about a player", **COSTLY_SECURED,
    media_type="application/json",
    responses=file_answers(
        "POST /api/v1/players/{number}/data", "Everything that the office holds", 400, 401, 403, 404,
        media_type="application/json",
    ),
)  # fmt: skip
def collect_player_data(request: Asked, number: Number, reason: Note = "") -> Response[bytes]:
    """Everything that the office holds about a player, for that person: an act in the ledger."""
    document = player_data(office_of_players(request, number), number, reason)
    return Response(player_data_bytes(document), media_type="application/json")


@post(
    "/players/{number:int}/facts", status_code=200, summary="Change a fact about a player", **SECURED,
    responses=answers(PlayerOut, "POST /api/v1/players/{number}/facts", 400, 401, 403, 404),
)  # fmt: skip
def change_player(
    request: Asked,
    number: Number,
    field: Annotated[str, text_query("name, federation, sex, born, title …", "title")],
    since: Annotated[str, text_query("The day from which it applies.", "2025-01-10")],
    reason: Note,
    value: Annotated[str, text_query("Its value; empty: none.", "CM", 120)] = "",
) -> PlayerOut:
    """Change a fact about a player from a day on; the earlier one stays on record."""
    office = office_of_players(request, number)
    fact = (parse_birth(value, "value") if value else None) if field == "born" else value
    if field == "died":
        raise BadInput("player-field", field=field, accepted="/death")
    office_change_player(office, number, since=parse_day(since, "since"), reason=reason, **{field: fact})
    return person_out(_person(office, number))


@post(
    "/players/{number:int}/identifiers", status_code=200, summary="Add or remove a player's number", **SECURED,
    responses=answers(PlayerOut, "POST /api/v1/players/{number}/identifiers", 400, 401, 403, 404),
)  # fmt: skip
def set_identifier(
    request: Asked,
    number: Number,
    scheme: Annotated[str, text_query("The scheme, as fide.", "fsi", 20)],
    value: Annotated[str, text_query("The number.", "990001")],
    *,
    remove: Annotated[
        bool,
        QueryParameter(description="Remove it: it was added by mistake.", examples=[Example(value=False)]),
    ] = False,
    reason: Note = "",
) -> PlayerOut:
    """Add or remove the number that another body gave a player."""
    office = office_of_players(request, number)
    (remove_identifier if remove else add_identifier)(office, number, scheme, value, reason=reason)
    return person_out(_person(office, number))


ROUTES = (register_player, collect_player_data, change_player, set_identifier)
