"""The start of a game from an accepted challenge or taken seek."""

from collections.abc import Mapping
from typing import Any

from pbem.actions.context import Context
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.lobby import limits
from pbem.core.lobby.message_limits import refuse_too_long
from pbem.core.parsing.line import first_conditional_command
from pbem.core.play import decide
from pbem.core.players import Player
from pbem.store import challenges, games, locks
from pbem.store import limits as limit_rows
from rules.contract import Rules

PLANNED_TOO_SOON = (
    "There is a line of a plan among your words, and nobody else is to see it, so nothing was done; a plan "
    "can be made once the game has begun, in answer to any of its letters."
)


def count_games(ctx: Context, player: Player) -> lobby_challenges.GameCount:
    running, _ = games.count_running(ctx.db, player)
    finished = games.count_finished_in_time(ctx.db, player)
    return lobby_challenges.GameCount(running, finished, ctx.app.config.running_games)


def check_own_limits(ctx: Context, player: Player, rules: Rules) -> None:
    """Raise Refusal if the player's own limit prevents a game."""
    own = limit_rows.limits_of_player(ctx.db, player)
    if limits.limit_reached(own, rules, limit_rows.count_running_of_kind(ctx.db, player, rules.key)):
        raise Refusal(limits.own_limit_sentence(rules, own))


def check_not_barred(player: Player) -> None:
    if player.barred:
        raise Refusal(limits.barred_sentence(player))


def check_limits(ctx: Context, asks: Player, other: Player, rules: Rules) -> None:
    """Raise Refusal if a block or a limit prevents a game.

    About the limits of `other` it reveals only that no game can begin now.
    """
    check_not_barred(asks)
    if other.name in limit_rows.limits_of_player(ctx.db, asks).names:
        raise Refusal(limits.own_block_sentence(other.name))
    check_own_limits(ctx, asks, rules)
    theirs = limit_rows.limits_of_player(ctx.db, other)
    running = limit_rows.count_running_of_kind(ctx.db, other, rules.key)
    if limit_rows.blocked(ctx.db, asks, other) or limits.limit_reached(theirs, rules, running):
        raise Refusal(limits.no_game_now_sentence(rules, other.name))


def check_words(words: str, rules: Rules, options: Mapping[str, Any]) -> None:
    refuse_too_long(words)
    if words and first_conditional_command(words.split("\n"), rules.begin(options, 0).read) is not None:
        raise Refusal(PLANNED_TOO_SOON)


def start_game(
    ctx: Context, challenge: lobby_challenges.Challenge, player: Player, comment: str
) -> list[Letter]:
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
