"""The commands `vacation` and `back`, which adjust the player's clocks in all running games."""

from datetime import datetime, tzinfo

from pbem.commands import context, preferences
from pbem.commands.examples import days_off
from pbem.core.clock import dates, vacation
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter
from pbem.store import locks, vacations


@context.handles("vacation")
def _vacation(request: context.Request) -> list[Letter]:
    ctx, player, args = request.ctx, request.player, request.args
    if args["cancel"]:
        return _cancel(request)
    if not args["days"] and not args["from"]:
        return _vacation_letter(request)
    # games first: a holder of a game lock may ask for the player's days off
    locks.lock_running_games(ctx.db, player.id)
    locks.advisory_lock(ctx.db, locks.vacation_lock_name(player))
    zone = dates.zone_of(player.preferences.zone)
    begins, ends = _requested_times(args["days"], args["from"], args["to"], ctx.at, zone)
    taken = _vacations(request)
    wanted = vacation.plan_vacation(player.created_at, taken, begins, ends, ctx.at)
    for each in taken:
        if (shorter := vacation.shorten_automatic(each, wanted.begins)) is not each:
            vacations.end_vacation(ctx.db, each, shorter.ends)
    vacations.store_vacation(ctx.db, player.id, wanted)
    return _apply_change(request)


def _requested_times(
    days: int, first: str, last: str, now: datetime, zone: tzinfo
) -> tuple[datetime, datetime]:
    if days:
        return now, now + days * context.DAY
    today = now.astimezone(zone).date()
    begins = dates.read_date(first, today)
    ends = dates.read_date(last, begins, today) + context.DAY
    return dates.hour_on_day(begins, 0, zone), dates.hour_on_day(ends, 0, zone)


def _cancel(request: context.Request) -> list[Letter]:
    ctx = request.ctx
    locks.lock_running_games(ctx.db, request.player.id)
    taken = _vacations(request)
    planned = [block for block in taken if block.begins > ctx.at]
    if not planned:
        running = vacation.vacation_at(taken, ctx.at)
        raise Refusal(
            "Your vacation has begun; `back` ends it." if running else "You have no vacation planned."
        )
    for block in planned:
        vacations.end_vacation(ctx.db, block, block.begins)
    return _apply_change(request, "cancelled")


@context.handles("back")
def _back(request: context.Request) -> list[Letter]:
    ctx = request.ctx
    locks.lock_running_games(ctx.db, request.player.id)
    running = vacation.vacation_at(_vacations(request), ctx.when.agreement_time)
    if running is None:
        raise Refusal("You are not on vacation.")
    vacations.end_vacation(ctx.db, running, ctx.when.agreement_time)
    return _apply_change(request, "back")


def _apply_change(request: context.Request, change: str = "") -> list[Letter]:
    preferences.reschedule_all(request.ctx, request.player)
    return _vacation_letter(request, change)


def _vacation_letter(request: context.Request, change: str = "") -> list[Letter]:
    taken, at = _vacations(request), request.ctx.at
    running = vacation.vacation_at(taken, at)
    planned = [block for block in taken if block.begins > at]
    left = vacation.saved_time(request.player.created_at, taken, at) // context.DAY
    facts = {"running": running, "planned": planned, "left": left, "change": change}
    return request.answer("vacation", **facts, possible=days_off(request.ctx, request.player))


def _vacations(request: context.Request) -> tuple[vacation.Vacation, ...]:
    return vacations.vacations_of_players(request.ctx.db, [request.player.id])[request.player.id]
