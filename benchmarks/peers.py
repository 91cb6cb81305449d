"""The engine beside rating libraries on the same games; those that are not installed are left out.

    python benchmarks/peers.py [--games 1000000] [--players 500000] [--quick]

The libraries compute another rule, game by game, in floating point, and keep no list: the figure is games a second and
nothing else. Each gets as many of the games as it does in a few seconds. The last line is one JSON object.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import engine
from sizes import read_arguments

Game = tuple[int, int, int]
Peer = Callable[[list[int], list[Game]], None]
MOST = 200_000
"""Games given to a library."""


def elote(ratings: list[int], games: list[Game]) -> None:
    kind = import_module("elote").EloCompetitor
    players = {player: kind(initial_rating=ratings[player]) for game in games for player in game[:2]}
    for white, black, score in games:
        one, other = players[white], players[black]
        if score == 50:
            one.tied(other)
        else:
            (one if score else other).beat(other if score else one)


def openskill(ratings: list[int], games: list[Game]) -> None:  # noqa: ARG001  it has a scale of its own
    model = import_module("openskill.models").BradleyTerryFull()
    players = {player: model.rating() for game in games for player in game[:2]}
    for white, black, score in games:
        ranks = [1, 1] if score == 50 else [1, 2] if score else [2, 1]
        ((players[white],), (players[black],)) = model.rate([[players[white]], [players[black]]], ranks=ranks)


def skelo(ratings: list[int], games: list[Game]) -> None:
    """It knows no draws: they count for White, which costs the same time."""
    model = import_module("skelo.model.elo").EloModel()
    for player in {player for game in games for player in game[:2]}:
        model.add(player, ratings[player])
    for turn, (white, black, score) in enumerate(games, start=1):
        model.update(white if score else black, black if score else white, turn)


PEERS: dict[str, Peer] = {"elote": elote, "openskill": openskill, "skelo": skelo}


def main() -> None:
    given = read_arguments(
        "Measure the engine beside rating libraries.",
        games=(1_000_000, 200_000, 1_000), players=(500_000, 100_000, 500),
    )  # fmt: skip
    games, players = given.games, given.players
    work = engine.workload(players, games)
    context = engine.context_of(work)
    best = 1e9
    for _ in range(9):
        start = time.perf_counter()
        engine.closed(work, context)
        best = min(best, time.perf_counter() - start)
    out: dict[str, Any] = {"arpad_games_per_second": round(games / best)}
    columns = (work[name][0][:MOST].tolist() for name in ("white", "black", "score"))
    sample: list[Game] = list(zip(*columns, strict=True))
    ratings = work["rating"].tolist()
    for name, peer in PEERS.items():
        try:
            import_module(name)
        except ImportError:
            continue
        some, seconds = 250, 0.0
        while seconds < 1.5 and some < len(sample):
            some = min(len(sample), some * 4)
            start = time.perf_counter()
            peer(ratings, sample[:some])
            seconds = time.perf_counter() - start
        out[f"{name}_games_per_second"] = round(some / seconds)
        out[f"times_{name}"] = round(games / best / (some / seconds), 1)
    print(json.dumps(out))


if __name__ == "__main__":
    main()
