"""The commands `vacation` and `back`. They move the clocks of all running games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta, tzinfo
from typing import Any

from pbem.core import vacation
from pbem.core.dates import BadDate, read_date
from pbem.core.digest import on_day, zone_of
from pbem.core.letters import Letter, to_player
from pbem.core.lines import Command
from pbem.core.lobby import Refusal
from pbem.core.orders import Block
from pbem.core.people import Player
from pbem.core.vacation import Vacation
from pbem.desk import Desk, Person
from pbem.reminding import reschedule_all
from pbem.store import locking, pauses, people

DAY = timedelta(days=1)


def _vacation(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    player, args = person.player, command.args
    if args["cancel"]:
        return _cancel(desk, player)
    if not args["days"] and not args["from"]:
        return [_told(desk, player)]
    locking.lock_running(
        desk.db, player.id
    )  # games first: a holder of a game lock may ask for the player's days off
    people.one_at_a_time(desk.db, people.days_off_of(player))
    begins, ends = _asked_for(args["days"], args["from"], args["to"], desk.at, zone_of(player.wishes.zone))
    taken = _taken(desk, player)
    wanted = vacation.planned(player.created_at, taken, begins, ends, desk.at)
    for each in taken:
        if (shorter := vacation.cut_short(each, wanted.begins)) is not each:
            pauses.shorten(desk.db, each, shorter.ends)
    pauses.take(desk.db, player.id, wanted)
    return [_kept(desk, player)]


def _asked_for(days: int, first: str, last: str, now: datetime, zone: tzinfo) -> tuple[datetime, datetime]:
    """Begin and end of a vacation. Two dates go by the player's clock."""
    if days:
        return now, now + days * DAY
    today = now.astimezone(zone).date()
    try:
        begins = read_date(first, today)
        ends = read_date(last, begins, today) + DAY
    except BadDate as wrong:
        raise Refusal(str(wrong)) from None
    return on_day(begins, 0, zone), on_day(ends, 0, zone)


def _cancel(desk: Desk, player: Player) -> list[Letter]:
    locking.lock_running(desk.db, player.id)
    planned = [block for block in _taken(desk, player) if block.begins > desk.at]
    if not planned:
        running = vacation.running(_taken(desk, player), desk.at)
        raise Refusal(
            "Your vacation has begun; `back` ends it." if running else "You have no vacation planned."
        )
    for block in planned:
        pauses.shorten(desk.db, block, block.begins)
    return [_kept(desk, player, "cancelled")]


def _back(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    locking.lock_running(desk.db, person.player.id)
    running = vacation.running(_taken(desk, person.player), desk.when.settled)
    if running is None:
        raise Refusal("You are not on vacation.")
    pauses.shorten(desk.db, running, desk.when.settled)
    return [_kept(desk, person.player, "back")]


def _kept(desk: Desk, player: Player, change: str = "") -> Letter:
    """Adjust the clocks of the player's games, and write the letter."""
    reschedule_all(desk, player)
    return _told(desk, player, change)


def _told(desk: Desk, player: Player, change: str = "") -> Letter:
    """The letter about the player's vacation. `change`: one was `cancelled`, or the player is `back`."""
    taken = _taken(desk, player)
    running = vacation.running(taken, desk.at)
    planned = [block for block in taken if block.begins > desk.at]
    left = vacation.saved(player.created_at, taken, desk.at)
    facts: dict[str, Any] = {"running": running, "planned": planned, "left": left // DAY, "change": change}
    return to_player("vacation", player, **facts)


def _taken(desk: Desk, player: Player) -> Sequence[Vacation]:
    return pauses.taken(desk.db, [player.id])[player.id]


DAYS_OFF: Mapping[str, Callable[[Desk, Person, Block, Command], list[Letter]]] = {
    "vacation": _vacation,
    "back": _back,
}
