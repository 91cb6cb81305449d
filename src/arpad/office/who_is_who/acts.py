"""Who is who: likely duplicates, two people, merges and aliases; the schemes of numbers, and which each source uses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from sqlalchemy import Connection

from arpad.model.cursors import Cursor
from arpad.model.declared import Accepts
from arpad.model.disciplines import DISCIPLINES
from arpad.model.errors import BadInput
from arpad.model.people import Person, birth_year
from arpad.office.corrections.affected_lists import ToRevise, affected_lists, concerned_lists
from arpad.office.declared import After, PlayerNumber, Reading, Reason, Size, act, query
from arpad.office.office import ActContext
from arpad.office.register.acts import Player, known_player, officer_of_players, player_facts
from arpad.office.register.entrant_numbers import load_number_rules
from arpad.office.register.number_rows import (
    active_merge,
    declared_schemes,
    merge_targets,
    source_rules,
    with_merged,
)
from arpad.office.register.rows import load_people
from arpad.office.register.tables import merges, source_schemes, unmerges
from arpad.office.register.tables import number_schemes as declared_rows
from arpad.office.reports import rows as reports
from arpad.office.reports.entrant_rows import EntrantDecision
from arpad.office.reports.entrant_rows import aliases as all_aliases
from arpad.office.reports.tables import ACCEPTED, alias_revocations
from arpad.office.users import Permission, Role, User, officer, officer_of_all
from arpad.office.who_is_who.duplicates import agreement, likely_pairs
from arpad.office.who_is_who.rows import distinct_pairs
from arpad.office.who_is_who.tables import distinct_players, distinct_revocations
from arpad.reports.entrant_match import DOUBTFUL_FROM
from arpad.reports.number_schemes import SHOWN, NumberScheme, refuse_scheme, source_value

AT_ONCE = 200
"""Aliases that one answer has."""

Kept = Annotated[int, Accepts("1", word="kept-number", picks="player")]
Dropped = Annotated[int, Accepts("2", word="dropped-number", picks="player")]
OtherPlayer = Annotated[int, Accepts("2", word="other-player", picks="player")]
MergeNumber = Annotated[int, Accepts("1", word="merge-number")]
PairNumber = Annotated[int, Accepts("1", word="pair-number")]
AliasNumber = Annotated[int, Accepts("1", word="alias-number")]
MostPairs = Annotated[int, Accepts("50", high=1000, word="most-pairs")]
AliasText = Annotated[str, Accepts("Saga", longest=100, word="alias-text")]
Confirmed = Annotated[bool, Accepts("true", word="merge-confirmed")]


def _may_unmerge(connection: Connection, user: User, given: Mapping[str, Any]) -> bool:
    merged = _active(connection, given["merge"])
    people = load_people(connection, merged)
    return all(user.may(Role.OFFICER, people[player].federation) for player in merged)


OF_BOTH = officer_of_players("player", "other")
OF_MERGING = officer_of_players("kept", "dropped")
OF_MERGED = Permission(Role.OFFICER, "register", _may_unmerge)
OF_ALL = officer_of_all("register")


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two players who are likely the same; reasons as in the matches of a report."""

    keep: Player
    drop: Player
    score: int
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TwoPeople:
    """Two players who are two people, as an officer decided."""

    pair: int
    player: int
    other: int


@dataclass(frozen=True, slots=True)
class Duplicates:
    """Likely duplicates, the likeliest first, and the pairs that are two people."""

    duplicates: tuple[Duplicate, ...]
    two_people: tuple[TwoPeople, ...]


@dataclass(frozen=True, slots=True)
class Merged:
    """Two players who are one since a merge, or two again, and the published lists to compute again."""

    merge: int
    kept: int
    dropped: int
    merged: bool
    revise: tuple[ToRevise, ...]


