"""Results as JSON values, the same from the command line and from the API.

Ratings, K and counts stay integers; scores, expectations and unrounded changes become exact decimal texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from arpad.explain.words import Words
from arpad.model.chess import Change, Entry, GameChange
from arpad.model.exact import decimal_text, from_hundredths, half_up, points
from arpad.model.rules import Confidence, Edition, Rule, Step
from arpad.rating.round_robin import RoundRobinFigures, RoundRobinRating
from arpad.regulations.draughts.capital import CapitalChange
from arpad.regulations.draughts.groups import Split
from arpad.regulations.editions import ALL, digest, plain, provisions


def plain_value(value: Any) -> Any:
    """Integers stay integers, other numbers become exact decimal strings."""
    if isinstance(value, Fraction):
        return decimal_text(value)
    if isinstance(value, tuple):
        return [plain_value(item) for item in value]
    return value if isinstance(value, bool | int | str | None) else str(value)


def step_documents(steps: Iterable[Step], words: Words) -> list[dict[str, Any]]:
    """Steps for JSON: article, quantity, value and the sentence."""
    return [
        {
            "article": step.article,
            "quantity": step.quantity,
            "value": plain_value(step.value),
            "text": words.step(step),
        }
        for step in steps
    ]


# ------------------------------------------------------------------------------------------------ calculations


def change_document(found: Change) -> dict[str, Any]:
    """The fields of a rating change that other programs rely on."""
    return {
        "rating": found.rating,
        "k": found.k,
        "k_applied": found.k_applied,
        "games": [game_document(game) for game in found.games],
        "sum": decimal_text(from_hundredths(found.sum)),
        "change": decimal_text(found.change),
        "change_rounded": found.change_rounded,
        "new_rating": found.new_rating,
    }


def game_document(item: GameChange) -> dict[str, Any]:
    """One game of a rating change."""
    return {
        "opponent": item.game.opponent,
        "own": item.game.own,
        "event": item.game.event,
        "score": decimal_text(points(item.game.score)),
        "difference": item.difference,
        "capped": item.capped,
        "rated": item.rated,
        "expected": decimal_text(from_hundredths(item.expected)) if item.rated else None,
        "change": decimal_text(from_hundredths(item.change)) if item.rated else None,
    }


def expectation_document(found: GameChange) -> dict[str, Any]:
    """What a player may expect against an opponent."""
    return {
        "rating": found.game.own,
        "opponent": found.game.opponent,
        "difference": found.difference,
        "capped": found.capped,
        "rated": found.rated,
        "expected": decimal_text(from_hundredths(found.expected)) if found.rated else None,
    }


def entry_document(found: Entry, words: Words) -> dict[str, Any]:
    """The fields of an entry rating that other programs rely on."""
    return {
        "games": found.games,
        "score": decimal_text(points(found.score)),
        "average": half_up(found.average) if found.average is not None else None,
        "average_exact": plain_value(found.average),
        "rating": found.rating,
        "computed": found.computed,
        "reason": found.reason,
        "text": entry_verdict(found, words),
    }


def entry_verdict(found: Entry, words: Words) -> str:
    """What an entry rating comes to, in words."""
    if found.rating is not None:
        return words.text("calc.entry-published", rating=found.rating)
    return words.text("calc.entry-not-published", reason=words.text(f"reason.{found.reason}"))


def round_robin_document(found: RoundRobinRating, words: Words) -> dict[str, Any]:
    """A round robin with unrated players: the tournament's averages, and everybody's figures."""
    table = found.table
    return {
        "cycles": found.cycles,
        "games": table.games,
        "rar": plain_value(table.rar),
        "dpa": plain_value(table.dpa),
        "ra": table.ra,
        "removed": list(table.ignored),
        "findings": [
            {
                "severity": str(finding.severity),
                "code": finding.code,
                "article": finding.article,
                "message": words.finding(finding),
            }
            for finding in found.findings
        ],
        "players": [_round_robin_player(player, words) for player in found.players],
        "steps": step_documents(table.steps, words),
    }


def _round_robin_player(player: RoundRobinFigures, words: Words) -> dict[str, Any]:
    change, unrated = player.change, player.unrated
    expected = sum(game.expected for game in change.games) if change else 0
    return {
        "number": player.number,
        "name": player.name,
        "rating": player.rating,
        "score": decimal_text(points(player.score)),
        "removed": player.removed,
        "p": decimal_text(from_hundredths(player.p)) if player.p is not None else None,
        "dp": player.dp,
        "rc": unrated.rc if unrated else None,
        "ru": unrated.ru if unrated else None,
        "rc_new": unrated.rc_new if unrated else None,
        "ru_new": unrated.ru_new if unrated else None,
        "initial": entry_document(player.entry, words) if player.entry else None,
        "k": change.k if change else None,
        "k_applied": change.k_applied if change else None,
        "expected": decimal_text(from_hundredths(expected)) if change else None,
        "sum": decimal_text(from_hundredths(change.sum)) if change else None,
        "change": decimal_text(change.change) if change else None,
        "change_rounded": change.change_rounded if change else None,
        "new_rating": change.new_rating if change else None,
        "opponents": [
            {
                "number": other.number,
                "rating": other.rating,
                "score": None if other.score is None else decimal_text(points(other.score)),
            }
            for other in player.opponents
        ],
        "steps": step_documents(player.steps, words),
    }


def capital_document(change: CapitalChange) -> dict[str, Any]:
    """The figures of a capital's change."""
    return {
        "capital": change.capital,
        "final": change.final,
        "change": change.final - change.capital,
        "scored": str(change.scored),
        "expected": decimal_text(from_hundredths(change.expected), places=2),
        "deviation": decimal_text(change.deviation),
        "s": change.s,
        "variation": decimal_text(change.variation),
        "unrounded": decimal_text(change.unrounded),
        "added": change.added,
        "crossings": [
            {
                "threshold": crossing.threshold,
                "would_be": decimal_text(crossing.would_be),
                "excess": decimal_text(crossing.excess),
                "old_s": crossing.old_s,
                "new_s": crossing.new_s,
                "scaled": decimal_text(crossing.scaled),
            }
            for crossing in change.crossings
        ],
    }


