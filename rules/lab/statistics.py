"""Shares, means and quartiles of games, with 95 % intervals."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from statistics import fmean, quantiles, stdev

NORMAL = 1.96
"""The standard deviations on each side of an interval that covers 95 of 100 cases."""
STUDENT = (
    *(12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13),
    *(2.12, 2.11, 2.10, 2.09, 2.09, 2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05, 2.04),
)
"""The same factors for a mean of 2 to 31 values, whose deviation is uncertain (Student 1908)."""
BIN_WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
MAX_BINS = 16


def wilson(won: float, games: float) -> tuple[float, float]:
    """Return a share's 95 % interval (Wilson 1927), from 0 to 1."""
    if not games:
        return 0.0, 1.0
    share, square = min(won / games, 1.0), NORMAL**2
    middle = (share + square / (2 * games)) / (1 + square / games)
    spread = NORMAL * sqrt(share * (1 - share) / games + square / (4 * games**2)) / (1 + square / games)
    return max(0.0, middle - spread), min(1.0, middle + spread)


@dataclass(frozen=True)
class Estimate:
    """A measured value and its interval. `count` is the number of cases behind it."""

    value: float
    low: float
    high: float
    count: int


def share(part: float, whole: int) -> Estimate:
    """Return the share of `part` in `whole`, from 0 to 1; one half if there are no cases."""
    return Estimate(part / whole if whole else 0.5, *wilson(part, whole), whole)


def mean(values: Sequence[float]) -> Estimate:
    """Return the mean. The interval of a single value is that value. Raise ValueError for no values."""
    count = len(values)
    if not count:
        raise ValueError("There is no mean of no values.")
    middle = fmean(values)
    width = STUDENT[count - 2] if 2 <= count <= len(STUDENT) + 1 else NORMAL
    spread = width * stdev(values) / sqrt(count) if count > 1 else 0.0
    return Estimate(middle, middle - spread, middle + spread, count)


def mean_share(values: Sequence[float]) -> Estimate:
    """Return the mean of shares, with its interval cut to the range from 0 to 1."""
    found = mean(values)
    return replace(found, low=max(0.0, found.low), high=min(1.0, found.high))


def quartiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the values below which a quarter, a half and three quarters of all values lie."""
    if not values:
        raise ValueError("There are no quartiles of no values.")
    low, middle, high = quantiles(values if len(values) > 1 else [*values, *values], method="inclusive")
    return low, middle, high


@dataclass(frozen=True)
class Bin:
    """The number of values from `low` to `high`, both included."""

    low: int
    high: int
    count: int


def histogram(values: Sequence[int]) -> list[Bin]:
    """Count whole numbers in at most 16 bins of equal width, with empty bins between them included."""
    if not values:
        return []
    for width in (*BIN_WIDTHS, max(values) + 1):
        first, last = min(values) // width, max(values) // width
        if last - first < MAX_BINS:
            break
    counts = [0] * (last - first + 1)
    for value in values:
        counts[value // width - first] += 1
    starts = range(first * width, (last + 1) * width, width)
    return [Bin(low, low + width - 1, count) for low, count in zip(starts, counts, strict=True)]
