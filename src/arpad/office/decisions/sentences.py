"""What a decision says, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.model.canonical_json import load
from arpad.office.register import rows as register
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import FACT, Decision
from arpad.office.reports.fact_forms import facts_in_words


@dataclass(frozen=True, slots=True)
class Named:
    """The reports and the players of decisions, by their numbers."""

    reports: Mapping[int, str]
    players: Mapping[int, str]


def names_in(connection: Connection, decisions: Sequence[Decision]) -> Named:
    """Return the names of what decisions are about."""
    filed = rows.filed(connection, [it.report for it in decisions if it.report is not None])
    people = register.load_people(connection, [it.player for it in decisions if it.player is not None])
    return Named(
        {number: it.name or it.file for number, it in filed.items()},
        {number: it.name for number, it in people.items()},
    )


def decision_sentence(decision: Decision, named: Named, words: Words) -> str:
    """Return what a decision says: ``K of Ravistri, Sandro is 10 on the list of 1 March 2025 (standard).``."""
    value: dict[str, Any] = load(decision.value)
    facts: dict[str, Any] = {} if decision.kind == FACT else value
    if "category" in facts and words.has(f"category.{facts['category']}"):
        facts = {**facts, "category": words.text(f"category.{facts['category']}")}
    return words.text(
        f"decided.{decision.kind}",
        **facts,
        report=named.reports.get(decision.report or 0, ""),
        player=named.players.get(decision.player or 0, ""),
        federation=decision.federation or "",
        list=words.text(f"site.list-{decision.list}") if decision.list else "",
        day=date.fromisoformat(decision.day) if decision.day else "",
        facts="; ".join(words.labelled(*it) for it in facts_in_words(value, words))
        if decision.kind == FACT
        else "",
    )
