"""US Chess a second time, as plainly as possible: floats, bisection instead of the walk, nothing of the package."""

from datetime import date
from math import floor, sqrt
from typing import Any


def effective(rating: float, games: int) -> float:
    if rating > 2355:
        return min(games, 50)
    return min(games, 50 / sqrt(0.662 + 0.00000739 * (2569 - rating) ** 2))


def linear(rating: float, centre: float) -> float:
    return min(1, max(0, 0.5 + (rating - centre) / 800))


def special(r0: float, weight: float, results: list[tuple[float, float]], history: str) -> float:
    """Return the zero of f: by bisection from both sides, which finds the flat stretch if there is one."""
    r1 = r0 + {"wins": -400, "losses": 400}.get(history, 0)
    score = sum(s for _, s in results) + weight * {"wins": 1, "losses": 0}.get(history, 0.5)

    def f(r: float) -> float:
        return weight * linear(r, r1) + sum(linear(r, o) for o, _ in results) - score

    ends = []
    for sign in (1, -1):
        low, high = -20000.0, 20000.0
        for _ in range(200):
            middle = (low + high) / 2
            if f(middle) * sign >= -1e-9 if sign > 0 else f(middle) > 1e-9:
                high = middle
            else:
                low = middle
        ends.append(low if sign < 0 else high)
    left, right = ends
    if right - left < 1e-3:
        return min((left + right) / 2, 2700)
    # a flat stretch: the walk ends in it where the straight mean is, or at its nearer edge
    margin = sum(2 * s - 1 for _, s in results)
    mean = (weight * r1 + sum(o for o, _ in results) + 400 * margin) / (weight + len(results))
    mean = min(max(mean, left), right)
    if any(abs(mean - centre) <= 400 + 1e-6 for centre in (r1, *(o for o, _ in results))):
        return min(mean, 2700)
    knots = [centre + side for centre in (r1, *(o for o, _ in results)) for side in (-400, 400)]
    return min(max(r0, *(k for k in knots if k < mean)), *(k for k in knots if k > mean), 2700)


def standard(
    r0: float, weight: float, results: list[tuple[float, float]], b: int, dual: bool, met: int
) -> float:
    m = len(results)
    k = 800 / (weight + m)
    if dual and r0 > 2200:
        k = k * (6.5 - 0.0025 * r0) if r0 < 2500 else 200 / (weight + m)
    change = k * sum(s - 1 / (1 + 10 ** ((o - r0) / 400)) for o, s in results)
    extra = max(0, change - b * sqrt(max(m, 4))) if m >= 3 and met <= 2 else 0
    return r0 + change + extra


def initial(state: dict[str, Any], end: date) -> tuple[float, int]:
    if "initial" in state:
        return state["initial"][0], state["initial"][1]
    if "fide" in state:
        fide = state["fide"]
        return (1.02 * fide + 20, 10) if fide > 2000 else (0.94 * fide + 180, 5)
    age = (end - date.fromisoformat(state["born"])).days / 365.25
    return (100 if age < 2 else 1300 if age > 26 else 50 * age), 0


def section(
    players: dict[str, dict[str, Any]], games: list[tuple[str, str, float]], end: date, *, b: int, dual: bool
) -> dict[str, tuple[float, int]]:
    """Return the rating and the games of everybody who played."""
    of: dict[str, list[tuple[str, float]]] = {name: [] for name in players}
    for a, c, score in games:
        of[a].append((c, score))
        of[c].append((a, 1 - score))
    r0, n = {}, {}
    for name, state in players.items():
        r0[name], n[name] = (
            (float(state["rating"]), state["games"]) if "rating" in state else initial(state, end)
        )

    def history(name: str) -> str:
        state = players[name]
        wins, losses, draws = (state.get(part, 0) for part in ("wins", "losses", "draws"))
        return "wins" if wins and not losses + draws else "losses" if losses and not wins + draws else "mixed"

    def estimate(name: str, values: dict[str, float], *, first: bool) -> float:
        results = [(values[o], s) for o, s in of[name]]
        weight = 1 if first else effective(r0[name], n[name])
        if first or n[name] <= 8 or history(name) != "mixed":
            return max(100, special(r0[name], weight, results, history(name)))
        met = max([o for o, _ in of[name]].count(o) for o, _ in of[name])
        return max(100, standard(r0[name], weight, results, b, dual, met))

    playing = [name for name in players if of[name] and not players[name].get("fixed")]
    values = {**r0, **{name: estimate(name, r0, first=True) for name in playing if not n[name]}}
    for _ in range(2):
        values = {**values, **{name: estimate(name, values, first=False) for name in playing}}
    after = {}
    for name in playing:
        state, scores = players[name], [s for _, s in of[name]]
        wins = state.get("wins", 0) + scores.count(1)
        draws = state.get("draws", 0) + scores.count(0.5)
        least = min(100 + 4 * wins + 2 * draws + state.get("events", 0) + (len(scores) >= 3), 150)
        if state.get("peak", 0) >= 1400:
            least = max(least, min(2100, floor((state["peak"] - 200) / 100) * 100))
        after[name] = max(values[name], least), n[name] + len(scores)
    return after
