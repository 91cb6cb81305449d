"""The article numbers of the texts from 2022 on: the standard regulations, and those for rapid and blitz (``RB``).

The text of 2024 is known whole. For 2022 and 2023 the same numbers are taken: those that have been seen agree
(docs/readings.md, 29).
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from arpad.model.rules import Confidence, Rule
from arpad.regulations.fide.rules import ChessRules

ARTICLES_2009 = {
    "difference": "8.51",
    "unrated-opponent": "8.52",
    "delta": "8.55b",
    "total": "8.55c",
    "change": "8.55c",
    "round-robin-average": "8.21b",
    "half": "8.22",
    "below": "8.24",
    "below-round-robin": "8.25",
    "pooled": "8.3",
    "pass": "8.58",
    "entry-rounding": "8.32",
    "delisted": "7.21",
    "federation": "13.1",
    "minimum-round-robin": "7.14a",
    "declared-unrated": "9.2",
    "rated-unreported": "0.2",
    "leave-out": "13.2",
    "dispensation": "13.3",
    "rating-officer": "9.3",
}
"""Steps, and decisions of an officer, in the text of 2009."""

ARTICLES_2022 = {
    "difference": "8.3.1",
    "unrated-opponent": "8.3.1",
    "delta": "8.3.2b",
    "total": "8.3.2c",
    "change": "8.3.2d",
    "half": "8.2.3",
    "below": "8.2.3",
    "pooled": "8.2.2",
    "entry-rounding": "8.2.3",
    "delisted": "7.2.1",
    "federation": "10.1",
    "dispensation": "10.1",
    "rating-officer": "9.3",
}
"""The same from 2022 on; what is not here has no article any more."""

QUICK_ARTICLES_2022 = {
    "difference": "RB 7.3.1",
    "unrated-opponent": "RB 7.3.1",
    "delta": "RB 7.3.2b",
    "total": "RB 7.3.2c",
    "change": "RB 7.3.2d",
    "half": "RB 7.2.4",
    "below": "RB 7.2.4",
    "pooled": "RB 7.2.3",
    "entry-rounding": "RB 7.2.4",
    "delisted": "RB 6.2.1",
    "federation": "RB 9.1",
    "dispensation": "RB 9.1",
    "rating-officer": "RB 8.3",
}
"""The same for rapid and blitz."""

QUICK_2022 = {
    "official_always_rated": "RB 0.3",
    "appeal_days": "RB 0.4",
    "appeal_to": "RB 0.4",
    "moves_counted": "RB 1.1.1",
    "time_bounds": "RB 1.1.1",
    "equal_times": "RB 1.2",
    "deviations_approved": "RB 2.1",
    "hybrid_by_approval": "RB 0.2",
    "games_per_day": "RB 3.1.1",
    "moves_to_be_played": "RB 4.1",
    "games_excepted": "RB 4.1",
    "match_unrated": "RB 5.1",
    "match_decided": "RB 5.2",
    "match_waiver": "RB 5.2",
    "list_months": "RB 6.1",
    "cutoff_days": "RB 6.1.3",
    "official_cutoff_days": "RB 6.1.3",
    "floor": "RB 6.1.4",
    "minimum_games": "RB 6.1.4",
    "window": "RB 6.1.4",
    "window_start": "RB 6.1.4",
    "fraction_table": "RB 7.1.1",
    "expectation_table": "RB 7.1.2",
    "entry_takes_standard": "RB 7.2.1",
    "first_score_swiss": "RB 7.2.2",
    "first_score_round_robin": "RB 7.2.2",
    "entry_formula": "RB 7.2.3",
    "entry_bonus": "RB 7.2.4",
    "rated_meanwhile": "RB 7.2.5",
    "cap": "RB 7.3.1",
    "cap_rule": "RB 7.3.1",
    "k_new": "RB 7.3.3",
    "k_new_games": "RB 7.3.3",
    "k_usual": "RB 7.3.3",
    "k_top": "RB 7.3.3",
    "k_top_from": "RB 7.3.3",
    "k_times_games": "RB 7.3.3",
    "rounding": "RB 7.3.4",
    "arbiter_report_days": "RB 8.1",
    "federation_report_days": "RB 8.1",
    "hybrid_games": "RB 8.4",
}
"""The rules of the rapid list, and of the blitz list except for the next ones."""

BLITZ_2022 = {"moves_counted": "RB 1.1.2", "games_per_day": "RB 3.1.2"}


def renumbered(rules: ChessRules, numbers: Mapping[str, str]) -> ChessRules:
    """Return the same rules under other article numbers."""
    rules_by_field: dict[str, Any] = {
        name: replace(getattr(rules, name), article=article) for name, article in numbers.items()
    }
    return replace(rules, **rules_by_field)


def as_sure_as(rules: ChessRules, confidence: Confidence, *names: str) -> ChessRules:
    """Return the same rules, those with these names, or all of them without names, known as surely as that."""
    rules_by_field = {name: getattr(rules, name) for name in names or [item.name for item in fields(rules)]}
    marked: dict[str, Any] = {
        name: replace(rule, confidence=confidence)
        for name, rule in rules_by_field.items()
        if isinstance(rule, Rule)
    }
    return replace(rules, **marked)
