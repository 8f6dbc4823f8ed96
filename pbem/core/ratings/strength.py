"""The rating distance within which two players are about equally strong. It is based on Glicko-2."""

from math import log, pi, sqrt

from pbem.core.ratings.glicko import SCALE, Rating

LEAST_EXPECTED = 0.25
"""The points of one game that the weaker of two players must expect to score."""


def max_distance(one: Rating, other: Rating) -> float:
    """The distance at which the weaker expects `LEAST_EXPECTED`, in rating points.

    It is about 200 for two sure ratings. It grows with both deviations: to about 290 where a newcomer meets a
    sure rating, and to about 350 for two newcomers.
    """
    deviation = sqrt(one.deviation**2 + other.deviation**2) / SCALE
    g = 1 / sqrt(1 + 3 * (deviation / pi) ** 2)
    return SCALE * log(1 / LEAST_EXPECTED - 1) / g


def is_near(one: Rating, other: Rating) -> bool:
    return abs(one.value - other.value) <= max_distance(one, other)
