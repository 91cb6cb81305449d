"""Officers' decisions: about an event, a player, a federation; each with author, reason and date, each revocable."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from arpad.model.disciplines import DRAUGHTS, discipline_of
from arpad.model.draughts import category_named
from arpad.model.errors import BadInput, NoEdition
from arpad.model.json_values import dump, load
from arpad.model.rules import ListName
from arpad.office.editions import chess_rules
from arpad.office.office import ActContext, Office, local_day, record_act
from arpad.office.stated_facts import list_with, players_not_in_report, stated_document
from arpad.regulations.draughts.starting_capital import FMJD_MOST
from arpad.regulations.editions import CHESS, in_force
from arpad.reports.event_facts import FACT_TYPES
from arpad.reports.report import MIRROR
from arpad.reports.time_control_text import read_time_control
from arpad.store import decisions as stored_decisions
from arpad.store import ledger, register
from arpad.store import reports as rows
from arpad.store.decisions import FACT, Decision
from arpad.store.reports import Filed


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of decision: what it is about, and what it needs to be told; ``decision_articles`` has its article."""

    about: str
    """``report``, ``player``, ``federation`` or ``list``."""

    needs: tuple[str, ...] = ()


KINDS: Mapping[str, Kind] = {
    FACT: Kind("report"),
    "not-rated": Kind("report"),
    "declared-unrated": Kind("report"),
    "rated-unreported": Kind("report"),
    "official": Kind("report"),
    "longer-approved": Kind("report"),
    "late-registration": Kind("report"),
    "by-round": Kind("report"),
    "rounds": Kind("report", ("first", "last")),
    "result": Kind("report", ("number", "round", "result")),
    "k": Kind("player", ("list", "day", "k")),
    "capital": Kind("player", ("list", "capital")),
    "category": Kind("player", ("list", "day", "category")),
    "fmjd": Kind("player", ("day", "fmjd")),
    "last-event": Kind("list", ("day",)),
    "leave-out": Kind("player", ("day",)),
    "dispensation": Kind("player", ("day",)),
    "suspended": Kind("federation", ("day",)),
    "rating-officer": Kind("federation", ("name",)),
}
UNRATED = ("not-rated", "declared-unrated")
UPHELD, REJECTED = "upheld", "rejected"
_BOUNDS = {"fmjd": (1, FMJD_MOST)}
"""The least and the most of some values."""

_DRAUGHTS_ONLY = ("category", "last-event")


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
    """Enter a decision; lists that are out already change only by a revision (13.1, 13.2, 13.3, 9.3).

    A decision ``fact`` states one or more facts about a report, each a name and a text, in ``facts`` or as values; the
    name of a fact stands for it.
    """
    value |= facts or {}
    if kind != FACT and states_facts(kind):
        kind, value = FACT, value or {kind.replace("-", "_"): "yes"}
    if kind == FACT and report is not None:
        stated = {name: str(text) for name, text in value.items()}
        return _state_facts(office, report, stated | ({"list": str(on_list)} if on_list else {}), reason)
    found = KINDS.get(kind)
    if found is None:
        raise BadInput("decision-kind", kind=kind, accepted=", ".join(KINDS))
    given = {
        "report": report,
        "player": player,
        "federation": federation,
        "list": on_list,
        "day": day,
        **value,
    }
    missing = [name for name in (found.about, *found.needs) if given.get(name) is None]
    if missing:
        raise BadInput("decision-needs", kind=kind, missing=", ".join(missing))
    with record_act(office, "decide", reason, reason_needed=True) as doing:
        value = _checked(doing.connection, kind, report, player, on_list, value)
        row = {
            "kind": kind, "report": report, "player": player, "federation": federation,
            "list": str(on_list) if on_list else None, "day": str(day) if day else None,
        }  # fmt: skip
        return _enter(doing, row, value)


def _state_facts(office: Office, report: int, stated: Mapping[str, str], reason: str) -> int:
    """Enter a decision that states facts about a report, each by its name; ``unknown`` takes one back.

    Another list or time control moves the report to the list where it then belongs.
    """
    with record_act(office, "decide", reason, reason_needed=True) as doing:
        filed = rows.filed(doing.connection, [report]).get(report)
        if filed is None:
            raise BadInput("no-report", report=report)
        value = stated_document(stated)
        if not value:
            raise BadInput("nothing-stated")
        control = value.get("time_control")
        if control is not None and not read_time_control(control).readable:
            raise BadInput("facts-value", key="time_control", value=control, accepted="90+30, 15+10, 3+2")
        if unknown := players_not_in_report(doing.connection, filed, value):
            raise BadInput("match-nobody", number=unknown[0], report=report)
        on_list = list_with(
            doing.connection, filed, stored_decisions.decisions_in_force(doing.connection), value
        )
        if value.get("weight") is not None and not discipline_of(on_list or filed.list).by_season:
            raise BadInput("weight-draughts-only", report=report)
        row = {
            "kind": FACT, "report": report, "player": None, "federation": None,
            "list": str(on_list) if on_list else None, "day": None,
        }  # fmt: skip
        return _enter(doing, row, value)


def _enter(doing: ActContext, row: dict[str, Any], value: dict[str, Any]) -> int:
    """Write a decision and the act behind it; return its number."""
    number = stored_decisions.add_decision(doing.connection, {**row, "value": dump(value), "act": doing.seq})
    doing.record(decision=number, **{name: v for name, v in row.items() if v is not None}, value=value)
    return number


