"""The count of a designed game that no goal has decided."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.contract import Outcome, Seat
from rules.designed.plan import Score, Tie
from rules.notation import some

Players = tuple[tuple[str, str], tuple[str, str]]


def full_or_stuck(has_empty: bool) -> str:
    return "Draw: neither side can move" if has_empty else "The board is full: a draw"


@dataclass(frozen=True)
class Tally:
    """The stones and regions of both sides, and what is compared after the score."""

    score: Score
    ties: tuple[Tie, ...]
    stones: tuple[int, int]
    lands: tuple[tuple[int, int], ...]
    """Regions as bits with their owners, -1 for nobody."""

    def sizes(self, colour: int) -> list[int]:
        return [land.bit_count() for land, owner in self.lands if owner == colour]

    @property
    def points(self) -> tuple[int, int]:
        if self.score == "stones":
            return self.stones[0].bit_count(), self.stones[1].bit_count()
        return sum(self.sizes(0)), sum(self.sizes(1))

    def values(self, tie: Tie) -> tuple[int, int]:
        """Return what a tie compares, the greater number being better."""
        if tie == "largest":
            return max(self.sizes(0), default=0), max(self.sizes(1), default=0)
        if tie == "number":
            return len(self.sizes(0)), len(self.sizes(1))
        return -self.stones[0].bit_count(), -self.stones[1].bit_count()

    def outcome(self, players: Players, seat: Callable[[int], Seat]) -> Outcome:
        unit = ("stone", "stones") if self.score == "stones" else ("point", "points")
        first, second = self.points
        if first != second:
            colour, (less, more) = int(second > first), sorted((first, second))
            side = players[colour][0]
            return Outcome(seat(colour), side, f"{side} wins: {some(more, *unit)} to {less}")
        for tie in self.ties:
            if tie in ("first", "second"):
                colour = next(colour for colour in (0, 1) if seat(colour) == (tie == "second"))
                side = players[colour][0]
                return Outcome(seat(colour), side, f"{side} wins: equal points, and {TOLD[tie]}")
            if tie == "draw":
                break
            one, other = self.values(tie)
            if one != other:
                colour = int(other > one)
                side, numbers = players[colour][0], sorted((abs(one), abs(other)), reverse=tie != "fewer")
                reason = f"{side} wins: equal points, and {TOLD[tie]}, {numbers[0]} to {numbers[1]}"
                return Outcome(seat(colour), side, reason)
        return Outcome(None, None, f"Draw: {some(first, *unit)} each")

    def table(self, players: Players) -> dict[str, dict[str, Any]]:
        rows: Mapping[str, Sequence[int]] = {"stones" if self.score == "stones" else "points": self.points}
        if self.score == "regions":
            rows = {
                **rows,
                "regions": self.values("number"),
                "largest region": self.values("largest"),
                "stones": [each.bit_count() for each in self.stones],
            }
        return {side: {name: row[n] for name, row in rows.items()} for n, (side, _) in enumerate(players)}


TOLD: Mapping[str, str] = {
    "largest": "the largest region",
    "number": "more regions",
    "fewer": "fewer stones",
    "first": "the first stone was laid from this seat",
    "second": "second has half a point more",
}
