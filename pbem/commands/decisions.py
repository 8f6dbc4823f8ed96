"""Stores a decision: its entries or pending move, notes, and question."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pbem.commands.context import Context
from pbem.core.game.game import Game
from pbem.core.game.journal import RESIGN, PendingMove
from pbem.core.game.state import count_plies_by_hand
from pbem.core.letters.letter import Letter, ReplyTo
from pbem.core.play import decide, turn
from pbem.core.play.notes import Note
from pbem.core.players import Player
from pbem.duties import game_clock
from pbem.store import games, notes
from rules.contract import Seat

MEANT = "meant"
"""The purpose of a question whose yes carries out `orders`, and whose `send` sends `words`."""


def commit(ctx: Context, game: Game, seat: Seat, decision: turn.Decision) -> list[Letter]:
    """Store the new entries, or the pending move if there is an undo window, and ask about a resignation."""
    player = game.seats[seat]
    for text in decision.notes:
        notes.add_note(ctx.db, player, Note(game.id, len(decision.state.plies), ctx.at, text))
    letters = list(decision.letters)
    if decision.wait:  # only its owner hears of it
        pending = PendingMove(seat, ctx.now + decision.wait, decision.entries)
        ctx.games[game.id] = games.set_pending_move(ctx.db, game, pending)
        letters = [_mark_pending(letter, pending) for letter in letters if letter.player == player]
    else:
        ctx.games[game.id] = games.append_entries(ctx.db, game, decision.state, decision.entries)
    if not decision.asks:
        return letters
    data = {"game": game.id, "seat": seat, "comment": decision.words, "since": len(game.open_entries)}
    data |= {"made": count_plies_by_hand(decision.state, seat)}
    data |= {"move": decision.asks} if decision.asks != RESIGN else {}
    question = ctx.ask("resign", player.address, data)
    return [replace(letter, reply=question) if letter.kind == "resign" else letter for letter in letters]


def ask_which(ctx: Context, game: Game, request: turn.TurnRequest, decision: turn.Decision) -> turn.Decision:
    """Store the decision's question, with all that its answer needs."""
    others = [command for command in request.commands if command.verb != "note"]
    at = next(n for n, command in enumerate(others) if command.verb == "move")
    kept = [(each.text, each.args["words"]) for each in request.commands if each.verb == "note"]
    data = {"game": game.id, "seat": request.seat, "since": len(game.open_entries), "at": at, "notes": kept}
    data |= {"orders": [command.text for command in others]}
    data |= {"meanings": decision.meanings, "comment": request.comment, "said": request.said}
    question = ctx.ask("which", game.seats[request.seat].address, data)
    return replace(decision, letters=tuple(replace(letter, reply=question) for letter in decision.letters))


def ask_about_move(
    ctx: Context,
    player: Player,
    game: int | None,
    since: int | None,
    letter: Letter,
    move: str,
    words: tuple[str, bool] = ("", False),
) -> Letter:
    """Make a letter that shows a move seen in a mail, with a question whose yes plays the move.

    The mail was written after entry `since`. `words` holds its words to the other player, and True if `say`
    stood above them; the question keeps both.
    """
    comment, said = words
    reply = ask_meant(ctx, player, game, since, [move], comment=comment, said=said)
    return replace(letter.telling(comment=comment), reply=reply)


def ask_meant(
    ctx: Context, player: Player, game: int | None, since: int | None, orders: Sequence[str], **more: Any
) -> ReplyTo:
    """Store a question whose yes carries out `orders`.

    `more`: the `words` that `send` sends instead; the `comment` that goes with the orders, and `said`, True
    if `say` stood above it; the challenge that the letter was `about`.
    """
    made = plies_made(ctx, player, game)
    data = {"game": game, "since": since, "orders": orders, "made": made, **more}
    return ctx.ask(MEANT, player.address, data)


def plies_made(ctx: Context, player: Player, game: int | None) -> int:
    """Count the player's plies made by hand; 0 without a game."""
    own = ctx.own_game(game, player)
    return count_plies_by_hand(own[0].as_seen_by(own[1]).state, own[1]) if own else 0


def ask_about_slip(
    ctx: Context, game: Game, request: turn.TurnRequest, decision: turn.Decision
) -> turn.Decision:
    """Refuse an unreadable move, and ask about the one likely meaning."""
    known, words = len(game.open_entries), (request.comment, request.said)
    letters = [
        ask_about_move(ctx, game.seats[request.seat], game.id, known, letter, seen, words)
        if (seen := letter.told.get("seen_move"))
        else letter
        for letter in decision.letters
    ]
    return replace(decision, letters=tuple(letters))


def _mark_pending(letter: Letter, pending: PendingMove) -> Letter:
    """Add the end of the wait to a letter. A reply to the letter is for the board before the move."""
    letter = replace(letter, held_until=pending.until)
    if letter.view is None:
        return letter
    seen = replace(letter.view, game=replace(letter.view.game, pending_entries=pending.open))
    reply = replace(letter.reply, entry=seen.entry) if letter.reply.use == "game" else letter.reply
    return replace(letter, view=seen, reply=reply)


def resign(
    ctx: Context, game: Game, seat: Seat, words: str = "", since: int | None = None, move: str = ""
) -> tuple[str, list[Letter]]:
    """Carry out a confirmed resignation; returns a refusal's reason, or "", and letters."""
    game, letters = game_clock.release_pending(ctx.app, ctx.db, game, ctx.now)
    decision = decide.decide_confirmed(game, seat, words, ctx.when, ctx.site, since, move)
    return decision.refused, [*letters, *commit(ctx, game, seat, decision)]
