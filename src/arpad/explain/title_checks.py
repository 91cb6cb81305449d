"""The requirements of an application for a title, in words."""

from __future__ import annotations

from collections.abc import Iterable

from arpad.explain.words import Words
from arpad.regulations.chess.titles.requirements import Requirement


def requirement_rows(requirements: Iterable[Requirement], words: Words) -> list[list[str]]:
    """Return a row for each requirement: what, article, needed, there, and whether that is enough."""
    return [
        [
            words.text(f"title-requirement.{item.name}"),
            item.article,
            str(item.required),
            str(item.actual),
            words.text("value.yes" if item.holds else "value.no"),
        ]
        for item in requirements
    ]
