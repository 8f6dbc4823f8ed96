"""Statistics of results: shares with confidence, game lengths, months without gaps."""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.lab.statistics import wilson


@dataclass(frozen=True)
class Share:
    """`part` of `whole`, and the Wilson interval for 95 % confidence."""

    part: int
    whole: int

    @property
    def rate(self) -> float:
        return self.part / self.whole if self.whole else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.part, self.whole)

    @property
    def seats_may_be_equal(self) -> bool:
        """True if these games are consistent with two equal seats."""
        low, high = self.interval
        return low <= 0.5 <= high


BIN_WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
MAX_BINS = 14
MAX_MONTHS = 24


@dataclass(frozen=True)
class RatingBin:
    low: int
    high: int
    n: int

    @property
    def label(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


def bins(lengths: Mapping[int, int]) -> list[RatingBin]:
    """Game lengths in at most 14 bins of equal width. Empty bins between are included."""
    counted = {length: n for length, n in lengths.items() if n > 0}
    if not counted:
        return []
    shortest, longest = min(counted), max(counted)
    width = next((w for w in BIN_WIDTHS if longest // w - shortest // w < MAX_BINS), BIN_WIDTHS[-1])
    found = dict.fromkeys(range(shortest // width, longest // width + 1), 0)
    for length, n in counted.items():
        found[length // width] += n
    return [RatingBin(at * width, at * width + width - 1, n) for at, n in found.items()]


def median(lengths: Mapping[int, int]) -> int:
    """The length that half of the games do not exceed."""
    half, seen = sum(lengths.values()) / 2, 0
    for length in sorted(lengths):
        seen += lengths[length]
        if seen >= half:
            return length
    return 0


def months(counted: Mapping[str, int], last: str) -> list[tuple[str, int]]:
    """Months `YYYY-MM` from the first game to `last`, empty ones included."""
    first = min((month for month, n in counted.items() if n > 0), default=last)
    year, month = map(int, last.split("-"))
    found: list[tuple[str, int]] = []
    while len(found) < MAX_MONTHS and (name := f"{year:04}-{month:02}") >= first:
        found.append((name, counted.get(name, 0)))
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    return found[::-1]
