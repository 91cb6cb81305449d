"""The published lists as answers have them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date as Day  # noqa: N812  a field has the name of the type
from typing import Any

from arpad.model.rules import ListName
from arpad.office.declared import ListChosen, Reading, query
from arpad.office.lists.rows import Publication, all_publications
from arpad.office.users import officer


@dataclass(frozen=True, slots=True)
class ListRevision:
    """One revision of one published list."""

    list: ListName
    date: Day
    number: int
    revision: int
    kind: str
    edition: str
    digest: str
    published: Day


@dataclass(frozen=True, slots=True)
class ListRevisions:
    """Every published list, by day and revision."""

    lists: tuple[ListRevision, ...]


def list_facts(publication: Publication) -> dict[str, Any]:
    """Return what an answer has of a published list, by the names of its fields."""
    return {
        "list": publication.list, "date": publication.day, "number": publication.number,
        "revision": publication.revision, "kind": publication.kind, "edition": publication.edition,
        "digest": publication.digest, "published": publication.published,
    }  # fmt: skip


def list_revision(publication: Publication) -> ListRevision:
    """Return a published list as an answer has it."""
    return ListRevision(**list_facts(publication))


@query("lists", officer("lists"), says="office.no-lists")
def list_revisions(reading: Reading, *, list_: ListChosen | None = None) -> ListRevisions:
    """Show the published lists, with every revision."""
    return ListRevisions(tuple(map(list_revision, all_publications(reading.connection, list_))))
