"""Guesses at others' next moves: sealed, changed, withdrawn.

A guess locks the game's row, so that it is either in time for a move or too late, never both.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pbem.commands.context import MailOutcome, MailPart, Request, handles
from pbem.core.errors import Refusal
from pbem.core.exercises.guesses import (
    NO_NUMBER,
    NONE_SEALED,
    TWO_GUESSES,
    WRONG_NUMBER,
    check_guesser,
    check_ply,
    read_guess,
)
from pbem.core.game.game import Game
from pbem.core.game.view import view_for_reader
from pbem.core.letters.letter import Letter, about_game
from pbem.core.parsing.line import Command
from pbem.core.play.show import SHOW_COMMANDS
from pbem.core.players import Player
from pbem.duties.watch import reply_of_watcher
from pbem.store import games, guesses, watches
from pbem.store.engine import Connection
from rules.contract import Position

KIND = "guessed"
NOT_TAKEN = "a guess that was not taken"
"""A note for the operator, who must not read the guess in the log."""


@dataclass(frozen=True)
class Sealed:
    """A guess as it is now: its move and the move that it replaced, each "" if there is none."""

    ply: int
    move: str
    earlier: str


def is_guess(part: MailPart, commands: Sequence[Command]) -> bool:
    """True if a mail answers a watched game with a move and nothing else but requests to see the board."""
    verbs = [command.verb for command in commands]
    watched = part.sender.watched is not None and part.number == part.sender.game_id
    return watched and "move" in verbs and {*verbs} <= {"move", *SHOW_COMMANDS}


def guess_part(part: MailPart, game: Game, commands: Sequence[Command]) -> MailOutcome:
    """Seal or refuse the guess in an answer about a watched game."""
    moves = [command for command in commands if command.verb == "move"]
    ply = (part.sender.watched or 0) + 1
    try:
        if len(moves) > 1:
            raise Refusal(TWO_GUESSES)
        guard = moves[0].args.get("guard")
        if guard is not None and ply not in guard:
            raise Refusal(WRONG_NUMBER.format(n=guard[0], ply=ply))
        check_guesser(game, part.player)
        check_ply(game, ply)
        move = _guessed_move(game.state.position, moves[0], as_written=part.ctx.as_written)
        sealed = seal_guess(part.ctx.db, part.player, game, move, part.ctx.now)
    except Refusal as refusal:
        return MailOutcome("refused", NOT_TAKEN, (_refuse(part, game, str(refusal)),))
    return MailOutcome("done", "", (_about(part, game, sealed),))


def _guessed_move(position: Position, command: Command, *, as_written: bool) -> str:
    if command.error is not None:
        raise Refusal(str(command.error))
    return read_guess(position, command.args["move"], sure=as_written or command.args.get("sure", False))


def seal_guess(db: Connection, player: Player, game: Game, move: str, now: datetime) -> Sealed:
    """Store the guess at a locked game's next move in place of an earlier guess."""
    ply, earlier = len(game.state.plies) + 1, sealed_move(db, player, game)
    guesses.store_guess(db, player, game, ply, move, now)
    return Sealed(ply, move, "" if earlier == move else earlier)


def sealed_move(db: Connection, player: Player, game: Game) -> str:
    """Return the player's guess at a game's next move, or ""."""
    own = guesses.guesses_of(db, player, game.id, after=len(game.state.plies))
    return own[0].move if own else ""


def withdraw_guess(db: Connection, player: Player, game: Game) -> Sealed:
    """Drop the guess at the next move of a locked game. Raises Refusal if there is no guess."""
    ply, earlier = len(game.state.plies) + 1, sealed_move(db, player, game)
    if not guesses.drop_guess(db, player, game.id, ply):
        raise Refusal(NONE_SEALED.format(id=game.id))
    return Sealed(ply, "", earlier)


def _refuse(part: MailPart, game: Game, problem: str) -> Letter:
    kept = sealed_move(part.ctx.db, part.player, game)
    return replace(_about(part, game, None, problem=problem, kept=kept), needed=True)


def _about(part: MailPart, game: Game, sealed: Sealed | None, problem: str = "", **facts: object) -> Letter:
    ctx, player = part.ctx, part.player
    seen = view_for_reader(game, player, ctx.site)
    running = games.running_of_player(ctx.db, ctx.app.games_by_key, player)
    letter = about_game(
        KIND,
        seen,
        **facts,
        sealed=sealed,
        problem=problem,
        watching=game.id in watches.watched_by_player(ctx.db, player),
        unsent=bool(part.block.comment),
        waiting=[each.id for each in running if each.your_turn],
    )
    return replace(letter, reply=reply_of_watcher(seen))


@handles("guess")
def _guess(request: Request) -> list[Letter]:
    """Seal or withdraw a guess at the present next move."""
    ctx, player = request.ctx, request.player
    number, text = _number_and_move(request)
    game = ctx.existing_game(number)
    try:
        check_guesser(game, player)
        if request.sender.watched is not None and number == request.sender.game_id:
            check_ply(game, request.sender.watched + 1)
        if text.lower() == "none":
            return [_about(request, game, withdraw_guess(ctx.db, player, game))]
        move = read_guess(game.state.position, text, sure=ctx.as_written)
    except Refusal as refusal:
        return [_refuse(request, game, str(refusal))]
    return [_about(request, game, seal_guess(ctx.db, player, game, move, ctx.now))]


def _number_and_move(request: Request) -> tuple[int, str]:
    """Return game and move of `guess 42 f2`, or of `guess f2` if the game is known."""
    text = request.args["move"].lower().removeprefix("game ")
    first, _, rest = request.args["move"][-len(text) :].partition(" ")
    if rest and first.removeprefix("#").isdecimal():
        return int(first.removeprefix("#")), rest.strip()
    if request.block.game is None and request.sender.watched is None:
        raise Refusal(NO_NUMBER)
    return int(request.number or 0), request.args["move"]
