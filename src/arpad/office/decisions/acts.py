"""Officers' decisions about reports, players, federations and lists; each has a reason, can be revoked and appealed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from arpad.model.canonical_json import dump, load
from arpad.model.disciplines import DRAUGHTS, discipline_of
from arpad.model.draughts import FMJD_MOST, category_named
from arpad.model.errors import BadInput, NoEdition
from arpad.model.rules import ListName
from arpad.office.editions.acts import category_names, chess_rules
from arpad.office.office import ActContext, Office, local_day, record_act
from arpad.office.register import rows as register
from arpad.office.reports import decided_rows as stored_decisions
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import FACT, Decision
from arpad.office.reports.stated_facts import list_with, players_not_in_report, stated_document
from arpad.regulations.editions import CHESS_EDITIONS, in_force
from arpad.reports.event_facts import FACT_TYPES
from arpad.reports.report import MIRROR
from arpad.reports.time_control_text import read_time_control
from arpad.store import ledger


@dataclass(frozen=True, slots=True)
class DecisionKind:
    """A kind of decision: what it concerns and which values it needs; ``decision_articles`` has its article."""

    about: str
    """``report``, ``player``, ``federation`` or ``list``."""

    needs: tuple[str, ...] = ()


KINDS: Mapping[str, DecisionKind] = {
    FACT: DecisionKind("report"),
    "not-rated": DecisionKind("report"),
    "declared-unrated": DecisionKind("report"),
    "rated-unreported": DecisionKind("report"),
    "official": DecisionKind("report"),
    "longer-approved": DecisionKind("report"),
    "late-registration": DecisionKind("report"),
    "by-round": DecisionKind("report"),
    "rounds": DecisionKind("report", ("first", "last")),
    "result": DecisionKind("report", ("number", "round", "result")),
    "k": DecisionKind("player", ("list", "day", "k")),
    "capital": DecisionKind("player", ("list", "capital")),
    "category": DecisionKind("player", ("list", "day", "category")),
    "fmjd": DecisionKind("player", ("day", "fmjd")),
    "last-event": DecisionKind("list", ("day",)),
    "leave-out": DecisionKind("player", ("day",)),
    "dispensation": DecisionKind("player", ("day",)),
    "suspended": DecisionKind("federation", ("day",)),
    "rating-officer": DecisionKind("federation", ("name",)),
}
UPHELD, REJECTED = "upheld", "rejected"
_BOUNDS = {"fmjd": (1, FMJD_MOST)}
"""The smallest and the largest accepted value."""

_DRAUGHTS_ONLY = ("capital", "category", "last-event")


def decide(
    office: Office,
    kind: str,
    /,
    *,
    reason: str,
    report: int | None = None,
    player: int | None = None,
    federation: str | None = None,
    on_list: ListName | None = None,
    day: date | None = None,
    facts: Mapping[str, str] | None = None,
    **value: int | str,
) -> int:
    """Record a decision; return its number (13.1, 13.2, 13.3, 9.3). Published lists change only by a revision.

    A decision ``fact`` states one or more facts about a report, each a name and a text, in ``facts`` or as values. A
    ``kind`` that is the name of a fact is short for that.
    """
    value |= facts or {}
    if kind != FACT and states_facts(kind):
        kind, value = FACT, value or {kind.replace("-", "_"): "yes"}
    if kind == FACT and report is not None:
        stated = {name: str(text) for name, text in value.items()}
        return _state_facts(office, report, stated | ({"list": str(on_list)} if on_list else {}), reason)
    needed = KINDS.get(kind)
    if needed is None:
        raise BadInput("decision-kind", kind=kind, accepted=", ".join(KINDS))
    values = {
        "report": report,
        "player": player,
        "federation": federation,
        "list": on_list,
        "day": day,
        **value,
    }
    missing = [name for name in (needed.about, *needed.needs) if values.get(name) is None]
    if missing:
        raise BadInput("decision-needs", kind=kind, missing=", ".join(missing))
    with record_act(office, "decide", reason, reason_needed=True) as act:
        value = _check_value(act.connection, kind, report, player, on_list, day, value)
        row = {
            "kind": kind, "report": report, "player": player, "federation": federation,
            "list": str(on_list) if on_list else None, "day": str(day) if day else None,
        }  # fmt: skip
        return _store(act, row, value)


def _state_facts(office: Office, report: int, stated: Mapping[str, str], reason: str) -> int:
    """Record a decision that states facts about a report by their names; the value ``unknown`` takes a fact back.

    Another list or time control moves the report to the list where it then belongs.
    """
    with record_act(office, "decide", reason, reason_needed=True) as act:
        filed = rows.filed(act.connection, [report]).get(report)
        if filed is None:
            raise BadInput("no-report", report=report)
        value = stated_document(stated)
        if not value:
            raise BadInput("nothing-stated")
        control = value.get("time_control")
        if control is not None and not read_time_control(control).readable:
            raise BadInput("facts-value", key="time_control", value=control, accepted="90+30, 15+10, 3+2")
        if unknown := players_not_in_report(act.connection, filed, value):
            raise BadInput("match-nobody", number=unknown[0], report=report)
        on_list = list_with(act.connection, filed, stored_decisions.decisions_in_force(act.connection), value)
        if value.get("weight") is not None and not discipline_of(on_list or filed.list).by_season:
            raise BadInput("weight-draughts-only", report=report)
        row = {
            "kind": FACT, "report": report, "player": None, "federation": None,
            "list": str(on_list) if on_list else None, "day": None,
        }  # fmt: skip
        return _store(act, row, value)


def _store(act: ActContext, row: dict[str, Any], value: dict[str, Any]) -> int:
    """Store a decision and the details of its act; return its number."""
    number = stored_decisions.add_decision(act.connection, {**row, "value": dump(value), "act": act.seq})
    act.record(decision=number, **{name: v for name, v in row.items() if v is not None}, value=value)
    return number


def states_facts(kind: str) -> bool:
    """Return whether a kind of decision states facts: it is ``fact``, or the name of a fact."""
    return kind == FACT or (kind not in KINDS and kind.replace("-", "_") in FACT_TYPES)


def revoke(office: Office, decision: int, reason: str) -> None:
    """Revoke a decision; its record remains."""
    with record_act(office, "revoke", reason, reason_needed=True) as act:
        _in_force(act.connection, decision)
        stored_decisions.add_revocation(act.connection, decision, act.seq)
        act.record(decision=decision)


def appeal(office: Office, decision: int, *, by: str, reason: str) -> int:
    """Record the organiser's appeal against a decision, within the days of the edition (0.5, 0.4)."""
    with record_act(office, "appeal", reason, reason_needed=True) as act:
        appealed = _in_force(act.connection, decision)
        if not by.strip():
            raise BadInput("value-missing", option="by")
        moment = datetime.fromisoformat(ledger.act(act.connection, appealed.act).at)
        decided_on = local_day(act.connection, moment)
        last = decided_on + timedelta(days=appeal_days(act.connection, appealed))
        if act.today > last:
            raise BadInput("appeal-late", decision=decision, last=last)
        value = {"decision": decision, "by": by}
        row = {
            "kind": "appeal", "report": appealed.report, "player": appealed.player,
            "federation": appealed.federation, "list": None, "day": None, "value": dump(value), "act": act.seq,
        }  # fmt: skip
        number = stored_decisions.add_decision(act.connection, row)
        act.record(appeal=number, **value)
    return number


