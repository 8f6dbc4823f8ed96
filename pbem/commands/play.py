"""Carry out one game's commands from a mail."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from pbem.commands import decisions, guesses, proved_claims
from pbem.commands.context import HOUR, Context, MailOutcome, MailPart
from pbem.commands.which_game import entries_known_to_letter, no_game_sentence
from pbem.core.game.game import Game
from pbem.core.game.journal import RESIGN
from pbem.core.game.view import view, view_for_reader
from pbem.core.letters.letter import about_game
from pbem.core.parsing.line import Command
from pbem.core.play import decide, offers, show, turn, undo_window
from pbem.core.play.notes import MAX_A_GAME
from pbem.duties import game_clock
from pbem.duties.game_clock import EarlierMailPending
from pbem.store import events, games, inbox, limits, live, notes, outbox
from rules.contract import RulesError, Seat, other

UNDO_REPEAT_TIME = timedelta(minutes=10)
"""How long after a ply was taken back unseen another `undo` is taken for the same wish."""
UNSEEN = "took back a move that nobody else had seen"


def play_part(part: MailPart, commands: Sequence[Command]) -> MailOutcome:
    ctx, number, player = part.ctx, part.number, part.player
    if (shown := _game_to_show(part, commands)) is not None:
        number, commands = shown, [replace(commands[0], args={"ply": None})]
    game = ctx.game(number)
    seat = game.seat_of(player) if game is not None else None
    verbs = {command.verb for command in commands}
    if game is None:
        problem = no_game_sentence(ctx, player) if number is None else f"There is no game {number}."
    elif guesses.is_guess(part, commands):
        return _guess(part, game, commands)
    elif seat is None:
        return _show_game(part, game, commands)
    elif "note" in verbs and notes.count_notes(ctx.db, player, game.id) >= MAX_A_GAME:
        problem = f"You have {MAX_A_GAME} notes in game {game.id}, and that is as many as are kept."
    else:
        return _play(part, game, seat, commands)
    return part.refuse([problem], [command.text for command in commands])


def _game_to_show(part: MailPart, commands: Sequence[Command]) -> int | None:
    """Return the game that `show 3` means in a mail that answers no letter of a game, or None."""
    if part.sender.since is not None or part.block.game is not None or len(commands) != 1:
        return None
    number = (
        commands[0].args.get("ply") if commands[0].verb == "show" and "#" not in commands[0].text else None
    )
    return number if part.ctx.own_game(number, part.player) else None


def _play(part: MailPart, game: Game, seat: Seat, commands: Sequence[Command]) -> MailOutcome:
    ctx, verbs = part.ctx, {command.verb for command in commands}
    if "claim" in verbs and inbox.first_waiting_mail(ctx.db, ctx.at, ctx.when.mail, game):
        raise EarlierMailPending  # an earlier mail may hold a move
    by = ctx.when.until(settles=bool(verbs) and verbs <= offers.AGREEMENTS.keys())
    game, letters = game_clock.advance_clock(ctx.app, ctx.db, game, by, besides=ctx.when.mail)
    since = entries_known_to_letter(ctx, part.sender, game)
    blocked = bool(part.block.comment or part.block.said) and limits.blocked(ctx.db, *game.seats)
    config, undo = ctx.app.config, part.player.preferences.undo
    window = timedelta(minutes=config.undo_minutes if undo is None else undo)
    if window and live.live_play(ctx.db, game.id).is_on(ctx.now):
        window = timedelta()  # the other waits for it on the page
    other_is_bot = undo is None and game.seats[other(seat)].bot and not _counts(ctx, game)
    at_once = config.development or part.player.bot or other_is_bot  # a bot gives each move back
    windows = () if at_once else (window, undo_window.CAUTION_WINDOW)
    words = (part.block.comment, part.block.said)
    commands = [_confirmed(game, command) for command in commands] if part.sender.sure else commands
    request = turn.TurnRequest(seat, commands, ctx.when, ctx.site, since, *words, blocked, *windows)
    small = part.player.preferences.more.get("capitals") == "small"
    in_event = "annul" in verbs and events.pairing_state(ctx.db, game.id) is not None
    request = replace(request, as_written=ctx.as_written, small=small, in_event=in_event)
    if "undo" in verbs and (result := _undo_directly(ctx, game, seat, request)):
        return replace(result, letters=(*letters, *result.letters))
    decision = decide.decide(game.as_seen_by(seat), request)
    if decision.claims_proof:
        decision = _claim_proof(ctx, game, request, decision)
    if decision.is_rate_limited:
        to = game.seats[other(seat)]
        sent = outbox.count_caused(ctx.db, part.player.id, to.address, ctx.now - HOUR)
        if sent >= config.letters_per_hour:
            problem = f"You have sent {to.name} too many messages in the last hour. Please try again later."
            decision = decide.refusal_decision(game.as_seen_by(seat), request, problem)
    if game.pending is not None and undo_window.must_release_first(game.pending, seat, decision):
        game, made = game_clock.release_pending(ctx.app, ctx.db, game, ctx.now)
        letters += made
        decision = decide.decide(game, request)
    if decision.meanings:
        decision = decisions.ask_which(ctx, game, request, decision)
    if decision.refused:
        decision = decisions.ask_about_slip(ctx, game, request, decision)
    letters += decisions.commit(ctx, game, seat, decision)
    refused = decision.filed or decision.refused
    return MailOutcome("refused" if refused else "done", refused, tuple(letters))


def _counts(ctx: Context, game: Game) -> bool:
    """True if the game is rated, or one of an event."""
    return game.rated or events.pairing_state(ctx.db, game.id) is not None


def _confirmed(game: Game, command: Command) -> Command:
    """The command as one that needs no further question."""
    asks, position = command.verb == RESIGN, game.state.position
    if command.verb == "move":
        with suppress(RulesError):
            asks = position.gives_up(position.read_ply(command.args["move"])) is not None
    return replace(command, args={**command.args, "yes": True}) if asks else command


def _claim_proof(
    ctx: Context, game: Game, request: turn.TurnRequest, decision: turn.Decision
) -> turn.Decision:
    """Begin the search for a proof, or say why there is none."""
    seat = request.seat
    if problem := proved_claims.refusal_sentence(ctx.app, ctx.db, game, game.seats[seat]):
        return decide.refusal_decision(game.as_seen_by(seat), request, problem)
    return replace(decision, letters=(*decision.letters, proved_claims.begin(ctx, game, seat)))


def _guess(part: MailPart, game: Game, commands: Sequence[Command]) -> MailOutcome:
    """Carry out a guess at others' move, with looks at the board."""
    guessed = guesses.guess_part(part, game, commands)
    looks = [command for command in commands if command.verb != "move"]
    seen = _show_game(part, game, looks).letters if looks else ()
    return replace(guessed, letters=(*guessed.letters, *seen))


