"""Letters that only show a game: a board, plies, or a trial. A trial stores nothing.

A player's letter has a reply address for moves, a spectator's has none. A trial knows the board only: anybody
may try for either seat, even after a resignation, and hidden standing orders do not answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.core.game.fold import fold
from pbem.core.game.state import State
from pbem.core.game.view import View
from pbem.core.letters.letter import Letter, about_game
from pbem.core.parsing.line import Command
from rules.contract import Position, RulesError, Seat

SHOW_COMMANDS = frozenset({"show", "moves", "try"})
MAX_PLIES = 10
GAME_OVER = "The game has ended by its rules, so nothing more can be tried from there."
TOO_LONG = f"At most {MAX_PLIES} moves can be tried at once."


@dataclass(frozen=True)
class TrialStep:
    """One ply of a trial: number, seat, canonical text, board after it."""

    n: int
    seat: Seat
    move: str
    position: Position


@dataclass(frozen=True)
class Trial:
    """The plies that were possible; `problem` says why the next was not."""

    steps: tuple[TrialStep, ...]
    total: int
    problem: str = ""


def try_out(position: Position, moves: Sequence[str]) -> Trial:
    steps: list[TrialStep] = []
    problem = TOO_LONG if len(moves) > MAX_PLIES else ""
    for text in moves[: 0 if problem else None]:
        if (seat := position.to_play) is None:
            problem = GAME_OVER
            break
        try:
            move = position.read_ply(text)
            position = position.play(move)
        except RulesError as error:
            problem = str(error)
            break
        steps.append(TrialStep(position.ply, seat, str(move), position))
    return Trial(tuple(steps), len(moves), problem)


def no_such_ply(state: State, command: Command) -> str:
    ply, last = command.args.get("ply"), len(state.plies)
    return f"There is no move {ply} yet; the next one is move {last + 1}." if ply and ply > last else ""


def show_letter(mine: View, command: Command) -> Letter:
    if command.verb in ("moves", "plans"):
        return about_game(command.verb, mine)
    if command.verb == "try":
        return trial_letter(mine, command, try_out(mine.state.position, command.args["moves"]))
    ply = command.args.get("ply")
    if ply is None or no_such_ply(mine.state, command):  # the same mail may have taken it back
        return about_game("show", mine, ply=None)
    upto = mine.state.plies[ply - 1].entry if ply else 1
    earlier = ply < len(mine.state.plies)
    shown = replace(mine, state=fold(mine.game, upto=upto), is_earlier=earlier)
    return about_game("show", shown, ply=ply)


def trial_letter(seen: View, command: Command, trial: Trial) -> Letter:
    return about_game("tried", seen, trial=trial, read=[command.text])
