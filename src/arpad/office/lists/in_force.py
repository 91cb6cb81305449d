"""The published lists, the one in force on a day (reading 3), and which data its inputs are loaded from.

A published list can be computed again as it was.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from sqlalchemy import Connection

from arpad.lists.input_files import guests_lines, read_guests
from arpad.lists.inputs import Guests
from arpad.model.canonical_json import dump, load
from arpad.model.draughts import DraughtsState
from arpad.model.errors import BadInput
from arpad.model.json_values import to_capital
from arpad.model.rules import ListName
from arpad.office.lists import history_rows as list_rows
from arpad.office.lists import rows as lists
from arpad.office.lists.rows import Publication
from arpad.office.lists.tables import BASE
from arpad.office.office import Office


def publications(office: Office, on_list: ListName | None = None) -> tuple[Publication, ...]:
    """Return every published list, by day and revision."""
    with office.store.reading() as connection:
        return lists.all_publications(connection, on_list)


def publication_in_force(
    publications: Sequence[Publication], day: date, *, newest_revision: bool = False
) -> Publication | None:
    """Return the list of the latest day up to this one, in the revision published by then.

    If none was published by then, the first revision counts; a recomputation takes the newest.
    """
    shown = [p for p in publications if p.kind != BASE and p.day <= day]
    if not shown:
        return None
    latest = max(p.day for p in shown)
    revisions = sorted((p for p in shown if p.day == latest), key=lambda p: p.revision)
    if newest_revision:
        return revisions[-1]
    return next((p for p in reversed(revisions) if p.published <= day), revisions[0])


def list_on_day(connection: Connection, on_list: ListName, day: date) -> Publication:
    """Return the list in force on a day; refuse a day before the first list."""
    publication = publication_in_force(lists.all_publications(connection, on_list), day)
    if publication is None:
        raise BadInput("no-list-on-day", list=str(on_list), day=day)
    return publication


def newest(publications: Sequence[Publication], before: date | None = None) -> Publication | None:
    """Return the last list, in its newest revision or with its corrected base: the next period starts from it."""
    earlier = [p for p in publications if before is None or p.day < before]
    return max(earlier, key=lambda p: (p.day, p.revision), default=None)


def ratings_on(
    connection: Connection, on_list: ListName, day: date, players: Iterable[int]
) -> dict[int, int]:
    """Return the ratings of some players on the list in force on a day."""
    publication = publication_in_force(lists.all_publications(connection, on_list), day)
    return list_rows.ratings(connection, publication.id, players) if publication else {}


def capitals_in_force(
    connection: Connection, on_list: ListName, day: date
) -> tuple[DraughtsState, ...] | None:
    """Return all standings of the draughts list in force on a day; None if none is published."""
    publication = publication_in_force(lists.all_publications(connection, on_list), day)
    if publication is None:
        return None
    return tuple(to_capital(state) for state in list_rows.states(connection, publication.id).values())


@dataclass(frozen=True, slots=True)
class AsOf:
    """Which revision of a list is computed, and which data is visible.

    A draft sees all; a recomputation sees the state at publication; a revision sees the register of the list that it
    corrects, and all later merges and decisions. None means no limit.
    """

    number: int
    previous: str = ""
    revision: int = 1
    revises: str = ""
    newest_revision: bool = False
    """Whether events take the newest revision of the list in force, rather than the one that was published then."""

    register_as_of: int | None = None
    """The last act whose changes of the register, the settings and the editions are visible."""

    decisions_as_of: int | None = None
    """The last act whose decisions are visible."""

    merges_as_of: int | None = None
    """The last act whose merges are visible."""

    before_publication: int | None = None
    """Only publications with a lower number are visible."""

    hidden: tuple[int, ...] | None = None
    """The players who had asked not to be shown; None for those of today."""

    guests: Mapping[date, Guests] | None = None
    """The guests with the ratings that they had; None for those of the reference lists that are kept."""

    not_owned: frozenset[int] | None = None
    """The players whom the office did not own on the list's day; None for those of today."""

    shows_dead: bool = False
    """Whether a list of the office's own still shows players who died, as those published before 0005 do."""

    earlier_guests: Mapping[date, Guests] = field(default_factory=dict)
    """The guests of the list that is corrected: they count if the reference list was removed since."""

    def sees(self, publication: Publication) -> bool:
        """Return whether a publication is visible."""
        return self.before_publication is None or publication.id < self.before_publication


_STORED = {
    "previous": "previous",
    "revises": "revises",
    "newest_revision": "newest_revision",
    "register_at": "register_as_of",
    "decided_at": "decisions_as_of",
    "merged_at": "merges_as_of",
    "lists_before": "before_publication",
    "hidden": "hidden",
}
"""The names of the stored JSON, which exports show, and the fields they stand for."""


def stored_as_of(as_of: AsOf, on_list: ListName) -> str:
    """Return what a publication of a list stores, as JSON; its number and revision are columns of their own."""
    document = {stored: getattr(as_of, name) for stored, name in _STORED.items()}
    if as_of.guests:
        document["guests"] = guests_lines(as_of.guests).decode()
    if as_of.not_owned:
        document["not_owned"] = sorted(as_of.not_owned)
    if on_list.is_own and not as_of.shows_dead:
        document[_WITHOUT_DEAD] = True
    return dump(document)


_WITHOUT_DEAD = "without_dead"


def inputs_as_of(publication: Publication) -> AsOf:
    """Return which data a published list was computed from."""
    stored = load(publication.making)
    fields = {name: stored[key] for key, name in _STORED.items()}
    fields["hidden"] = tuple(fields["hidden"])
    fields["guests"] = read_guests(stored.get("guests", "").encode())
    fields["not_owned"] = frozenset(stored.get("not_owned", ()))
    fields["shows_dead"] = _WITHOUT_DEAD not in stored
    return AsOf(publication.number, revision=publication.revision, **fields)
