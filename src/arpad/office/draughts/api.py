"""The commission's records of draughts for programs: points taken and given back, promotions, FMJD ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.model.rules import ListName
from arpad.model.typed_values import parse_day
from arpad.office.draughts import documents
from arpad.office.draughts.points import PointsRegister, points_register
from arpad.office.draughts.records import FmjdRating, fmjd_ratings
from arpad.office.draughts.records import promotions as office_promotions
from arpad.office.register import hidden_rows as hidden_players
from arpad.rating.draughts_arguments import parse_discipline
from arpad.regulations.draughts.categories import Promotion
from arpad.web.api.responses import answers, csv_answers, etagged, to_schema
from arpad.web.auth import PUBLIC
from arpad.web.requests import require_office

Asked = Request[Any, Any, Any]
ADDRESS = "/api/v1/draughts"
DraughtsList = Annotated[
    str,
    PathParameter(
        description="italiana or internazionale.", max_length=40, examples=[Example(value="italiana")]
    ),
]


def _day(name: str, about: str, example: str) -> Any:
    return QueryParameter(
        name=name, description=about, max_length=10, examples=[Example(summary=example, value=example)]
    )


From = Annotated[str, _day("from", "The first day of the period.", "2024-01-01")]
To = Annotated[str, _day("to", "The last day of the period.", "2024-12-31")]


@dataclass
class PointsEntryOut:
    """Points taken from a player, or given back; the kind says which, as taken, given-back, cancelled, returned."""

    year: int
    kind: str
    points: int
    total: int
    list: str


@dataclass
class PointsPlayerOut:
    """A player from whom points were taken."""

    player: int
    name: str
    capital: int | None
    total: int
    left: int
    last_event: str | None
    idle_years: int
    entries: Sequence[PointsEntryOut]


@dataclass
class PointsOut:
    """The register of points of a draughts list."""

    list: str
    date: str | None
    limit: int
    players: Sequence[PointsPlayerOut]


@dataclass
class PromotionOut:
    """A player who reached a higher category."""

    player: int
    name: str
    held: str
    reached: str
    capital: int
    threshold: int
    event: str
    day: str


@dataclass
class PromotionsOut:
    """The promotions of a period."""

    list: str
    promotions: Sequence[PromotionOut]


@dataclass
class FmjdRatingOut:
    """An FMJD rating, the weight that table 22 gives it, and the capital it makes."""

    player: int
    name: str
    federation: str
    rating: int
    since: str | None
    factor: str
    capital: int


@dataclass
class FmjdOut:
    """The FMJD ratings in force today."""

    players: Sequence[FmjdRatingOut]


def _hidden(request: Asked) -> frozenset[int]:
    with require_office(request).store.reading() as connection:
        return hidden_players.hidden(connection)


def _register(request: Asked, name: str) -> PointsRegister:
    register = points_register(require_office(request), parse_discipline(name, "list"))
    return documents.without_hidden(register, _hidden(request))


@get(
    "/draughts/{name:str}/points", opt=PUBLIC, sync_to_thread=True, summary="Points taken and given back",
    responses=answers(PointsOut, f"GET {ADDRESS}/{{name}}/points", 400, 404, etag=True),
)  # fmt: skip
def get_points(request: Asked, name: DraughtsList) -> Response[Any]:
    """The register of points of a draughts list (tables 18b and 22)."""
    return etagged(request, to_schema(PointsOut, documents.points_document(_register(request, name))))


@get(
    "/draughts/{name:str}/points.csv", opt=PUBLIC, media_type="text/csv", sync_to_thread=True,
    summary="Points as CSV", responses=csv_answers(f"GET {ADDRESS}/{{name}}/points.csv", 400, 404, etag=True),
)  # fmt: skip
def get_points_csv(request: Asked, name: DraughtsList) -> Response[Any]:
    """The same as CSV, a row for each entry."""
    return etagged(request, documents.points_table(_register(request, name)).csv())


def _promotions(
    request: Asked, name: str, first: str, last: str
) -> tuple[ListName, date, date, list[Promotion]]:
    on_list = parse_discipline(name, "list")
    begin, end = parse_day(first, "from"), parse_day(last, "to")
    promotions = office_promotions(require_office(request), on_list, begin, end)
    away = _hidden(request)
    return on_list, begin, end, [promotion for promotion in promotions if int(promotion.id) not in away]


@get(
    "/draughts/{name:str}/promotions", opt=PUBLIC, sync_to_thread=True, summary="Promotions",
    responses=answers(PromotionsOut, f"GET {ADDRESS}/{{name}}/promotions", 400, 404, etag=True),
)  # fmt: skip
def list_promotions(request: Asked, name: DraughtsList, first: From, last: To) -> Response[Any]:
    """The promotions of the events that ended in a period (tables 11 and 12)."""
    document = documents.promotions_document(*_promotions(request, name, first, last))
    return etagged(request, to_schema(PromotionsOut, document))


@get(
    "/draughts/{name:str}/promotions.csv", opt=PUBLIC, media_type="text/csv", sync_to_thread=True,
    summary="Promotions as CSV",
    responses=csv_answers(f"GET {ADDRESS}/{{name}}/promotions.csv", 400, 404, etag=True),
)  # fmt: skip
def list_promotions_csv(request: Asked, name: DraughtsList, first: From, last: To) -> Response[Any]:
    """The same as CSV."""
    *_, promotions = _promotions(request, name, first, last)
    return etagged(request, documents.promotions_table(promotions).csv())


def _fmjd(request: Asked) -> list[FmjdRating]:
    away = _hidden(request)
    return [rating for rating in fmjd_ratings(require_office(request)) if rating.player not in away]


@get(
    "/draughts/fmjd", opt=PUBLIC, sync_to_thread=True, summary="FMJD ratings",
    responses=answers(FmjdOut, f"GET {ADDRESS}/fmjd", 404, etag=True),
)  # fmt: skip
def list_fmjd_ratings(request: Asked) -> Response[Any]:
    """The FMJD ratings in force, the weight of each and the capital it makes (table 22)."""
    return etagged(request, to_schema(FmjdOut, documents.fmjd_document(_fmjd(request))))


@get(
    "/draughts/fmjd.csv", opt=PUBLIC, media_type="text/csv", sync_to_thread=True, summary="FMJD ratings as CSV",
    responses=csv_answers(f"GET {ADDRESS}/fmjd.csv", 404, etag=True),
)  # fmt: skip
def list_fmjd_ratings_csv(request: Asked) -> Response[Any]:
    """The same as CSV."""
    return etagged(request, documents.fmjd_table(_fmjd(request)).csv())


ROUTES = (
    get_points,
    get_points_csv,
    list_promotions,
    list_promotions_csv,
    list_fmjd_ratings,
    list_fmjd_ratings_csv,
)
