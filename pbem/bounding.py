"""The commands `limit`, `block` and `unblock`, with their answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pbem.core import lobby
from pbem.core.bounds import read_limit
from pbem.core.letters import Letter, to_player
from pbem.core.lines import Command
from pbem.core.lobby import Refusal
from pbem.core.orders import Block
from pbem.core.people import Player
from pbem.desk import Desk, Person
from pbem.store import bounds, people


def _limit(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    if not command.args["game"]:
        return [_told(desk, person.player)]
    rules = lobby.find_rules(command.args["game"], desk.office.offered)
    people.one_at_a_time(desk.db, f"games of {person.player.id}")
    bounds.limit(desk.db, person.player, rules.key, read_limit(command.args))
    return [_told(desk, person.player, rules.key)]


def _block(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    if not command.args["name"]:
        return [_told(desk, person.player)]
    other = _named(desk, command.args["name"])
    if other.id == person.player.id:
        raise Refusal("That is your own name.")
    people.one_at_a_time(desk.db, f"games of {person.player.id}")
    bounds.block(desk.db, person.player, other, desk.now)
    return [_told(desk, person.player, other.name)]


def _unblock(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    other = _named(desk, command.args["name"])
    if other.name not in bounds.of(desk.db, person.player).names:
        raise Refusal(f"You have not blocked {other.name}.")
    bounds.unblock(desk.db, person.player, other)
    return [_told(desk, person.player, other.name)]


def _named(desk: Desk, name: str) -> Player:
    other = people.by_name(desk.db, name)
    if other is None or other.gone:
        raise Refusal(lobby.unknown_player(name, people.names_like(desk.db, name)))
    return other


def _told(desk: Desk, player: Player, changed: str = "") -> Letter:
    """The letter with the player's limits and blocks. `changed` is the game or player in question."""
    now = bounds.of(desk.db, player)
    known = desk.office.shelf
    limits = [
        (known[key], most, bounds.running_of(desk.db, player, key))
        for key, most in sorted(now.limits.items())
        if key in known
    ]
    return to_player("bounds", player, limits=limits, blocked=now.names, changed=changed)


BOUNDING: Mapping[str, Callable[[Desk, Person, Block, Command], list[Letter]]] = {
    "limit": _limit,
    "block": _block,
    "unblock": _unblock,
}
