"""Pools that hardly meet, and the shift between them estimated from the games that cross.

Pools are federations, or groups that the games show (``communities``). The model: a pool's ratings are too high by some
amount, the same for all its players, and a game between two pools follows the logistic curve of the corrected
difference, with a constant for the white pieces. The amounts are found by quasi-likelihood (Newton), their covariance
by the sandwich for dyadic data, since a player's crossing games share the player's own error (Aronow, Samii and
Assenova 2015).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special
from scipy.sparse import coo_array, csr_array, diags_array
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import ArpackNoConvergence, eigsh

from arpad.studies.history import HistoryGame, HistoryPlayer
from arpad.studies.statistics import ALPHA, PER_POINT, Floats, Interval, holm, normal_interval, two_sided

LEAST_CROSSING = 30
LEAST_PLAYERS = 10
"""One player's games, however many, say nothing about a pool."""

ISOLATED = 0.1
"""A pool with a smaller share of crossing games hardly meets the others."""

TOLERABLE = 20
ROUNDS = 30


@dataclass(frozen=True, slots=True)
class Pool:
    """One pool among the others."""

    federation: str
    """Or what the pool is called."""

    players: int
    games: int
    crossing: int
    isolated: bool
    shift: Interval | None
    """Points by which its ratings are too high against the other pools together; None if too few games cross."""

    p: float
    adjusted: float
    shifted: bool
    """Certain, and more than is tolerable."""


@dataclass(frozen=True, slots=True)
class Pools:
    """All pools, and how often they meet."""

    pools: tuple[Pool, ...]
    crossing: int
    between: tuple[tuple[str, str, int], ...]
    """Games between each two pools."""


def federation_pools(games: Sequence[HistoryGame], people: Mapping[int, HistoryPlayer]) -> Pools:
    """Return the federations as pools."""
    return compare_pools(
        games, {number: person.federation for number, person in people.items() if person.federation}
    )


def compare_pools(games: Sequence[HistoryGame], of: Mapping[int, str]) -> Pools:
    """Return the pools by player: how often they meet, and the shift between them."""
    pool_games = [game for game in games if game.white in of and game.black in of]
    crossing = [game for game in pool_games if of[game.white] != of[game.black]]
    all_games, across, between = Counter[str](), Counter[str](), Counter[tuple[str, str]]()
    members: dict[str, set[int]] = {}
    for game in pool_games:
        white_pool, black_pool = of[game.white], of[game.black]
        members.setdefault(white_pool, set()).add(game.white)
        members.setdefault(black_pool, set()).add(game.black)
        for federation in {white_pool, black_pool}:
            all_games[federation] += 1
            across[federation] += white_pool != black_pool
        if white_pool != black_pool:
            between[min(white_pool, black_pool), max(white_pool, black_pool)] += 1
    names = sorted(
        name for name in across if across[name] >= LEAST_CROSSING and len(members[name]) >= LEAST_PLAYERS
    )
    shifts, covariance = _estimate(
        [g for g in crossing if of[g.white] in names and of[g.black] in names], of, names
    )
    sizes = [len(members[name]) for name in names]
    contrasts = _contrasts(names, shifts, covariance, sizes) if len(names) > 1 else {}
    compared = []
    for name in sorted(members):
        interval, p, adjusted, shifted = contrasts.get(name, (None, 1.0, 1.0, False))
        others = sum(len(theirs) for other, theirs in members.items() if other != name)
        isolated = others >= LEAST_PLAYERS and across[name] < ISOLATED * all_games[name]
        compared.append(
            Pool(
                name,
                len(members[name]),
                all_games[name],
                across[name],
                isolated,
                interval,
                p,
                adjusted,
                shifted,
            )
        )
    met = tuple((pool, other, count) for (pool, other), count in sorted(between.items()))
    return Pools(tuple(compared), len(crossing), met)


def _estimate(
    games: Sequence[HistoryGame], of: Mapping[int, str], names: Sequence[str]
) -> tuple[Floats, Floats]:
    """Return the shifts of all pools (the first is zero) and their covariance; the last parameter is White."""
    count = len(names)
    if count < 2 or not games:  # noqa: PLR2004  one pool alone cannot be compared
        return np.zeros(count), np.zeros((count, count))
    column = {name: index for index, name in enumerate(names)}
    design = np.zeros((len(games), count + 1))
    for row, game in enumerate(games):
        design[row, column[of[game.white]]] -= 1
        design[row, column[of[game.black]]] += 1
        design[row, count] = 1
    design = design[:, 1:] * PER_POINT
    offset = np.array([game.white_rating - game.black_rating for game in games]) * PER_POINT
    scores = np.array([game.score / 2 for game in games])
    beta = np.zeros(count)
    for _ in range(ROUNDS):
        p = special.expit(offset + design @ beta)
        information = design.T @ (design * (p * (1 - p))[:, None])
        move = np.linalg.lstsq(information, design.T @ (scores - p), rcond=None)[0]
        beta += move
        if float(np.abs(move).max()) < 1e-8:  # noqa: PLR2004  a hundred-millionth of a point
            break
    p = special.expit(offset + design @ beta)
    inverse = np.linalg.pinv(design.T @ (design * (p * (1 - p))[:, None]))
    covariance = inverse @ _meat(games, design * (scores - p)[:, None]) @ inverse
    full = np.zeros((count, count))
    full[1:, 1:] = covariance[:-1, :-1]
    return np.concatenate([[0.0], beta[:-1]]), full


def _meat(games: Sequence[HistoryGame], parts: Floats) -> Floats:
    """Return the sums by player of the sandwich; games, which are then counted twice, are subtracted once."""
    sums: dict[int, Floats] = {}
    for game, part in zip(games, parts, strict=True):
        for player in (game.white, game.black):
            sums[player] = sums.get(player, 0.0) + part
    stacked = np.array(list(sums.values()))
    return np.asarray(stacked.T @ stacked - parts.T @ parts, dtype=float)


