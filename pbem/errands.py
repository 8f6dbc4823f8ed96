"""Steps 5 to 7 for a player: the mail's commands, game by game.

Loads what a command needs, lets `pbem.core` decide, and stores the decision. A command that fails becomes a
sentence in a letter; the commands of one game succeed or fail together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Any

from pbem.answering import answers_game, must_choose, offered_in_game
from pbem.bundling import answered_to_bundle, one_answer
from pbem.club import ERRANDS
from pbem.core import play
from pbem.core.agreeing import AGREEMENTS
from pbem.core.bundle import Bundle, between_boards
from pbem.core.doubts import is_silent
from pbem.core.game import Game
from pbem.core.hints import hint, is_move
from pbem.core.journal import LASTS
from pbem.core.letters import KINDS, Letter, ReplyTo, about_game, to_player
from pbem.core.lines import Command, any_of, read_line
from pbem.core.lobby import Refusal
from pbem.core.looking import LOOKS, look, no_such_ply
from pbem.core.orders import Block, Orders, games_named
from pbem.core.people import Player
from pbem.core.repeating import repeated, too_much, words_below
from pbem.core.table import Request
from pbem.core.untold import telling
from pbem.core.view import look_on, view
from pbem.core.window import CAREFUL, ends_wait
from pbem.core.words import first_lines
from pbem.decisions import commit, make_held
from pbem.desk import Desk, Disposition, Person
from pbem.notebook import no_room
from pbem.preferences import told_once
from pbem.recognise import since_in
from pbem.reporting import ALONE, stands_alone
from pbem.store import bounds, games, post
from pbem.store.post import Code
from pbem.timekeeper import TooSoon, strike
from pbem.which_game import game_for, game_of_block, homeless, number_meant
from rules.contract import Seat, other

HOUR = timedelta(hours=1)
HURRIED = timedelta(minutes=10)
"""How long after a ply was taken back unseen another `undo` is taken for the same wish."""
UNSEEN = "took back a ply that nobody else had seen"
ANSWERS = tuple(name for name, kind in KINDS.items() if kind.answers)


def attend_person(desk: Desk, person: Person) -> Disposition:
    """Do what a player's mail asks for."""
    return within_ration(desk, person.player.address, _attend(desk, person))


def _attend(desk: Desk, person: Person) -> Disposition:
    if desk.inbound.kind == "refused":
        return _refusal(desk, person, [desk.inbound.reason])
    meant = person if person.game_id is not None else replace(person, game_id=game_for(desk, person))
    orders = desk.orders(meant.game_id)
    told = person.since is not None or person.bundle is not None
    if told or not any(_begins_another(desk, meant, block) for block in orders.blocks):
        return carry_out(desk, meant, orders)
    begins = any(command.verb in BEGINNERS for block in orders.blocks for command in block.commands)
    apart = desk.orders(None if begins else meant.game_id, one=False)
    return carry_out(desk, replace(person, game_id=None), apart)


def _begins_another(desk: Desk, person: Person, block: Block) -> bool:
    """True if a block is about a future or declined game. A move below it is not for a running game."""
    lobby = [command for command in block.commands if command.verb in CARRIERS | {"seek"}]
    return block.game is None and not all(_is_of_game(desk, person, block, command) for command in lobby)


def within_ration(desk: Desk, address: str, filing: Disposition) -> Disposition:
    """What was done for an address, without answers where it has had as many within the hour as anybody gets.

    So a machine that writes for a player uses up answers, but loses none of the player's moves.
    """
    sent = post.count_letters(desk.db, address, desk.now - HOUR, ANSWERS)
    if sent < desk.office.settings.letters_per_hour:
        return filing
    letters = tuple(each for each in filing.letters if each.address != address or each.kind not in ANSWERS)
    return replace(filing, letters=letters, code=filing.code | Code.UNANSWERED)


def caused_too_often(desk: Desk, player: Player, other: Player) -> bool:
    """True if a player's letters to another reached the hourly limit."""
    sent = post.count_caused(desk.db, player.id, other.address, desk.now - HOUR)
    return sent >= desk.office.settings.letters_per_hour


