"""The sums of results: what each result adds to a game's statistics and to its players' figures."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from pbem.core.game.journal import SEATS
from pbem.core.ratings.results import Result
from rules.contract import Seat

SUMS = ("won", "drawn", "lost", "turns", "late")


@dataclass
class ResultSums:
    """Additions of results to each game's statistics and each player's sums."""

    bots: Set[int]
    figures: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    sums: dict[tuple[str, int], Counter[str]] = field(default_factory=dict)

    def add(self, result: Result, times: int) -> None:
        if result.short or set(result.seats) <= self.bots:
            return
        counted = counted_seats(result, self.bots)
        for seat in counted:
            sums = self.sums.setdefault((result.rules, result.seats[seat]), Counter())
            sums["turns"] += times * result.turns[seat]
            sums["late"] += times * result.late[seat]
            if not result.void:
                won = "won" if result.winner == seat else "lost"
                sums["drawn" if result.winner is None else won] += times
        if not result.void and len(counted) == len(SEATS):
            for what, label in _labels(result):
                self.figures[result.rules, what, label] += times


def counted_seats(result: Result, bots: Set[int]) -> Sequence[Seat]:
    """The seats whose figures a result changes: both, or the bot's alone."""
    return [seat for seat in SEATS if result.seats[seat] in bots] or SEATS


def _labels(result: Result) -> list[tuple[str, str]]:
    found = [("result", result.word), ("length", str(result.plies)), ("month", f"{result.at:%Y-%m}")]
    return [*found, ("opening", result.opening)] if result.opening else found
