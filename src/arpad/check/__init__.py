"""Checks: (report, facts, edition) → findings, one function per article; nothing here ever stops the preview.

``check_file`` looks at the report alone; ``check_event`` holds it against an edition. Each module covers the chapters
its name says, and lists its functions in ``CHECKS``, in the order of the articles.
"""

from __future__ import annotations

from dataclasses import dataclass

from arpad.event import Meetings
from arpad.facts import EventFacts
from arpad.model import EventKind, ListName
from arpad.report import Report
from arpad.rules import ChessRules
from arpad.timecontrol import TimeControl


@dataclass(frozen=True)
class Case:
    """A report under an edition, with whatever is known: what every check of an article looks at."""

    report: Report
    facts: EventFacts
    edition: str
    rules: ChessRules
    on_list: ListName
    kind: EventKind
    """What the pairings show."""

    met: Meetings
    control: TimeControl
    ratings: tuple[int | None, ...]
    """By place among the entrants; None for the unrated."""