def carry_out(desk: Desk, person: Person, orders: Orders) -> Disposition:
    """Carry out orders block by block; each game's stand or fall by themselves."""
    desk.office.step("read")
    problem = _without_number(desk, person, orders)
    if problem:
        filing = _refusal(
            desk,
            person,
            [problem, *(orders.remarks or _hints(desk, person, nothing_read=orders.nothing_read))],
        )
        told = telling(filing.letters, person.player, Block(None), desk.inbound.below)
        return replace(filing, letters=tuple(told))
    blocks = [block for block in orders.blocks if person.bundle is None or _asks(block)] or orders.blocks[:1]
    results = [
        _carry_out_block(desk, person, block, desk.inbound.below if block is blocks[-1] else "")
        for block in blocks
    ]
    desk.office.step("decide")
    result = _together(results)
    letters = one_answer(desk, person.player, told_once(result.letters))
    state, detail = "done" if result.done else "refused", " / ".join(result.problems)
    return Disposition(state, detail, tuple(letters), person.player, person.game_id, result.code)


def _hints(desk: Desk, person: Person, *, nothing_read: bool) -> list[str]:
    """What may have been meant by a mail without orders; the moves of a game that is none are no moves."""
    if unknown := [number for number in games_named(desk.inbound.words) if desk.game(number) is None]:
        return [f"There is no game {unknown[0]}."]
    if not nothing_read:
        return []
    if person.game_id is None and is_move(desk.inbound.words):
        return [homeless(desk, person.player)]
    return list(filter(None, [hint(desk.inbound.words, next(iter(desk.office.offered), "bipod"))]))


def _asks(block: Block) -> bool:
    """True if anything stands below a game's number. A reply to a bundle may leave games out."""
    return bool(block.commands or block.said or block.comment)


def _without_number(desk: Desk, person: Person, orders: Orders) -> str:
    """A sentence on why the commands cannot be carried out, or "".

    An answer to several boards must name the game of each move. A move below a quoted board may be for that
    one or for the game named earlier, so it is not played at all.
    """
    bundle = person.bundle
    if bundle is None or bundle.only_game is not None or (orders.problem and not orders.nothing_read):
        return orders.problem
    below = between_boards(desk.inbound.text)
    if not orders.problem and not (below and _any_order(desk, bundle, below)):
        return ""
    return (
        f"The letter you answered is about several games, so a line such as `game {min(bundle.entries)}` "
        "must stand before each move, and the move on the line below it."
    )


def _any_order(desk: Desk, bundle: Bundle, lines: Sequence[str]) -> bool:
    """True if a line is a command or the bundle's move."""
    readers = [reader for number in sorted(bundle.entries) if (reader := desk.reader(number)) is not None]
    return any(read_line(line, any_of(readers)) is not None for line in lines)


@dataclass(frozen=True)
class Result:
    """The result of one block: letters, problems, and True if anything was done."""

    letters: list[Letter]
    problems: list[str]
    done: bool
    code: Code = Code.NONE


def _together(results: Sequence[Result]) -> Result:
    """What came of several blocks, or of the parts of one."""
    return Result(
        [letter for result in results for letter in result.letters],
        [problem for result in results for problem in result.problems],
        any(result.done for result in results),
        reduce(or_, (result.code for result in results), Code.NONE),
    )


BEGINNERS = frozenset({"challenge", "accept", "take"})
CARRIERS = BEGINNERS | {"decline"}
"""Lobby commands that carry a comment."""


UNSENT = (
    "The subject of your mail is that of an automatic reply, so none of its words went to anybody; "
    "moves and commands are carried out. Please write the words again under another subject."
)


def in_silence(desk: Desk, person: Person, block: Block) -> Result:
    """One game's commands without their words, and a letter about it."""
    bare = replace(block, comment="", said=False)
    done = _carry_out_block(desk, person, bare, "") if block.commands else Result([], [], False)
    untold = _refused_block(desk, person, block, UNSENT, first_lines(block.comment))
    return _together([done, untold])


def _carry_out_block(desk: Desk, person: Person, block: Block, below: str) -> Result:
    """The result of one block, with a notice of unsent words."""
    result = _done(desk, person, block)
    return replace(result, letters=telling(result.letters, person.player, block, below))


def _done(desk: Desk, person: Person, block: Block) -> Result:
    """One game's commands, and those of the lobby that stand among them."""
    if asked := _asked_elsewhere(desk, person, block):
        return asked
    if block.comment and is_silent(desk.inbound):
        return in_silence(desk, person, block)
    if problem := _not_at_all(desk, person, block):
        return _refused_block(desk, person, block, problem, [command.text for command in block.commands])
    about_game = [command for command in block.commands if _is_of_game(desk, person, block, command)]
    elsewhere = [command for command in block.commands if command not in about_game]
    parts: list[Result] = []
    spoken = block.said and not any(command.verb in CARRIERS for command in elsewhere)
    if about_game or spoken:
        parts.append(_play(desk, person, block, about_game))
    parts += [_errand(desk, person, block, command) for command in elsewhere]
    if not parts:
        problem = f"There was no move or command for game {block.game} in your mail. {hint(block.comment)}"
        if block.game is not None and desk.game(block.game) is None:
            problem = f"There is no game {block.game}."
        return _refused_block(desk, person, block, problem.strip(), [])
    return _together(parts)


