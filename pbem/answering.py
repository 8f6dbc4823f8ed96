"""Which of several offers `accept` and `decline` answer: those in a game, and challenges.

What was named is meant, else the offer of the letter replied to, else the only one. A choice is left to
the player.
"""

from __future__ import annotations

from pbem.core.agreeing import offers_to
from pbem.core.lobby import Refusal
from pbem.core.orders import Block
from pbem.core.people import Player
from pbem.desk import Desk, Person
from pbem.store import challenges, games
from pbem.which_game import game_of_block


def offered_in_game(desk: Desk, person: Person, block: Block) -> list[str]:
    """What the other has offered in the game that a block is about: draw, pause, undo."""
    game = game_of_block(desk, person, block)
    seat = game.seat_of(person.player) if game is not None else None
    return [] if game is None or seat is None else offers_to(game.state, seat)


def answers_game(person: Person, block: Block) -> bool:
    """Whether an answer is about one game: it answers a letter of that game, or stands below its number."""
    return block.game is not None or (person.since is not None and person.bundle is None and not person.about)


def offered_somewhere(desk: Desk, player: Player) -> int | None:
    """The first of the player's running games in which the other has offered something."""
    for listed in games.running(desk.db, desk.office.shelf, player):
        game = games.load(desk.db, desk.office.shelf, listed.id)
        seat = game.seat_of(player) if game is not None else None
        if game is not None and seat is not None and offers_to(game.state, seat):
            return listed.id
    return None


def must_choose(desk: Desk, person: Person, block: Block, verb: str) -> None:
    """Raise Refusal where a bare `accept` may be for a game as well as for a challenge.

    Who answers a letter of a game, or one about a challenge, has said which. Where that game has nothing
    on offer, no more, a challenge that happens to wait is not meant.
    """
    if person.about or (person.bundle is not None and block.game is None):
        return
    offers = offered_in_game(desk, person, block)
    if offers and answers_game(person, block):
        return
    waiting = challenges.waiting(desk.db, desk.office.shelf, person.player, desk.now)
    numbers = [str(wish.id) for wish in waiting if wish.challenged.id == person.player.id]
    choices = " or ".join(f"`{verb} {what}`" for what in [*offers, *numbers])
    if offers and numbers:
        raise Refusal(f"Several offers are open; write {choices}.")
    game = game_of_block(desk, person, block)
    if game is not None and numbers and answers_game(person, block):
        raise Refusal(f"Nothing is on offer in game {game.id}; to answer a challenge, write {choices}.")
