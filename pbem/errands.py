"""Steps 5 to 7: what is done for the person who was recognised.

Loads what a command is about, lets `pbem.core` decide, and keeps what was decided. A command that
cannot be carried out becomes a sentence in a letter; only the commands of one game stand and fall
together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from pbem.core import lobby, play
from pbem.core.game import Game
from pbem.core.letters import Letter, ReplyTo, to_player
from pbem.core.lobby import Refusal, Room
from pbem.core.orders import KEYWORDS, Block, Command, Orders
from pbem.core.people import Player
from pbem.core.play import Decision, Request
from pbem.core.view import look_on
from pbem.core.words import first_lines
from pbem.desk import Desk
from pbem.recognise import Confirming, Person, Stranger, Unproven
from pbem.store import games, people, post
from pbem.store.engine import Conflict
from pbem.templates import rules_text
from rules.contract import Seat

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NO_CLOCK = "Games here have no clock yet, so the time was left out: play when you like."


@dataclass(frozen=True)
class Filing:
    """What became of a mail: its state, a note for the operator, and the letters that come of it."""

    state: str
    detail: str = ""
    letters: tuple[Letter, ...] = ()
    player: Player | None = None
    game_id: int | None = None


def attend(desk: Desk, who: Person | Confirming | Unproven | Stranger) -> Filing:
    """Do what the mail asks for, as far as its writer may."""
    match who:
        case Person():
            return _attend_person(desk, who)
        case Confirming():
            return _attend_answer(desk, who)
        case Unproven():
            return _ask_for_proof(desk, who)
        case Stranger():
            return _attend_stranger(desk, who)


# Somebody known.


def _attend_person(desk: Desk, person: Person) -> Filing:
    if _answered_too_often(desk, person.player):
        return Filing("refused", "more mails in an hour than are answered", (), person.player)
    if desk.inbound.kind == "refused":
        return _refusal(desk, person, [desk.inbound.reason])
    return carry_out(desk, person, desk.orders(person.game_id))


def _answered_too_often(desk: Desk, player: Player) -> bool:
    sent = post.count_letters(desk.db, player.address, desk.now - HOUR)
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
    """One game's commands, and those of the lobby that stand among them."""
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
    return _keep(desk, game, seat, decision), decision.refused


def _look_on(desk: Desk, person: Person, game: Game, commands: Sequence[Command]) -> tuple[list[Letter], str]:
    """Anybody may see any game; only its players may do more."""
    if not commands or any(command.verb not in ("show", "moves") for command in commands):
        sentence = f"You do not play in game {game.id}; you can `show` it and list its `moves`."
        return list(_refusal(desk, person, [sentence], [c.text for c in commands]).letters), sentence
    seen = look_on(game, person.player, desk.site)
    return [play.look(seen, command) for command in commands], ""


def _keep(desk: Desk, game: Game, seat: Seat, decision: Decision) -> list[Letter]:
    """Write the new entries; a resignation that is asked about gets its question."""
    games.append(desk.db, game, decision.state, decision.entries, None)
    desk.games[game.id] = game.with_entries(decision.entries)
    if not decision.asks_resign:
        return list(decision.letters)
    player = game.seats[seat]
    data = {"game": game.id, "seat": seat}
    question = _ask(desk, "resign", player.address, data)
    return [
        replace(letter, reply=ReplyTo("confirm", question)) if letter.kind == "resign" else letter
        for letter in decision.letters
    ]


def _ask(desk: Desk, purpose: str, address: str, data: Mapping[str, Any]) -> int:
    until = desk.now + timedelta(days=lobby.CONFIRM_DAYS)
    return people.ask(desk.db, purpose, address, data, desk.now, until).id


def _refusal(desk: Desk, person: Person, problems: Sequence[str], read: Sequence[str] = ()) -> Filing:
    """Nothing was done, and why; with the board where the mail was about a game."""
    found = [] if read else first_lines(desk.inbound.words)
    facts = {"problems": list(problems), "read": list(read), "found": found}
    game = desk.game(person.game_id) if person.game_id is not None else None
    seat = game.seat_of(person.player) if game is not None else None
    if game is not None and seat is not None:
        request = Request(seat, [], "", False, desk.at, None, desk.site)
        letter = play.refuse(game, request, problems[0], found).letters[0]
        letter = replace(letter, facts=facts)
    else:
        letter = to_player("refused", person.player, about=person.about, **facts)
    return Filing("refused", " / ".join(problems), (letter,), person.player, person.game_id)


# The lobby's commands: (desk, person, block, command) -> letters, or Refusal.


