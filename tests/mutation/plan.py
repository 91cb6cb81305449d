"""Which modules are put to the test, and which tests judge them."""

from __future__ import annotations

from dataclasses import dataclass

CHESS_TESTS = (
    "tests/test_exact.py",
    "tests/test_cases.py",
    "tests/test_editions.py",
    "tests/test_regulations.py",
    "tests/test_rules.py",
    "tests/test_properties.py",
    "tests/test_round_robin.py",
    "tests/test_readings.py",
    "tests/test_rate.py",
    "tests/test_event.py",
    "tests/test_derivations.py",
    "tests/test_tally.py",
    "tests/test_own_editions.py",
    "tests/test_calendar.py",
    "tests/check",
    "tests/period",
)
DRAUGHTS_TESTS = ("tests/draughts", "tests/test_regulations.py")


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
            "exact.py",
            "tables.py",
            "event.py",
            "games.py",
            "tally.py",
            "initial.py",
            "round_robin.py",
            "change.py",
            "rules.py",
            "regulations/__init__.py",
            "regulations/calendar.py",
            "regulations/fide.py",
            "regulations/numbers.py",
            "regulations/own.py",
            "period/__init__.py",
            "period/frame.py",
        ),
        CHESS_TESTS,
    ),
    Group(
        "draughts",
        (
            "draughts/arguments.py",
            "draughts/capital.py",
            "draughts/categories.py",
            "draughts/chain.py",
            "draughts/check.py",
            "draughts/convert.py",
            "draughts/event.py",
            "draughts/groups.py",
            "draughts/rules.py",
            "draughts/year.py",
            "regulations/rubele.py",
        ),
        DRAUGHTS_TESTS,
    ),
)

AT_IMPORT = {
    "exact.py": ("tests/test_exact.py",),
    "tables.py": ("tests/test_regulations.py",),
    "event.py": ("tests/test_event.py",),
    "games.py": ("tests/test_event.py", "tests/test_tally.py"),
    "tally.py": ("tests/test_tally.py",),
    "initial.py": ("tests/test_derivations.py",),
    "round_robin.py": ("tests/test_round_robin.py",),
    "rules.py": ("tests/test_rules.py",),
    "regulations/__init__.py": ("tests/test_own_editions.py", "tests/test_regulations.py"),
    "regulations/fide.py": ("tests/test_regulations.py",),
    "regulations/numbers.py": ("tests/test_regulations.py",),
    "regulations/own.py": ("tests/test_own_editions.py",),
    "regulations/rubele.py": ("tests/test_regulations.py",),
    "period/__init__.py": ("tests/period/test_derivations.py",),
    "period/frame.py": ("tests/period/test_derivations.py",),
    "draughts/arguments.py": ("tests/draughts/test_derivations.py",),
    "draughts/capital.py": ("tests/draughts/test_capital.py",),
    "draughts/chain.py": ("tests/draughts/test_derivations.py",),
    "draughts/check.py": ("tests/draughts/test_derivations.py",),
    "draughts/convert.py": ("tests/draughts/test_derivations.py",),
    "draughts/event.py": ("tests/draughts/test_event.py",),
    "draughts/groups.py": ("tests/draughts/test_derivations.py",),
}
"""A module's own tests: for the faults that are made when it is imported they are all, otherwise the first."""

RUN_AT_IMPORT = ("regulations/fide.py", "regulations/numbers.py", "regulations/rubele.py")
"""Modules whose functions do their work while they are imported."""
