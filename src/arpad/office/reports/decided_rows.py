"""Officers' decisions and their revocations."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from sqlalchemy import Connection, exists, func, insert, select

from arpad.model.canonical_json import load
from arpad.model.rules import LISTS, ListName
from arpad.office.reports.tables import decisions, revocations
from arpad.store.act_cache import cached_until_act
from arpad.store.bulk import add_numbered, fetch_rows, last_act, revoked
from arpad.store.ledger import some_acts

FACT = "fact"
"""The kind of decision that states facts about a report."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An officer's decision."""

    id: int
    kind: str
    report: int | None
    player: int | None
    federation: str | None
    list: str | None
    day: str | None
    value: str
    """Canonical JSON."""

    act: int

    @property
    def leaves_off(self) -> bool:
        """Whether a report is not rated by it on the list of FIDE or Elo-Rubele; on the office's own it may be."""
        return self.kind in UNRATED and self.list in (None, *LISTS)


def decisions_in_force(connection: Connection, as_of_act: int | None = None) -> tuple[Decision, ...]:
    """Return the decisions that are not revoked, now or after an act, in order."""
    ended = revoked(connection, revocations, as_of_act)
    return tuple(
        decision
        for decision in all_decisions(connection)
        if decision.id not in ended and (as_of_act is None or decision.act <= as_of_act)
    )


def with_kept_players(decided: Iterable[Decision], targets: Mapping[int, int]) -> tuple[Decision, ...]:
    """Replace merged players by the players kept; ``targets`` maps dropped to kept."""
    return tuple(replace(d, player=targets.get(d.player, d.player)) if d.player else d for d in decided)


@cached_until_act
def all_decisions(connection: Connection) -> tuple[Decision, ...]:
    """Return all decisions, also the revoked ones."""
    return tuple(Decision(*row) for row in fetch_rows(connection, _ALL_DECISIONS))


_ALL_DECISIONS = select(*(decisions.c[field.name] for field in fields(Decision))).order_by(decisions.c.id)


def add_decision(connection: Connection, row: Mapping[str, Any]) -> int:
    """Append a decision; return its number."""
    return add_numbered(connection, decisions, row)


@cached_until_act
def last_decision_act(connection: Connection) -> int:
    """Return the last act that made or revoked a decision; 0 if there is none."""
    return last_act(connection, decisions, revocations)


def add_revocation(connection: Connection, decision: int, act: int) -> None:
    """Append the revocation of a decision."""
    connection.execute(insert(revocations), {"decision": decision, "act": act})


COUNTS = "rated"
"""The kind of decision that an event counts on a list of the office's own."""

UNRATED = ("not-rated", "declared-unrated")
"""The kinds of decision that a tournament is not rated."""


@cached_until_act
def unrated_reports(connection: Connection) -> dict[int, str]:
    """Return the reports that are not rated by decision, each with the day of the decision as text."""
    in_force = [d for d in decisions_in_force(connection) if d.leaves_off and d.report is not None]
    acts = some_acts(connection, [d.act for d in in_force])
    return {d.report: acts[d.act].at[:10] for d in in_force if d.report is not None}


@cached_until_act
def decided_lists(connection: Connection) -> dict[int, ListName]:
    """Return the list of each report whose list was decided after it was filed."""
    in_force = [Decision(*row) for row in fetch_rows(connection, _DECIDED_LISTS)]
    numbers = {decision.report for decision in in_force if decision.report is not None}
    lists = {number: decided_list(number, in_force) for number in numbers}
    return {number: ListName(name) for number, name in lists.items() if name}


_DECIDED_LISTS = _ALL_DECISIONS.where(
    decisions.c.kind == FACT,
    decisions.c.list.is_not(None),
    ~exists().where(revocations.c.decision == decisions.c.id),
)


def decided_list(report: int, decided: Iterable[Decision]) -> str | None:
    """Return the list that decisions assign to a report: one named, else that of a stated time control."""
    named: str | None = None
    by_control: str | None = None
    for decision in decided:
        if decision.kind != FACT or decision.report != report or decision.list is None:
            continue
        stated = load(decision.value)
        if stated.get("list"):
            named = decision.list
        else:
            by_control = decision.list
            named = None if "list" in stated else named
    return named or by_control


def last_moves(connection: Connection, moved: Collection[int]) -> dict[int, int]:
    """Return for each of some reports the last act that decided on which list it is rated."""
    query = select(decisions.c.report, func.max(decisions.c.act)).group_by(decisions.c.report)
    moving = decisions.c.report.in_(moved), decisions.c.kind == FACT, decisions.c.list.is_not(None)
    return dict(fetch_rows(connection, query.where(*moving)))