@dataclass(frozen=True, slots=True)
class ListsToRevise:
    """The published lists to compute again, because of merges or a changed basis."""

    revise: tuple[ToRevise, ...]


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that an officer said is a player."""

    alias: int
    name: str
    born: int | None
    source: str
    player: int
    report: int
    author: str
    day: str


@dataclass(frozen=True, slots=True)
class Aliases:
    """Names that officers said are a player of the register."""

    aliases: tuple[Alias, ...]
    next: str
    more: bool


# ------------------------------------------------------------------------------------------------------- duplicates


@query(
    "duplicate list", officer("register"), columns=("keep", "drop", "score", "reasons"), path="/duplicates",
    says="office.no-duplicates",
)  # fmt: skip
def duplicates(reading: Reading, *, most: MostPairs = 50) -> Duplicates:
    """Show players of the register who are likely the same person, and the pairs that are two people.

    `merge` makes one of two; `duplicate two-people` says that they are two.
    """
    may = reading.caller.officer_of
    likely = [it for it in likely_pairs(reading.connection) if all(may(one.federation) for one in it[:2])]
    apart = distinct_pairs(reading.connection)
    people = load_people(reading.connection, {one for it in apart for one in (it.player, it.other)})
    return Duplicates(
        tuple(
            Duplicate(player_facts(it.player), player_facts(it.other), it.score, it.reasons)
            for it in likely[:most]
        ),
        tuple(
            TwoPeople(it.id, it.player, it.other)
            for it in apart
            if all(may(people[one].federation) for one in (it.player, it.other))
        ),
    )


@act("duplicate two-people", OF_BOTH, says="office.distinct", page="/desk/duplicates", verb="two-people")
def declare_distinct(
    act: ActContext, player: PlayerNumber, other: OtherPlayer, *, reason: Reason = ""
) -> TwoPeople:
    """Say that two players with similar names are two people."""
    if player == other:
        raise BadInput("distinct-itself", option="other", player=player)
    known_player(act.connection, player)
    known_player(act.connection, other, "other")
    first, second = sorted((player, other))
    if any({pair.player, pair.other} == {first, second} for pair in distinct_pairs(act.connection)):
        raise BadInput("distinct-already", option="other", player=first, other=second)
    pair = act.add(distinct_players, player=first, other=second)
    act.record(pair=pair, player=first, other=second)
    return TwoPeople(pair, first, second)


@act(
    "duplicate revoke",
    OF_ALL,
    says="office.distinct-revoked",
    page="/desk/duplicates",
    verb="revoke-two-people",
)
def revoke_distinct_pair(act: ActContext, pair: PairNumber, *, reason: Reason) -> TwoPeople:
    """Revoke the decision that two players are two people."""
    found = next((it for it in distinct_pairs(act.connection) if it.id == pair), None)
    if found is None:
        raise BadInput("no-distinct", option="pair", pair=pair)
    act.revoke(distinct_revocations, pair)
    return TwoPeople(pair, found.player, found.other)


# ----------------------------------------------------------------------------------------------------------- merges


@act("merge", OF_MERGING, says="office.merged", page="/desk/players/{kept}")
def merge(
    act: ActContext, kept: Kept, dropped: Dropped, *, reason: Reason, confirmed: Confirmed = False
) -> Merged:
    """Merge two numbers of one player; the first number stays, and `unmerge` undoes it.

    If names and births do not agree, somebody has to have confirmed that it is one person.
    """
    connection, already = act.connection, merge_targets(act.connection)
    people = known_player(connection, kept, "kept"), known_player(connection, dropped, "dropped")
    for name, player in (("kept", kept), ("dropped", dropped)):
        if player in already:
            raise BadInput("merged-already", option=name, player=player, kept=already[player])
    if kept == dropped:
        raise BadInput("merge-itself", option="dropped", player=kept)
    _refuse_same_event(connection, kept, dropped, already)
    if not confirmed:
        _refuse_others(*people)
    number = act.add(merges, kept=kept, dropped=dropped)
    return _sealed(act, number, kept, dropped, merged=True)


@act("unmerge", OF_MERGED, says="office.unmerged", page="/desk/players/{kept}")
def unmerge(act: ActContext, merge: MergeNumber, *, reason: Reason) -> Merged:
    """Undo a merge of two different players."""
    kept, dropped = _active(act.connection, merge)
    act.revoke(unmerges, merge)
    return _sealed(act, merge, kept, dropped, merged=False)


def _sealed(act: ActContext, merge: int, kept: int, dropped: int, *, merged: bool) -> Merged:
    """Record a merge or its undoing, and return it with the lists to compute again."""
    concerned = [it.document() for it in concerned_lists(act.connection, act.seq)]
    act.record(merge=merge, kept=kept, dropped=dropped, revise=concerned)
    return Merged(merge, kept, dropped, merged, affected_lists(act.connection, act.seq))


def _active(connection: Connection, merge: int) -> tuple[int, int]:
    merged = active_merge(connection, merge)
    if merged is None:
        raise BadInput("no-merge", option="merge", merge=merge)
    return merged


def _refuse_others(kept: Person, dropped: Person) -> None:
    """Refuse two players whose names and births do not agree."""
    score, agree = agreement(kept, dropped)
    if not agree:
        first, second = (
            f"{it.name} ({year})" if (year := birth_year(it.born)) else it.name for it in (kept, dropped)
        )
        raise BadInput(
            "merge-differs", option="dropped", kept=kept.id, first=first, dropped=dropped.id, second=second,
            score=score, least=DOUBTFUL_FROM,
        )  # fmt: skip


def _refuse_same_event(connection: Connection, kept: int, dropped: int, targets: Mapping[int, int]) -> None:
    """Refuse two numbers that are entered in the same accepted report: a player enters an event once."""
    first, second = (
        reports.reports_with(connection, with_merged({player}, targets)) for player in (kept, dropped)
    )
    for report, filed in sorted(reports.filed(connection, sorted(first & second)).items()):
        if filed.status == ACCEPTED:
            raise BadInput("merge-same-event", option="dropped", kept=kept, dropped=dropped, report=report)


@query(
    "duplicate lists", officer("register"), columns=("list", "first", "lists", "cause"), path="/lists-to-revise",
    says="office.nothing-to-revise",
)  # fmt: skip
def concerned(reading: Reading) -> ListsToRevise:
    """Show the published lists that merges concern, or that were made from a list which has changed since."""
    return ListsToRevise(affected_lists(reading.connection))


# ---------------------------------------------------------------------------------------------------------- aliases


def present_aliases(connection: Connection, text: str = "") -> list[EntrantDecision]:
    """Return the aliases in force, those of one player if ``text`` is a number, or with a name that contains it.

    Each has the player that it means today, after merges.
    """
    targets = merge_targets(connection)
    present = [
        item._replace(player=targets.get(item.player or 0, item.player)) for item in all_aliases(connection)
    ]
    text = text.strip().casefold()
    if text.isdecimal():
        return [item for item in present if str(item.player) == text]
    return [item for item in present if text in item.name.casefold()]


def own_aliases(reading: Reading, text: str) -> list[EntrantDecision]:
    """Return the aliases of the players whom the caller may read."""
    present = [item for item in present_aliases(reading.connection, text) if item.player]
    if reading.caller.officer_of(""):
        return present
    people = load_people(reading.connection, {item.player for item in present if item.player})
    return [
        item
        for item in present
        if item.player and item.player in people and reading.caller.officer_of(people[item.player].federation)
    ]


@query(
    "alias list",
    officer("register"),
    columns=("alias", "name", "born", "source", "player", "report", "author", "day"),
    path="/aliases",
    says="office.no-aliases",
)
def aliases(reading: Reading, q: AliasText = "", *, after: After = None, size: Size | None = None) -> Aliases:
    """Show the aliases: names that officers said are a player of the register."""
    first = after.item if after else 0
    present = [it for it in own_aliases(reading, q) if it.id > first]
    shown = present[: size or (None if reading.caller.owner else AT_ONCE)]
    following = str(Cursor(shown[-1].id) if shown else after or "")
    return Aliases(tuple(map(_alias, shown)), following, len(present) > len(shown))


@act("alias revoke", OF_ALL, says="office.alias-revoked", page="/desk/aliases", verb="revoke-alias")
def revoke_alias_of(act: ActContext, alias: AliasNumber, *, reason: Reason) -> Alias:
    """Revoke an alias: the name is doubtful again in later reports; the report it came from stays as it is."""
    present = {item.id: item for item in present_aliases(act.connection)}
    if alias not in present:
        raise BadInput("no-alias", option="alias", alias=alias)
    act.revoke(alias_revocations, alias)
    act.record(player=present[alias].player)
    return _alias(present[alias])


def _alias(item: EntrantDecision) -> Alias:
    return Alias(
        item.id, item.name, birth_year(item.born), item.source, item.player or 0, item.report, item.author, item.at[:10]
    )  # fmt: skip


PAGE = "/desk/numbers"

SchemeCode = Annotated[str, Accepts("icu", longest=20, word="scheme-code", personal=False)]
SchemeName = Annotated[str, Accepts("Irish Chess Union", longest=80, word="scheme-name", personal=False)]
Pattern = Annotated[str, Accepts("9{1-5}", longest=80, word="scheme-pattern", personal=False)]
Place = Annotated[Literal["player", "lists", "nowhere"], Accepts("player", word="scheme-shown")]
SourceKind = Annotated[
    Literal["federation", "arbiter", "program", "national", "discipline"],
    Accepts("federation", word="source-kind"),
]
Source = Annotated[str, Accepts("IRL", longest=80, word="source-value", personal=True)]
SourceScheme = Annotated[str, Accepts("fide", longest=20, word="source-scheme", personal=False)]


@dataclass(frozen=True, slots=True)
class DeclaredScheme:
    """A kind of number that the office declared, and where it is shown."""

    code: str
    name: str
    pattern: str
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NumberSource:
    """Of which scheme the numbers in reports from a source are."""

    kind: str
    value: str
    scheme: str


@dataclass(frozen=True, slots=True)
class NumberSchemes:
    """The declared schemes of numbers, and the scheme of each source."""

    schemes: tuple[DeclaredScheme, ...]
    sources: tuple[NumberSource, ...]


def _schemes(connection: Connection) -> NumberSchemes:
    rules = load_number_rules(connection)
    return NumberSchemes(
        tuple(
            DeclaredScheme(it.code, it.name, it.pattern, tuple(sorted(it.shown)))
            for it in rules.declared.values()
        ),
        tuple(NumberSource(*rule) for rule in rules.sources),
    )


@query(
    "number schemes",
    officer("register"),
    columns=("code", "name", "pattern", "shown"),
    path="/number-schemes",
    says="office.no-schemes",
)
def number_schemes(reading: Reading) -> NumberSchemes:
    """Show the number schemes that the office declared, and its rules for sources."""
    return _schemes(reading.connection)


@act("number scheme", OF_ALL, says="office.scheme-declared", page=PAGE, verb="declare-scheme")
def declare_scheme(
    act: ActContext,
    code: SchemeCode,
    *,
    name: SchemeName,
    pattern: Pattern,
    shown: Sequence[Place] = ("player", "lists"),
    reason: Reason = "",
) -> NumberSchemes:
    """Declare a kind of number, or change its declaration; numbers that players have stay as they are.

    Example: arpad office number scheme icu --name "Irish Chess Union" --pattern "9{1-5}" --db office.db
    """
    scheme = NumberScheme(code.lower(), name, pattern, frozenset(shown) & {*SHOWN})
    places = " ".join(sorted(scheme.shown))
    refuse_scheme(scheme)
    act.unchanged = declared_schemes(act.connection).get(scheme.code) == scheme
    if not act.unchanged:
        act.add(declared_rows, **scheme._asdict() | {"shown": places})
    act.record(code=None, name=None, scheme=scheme.code, title=name, shown=places)
    return _schemes(act.connection)


@act("number withdraw-scheme", OF_ALL, says="office.scheme-withdrawn", page=PAGE, verb="withdraw-scheme")
def withdraw_scheme(act: ActContext, code: SchemeCode, *, reason: Reason) -> NumberSchemes:
    """Withdraw a declared scheme, if no rule for a source names it; its numbers stay in the register."""
    if code not in declared_schemes(act.connection):
        raise BadInput("no-scheme", option="code", code=code)
    for rule in source_rules(act.connection):
        if rule.scheme == code:
            raise BadInput("scheme-in-use", option="code", code=code, kind=rule.kind, source=rule.value)
    act.add(declared_rows, code=code, name="", pattern="", shown="")
    act.record(code=None, scheme=code)
    return _schemes(act.connection)


@act("number source", OF_ALL, says="office.source-set", page=PAGE, verb="source-scheme")
def set_source_scheme(
    act: ActContext, kind: SourceKind, value: Source, scheme: SourceScheme, *, reason: Reason = ""
) -> NumberSchemes:
    """Say of which scheme the players' numbers in reports from a source are.

    A source is a federation, a chief arbiter, a pairing program, the national records of a federation (TRF26), or a
    discipline for all other reports.

    Example: arpad office number source discipline chess fide --db office.db
    """
    load_number_rules(act.connection).refuse_unknown(scheme)
    return _set_source(act, kind, value, scheme)


@act("number withdraw-source", OF_ALL, says="office.source-withdrawn", page=PAGE, verb="source-scheme")
def withdraw_source(
    act: ActContext, kind: SourceKind, value: Source, *, reason: Reason = ""
) -> NumberSchemes:
    """Withdraw the rule for the numbers in reports from a source."""
    return _set_source(act, kind, value, "")


def _set_source(act: ActContext, kind: str, value: str, scheme: str) -> NumberSchemes:
    source = source_value(kind, value)
    disciplines = [discipline.name for discipline in DISCIPLINES]
    if not source or (kind == "discipline" and source not in disciplines):
        accepted = ", ".join(disciplines) if kind == "discipline" else "ITA"
        raise BadInput("bad-form", option="value", value=value[:40], accepted=accepted)
    present = {(rule.kind, rule.value): rule.scheme for rule in source_rules(act.connection)}
    act.unchanged = present.get((kind, source), "") == scheme
    if not act.unchanged:
        act.add(source_schemes, kind=kind, value=source, scheme=scheme)
    act.record(value=None, source=source, scheme=scheme)
    return _schemes(act.connection)
