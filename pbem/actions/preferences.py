"""The commands `set`, `stop` and `start`, with one letter for all: see `merge_settings_letters`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.actions.boards import waiting_boards
from pbem.actions.calendar import feed_address
from pbem.actions.context import Context, Handler, KnownPlayer
from pbem.actions.reminders import reschedule_all
from pbem.core.game.letter_kinds import categories_of
from pbem.core.game.preferences import PREFERENCES, preference_values, read_preference
from pbem.core.letters.boards import Boards, letter_with_boards
from pbem.core.letters.letter import Letter, to_player
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.players import Player
from pbem.mail.outbound.times import zones
from pbem.outbox.unsubscribe import unsubscribe_page
from pbem.store import game_locks, players


def _set(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    if not command.args["key"]:
        return [settings_letter(ctx, sender.player, [])]
    key, value = read_preference(command.args["key"], command.args["value"], zones())
    row = PREFERENCES[key]
    if row.reminds:
        game_locks.lock_running_games(ctx.db, sender.player.id)
    if row.category:
        players.set_category_stopped(ctx.db, sender.player, row.category, stop=not value)
    else:
        players.set_preference(ctx.db, sender.player, row.field or key, value)
    if row.reminds:
        reschedule_all(ctx, sender.player)
    return [settings_letter(ctx, sender.player, [key])]


def _stop(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    categories = categories_of(command.args["category"])
    for category in categories:
        players.set_category_stopped(ctx.db, sender.player, category)
    if len(categories) > 1:
        return [settings_letter(ctx, sender.player, [])]
    return [stopped_letter(ctx, sender.player, categories[0])]


def _start(ctx: Context, sender: KnownPlayer, block: GameBlock, command: Command) -> list[Letter]:
    categories = categories_of(command.args["category"])
    for category in categories:
        players.set_category_stopped(ctx.db, sender.player, category, stop=False)
    told = [settings_letter(ctx, sender.player, list(categories))]
    boards = waiting_boards(ctx, sender.player) if "turns" in categories else Boards()
    return [*told, letter_with_boards("bundle", sender.player, boards, every=False)] if boards.views else told


def settings_letter(ctx: Context, player: Player, changed: Sequence[str]) -> Letter:
    """The player's preferences, read anew; `changed` are keys and categories."""
    now = players.player_by_id(ctx.db, player.id) or player
    facts: dict[str, Any] = {
        "settings": preference_values(now),
        "stopped": sorted(now.stopped),
        "changed": list(changed),
        "calendar": feed_address(ctx.app, now),
    }
    return to_player("settings", now, **facts, now=ctx.now)


def stopped_letter(ctx: Context, player: Player, category: str) -> Letter:
    """The letter about a stopped category, and how to start it again."""
    resume = unsubscribe_page(ctx.app, player, category)
    return to_player("stopped", player, category=category, resume=resume)


def merge_settings_letters(letters: Sequence[Letter]) -> list[Letter]:
    """The letters, with those about preferences merged into one."""
    told = [letter for letter in letters if letter.kind == "settings"]
    if len(told) < 2:
        return list(letters)
    changed = list(dict.fromkeys(key for letter in told for key in letter.facts["changed"]))
    last = told[-1]
    one = replace(last, facts={**last.facts, "changed": changed})
    return [*(letter for letter in letters if letter.kind != "settings"), one]


COMMANDS: Mapping[str, Handler] = {
    "set": _set,
    "stop": _stop,
    "start": _start,
}
