"""The form that says who the entrants of a report are; ``inbox/entrant_matches.html`` draws it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from arpad.office.inbox.check_report import CheckedReport
from arpad.office.inbox.entrant_decisions import parse_choice
from arpad.office.register.merge_rows import merge_targets
from arpad.office.register.rows import load_names
from arpad.office.reports.entrant_rows import decisions_about
from arpad.reports.entrant_match import Outcome
from arpad.web.forms import number_field


def match_values(connection: Connection, report: int, checked: CheckedReport) -> dict[str, Any]:
    """Return what the form shows: the doubtful entrants with their candidates, and what was decided."""
    decided = decisions_about(connection, [report]).get(report, {})
    targets = merge_targets(connection)
    players = {item.player: targets.get(item.player, item.player) for item in decided.values() if item.player}
    names = load_names(connection, players.values())
    return {
        "doubtful": [match for match in checked.matches if match.undecided],
        "newcomers": [match for match in checked.matches if match.outcome == Outcome.NEW],
        "decided": sorted(decided.values(), key=lambda item: item.number),
        "decided_names": {player: (kept, names[kept]) for player, kept in players.items()},
    }


def matches_in_form(texts: Mapping[str, str]) -> tuple[dict[int, int], dict[int, int]]:
    """Return what a form decides, start number → player, and which decisions the officer saw.

    An entrant for whom nothing was chosen is left out: nothing is decided by default.
    """
    matches: dict[int, int] = {}
    for name, text in texts.items():
        start = name.removeprefix("match-")
        if start != name and text:
            field = f"other-{start}" if text == "other" else name
            matches[_start(start)] = _player(texts, field)
    if texts.get("entrant"):
        matches[number_field(texts, "entrant")] = _player(texts, "player")
    seen = {
        _start(name.removeprefix("seen-")): number_field(texts, name)
        for name in texts
        if name.startswith("seen-")
    }
    return matches, seen


def _start(text: str) -> int:
    return number_field({"number": text}, "number")


def _player(texts: Mapping[str, str], name: str) -> int:
    choice = parse_choice(texts.get(name, "").strip())
    return number_field(texts, name) if choice is None else choice
