"""Pools that the games themselves show: groups of players who hardly meet the others, whatever their federations.

Players are joined by the games they played. What no path of games joins is apart (connected components). Inside a
component the weakest cut is looked for by spectral bisection: players in the order of the second eigenvector of the
normalised graph (Fiedler 1973; Shi and Malik 2000), cut where the fewest games cross for the games inside (a sweep
cut: Chung 1997). A cut is kept if less than a tenth of the smaller side's games cross it; then each side is cut again.
Results of games play no part in this, so that the shift between pools can be tested afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array, csr_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from arpad.monitor.history import HistoryGame, HistoryPlayer
from arpad.monitor.pools import ISOLATED, Islands, pools
from arpad.monitor.statistics import Floats

LEAST_MEMBERS = 20
MOST_POOLS = 30
"""More pools than anybody would look at."""

Places = NDArray[np.int64]


def communities(games: Sequence[HistoryGame], people: Mapping[int, HistoryPlayer]) -> Islands:
    """The pools of the game graph, and the shift between them from the games that cross."""
    found = communities_of(games)
    names: dict[int, str] = {}
    for number, members in enumerate(found, start=1):
        names |= dict.fromkeys(members, _name(number, members, people))
    return pools(games, names)


def communities_of(games: Sequence[HistoryGame]) -> list[frozenset[int]]:
    """Groups of players who hardly meet the others, the largest first; small ones apart are left out."""
    players = np.array(
        sorted({player for game in games for player in (game.white, game.black)}), dtype=np.int64
    )
    if not players.size:
        return []
    graph = _graph(games, players)
    count, label = connected_components(graph, directed=False)
    waiting = [np.flatnonzero(label == one) for one in range(count)]
    waiting = [one for one in waiting if one.size >= LEAST_MEMBERS]
    done: list[Places] = []
    while waiting:
        places = waiting.pop()
        parts = _cut(graph, places) if len(done) + len(waiting) + 2 <= MOST_POOLS else None
        if parts is None:
            done.append(places)
        else:
            waiting += parts
    members = [frozenset(players[places].tolist()) for places in done]
    return sorted(members, key=lambda one: (-len(one), min(one)))


def _graph(games: Sequence[HistoryGame], players: Places) -> csr_array:
    white = np.searchsorted(players, [game.white for game in games])
    black = np.searchsorted(players, [game.black for game in games])
    rows, columns = np.concatenate([white, black]), np.concatenate([black, white])
    return csr_array(coo_array((np.ones(rows.size), (rows, columns)), shape=(players.size, players.size)))


def _cut(graph: csr_array, places: Places) -> list[Places] | None:
    """The weakest cut of a connected part, if it is weak enough and leaves two parts of some size."""
    if places.size < 2 * LEAST_MEMBERS:
        return None
    inside = csr_array(graph[places][:, places])
    degree = np.asarray(inside.sum(axis=1), dtype=float).ravel()
    order = np.argsort(_second(inside, degree) / np.sqrt(np.maximum(degree, 1e-9)), kind="stable")
    at, share = _weakest(inside, degree, order)
    if share >= ISOLATED:
        return None
    return [np.sort(places[order[:at]]), np.sort(places[order[at:]])]


def _second(inside: csr_array, degree: Floats) -> Floats:
    """The second eigenvector of the graph, each game divided by the games of both players."""
    root = diags_array(1 / np.sqrt(np.maximum(degree, 1e-9)))
    start = np.cos(np.arange(degree.size) + 1.0)  # the same on every machine, and no eigenvector
    try:
        values, vectors = eigsh(csr_array(root @ inside @ root), k=2, which="LA", v0=start, tol=1e-6)
    except ArpackNoConvergence as stopped:
        values, vectors = stopped.eigenvalues, stopped.eigenvectors
        if len(values) < 2:  # noqa: PLR2004  there is no second one: nothing is cut
            return np.zeros(degree.size)
    vector: Floats = vectors[:, int(np.argsort(values)[-2])]
    return vector


def _weakest(inside: csr_array, degree: Floats, order: Places) -> tuple[int, float]:
    """Where to cut the order, and the share of the smaller side's games that cross there."""
    size = order.size
    place = np.empty(size, dtype=np.int64)
    place[order] = np.arange(size)
    edges = coo_array(inside)
    one, other = place[edges.coords[0]], place[edges.coords[1]]
    once = one < other
    turns = np.zeros(size + 1)
    np.add.at(turns, one[once] + 1, edges.data[once])
    np.add.at(turns, other[once] + 1, -edges.data[once])
    crossing = np.cumsum(turns)[LEAST_MEMBERS : size - LEAST_MEMBERS + 1]
    left = np.cumsum(degree[order])[LEAST_MEMBERS - 1 : size - LEAST_MEMBERS]
    smaller = np.minimum(left, degree.sum() - left)
    # A side's games: those inside count twice among its degrees, those that cross once.
    share = crossing / np.maximum((smaller + crossing) / 2, 1e-9)
    best = int(np.argmin(share))
    return best + LEAST_MEMBERS, float(share[best])


def _name(number: int, members: frozenset[int], people: Mapping[int, HistoryPlayer]) -> str:
    """The pool's number by size, with the federation that most of its players have."""
    of = Counter(people[player].federation for player in members if player in people)
    federation, count = of.most_common(1)[0] if of else ("", 0)
    return f"{number} ({federation} {round(100 * count / len(members))} %)" if federation else str(number)
