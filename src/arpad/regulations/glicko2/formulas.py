"""The formulas of the two papers, in decimals of 50 digits: each function is one of their steps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal

SCALE = Decimal("173.7178")
"""The points of one unit of Glicko-2's scale."""

CENTRE = Decimal(1500)
PI = Decimal("3.14159265358979323846264338327950288419716939937510582")
_ONE, _TWO = Decimal(1), Decimal(2)


@dataclass(frozen=True, slots=True)
class Opposition:
    """A game as a player's calculation sees it: g of the opponent's deviation, the expected score, and the score."""

    g: Decimal
    expected: Decimal
    score: Decimal

    @property
    def surprise(self) -> Decimal:
        """How much better than expected the score is, weighted by how surely the opponent's rating is known."""
        return self.g * (self.score - self.expected)


def q() -> Decimal:
    """Return the unit of Glicko's scale: ln 10 / 400."""
    return Decimal(10).ln() / 400


def weight(phi: Decimal) -> Decimal:
    """Return g: how much a game counts against an opponent of this deviation, on the scale of Glicko-2."""
    return _ONE / (_ONE + 3 * phi * phi / (PI * PI)).sqrt()


def expected_score(mu: Decimal, opponent: Decimal, g: Decimal) -> Decimal:
    """Return E on the scale of Glicko-2."""
    return _ONE / (_ONE + (-g * (mu - opponent)).exp())


def winning_chance(rating: Decimal, deviation: Decimal, opponent: Decimal, other: Decimal) -> Decimal:
    """Return the expected score of a game to come, with both deviations; ratings do not use it (Glicko)."""
    g = weight(q() * (deviation * deviation + other * other).sqrt())
    return expected_score(q() * rating, q() * opponent, g)


def widened(deviation: Decimal, c: Decimal, periods: int, highest: Decimal) -> Decimal:
    """Return a deviation grown by so many periods (Glicko, step 1)."""
    return min((deviation * deviation + c * c * periods).sqrt(), highest)


def growth_constant(typical: Decimal, highest: Decimal, periods: int) -> Decimal:
    """Return the c by which a typical deviation grows to the highest in so many periods (Glicko, step 1)."""
    return ((highest * highest - typical * typical) / periods).sqrt()


def variance(games: Sequence[Opposition]) -> Decimal:
    """Return v, or d² divided by the square of the scale: the smaller, the more the games say."""
    return _ONE / sum(
        (game.g * game.g * game.expected * (_ONE - game.expected) for game in games), Decimal(0)
    )


def surprise(games: Sequence[Opposition]) -> Decimal:
    """Return the sum of g (score − expected)."""
    return sum((game.surprise for game in games), Decimal(0))


def new_volatility(
    sigma: Decimal, phi: Decimal, v: Decimal, delta: Decimal, tau: Decimal, tolerance: Decimal
) -> Decimal:
    """Return the new volatility, by the iteration of the paper: its figures depend on where it stops (step 5)."""
    start = (sigma * sigma).ln()
    f = _volatility_function(start, phi, v, delta, tau)
    low = start
    if delta * delta > phi * phi + v:
        high = (delta * delta - phi * phi - v).ln()
    else:
        k = 1
        while f(start - k * tau) < 0:
            k += 1
        high = start - k * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > tolerance:
        between = low + (low - high) * f_low / (f_high - f_low)
        f_between = f(between)
        if f_between * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = between, f_between
    return (low / _TWO).exp()


def _volatility_function(
    start: Decimal, phi: Decimal, v: Decimal, delta: Decimal, tau: Decimal
) -> Callable[[Decimal], Decimal]:
    known = phi * phi + v

    def f(x: Decimal) -> Decimal:
        e = x.exp()
        return e * (delta * delta - known - e) / (_TWO * (known + e) ** 2) - (x - start) / (tau * tau)

    return f
