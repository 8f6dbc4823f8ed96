"""Letters about several games: the boards that wait, and one answer to a mail about many of them.

Boards are only looked at, without locking their games; what was seen of each is kept with the bundle,
and a move sent in answer is judged by that.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

from pbem.core.bundle import MERGED, MOST_BOARDS, Boards, several_games, with_boards
from pbem.core.game import Game
from pbem.core.letters import Letter
from pbem.core.lines import Command
from pbem.core.orders import Block
from pbem.core.people import Player
from pbem.core.view import View, look_on
from pbem.desk import Desk, Person
from pbem.office import Office
from pbem.store import bundles, games
from pbem.store.engine import Connection, is_gone

log = logging.getLogger("pbem.post")

NONE: Mapping[int, Game] = {}


def gather(
    office: Office,
    db: Connection,
    player: Player,
    now: datetime,
    *,
    known: Mapping[int, Game] = NONE,
    every: bool = False,
) -> Boards:
    """The boards that wait for a player, the longest waiting first; with `every` all his running ones.

    `known` are games already read, as they are now. The bundle is kept if it shows any board.
    """
    numbers = bundles.waiting(db, player, every=every)
    seen = (each for each in views_of(office, db, player, numbers, known) if every or each.your_turn)
    views = list(islice(seen, MOST_BOARDS))
    if not views:
        return Boards()
    shown = {view.id: view.entry for view in views}
    rows = {row.id: row for row in games.running(db, office.shelf, player)}
    rest = [rows[number] for number in numbers if number in rows and number not in shown]
    return Boards(views, rest, bundles.add(db, player, shown, now))


def views_of(
    office: Office,
    db: Connection,
    player: Player,
    numbers: Iterable[int],
    known: Mapping[int, Game] = NONE,
) -> Iterable[View]:
    """The games as the player sees them; those that cannot be read here are left out."""
    for number in numbers:
        game = known.get(number) or readable(office, db, number)
        if game is not None:
            yield look_on(game, player, office.settings.host)


def readable(office: Office, db: Connection, number: int) -> Game | None:
    """A game among others; None where it cannot be read, for the others are not to wait for it."""
    try:
        game = games.load(db, office.shelf, number)
        return game if game is None or game.state else None
    except Exception as error:
        if is_gone(error):
            raise
        log.exception("game %d cannot be read, and is left out of a letter", number)
        return None


def boards_letter(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    """`boards`, `boards all`: the answer."""
    every = bool(command.args["every"])
    boards = waiting_boards(desk, person.player, every=every)
    return [with_boards("bundle", person.player, boards, every=every)]


def one_answer(desk: Desk, player: Player, letters: Sequence[Letter]) -> list[Letter]:
    """The letters, the player's own answers merged into one where they are about several games.

    Who wants no receipts gets none here either, as long as everything was done.
    """
    mine = [letter for letter in letters if _is_answer(letter, player)]
    if not any(letter.wanted for letter in mine) or not several_games(mine):
        return list(letters)
    others = [letter for letter in letters if not _is_answer(letter, player)]
    return [with_boards("receipts", player, waiting_boards(desk, player), items=mine), *others]


def _is_answer(letter: Letter, player: Player) -> bool:
    return letter.kind in MERGED and letter.player is not None and letter.player.id == player.id


def waiting_boards(desk: Desk, player: Player, *, every: bool = False) -> Boards:
    """The boards that wait for a player, or all of them, as this mail leaves them."""
    return gather(desk.office, desk.db, player, desk.now, known=desk.games, every=every)


def answered_to_bundle(person: Person, letter: Letter) -> Letter:
    """A refusal about no game, to be answered like the bundle that the refused mail answered."""
    if person.bundle is None or letter.reply.use != "player":
        return letter
    return replace(letter, reply=replace(letter.reply, use="bundle", id=person.bundle.id, about=0))
