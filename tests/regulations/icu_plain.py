"""The ICU's calculation a second time, from the digest and nothing of the package: plain doubles and dictionaries."""

from datetime import date
from math import floor
from typing import Any

Games = list[tuple[str, str, float]]


def away(value: float) -> int:
    return floor(value + 0.5) if value >= 0 else -floor(-value + 0.5)


def coefficient(rating: int, born: date, joined: date, first: date) -> int:
    def years(day: date) -> float:
        return first.year - day.year + (first.timetuple().tm_yday - day.timetuple().tm_yday) / 366

    return 16 if rating >= 2100 else 40 if years(born) < 21 else 32 if years(joined) < 8 else 24


def event(  # noqa: C901, PLR0915  plain on purpose
    players: dict[str, dict[str, Any]], games: Games, first: date, version: int
) -> dict[str, tuple[int, int]]:
    """Return rating and games of all who are rated; players have rating and games, or fixed, or nothing."""
    of: dict[str, list[tuple[str, float]]] = {name: [] for name in players}
    for a, b, score in games:
        of[a].append((b, score))
        of[b].append((a, 1 - score))
    full = {n for n, p in players.items() if p.get("games", 0) >= 20 and not p.get("fixed")}
    old: dict[str, int] = {n: p["rating"] for n, p in players.items() if "rating" in p}
    k = {n: coefficient(old[n], players[n]["born"], players[n]["joined"], first) for n in full}
    performance: dict[str, float] = {}
    bonus = dict.fromkeys(full, 0)
    bonus_rating: dict[str, float] = {}
    change: dict[str, float] = {}

    def value(name: str) -> float | None:
        if name in full or players[name].get("fixed"):
            return bonus_rating.get(name, old[name])
        return performance.get(name)

    def one_pass() -> bool:
        found = {}
        for name, own in of.items():
            terms = [v + 400 * (2 * s - 1) for o, s in own if (v := value(o)) is not None]
            before = players[name].get("games", 0) if name not in full and name in old else 0
            if players[name].get("fixed"):
                before = 0
            if terms:
                total = sum(terms) + (before * old[name] if before else 0)
                found[name] = total / (len(terms) + before)
        tolerance = 0.5 if version < 2 else 0.1
        still = all(n in performance and abs(v - performance[n]) < tolerance for n, v in found.items())
        performance.update(found)
        return still

    def settle() -> bool:
        return any(one_pass() for _ in range(50 if version == 3 else 30))

    def changes(follow: bool) -> None:
        for name in players:
            if name in full:
                parts = [
                    (s - 1 / (1 + 10 ** ((v - old[name]) / 400))) * k[name]
                    for o, s in of[name]
                    if (v := value(o)) is not None
                ]
                change[name] = sum(parts)
                if follow and bonus[name]:
                    bonus_rating[name] = old[name] + bonus[name] + change[name]

    def bonuses() -> None:
        for name in full:
            up, count = change[name], len(of[name])
            if k[name] <= 24 or count <= 4 or old[name] >= 2100 or up <= 35 or old[name] + up >= 2100:
                continue
            extra = away(up - (32 + 3 * (count - 4)))
            if extra <= 0:
                continue
            if k[name] == 40:
                extra = away(1.25 * extra)
            for limit in (2100, performance[name]):
                if old[name] + up + extra >= limit:
                    extra = away(limit - old[name] - up)
            if extra > 0:
                bonus[name] = extra
                bonus_rating[name] = old[name] + up + extra

    if not settle():
        return {}
    changes(follow=False)
    bonuses()
    if bonus_rating:
        changes(follow=version >= 2)
        if version == 0:
            one_pass()
        elif not settle():
            return {}
        if version < 2:
            bonuses()
    after = {}
    for name, own in of.items():
        rated = sum(value(o) is not None for o, _ in own)
        if players[name].get("fixed") or not rated or value(name) is None:
            continue
        new = old[name] + change[name] + bonus[name] if name in full else performance[name]
        after[name] = away(new), players[name].get("games", 0) + rated
    return after
