"""The commands `vacation` and `back`. They move the clocks of all running games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, tzinfo

from pbem.actions.context import Context, Handler, KnownPlayer
from pbem.actions.reminders import reschedule_all
from pbem.core.clock import vacation
from pbem.core.clock.dates import read_date
from pbem.core.clock.schedule import hour_on_day, zone_of
from pbem.core.clock.vacation import Vacation
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.players import Player
from pbem.store import game_locks, locks, vacations

DAY = timedelta(days=1)


def _vacation(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    player, args = sender.player, command.args
    if args["cancel"]:
        return _cancel(ctx, player)
    if not args["days"] and not args["from"]:
        return [_vacation_letter(ctx, player)]
    # games first: a holder of a game lock may ask for the player's days off
    game_locks.lock_running_games(ctx.db, player.id)
    locks.advisory_lock(ctx.db, locks.vacation_lock_name(player))
    begins, ends = _requested_times(
        args["days"], args["from"], args["to"], ctx.at, zone_of(player.preferences.zone)
    )
    taken = _vacations_of(ctx, player)
    wanted = vacation.plan_vacation(player.created_at, taken, begins, ends, ctx.at)
    for each in taken:
        if (shorter := vacation.shorten_automatic(each, wanted.begins)) is not each:
            vacations.end_vacation(ctx.db, each, shorter.ends)
    vacations.store_vacation(ctx.db, player.id, wanted)
    return [_apply_change(ctx, player)]


def _requested_times(
    days: int, first: str, last: str, now: datetime, zone: tzinfo
) -> tuple[datetime, datetime]:
    """Begin and end of a vacation. Two dates go by the player's clock."""
    if days:
        return now, now + days * DAY
    today = now.astimezone(zone).date()
    begins = read_date(first, today)
    ends = read_date(last, begins, today) + DAY
    return hour_on_day(begins, 0, zone), hour_on_day(ends, 0, zone)


def _cancel(ctx: Context, player: Player) -> list[Letter]:
    game_locks.lock_running_games(ctx.db, player.id)
    planned = [block for block in _vacations_of(ctx, player) if block.begins > ctx.at]
    if not planned:
        running = vacation.vacation_at(_vacations_of(ctx, player), ctx.at)
        raise Refusal(
            "Your vacation has begun; `back` ends it." if running else "You have no vacation planned."
        )
    for block in planned:
        vacations.end_vacation(ctx.db, block, block.begins)
    return [_apply_change(ctx, player, "cancelled")]


def _back(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    game_locks.lock_running_games(ctx.db, sender.player.id)
    running = vacation.vacation_at(_vacations_of(ctx, sender.player), ctx.when.agreement_time)
    if running is None:
        raise Refusal("You are not on vacation.")
    vacations.end_vacation(ctx.db, running, ctx.when.agreement_time)
    return [_apply_change(ctx, sender.player, "back")]


def _apply_change(ctx: Context, player: Player, change: str = "") -> Letter:
    reschedule_all(ctx, player)
    return _vacation_letter(ctx, player, change)


def _vacation_letter(ctx: Context, player: Player, change: str = "") -> Letter:
    taken = _vacations_of(ctx, player)
    running = vacation.vacation_at(taken, ctx.at)
    planned = [block for block in taken if block.begins > ctx.at]
    left = vacation.saved_time(player.created_at, taken, ctx.at)
    return to_player("vacation", player, running=running, planned=planned, left=left // DAY, change=change)


def _vacations_of(ctx: Context, player: Player) -> Sequence[Vacation]:
    return vacations.vacations_of_players(ctx.db, [player.id])[player.id]


COMMANDS: Mapping[str, Handler] = {
    "vacation": _vacation,
    "back": _back,
}
