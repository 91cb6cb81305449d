"""Rated draughts events, seasons and years as documents for ``--json``."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, TypeAlias

from arpad.explain.documents import finding_document, plain_value, step_documents
from arpad.explain.draughts_calculator_documents import capital_figures
from arpad.explain.words import Words
from arpad.model.draughts import DraughtsStanding
from arpad.model.exact import decimal_text, from_hundredths
from arpad.model.rules import Edition, ListName
from arpad.rating.draughts_event import GameSide, PlayerResult, RatedEvent, corresponds_to
from arpad.rating.draughts_season import Season
from arpad.regulations.draughts.categories import Promotion
from arpad.regulations.draughts.rules import DraughtsRules
from arpad.regulations.draughts.year_end import Deduction, YearEnd

EditionOn: TypeAlias = Callable[[date | None], Edition[DraughtsRules]]
"""Returns the edition for an event by its first day."""


def standing_document(standing: DraughtsStanding) -> dict[str, Any]:
    """Return a player's standing."""
    return {
        "id": standing.id or None,
        "name": standing.name,
        "capital": standing.capital,
        "category": str(standing.category),
        "title": plain_value(standing.title),
        "foreign": standing.foreign,
        "last_event": plain_value(standing.last_event),
        "idle_years": standing.idle_years,
        "malus": standing.malus,
        "fmjd": standing.fmjd,
    }


def chain_document(chain: Season, on_list: ListName, edition_on: EditionOn, words: Words) -> dict[str, Any]:
    """A chain: its events, the years closed on the way, the list afterwards."""
    return {
        "discipline": str(on_list),
        "events": [
            event_document(rated, on_list, edition_on(rated.event.report.header.first_day), words)
            for rated in chain.events
        ],
        "years": [year_document(closed) for closed in chain.years],
        "standings": [standing_document(standing) for standing in chain.standings],
    }


def event_document(
    rated: RatedEvent, on_list: ListName, edition: Edition[DraughtsRules], words: Words
) -> dict[str, Any]:
    """One rated event."""
    header, rules = rated.event.report.header, edition.on(on_list)
    return {
        "event": header.name or rated.event.id,
        "id": rated.event.id,
        "city": header.city or None,
        "first_day": plain_value(header.first_day),
        "last_day": plain_value(rated.event.last_day),
        "edition": edition.id,
        "weight_percent": decimal_text(100 * rated.event.weight),
        "findings": [finding_document(finding, words) for finding in rated.findings],
        "players": [_player_document(player, rules, words) for player in rated.players],
        "promotions": [promotion_document(promotion) for promotion in rated.promotions],
    }


def _player_document(player: PlayerResult, rules: DraughtsRules, words: Words) -> dict[str, Any]:
    standing, change = player.participant.standing, player.change
    figures = (
        vars(capital_figures(change))
        if change
        else {"capital": player.final, "final": player.final, "change": 0}
    )
    steps = (*player.participant.debut, *(change.steps if change else ()))
    return {
        "number": player.number,
        "id": standing.id or None,
        "name": player.name,
        "category": str(standing.category),
        "category_after": str(player.held_after),
        "corresponds_to": str(corresponds_to(player, rules)),
        "first_of_year": player.participant.first_of_year,
        **figures,
        "games": [_game_document(cell) for cell in player.cells],
        "steps": step_documents(steps, words),
    }


def _game_document(cell: GameSide) -> dict[str, Any]:
    return {
        "round": cell.round,
        "opponent": cell.opponent or None,
        "opponent_capital": cell.opponent_capital,
        "result": cell.result,
        "scored": str(cell.points),
        "counted": cell.counted,
        "expected": decimal_text(from_hundredths(cell.expected), places=2)
        if cell.expected is not None
        else None,
    }


def promotion_document(promotion: Promotion) -> dict[str, Any]:
    """One promotion."""
    return {
        "name": promotion.name,
        "id": promotion.id or None,
        "from": str(promotion.held),
        "to": str(promotion.reached),
        "capital": promotion.capital,
        "threshold": promotion.threshold,
        "event": promotion.event,
        "day": plain_value(promotion.day),
    }


def year_document(closed: YearEnd) -> dict[str, Any]:
    """A year that was closed."""

    def entry(item: Deduction) -> dict[str, Any]:
        return {
            "name": item.before.name,
            "id": item.before.id or None,
            "before": item.before.capital,
            "taken": item.taken,
            "after": item.after.capital,
            "total": item.after.malus,
        }

    return {
        "year": closed.year,
        "malus": [entry(item) for item in closed.deductions],
        "cancelled": [entry(item) for item in closed.cancelled],
        "register": [standing_document(standing) for standing in closed.register],
        "standings": [standing_document(standing) for standing in closed.standings],
    }
