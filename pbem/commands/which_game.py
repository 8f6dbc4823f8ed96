"""Finds the game or offer that a mail or its part means."""

import re

from pbem.commands.context import Context, KnownPlayer, MailPart
from pbem.commands.examples import examples_for
from pbem.core.errors import Refusal
from pbem.core.game import journal
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.state import offers_to
from pbem.core.letters.boards import Bundle, entries_until
from pbem.core.parsing.commands import SPEAKS
from pbem.core.parsing.line import Command
from pbem.core.parsing.suggestions import suggest_beginning
from pbem.core.play import decide
from pbem.core.players import Player
from pbem.core.preferences.letter_kinds import KINDS
from pbem.mail.authentication import coverage, results
from pbem.store import bundles, challenges, games, outbox


def game_by_mail(ctx: Context, player: Player) -> tuple[int | None, int | None]:
    """Return a game by thread, by `#42` in the subject, or by turn, with the last entry the letter knew."""
    found, since = game_named(ctx)
    if found is not None:
        return (found, since) if ctx.own_game(found, player) else (None, None)
    if answers_exercise(ctx):
        return None, None
    waiting = _waiting_games(ctx, player)
    return (waiting[0] if len(waiting) == 1 else None), None


def _waiting_games(ctx: Context, player: Player) -> list[int]:
    running = games.running_of_player(ctx.db, ctx.app.games_by_key, player)
    return [game.id for game in running if game.your_turn]


def answers_exercise(ctx: Context) -> bool:
    """True if the answered letter is of an exercise, so that a move in the mail is for no game."""
    thread = (*ctx.inbound.in_reply_to, *ctx.inbound.references)
    kind = KINDS.get(outbox.answered_kind(ctx.db, thread)) if thread else None
    return kind is not None and kind.exercise


def answers_words(ctx: Context) -> bool:
    """True if the answered letter is one of words alone."""
    thread = (*ctx.inbound.in_reply_to, *ctx.inbound.references)
    return bool(thread) and outbox.answered_kind(ctx.db, thread) == "chat"


def game_named(ctx: Context) -> tuple[int | None, int | None]:
    """Return a game by the mail's thread or subject, with the last entry that the answered letter knew."""
    thread = (*ctx.inbound.in_reply_to, *ctx.inbound.references)
    found, since = outbox.answered_letter(ctx.db, thread) if thread else (None, None)
    if found is None and (number := re.search(r"#([0-9]{1,9})\b", ctx.inbound.subject)):
        named = int(number[1])
        found = named if games.rules_key_of(ctx.db, named) in ctx.app.games_by_key else None
    return found, since


def game_meant(ctx: Context, sender: KnownPlayer) -> int | None:
    """Return the game of a mail whose address names none: the answered letter's or the player's only one."""
    if sender.about:
        return game_of_challenge(ctx, sender.about)
    if sender.bundle and (alone := _game_to_play_in(ctx, sender.player, sender.bundle)):
        return alone
    named = None if sender.bundle else game_named(ctx)[0]
    if named is not None:
        return named
    if answers_exercise(ctx):
        return None
    running = games.running_of_player(ctx.db, ctx.app.games_by_key, sender.player)
    return running[0].id if len(running) == 1 else None


def _game_to_play_in(ctx: Context, player: Player, bundle: Bundle) -> int | None:
    """Return the only game in which a letter with boards asked for a move.

    None where the mail brings no move without a number, or the letter asked for several or none.
    """
    if not ctx.words_about_no_game.strip():
        return None
    asked = [number for number in sorted(bundle.entries) if _asked_to_play(ctx, player, bundle, number)]
    if len(asked) != 1:
        return None
    blocks = ctx.orders(asked[0]).blocks
    verbs = {command.verb for block in blocks if block.game is None for command in block.commands}
    return asked[0] if "move" in verbs else None


def _asked_to_play(ctx: Context, player: Player, bundle: Bundle, number: int) -> bool:
    """True if it was the player's turn on the board that the letter showed."""
    own = ctx.own_game(number, player)
    known = own[0].open_entries[: bundle.entries[number]] if own else ()
    return bool(own and known and fold(own[0], upto=known[-1].n).to_play == own[1])


def game_of_challenge(ctx: Context, number: int) -> int | None:
    """Return the game that a challenge became, or None; number 0 means no challenge."""
    settled = challenges.find_challenge(ctx.db, ctx.app.games_by_key, number) if number else None
    return settled[2] if settled is not None else None


