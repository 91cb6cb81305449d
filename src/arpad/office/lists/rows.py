"""Published lists: one row for each revision, and the reports that it rates."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, bindparam, insert, select

from arpad.model.rules import LISTS, ListName
from arpad.office.lists.tables import player_reports, publications, rated_reports, taken_back
from arpad.store.bulk import add_rows, cached_until_act, columns_of, fetch_rows, next_id, revoke, rows_with
from arpad.store.schema import own_lists
from arpad.store.settings import OwnList, own_lists_of


@dataclass(frozen=True, slots=True)
class Publication:
    """One revision of one list."""

    id: int
    list: ListName
    day: date
    revision: int
    number: int
    kind: str
    edition: str
    head: str
    """The canonical text above the players' lines."""

    digest: str
    standings_digest: str
    inputs_digest: str
    making: str
    """How its inputs were loaded, as canonical JSON, so that they can be loaded again."""

    published: date
    base: int | None
    """The publication whose standings it starts from."""

    corrects: int | None
    act: int
    taken_back: int | None = None
    """The act that took it back, if one did."""

    @property
    def name(self) -> str:
        """The beginning of the names of its files."""
        return f"{self.list}-{self.day}-r{self.revision}"


def next_publication(connection: Connection) -> int:
    """Return the number of the next publication."""
    return next_id(connection, publications)


def add_publication(connection: Connection, publication: Publication) -> None:
    """Add a publication."""
    values = columns_of(publication)
    connection.execute(insert(publications), {name: values[name] for name in _STORED})
    _READ.pop(connection, None)


def add_rated(connection: Connection, publication: int, reports: Iterable[int]) -> None:
    """Add the reports that a publication rates."""
    rows = [(publication, report) for report in reports]
    add_rows(connection, rated_reports, ("publication", "report"), rows)


def add_taken_back(connection: Connection, publication: int, act: int) -> None:
    """Take a publication back."""
    revoke(connection, taken_back, publication, act)
    _READ.pop(connection, None)


def all_publications(connection: Connection, on_list: ListName | None = None) -> tuple[Publication, ...]:
    """Return every publication that was not taken back, by list, day and revision."""
    publications = ever_published(connection)
    return tuple(p for p in publications if p.taken_back is None and on_list in (None, p.list))


@cached_until_act
def ever_published(connection: Connection) -> tuple[Publication, ...]:
    """Return every publication, also those that were taken back, by list, day and revision."""
    all_published = _READ.get(connection)
    if all_published is None:
        own = own_lists_of(connection)
        all_published = tuple(_publication(own, row) for row in fetch_rows(connection, _EVER_PUBLISHED))
        _READ[connection] = all_published
    return all_published


_STORED = tuple(item.name for item in fields(Publication) if item.name in publications.columns)
_EVER_PUBLISHED = (
    select(*(publications.c[name] for name in _STORED), taken_back.c.act)
    .outerjoin(taken_back, taken_back.c.publication == publications.c.id)
    .order_by(publications.c.list, publications.c.day, publications.c.revision)
)


def of_no_list(connection: Connection) -> list[int]:
    """Return the publications of lists that the office does not have."""
    return list(connection.scalars(_OF_NO_LIST))


_OF_NO_LIST = select(publications.c.id).where(
    publications.c.list.not_in(LISTS), publications.c.list.not_in(select(own_lists.c.name))
)


def next_revision(connection: Connection, on_list: ListName, day: date) -> int:
    """Return the number of the next revision of a day's list; a number taken back is not used again."""
    revisions = [p.revision for p in ever_published(connection) if p.list == on_list and p.day == day]
    return max(revisions, default=0) + 1


_READ: WeakKeyDictionary[Connection, tuple[Publication, ...]] = WeakKeyDictionary()
"""The publications by connection: a writing transaction is the only one that adds to them, so it reads them once."""


def _publication(own_lists: Mapping[str, OwnList], row: Iterable[Any]) -> Publication:
    """Return a publication from the values of its row."""
    values = dict(zip((*_STORED, "taken_back"), row, strict=True))
    own = own_lists.get(values["list"])
    values["list"] = ListName(values["list"]) if own is None else own.name
    values["day"] = date.fromisoformat(values["day"])
    values["published"] = date.fromisoformat(values["published"])
    return Publication(**values)


def rated_in(connection: Connection, publication: int) -> tuple[int, ...]:
    """Return the reports that a publication rates."""
    return tuple(sorted(rated_in_each(connection, [publication])[publication]))


def rated_in_each(connection: Connection, publications_: Iterable[int]) -> dict[int, set[int]]:
    """Return the reports that each of these publications rates."""
    rated: dict[int, set[int]] = {publication: set() for publication in publications_}
    for publication, report in rows_with(connection, _RATED_IN, rated_reports.c.publication, rated):
        rated[publication].add(report)
    return rated


_RATED_IN = select(rated_reports.c.publication, rated_reports.c.report)


def rated_reports_of(connection: Connection, publication: int, players: Iterable[int]) -> set[int]:
    """Return the reports of a publication in which these players play."""
    rows = rows_with(connection, _REPORTS_OF, player_reports.c.player, players, publication=publication)
    return {report for (report,) in rows}


_PLAYED = player_reports.c.report == rated_reports.c.report
_REPORTS_OF = select(rated_reports.c.report).where(
    _PLAYED, rated_reports.c.publication == bindparam("publication")
)


def lists_rating(connection: Connection, players: Iterable[int]) -> set[int]:
    """Return the publications that rate a report in which one of these players plays."""
    rows = rows_with(connection, _RATED, player_reports.c.player, players)
    return {publication for (publication,) in rows}


_RATED = select(rated_reports.c.publication).where(_PLAYED).distinct()
