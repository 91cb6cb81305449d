"""States of players who turned out to have two numbers: the state of the number kept, completed from the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arpad.model.chess import Standing
from arpad.model.draughts import DraughtsStanding
from arpad.model.json_values import from_capital, from_standing, to_capital, to_standing


def merge_chess_states(states: dict[int, str], merged: Mapping[int, int]) -> dict[int, str]:
    """Merge the states of merged players (dropped → kept); the kept player's values win."""
    for dropped, player in merged.items():
        if dropped in states:
            other = to_standing(dropped, states.pop(dropped))
            kept = to_standing(player, states[player]) if player in states else Standing(player)
            states[player] = from_standing(_joined_standing(kept, other))
    return states


def _joined_standing(kept: Standing, other: Standing) -> Standing:
    """Return one state of two: the rating of the number kept, else the other's; games and tranches add up."""
    leading = kept if kept.rating is not None or other.rating is None else other
    rated = leading.rating is not None
    return replace(
        leading,
        player=kept.player,
        games=kept.games + other.games,
        peak=max(kept.peak, other.peak),
        last_list=max((d for d in (kept.last_list, other.last_list) if d), default=None),
        tranches=() if rated else (*kept.tranches, *other.tranches),
    )


def merge_draughts_states(states: dict[int, str], merged: Mapping[int, int]) -> dict[int, str]:
    """Merge the states of merged players (dropped → kept); the kept player's capital wins."""
    for dropped, player in merged.items():
        if dropped in states:
            other = replace(to_capital(states.pop(dropped)), id=str(player))
            states[player] = from_capital(
                _joined_capital(to_capital(states[player]), other) if player in states else other
            )
    return dict(sorted(states.items()))


def _joined_capital(kept: DraughtsStanding, other: DraughtsStanding) -> DraughtsStanding:
    """Return one state of two: the higher category, the later event; the points taken belong to the capital."""
    leading = kept if kept.capital is not None or other.capital is None else other
    played = [day for day in (kept.last_event, other.last_event) if day is not None]
    return replace(
        leading,
        name=kept.name,
        category=max(kept.category, other.category, key=lambda category: category.rank),
        title=kept.title or other.title,
        last_event=max(played, default=None),
        history_known=kept.history_known or other.history_known,
        idle_years=min(kept.idle_years, other.idle_years),
        fmjd=kept.fmjd or other.fmjd,
    )
