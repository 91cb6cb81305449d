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
            dropped_standing = to_standing(dropped, states.pop(dropped))
            kept_standing = to_standing(player, states[player]) if player in states else Standing(player)
            states[player] = from_standing(_joined_standing(kept_standing, dropped_standing))
    return states


def _joined_standing(standing: Standing, dropped: Standing) -> Standing:
    """Return one state of two: the rating of the number kept, else the other's; games and tranches add up."""
    leading = standing if standing.rating is not None or dropped.rating is None else dropped
    rated = leading.rating is not None
    return replace(
        leading,
        player=standing.player,
        games=standing.games + dropped.games,
        peak=max(standing.peak, dropped.peak),
        last_list=max((d for d in (standing.last_list, dropped.last_list) if d), default=None),
        tranches=() if rated else (*standing.tranches, *dropped.tranches),
    )


def merge_draughts_states(states: dict[int, str], merged: Mapping[int, int]) -> dict[int, str]:
    """Merge the states of merged players (dropped → kept); the kept player's capital wins."""
    for dropped, player in merged.items():
        if dropped in states:
            dropped_standing = replace(to_capital(states.pop(dropped)), id=str(player))
            states[player] = from_capital(
                _joined_capital(to_capital(states[player]), dropped_standing)
                if player in states
                else dropped_standing
            )
    return dict(sorted(states.items()))


def _joined_capital(standing: DraughtsStanding, dropped: DraughtsStanding) -> DraughtsStanding:
    """Return one state of two: the higher category, the later event; the points taken belong to the capital."""
    leading = standing if standing.capital is not None or dropped.capital is None else dropped
    played = [day for day in (standing.last_event, dropped.last_event) if day is not None]
    return replace(
        leading,
        name=standing.name,
        category=max(standing.category, dropped.category, key=lambda category: category.rank),
        title=standing.title or dropped.title,
        last_event=max(played, default=None),
        history_known=standing.history_known or dropped.history_known,
        idle_years=min(standing.idle_years, dropped.idle_years),
        fmjd=standing.fmjd or dropped.fmjd,
    )
