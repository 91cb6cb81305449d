"""DWZ a second time, as plainly as possible: floats, dictionaries and the printed formulas, nothing of the package."""

from math import exp, floor
from statistics import NormalDist
from typing import Any

NORMAL = NormalDist(0, 200 * 2**0.5)
K0 = (
    (60, 60, 48, 46, 44, 42, 40, 38, 36, 34, 32),
    (60, 60, 44, 42, 40, 38, 36, 34, 32, 30, 28),
    (60, 60, 41, 39, 37, 35, 33, 31, 29, 27, 25),
)


def nearest(value: float) -> int:
    return floor(value + 0.5)


def expected(own: int, other: int, edition: int) -> float:
    p = NORMAL.cdf(abs(own - other))
    if edition == 2002:
        p = 1.0 if abs(own - other) >= 735 else nearest(1000 * p) / 1000
    return p if own >= other else 1 - p


def difference(share: float) -> int:
    thousandths = nearest(round(1000 * share, 9))
    if thousandths in {0, 1000}:
        return 735 if thousandths else -735
    d = nearest(abs(NORMAL.inv_cdf(thousandths / 1000)))
    return d if thousandths >= 500 else -d


def coefficient(rating: int, index: int, age: int | None, surplus: float, edition: int) -> float:
    if age is None:
        age = 99
    if edition == 2026:
        row = K0[0] if age <= 25 and rating < 2200 else K0[1] if age > 25 and rating < 2000 else K0[2]
        k: float = row[min(index, 11) - 1]
        if surplus < 0:
            k *= (rating + 800) / 2400 if rating < 1600 else 1
        elif age <= 20:
            k += max(0, 2000 - rating) / 30
        elif rating < 1600:
            k += 4
        return min(nearest(round(10 * k, 9)) / 10, 80)
    e = (rating / 1000) ** 4 + (5 if age <= 20 else 10 if age <= 25 else 15)
    most = 5 * index if index <= 5 else 30
    if age <= 20 and surplus >= 0:
        e *= min(1, max(0.5, rating / 2000))
    if rating < 1300 and surplus < 0 and (edition > 2002 or age <= 20):
        e += exp((1300 - rating) / 150) - 1
        most = 150
    return max(5, min(nearest(e), most))


def solve(games: dict[str, list[tuple[Any, float]]], edition: int) -> dict[str, int]:
    value = {}
    for name, own in games.items():
        known = [other for other, _ in own if isinstance(other, int)]
        value[name] = nearest(sum(known) / len(known)) + difference(sum(s for _, s in own) / len(own))
    seen = []
    while True:
        gaps = {}
        for name, own in games.items():
            we = sum(expected(value[name], value.get(other, other), edition) for other, _ in own)
            gaps[name] = round(sum(s for _, s in own) - nearest(round(1000 * we, 8)) / 1000, 6)
        if all(abs(gap) <= 0.005 for gap in gaps.values()) or gaps in seen:
            return value
        seen.append(gaps)
        for name, gap in gaps.items():
            if abs(gap) > 0.005:
                value[name] += difference(gap / len(games[name]) + 0.5)


def performance(games: list[tuple[int, float]], edition: int) -> int:
    score = sum(s for _, s in games)
    if score in {0, len(games)}:
        return nearest(sum(r for r, _ in games) / len(games)) + (677 if score else -677)
    return solve({"": list(games)}, edition)[""]


def first_rating(value: int, edition: int) -> int:
    if edition < 2026:
        return nearest(700 + value / 8) if value < 800 else value
    if value >= 2000:
        return value
    raised = value + 0.08 * (2000 - value) if value >= 1100 else 1100 + 9 * 0.08 * value / 11
    return nearest(round(raised, 9))


def event(  # noqa: C901, PLR0912, PLR0915  plain on purpose
    players: dict[str, dict[str, Any]], games: list[tuple[str, str, float]], year: int, edition: int
) -> dict[str, Any]:
    """Return for each player the new rating, or None without one; all established players, or newcomers ``{}``."""
    of: dict[str, list[tuple[str, float]]] = {name: [] for name in players}
    for a, b, score in games:
        of[a].append((b, score))
        of[b].append((a, 1 - score))
    base = {name: state["rating"] for name, state in players.items() if "rating" in state}
    level: list[str] = []
    first: list[str] = []
    for turn in range(2):
        more = []
        for name, state in players.items():
            own = [s for other, s in of[name] if other in base or other in level]
            own += [s for _, s, _ in state.get("rest", ())]
            enough = name not in base and name not in level and len(own) >= 5 and sum(own) > 0
            if enough and (sum(own) < len(own) or edition == 2026):
                more.append(name)
        level += more
        first = first if turn else more

    def newcomers(values: dict[str, int]) -> dict[str, int]:
        lists: dict[str, list[tuple[Any, float]]] = {
            name: [(values.get(o, o), s) for o, s in of[name] if o in values or o in level] for name in level
        }
        for name, own in lists.items():
            own += [(rating, s) for rating, s, _ in players[name].get("rest", ())]
            known = [o for o, _ in own if isinstance(o, int)]
            if known and all(s == 1 for _, s in own):
                own.append((nearest(sum(known) / len(known)), 0.5))
        return {name: first_rating(v, edition) for name, v in solve(lists, edition).items()}

    values = {**base, **newcomers(base)}
    special = {}
    for name, r0 in base.items():
        counted = [(values[o], s) for o, s in of[name] if o in values]
        if edition >= 2016 and len(counted) >= 5 and not players[name].get("fixed"):
            rh = performance(counted, edition)
            if rh - r0 > 300:
                special[name] = rh
    if special:
        values = {**base, **special}
        values.update(newcomers(values))
    after: dict[str, Any] = {name: values[name] for name in level}
    for name, r0 in base.items():
        counted = [(values[o], s) for o, s in of[name] if o in values]
        after[name] = r0
        if counted:
            surplus = sum(s for _, s in counted) - sum(expected(r0, o, edition) for o, _ in counted)
            if abs(surplus) < 1e-12:
                surplus = 0
            state = players[name]
            k = coefficient(
                r0, state["index"], year - state["born"] if "born" in state else None, surplus, edition
            )
            if edition == 2026:
                after[name] = max(1100, nearest(r0 + k * surplus))
            else:
                after[name] = nearest(r0 + 800 * surplus / (k + len(counted)))
    for name, state in players.items():
        if "rest" in state and name not in base and name not in level:
            met = [(values[o], s, None) for o, s in of[name] if o in base or o in first]
            after[name] = [*state["rest"], *met]
    return after
