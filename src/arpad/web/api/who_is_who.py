"""Routes of the register for officers' programs: likely duplicates, aliases, number schemes and players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from litestar import Request, get, post
from litestar.openapi.spec import Example
from litestar.params import PathParameter, QueryParameter

from arpad.accounts import Role
from arpad.model.cursors import Cursor, parse_cursor
from arpad.model.errors import BadInput
from arpad.model.people import Person, birth_year
from arpad.model.typed_values import parse_birth, parse_day
from arpad.office import verbs
from arpad.office.office import Office
from arpad.office.register import known_player
from arpad.reports.number_schemes import SHOWN
from arpad.store.entrant_decisions import EntrantDecision
from arpad.store.merges import active_merge
from arpad.web.api.cursors import After
from arpad.web.api.matches import Note
from arpad.web.api.parameters import Number
from arpad.web.api.players import person_out
from arpad.web.api.responses import answers
from arpad.web.api.schemas import PlayerOut
from arpad.web.auth import scope
from arpad.web.refusals import Refused
from arpad.web.reports_inbox import desk_of, for_all, worker

Asked = Request[Any, Any, Any]
SECURED: dict[str, Any] = {"opt": scope("register"), "security": [{"token": []}], "sync_to_thread": True}
AT_ONCE = 200
MOST_PAIRS = 200


def _text(description: str, example: str, most: int = 40) -> Any:
    return QueryParameter(description=description, max_length=most, examples=[Example(value=example)])


def _number(description: str, example: int) -> Any:
    return QueryParameter(description=description, ge=1, le=2**31 - 1, examples=[Example(value=example)])


Decision = Annotated[
    int,
    PathParameter(description="The decision's number.", ge=1, le=2**31 - 1, examples=[Example(value=1)]),
]


def _office(request: Asked) -> Office:
    """Return the office if the token's user is an officer."""
    if not worker(request).has(Role.OFFICER):
        raise Refused(403, "not-yours")
    return desk_of(request)


def _own_players(request: Asked, *numbers: int) -> Office:
    """Return the office if the officer may change these players."""
    office = _office(request)
    with office.store.reading() as connection:
        federations = [known_player(connection, number).federation for number in numbers]
    if not all(worker(request).may(Role.OFFICER, federation) for federation in federations):
        raise Refused(403, "bound-officer")
    return office


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
    """Published lists that a merge concerns, from the first of them on."""

    list: str
    first: str
    lists: int


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
    office = _office(request)
    return DuplicatesOut(
        [
            DuplicateOut(person_out(it.player), person_out(it.other), it.score, it.reasons)
            for it in verbs.likely_duplicates(office, most)
        ],
        [PairOut(it.id, it.player, it.other) for it in verbs.pairs_apart(office)],
    )


@post(
    "/players/{number:int}/two-people", status_code=201, summary="Two people", **SECURED,
    responses=answers(PairOut, "POST /api/v1/players/{number}/two-people", 400, 401, 403, 404, status=201),
)  # fmt: skip
def declare_two_people(
    request: Asked, number: Number, other: Annotated[int, _number("The other player.", 2)], reason: Note = ""
) -> PairOut:
    """Say that two players with similar names are two people."""
    pair = verbs.declare_distinct(_own_players(request, number, other), number, other, reason=reason)
    return PairOut(pair, min(number, other), max(number, other))


@post(
    "/two-people/{decision:int}/revoke", status_code=200, summary="Revoke that two are two people", **SECURED,
    responses=answers(PairOut, "POST /api/v1/two-people/{decision}/revoke", 400, 401, 403, 404),
)  # fmt: skip
def revoke_two_people(request: Asked, decision: Decision, reason: Note) -> PairOut:
    """Revoke the decision that two players are two people."""
    for_all(request)
    office = desk_of(request)
    pairs = {it.id: it for it in verbs.pairs_apart(office)}
    verbs.revoke_distinct_pair(office, decision, reason=reason)
    return PairOut(decision, pairs[decision].player, pairs[decision].other)


def _merged(office: Office, merge: int, kept: int, dropped: int, *, merged: bool) -> MergedOut:
    concerned = verbs.lists_to_revise(office)
    revise = [ReviseOut(str(it.list), str(it.first), it.lists) for it in concerned]
    return MergedOut(merge, kept, dropped, merged, revise)


@post(
    "/players/{number:int}/merge", status_code=201, summary="Merge two players", **SECURED,
    responses=answers(MergedOut, "POST /api/v1/players/{number}/merge", 400, 401, 403, 404, status=201),
)  # fmt: skip
def merge_players(
    request: Asked,
    number: Number,
    dropped: Annotated[int, _number("The number of the same player that is dropped.", 3)],
    reason: Note,
) -> MergedOut:
    """Merge two numbers of one player; the number of the address stays."""
    office = _own_players(request, number, dropped)
    merge = verbs.merge(office, number, dropped, reason)
    return _merged(office, merge, number, dropped, merged=True)


