"""Evaluation of finished games: the largest swings, and three moments as puzzles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pbem.core.game.game import Game
from pbem.core.game.state import Ply, board_states
from pbem.core.game.view import View
from rules.contract import Position, RulesError, Seat

ANALYSIS = "analysis"
"""The kind of the job that evaluates a finished game."""
MIN_PLIES = 8
"""Shorter games are not evaluated."""
MOMENTS = 3
CANDIDATES = 5
"""The number of a player's moves evaluated again, with more time, before three are chosen."""
CLOSE, CLEAR = 0.1, 0.3
"""Differences of chances: below `CLOSE` two moves are about equal, from `CLEAR` on one is clearly better."""


def analysis_key(game: Game) -> str:
    ending = game.state.ending
    return key_of_ended(game.id, ending.at) if ending is not None else ""


def key_of_ended(id: int, ended_at: datetime) -> str:
    """Return the key of a finished game's evaluation; a reopened game gets a new key at its next end."""
    return f"{id}.{ended_at.timestamp():.0f}"


@dataclass(frozen=True)
class Swing:
    """A ply, with its player's chances (0 to 1) before and after.

    `sharp`: True if neither value is a mean, so that a swing of a neighbouring ply is a separate one.
    """

    ply: Ply
    before: float
    after: float
    sharp: bool = False

    @property
    def loss(self) -> float:
        return self.before - self.after


def smooth(values: Sequence[float]) -> list[float]:
    """Return the values smoothed, since the evaluation slightly favours the player to move.

    Settled values stay as they are.
    """
    threes = zip(values, values[1:], values[2:], strict=False)
    inner = (b if _is_settled(b) else (a + 2 * b + c) / 4 for a, b, c in threes)
    return [*values[:1], *inner, *values[1:][-1:]]


def _is_settled(value: float) -> bool:
    """True if the value is proved, or as good as proved."""
    return value in (0.0, 1.0)


def _mean(nearest: float, further: Sequence[float]) -> tuple[float, bool]:
    """Return the chances on one side of a ply, and True if the value is sharp.

    A settled value is never averaged with an open one, since another ply caused that difference.
    """
    if not further or _is_settled(nearest) or _is_settled(further[0]):
        return nearest, _is_settled(nearest)
    return (nearest + further[0]) / 2, False


def swings(plies: Sequence[Ply], values: Sequence[float]) -> list[Swing]:
    """Return the change of chances by each ply.

    `values` are the first seat's, before the game and after each ply.

    The mean of two positions before a ply is compared with the mean of two after it, one of each player's
    turn. If one position of a pair is settled, only the nearer position counts.
    """
    found = []
    for ply in plies[: len(values) - 1]:
        before, sharp = _mean(values[ply.n - 1], values[max(0, ply.n - 2) : ply.n - 1])
        after, as_sharp = _mean(values[ply.n], values[ply.n + 1 : ply.n + 2])
        pair = (before, after) if ply.seat == 0 else (1 - before, 1 - after)
        found.append(Swing(ply, *pair, sharp and as_sharp))
    return found


def largest_swings(plies: Sequence[Ply], values: Sequence[float]) -> list[Swing]:
    """Return the three largest swings in game order; next to a larger swing only sharp ones count."""
    found: list[Swing] = []
    for each in sorted(swings(plies, values), key=lambda each: -abs(each.loss)):
        if (
            len(found) < MOMENTS
            and round(100 * each.loss)
            and (each.sharp or not any(abs(each.ply.n - other.ply.n) == 1 for other in found))
        ):
            found.append(each)
    return sorted(found, key=lambda each: each.ply.n)


def candidates(game: Game, seat: Seat, values: Sequence[float]) -> list[int]:
    """Return a player's likely worst plies, worst first; [] if the player made too few plies."""
    own = [each for each in swings(game.state.plies, values) if each.ply.seat == seat and not each.ply.auto]
    worst = sorted(own, key=lambda each: -each.loss)[:CANDIDATES]
    return [each.ply.n for each in worst] if len(own) >= MOMENTS else []


@dataclass(frozen=True)
class Moment:
    """A position from a player's own game as a puzzle, with the player's move and a bot's opinion."""

    n: int
    """The moment's number in the letter, from 1."""
    ply: int
    view: View
    """The game as it was before the move."""
    played: str
    best: str
    value: float
    """The player's chances with `best`, as the bot sees it, from 0 to 1."""
    after: float
    """The player's chances after the move played in the game, from 0 to 1."""
    proved: bool
    expected: str = ""
    said: str = ""
    """The player's answer, or "" before there is one."""

    @property
    def position(self) -> Position:
        return self.view.state.position

    @property
    def same(self) -> bool:
        """True if the bot would have played the player's move."""
        return is_same_move(self.position, self.best, self.played)

    @property
    def found(self) -> bool:
        return bool(self.said) and is_same_move(self.position, self.best, self.said)

    @property
    def again(self) -> bool:
        """True if the player answered with the move that they played in the game."""
        return bool(self.said) and is_same_move(self.position, self.played, self.said)

    @property
    def sure(self) -> str:
        """A code for the bot's certainty: proved, clear, likely, close."""
        if self.proved:
            return "proved"
        difference = self.value - self.after
        return "clear" if difference >= CLEAR else "likely" if difference >= CLOSE else "close"


def is_same_move(position: Position, one: str, other: str) -> bool:
    """True if two texts are one move, with parts in any order."""
    if one == other:
        return True
    try:
        first, second = map(position.read_ply, (one, other))
    except RulesError:
        return False
    if position.problem(first) or position.problem(second):
        return False
    return position.follow(first) == position.follow(second)


def moments_of(seen: View, kept: Sequence[Mapping[str, Any]], said: Mapping[str, str]) -> list[Moment]:
    """Return the stored moments with their boards, or [] if the game was taken back since."""
    states = board_states(seen.state)
    if any(each["ply"] >= len(states) for each in kept):
        return []
    earlier = (replace(seen, state=states[each["ply"] - 1], is_earlier=True) for each in kept)
    answers = (said.get(str(n), "") for n in range(1, len(kept) + 1))
    return [
        Moment(n, view=view, said=answer, **each)
        for n, (view, answer, each) in enumerate(zip(earlier, answers, kept, strict=True), 1)
    ]


def choose_moments(judged: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the three moments with the largest loss, in game order; a best move is the last choice."""
    worst = sorted(judged, key=lambda each: (each["best"] == each["played"], each["after"] - each["value"]))
    worst = worst[:MOMENTS]
    return sorted(worst, key=lambda each: each["ply"])
