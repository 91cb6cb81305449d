"""The schemes of players' numbers that the office declared, and which of them each source of reports uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from sqlalchemy import Connection

from arpad.model.declared import Accepts
from arpad.model.disciplines import DISCIPLINES
from arpad.model.errors import BadInput
from arpad.office.declared import Reading, Reason, act, query
from arpad.office.office import ActContext
from arpad.office.register.entrant_numbers import load_number_rules
from arpad.office.register.scheme_rows import add_scheme, add_source_rule, declared_schemes, source_rules
from arpad.office.users import officer, officer_of_all
from arpad.reports.number_schemes import SHOWN, NumberScheme, SourceRule, refuse_scheme, source_value

PAGE = "/desk/numbers"
OF_ALL = officer_of_all("register")

SchemeCode = Annotated[str, Accepts("icu", longest=20, word="scheme-code")]
SchemeName = Annotated[str, Accepts("Irish Chess Union", longest=80, word="scheme-name")]
Pattern = Annotated[str, Accepts("9{1-5}", longest=80, word="scheme-pattern")]
Place = Annotated[Literal["player", "lists", "nowhere"], Accepts("player", word="scheme-shown")]
SourceKind = Annotated[
    Literal["federation", "arbiter", "program", "national", "discipline"],
    Accepts("federation", word="source-kind"),
]
Source = Annotated[str, Accepts("IRL", longest=80, word="source-value", personal=True)]
SourceScheme = Annotated[str, Accepts("fide", longest=20, word="source-scheme")]


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
    refuse_scheme(scheme)
    act.unchanged = declared_schemes(act.connection).get(scheme.code) == scheme
    if not act.unchanged:
        add_scheme(act.connection, scheme, act.seq)
    act.record(code=None, name=None, scheme=scheme.code, title=name, shown=" ".join(sorted(scheme.shown)))
    return _schemes(act.connection)


@act("number withdraw-scheme", OF_ALL, says="office.scheme-withdrawn", page=PAGE, verb="withdraw-scheme")
def withdraw_scheme(act: ActContext, code: SchemeCode, *, reason: Reason) -> NumberSchemes:
    """Withdraw a declared scheme, if no rule for a source names it; its numbers stay in the register."""
    if code not in declared_schemes(act.connection):
        raise BadInput("no-scheme", option="code", code=code)
    for rule in source_rules(act.connection):
        if rule.scheme == code:
            raise BadInput("scheme-in-use", option="code", code=code, kind=rule.kind, source=rule.value)
    add_scheme(act.connection, NumberScheme(code, "", "", frozenset()), act.seq)
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
        add_source_rule(act.connection, SourceRule(kind, source, scheme), act.seq)
    act.record(value=None, source=source, scheme=scheme)
    return _schemes(act.connection)