def no_game_sentence(ctx: Context, player: Player) -> str:
    """Return the sentence that refuses a move or words without a game, with the games that may be meant."""
    if not games.running_of_player(ctx.db, ctx.app.games_by_key, player):
        return f"You have no game running. {suggest_beginning(examples_for(ctx, player))}"
    waiting = _waiting_games(ctx, player)
    *most, last = [str(id) for id in waiting] or [""]
    named = " and ".join(filter(None, (", ".join(most), last)))
    where = f"; it is your turn in game{'s' if len(waiting) > 1 else ''} {named}" if waiting else ""
    return (
        f"This mail belongs to no game{where}. Answer a letter of the game, or write its number on a line "
        f"before your move, such as `game {waiting[0] if waiting else 42}`."
    )


def number_to_look_at(part: MailPart) -> int | None:
    """Return the game to look at: the one named above the command, or the answered letter's."""
    return part.block.game if part.sender.since is None else part.number


def entries_known_to_letter(ctx: Context, sender: KnownPlayer, game: Game) -> int | None:
    """Return the last entry known to the answered letter, whose board a move in the reply is for."""
    if game.id in sender.known:
        return sender.known[game.id]
    if game.id == sender.game_id and sender.since is not None:
        return sender.since
    if sender.bundle is not None and game.id in sender.bundle.entries:
        return sender.bundle.entries[game.id]
    thread = (*ctx.inbound.in_reply_to, *ctx.inbound.references)
    moment = bundles.letter_written_at(ctx.db, sender.player, thread) or sender.written
    return None if moment is None else entries_until(game.open_entries, moment)


def is_authentic(ctx: Context) -> bool:
    """True if the whole mail is unchanged, recent and addressed to us: anyone can forward a signed mail."""
    to_us = f"@{ctx.site}".lower() in ctx.inbound.to.lower()
    return ctx.checked == results.Verdict.PASS and to_us and coverage.is_unaltered(ctx.inbound, ctx.at)


def games_of_letter(ctx: Context, *games: int | None) -> frozenset[int] | None:
    """Return `games`, the only games that an unproven mail plays in; None if the mail proves its writer.

    In development every mail counts as proven, since nobody else can write.
    """
    proven = ctx.as_written or ctx.app.config.development or is_authentic(ctx)
    return None if proven else frozenset(game for game in games if game is not None)


# `accept` and `decline`: the named offer counts, else that of the answered letter, else the only one.


def open_offers(part: MailPart) -> list[str]:
    """Return the opponent's open offers in a part's game: draw, pause, undo."""
    return offers_to(part.own[0].state, part.own[1]) if part.own else []


def answers_game(part: MailPart) -> bool:
    """True if an answer is about one game, by the letter answered or by a game number above the answer."""
    sender = part.sender
    alone = sender.since is not None and sender.bundle is None and not sender.about
    return alone or part.block.game is not None


def refuse_ambiguous_answer(part: MailPart, verb: str) -> None:
    """Raise Refusal if an `accept` alone may mean an offer in a game or a challenge."""
    ctx, sender = part.ctx, part.sender
    if sender.about or (sender.bundle is not None and part.block.game is None):
        return
    offers = open_offers(part)
    if offers and answers_game(part):
        return
    waiting = challenges.challenges_to(ctx.db, ctx.app.games_by_key, sender.player, ctx.now)
    numbers = [str(wish.id) for wish in waiting]
    choices = " or ".join(f"`{verb} {what}`" for what in [*offers, *numbers])
    if offers and numbers:
        raise Refusal(f"Several offers are open; write {choices}.")
    if part.own and numbers and answers_game(part):
        raise Refusal(f"Nothing is on offer in game {part.number}; to answer a challenge, write {choices}.")


def is_of_game(part: MailPart, command: Command) -> bool:
    """True if a command is about a game; for `accept` and `decline`, if the game has an open offer."""
    if command.verb not in SPEAKS:
        return command.verb in decide.VERBS
    if command.verb in ("challenge", "pair", "simul", "rematch", "take") or command.args["number"]:
        return False
    if command.args["offer"] and command.args["offer"] not in journal.OFFER_LIFETIMES:
        return False
    if command.args["offer"] or answers_game(part):
        return part.own is not None
    return bool(open_offers(part)) and not part.sender.about
