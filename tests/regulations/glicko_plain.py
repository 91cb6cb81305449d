"""Glicko-2 a second time, from the digest and nothing of the package: plain doubles."""

from math import exp, log, pi, sqrt

State = tuple[float, float, float]
"""Rating, deviation, volatility."""


def g(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi * phi / pi**2)


def volatility(sigma: float, phi: float, v: float, delta: float, tau: float) -> float:
    start = log(sigma**2)

    def f(x: float) -> float:
        e = exp(x)
        return e * (delta**2 - phi**2 - v - e) / (2 * (phi**2 + v + e) ** 2) - (x - start) / tau**2

    a = start
    if delta**2 > phi**2 + v:
        b = log(delta**2 - phi**2 - v)
    else:
        k = 1
        while f(start - k * tau) < 0:
            k += 1
        b = start - k * tau
    fa, fb = f(a), f(b)
    while abs(b - a) > 0.000001:
        c = a + (a - b) * fa / (fb - fa)
        fc = f(c)
        if fc * fb <= 0:
            a, fa = b, fb
        else:
            fa /= 2
        b, fb = c, fc
    return exp(a / 2)


def period(
    players: dict[str, State], games: list[tuple[str, str, float]], tau: float = 0.5
) -> dict[str, State]:
    """Return everybody after a period; who is not among the players begins in it."""
    known = dict(players)
    of: dict[str, list[tuple[str, float]]] = {name: [] for name in known}
    for a, b, score in games:
        for name in (a, b):
            known.setdefault(name, (1500.0, 350.0, 0.06))
        of.setdefault(a, []).append((b, score))
        of.setdefault(b, []).append((a, 1 - score))
    after = {}
    for name, (rating, rd, sigma) in known.items():
        mu, phi = (rating - 1500) / 173.7178, rd / 173.7178
        if not of[name]:
            after[name] = rating, sqrt(phi**2 + sigma**2) * 173.7178, sigma
            continue
        total = weight = 0.0
        for other, score in of[name]:
            mu_j, phi_j = (known[other][0] - 1500) / 173.7178, known[other][1] / 173.7178
            e = 1 / (1 + exp(-g(phi_j) * (mu - mu_j)))
            weight += g(phi_j) ** 2 * e * (1 - e)
            total += g(phi_j) * (score - e)
        v = 1 / weight
        new = volatility(sigma, phi, v, v * total, tau)
        phi = 1 / sqrt(1 / (phi**2 + new**2) + 1 / v)
        after[name] = 1500 + 173.7178 * (mu + phi**2 * total), phi * 173.7178, new
    return after
