"""The lobby's commands: register, challenge, accept, decline, and questions.

Each loads what it needs, lets `pbem.core.lobby.challenges` decide, stores the decision and returns the
letters; Refusal is for the sender.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

from pbem.actions.context import Context, Handler, KnownPlayer
from pbem.actions.start_game import check_limits, check_words, count_games, start_game
from pbem.actions.which_offer import game_with_offer
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.store import challenges, limits, locks, players, seeks

DAY = timedelta(days=1)
MAX_CHALLENGES, CHALLENGES_TO_ONE = 20, 3
"""Maximum open challenges of one player, in all and to one other."""
MAX_IN_VAIN, IN_VAIN_TO_ONE = 40, 6
"""Maximum challenges without a game in a day. Two numbers: in all, and to one other. Withdrawn ones count."""


def _challenge(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    locks.advisory_lock(ctx.db, f"challenges of {sender.player.id}")
    name = command.args["player"]
    challenged = players.player_by_name(ctx.db, name)
    names = [] if challenged else players.names_like(ctx.db, name)
    wish = lobby_challenges.propose_challenge(
        sender.player,
        challenged,
        command.args,
        ctx.app.offered,
        count_games(ctx, sender.player),
        names,
        ctx.now,
    )
    _check_new_challenge(ctx, wish)
    check_limits(ctx, wish.challenger, wish.challenged, wish.rules)
    check_words(block.comment, wish.rules, wish.options)
    kept = challenges.add_challenge(ctx.db, wish)
    return [
        to_player("challenge", kept.challenged, about=kept.id, challenge=kept, comment=block.comment),
        to_player("offered", kept.challenger, challenge=kept),
    ]


def _check_new_challenge(ctx: Context, wish: lobby_challenges.Challenge) -> None:
    """Raise Refusal for a challenge that already waits, or for too many. The mail may have come twice."""
    open_ones = challenges.open_challenges(ctx.db, ctx.app.games_by_key, wish.challenger, ctx.now)
    for waiting in open_ones:
        same = (waiting.challenger.id, waiting.challenged.id, waiting.rules.key, waiting.options)
        if same == (wish.challenger.id, wish.challenged.id, wish.rules.key, wish.options):
            raise Refusal(
                f"Your challenge {waiting.id} to {wish.challenged.name} for the same game waits already; "
                f"`withdraw {waiting.id}` takes it back."
            )
    mine = [waiting for waiting in open_ones if waiting.challenger.id == wish.challenger.id]
    if sum(waiting.challenged.id == wish.challenged.id for waiting in mine) >= CHALLENGES_TO_ONE:
        raise Refusal(f"{CHALLENGES_TO_ONE} challenges of yours to {wish.challenged.name} wait already.")
    if len(mine) >= MAX_CHALLENGES:
        raise Refusal(
            f"{MAX_CHALLENGES} challenges of yours wait already; more can go when some are answered."
        )
    every, to_one = challenges.count_unsuccessful(ctx.db, wish, ctx.now - DAY)
    if to_one >= IN_VAIN_TO_ONE:
        name = wish.challenged.name
        raise Refusal(f"{to_one} challenges of yours went to {name} within a day; wait until tomorrow.")
    if every >= MAX_IN_VAIN:
        raise Refusal(f"{every} challenges of yours went out within a day; wait until tomorrow.")


def _choose(ctx: Context, sender: KnownPlayer, command: Command) -> lobby_challenges.Challenge:
    if command.args["offer"] not in ("", "challenge"):
        raise Refusal(
            f'No game is named, so answer the letter of the game with "{command.text}", or write its number '
            "on the line above."
        )
    waiting = challenges.open_challenges(ctx.db, ctx.app.games_by_key, sender.player, ctx.now, lock=True)
    wanted = command.args["number"]
    number = wanted or sender.about
    if ctx.when.again and not number:  # the mail cannot answer what came after it
        waiting = [challenge for challenge in waiting if challenge.created_at <= ctx.at]
    settled = challenges.find_challenge(ctx.db, ctx.app.games_by_key, number) if number else None
    if settled is not None and settled[1] == "accepted" and sender.player in settled[0].pair:
        raise Refusal(f"Challenge {number} was accepted before; it is game {settled[2]}.")
    if wanted and seeks.is_open_seek(ctx.db, wanted, ctx.now):
        raise Refusal(f"{wanted} is a seek; `take {wanted}` takes it.")
    to_me = any(each.challenged.id == sender.player.id for each in waiting)
    if not (wanted or sender.about or to_me) and (number := game_with_offer(ctx, sender.player)):
        raise Refusal(
            f"No challenge waits for you. Something is on offer in game {number}: to answer that, write "
            f"`game {number}` on a line and `{command.verb}` on the line below it."
        )
    return lobby_challenges.choose_challenge(sender.player, waiting, wanted, sender.about, command.verb)


def _accept(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    challenge = _choose(ctx, sender, command)
    return start_game(ctx, challenge, sender.player, block.comment)


def _decline(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    challenge = _choose(ctx, sender, command)
    check_words(block.comment, challenge.rules, challenge.options)
    challenges.close_challenge(ctx.db, challenge.id, "declined")
    mine = to_player("declined", challenge.challenged, challenge=challenge, mine=True, comment="")
    words = "" if limits.blocked(ctx.db, *challenge.pair) else block.comment
    return [
        to_player("declined", challenge.challenger, challenge=challenge, mine=False, comment=words),
        replace(mine, needed=True),
    ]


COMMANDS: Mapping[str, Handler] = {"challenge": _challenge, "accept": _accept, "decline": _decline}
