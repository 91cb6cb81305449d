"""The modules into which faults are put, and the tests that judge them."""

from __future__ import annotations

from dataclasses import dataclass

CHESS_TESTS = (
    "tests/model/test_exact.py",
    "tests/regulations/chess/test_chess_cases.py",
    "tests/regulations/test_editions.py",
    "tests/regulations/test_editions_texts.py",
    "tests/regulations/chess/test_rules.py",
    "tests/regulations/chess/test_change_properties.py",
    "tests/regulations/chess/test_round_robin.py",
    "tests/project/test_readings.py",
    "tests/rating/test_preview.py",
    "tests/regulations/chess/test_event_kind.py",
    "tests/regulations/chess/test_event_kind_declared.py",
    "tests/regulations/chess/test_change_derivations.py",
    "tests/rating/test_event.py",
    "tests/regulations/test_own_editions.py",
    "tests/regulations/test_own_editions_categories.py",
    "tests/regulations/test_calendar.py",
    "tests/checks",
    "tests/lists/test_period_derivations.py",
    "tests/lists/test_period_newcomers.py",
    "tests/lists/test_period_rated.py",
    "tests/lists/test_period_single_games.py",
)
DRAUGHTS_TESTS = (
    "tests/regulations/draughts",
    "tests/rating/test_draughts_event.py",
    "tests/rating/test_draughts_event_derivations.py",
    "tests/rating/test_draughts_season_awards.py",
    "tests/cli/test_rubele.py",
    "tests/regulations/test_editions_texts.py",
)


@dataclass(frozen=True, slots=True)
class Group:
    """Modules that the same tests judge; one collection of tests serves them all."""

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]


GROUPS = (
    Group(
        "chess",
        (
            "model/exact.py",
            "regulations/tables.py",
            "regulations/chess/event_kind.py",
            "regulations/chess/games.py",
            "rating/event.py",
            "regulations/chess/entry_rating.py",
            "regulations/chess/round_robin.py",
            "regulations/chess/change.py",
            "regulations/chess/rules.py",
            "regulations/editions.py",
            "regulations/calendar.py",
            "regulations/chess/fide.py",
            "regulations/chess/article_numbers.py",
            "regulations/own_editions.py",
            "lists/period.py",
            "lists/period_inputs.py",
        ),
        CHESS_TESTS,
    ),
    Group(
        "draughts",
        (
            "rating/draughts_arguments.py",
            "regulations/draughts/capital.py",
            "regulations/draughts/categories.py",
            "rating/draughts_season.py",
            "checks/draughts.py",
            "regulations/draughts/starting_capital.py",
            "rating/draughts_event.py",
            "regulations/draughts/groups.py",
            "regulations/draughts/rules.py",
            "regulations/draughts/year_end.py",
            "regulations/draughts/rubele.py",
        ),
        DRAUGHTS_TESTS,
    ),
)

AT_IMPORT = {
    "model/exact.py": ("tests/model/test_exact.py",),
    "regulations/tables.py": ("tests/regulations/test_editions_texts.py",),
    "regulations/chess/event_kind.py": (
        "tests/regulations/chess/test_event_kind.py",
        "tests/regulations/chess/test_event_kind_declared.py",
    ),
    "regulations/chess/games.py": (
        "tests/regulations/chess/test_event_kind.py",
        "tests/rating/test_event.py",
    ),
    "rating/event.py": ("tests/rating/test_event.py",),
    "regulations/chess/entry_rating.py": ("tests/regulations/chess/test_change_derivations.py",),
    "regulations/chess/round_robin.py": ("tests/regulations/chess/test_round_robin.py",),
    "regulations/chess/rules.py": (
        "tests/regulations/chess/test_rules.py",
        "tests/regulations/test_own_editions_categories.py",
    ),
    "regulations/editions.py": (
        "tests/regulations/test_own_editions.py",
        "tests/regulations/test_editions_texts.py",
    ),
    "regulations/chess/fide.py": ("tests/regulations/test_editions_texts.py",),
    "regulations/chess/article_numbers.py": ("tests/regulations/test_editions_texts.py",),
    "regulations/own_editions.py": (
        "tests/regulations/test_own_editions.py",
        "tests/regulations/test_own_editions_categories.py",
    ),
    "regulations/draughts/rubele.py": ("tests/regulations/test_editions_texts.py",),
    "regulations/calendar.py": ("tests/regulations/test_calendar.py",),
    "lists/period.py": ("tests/lists/test_period_derivations.py",),
    "lists/period_inputs.py": ("tests/lists/test_period_derivations.py",),
    "rating/draughts_arguments.py": ("tests/rating/test_draughts_event_derivations.py",),
    "regulations/draughts/capital.py": ("tests/regulations/draughts/test_capital.py",),
    "rating/draughts_season.py": (
        "tests/rating/test_draughts_event_derivations.py",
        "tests/rating/test_draughts_season_awards.py",
    ),
    "checks/draughts.py": ("tests/rating/test_draughts_event_derivations.py",),
    "regulations/draughts/starting_capital.py": ("tests/rating/test_draughts_event_derivations.py",),
    "rating/draughts_event.py": ("tests/rating/test_draughts_event.py",),
    "regulations/draughts/groups.py": ("tests/rating/test_draughts_event_derivations.py",),
}
"""A module's own tests: for the faults that are made when it is imported they are all, otherwise the first."""

RUN_AT_IMPORT = (
    "regulations/chess/fide.py",
    "regulations/chess/article_numbers.py",
    "regulations/draughts/rubele.py",
)
"""Modules whose functions do their work while they are imported."""
