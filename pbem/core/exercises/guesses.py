"""Guesses at a game's next move: reading and comparing them.

A guess is sealed until the move stands in the journal.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pbem.core.errors import Refusal
from pbem.core.game.conditional import position_after
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, REPLACE, ROLLBACK, TAKEBACK, Entry
from pbem.core.game.state import Ply, State
from pbem.core.players import Player
from rules.contract import Position, RulesError

MAX_GUESS = 200
"""In characters, as long as the longest move."""

OWN_GAME = "You play in game {id} yourself, so you cannot guess in it."
BOTS_GUESS_NOT = "Bots do not guess."
OVER = "Game {id} is over, so there is no move left to guess."
BOTS_TURN = "It is the turn of {name}, a bot. Guess at the moves of people; a program can work out a bot's."
LATE = (
    "Move {ply} of game {id} has been made already: {move}. Your guess came too late and does not count; the "
    "next move is number {due}."
)
GONE = "Game {id} has gone back to move {due}, so there is no move {ply} to guess now."
TWO_GUESSES = "Your mail holds more than one move, and one is guessed at a time; please write one."
WRONG_NUMBER = "Your guess has the number {n}, but the letter you answered asks for move {ply}."
NO_NUMBER = "Write the number of the game too, such as `guess 42` and the move behind it."
NONE_SEALED = "You have no guess at the next move of game {id}."
TOO_LONG = f"A guess may have {MAX_GUESS} characters, and yours has more."
HIDDEN = "What a player leaves for later is hidden, so name the move alone: {move}."
TWO_MEANINGS = "That can be read in more than one way; write {ways}."


@dataclass(frozen=True)
class Guess:
    """A player's guess at move `ply`; `right` is None while the guess is sealed."""

    game_id: int
    ply: int
    move: str
    right: bool | None = None


def check_guesser(game: Game, player: Player) -> None:
    """Raise Refusal if the player may not guess in this game, or not now."""
    if player.bot:
        raise Refusal(BOTS_GUESS_NOT)
    if game.seat_of(player) is not None:
        raise Refusal(OWN_GAME.format(id=game.id))
    seat = game.state.to_play
    if game.state.ending is not None or seat is None:
        raise Refusal(OVER.format(id=game.id))
    if game.seats[seat].bot:
        raise Refusal(BOTS_TURN.format(name=game.seats[seat].name))


def may_be_guessed(game: Game, player: Player) -> bool:
    """True if the player may guess at the game's next move."""
    try:
        check_guesser(game, player)
    except Refusal:
        return False
    return True


def check_ply(game: Game, ply: int) -> None:
    """Raise Refusal unless move `ply` is the next one in the journal."""
    plies, due = game.state.plies, len(game.state.plies) + 1
    if ply < due:
        raise Refusal(LATE.format(ply=ply, id=game.id, move=plies[ply - 1].move, due=due))
    if ply > due:
        raise Refusal(GONE.format(ply=ply, id=game.id, due=due))


def read_guess(position: Position, text: str, *, sure: bool = True) -> str:
    """Return the guess as the journal would spell it. Raises Refusal with the game's own explanation.

    Without `sure`, a move that a phone's capital letter makes ambiguous raises Refusal too.
    """
    if len(text) > MAX_GUESS:
        raise Refusal(TOO_LONG)
    try:
        move, standing = position.split(position.read(text))
        problem = position.problem(move)
    except RulesError as error:
        raise Refusal(str(error)) from None
    if problem is not None:
        raise Refusal(problem)
    if len(str(move)) > MAX_GUESS:
        raise Refusal(TOO_LONG)
    if standing is not None:
        raise Refusal(HIDDEN.format(move=f"`{move}`"))
    if not sure and (meanings := position.meanings(move)):
        raise Refusal(TWO_MEANINGS.format(ways=" or ".join(f"`move {each}`" for each in meanings.values())))
    return str(move)


@dataclass(frozen=True)
class Settling:
    """Effects of new journal entries on the sealed guesses at a game, in the order in which they happen."""

    void_after: int | None
    """The ply after which all guesses are void, or None."""
    made: Sequence[Ply]
    """Plies to compare guesses with."""
    ended: bool
    """True if no guess can come true any more."""
    void_of: Sequence[int]
    """Players who sit in the game now, whose guesses are void."""


def settle(state: State, entries: Sequence[Entry]) -> Settling:
    """Decide what new entries, which led to `state`, do to guesses."""
    numbers = {entry.n for entry in entries if entry.kind == PLY}
    made = [ply for ply in state.plies if ply.entry in numbers]
    goes_back = any(entry.kind in (TAKEBACK, ROLLBACK) for entry in entries)
    return Settling(
        len(state.plies) - len(made) if goes_back else None,
        made,
        state.ending is not None,
        [entry.data["player"] for entry in entries if entry.kind == REPLACE],
    )


def right_guesses(game: Game, ply: Ply, guessed: Iterable[str]) -> set[str]:
    """Return the guesses that are right at a ply of a game."""
    return same_moves(fold(game, upto=ply.entry - 1).position, ply.move, guessed)


def same_moves(before: Position, move: str, guessed: Iterable[str]) -> set[str]:
    """Return the guesses that are this move, with their parts in any order."""
    after = before.follow(before.read(move))
    return {text for text in set(guessed) if text == move or position_after(before, text) == after}