def settle(office: Office, number: int, outcome: str, reason: str) -> None:
    """Settle an appeal: if it is upheld, the decision is revoked too."""
    if outcome not in (UPHELD, REJECTED):
        raise BadInput("appeal-outcome", given=outcome, accepted=f"{UPHELD}, {REJECTED}")
    with record_act(office, "settle", reason, reason_needed=True) as act:
        about = load(_in_force(act.connection, number, kind="appeal").value)["decision"]
        stored_decisions.add_revocation(act.connection, number, act.seq)
        if outcome == UPHELD:
            _in_force(act.connection, about)
            stored_decisions.add_revocation(act.connection, about, act.seq)
        act.record(appeal=number, decision=about, outcome=outcome)


def decisions_in_force(office: Office) -> tuple[Decision, ...]:
    """Return the decisions that are not revoked."""
    with office.store.reading() as connection:
        return stored_decisions.decisions_in_force(connection)


def _check_value(
    connection: Connection,
    kind: str,
    report: int | None,
    player: int | None,
    on_list: ListName | None,
    day: date | None,
    value: dict[str, int | str],
) -> dict[str, Any]:
    """Check that the report and the player exist and the values are allowed; return the values."""
    if report is not None and report not in rows.filed(connection, [report]):
        raise BadInput("no-report", report=report)
    if player is not None and player not in register.load_people(connection, [player]):
        raise BadInput("no-player", player=player)
    for name in ("k", "capital", "number", "round", "first", "last"):
        if name in value and (not isinstance(value[name], int) or int(value[name]) < 0):
            raise BadInput("decision-value", name=name, value=value[name], accepted="0, 1, 2 …")
    if kind == "result" and value["result"] not in tuple(MIRROR):
        raise BadInput("decision-value", name="result", value=value["result"], accepted="1 = 0 + - W D L")
    if kind == "category" and on_list is not None and day is not None and on_list not in DRAUGHTS.lists:
        return _check_national_category(connection, on_list, day, value)
    return _check_draughts_value(kind, on_list, value)


