"""The cross-table of a round robin from typed rows of results, or from points alone."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from arpad.model.errors import BadInput
from arpad.model.exact import HalfPoints
from arpad.model.typed_values import parse_integer, parse_score, parse_within
from arpad.regulations.chess.round_robin import CrossTable

FORM = "RATING|-:RESULTS[:K[:NAME]]"


@dataclass(frozen=True, slots=True)
class RoundRobinPlayer:
    """A participant as passed to the calculator."""

    rating: int | None
    """None: unrated."""

    results: str
    """The points in all (``7.5``), or a row of the cross-table: ``1``, ``=`` or ``0`` a game, ``x`` for the player."""

    k: int | None = None
    """K of a rated player; without it, that of a player with at least thirty games."""

    name: str = ""
    counted_before: bool = False
    """Whether an unrated player has an earlier event that counts."""


def parse_player(text: str) -> RoundRobinPlayer:
    """Return the player that a text written ``RATING|-:RESULTS[:K[:NAME]]`` names."""
    rating, *more = text.split(":", 3)
    if not more or not more[0].strip():
        raise BadInput("bad-form", option="player", value=text, accepted=FORM)
    k = more[1].strip() if len(more) > 1 else ""
    return RoundRobinPlayer(
        None if rating.strip() in ("", "-", "–") else parse_integer(rating, "player"),
        more[0].strip(),
        parse_integer(k, "player") if k else None,
        more[2].strip() if len(more) > 2 else "",  # noqa: PLR2004  the fourth part
    )


def with_earlier_events(
    players: Sequence[RoundRobinPlayer], numbers: Iterable[str]
) -> list[RoundRobinPlayer]:
    """Return the players; those with these numbers are marked as having an earlier event that counts."""
    places = {parse_within(text, "counted_before", 1, len(players)) for text in numbers if players}
    return [replace(player, counted_before=number in places) for number, player in enumerate(players, 1)]


def cross_table(players: Sequence[RoundRobinPlayer], cycles: int) -> tuple[CrossTable, bool]:
    """Return the cross-table, and whether it is exact: points alone do not give the results."""
    ratings = {number: player.rating for number, player in enumerate(players, 1)}
    rows = [_row(number, player.results, len(players), cycles) for number, player in enumerate(players, 1)]
    if all(isinstance(row, dict) for row in rows):
        scores = {(n, opponent): score for n, row in enumerate(rows, 1) for opponent, score in _pairs(row)}
        for (number, opponent), score in scores.items():
            if number < opponent and score + scores[opponent, number] != 2 * cycles:
                raise BadInput("round-robin-contradiction", first=number, second=opponent)
        return CrossTable(ratings, scores, cycles), True
    totals = {n: row if isinstance(row, int) else sum(row.values()) for n, row in enumerate(rows, 1)}
    return CrossTable(ratings, _some_scores(totals, cycles), cycles), False


def _pairs(row: int | Mapping[int, HalfPoints]) -> list[tuple[int, HalfPoints]]:
    return [] if isinstance(row, int) else list(row.items())


def _row(number: int, text: str, players: int, cycles: int) -> int | dict[int, HalfPoints]:
    """Return a player's half-points by opponent, or their sum if only points are given."""
    plain = re.sub(r"[\s,;|]", "", text.lower().replace("½", "=").replace("*", "x"))
    row = re.fullmatch(r"([01=]*)(x+)([01=]*)", plain)
    if row is None:
        score = parse_score(text, "player")
        most = (players - 1) * cycles
        if score > 2 * most:
            raise BadInput("round-robin-points", number=number, value=text, high=most)
        return score
    left, right = row[1], row[3]
    if len(left) != cycles * (number - 1) or len(right) != cycles * (players - number):
        raise BadInput("round-robin-row", number=number, value=text, games=(players - 1) * cycles)
    worth = [{"1": 2, "=": 1, "0": 0}[sign] for sign in left + right]
    opponents = [opponent for opponent in range(1, players + 1) if opponent != number]
    return {opponent: sum(worth[at * cycles : (at + 1) * cycles]) for at, opponent in enumerate(opponents)}


def _some_scores(totals: Mapping[int, HalfPoints], cycles: int) -> dict[tuple[int, int], HalfPoints]:
    """Return a cross-table with these points; refuse points that no round robin can have.

    All games begin as draws; half-points are then passed on, along the shortest chain, from players with too many to
    players with too few.
    """
    scores = {(player, opponent): cycles for player in totals for opponent in totals if player != opponent}
    over = {number: cycles * (len(totals) - 1) - total for number, total in totals.items()}
    if sum(over.values()):
        raise BadInput("round-robin-sum", games=cycles * len(totals) * (len(totals) - 1) // 2)
    for giver in totals:
        while over[giver] > 0:
            way = _way(giver, scores, over)
            if way is None:
                raise BadInput("round-robin-impossible")
            for player, opponent in pairwise(way):
                scores[player, opponent] -= 1
                scores[opponent, player] += 1
            over[giver] -= 1
            over[way[-1]] += 1
    return scores


def _way(
    giver: int, scores: Mapping[tuple[int, int], HalfPoints], over: Mapping[int, int]
) -> list[int] | None:
    """Return a chain of players that passes a half-point from the giver to a player with too few."""
    before: dict[int, int | None] = {giver: None}
    waiting = deque([giver])
    while waiting:
        current = waiting.popleft()
        if over[current] < 0:
            way: list[int] = []
            at: int | None = current
            while at is not None:
                way.append(at)
                at = before[at]
            return way[::-1]
        for opponent in over:
            if opponent not in before and scores[current, opponent] > 0:
                before[opponent] = current
                waiting.append(opponent)
    return None
