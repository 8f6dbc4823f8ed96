"""The command `forget me`: confirmed by a letter, then done for good.

Running games are resigned, so that nobody waits for a forgotten player; finished ones stay under a neutral
name. One transaction: a player is forgotten completely or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime

from pbem.actions.context import Desk, Person
from pbem.actions.decisions import commit, make_held
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import Block
from pbem.core.play import decide
from pbem.core.players import Player, same_address
from pbem.store import challenges, erase, game_locks, games, locks, seeks
from pbem.store.engine import Connection
from pbem.store.games import Shelf
from rules.contract import Seat


def _forget(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    player = person.player
    question = desk.ask("forget", same_address(player.address), {})
    running = games.running(desk.db, desk.app.shelf, player)
    facts = {"running": running, "played": len(games.of_player(desk.db, player)) - len(running)}
    return [Letter("forget", player.address, player, ReplyTo("confirm", question), facts=facts)]


def forgotten(desk: Desk, player: Player) -> list[Letter]:
    """Forget a player who has confirmed it. Returns the letters to others, and the last one."""
    game_locks.lock_running(desk.db, player.id)
    locks.one_at_a_time(desk.db, f"addresses of {player.id}")
    locks.one_at_a_time(desk.db, f"challenges of {player.id}")
    letters = [*_resigned(desk, player), *withdrawn(desk.db, desk.app.shelf, player, desk.now)]
    erase.forget(desk.db, player, desk.mail, desk.now)
    others = [letter for letter in letters if letter.player is not None and letter.player.id != player.id]
    return [*others, Letter("forgotten", player.address, None, facts={"name": player.name})]


def _resigned(desk: Desk, player: Player) -> list[Letter]:
    """Every running game is given up."""
    letters: list[Letter] = []
    for listed in games.running(desk.db, desk.app.shelf, player):
        game = desk.game(listed.id)
        seat: Seat | None = game.seat_of(player) if game is not None else None
        if game is None or seat is None:
            continue
        if game.held is not None:
            game, made = make_held(desk.app, desk.db, game, desk.now)
            letters += made
        decision = decide.confirmed_resignation(game, seat, "", desk.when, desk.site)
        letters += commit(desk, game, seat, decision) if not decision.refused else []
    return letters


def withdrawn(db: Connection, shelf: Shelf, player: Player, now: datetime) -> list[Letter]:
    """Close the player's challenges and seeks, and tell the others."""
    letters: list[Letter] = []
    for wish in challenges.waiting(db, shelf, player, now, lock=True):
        mine = wish.challenger.id == player.id
        challenges.settle(db, wish.id, "withdrawn" if mine else "declined")
        if mine:
            letters.append(to_player("withdrawn", wish.challenged, wish=wish, mine=False))
        else:
            letters.append(to_player("declined", wish.challenger, challenge=wish, mine=False, comment=""))
    for seek in seeks.mine(db, shelf, player, now):
        if seeks.locked(db, shelf, seek.id)[1] == "open":
            challenges.settle(db, seek.id, "withdrawn")
    return letters


FORGETTING: Mapping[str, Callable[[Desk, Person, Block, Command], list[Letter]]] = {"forget": _forget}