@post(
    "/merges/{decision:int}/undo", status_code=200, summary="Undo a merge", **SECURED,
    responses=answers(MergedOut, "POST /api/v1/merges/{decision}/undo", 400, 401, 403, 404),
)  # fmt: skip
def undo_merge(request: Asked, decision: Decision, reason: Note) -> MergedOut:
    """Undo a merge of two different players."""
    office = _office(request)
    with office.store.reading() as connection:
        merged = active_merge(connection, decision)
    if merged is None:
        raise BadInput("no-merge", merge=decision)
    verbs.unmerge(_own_players(request, *merged), decision, reason)
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
    q: Annotated[str, _text("Part of a name, or a player's number.", "Saga", 100)] = "",
    after: After = "",
) -> AliasesOut:
    """The names that officers said are a player of the register, with author and day."""
    first = parse_cursor(after).item if after else 0
    present = [it for it in verbs.aliases_in_force(_office(request), q.strip()) if it.id > first]
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
    aliases = {it.id: it for it in verbs.aliases_in_force(office, "")}
    verbs.revoke_alias_of(office, decision, reason)
    return _alias(aliases[decision])


# --------------------------------------------------------------------------------------------------- number schemes


@dataclass
class SchemeOut:
    """A kind of number that the office declared, and where it is shown."""

    code: str
    name: str
    pattern: str
    shown: Sequence[str]


@dataclass
class SourceOut:
    """Of which scheme the numbers in reports from a source are."""

    kind: str
    value: str
    scheme: str


@dataclass
class SchemesOut:
    """The declared schemes of numbers, and the rules for sources."""

    schemes: Sequence[SchemeOut]
    sources: Sequence[SourceOut]


SchemeCode = Annotated[
    str, PathParameter(description="The code of the scheme.", max_length=20, examples=[Example(value="icu")])
]


def _schemes(office: Office) -> SchemesOut:
    rules = verbs.number_rules(office)
    return SchemesOut(
        [SchemeOut(it.code, it.name, it.pattern, sorted(it.shown)) for it in rules.declared.values()],
        [SourceOut(it.kind, it.value, it.scheme) for it in rules.sources],
    )


@get(
    "/number-schemes", summary="Number schemes", **SECURED,
    responses=answers(SchemesOut, "GET /api/v1/number-schemes", 401, 403, 404),
)  # fmt: skip
def list_schemes(request: Asked) -> SchemesOut:
    """The schemes of numbers that the office declared, and which of them each source of reports uses."""
    return _schemes(_office(request))


@post(
    "/number-schemes/{code:str}", status_code=200, summary="Declare a scheme", **SECURED,
    responses=answers(SchemesOut, "POST /api/v1/number-schemes/{code}", 400, 401, 403, 404),
)  # fmt: skip
def declare_scheme(
    request: Asked,
    code: SchemeCode,
    name: Annotated[str, _text("The body that gives the numbers.", "Irish Chess Union", 80)],
    pattern: Annotated[str, _text("9 is a digit, A a letter, {1-5} how many.", "9{1-5}", 80)],
    shown: Annotated[
        list[str] | None,
        QueryParameter(
            description="Where it is shown: lists, player.", max_items=4, examples=[Example(value=["player"])]
        ),
    ] = None,
    reason: Note = "",
) -> SchemesOut:
    """Declare a kind of number, or change its declaration; numbers that players have stay as they are."""
    for_all(request)
    office = desk_of(request)
    verbs.declare_scheme(office, code, name, pattern, shown=SHOWN if shown is None else shown, reason=reason)
    return _schemes(office)


@post(
    "/number-schemes/{code:str}/withdraw", status_code=200, summary="Withdraw a scheme", **SECURED,
    responses=answers(SchemesOut, "POST /api/v1/number-schemes/{code}/withdraw", 400, 401, 403, 404),
)  # fmt: skip
def withdraw_scheme(request: Asked, code: SchemeCode, reason: Note) -> SchemesOut:
    """Withdraw a declared scheme, if no rule for a source names it."""
    for_all(request)
    office = desk_of(request)
    verbs.withdraw_scheme(office, code, reason)
    return _schemes(office)


