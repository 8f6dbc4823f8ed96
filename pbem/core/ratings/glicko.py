"""Glicko-2 ratings by the steps of glicko.net/glicko/glicko2.pdf. `periods` may be a fraction."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from math import exp, log, pi, sqrt

TAU = 0.5
SCALE = 173.7178
"""One unit of Glicko-2's own scale, in rating points."""
MIDDLE, MAX_DEVIATION = 1500.0, 350.0
TOLERANCE = 1e-6
LEAST_EXPECTED = 0.25
"""The score (0 to 1) in one game that the weaker of two players must at least expect."""


@dataclass(frozen=True)
class Rating:
    """A player's strength; `deviation` is its uncertainty, `volatility` its rate of change."""

    value: float = MIDDLE
    deviation: float = MAX_DEVIATION
    volatility: float = 0.06

    def after(self, periods: float) -> "Rating":
        """Return the rating after idle time, with a larger deviation, at most a newcomer's."""
        grown = sqrt(self.deviation**2 + periods * (SCALE * self.volatility) ** 2)
        return replace(self, deviation=min(grown, MAX_DEVIATION))


NEWCOMER = Rating()


def _weight(deviation: float) -> float:
    """Return Glicko-2's g, which is smaller for a larger deviation."""
    return 1 / sqrt(1 + 3 * (deviation / SCALE / pi) ** 2)


def max_distance(one: Rating, other: Rating) -> float:
    """Return the distance at which the weaker expects `LEAST_EXPECTED`, in rating points.

    The distance is about 200 for two sure ratings. Larger deviations raise the distance, to about 290 for a
    newcomer against a sure rating and to about 350 for two newcomers.
    """
    deviation = sqrt(one.deviation**2 + other.deviation**2)
    return SCALE * log(1 / LEAST_EXPECTED - 1) / _weight(deviation)


def is_near(one: Rating, other: Rating) -> bool:
    return abs(one.value - other.value) <= max_distance(one, other)


def update_rating(player: Rating, results: Iterable[tuple[Rating, float]], periods: float = 0.0) -> Rating:
    """Return the rating after games with scores 1, 0.5 or 0. `periods` passed before these games."""
    mu, phi = (player.value - MIDDLE) / SCALE, player.deviation / SCALE  # step 2
    inverse, lead = 0.0, 0.0
    for other, score in results:  # steps 3 and 4
        g = _weight(other.deviation)
        expected = 1 / (1 + exp(-g * (mu - (other.value - MIDDLE) / SCALE)))
        inverse += g * g * expected * (1 - expected)
        lead += g * (score - expected)
    if not inverse:
        return player.after(periods)
    sigma = _volatility(player.volatility, phi, 1 / inverse, lead / inverse)
    phi = min(sqrt(phi**2 + periods * sigma**2), MAX_DEVIATION / SCALE)  # step 6
    phi = 1 / sqrt(1 / phi**2 + inverse)  # step 7
    return Rating(MIDDLE + SCALE * (mu + phi**2 * lead), SCALE * phi, sigma)


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Return the new volatility (step 5), by the Illinois algorithm."""
    start = log(sigma**2)

    def f(x: float) -> float:
        spread = phi**2 + v + exp(x)
        return exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - start) / TAU**2

    return exp(_root(f, start, _bracket_end(f, start, delta**2 - phi**2 - v)) / 2)


def _bracket_end(f: Callable[[float], float], start: float, surprise: float) -> float:
    """Return a point such that the root is between it and `start`."""
    if surprise > 0:
        return log(surprise)
    steps = 1
    while f(start - steps * TAU) < 0:
        steps += 1
    return start - steps * TAU


def _root(f: Callable[[float], float], a: float, b: float) -> float:
    at_a, at_b = f(a), f(b)
    while abs(b - a) > TOLERANCE:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = f(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return a
