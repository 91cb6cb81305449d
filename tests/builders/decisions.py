"""Decisions of tests, in one line each."""

from collections.abc import Mapping
from datetime import date

from arpad.model.rules import ListName
from arpad.office.decisions.acts import decide as enter_decision
from arpad.office.office import Office


def decide(
    office: Office,
    kind: str,
    /,
    *,
    reason: str,
    report: int | None = None,
    player: int | None = None,
    federation: str = "",
    on_list: ListName | None = None,
    day: date | None = None,
    facts: Mapping[str, str] | None = None,
    **value: int | str,
) -> int:
    """Enter a decision; return its number. Its values are further arguments or, with their names, ``facts``."""
    texts = {name: str(text) for name, text in value.items()} | dict(facts or {})
    decided = enter_decision(
        office, kind, report=report, player=player, federation=federation, list_=on_list, date_=day,
        value=texts, reason=reason,
    )  # fmt: skip
    return decided.decision
