"""The federation's own editions as they were adopted: of ratings or titles, the TOML, the list, and the first day."""

from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, select

from arpad.model.rules import ListName
from arpad.office.editions.tables import edition_revocations, editions
from arpad.store.bulk import cached_until_act, revoked

RATINGS = "ratings"
TITLES = "titles"
"""The subject of an own edition: ratings, by which lists are made, or titles and their norms."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """An own edition that is in force for one list from a day on."""

    id: int
    edition: str
    """The id in the TOML."""

    about: str
    """``RATINGS`` or ``TITLES``."""

    list: ListName
    since: date
    text: str
    """The TOML as it was adopted."""

    act: int


def adopted(
    connection: Connection,
    on_list: ListName | None = None,
    *,
    about: str = RATINGS,
    as_of_act: int | None = None,
) -> tuple[Adopted, ...]:
    """Return the own editions that are not revoked, now or at an act, of all lists or one; by list and day."""
    ended = revoked(connection, edition_revocations, as_of_act)
    return tuple(
        it
        for it in _ever_adopted(connection)
        if it.about == about and on_list in (None, it.list) and it.id not in ended
        and (as_of_act is None or it.act <= as_of_act)
    )  # fmt: skip


@cached_until_act
def _ever_adopted(connection: Connection) -> tuple[Adopted, ...]:
    rows = connection.execute(select(editions).order_by(editions.c.list, editions.c.since)).mappings()
    return tuple(
        Adopted(**{**row, "list": ListName(row["list"]), "since": date.fromisoformat(row["since"])})
        for row in rows
    )
