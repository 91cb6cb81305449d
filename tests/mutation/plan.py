"""The modules into which faults are put, and the tests that judge them."""

from dataclasses import dataclass

CHESS_TESTS = (
    "tests/model/test_exact.py",
    "tests/regulations/fide/test_fide_cases.py",
    "tests/regulations/test_editions.py",
    "tests/regulations/test_editions_texts.py",
    "tests/regulations/fide/test_rules.py",
    "tests/regulations/fide/test_change_properties.py",
    "tests/regulations/fide/test_round_robin.py",
    "tests/project/test_readings.py",
    "tests/rating/test_preview.py",
    "tests/regulations/fide/test_event_kind.py",
    "tests/regulations/fide/test_event_kind_declared.py",
    "tests/regulations/fide/test_change_derivations.py",
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
    "tests/regulations/rubele",
    "tests/rating/test_draughts_event.py",
    "tests/rating/test_draughts_event_derivations.py",
    "tests/rating/test_draughts_event_awards.py",
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
            "regulations/fide/event_kind.py",
            "regulations/fide/games.py",
            "rating/event.py",
            "regulations/fide/entry_rating.py",
            "regulations/fide/round_robin.py",
            "regulations/fide/change.py",
            "regulations/fide/rules.py",
            "regulations/fide/settlement.py",
            "regulations/editions.py",
            "regulations/calendar.py",
            "regulations/fide/editions.py",
            "regulations/fide/article_numbers.py",
            "regulations/own_editions.py",
            "lists/period.py",
            "lists/period_inputs.py",
        ),
        CHESS_TESTS,
    ),
    Group(
        "draughts",
        (
            "rating/draughts_calculator.py",
            "regulations/rubele/capital.py",
            "regulations/rubele/categories.py",
            "checks/draughts.py",
            "regulations/rubele/starting_capital.py",
            "rating/draughts_event.py",
            "regulations/rubele/groups.py",
            "regulations/rubele/rules.py",
            "regulations/rubele/year_end.py",
            "regulations/rubele/editions.py",
        ),
        DRAUGHTS_TESTS,
    ),
)

AT_IMPORT = {
    "model/exact.py": ("tests/model/test_exact.py",),
    "regulations/tables.py": ("tests/regulations/test_editions_texts.py",),
    "regulations/fide/event_kind.py": (
        "tests/regulations/fide/test_event_kind.py",
        "tests/regulations/fide/test_event_kind_declared.py",
    ),
    "regulations/fide/games.py": ("tests/regulations/fide/test_event_kind.py", "tests/rating/test_event.py"),
    "rating/event.py": ("tests/rating/test_event.py",),
    "regulations/fide/entry_rating.py": ("tests/regulations/fide/test_change_derivations.py",),
    "regulations/fide/round_robin.py": ("tests/regulations/fide/test_round_robin.py",),
    "regulations/fide/rules.py": (
        "tests/regulations/fide/test_rules.py",
        "tests/regulations/test_own_editions_categories.py",
    ),
    "regulations/editions.py": (
        "tests/regulations/test_own_editions.py",
        "tests/regulations/test_editions_texts.py",
    ),
    "regulations/fide/editions.py": ("tests/regulations/test_editions_texts.py",),
    "regulations/fide/article_numbers.py": ("tests/regulations/test_editions_texts.py",),
    "regulations/own_editions.py": (
        "tests/regulations/test_own_editions.py",
        "tests/regulations/test_own_editions_categories.py",
    ),
    "regulations/rubele/editions.py": ("tests/regulations/test_editions_texts.py",),
    "regulations/calendar.py": ("tests/regulations/test_calendar.py",),
    "lists/period.py": ("tests/lists/test_period_derivations.py",),
    "lists/period_inputs.py": ("tests/lists/test_period_derivations.py",),
    "rating/draughts_calculator.py": ("tests/rating/test_draughts_event_derivations.py",),
    "regulations/rubele/capital.py": ("tests/regulations/rubele/test_capital.py",),
    "rating/draughts_event.py": (
        "tests/rating/test_draughts_event_derivations.py",
        "tests/rating/test_draughts_event_awards.py",
        "tests/rating/test_draughts_event.py",
    ),
    "checks/draughts.py": ("tests/rating/test_draughts_event_derivations.py",),
    "regulations/rubele/starting_capital.py": ("tests/rating/test_draughts_event_derivations.py",),
    "regulations/rubele/groups.py": ("tests/rating/test_draughts_event_derivations.py",),
}
"""A module's own tests: for the faults that are made when it is imported they are all, otherwise the first."""

RUN_AT_IMPORT = (
    "regulations/fide/editions.py",
    "regulations/fide/article_numbers.py",
    "regulations/rubele/editions.py",
)
"""Modules whose functions do their work while they are imported."""
