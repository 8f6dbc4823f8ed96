"""A decision is kept: its entries, or the ply that waits; its notes, and the question that it asks."""

from dataclasses import replace
from datetime import datetime, timedelta

from pbem.actions.context import Context
from pbem.app import App
from pbem.core.game.game import Game
from pbem.core.game.journal import PendingMove
from pbem.core.letters.letter import Letter, ReplyTo
from pbem.core.play.notes import Note
from pbem.core.play.turn import Decision, TurnRequest
from pbem.core.play.undo_window import CAUTION_WINDOW, decide_release
from pbem.core.players import Player
from pbem.store import games, notes
from pbem.store.engine import Connection
from rules.contract import Seat


def commit(ctx: Context, game: Game, seat: Seat, decision: Decision) -> list[Letter]:
    """Write the new entries, or let them wait; a resignation that is asked about gets its question."""
    for text in decision.notes:
        notes.add_note(ctx.db, game.seats[seat], Note(game.id, len(decision.state.plies), ctx.at, text))
    if decision.wait:
        letters = _store_pending(ctx, game, seat, decision)
    else:
        games.append_entries(ctx.db, game, decision.state, decision.entries)
        ctx.games[game.id] = game.with_entries(decision.entries)
        letters = list(decision.letters)
    asks = decision.asks_resign or decision.asks_move
    return _with_question(ctx, game, seat, decision, letters) if asks else letters


def _with_question(
    ctx: Context, game: Game, seat: Seat, decision: Decision, letters: list[Letter]
) -> list[Letter]:
    player = game.seats[seat]
    data = {"game": game.id, "seat": seat, "comment": decision.words, "since": len(game.open_entries)}
    data |= {"move": decision.asks_move} if decision.asks_move else {}
    question = ctx.ask("resign", player.address, data)
    return [
        replace(letter, reply=ReplyTo("confirm", question)) if letter.kind == "resign" else letter
        for letter in letters
    ]


def _store_pending(ctx: Context, game: Game, seat: Seat, decision: Decision) -> list[Letter]:
    """Let what was done wait; only its owner hears of it."""
    pending = PendingMove(seat, ctx.now + decision.wait, decision.entries)
    ctx.games[game.id] = games.set_pending_move(ctx.db, game, pending)
    mine = [letter for letter in decision.letters if letter.player == game.seats[seat]]
    return [_mark_pending(letter, pending) for letter in mine]


def _mark_pending(letter: Letter, pending: PendingMove) -> Letter:
    """The letter with until when its ply waits, to be answered as one from before the ply."""
    facts = {**letter.facts, "until": pending.until}
    if letter.view is None:
        return replace(letter, facts=facts)
    seen = replace(letter.view, game=replace(letter.view.game, pending_entries=pending.open))
    reply = replace(letter.reply, entry=seen.entry) if letter.reply.use == "game" else letter.reply
    return replace(letter, view=seen, reply=reply, facts=facts)


def release_pending(app: App, db: Connection, game: Game, at: datetime) -> tuple[Game, list[Letter]]:
    """Make the ply that waits in a game, at a moment or when its wait was over, if that was earlier.

    Gives the game after it, and what both are told. Whoever has the game's row takes it back or makes it;
    the other finds nothing waiting.
    """
    assert game.pending is not None
    decision = decide_release(game, min(at, game.pending.until), app.config.host)
    game = games.set_pending_move(db, game, None)
    games.append_entries(db, game, decision.state, decision.entries)
    return game.with_entries(decision.entries), list(decision.letters)


def with_undo_window(request: TurnRequest, ctx: Context, player: Player) -> TurnRequest:
    """The request with the player's undo window, zero in development mode."""
    config, wish = ctx.app.config, player.preferences.undo
    if config.development:
        return request
    undo_window = timedelta(minutes=config.undo_minutes if wish is None else wish)
    return replace(request, undo_window=undo_window, caution_window=CAUTION_WINDOW)
