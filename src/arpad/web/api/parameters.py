"""Parameters that several addresses of the API take."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.office.office import Office
from arpad.office.users import Role
from arpad.web.auth import COSTLY, scope
from arpad.web.desk import desk_of, worker
from arpad.web.refusals import Refused

Number = Annotated[
    int, PathParameter(description="The register's number.", ge=1, le=2**31 - 1, examples=[Example(value=1)])
]
ReportNumber = Annotated[
    int, PathParameter(description="The report's number.", ge=1, le=2**31 - 1, examples=[Example(value=1)])
]
ListName = Annotated[
    str,
    PathParameter(
        description="A list such as standard-2025-01-01-r1, or its bare name for the one in force.",
        examples=[Example(value="standard")],
        max_length=60,
    ),
]
FullListName = Annotated[
    str,
    PathParameter(
        description="The full name of a list, as standard-2025-06-01-r1.",
        examples=[Example(value="standard-2025-06-01-r1")],
        max_length=60,
    ),
]
OnlyList = Annotated[
    str | None,
    QueryParameter(
        description="Only lists of this name.", max_length=40, examples=[Example(value="standard")]
    ),
]
Cut = Annotated[
    str,
    QueryParameter(
        description="active, all, women, juniors or seniors; without it the active, or a federation's whole list.",
        max_length=40,
        examples=[Example(value="active")],
    ),
]
Federation = Annotated[
    str | None,
    QueryParameter(
        description="Instead: the list of a federation.", max_length=10, examples=[Example(value="ITA")]
    ),
]
ClubOnly = Annotated[
    str | None,
    QueryParameter(
        description="Only members of this club on the list's day.",
        max_length=20,
        examples=[Example(value="MI1")],
    ),
]
RegionOnly = Annotated[
    str | None,
    QueryParameter(
        description="Only members of clubs in this region.", max_length=20, examples=[Example(value="LOM")]
    ),
]
GroupOnly = Annotated[
    str | None,
    QueryParameter(
        description="Only an age group: u8 to u20, s50, s65, or as the office sets them.",
        max_length=20,
        examples=[Example(value="u12")],
    ),
]
Games = Annotated[
    list[str],
    QueryParameter(
        description="OPPONENT:SCORE, once for each game.",
        examples=[Example(value=["1900:1", "2000:0.5"])],
        min_items=1,
        max_items=200,
    ),
]
ChessList = Annotated[
    str,
    QueryParameter(
        description="standard, rapid or blitz.", max_length=40, examples=[Example(value="standard")]
    ),
]


Asked = Request[Any, Any, Any]


SECURED: dict[str, Any] = {"opt": scope("register"), "security": [{"token": []}], "sync_to_thread": True}


COSTLY_SECURED: dict[str, Any] = SECURED | {"opt": dict(scope("register")) | COSTLY}


def text_query(description: str, example: str, most: int = 40) -> Any:
    """Return the description of a text in the query."""
    return QueryParameter(description=description, max_length=most, examples=[Example(value=example)])


def number_query(description: str, example: int) -> Any:
    """Return the description of a number in the query."""
    return QueryParameter(description=description, ge=1, le=2**31 - 1, examples=[Example(value=example)])


def officers_office(request: Asked) -> Office:
    """Return the office if the token's user is an officer."""
    if not worker(request).has(Role.OFFICER):
        raise Refused(403, "not-yours")
    return desk_of(request)


Note = Annotated[
    str,
    QueryParameter(
        description="The reason, for the ledger.",
        max_length=500,
        examples=[Example(value="letter of the arbiter")],
    ),
]
