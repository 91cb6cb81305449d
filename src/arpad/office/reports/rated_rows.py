"""Which reports the published lists rate, and which they should."""

from collections.abc import Collection, Iterable, Mapping

from sqlalchemy import ColumnElement, Connection, and_, bindparam, exists, func, or_, select

from arpad.model.rules import ListName
from arpad.office.lists.tables import BASE, publications, rated_reports, taken_back
from arpad.office.reports.rows import Filed, decided_lists, filed, with_status
from arpad.office.reports.tables import ACCEPTED, RECEIVED, report_statuses
from arpad.store.bulk import fetch_rows, rows_with
from arpad.store.schema import own_lists


def reports_to_rate(
    connection: Connection, on_list: ListName, ignoring: Iterable[int], among: Collection[int] | None = None
) -> list[Filed]:
    """Return the received and accepted reports of a list that no publication rates, ignoring some publications.

    ``among`` are the only reports that are looked at.

    A report that a decision moved to this list is included even while another list still rates it. The numbers are
    found in short rows; only the reports found are read from the table with the bytes.
    """
    ignored = {"ignored": list(ignoring)}
    query = _NOT_RATED if among is None else _NOT_RATED.where(report_statuses.c.report.in_(among))
    numbers = {number for (number,) in fetch_rows(connection, query, ignored)}
    moved = {number for number, name in decided_lists(connection).items() if name == on_list} - numbers
    moved = moved if among is None else moved.intersection(among)
    if moved:
        query = select(rated_reports.c.report).where(
            publications.c.id == rated_reports.c.publication, publications.c.list == str(on_list),
            rated_reports.c.report.in_(moved), _COUNTS,
        )  # fmt: skip
        moved -= set(connection.execute(query, ignored).scalars())
    return [
        report
        for report in filed(connection, numbers | moved).values()
        if report.list == on_list and report.status in (RECEIVED, ACCEPTED)
    ]


def _not_taken_back(publication: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a publication was not taken back."""
    return publication.not_in(select(taken_back.c.publication))


_OF_OWN_LISTS = select(publications.c.id).where(publications.c.list.in_(select(own_lists.c.name)))
"""The lists of the office's own: an event counts on them beside the list of FIDE or Elo-Rubele."""

_COUNTS = and_(
    rated_reports.c.publication.not_in(_OF_OWN_LISTS),
    rated_reports.c.publication.not_in(bindparam("ignored", expanding=True)),
    _not_taken_back(rated_reports.c.publication),
)
_NOT_RATED = with_status(RECEIVED, ACCEPTED).where(
    ~exists().where(rated_reports.c.report == report_statuses.c.report, _COUNTS)
)


def outdated_revisions(connection: Connection) -> set[int]:
    """Return the publications that a later revision of the same list and day has replaced."""
    return set(connection.execute(_OUTDATED).scalars())


_later = publications.alias()
_OUTDATED = select(publications.c.id).where(
    publications.c.kind != BASE,
    exists().where(
        _later.c.list == publications.c.list, _later.c.day == publications.c.day, _later.c.kind != BASE,
        _later.c.revision > publications.c.revision, _not_taken_back(_later.c.id),
    ),
)  # fmt: skip


def still_rated(connection: Connection, since: Mapping[int, int]) -> set[tuple[int, str]]:
    """Return the reports that current lists still rate, each with the name of the list.

    ``since`` maps each report to the act since which it should not be rated. A list that was corrected after that act
    no longer rates the report, whether the list itself or only its base was corrected.
    """
    if not since:
        return set()
    corrected = select(publications.c.list, func.max(publications.c.act))
    corrected = corrected.where(publications.c.corrects.is_not(None), _not_taken_back(publications.c.id))
    corrected = corrected.group_by(publications.c.list)
    corrected_by: dict[str, int] = dict(fetch_rows(connection, corrected))
    query = select(rated_reports.c.report, publications.c.list).where(
        publications.c.id == rated_reports.c.publication, rated_reports.c.report.in_(list(since)),
        _not_taken_back(publications.c.id), publications.c.id.not_in(outdated_revisions(connection)),
        publications.c.id.not_in(_OF_OWN_LISTS),
    )  # fmt: skip
    return {
        (report, name)
        for report, name in connection.execute(query)
        if corrected_by.get(name, 0) < since[report]
    }


def rated_already(
    connection: Connection, publications: Iterable[int], among: Iterable[int] | None = None
) -> set[int]:
    """Return the reports that some publications rate, only of some reports if given."""
    of = {"of": list(publications)}
    if among is None:
        return set(connection.execute(_RATED_IN, of).scalars())
    rows = rows_with(connection, _RATED_IN, rated_reports.c.report, set(among), **of)
    return {report for (report,) in rows}


_RATED_IN = select(rated_reports.c.report).where(
    rated_reports.c.publication.in_(bindparam("of", expanding=True))
)


def newly_rated(connection: Connection, publication: int) -> list[int]:
    """Return the reports that a publication rates and that no publication in force before it rated."""
    act = select(publications.c.act).where(publications.c.id == publication).scalar_subquery()
    on_list = select(publications.c.list).where(publications.c.id == publication).scalar_subquery()
    same_list = select(publications.c.id).where(publications.c.list == on_list)
    earlier = rated_reports.alias()
    taken_before = select(taken_back.c.publication).where(taken_back.c.act < act)
    rated_before = exists().where(
        earlier.c.report == rated_reports.c.report,
        earlier.c.publication < publication,
        or_(earlier.c.publication.not_in(_OF_OWN_LISTS), earlier.c.publication.in_(same_list)),
        earlier.c.publication.not_in(taken_before),
    )
    query = select(rated_reports.c.report).where(rated_reports.c.publication == publication, ~rated_before)
    return sorted(connection.execute(query).scalars())
