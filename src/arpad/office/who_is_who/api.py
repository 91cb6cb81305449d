"""Routes for officers' programs that decide who is who: likely duplicates, merges and aliases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from litestar import get, post
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.model.cursors import Cursor, parse_cursor
from arpad.model.errors import BadInput
from arpad.model.people import birth_year
from arpad.office.corrections.affected_lists import lists_to_revise
from arpad.office.inbox.entrant_decisions import aliases_in_force, revoke_alias_of
from arpad.office.office import Office
from arpad.office.register.api import person_out
from arpad.office.register.merge_rows import active_merge
from arpad.office.reports.entrant_rows import EntrantDecision
from arpad.office.reports.federation_pages import office_of_players
from arpad.office.who_is_who.duplicates import declare_distinct, pairs_apart, revoke_distinct_pair
from arpad.office.who_is_who.merge import merge as office_merge
from arpad.office.who_is_who.merge import unmerge
from arpad.office.who_is_who.pages import own_aliases, own_pairs
from arpad.web.api.cursors import After
from arpad.web.api.parameters import SECURED, Asked, Note, Number, number_query, officers_office, text_query
from arpad.web.api.responses import answers
from arpad.web.api.schemas import PlayerOut
from arpad.web.desk import desk_of, for_all

AT_ONCE = 200
MOST_PAIRS = 200
Decision = Annotated[
    int,
    PathParameter(description="The decision's number.", ge=1, le=2**31 - 1, examples=[Example(value=1)]),
]


# ------------------------------------------------------------------------------------------------------- duplicates


@dataclass
class DuplicateOut:
    """Two players who are likely the same; reasons as in the matches of a report."""

    keep: PlayerOut
    drop: PlayerOut
    score: int
    reasons: Sequence[str]


@dataclass
class PairOut:
    """Two players who are two people, as an officer decided."""

    pair: int
    player: int
    other: int


@dataclass
class DuplicatesOut:
    """Likely duplicates, the likeliest first, and the pairs that are two people."""

    duplicates: Sequence[DuplicateOut]
    two_people: Sequence[PairOut]


@dataclass
class ReviseOut:
    """Published lists to compute again, from the first of them on: because of merges, or a changed basis."""

    list: str
    first: str
    lists: int
    cause: str


@dataclass
class ListsToReviseOut:
    """The published lists to compute again."""

    revise: Sequence[ReviseOut]


@dataclass
class MergedOut:
    """Two players who are one since a merge, or two again."""

    merge: int
    kept: int
    dropped: int
    merged: bool
    revise: Sequence[ReviseOut]


@get(
    "/duplicates", summary="Likely duplicates", **SECURED,
    responses=answers(DuplicatesOut, "GET /api/v1/duplicates", 400, 401, 403, 404),
)  # fmt: skip
def list_duplicates(
    request: Asked,
    most: Annotated[
        int,
        QueryParameter(
            description="At most this many pairs.", ge=1, le=MOST_PAIRS, examples=[Example(value=2)]
        ),
    ] = 50,
) -> DuplicatesOut:
    """Players of the register who are likely the same person, and the pairs that are two people."""
    officers_office(request)
    duplicates, apart = own_pairs(request, most)
    return DuplicatesOut(
        [
            DuplicateOut(person_out(it.player), person_out(it.other), it.score, it.reasons)
            for it in duplicates
        ],
        [PairOut(it.id, it.player, it.other) for it in apart],
    )


@post(
    "/players/{number:int}/two-people", status_code=201, summary="Two people", **SECURED,
    responses=answers(PairOut, "POST /api/v1/players/{number}/two-people", 400, 401, 403, 404, status=201),
)  # fmt: skip
def declare_two_people(
    request: Asked,
    number: Number,
    other: Annotated[int, number_query("The other player.", 2)],
    reason: Note = "",
) -> PairOut:
    """Say that two players with similar names are two people."""
    pair = declare_distinct(office_of_players(request, number, other), number, other, reason=reason)
    return PairOut(pair, min(number, other), max(number, other))


@post(
    "/two-people/{decision:int}/revoke", status_code=200, summary="Revoke that two are two people", **SECURED,
    responses=answers(PairOut, "POST /api/v1/two-people/{decision}/revoke", 400, 401, 403, 404),
)  # fmt: skip
def revoke_two_people(request: Asked, decision: Decision, reason: Note) -> PairOut:
    """Revoke the decision that two players are two people."""
    for_all(request)
    office = desk_of(request)
    pairs = {it.id: it for it in pairs_apart(office)}
    revoke_distinct_pair(office, decision, reason=reason)
    return PairOut(decision, pairs[decision].player, pairs[decision].other)


def _merged(office: Office, merge: int, kept: int, dropped: int, *, merged: bool) -> MergedOut:
    return MergedOut(merge, kept, dropped, merged, _to_revise(office))


def _to_revise(office: Office) -> list[ReviseOut]:
    concerned = lists_to_revise(office)
    return [ReviseOut(str(it.list), str(it.first), it.lists, it.cause) for it in concerned]


@get(
    "/lists-to-revise", summary="Lists to revise", **SECURED,
    responses=answers(ListsToReviseOut, "GET /api/v1/lists-to-revise", 401, 403),
)  # fmt: skip
def list_lists_to_revise(request: Asked) -> ListsToReviseOut:
    """Published lists that merges concern, or that were made from a list which has changed since."""
    return ListsToReviseOut(_to_revise(officers_office(request)))


@post(
    "/players/{number:int}/merge", status_code=201, summary="Merge two players", **SECURED,
    responses=answers(MergedOut, "POST /api/v1/players/{number}/merge", 400, 401, 403, 404, status=201),
)  # fmt: skip
def merge_players(
    request: Asked,
    number: Number,
    dropped: Annotated[int, number_query("The number of the same player that is dropped.", 3)],
    reason: Note,
    *,
    confirm: Annotated[
        bool,
        QueryParameter(
            description="Whether to merge them although names or births do not agree.",
            examples=[Example(value=True)],
        ),
    ] = False,
) -> MergedOut:
    """Merge two numbers of one player; the number of the address stays."""
    office = office_of_players(request, number, dropped)
    merge = office_merge(office, number, dropped, reason, confirmed=confirm)
    return _merged(office, merge, number, dropped, merged=True)


@post(
    "/merges/{decision:int}/undo", status_code=200, summary="Undo a merge", **SECURED,
    responses=answers(MergedOut, "POST /api/v1/merges/{decision}/undo", 400, 401, 403, 404),
)  # fmt: skip
def undo_merge(request: Asked, decision: Decision, reason: Note) -> MergedOut:
    """Undo a merge of two different players."""
    office = officers_office(request)
    with office.store.reading() as connection:
        merged = active_merge(connection, decision)
    if merged is None:
        raise BadInput("no-merge", merge=decision)
    unmerge(office_of_players(request, *merged), decision, reason)
    return _merged(office, decision, *merged, merged=False)


# ---------------------------------------------------------------------------------------------------------- aliases


@dataclass
class AliasOut:
    """A name that an officer said is a player."""

    alias: int
    name: str
    born: int | None
    source: str
    player: int
    report: int
    author: str
    day: str


@dataclass
class AliasesOut:
    """A page of the aliases."""

    aliases: Sequence[AliasOut]
    next: str
    more: bool


def _alias(item: EntrantDecision) -> AliasOut:
    return AliasOut(
        item.id, item.name, birth_year(item.born), item.source, item.player or 0, item.report, item.author, item.at[:10]
    )  # fmt: skip


@get(
    "/aliases", summary="Aliases", **SECURED,
    responses=answers(AliasesOut, "GET /api/v1/aliases", 400, 401, 403, 404),
)  # fmt: skip
def list_aliases(
    request: Asked,
    q: Annotated[str, text_query("Part of a name, or a player's number.", "Saga", 100)] = "",
    after: After = "",
) -> AliasesOut:
    """The names that officers said are a player of the register, with author and day."""
    first = parse_cursor(after).item if after else 0
    officers_office(request)
    present = [it for it in own_aliases(request, q.strip()) if it.id > first]
    shown = present[:AT_ONCE]
    following = str(Cursor(shown[-1].id)) if shown else after
    return AliasesOut([_alias(it) for it in shown], following, len(present) > len(shown))


@post(
    "/aliases/{decision:int}/revoke", status_code=200, summary="Revoke an alias", **SECURED,
    responses=answers(AliasOut, "POST /api/v1/aliases/{decision}/revoke", 400, 401, 403, 404),
)  # fmt: skip
def revoke_alias(request: Asked, decision: Decision, reason: Note) -> AliasOut:
    """Revoke an alias: the name is doubtful again in later reports."""
    for_all(request)
    office = desk_of(request)
    aliases = {it.id: it for it in aliases_in_force(office, "")}
    revoke_alias_of(office, decision, reason)
    return _alias(aliases[decision])


ROUTES = (
    list_duplicates, list_lists_to_revise, declare_two_people, revoke_two_people, merge_players, undo_merge,
    list_aliases, revoke_alias,
)  # fmt: skip