def _contrasts(
    names: Sequence[str], shifts: Floats, covariance: Floats, sizes: Sequence[int]
) -> dict[str, tuple[Interval, float, float, bool]]:
    """Return each pool against the others together; the furthest is set apart first, then the rest are compared again.

    So one island that is too high does not make all the others look too low.
    """
    apart: list[int] = []
    while True:
        rest = [index for index in range(len(names)) if index not in apart]
        contrasts = [
            _against(index, [other for other in rest if other != index], shifts, covariance, sizes)
            for index in range(len(names))
        ]
        adjusted = holm([p for _, p in contrasts])
        sure = [
            index for index in rest if adjusted[index] < ALPHA and abs(contrasts[index][0].value) > TOLERABLE
        ]
        if not sure or len(rest) <= 2:  # noqa: PLR2004  of two pools, neither can be said to be the island
            break
        apart.append(max(sure, key=lambda index: abs(contrasts[index][0].value)))
    return {
        name: (contrasts[index][0], contrasts[index][1], adjusted[index], index in apart or index in sure)
        for index, name in enumerate(names)
    }


def _against(
    index: int, others: Sequence[int], shifts: Floats, covariance: Floats, sizes: Sequence[int]
) -> tuple[Interval, float]:
    contrast = np.zeros(len(shifts))
    total = sum(sizes[other] for other in others)
    for other in others:
        contrast[other] = -sizes[other] / total
    contrast[index] += 1 if others else 0
    value = float(contrast @ shifts)
    error = float(np.sqrt(max(0.0, float(contrast @ covariance @ contrast))))
    p = two_sided(value / error) if error else 1.0
    return normal_interval(value, error), p


# ------------------------------------------------------------------------------ pools that the games themselves show

# Players are joined by the games they played. What no path of games joins is apart (connected components). Inside a
# component the weakest cut is looked for by spectral bisection: players in the order of the second eigenvector of the
# normalised graph (Fiedler 1973; Shi and Malik 2000), cut where the fewest games cross for the games inside (a sweep
# cut: Chung 1997). A cut is kept if less than a tenth of the smaller side's games cross it; each side is then cut
# again. Results of games play no part in this, so that the shift between pools can be tested afterwards.

LEAST_MEMBERS = 20


MOST_POOLS = 30
"""More pools are of no use to a reader."""


Places = NDArray[np.int64]


def communities(games: Sequence[HistoryGame], people: Mapping[int, HistoryPlayer]) -> Pools:
    """Return the pools of the game graph, and the shift between them from the games that cross."""
    groups = communities_of(games)
    names: dict[int, str] = {}
    for number, members in enumerate(groups, start=1):
        names |= dict.fromkeys(members, _name(number, members, people))
    return compare_pools(games, names)


def communities_of(games: Sequence[HistoryGame]) -> list[frozenset[int]]:
    """Return groups of players who hardly meet the others, the largest first; small separate groups are left out."""
    players = np.array(
        sorted({player for game in games for player in (game.white, game.black)}), dtype=np.int64
    )
    if not players.size:
        return []
    white = np.searchsorted(players, [game.white for game in games])
    black = np.searchsorted(players, [game.black for game in games])
    rows, columns = np.concatenate([white, black]), np.concatenate([black, white])
    graph = csr_array(coo_array((np.ones(rows.size), (rows, columns)), shape=(players.size, players.size)))
    count, label = connected_components(graph, directed=False)
    waiting = [np.flatnonzero(label == component) for component in range(count)]
    waiting = [group for group in waiting if group.size >= LEAST_MEMBERS]
    done: list[Places] = []
    while waiting:
        places = waiting.pop()
        parts = _cut(graph, places) if len(done) + len(waiting) + 2 <= MOST_POOLS else None
        if parts is None:
            done.append(places)
        else:
            waiting += parts
    members = [frozenset(players[places].tolist()) for places in done]
    return sorted(members, key=lambda group: (-len(group), min(group)))


def _cut(graph: csr_array, places: Places) -> list[Places] | None:
    """Return the weakest cut of a connected part, if it is weak enough and both parts are large enough."""
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
    """Return the second eigenvector of the graph, each game divided by the games of both players."""
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
    """Return where to cut the order, and the share of the smaller side's games that cross there."""
    size = order.size
    rank = np.empty(size, dtype=np.int64)
    rank[order] = np.arange(size)
    edges = coo_array(inside)
    start, end = rank[edges.coords[0]], rank[edges.coords[1]]
    once = start < end
    turns = np.zeros(size + 1)
    np.add.at(turns, start[once] + 1, edges.data[once])
    np.add.at(turns, end[once] + 1, -edges.data[once])
    crossing = np.cumsum(turns)[LEAST_MEMBERS : size - LEAST_MEMBERS + 1]
    left = np.cumsum(degree[order])[LEAST_MEMBERS - 1 : size - LEAST_MEMBERS]
    smaller = np.minimum(left, degree.sum() - left)
    # A side's games: those inside count twice among its degrees, those that cross once.
    share = crossing / np.maximum((smaller + crossing) / 2, 1e-9)
    best = int(np.argmin(share))
    return best + LEAST_MEMBERS, float(share[best])


def _name(number: int, members: frozenset[int], people: Mapping[int, HistoryPlayer]) -> str:
    """Return the pool's number by size, with the federation that most of its players have."""
    of = Counter(people[player].federation for player in members if player in people)
    federation, count = of.most_common(1)[0] if of else ("", 0)
    return f"{number} ({federation} {round(100 * count / len(members))} %)" if federation else str(number)
