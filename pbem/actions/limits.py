"""The commands `limit`, `block` and `unblock`, with their answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

from pbem.actions.context import Desk, Person
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import challenges
from pbem.core.lobby.limits import read_limit
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import Block
from pbem.core.players import Player
from pbem.store import limits as limit_rows
from pbem.store import locks, outbox, players


def _limit(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    if not command.args["game"]:
        return [_told(desk, person.player)]
    rules = challenges.find_rules(command.args["game"], desk.app.offered)
    locks.one_at_a_time(desk.db, f"games of {person.player.id}")
    limit_rows.limit(desk.db, person.player, rules.key, read_limit(command.args))
    return [_told(desk, person.player, rules.key)]


def _block(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    if not command.args["name"]:
        return [_told(desk, person.player)]
    other = _named(desk, command.args["name"])
    if other.id == person.player.id:
        raise Refusal("That is your own name.")
    locks.one_at_a_time(desk.db, f"games of {person.player.id}")
    limit_rows.block(desk.db, person.player, other, desk.now)
    return [_told(desk, person.player, other.name)]


def _unblock(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    other = _named(desk, command.args["name"])
    if other.name not in limit_rows.of(desk.db, person.player).names:
        raise Refusal(f"You have not blocked {other.name}.")
    limit_rows.unblock(desk.db, person.player, other)
    return [_told(desk, person.player, other.name)]


def _named(desk: Desk, name: str) -> Player:
    other = players.by_name(desk.db, name)
    if other is None or other.gone:
        raise Refusal(challenges.unknown_player(name, players.names_like(desk.db, name)))
    return other


def _told(desk: Desk, player: Player, changed: str = "") -> Letter:
    """The letter with the player's limits and blocks. `changed` is the game or player in question."""
    now = limit_rows.of(desk.db, player)
    known = desk.app.shelf
    limits = [
        (known[key], most, limit_rows.running_of(desk.db, player, key))
        for key, most in sorted(now.limits.items())
        if key in known
    ]
    return to_player("bounds", player, limits=limits, blocked=now.names, changed=changed)


BOUNDING: Mapping[str, Callable[[Desk, Person, Block, Command], list[Letter]]] = {
    "limit": _limit,
    "block": _block,
    "unblock": _unblock,
}

HOUR = timedelta(hours=1)


def caused_too_often(desk: Desk, player: Player, other: Player) -> bool:
    """True if a player's letters to another reached the hourly limit."""
    sent = outbox.count_caused(desk.db, player.id, other.address, desk.now - HOUR)
    return sent >= desk.app.settings.letters_per_hour
