"""Sample letters about proved wins and puzzles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.commands.proved_claims import proving_letter
from pbem.core.exercises.puzzle import Puzzle, ShownPuzzle, judge_answer, show_puzzle
from pbem.core.game.game import Game
from pbem.core.game.journal import PROVED, Entry
from pbem.core.game.view import view
from pbem.core.letters.letter import Letter, ReplyTo, result_letter, to_player
from pbem.store.puzzles import PuzzleCount
from tests.people import BILL, HOST, NOON, a_game


def letters_of_proofs(game: Game) -> Iterator[tuple[str, Letter]]:
    """Bill claims a win in a game that goes on."""
    for state in ("looking", "failed", "changed"):
        yield f"proving-{state}", proving_letter(game, 0, HOST, state)
    since = len(game.journal)
    ended = game.with_entries([Entry(since + 1, NOON, PROVED, 0, {"proof": ""})])
    yield "result-proof", result_letter(view(ended, 0, HOST), since)
    yield "result-proof-theirs", result_letter(view(ended, 1, HOST), since)


def letters_of_puzzles() -> Iterator[tuple[str, Letter]]:
    """A puzzle as asked for and as sent daily, and answers to it."""
    shown, counts = a_puzzle(), PuzzleCount(3, 3, 2)
    for name, daily in (("puzzle", False), ("puzzle-daily", True)):
        letter = to_player("puzzle", BILL, shown=shown, daily=daily, moves=())
        yield name, replace(letter, reply=ReplyTo("confirm", 7), needed=not daily)
    for name, moves in (("puzzle-hint", shown.moves_near), ("puzzle-told", ["c2"])):
        letter = to_player("puzzle", BILL, shown=shown, daily=False, moves=moves)
        yield name, replace(letter, reply=ReplyTo("confirm", 7), needed=True)
    for name, move, first, left in (
        ("solved", "c2", True, 0),
        ("solved-wrong", "c1", False, 0),
        ("solved-again", "c1", False, 2),
    ):
        verdict = judge_answer(shown, shown.position.read(move))
        facts = {"shown": shown, "verdict": verdict, "first": first, "counts": counts, "left": left}
        letter = to_player("solved", BILL, **facts)
        yield name, replace(letter, reply=ReplyTo("confirm", 7)) if left else letter
    problem = "c9 is not on this board."
    refused = to_player("solved", BILL, shown=shown, verdict=None, problem=problem, left=0)
    yield "solved-refused", replace(refused, reply=ReplyTo("confirm", 7))


def a_puzzle() -> ShownPuzzle:
    game = a_game("b2 b1 d1 c3 d4 d3 c2 a1 c1".split(), key="begird", islands="3", side="4")
    replies = dict.fromkeys(("d4", "d3", "d2", "a1", "c1"), "c2")
    puzzle = Puzzle(7, game.id, 4, "begird", "c2", ("c2", "d4", "d2"), replies, tried=5, solved=3)
    shown = show_puzzle(puzzle, game)
    assert shown is not None
    return shown
