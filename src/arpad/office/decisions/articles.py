"""What a decision says in one sentence, and the article that allows it, by the edition of the event or list."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection

from arpad.explain.words import Words
from arpad.model.canonical_json import load
from arpad.model.errors import NoEdition
from arpad.model.rules import LISTS, Body, ListName, Rule
from arpad.office.editions.acts import chess_rules
from arpad.office.office import local_day
from arpad.office.register import rows as register
from arpad.office.reports import rows
from arpad.office.reports.decided_rows import FACT, Decision
from arpad.office.reports.fact_forms import facts_in_words
from arpad.regulations.fide.rules import ChessRules
from arpad.regulations.systems import system_of
from arpad.store import ledger

_BY_RULE: Mapping[str, Callable[[ChessRules], Rule[Any] | None]] = {
    "not-rated": lambda rules: rules.appeal_days,
    "appeal": lambda rules: rules.appeal_days,
    "official": lambda rules: rules.official_always_rated,
    "longer-approved": lambda rules: rules.longer_by_approval,
    "by-round": lambda rules: rules.ratings_by_round,
    "rounds": lambda rules: rules.interim_after_days,
    "k": lambda rules: rules.k_usual,
    "category": lambda rules: rules.categories,
    "hybrid-approved": lambda rules: rules.hybrid_by_approval,
    "fast-approved": lambda rules: rules.fast_by_approval,
    "match-waived": lambda rules: rules.match_waiver,
    "taken-out": lambda rules: rules.games_excepted,
}
"""Decisions and stated facts whose article is that of a rule."""

_BY_STEP = {
    "declared-unrated": "declared-unrated",
    "rated-unreported": "rated-unreported",
    "leave-out": "leave-out",
    "dispensation": "dispensation",
    "suspended": "federation",
    "rating-officer": "rating-officer",
}
"""Decisions whose article is one of ``ChessRules.articles``, by its name there."""

_DRAUGHTS = {"capital": "Tab. 12", "category": "Tab. 12", "fmjd": "Tab. 22", "last-event": "Tab. 18"}


def article_for(kind: str, rules: ChessRules, value: Mapping[str, Any] | None = None) -> str:
    """Return the article of an edition on a kind of decision; empty if the edition has no such decision.

    Articles (0.2, 0.2.3, 0.2.4, 0.4, 9.3, 10.1, RB 0.2).
    """
    name = kind.replace("_", "-")
    if name.startswith("late-registration"):
        strong = rules.late_registration_strong
        if strong is not None and (value or {}).get("late_registration_by") == Body.PRESIDENT:
            return strong.article
        return (rules.late_registration or rules.registration).article
    if name in _BY_STEP:
        return rules.articles.get(_BY_STEP[name], "")
    rule = _BY_RULE[name](rules) if name in _BY_RULE else None
    return rule.article if rule else ""


def article_of(connection: Connection, decision: Decision, decided_on: date | None = None) -> str:
    """Return the article of a decision, by the edition on the first day of the event, else of the list or decision.

    ``decided_on`` is the day of a decision that is not in the ledger yet.
    """
    if decision.list not in (None, *LISTS):
        return ""
    on_list, day = ListName(decision.list or ListName.STANDARD), decision.day
    if decision.kind in _DRAUGHTS and not (decision.kind == "category" and system_of(on_list).has_titles):
        return _DRAUGHTS[decision.kind]
    if decision.report is not None:
        filed = rows.filed(connection, [decision.report])[decision.report]
        on_list, day = filed.list, str(filed.first_day) if filed.first_day else None
    if not system_of(on_list).has_titles:
        return ""
    if day is None and decided_on is not None:
        day = str(decided_on)
    if day is None:
        moment = datetime.fromisoformat(ledger.act(connection, decision.act).at)
        day = str(local_day(connection, moment))
    try:
        rules = chess_rules(connection, on_list, date.fromisoformat(day))
    except NoEdition:
        return ""
    value = load(decision.value)
    stated = [article_for(name, rules, value) for name in value] if decision.kind == "fact" else []
    return ", ".join(dict.fromkeys(filter(None, stated))) or article_for(decision.kind, rules, value)


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
