"""The published lists as answers have them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date as Day  # noqa: N812  a field has the name of the type
from typing import Annotated, Any, Literal

from arpad.model.canonical_json import dump, load
from arpad.model.declared import Accepts
from arpad.model.errors import BadInput
from arpad.model.rules import ListName, parse_own_name
from arpad.office.declared import FederationCode, ListChosen, Reading, Reason, act, query
from arpad.office.lists.rows import Publication, all_publications
from arpad.office.office import ActContext
from arpad.office.users import ADMINISTRATOR, EVERYBODY, officer
from arpad.regulations import OF_OWN_LISTS
from arpad.store.settings import OwnList, add_own_list, own_lists_of


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


def _system(text: str, _option: str) -> str:
    from arpad.regulations.systems import system_named

    return system_named(text, OF_OWN_LISTS).id


NewList = Annotated[str, Accepts("ireland", word="new-list", personal=False, read=parse_own_name)]
SystemChosen = Annotated[str, Accepts("icu", word="list-system", personal=False, read=_system)]
Times = Annotated[Literal["standard", "rapid", "blitz"] | None, Accepts("standard", word="list-times")]
ListFacts = Annotated[dict[str, str], Accepts("tau=0.5", longest=500, word="list-facts", personal=False)]
SinceDay = Annotated[Day, Accepts("2024-01-01", word="list-since")]


@dataclass(frozen=True, slots=True)
class OwnListFacts:
    """A list of the office's own: how it is computed, and which events count on it."""

    name: str
    system: str
    game: str
    times: str
    """The time control of its events; empty for all."""

    owner: str
    """The federation whose players it rates; empty for everybody."""

    since: Day
    facts: Mapping[str, Any]
    """What the federation sets for its events, by the names that the system has."""


@dataclass(frozen=True, slots=True)
class OwnLists:
    """The lists of the office's own."""

    own_lists: tuple[OwnListFacts, ...]


@act("list add", ADMINISTRATOR, says="lists.added", page="/admin/editions")
def add_list(
    act: ActContext,
    name: NewList,
    *,
    system: SystemChosen,
    times: Times = None,
    owner: FederationCode = "",
    since: SinceDay | None = None,
    facts: ListFacts = {},  # noqa: B006  nobody changes it
    reason: Reason = "",
) -> OwnListFacts:
    """Add a list of the office's own, which a rating system computes from the accepted events.

    Every accepted event that ended on the first day or later counts on it, beside the list of FIDE or Elo-Rubele.
    With --times only events with that time control count, with --owner only players of that federation are rated.
    --facts are what the system leaves to the federation, as tau=0.5.
    """
    from arpad.regulations.system_fields import read_fields, written  # few commands need a system
    from arpad.regulations.systems import system_named

    if name in own_lists_of(act.connection):
        raise BadInput("list-name-taken", option="name", name=name)
    stated = written(
        read_fields(
            system_named(system).unit_facts, {it: _YES.get(text, text) for it, text in facts.items()}, "facts"
        )
    )
    name_of_list = ListName(name, system, times=times or "", owner=owner)
    own = OwnList(name_of_list, since or act.today, act.seq, dump(stated))
    add_own_list(act.connection, own)
    act.record(since=str(own.since), **({"facts": stated} if stated else {}))
    return _own_facts(own)


_YES = {"yes": True, "true": True, "no": False, "false": False}


@query("list all", EVERYBODY, columns=("name", "system", "times", "owner", "since"), path="/own-lists")
def own_lists(reading: Reading) -> OwnLists:
    """Show the lists of the office's own, with their rating systems."""
    return OwnLists(tuple(map(_own_facts, own_lists_of(reading.connection).values())))


def _own_facts(own: OwnList) -> OwnListFacts:
    name = own.name
    return OwnListFacts(str(name), name.system, name.game, name.times, name.owner, own.since, load(own.facts))
