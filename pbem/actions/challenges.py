"""The commands `challenge`, `accept` and `decline`, and the start of a game."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pbem.actions.context import DAY, Context, Handlers, Request
from pbem.core.errors import Refusal
from pbem.core.game.state import offers_to
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.lobby import limits as lobby_limits
from pbem.core.lobby.challenges import Challenge
from pbem.core.lobby.message_limits import refuse_too_long
from pbem.core.parsing.line import first_conditional_command
from pbem.core.play import decide
from pbem.core.players import Player
from pbem.store import challenges, games, limits, locks, players
from rules.contract import Rules

MAX_CHALLENGES, CHALLENGES_TO_ONE = 20, 3
"""Maximum open challenges of one player, in all and to one other."""
MAX_IN_VAIN, IN_VAIN_TO_ONE = 40, 6
"""Maximum challenges without a game in a day. Two numbers: in all, and to one other. Withdrawn ones count."""
PLANNED_TOO_SOON = (
    "There is a line of a plan among your words, and nobody else is to see it, so nothing was done; a plan "
    "can be made once the game has begun, in answer to any of its letters."
)


def _challenge(request: Request) -> list[Letter]:
    ctx, player, words = request.ctx, request.player, request.block.comment
    locks.advisory_lock(ctx.db, f"challenges of {player.id}")
    name = request.args["player"]
    challenged = players.player_by_name(ctx.db, name)
    names = [] if challenged else players.names_like(ctx.db, name)
    room = count_games(ctx, player)
    wish = lobby_challenges.propose_challenge(
        player, challenged, request.args, ctx.app.offered, room, names, ctx.now
    )
    _check_new_challenge(ctx, wish)
    check_limits(ctx, wish.challenger, wish.challenged, wish.rules)
    check_words(words, wish.rules, wish.options)
    kept = challenges.add_challenge(ctx.db, wish)
    return [
        to_player("challenge", kept.challenged, about=kept.id, challenge=kept, comment=words),
        to_player("offered", kept.challenger, challenge=kept),
    ]


def _check_new_challenge(ctx: Context, wish: Challenge) -> None:
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


def _choose(request: Request) -> Challenge:
    ctx, player, command = request.ctx, request.player, request.command
    if command.args["offer"] not in ("", "challenge"):
        raise Refusal(
            f'No game is named, so answer the letter of the game with "{command.text}", or write its number '
            "on the line above."
        )
    waiting = challenges.open_challenges(ctx.db, ctx.app.games_by_key, player, ctx.now, lock=True)
    wanted, about = command.args["number"], request.sender.about
    number = wanted or about
    if ctx.when.again and not number:  # the mail cannot answer what came after it
        waiting = [challenge for challenge in waiting if challenge.created_at <= ctx.at]
    settled = challenges.find_challenge(ctx.db, ctx.app.games_by_key, number) if number else None
    if settled is not None and settled[1] == "accepted" and player in settled[0].pair:
        raise Refusal(f"Challenge {number} was accepted before; it is game {settled[2]}.")
    if wanted and challenges.is_open_seek(ctx.db, wanted, ctx.now):
        raise Refusal(f"{wanted} is a seek; `take {wanted}` takes it.")
    to_me = any(each.challenged.id == player.id for each in waiting)
    if not (number or to_me) and (game := _game_with_offer(ctx, player)):
        raise Refusal(
            f"No challenge waits for you. Something is on offer in game {game}: to answer that, write "
            f"`game {game}` on a line and `{command.verb}` on the line below it."
        )
    return lobby_challenges.choose_challenge(player, waiting, wanted, about, command.verb)


def _game_with_offer(ctx: Context, player: Player) -> int | None:
    for listed in games.running_of_player(ctx.db, ctx.app.games_by_key, player):
        game = games.load_game(ctx.db, ctx.app.games_by_key, listed.id)
        seat = game.seat_of(player) if game is not None else None
        if game is not None and seat is not None and offers_to(game.state, seat):
            return listed.id
    return None


def _accept(request: Request) -> list[Letter]:
    return start_game(request.ctx, _choose(request), request.player, request.block.comment)


def _decline(request: Request) -> list[Letter]:
    db, challenge, words = request.ctx.db, _choose(request), request.block.comment
    check_words(words, challenge.rules, challenge.options)
    challenges.close_challenge(db, challenge.id, "declined")
    words = "" if limits.blocked(db, *challenge.pair) else words
    mine = to_player("declined", challenge.challenged, challenge=challenge, mine=True, comment="")
    theirs = to_player("declined", challenge.challenger, challenge=challenge, mine=False, comment=words)
    return [theirs, replace(mine, needed=True)]


COMMANDS: Handlers = {"challenge": _challenge, "accept": _accept, "decline": _decline}


# The start of a game, for seeks too.


def count_games(ctx: Context, player: Player) -> lobby_challenges.GameCount:
    running, _ = games.count_running(ctx.db, player)
    finished = games.count_finished_in_time(ctx.db, player)
    return lobby_challenges.GameCount(running, finished, ctx.app.config.running_games)


def check_own_limits(ctx: Context, player: Player, rules: Rules) -> None:
    own = limits.limits_of_player(ctx.db, player)
    if lobby_limits.limit_reached(own, rules, limits.count_running_of_kind(ctx.db, player, rules.key)):
        raise Refusal(lobby_limits.own_limit_sentence(rules, own))


def check_not_barred(player: Player) -> None:
    if player.barred:
        raise Refusal(lobby_limits.barred_sentence(player))


def check_limits(ctx: Context, asks: Player, other: Player, rules: Rules) -> None:
    """Raise Refusal if a block or a limit prevents a game.

    Of the limits of `other` it reveals only that no game can begin now.
    """
    check_not_barred(asks)
    if other.name in limits.limits_of_player(ctx.db, asks).names:
        raise Refusal(lobby_limits.own_block_sentence(other.name))
    check_own_limits(ctx, asks, rules)
    theirs = limits.limits_of_player(ctx.db, other)
    running = limits.count_running_of_kind(ctx.db, other, rules.key)
    if limits.blocked(ctx.db, asks, other) or lobby_limits.limit_reached(theirs, rules, running):
        raise Refusal(lobby_limits.no_game_now_sentence(rules, other.name))


def check_words(words: str, rules: Rules, options: Mapping[str, Any]) -> None:
    refuse_too_long(words)
    if words and first_conditional_command(words.split("\n"), rules.begin(options, 0).read) is not None:
        raise Refusal(PLANNED_TOO_SOON)


def start_game(ctx: Context, challenge: Challenge, player: Player, comment: str) -> list[Letter]:
    """Start the game that `player` accepts; returns both first letters, the other's with `comment`."""
    for seated in sorted(challenge.pair, key=lambda seated: seated.id):
        locks.advisory_lock(ctx.db, f"games of {seated.id}")
    check_words(comment, challenge.rules, challenge.options)
    if (mine := count_games(ctx, player)).full:
        raise Refusal(lobby_challenges.too_many_games_sentence(mine))
    if count_games(ctx, challenge.challenger).full:
        raise Refusal(f"{challenge.challenger.name} has no room for another game just now; try again later.")
    check_limits(ctx, player, challenge.challenger, challenge.rules)
    seats = lobby_challenges.seats_for(challenge, ctx.app.rng)
    seed = ctx.app.rng.getrandbits(53)
    # values drawn by the seed are options from now on
    options = challenge.rules.begin(challenge.options, seed).options
    terms = (challenge.rated, ctx.now, challenge.time_control, challenge.soft)
    game = games.add_game(ctx.db, challenge.rules, options, seed, seats, *terms)
    entry = lobby_challenges.opening_entry(game)
    begun = game.with_entries([entry])
    games.append_entries(ctx.db, game, begun.state, [entry])
    challenges.close_challenge(ctx.db, challenge.id, "accepted", game.id)
    seat = begun.seat_of(player)
    assert seat is not None
    return decide.start_letters(begun, ctx.site, challenge, seat, comment)
