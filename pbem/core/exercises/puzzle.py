"""A puzzle: a finished game's position with one winning move; its judgement.

A puzzle comes from a game that was played here, or from one that bots played in the laboratory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pbem.core.errors import Refusal
from pbem.core.exercises.answer import read_answer
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, START, Entry
from pbem.core.game.state import board_states
from pbem.core.players import Player, bot_address, bot_name
from rules.contract import Move, Position, Rules, RulesError

MOVES_NEAR = 6
"""Moves that the first hint names."""
OTHER_MOVE = "We did not look at {move}. Write a move alone, without what follows it."


Setup = Mapping[str, Any]
LABORATORY = 0
"""The number of the game of a puzzle that comes from the laboratory."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle as stored. `line` begins with the answer; `replies` has an answer to each other move.

    Proved: `answer` wins against every reply, and no other legal move wins.
    """

    id: int
    game_id: int
    ply: int
    rules: str
    answer: str
    line: tuple[str, ...]
    replies: Mapping[str, str]
    tried: int = 0
    solved: int = 0
    created_at: datetime | None = None
    """When it was found; None before it is stored."""
    setup: Setup | None = None
    """The game's options, seed and moves, of a puzzle of the laboratory; its `game_id` is 0."""


@dataclass(frozen=True)
class ShownPuzzle:
    """A puzzle with its game and its board."""

    puzzle: Puzzle
    game: Game
    position: Position

    @property
    def side(self) -> str:
        """The side to move, or its seat where sides have no names."""
        seat = self.position.to_play or 0
        return self.position.side(seat) or ("the first player", "the second player")[seat]

    def boards_after(self, verdict: PuzzleVerdict) -> tuple[Position, Position]:
        """Return the boards after an answer and after the reply. Without a reply both are the same."""
        after = self.position.play(self.position.read(verdict.move))
        return after, after.play(after.read(verdict.reply)) if verdict.reply else after

    @property
    def moves_near(self) -> list[str]:
        """A few moves that stand beside the answer in the list of all, in order, the answer among them."""
        texts = [str(move) for move in self.position.actions()]
        at = texts.index(self.puzzle.answer) if self.puzzle.answer in texts else 0
        first = min(max(at - self.puzzle.id % MOVES_NEAR, 0), max(len(texts) - MOVES_NEAR, 0))
        return texts[first : first + MOVES_NEAR]

    @property
    def last_move(self) -> str:
        return self.game.state.plies[self.puzzle.ply - 1].move if self.puzzle.ply else ""


@dataclass(frozen=True)
class PuzzleVerdict:
    """The judgement of an answer. `reply` prevents the win; "" if the answer loses at once."""

    move: str
    right: bool
    reply: str = ""


def laboratory_game(rules: Rules, setup: Setup) -> Game:
    """Return the game of a puzzle that comes from the laboratory, up to the puzzle."""
    began = datetime(1970, 1, 1, tzinfo=UTC)
    bot = Player(0, bot_name(1), bot_address(bot_name(1)), frozenset(), began)
    options, start = rules.complete(setup["options"]), (Entry(1, began, START, None, {}),)
    game = Game(LABORATORY, rules, options, setup["seed"], (bot, bot), began, start)
    for n, move in enumerate(setup["moves"], 2):
        seat = game.state.position.to_play
        game = game.with_entries([Entry(n, began, PLY, seat, {"move": move})])
    return game


def show_puzzle(puzzle: Puzzle, game: Game) -> ShownPuzzle | None:
    """Return the puzzle with its board, or None if the game has changed since."""
    over = game.state.ending is not None or game.id == LABORATORY
    if not over or puzzle.ply > len(game.state.plies):
        return None
    position = board_states(game.state)[puzzle.ply].position
    legal = {str(move) for move in position.actions()}
    return ShownPuzzle(puzzle, game, position) if legal == {puzzle.answer, *puzzle.replies} else None


def judge_answer(shown: ShownPuzzle, move: Move) -> PuzzleVerdict:
    """Judge a legal move. Raises Refusal for a longer move than the puzzle knows."""
    position, puzzle = shown.position, shown.puzzle
    after = position.follow(move)
    same = [str(each) for each in position.actions() if position.follow(each).key() == after.key()]
    found = str(move) if str(move) in (puzzle.answer, *puzzle.replies) else next(iter(same), "")
    if not found:
        raise Refusal(OTHER_MOVE.format(move=move))
    right = puzzle.answer == found or puzzle.answer in same
    return PuzzleVerdict(str(move), right, "" if right else puzzle.replies[found])


@dataclass(frozen=True)
class PuzzleAnswer:
    """The line of a mail that answers, and its verdict. An illegal move has a problem instead."""

    line: str
    verdict: PuzzleVerdict | None
    problem: str = ""


def find_answer(shown: ShownPuzzle, words: str) -> PuzzleAnswer | None:
    """Judge the first line that is a move, if any."""
    for line in words.splitlines():
        try:
            move = read_answer(shown.position, line)
            if move is not None:
                return PuzzleAnswer(line, judge_answer(shown, move))
        except (Refusal, RulesError) as problem:
            return PuzzleAnswer(line, None, str(problem))
    return None
