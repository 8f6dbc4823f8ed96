"""The commands `set`, `stop` and `start`, which one letter answers, and `remind` and `digest`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from pbem.commands import context
from pbem.commands.boards import waiting_boards
from pbem.core.clock.dates import next_digest, read_hour, zone_of
from pbem.core.errors import Refusal
from pbem.core.letters.boards import letter_with_boards
from pbem.core.letters.letter import Letter, to_player
from pbem.core.players import DIGEST_TOO, TOKEN, Player
from pbem.core.preferences import letter_kinds, preferences
from pbem.core.preferences import reminders as reminder_times
from pbem.core.preferences.letter_kinds import REMINDERS
from pbem.duties import digest, paper, puzzles, reminders, seek_letters, tokens
from pbem.mail.outbound.times import zones
from pbem.outbox.unsubscribe import unsubscribe_page
from pbem.store import bundles, games, locks, players
from pbem.store.engine import Connection
from pbem.store.zones import set_zone

_SCHEDULES: Mapping[str, Callable[[Connection, Player, str, datetime], None]] = {
    puzzles.CATEGORY: puzzles.schedule_daily,
    paper.CATEGORY: paper.schedule_paper,
    seek_letters.CATEGORY: seek_letters.schedule,
}
"""Preferences for letters that come by the clock, and what has the next one due; each is a category too."""


@context.handles("set")
def _set(request: context.Request) -> list[Letter]:
    ctx, player, args = request.ctx, request.player, request.args
    if args["key"] in ("", "all"):
        return [_settings_letter(ctx, player, [], every=bool(args["key"]))]
    key, value = preferences.read_preference(args["key"], args["value"], zones())
    row = preferences.PREFERENCES[key]
    if key == TOKEN and value:
        return request.answer("token", token=tokens.new_token(ctx.app, ctx.db, player))
    if row.reminds:
        locks.lock_running_games(ctx.db, player.id)
    if row.category:
        players.set_category_stopped(ctx.db, player, row.category, stop=not value)
    elif key == TOKEN:
        tokens.end_token(ctx.db, player)
    elif key == "zone":
        set_zone(ctx.db, player, value, ctx.now)
        players.set_preference(ctx.db, player, preferences.BY_MAIL, False)
    else:
        players.set_preference(ctx.db, player, row.field or key, value)
    if key in _SCHEDULES:
        _SCHEDULES[key](ctx.db, player, value, ctx.now)
        if value != "off":
            players.set_category_stopped(ctx.db, player, key, stop=False)
    if row.reminds:
        reschedule_all(ctx, player)
    return [_settings_letter(ctx, player, [key])]


@context.handles("stop")
def _stop(request: context.Request) -> list[Letter]:
    categories = _set_stopped(request, stop=True)
    if len(categories) > 1:
        return [_settings_letter(request.ctx, request.player, [])]
    return [stopped_letter(request.ctx, request.player, categories[0])]


@context.handles("start")
def _start(request: context.Request) -> list[Letter]:
    ctx, player = request.ctx, request.player
    categories = _set_stopped(request, stop=False)
    letters = [_settings_letter(ctx, player, categories)]
    if "turns" in categories and (boards := waiting_boards(ctx, player)).views:
        letters.append(letter_with_boards("bundle", player, boards, every=False))
    return letters


@context.handles("remind")
def _remind(request: context.Request) -> list[Letter]:
    ctx, player, words = request.ctx, request.player, request.args["times"]
    if words:
        times = reminder_times.read_times(words)
        locks.lock_running_games(ctx.db, player.id)
        players.set_preference(ctx.db, player, "remind", times)
        if times != reminder_times.OFF:
            players.set_category_stopped(ctx.db, player, REMINDERS.name, stop=False)
        reschedule_all(ctx, player)
    now = players.player_by_id(ctx.db, player.id) or player
    times, quiet = now.preferences.remind, now.preferences.quiet
    return [to_player("remind", now, times=times, quiet=quiet, stopped=REMINDERS.name in now.stopped)]


def reschedule_all(ctx: context.Context, player: Player) -> None:
    for number in locks.lock_running_games(ctx.db, player.id):
        ctx.games.pop(number, None)
        if game := ctx.game(number):
            games.reschedule(ctx.db, game, ctx.now)


@context.handles("digest")
def _digest(request: context.Request) -> list[Letter]:
    ctx, word, player = request.ctx, request.args["hour"].lower(), request.player
    hour, zone = player.preferences.digest, player.preferences.zone
    if word:
        hour = None if word in ("off", "none") else read_hour(word)
        if hour is None and word not in ("off", "none"):
            raise Refusal("A digest comes at a full hour: write `digest 7`, `digest 19:00` or `digest off`.")
    elif digest.CATEGORY in player.stopped:
        hour = None  # it is set, but stopped
    due = None if hour is None else next_digest(ctx.now, hour, zone_of(zone))
    if word:
        players.set_preference(ctx.db, player, "digest", hour)
        players.set_preference(ctx.db, player, DIGEST_TOO, bool(request.args["too"]))
        bundles.move_digest(ctx.db, player.id, due)
    if word and hour is not None:
        players.set_category_stopped(ctx.db, player, digest.CATEGORY, stop=False)
    now = players.player_by_id(ctx.db, player.id) or player
    too = "turns" not in now.unsent
    return request.answer("daily", hour=hour, due=due, zone=zone, stopped="turns" in player.stopped, too=too)


def _set_stopped(request: context.Request, *, stop: bool) -> Sequence[str]:
    categories = letter_kinds.categories_of(request.args["category"])
    for category in categories:
        players.set_category_stopped(request.ctx.db, request.player, category, stop=stop)
    return categories


def _settings_letter(
    ctx: context.Context, player: Player, changed: Sequence[str], *, every: bool = False
) -> Letter:
    """The player's preferences, read anew; `changed` are keys and categories."""
    now = players.player_by_id(ctx.db, player.id) or player
    return to_player(
        "settings",
        now,
        settings=preferences.preference_values(now),
        shown=list(preferences.PREFERENCES if every else preferences.MOST_USED),
        stopped=sorted(now.stopped),
        changed=list(changed),
        calendar=reminders.feed_address(ctx.app, now),
        spare=now.spare,
        now=ctx.now,
    )


def stopped_letter(ctx: context.Context, player: Player, category: str) -> Letter:
    resume = unsubscribe_page(ctx.app, player, category)
    return to_player("stopped", player, category=category, resume=resume)


def merge_settings_letters(letters: Sequence[Letter]) -> list[Letter]:
    told = [letter for letter in letters if letter.kind == "settings"]
    if len(told) < 2:
        return list(letters)
    changed = list(dict.fromkeys(key for letter in told for key in letter.told["changed"]))
    facts = {**told[0].told, **told[-1].told, "changed": changed}
    one = replace(told[-1], facts=facts, untold=told[0].untold)
    return [*(letter for letter in letters if letter.kind != "settings"), one]
