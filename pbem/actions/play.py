"""Carry out one game's commands from a mail."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from pbem.actions.commands import handlers
from pbem.actions.context import Context, EarlierMailPending, KnownPlayer
from pbem.actions.decisions import commit, release_pending, with_undo_window
from pbem.actions.game_clock import advance_clock
from pbem.actions.limits import exceeds_letter_limit
from pbem.actions.notes import note_limit_sentence
from pbem.actions.refusals import Result, refuse
from pbem.actions.which_game import entries_known_to_letter, no_game_sentence, number_meant
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.view import view, view_for_reader
from pbem.core.letters.letter import about_game
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.play import decide
from pbem.core.play.offers import AGREEMENTS
from pbem.core.play.show import SHOW_COMMANDS, no_such_ply, show_letter
from pbem.core.play.turn import TurnRequest
from pbem.core.play.undo_window import must_release_first
from pbem.store import games, inbox, limits
from pbem.store.inbox import Code
from rules.contract import Seat, other

UNDO_REPEAT_TIME = timedelta(minutes=10)
"""How long after a ply was taken back unseen another `undo` is taken for the same wish."""
UNSEEN = "took back a ply that nobody else had seen"


def run_handler(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> Result:
    try:
        return Result(handlers()[command.verb](ctx, sender, block, command), [], True)
    except Refusal as refusal:
        return refuse_block(ctx, sender, block, str(refusal), [command.text])


def refuse_block(
    ctx: Context, sender: KnownPlayer, block: GameBlock, problem: str, read: Sequence[str]
) -> Result:
    letters = refuse(ctx, sender, [problem], read, block.game).letters
    return Result(list(letters), [problem], False)


def play_block(ctx: Context, sender: KnownPlayer, block: GameBlock, commands: Sequence[Command]) -> Result:
    number = number_meant(sender, block)
    game = ctx.game(number) if number is not None else None
    read = [command.text for command in commands]
    if game is None:
        problem = no_game_sentence(ctx, sender.player) if number is None else f"There is no game {number}."
        return refuse_block(ctx, sender, block, problem, read)
    seat = game.seat_of(sender.player)
    if seat is None:
        return _show_game(ctx, sender, block, game, commands)
    if problem := note_limit_sentence(ctx, sender.player, game, commands):
        return refuse_block(ctx, sender, block, problem, read)
    if any(c.verb == "claim" for c in commands) and inbox.is_mail_waiting_before(ctx.db, ctx.at, ctx.mail):
        raise EarlierMailPending  # an earlier mail may hold a move
    settles = bool(commands) and all(command.verb in AGREEMENTS for command in commands)
    by = ctx.when.until(settles=settles)
    game, struck = advance_clock(ctx.app, ctx.db, game, by, besides=ctx.mail)
    since = entries_known_to_letter(ctx, sender, game)
    blocked = limits.blocked(ctx.db, *game.seats)
    request = TurnRequest(seat, commands, block.comment, block.said, ctx.when, since, ctx.site, blocked)
    request = with_undo_window(request, ctx, sender.player)
    if any(c.verb == "undo" for c in commands) and (result := _undo_directly(ctx, game, seat, request)):
        return replace(result, letters=struck + result.letters)
    decision = decide.decide(game.as_seen_by(seat), request)
    if decision.is_rate_limited and exceeds_letter_limit(ctx, sender.player, game.seats[other(seat)]):
        name = game.seats[other(seat)].name
        problem = f"You have sent {name} too many messages in the last hour. Please try again later."
        decision = decide.refusal_decision(game.as_seen_by(seat), request, problem)
    if game.pending is not None and must_release_first(game.pending, seat, decision):
        game, made = release_pending(ctx.app, ctx.db, game, ctx.now)
        struck += made
        decision = decide.decide(game, request)
    letters = struck + commit(ctx, game, seat, decision)
    refused = decision.filed or decision.refused
    return Result(letters, [refused] if refused else [], not refused)


def _show_game(
    ctx: Context, sender: KnownPlayer, block: GameBlock, game: Game, commands: Sequence[Command]
) -> Result:
    if not commands or any(command.verb not in SHOW_COMMANDS for command in commands):
        problem = (
            f"You do not play in game {game.id}; you can `show` it, list its `moves`, `try` some, "
            f"or `watch {game.id}`."
        )
        return refuse_block(ctx, sender, block, problem, [command.text for command in commands])
    seen = view_for_reader(game, sender.player, ctx.site)
    problem = next(filter(None, (no_such_ply(seen.state, command) for command in commands)), "")
    if problem:
        return refuse_block(ctx, sender, block, problem, [command.text for command in commands])
    letters = [show_letter(seen, command) for command in commands]
    problems = [trial.problem for letter in letters if (trial := letter.facts.get("trial")) and trial.problem]
    return Result(letters, problems, not problems)


def _undo_directly(ctx: Context, game: Game, seat: Seat, request: TurnRequest) -> Result | None:
    if game.pending is not None and game.pending.seat == seat:
        return drop_pending(ctx, game, seat, request)
    problem = _repeated_undo(ctx, game, seat)
    if not problem:
        return None
    return Result(list(decide.refusal_decision(game, request, problem).letters), [problem], False)


def drop_pending(ctx: Context, game: Game, seat: Seat, request: TurnRequest) -> Result:
    if len(request.commands) > 1 or request.comment:
        decision = decide.refusal_decision(
            game,
            request,
            "Your ply waits still, and `undo` takes it back if nothing else is in the mail; that could be "
            "meant for the game with it or without it.",
        )
        return Result(list(decision.letters), [decision.refused], False)
    gone = game.as_seen_by(seat).state.plies[-1]
    ctx.games[game.id] = game = games.set_pending_move(ctx.db, game, None)
    letter = about_game("undo", view(game, seat, ctx.site), undo="withdrawn", ply=gone, since=0, words="")
    return Result([replace(letter, needed=True)], [UNSEEN], True, Code.UNSEEN)


def _repeated_undo(ctx: Context, game: Game, seat: Seat) -> str:
    """The refusal of an `undo` soon after another, or "".

    A player who writes it twice wants that one ply back, and not to ask for the one before it.
    """
    since = inbox.last_unseen_takeback(ctx.db, game.id, game.seats[seat].id, ctx.at - UNDO_REPEAT_TIME)
    own = [ply for ply in game.state.plies if ply.seat == seat]
    if since is None or not own or own[-1].at > since:
        return ""
    return (
        f"You have just taken your ply back, before anybody saw it, so it is gone. To ask "
        f"{game.seats[other(seat)].name} to let you take back ply {own[-1].n} too, which was made before it, "
        f"write `undo` again after {since + UNDO_REPEAT_TIME:%H:%M} UTC."
    )