def _show_game(part: MailPart, game: Game, commands: Sequence[Command]) -> MailOutcome:
    seen = view_for_reader(game, part.player, part.ctx.site)
    if not commands or any(command.verb not in show.SHOW_COMMANDS for command in commands):
        problem = (
            f"You do not play in game {game.id}; you can `show` it, list its `moves`, `try` some, "
            f"or `watch {game.id}`."
        )
    else:
        problem = next(filter(None, (show.no_such_ply(seen.state, command) for command in commands)), "")
    if problem:
        return part.refuse([problem], [command.text for command in commands])
    letters = [show.show_letter(seen, command) for command in commands]
    problems = [trial.problem for letter in letters if (trial := letter.told.get("trial")) and trial.problem]
    return MailOutcome("refused" if problems else "done", " / ".join(problems), tuple(letters))


def _undo_directly(ctx: Context, game: Game, seat: Seat, request: turn.TurnRequest) -> MailOutcome | None:
    if game.pending is None or game.pending.seat != seat:
        problem = _repeated_undo(ctx, game, seat)
    elif len(request.commands) > 1 or request.comment:
        problem = (
            "Your move waits still, and `undo` takes it back if nothing else is in the mail; that could be "
            "meant for the game with it or without it."
        )
    else:
        gone = game.as_seen_by(seat).state.plies[-1]
        ctx.games[game.id] = game = games.set_pending_move(ctx.db, game, None)
        letter = about_game("undo", view(game, seat, ctx.site), undo="withdrawn", ply=gone, since=0, words="")
        return MailOutcome("done", UNSEEN, (replace(letter, needed=True),), code=inbox.Code.UNSEEN)
    if not problem:
        return None
    return MailOutcome("refused", problem, decide.refusal_decision(game, request, problem).letters)


def _repeated_undo(ctx: Context, game: Game, seat: Seat) -> str:
    """The refusal of an `undo` that only repeats another, or ""."""
    since = inbox.last_unseen_takeback(ctx.db, game.id, game.seats[seat].id, ctx.at - UNDO_REPEAT_TIME)
    own = [ply for ply in game.state.plies if ply.seat == seat]
    if since is None or not own or own[-1].at > since:
        return ""
    return (
        f"You have just taken your move back, before anybody saw it, so it is gone. To ask "
        f"{game.seats[other(seat)].name} to let you take back move {own[-1].n} too, made before it, "
        f"write `undo` again after {since + UNDO_REPEAT_TIME:%H:%M} UTC."
    )
