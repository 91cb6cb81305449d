"""How the rating of a player came about, as answers have it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from arpad.explain.explanation import explained_change_document
from arpad.lists.categories import CategoryChange
from arpad.model.rules import ListName
from arpad.office.declared import Reading, query
from arpad.office.lists.acts import ListRevision, list_revision
from arpad.office.parameters import InForceOn, ListChosen, PlayerNumber
from arpad.office.players.explain import Explanation, explain_on
from arpad.office.users import officer


@dataclass(frozen=True, slots=True)
class ExplainedRating:
    """The rating of a player on a day, the list with which it last changed, and how."""

    player: int
    name: str
    list_in_force: ListRevision | None
    rating: int | None
    since: ListRevision | None
    pending_events: int
    categories: tuple[CategoryChange, ...]
    story: Any


@dataclass(frozen=True, slots=True)
class ExplanationShown:
    """An explanation of a rating, with its steps in the reader's language."""

    explanation: Explanation
    list: ListName
    day: date | None
    """The day that was asked for; None: today."""

    story: Any

    def document(self) -> ExplainedRating:
        """Return it as JSON has it."""
        it = self.explanation
        return ExplainedRating(
            it.person.id, it.person.name, list_revision(it.publication) if it.publication else None, it.rating,
            list_revision(it.since) if it.since else None, it.pending, it.categories, self.story,
        )  # fmt: skip


@query("explain", officer("register"), path="/explanations/{player}")
def explain_rating(
    reading: Reading,
    player: PlayerNumber,
    *,
    list_: ListChosen = ListName.STANDARD,
    date_: InForceOn | None = None,
) -> ExplanationShown:
    """Explain a player's rating on a day, game by game.

    Example: arpad office explain 12 --list standard --date 2018-05-15 --db office.db
    """
    explanation = explain_on(reading.connection, player, list_, date_ or reading.today)
    change = explanation.change
    story = None if change is None else explained_change_document(change, reading.words)
    return ExplanationShown(explanation, list_, date_, story)