def split_document(found: Split) -> dict[str, Any]:
    """The groups of an event and what table 23 fixes for them."""
    bounds = found.limits
    return {
        "players": bounds.players,
        "rounds": bounds.rounds,
        "groups": bounds.groups,
        "critical": bounds.critical,
        "increment": bounds.increment,
        "first_group_cap": bounds.first_group_cap,
        "minimum": bounds.minimum,
        "sizes": list(found.sizes),
    }


# ------------------------------------------------------------------------------------------------- regulations


def edition_document(edition: Edition[Any], words: Words) -> dict[str, Any]:
    """What identifies an edition."""
    return {
        "id": edition.id,
        "body": edition.body,
        "effective": str(edition.effective),
        "by_name_only": edition.by_name_only,
        "base": edition.base or None,
        "source": edition_source(edition, words),
        "adopted": edition.adopted or None,
        "checked": str(edition.checked),
        "lists": [str(name) for name in edition.lists],
        "digest": digest(edition),
        "about": edition_about(edition, words),
    }


def edition_source(edition: Edition[Any], words: Words) -> str:
    """The text an edition was taken from; of a federation's own, as its file says it."""
    return _of_printed(edition, "source", words)


def edition_about(edition: Edition[Any], words: Words) -> str:
    """An edition in a few words."""
    return _of_printed(edition, "edition", words)


def _of_printed(edition: Edition[Any], section: str, words: Words) -> str:
    key = f"{section}.{edition.id}"
    printed = edition.id in _PRINTED  # an own one may have any name, that of some other sentence too
    return words.text(key) if printed and words.has(key) else edition.source


_PRINTED = frozenset(edition.id for edition in ALL)


def rule_document(rule: Rule[Any] | None) -> dict[str, Any] | None:
    """A rule for JSON: its plain value, its article, and how surely it is known."""
    if rule is None:
        return None
    return {"value": plain(rule.value), "article": rule.article, "confidence": str(rule.confidence)}


CONFIDENCE_SIGNS = {
    Confidence.VERIFIED: "",
    Confidence.SECONDARY: "*",
    Confidence.INFERRED: "~",
    Confidence.UNKNOWN: "?",
}
"""What stands beside the article of a rule that was not read in the text itself."""


def legend(rules: Iterable[Rule[Any] | None], words: Words) -> str:
    """Return what the signs beside some rules mean, in one line; empty where no rule has one."""
    marks = {rule.confidence for rule in rules if rule}
    return "; ".join(
        f"{sign} {words.text(f'confidence.{mark}')}"
        for mark, sign in CONFIDENCE_SIGNS.items()
        if sign and mark in marks
    )


def how_surely(edition: Edition[Any], words: Words) -> str:
    """Return how many rules of an edition are known how surely, in one sentence."""
    marks = [item.rule.confidence for item in provisions(edition) if item.rule]
    told = [
        words.text(
            "confidence.count", sign=sign, meaning=words.text(f"confidence.{mark}"), rules=marks.count(mark)
        ).strip()
        for mark, sign in CONFIDENCE_SIGNS.items()
        if mark in marks
    ]
    return words.text("confidence.how-surely", marks="; ".join(told))
