"""The accepted tournaments as visitors look for them: by words, list and year, page by page, with their winners."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from arpad.model.canonical_json import load
from arpad.model.names import matches
from arpad.office.reports.page_rows import ReportFilter, accepted_reports, filed_in_order, report_conditions
from arpad.office.reports.rows import Filed
from arpad.office.reports.tables import ACCEPTED, entrants, reports
from arpad.store.bulk import cached_until_act, page_of, rows_with

PAGE = 50


@dataclass(frozen=True, slots=True)
class SoughtTournaments:
    """The search of a visitor; an empty field restricts nothing."""

    words: str = ""
    """Words that begin words of the name or of the town."""

    list: str = ""
    year: int | None = None


@dataclass(frozen=True, slots=True)
class TournamentsPage:
    """A page of accepted tournaments, the latest first."""

    reports: Sequence[Filed]
    page: int
    pages: int


def tournaments_page(connection: Connection, sought: SoughtTournaments, page: int) -> TournamentsPage:
    """Return a page of the accepted tournaments that a visitor looks for."""
    if sought == SoughtTournaments():
        filed, pages = accepted_reports(connection, page, PAGE)
        return TournamentsPage(filed, min(max(1, page), pages), pages)
    conditions = report_conditions(connection, ReportFilter(status=ACCEPTED, list=sought.list))
    if sought.year is not None:
        conditions += [
            reports.c.last_day >= f"{sought.year:04}", reports.c.last_day < f"{sought.year + 1:04}",
        ]  # fmt: skip
    query = select(reports.c.id, reports.c.name, reports.c.city).where(*conditions)
    rows = connection.execute(query.order_by(reports.c.last_day.desc(), reports.c.id.desc()))
    numbers = [
        number for number, name, city in rows if not sought.words or matches(f"{name} {city}", sought.words)
    ]
    page, pages = page_of(page, len(numbers), PAGE)
    return TournamentsPage(filed_in_order(connection, numbers[(page - 1) * PAGE : page * PAGE]), page, pages)


@cached_until_act
def tournament_years(connection: Connection) -> range:
    """Return the years of the tournaments on file, the latest first."""
    query = select(func.min(reports.c.last_day), func.max(reports.c.last_day)).where(reports.c.last_day != "")
    first, last = connection.execute(query).one()
    return range(int(last[:4]), int(first[:4]) - 1, -1) if first else range(0)


def winners(connection: Connection, numbers: Sequence[int]) -> dict[int, int]:
    """Return the player who won each of some tournaments; one that several share has no winner."""
    rows = rows_with(connection, _WINNERS, reports.c.id, numbers)
    return {report: load(players)[winner] for report, winner, players in rows}


_WINNERS = (
    select(reports.c.id, reports.c.winner, entrants.c.players)
    .join(entrants, entrants.c.report == reports.c.id)
    .where(reports.c.winner.is_not(None))
)
