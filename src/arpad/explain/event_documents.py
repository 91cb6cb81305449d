"""The answer of ``arpad calc event`` as a document and in words, for every system."""

from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from typing import Any

from arpad.explain.documents import finding_document
from arpad.explain.words import Words
from arpad.model.declared import document
from arpad.model.real_numbers import number_text
from arpad.model.rules import Step
from arpad.rating.event_question import EventAnswer, RatedEntrant
from arpad.regulations.outcomes import Pass, PlayerOutcome

COLUMNS = ("before", "printed", "change", "score", "games", "expected", "performance", "k", "bonus")
"""The figures that a table of players shows."""


def event_document(answer: EventAnswer, words: Words) -> dict[str, Any]:
    """Return the answer: every player before and after, with figures, passes and steps."""
    return {
        "system": answer.system,
        "edition": answer.edition.id,
        "players": {name: _player(player, words) for name, player in answer.players.items()},
        "findings": [document(finding_document(finding, words)) for finding in answer.findings],
    }


def _player(player: RatedEntrant, words: Words) -> dict[str, Any]:
    return {
        "before": plain_number(player.before),
        "after": plain_number(player.after),
        "printed": player.line.figure if player.line else None,
        "line": player.line.text if player.line else None,
        "change": plain_number(player.change),
        **outcome_document(player.outcome, words),
    }


def outcome_document(outcome: PlayerOutcome[Any], words: Words) -> dict[str, Any]:
    """Return figures, passes and steps of what an event did to a player."""
    return {
        "figures": plain_number(outcome.figures),
        "passes": [_pass(part, words) for part in outcome.passes],
        "steps": [_step(step, words) for step in outcome.steps],
    }


def _pass(part: Pass, words: Words) -> dict[str, Any]:
    return {
        "name": part.name,
        "article": part.article,
        "number": part.number,
        "text": pass_name(part, words),
        "games": [_numbers_of(game, _OF_GAME) for game in part.games],
        "adjustments": [_numbers_of(item, ("name", "article", "value")) for item in part.adjustments],
        "result": plain_number(part.result),
    }


_OF_GAME = ("opponent", "round", "score", "value", "source", "expected", "contribution", "figures")


def _numbers_of(value: object, names: Sequence[str]) -> dict[str, Any]:
    """Return some attributes for JSON."""
    return {name: plain_number(getattr(value, name)) for name in names}


def _step(step: Step, words: Words) -> dict[str, Any]:
    return {**_numbers_of(step, ("article", "quantity", "value")), "text": words.step(step)}


def pass_name(part: Pass, words: Words) -> str:
    """Return the name of a pass in words, with its number if there are several."""
    name = words.text(f"pass.{part.name}")
    return name if part.number is None else f"{name} {part.number}"


def figure_table(answer: EventAnswer, words: Words) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return the headings and rows of a table of all players; a column that nobody has is left out."""
    rows = [(name, _shown_figures(player)) for name, player in answer.players.items()]
    shown = [name for name in COLUMNS if any(figures.get(name) is not None for _, figures in rows)]
    headings = [words.text("column.change" if it == "change" else f"figure.{it}") for it in shown]
    cells = [(name, *(_cell(it, figures.get(it), words) for it in shown)) for name, figures in rows]
    return [words.text("column.player"), *headings], cells


def _shown_figures(player: RatedEntrant) -> dict[str, Any]:
    return {
        **player.outcome.figures,
        "before": player.before.get("rating"),
        "printed": player.line.text if player.line else None,
        "change": player.change,
    }


def _cell(name: str, value: Any, words: Words) -> str:
    if isinstance(value, int | Fraction):
        places = 0 if Fraction(value).denominator == 1 else 2
        return words.number(value, signed=name == "change", places=places)
    return "–" if value is None else str(value)


def plain_number(value: Any) -> Any:
    """Return a value for JSON: numbers that are not whole as decimal texts with ten places."""
    if isinstance(value, Fraction):
        return number_text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {name: plain_number(item) for name, item in value.items()}
    return [plain_number(item) for item in value] if isinstance(value, tuple | list) else value