def _check_national_category(
    connection: Connection, on_list: ListName, day: date, value: dict[str, int | str]
) -> dict[str, Any]:
    """Check that the edition of a chess list has the category."""
    names = category_names(connection, on_list, day)
    if value["category"] not in names:
        accepted = ", ".join(names) or "–"
        raise BadInput("decision-value", name="category", value=value["category"], accepted=accepted)
    return dict(value)


def _check_draughts_value(kind: str, on_list: ListName | None, value: dict[str, int | str]) -> dict[str, Any]:
    """Check the values of decisions about draughts; return the values, with the full name of a category."""
    for name, (least, most) in _BOUNDS.items():
        if name in value and (not isinstance(value[name], int) or not least <= int(value[name]) <= most):
            raise BadInput("decision-value", name=name, value=value[name], accepted=f"{least}–{most}")
    if kind in _DRAUGHTS_ONLY and on_list not in DRAUGHTS.lists:
        accepted = ", ".join(sorted(DRAUGHTS.lists))
        raise BadInput("decision-value", name="list", value=str(on_list), accepted=accepted)
    if "category" in value:
        value = {**value, "category": str(category_named(str(value["category"])))}
    return value


def _in_force(connection: Connection, number: int, kind: str = "") -> Decision:
    """Return a decision that is not revoked; raise if there is none with this number and kind."""
    for decision in stored_decisions.decisions_in_force(connection):
        if decision.id == number and (not kind or decision.kind == kind):
            return decision
    raise BadInput("no-decision", decision=number)


def appeal_days(connection: Connection, decision: Decision) -> int:
    """Return the days within which a decision can be appealed against (0.5).

    If there is no dated chess report under a known edition, they are those of the newest FIDE edition.
    """
    filed = None if decision.report is None else rows.filed(connection, [decision.report])[decision.report]
    if filed is not None and filed.first_day is not None and not discipline_of(filed.list).by_season:
        try:
            return chess_rules(connection, filed.list, filed.first_day).appeal_days.value
        except NoEdition:
            pass
    return in_force(CHESS_EDITIONS, ListName.STANDARD, date.max).on(ListName.STANDARD).appeal_days.value
