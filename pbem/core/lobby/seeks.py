"""Seeks: public offers to play. They share their numbers with challenges, so no number means two things."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.lobby.challenges import GameCount, Seek, seek_for
from pbem.core.players import Player
from rules.contract import Rules

SEEK_DAYS = 30
MAX_SEEKS = 5


def new_seek(
    seeker: Player,
    wanted: Mapping[str, Any],
    offered: Mapping[str, Rules],
    room: GameCount,
    waiting: Sequence[Seek],
    now: datetime,
) -> Seek:
    """The seek for the arguments of a `seek` command, not yet numbered. `waiting` holds the open ones."""
    seek = seek_for(seeker, wanted, offered, room, now, SEEK_DAYS)
    mine = [other for other in waiting if other.seeker.id == seeker.id]
    for other in mine:
        if _terms(other) == _terms(seek):  # the mail may have come twice
            raise Refusal(
                f"Your seek {other.id} for the same game waits already; `withdraw {other.id}` takes it back."
            )
    if len(mine) >= MAX_SEEKS:
        raise Refusal(
            f"You have {len(mine)} seeks open, and that is as many as anybody may have; "
            f"`withdraw {mine[0].id}` takes one back."
        )
    return seek


def _terms(seek: Seek) -> tuple[object, ...]:
    """Equal for two seeks of one player for the same game."""
    return seek.rules.key, dict(seek.options), seek.seats, seek.rated, seek.time_control, seek.soft


def check_can_take(seek: Seek | None, state: str, number: int, taker: Player, now: datetime) -> Seek:
    if seek is None:
        raise Refusal(f"There is no seek {number}; `seeks` lists those that wait.")
    if seek.seeker.id == taker.id:
        raise Refusal(f"Seek {number} is your own; `withdraw {number}` takes it back.")
    if state == "accepted":
        raise Refusal(f"Seek {number} has been taken; `seeks` lists those that wait.")
    if state != "open" or seek.expires_at <= now:
        raise Refusal(f"Seek {number} is not open any more; `seeks` lists those that wait.")
    return seek


def choose_withdrawal(mine: Mapping[int, Seek], wanted: int | None, about: int) -> Seek:
    """The player's own open seek or challenge that `withdraw` means; `about` is that of the letter, or 0."""
    number = wanted or (about if about in mine else 0)
    if number and number in mine:
        return mine[number]
    if number:
        raise Refusal(f"You have no open seek or challenge with the number {number}.")
    if not mine:
        raise Refusal("You have no seek or challenge open.")
    if len(mine) > 1:
        raise Refusal(f"Several of yours are open; write {' or '.join(f'`withdraw {id}`' for id in mine)}.")
    return next(iter(mine.values()))


def expects_take_or_put(game: Game) -> bool:
    if game.state.ending is not None:
        return False
    words = game.rules.words
    return any(words.get(example.split(" ")[0]) == "cell" for example in game.state.position.examples())
