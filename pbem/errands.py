"""Steps 5 to 7 for a player: what the mail asks for, game by game.

Loads what a command is about, lets `pbem.core` decide, and keeps what was decided. A command that
cannot be carried out becomes a sentence in a letter; only the commands of one game stand and fall
together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from pbem.club import ERRANDS
from pbem.core import play
from pbem.core.game import Game
from pbem.core.letters import KINDS, Letter, ReplyTo, to_player
from pbem.core.lobby import Refusal
from pbem.core.orders import Block, Command, Orders
from pbem.core.people import Player
from pbem.core.play import Decision, Request
from pbem.core.view import look_on
from pbem.core.words import first_lines
from pbem.desk import Desk
from pbem.recognise import Person
from pbem.store import games, post
from rules.contract import Seat

HOUR = timedelta(hours=1)
ANSWERS = tuple(name for name, kind in KINDS.items() if kind.answers)


@dataclass(frozen=True)
class Filing:
    """What became of a mail: its state, a note for the operator, and the letters that come of it."""

    state: str
    detail: str = ""
    letters: tuple[Letter, ...] = ()
    player: Player | None = None
    game_id: int | None = None


def attend_person(desk: Desk, person: Person) -> Filing:
    """Do what a player's mail asks for."""
    if _answered_too_often(desk, person.player):
        return Filing("refused", "more mails in an hour than are answered", (), person.player)
    if desk.inbound.kind == "refused":
        return _refusal(desk, person, [desk.inbound.reason])
    return carry_out(desk, person, desk.orders(person.game_id))


def _answered_too_often(desk: Desk, player: Player) -> bool:
    sent = post.count_letters(desk.db, player.address, desk.now - HOUR, ANSWERS)
    return sent >= desk.office.settings.letters_per_hour


def carry_out(desk: Desk, person: Person, orders: Orders) -> Filing:
    """Carry out orders block by block; each game's stand or fall by themselves."""
    desk.office.step("read")
    if orders.problem:
        return _refusal(desk, person, [orders.problem])
    letters: list[Letter] = []
    refused: list[str] = []
    for block in orders.blocks:
        block_letters, problem = _carry_out_block(desk, person, block)
        letters += block_letters
        refused += [problem] if problem else []
    desk.office.step("decide")
    state = "refused" if refused and len(refused) == len(orders.blocks) else "done"
    return Filing(state, " / ".join(refused), tuple(letters), person.player, person.game_id)


def _carry_out_block(desk: Desk, person: Person, block: Block) -> tuple[list[Letter], str]:
    """One game's commands, and those of the lobby that stand among them.

    A command that is not offered yet stops its whole block: who wrote `draw` below a move may not
    want the one without the other.
    """
    later = [command.args["word"] for command in block.commands if command.verb == "later"]
    if later:
        problem = f"`{later[0]}` is not offered here yet, so nothing of this was done."
        read = [command.text for command in block.commands]
        return list(_refusal(desk, person, [problem], read).letters), problem
    about_game = [command for command in block.commands if command.verb in play.VERBS]
    elsewhere = [command for command in block.commands if command.verb not in play.VERBS]
    letters: list[Letter] = []
    problem = ""
    if about_game or (block.said and not elsewhere):
        letters, problem = _play(desk, person, block, about_game)
    wrong: list[str] = []
    for command in elsewhere:
        try:
            letters += ERRANDS[command.verb](desk, person, block, command)
        except Refusal as refusal:
            wrong.append(str(refusal))
    if wrong:
        letters += _refusal(desk, person, wrong, [command.text for command in elsewhere]).letters
    return letters, problem or " / ".join(wrong)


def _play(desk: Desk, person: Person, block: Block, commands: Sequence[Command]) -> tuple[list[Letter], str]:
    number = block.game if block.game is not None else person.game_id
    game = desk.game(number) if number is not None else None
    if game is None:
        sentence = (
            "This mail belongs to no game; answer a letter of the game, or write its number on a line "
            "before your move, such as `game 42`."
            if number is None
            else f"There is no game {number}."
        )
        return list(_refusal(desk, person, [sentence], [c.text for c in commands]).letters), sentence
    seat = game.seat_of(person.player)
    if seat is None:
        return _look_on(desk, person, game, commands)
    since = person.since if number == person.game_id else None
    request = Request(seat, commands, block.comment, block.said, desk.at, since, desk.site)
    decision = play.decide(game, request)
    return keep(desk, game, seat, decision), decision.refused


def _look_on(desk: Desk, person: Person, game: Game, commands: Sequence[Command]) -> tuple[list[Letter], str]:
    """Anybody may see any game; only its players may do more."""
    if not commands or any(command.verb not in ("show", "moves") for command in commands):
        sentence = f"You do not play in game {game.id}; you can `show` it and list its `moves`."
        return list(_refusal(desk, person, [sentence], [c.text for c in commands]).letters), sentence
    seen = look_on(game, person.player, desk.site)
    return [play.look(seen, command) for command in commands], ""


def keep(desk: Desk, game: Game, seat: Seat, decision: Decision) -> list[Letter]:
    """Write the new entries; a resignation that is asked about gets its question."""
    games.append(desk.db, game, decision.state, decision.entries, None)
    desk.games[game.id] = game.with_entries(decision.entries)
    if not decision.asks_resign:
        return list(decision.letters)
    player = game.seats[seat]
    data = {"game": game.id, "seat": seat}
    question = desk.ask("resign", player.address, data)
    return [
        replace(letter, reply=ReplyTo("confirm", question)) if letter.kind == "resign" else letter
        for letter in decision.letters
    ]


def _refusal(desk: Desk, person: Person, problems: Sequence[str], read: Sequence[str] = ()) -> Filing:
    """Nothing was done, and why; with the board where the mail was about a game."""
    found = [] if read else first_lines(desk.inbound.words)
    facts: dict[str, Any] = {"problems": list(problems), "read": list(read), "found": found}
    game = desk.game(person.game_id) if person.game_id is not None else None
    seat = game.seat_of(person.player) if game is not None else None
    if game is not None and seat is not None:
        request = Request(seat, [], "", False, desk.at, None, desk.site)
        letter = play.refuse(game, request, problems[0], found).letters[0]
        letter = replace(letter, facts=facts)
    else:
        letter = to_player("refused", person.player, about=person.about, **facts)
    return Filing("refused", " / ".join(problems), (letter,), person.player, person.game_id)