@post(
    "/number-sources", status_code=200, summary="Say whose numbers a source uses", **SECURED,
    responses=answers(SchemesOut, "POST /api/v1/number-sources", 400, 401, 403, 404),
)  # fmt: skip
def set_source(
    request: Asked,
    kind: Annotated[str, _text("federation, sender, program or discipline.", "federation")],
    value: Annotated[str, _text("Which one.", "IRL", 80)],
    scheme: Annotated[str, _text("The scheme; empty: the rule is withdrawn.", "fide")] = "",
    reason: Note = "",
) -> SchemesOut:
    """Say of which scheme the numbers in reports from a source are."""
    for_all(request)
    office = desk_of(request)
    verbs.set_source_scheme(office, kind, value, scheme, reason=reason)
    return _schemes(office)


# ---------------------------------------------------------------------------------------------------------- players


def _person(office: Office, number: int) -> Person:
    with office.store.reading() as connection:
        return known_player(connection, number)


@post(
    "/players", status_code=201, summary="Add a player", **SECURED,
    responses=answers(PlayerOut, "POST /api/v1/players", 400, 401, 403, 404, status=201),
)  # fmt: skip
def register_player(
    request: Asked,
    name: Annotated[str, _text("Surname, Name.", "Byrne, Aoife", 120)],
    federation: Annotated[str, _text("The federation.", "IRL", 3)] = "",
    sex: Annotated[str, _text("M or F.", "F", 1)] = "",
    born: Annotated[str, _text("Day or year of birth.", "1990")] = "",
    title: Annotated[str, _text("As GM, IM, FM, CM.", "FM", 4)] = "",
    women_title: Annotated[str, _text("As WGM, WIM, WFM, WCM.", "WFM", 4)] = "",
    identifier: Annotated[
        list[str] | None,
        QueryParameter(
            description="SCHEME=NUMBER, once for each.", max_items=20, examples=[Example(value=["fide=99000001"])]
        ),
    ] = None,
    reason: Note = "",
) -> PlayerOut:  # fmt: skip
    """Add a player; the register assigns the number."""
    office = _office(request)
    if not worker(request).may(Role.OFFICER, federation.upper()):
        raise Refused(403, "bound-officer")
    number = verbs.register_player(
        office, name, federation=federation, sex=sex, born=parse_birth(born, "born") if born else None, title=title,
        women_title=women_title, identifiers=dict(_pair(text) for text in identifier or ()), reason=reason,
    )  # fmt: skip
    return person_out(_person(office, number))


def _pair(text: str) -> tuple[str, str]:
    scheme, sign, number = text.partition("=")
    if not sign:
        raise BadInput("bad-form", option="identifier", value=text[:40], accepted="fide=800101")
    return scheme, number


@post(
    "/players/{number:int}/facts", status_code=200, summary="Change a fact about a player", **SECURED,
    responses=answers(PlayerOut, "POST /api/v1/players/{number}/facts", 400, 401, 403, 404),
)  # fmt: skip
def change_player(
    request: Asked,
    number: Number,
    field: Annotated[str, _text("name, federation, sex, born, title …", "title")],
    since: Annotated[str, _text("The day from which it applies.", "2025-01-10")],
    reason: Note,
    value: Annotated[str, _text("Its value; empty: none.", "CM", 120)] = "",
) -> PlayerOut:
    """Change a fact about a player from a day on; the earlier one stays on record."""
    office = _own_players(request, number)
    fact = (parse_birth(value, "value") if value else None) if field == "born" else value
    if field == "died":
        raise BadInput("player-field", field=field, accepted="/death")
    verbs.change_player(office, number, since=parse_day(since, "since"), reason=reason, **{field: fact})
    return person_out(_person(office, number))


@post(
    "/players/{number:int}/identifiers", status_code=200, summary="Add or remove a player's number", **SECURED,
    responses=answers(PlayerOut, "POST /api/v1/players/{number}/identifiers", 400, 401, 403, 404),
)  # fmt: skip
def set_identifier(
    request: Asked,
    number: Number,
    scheme: Annotated[str, _text("The scheme, as fide.", "fsi", 20)],
    value: Annotated[str, _text("The number.", "990001")],
    *,
    remove: Annotated[
        bool,
        QueryParameter(description="Remove it: it was added by mistake.", examples=[Example(value=False)]),
    ] = False,
    reason: Note = "",
) -> PlayerOut:
    """Add or remove the number that another body gave a player."""
    office = _own_players(request, number)
    (verbs.remove_identifier if remove else verbs.add_identifier)(
        office, number, scheme, value, reason=reason
    )
    return person_out(_person(office, number))


ROUTES = (
    list_duplicates, declare_two_people, revoke_two_people, merge_players, undo_merge, list_aliases, revoke_alias,
    list_schemes, declare_scheme, withdraw_scheme, set_source, register_player, change_player, set_identifier,
)  # fmt: skip