def states_facts(kind: str) -> bool:
    """Whether a decision states facts about a report: it says so, or it is named after one of them."""
    return kind == FACT or (kind not in KINDS and kind.replace("-", "_") in FACT_TYPES)


def revoke(office: Office, decision: int, reason: str) -> None:
    """A decision no longer stands; the record of it does."""
    with record_act(office, "revoke", reason, reason_needed=True) as doing:
        _standing(doing.connection, decision)
        stored_decisions.add_revocation(doing.connection, decision, doing.seq)
        doing.record(decision=decision)


def appeal(office: Office, decision: int, *, by: str, reason: str) -> int:
    """The organiser appeals against a decision, within the days the edition gives (0.5, 0.4)."""
    with record_act(office, "appeal", reason, reason_needed=True) as doing:
        found = _standing(doing.connection, decision)
        if not by.strip():
            raise BadInput("value-missing", option="by")
        moment = datetime.fromisoformat(ledger.act(doing.connection, found.act).at)
        decided = local_day(doing.connection, moment)
        last = decided + timedelta(days=appeal_days(doing.connection, found))
        if doing.today > last:
            raise BadInput("appeal-late", decision=decision, last=last)
        return _enter_appeal(doing, found, {"decision": decision, "by": by})


def settle(office: Office, number: int, outcome: str, reason: str) -> None:
    """The outcome of an appeal: upheld, the decision falls; rejected, it stands."""
    if outcome not in (UPHELD, REJECTED):
        raise BadInput("appeal-outcome", given=outcome, accepted=f"{UPHELD}, {REJECTED}")
    with record_act(office, "settle", reason, reason_needed=True) as doing:
        found = _standing(doing.connection, number, kind="appeal")
        about = load(found.value)["decision"]
        stored_decisions.add_revocation(doing.connection, number, doing.seq)
        if outcome == UPHELD:
            _standing(doing.connection, about)
            stored_decisions.add_revocation(doing.connection, about, doing.seq)
        doing.record(appeal=number, decision=about, outcome=outcome)


def decisions_in_force(office: Office) -> tuple[Decision, ...]:
    """The decisions that stand."""
    with office.store.reading() as connection:
        return stored_decisions.decisions_in_force(connection)


def decided_rounds(filed: Filed, decided: Iterable[Decision]) -> tuple[int, int] | None:
    """The rounds of a report that are rated, where it is an interim report that repeats earlier ones (4.13)."""
    for d in decided:
        if d.report == filed.id and d.kind == "rounds":
            value = load(d.value)
            return value["first"], value["last"]
    return None


def _checked(
    connection: Connection,
    kind: str,
    report: int | None,
    player: int | None,
    on_list: ListName | None,
    value: dict[str, int | str],
) -> dict[str, Any]:
    """The value of a decision, where everything it names exists."""
    if report is not None and report not in rows.filed(connection, [report]):
        raise BadInput("no-report", report=report)
    if player is not None and player not in register.load_people(connection, [player]):
        raise BadInput("no-player", player=player)
    for name in ("k", "capital", "number", "round", "first", "last"):
        if name in value and (not isinstance(value[name], int) or int(value[name]) < 0):
            raise BadInput("decision-value", name=name, value=value[name], accepted="0, 1, 2 …")
    if kind == "result" and value["result"] not in tuple(MIRROR):
        raise BadInput("decision-value", name="result", value=value["result"], accepted="1 = 0 + - W D L")
    return _checked_draughts(kind, on_list, value)


def _checked_draughts(kind: str, on_list: ListName | None, value: dict[str, int | str]) -> dict[str, Any]:
    """Return the value of a decision about draughts, with the category by its whole name."""
    for name, (least, most) in _BOUNDS.items():
        if name in value and (not isinstance(value[name], int) or not least <= int(value[name]) <= most):
            raise BadInput("decision-value", name=name, value=value[name], accepted=f"{least}–{most}")
    if kind in _DRAUGHTS_ONLY and on_list not in DRAUGHTS.lists:
        accepted = ", ".join(sorted(DRAUGHTS.lists))
        raise BadInput("decision-value", name="list", value=str(on_list), accepted=accepted)
    if "category" in value:
        value = {**value, "category": str(category_named(str(value["category"])))}
    return value


def _standing(connection: Connection, decision: int, kind: str = "") -> Decision:
    found = next((d for d in stored_decisions.decisions_in_force(connection) if d.id == decision), None)
    if found is None or (kind and found.kind != kind):
        raise BadInput("no-decision", decision=decision)
    return found


def appeal_days(connection: Connection, found: Decision) -> int:
    """Return the days within which a decision can be appealed against (0.5).

    Without a dated chess report under a known edition, they are those of the newest FIDE text.
    """
    filed = rows.filed(connection, [found.report])[found.report] if found.report is not None else None
    if filed is not None and filed.first_day is not None and not discipline_of(filed.list).by_season:
        try:
            return chess_rules(connection, filed.list, filed.first_day).appeal_days.value
        except NoEdition:
            pass
    return in_force(CHESS, ListName.STANDARD, date.max).on(ListName.STANDARD).appeal_days.value


def _enter_appeal(doing: ActContext, found: Decision, value: dict[str, Any]) -> int:
    row = {
        "kind": "appeal", "report": found.report, "player": found.player, "federation": found.federation,
        "list": None, "day": None, "value": dump(value), "act": doing.seq,
    }  # fmt: skip
    number = stored_decisions.add_decision(doing.connection, row)
    doing.record(appeal=number, **value)
    return number