def _not_at_all(desk: Desk, person: Person, block: Block) -> str:
    """Why no command of a block can be carried out, "" where none stands in the way."""
    if not stands_alone(block):
        return ALONE
    try:
        for command in block.commands:
            if command.verb in play.ANSWERS and not (command.args["number"] or command.args["offer"]):
                must_choose(desk, person, block, command.verb)
    except Refusal as refusal:
        return str(refusal)
    return ""


def _asked_elsewhere(desk: Desk, person: Person, block: Block) -> Result | None:
    """The question about commands for another game than the reply address's.

    None if there is none. A person with one forwarded letter of a game must not play in all games of its
    owner. Showing games is allowed.
    """
    if person.bound is None or block.game in (None, person.bound):
        return None
    game = desk.game(block.game) if block.game is not None else None
    seat = game.seat_of(person.player) if game is not None else None
    acts = any(command.verb in play.VERBS.keys() - play.LOOKS for command in block.commands)
    if game is None or seat is None or not (acts or block.comment):
        return None
    words = words_below(desk.inbound.words, game.id)
    shown = repeated(desk.read(words, desk.inbound.marked, game.id))
    seen = view(game.seen_by(seat), seat, desk.site)
    letter = about_game("elsewhere", seen, other=person.bound, words=shown)
    if too_much(shown):
        letter = replace(letter, facts={**letter.facts, "words": []})
    else:
        since = since_in(desk, person, game)
        data = {
            "words": words,
            "marked": desk.inbound.marked,
            "game": game.id,
            "since": since,
            "shown": shown,
        }
        letter = replace(letter, reply=ReplyTo("confirm", desk.ask("orders", person.player.address, data)))
    return Result([letter], [f"asked about game {game.id}, below the address of game {person.bound}"], False)


def _is_of_game(desk: Desk, person: Person, block: Block, command: Command) -> bool:
    """True if a command is about a game. `accept` and `decline` are if that game has an open offer."""
    if command.verb not in CARRIERS:
        return command.verb in play.VERBS
    if command.verb in ("challenge", "take") or command.args["number"]:
        return False
    if command.args["offer"]:
        return command.args["offer"] in LASTS and game_of_block(desk, person, block) is not None
    if answers_game(person, block):
        return game_of_block(desk, person, block) is not None
    return bool(offered_in_game(desk, person, block)) and not person.about


def _errand(desk: Desk, person: Person, block: Block, command: Command) -> Result:
    try:
        return Result(ERRANDS[command.verb](desk, person, block, command), [], True)
    except Refusal as refusal:
        return _refused_block(desk, person, block, str(refusal), [command.text])


def _refused_block(desk: Desk, person: Person, block: Block, problem: str, read: Sequence[str]) -> Result:
    filing = _refusal(desk, person, [problem], read, block.game)
    return Result(list(filing.letters), [problem], False)


def _play(desk: Desk, person: Person, block: Block, commands: Sequence[Command]) -> Result:
    number = number_meant(person, block)
    game = desk.game(number) if number is not None else None
    read = [command.text for command in commands]
    if game is None:
        problem = homeless(desk, person.player) if number is None else f"There is no game {number}."
        return _refused_block(desk, person, block, problem, read)
    seat = game.seat_of(person.player)
    if seat is None:
        return _look_on(desk, person, block, game, commands)
    if problem := no_room(desk, person.player, game, commands):
        return _refused_block(desk, person, block, problem, read)
    if any(c.verb == "claim" for c in commands) and post.waits_before(desk.db, desk.at, desk.mail):
        raise TooSoon  # an earlier mail may hold a move
    settles = bool(commands) and all(command.verb in AGREEMENTS for command in commands)
    by = desk.when.until(settles=settles)
    game, struck = strike(desk.office, desk.db, game, by, besides=desk.mail)
    since = since_in(desk, person, game)
    apart = bounds.apart(desk.db, *game.seats)
    request = Request(seat, commands, block.comment, block.said, desk.when, since, desk.site, apart)
    request = with_waiting(request, desk, person.player)
    if any(c.verb == "undo" for c in commands) and (result := _unmade(desk, game, seat, request)):
        return replace(result, letters=struck + result.letters)
    decision = play.decide(game.seen_by(seat), request)
    if decision.talks and caused_too_often(desk, person.player, game.seats[other(seat)]):
        name = game.seats[other(seat)].name
        problem = f"You have sent {name} too many messages in the last hour. Please try again later."
        decision = play.refuse(game.seen_by(seat), request, problem)
    if game.held is not None and ends_wait(game.held, seat, decision):
        game, made = make_held(desk.office, desk.db, game, desk.now)
        struck += made
        decision = play.decide(game, request)
    letters = struck + commit(desk, game, seat, decision)
    refused = decision.filed or decision.refused
    return Result(letters, [refused] if refused else [], not refused)


