"""Checks of whether a game can begin: bars, blocks, limits, room and strength."""

from dataclasses import replace
from datetime import datetime, timedelta

from pbem.app import App
from pbem.core.errors import Refusal
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.lobby import limits as lobby_limits
from pbem.core.lobby.challenges import Challenge, Seek
from pbem.core.players import Player
from pbem.duties.strength import check_strength
from pbem.store import challenges, clubs, games, limits
from pbem.store.engine import Connection
from rules.contract import Rules


def count_games(app: App, db: Connection, player: Player) -> lobby_challenges.GameCount:
    running = games.count_running_with_people(db, player)
    finished = games.count_finished_in_time(db, player)
    return lobby_challenges.GameCount(running, finished, app.config.running_games)


def check_not_barred(player: Player) -> None:
    if player.barred:
        raise Refusal(lobby_limits.barred_sentence(player))


def check_can_write(db: Connection, asks: Player, other: Player) -> None:
    """Raise Refusal if a bar or a block is between two players, of whom one asks the other something."""
    check_not_barred(asks)
    if other.id == asks.id:
        raise Refusal("That is your own name.")
    if limits.blocked(db, asks, other):
        raise Refusal(f"No question of yours can go to {other.name} at present.")


MAX_IN_VAIN, IN_VAIN_TO_ONE = 40, 6
"""Maximum wishes in a day that bring nothing. Two numbers: in all, and to one other."""


def check_in_vain(db: Connection, player: Player, other: Player, now: datetime) -> None:
    """Raise Refusal if too many wishes of a day brought nothing, also where they were withdrawn.

    Challenges, rematches, challenges on ladders, and questions about clubs are one count.
    """
    since = now - timedelta(days=1)
    every, to_one = challenges.count_unsuccessful(db, player, other, since)
    to_one += clubs.count_questions(db, player.id, other.address, since)
    if to_one >= IN_VAIN_TO_ONE:
        raise Refusal(f"{to_one} wishes of yours went to {other.name} within a day; wait until tomorrow.")
    if every >= MAX_IN_VAIN:
        raise Refusal(f"{every} challenges of yours went out within a day; wait until tomorrow.")


def check_own_limits(db: Connection, player: Player, rules: Rules, more: int = 0) -> None:
    own = limits.limits_of_player(db, player)
    if lobby_limits.limit_reached(own, rules, limits.count_running_of_kind(db, player, rules.key) + more):
        raise Refusal(lobby_limits.own_limit_sentence(rules, own))


def check_limits(db: Connection, asks: Player, other: Player, rules: Rules, more: int = 0) -> None:
    """Raise Refusal if a block or a limit prevents a game, or so many `more` besides.

    Of the limits of `other` it reveals only that no game can begin now.
    """
    check_not_barred(asks)
    if other.name in limits.limits_of_player(db, asks).blocked_names:
        raise Refusal(f"You have blocked {other.name}; `unblock {other.name}` ends that.")
    check_own_limits(db, asks, rules, more)
    theirs = limits.limits_of_player(db, other)
    running = limits.count_running_of_kind(db, other, rules.key) + more
    if limits.blocked(db, asks, other) or lobby_limits.limit_reached(theirs, rules, running):
        who = f"No game of {rules.name} with {other.name} can begin at present"
        raise Refusal(f"{who}; `seeks` lists who waits for one.")


def check_room(app: App, db: Connection, challenge: Challenge, player: Player, more: int = 0) -> None:
    """Raise Refusal if this challenge, to one game and so many `more`, cannot be."""
    mine = count_games(app, db, player)
    if replace(mine, running=mine.running + more).full:
        raise Refusal(lobby_challenges.too_many_games_sentence(mine))
    theirs = count_games(app, db, challenge.challenger)
    if replace(theirs, running=theirs.running + more).full:
        raise Refusal(f"{challenge.challenger.name} has no room for another game just now; try again later.")
    check_limits(db, player, challenge.challenger, challenge.rules, more)


def has_enough_rated(db: Connection, rules: Rules, pair: tuple[Player, Player], now: datetime) -> bool:
    """True if two players have had all rated games of this period."""
    since = now - lobby_challenges.RATED_TOGETHER_PERIOD
    begun = games.count_rated_together(db, rules.key, pair, since)
    return begun >= lobby_challenges.RATED_TOGETHER


def check_take(
    db: Connection, seek: Seek | None, state: str, number: int, player: Player, now: datetime
) -> Seek:
    """The seek, if it waits for somebody like the player."""
    if seek is not None and seek.up_to and challenges.plays_standing_seek(db, seek, player):
        raise Refusal(
            f"You have taken seek {number} before, and that game still runs; `games` lists your games."
        )
    wanted = lobby_challenges.check_can_take(seek, state, number, player, now)
    check_strength(db, wanted, player, now)
    return wanted


def can_take(app: App, db: Connection, seek: Seek, player: Player, now: datetime) -> bool:
    """True if the player could take an open seek now."""
    try:
        check_take(db, seek, "open", seek.id, player, now)
        check_room(app, db, Challenge(**vars(seek), challenged=player), player)
    except Refusal:
        return False
    return True
