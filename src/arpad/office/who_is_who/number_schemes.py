"""Declare number schemes, and say which of them the numbers in reports from a source are of."""

from __future__ import annotations

from collections.abc import Iterable

from arpad.model.disciplines import DISCIPLINES
from arpad.model.errors import BadInput
from arpad.office.office import Office, record_act
from arpad.office.register.entrant_numbers import NumberRules, load_number_rules
from arpad.office.register.scheme_rows import add_scheme, add_source_rule, declared_schemes, source_rules
from arpad.reports.number_schemes import (
    SHOWN,
    SOURCES,
    NumberScheme,
    SourceRule,
    refuse_scheme,
    source_value,
)

_LONGEST = 80


def number_rules(office: Office) -> NumberRules:
    """Return the schemes that the office declared, and its rules for sources."""
    with office.store.reading() as connection:
        return load_number_rules(connection)


def declare_scheme(
    office: Office, code: str, name: str, pattern: str, *, shown: Iterable[str] = SHOWN, reason: str = ""
) -> None:
    """Declare a kind of number, or change its declaration; numbers that players have stay as they are."""
    scheme = NumberScheme(code.strip().lower(), name.strip(), pattern.strip(), frozenset(shown))
    refuse_scheme(scheme)
    with record_act(office, "declare-scheme", reason) as act:
        if declared_schemes(act.connection).get(scheme.code) == scheme:
            return
        add_scheme(act.connection, scheme, act.seq)
        act.record(
            scheme=scheme.code,
            title=scheme.name,
            pattern=scheme.pattern,
            shown=" ".join(sorted(scheme.shown)),
        )


def withdraw_scheme(office: Office, code: str, reason: str) -> None:
    """Withdraw a declared scheme, if no rule for a source names it; its numbers stay in the register."""
    with record_act(office, "withdraw-scheme", reason, reason_needed=True) as act:
        if code not in declared_schemes(act.connection):
            raise BadInput("no-scheme", code=code[:20])
        for rule in source_rules(act.connection):
            if rule.scheme == code:
                raise BadInput("scheme-in-use", code=code, kind=rule.kind, source=rule.value)
        add_scheme(act.connection, NumberScheme(code, "", "", frozenset()), act.seq)
        act.record(scheme=code)


def set_source_scheme(office: Office, kind: str, value: str, scheme: str, *, reason: str = "") -> None:
    """Say of which scheme the numbers in reports from a source are; an empty scheme withdraws the rule."""
    if kind not in SOURCES:
        raise BadInput("value-unknown", option="source", value=kind[:20], accepted=", ".join(SOURCES))
    source = source_value(kind, value)
    disciplines = [discipline.name for discipline in DISCIPLINES]
    if not source or len(source) > _LONGEST or (kind == "discipline" and source not in disciplines):
        accepted = ", ".join(disciplines) if kind == "discipline" else "ITA"
        raise BadInput("bad-form", option=kind, value=value[:40], accepted=accepted)
    with record_act(office, "source-scheme", reason) as act:
        load_number_rules(act.connection).refuse_unknown(scheme)
        present = {(rule.kind, rule.value): rule.scheme for rule in source_rules(act.connection)}
        if present.get((kind, source), "") == scheme:
            return
        add_source_rule(act.connection, SourceRule(kind, source, scheme), act.seq)
        act.record(kind=kind, source=source, scheme=scheme)