def _register(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    return [_welcome(desk, person.player, again=True)]


def _welcome(desk: Desk, player: Player, *, again: bool) -> Letter:
    offered = list(desk.office.offered.values())
    return to_player("welcome", player, name=player.name, again=again, offered=offered)


def _confirm(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    raise Refusal("There is nothing to confirm here; answer the letter that asked you to.")


def _challenge(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    name = command.args["player"]
    challenged = people.by_name(desk.db, name)
    names = [] if challenged else people.names_like(desk.db, name)
    wish = lobby.propose(
        person.player,
        challenged,
        command.args,
        desk.office.offered,
        _room(desk, person.player),
        names,
        desk.now,
    )
    _not_twice(desk, wish)
    kept = games.add_challenge(desk.db, wish)
    note = NO_CLOCK if command.args["pace"] else ""
    return [
        to_player("challenge", kept.challenged, about=kept.id, challenge=kept, comment=block.comment),
        to_player("offered", kept.challenger, challenge=kept, note=note),
    ]


def _not_twice(desk: Desk, wish: lobby.Challenge) -> None:
    """The same challenge is not sent out again while it waits: the mail may have come twice."""
    for waiting in games.open_challenges(desk.db, desk.office.shelf, wish.challenger, desk.now):
        same = (waiting.challenger.id, waiting.challenged.id, waiting.rules.key, waiting.options)
        if same == (wish.challenger.id, wish.challenged.id, wish.rules.key, wish.options):
            raise Refusal(
                f"Your challenge {waiting.id} to {wish.challenged.name} for the same game waits already."
            )


def _room(desk: Desk, player: Player) -> Room:
    running, ended = games.count_running(desk.db, player)
    return Room(running, ended, desk.office.settings.running_games)


def _choose(desk: Desk, person: Person, command: Command) -> lobby.Challenge:
    if command.args["offer"] not in ("", "challenge"):
        raise Refusal(f"There is no offer of a {command.args['offer']} here yet.")
    waiting = games.open_challenges(desk.db, desk.office.shelf, person.player, desk.now, lock=True)
    wanted = command.args["number"]
    number = wanted or person.about
    settled = games.challenge(desk.db, desk.office.shelf, number) if number else None
    if settled is not None and settled[1] == "accepted" and person.player in settled[0].pair:
        raise Refusal(f"Challenge {number} was accepted before; it is game {settled[2]}.")
    return lobby.choose(person.player, waiting, wanted, person.about, command.verb)


def _accept(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    challenge = _choose(desk, person, command)
    if (room := _room(desk, person.player)).full:
        raise Refusal(f"You have {room.running} games running; finish one before you begin another.")
    seats = lobby.seats_for(challenge, desk.office.rng)
    seed = desk.office.rng.getrandbits(53)
    game = games.add(desk.db, challenge.rules, challenge.options, seed, seats, challenge.rated, desk.now)
    entry = lobby.opening(game)
    begun = game.with_entries([entry])
    games.append(desk.db, game, begun.state, [entry], None)
    games.settle_challenge(desk.db, challenge.id, "accepted", game.id)
    seat = begun.seat_of(person.player)
    assert seat is not None
    return play.start_letters(begun, desk.site, challenge, seat, block.comment)


def _decline(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    challenge = _choose(desk, person, command)
    games.settle_challenge(desk.db, challenge.id, "declined")
    return [
        to_player("declined", challenge.challenger, challenge=challenge, mine=False, comment=block.comment),
        to_player("declined", challenge.challenged, challenge=challenge, mine=True, comment=""),
    ]


def _games(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    shelf, player = desk.office.shelf, person.player
    waiting = games.open_challenges(desk.db, shelf, player, desk.now)
    return [
        to_player(
            "games",
            player,
            running=games.running(desk.db, shelf, player),
            to_you=[challenge for challenge in waiting if challenge.challenged.id == player.id],
            from_you=[challenge for challenge in waiting if challenge.challenger.id == player.id],
        )
    ]


def _rules(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    word = command.args["game"]
    number = block.game if block.game is not None else person.game_id
    game = desk.game(number) if number is not None else None
    offered = list(desk.office.offered.values())
    if not word and game is None:
        return [to_player("rules", person.player, rules=None, text="", offered=offered)]
    wanted = lobby.find_rules(word, desk.office.offered) if word else game.rules if game else offered[0]
    text = rules_text(wanted.key, desk.office.settings.templates)
    return [to_player("rules", person.player, rules=wanted, text=text, offered=offered)]


def _help(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    offered = list(desk.office.offered.values())
    return [to_player("help", person.player, topic=command.args["topic"], offered=offered)]


def _later(desk: Desk, person: Person, block: Block, command: Command) -> list[Letter]:
    raise Refusal(f"`{command.args['word']}` is not offered here yet.")


Errand = Callable[[Desk, Person, Block, Command], list[Letter]]
ERRANDS: Mapping[str, Errand] = {
    "register": _register,
    "confirm": _confirm,
    "challenge": _challenge,
    "accept": _accept,
    "decline": _decline,
    "games": _games,
    "rules": _rules,
    "help": _help,
    "later": _later,
}


# Somebody who answers a question of ours.


def _attend_answer(desk: Desk, who: Confirming) -> Filing:
    question = who.confirmation
    owner = people.by_address(desk.db, question.address)
    if question.used_at is not None:
        letters = (_welcome(desk, owner, again=True),) if owner else ()
        return Filing("done", "confirmed before", letters, owner)
    if desk.now > question.expires_at:
        return Filing("refused", "the question had expired", (), owner)
    orders = desk.orders(None)
    words = [command for block in orders.blocks for command in block.commands]
    if question.purpose == "register":
        return _confirm_registration(desk, who, words)
    if not any(command.verb == "confirm" for command in words):
        return Filing("refused", "a question answered with something else than confirm", (), owner)
    people.use(desk.db, question, desk.now)
    if owner is None:
        return Filing("refused", "nobody is registered there any more")
    if question.purpose == "resign":
        return _confirm_resignation(desk, question.data, owner)
    return _confirm_orders(desk, question.data, owner)


def _confirm_registration(desk: Desk, who: Confirming, words: Sequence[Command]) -> Filing:
    """`confirm` takes the name that was asked for; `register <name>` another, for the answer is proof."""
    question = who.confirmation
    name = question.data["name"]
    for command in words:
        name = command.args["name"] if command.verb == "register" else name
    if not any(command.verb in ("confirm", "register") for command in words):
        return _ask_again(desk, question, "Your answer had neither `confirm` nor `register` in it.")
    try:
        lobby.may_register(
            name,
            KEYWORDS,
            people.by_name(desk.db, name),
            people.by_address(desk.db, question.address),
        )
        with desk.db.begin_nested():
            player = people.add(desk.db, name, question.address, desk.now)
    except Refusal as refusal:
        return _ask_again(desk, question, str(refusal))
    except Conflict:
        return _ask_again(desk, question, f"The name {name} was taken a moment ago; please choose another.")
    people.use(desk.db, question, desk.now)
    return Filing("done", f"registered {player.name}", (_welcome(desk, player, again=False),), player)


def _ask_again(desk: Desk, question: people.Confirmation, problem: str) -> Filing:
    letter = Letter(
        "confirm", question.address, None, ReplyTo("confirm", question.id), facts={"problem": problem}
    )
    since = desk.now - DAY
    if post.count_letters(desk.db, question.address, since) >= desk.office.settings.unproven_per_day:
        return Filing("refused", problem)
    return Filing("refused", problem, (letter,))


def _confirm_resignation(desk: Desk, data: Mapping[str, Any], owner: Player) -> Filing:
    game = desk.game(data["game"])
    if game is None:
        return Filing("refused", "the game is gone", (), owner)
    seat: Seat = 1 if data["seat"] else 0
    decision = play.confirmed_resignation(game, seat, desk.at, desk.site)
    letters = _keep(desk, game, seat, decision)
    state = "refused" if decision.refused else "done"
    return Filing(state, decision.refused, tuple(letters), owner, game.id)


def _confirm_orders(desk: Desk, data: Mapping[str, Any], owner: Player) -> Filing:
    orders = desk.read(data["words"], data["marked"], data["game"])
    return carry_out(desk, Person(owner, data["game"]), orders)


# Somebody whose From proves nothing.


def _ask_for_proof(desk: Desk, who: Unproven) -> Filing:
    """A registered address without its secret: the owner is asked, at most once a day."""
    player, inbound = who.player, desk.inbound
    asked = people.asked_since(desk.db, "orders", desk.now - DAY, player.address)
    if asked or inbound.kind == "refused":
        return Filing("stranger", "no reply address, and asked for proof already", (), player)
    data = {"words": inbound.words, "marked": inbound.marked, "game": who.game_id}
    question = _ask(desk, "orders", player.address, data)
    words = first_lines(inbound.words)
    letter = Letter("proof", player.address, player, ReplyTo("confirm", question), facts={"words": words})
    return Filing("stranger", "no reply address: asked for proof", (letter,), player)


def _attend_stranger(desk: Desk, who: Stranger) -> Filing:
    """`register` gets one letter with nothing of the writer's in it; anything else gets none."""
    orders = desk.orders(None)
    wish = next(
        (c for block in orders.blocks for c in block.commands if c.verb == "register"),
        None,
    )
    if wish is None or desk.inbound.kind == "refused":
        return Filing("stranger", "not registered, and no wish to be")
    since = desk.now - DAY
    if people.asked_since(desk.db, "register", since, who.address):
        return Filing("stranger", "asked to confirm within a day already")
    hour = people.asked_since(desk.db, "register", desk.now - HOUR)
    if hour >= desk.office.settings.confirmations_per_hour:
        return Filing("stranger", "too many registrations within an hour")
    name, problem = wish.args["name"], ""
    try:
        lobby.may_register(name, KEYWORDS, people.by_name(desk.db, name), None)
    except Refusal:
        name, problem = "", "The name that was asked for is taken, or cannot be a name here."
    question = _ask(desk, "register", who.address, {"name": name})
    letter = Letter("confirm", who.address, None, ReplyTo("confirm", question), facts={"problem": problem})
    return Filing("done", "asked to confirm the registration", (letter,))