def _look_on(desk: Desk, person: Person, block: Block, game: Game, commands: Sequence[Command]) -> Result:
    """Show any game to anybody; everything else is for its players."""
    if not commands or any(command.verb not in LOOKS for command in commands):
        problem = (
            f"You do not play in game {game.id}; you can `show` it, list its `moves`, `try` some, "
            f"or `watch {game.id}`."
        )
        return _refused_block(desk, person, block, problem, [command.text for command in commands])
    seen = look_on(game, person.player, desk.site)
    problem = next(filter(None, (no_such_ply(seen.state, command) for command in commands)), "")
    if problem:
        return _refused_block(desk, person, block, problem, [command.text for command in commands])
    letters = [look(seen, command) for command in commands]
    problems = [trial.problem for letter in letters if (trial := letter.facts.get("trial")) and trial.problem]
    return Result(letters, problems, not problems)


def with_waiting(request: Request, desk: Desk, player: Player) -> Request:
    """The request with the player's undo window, zero in development mode."""
    settings, wish = desk.office.settings, player.wishes.undo
    if settings.development:
        return request
    window = timedelta(minutes=settings.undo_minutes if wish is None else wish)
    return replace(request, window=window, careful=CAREFUL)


def _unmade(desk: Desk, game: Game, seat: Seat, request: Request) -> Result | None:
    """The result of an `undo` without asking the other, or None."""
    if game.held is not None and game.held.seat == seat:
        return take_back(desk, game, seat, request)
    problem = _hurried(desk, game, seat)
    if not problem:
        return None
    return Result(list(play.refuse(game, request, problem).letters), [problem], False)


def take_back(desk: Desk, game: Game, seat: Seat, request: Request) -> Result:
    """Drop the pending move, which only its owner has seen."""
    if len(request.commands) > 1 or request.comment:
        decision = play.refuse(
            game,
            request,
            "Your ply waits still, and `undo` takes it back if nothing else is in the mail; that could be "
            "meant for the game with it or without it.",
        )
        return Result(list(decision.letters), [decision.refused], False)
    gone = game.seen_by(seat).state.plies[-1]
    desk.games[game.id] = game = games.hold(desk.db, game, None)
    letter = about_game("undo", view(game, seat, desk.site), undo="withdrawn", ply=gone, since=0, words="")
    return Result([replace(letter, needed=True)], [UNSEEN], True, Code.UNSEEN)


def _hurried(desk: Desk, game: Game, seat: Seat) -> str:
    """The refusal of an `undo` soon after another, or "".

    A player who writes it twice wants that one ply back, and not to ask for the one before it.
    """
    since = post.unseen_since(desk.db, game.id, game.seats[seat].id, desk.at - HURRIED)
    own = [ply for ply in game.state.plies if ply.seat == seat]
    if since is None or not own or own[-1].at > since:
        return ""
    return (
        f"You have just taken your ply back, before anybody saw it, so it is gone. To ask "
        f"{game.seats[other(seat)].name} to let you take back ply {own[-1].n} too, which was made before it, "
        f"write `undo` again after {since + HURRIED:%H:%M} UTC."
    )


def _refusal(
    desk: Desk,
    person: Person,
    problems: Sequence[str],
    read: Sequence[str] = (),
    number: int | None = None,
) -> Disposition:
    """What was not done, and why; with the board of game `number`, else of the one the mail is about."""
    facts: dict[str, Any] = {
        "problems": list(problems),
        "read": list(read),
        "found": [] if read else first_lines(desk.inbound.words),
    }
    meant = number if number is not None else person.game_id
    game = desk.game(meant) if meant is not None else None
    seat = game.seat_of(person.player) if game is not None else None
    if game is not None and seat is not None:
        letter = about_game("refused", view(game, seat, desk.site), **facts)
    else:
        letter = to_player("refused", person.player, about=person.about, **facts)
        letter = answered_to_bundle(person, letter)
    return Disposition("refused", " / ".join(problems), (letter,), person.player, person.game_id)
