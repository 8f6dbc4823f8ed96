"""Strangers, and their way to a name: one letter, one answer.

The letter has no words of the writer's but a name; orders are in our own words (`core.lobby.newcomers`).
Until the answer nothing reaches another player.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.commands import addresses, bars, help
from pbem.commands.context import Context, KnownPlayer, MailOutcome, UnknownSender
from pbem.commands.which_game import games_of_letter
from pbem.core.bounces import STRANGER_PAUSE
from pbem.core.letters.letter import Letter
from pbem.core.lobby.newcomers import (
    LEARNING,
    Wish,
    canonical_order,
    first_game,
    lone_name,
    name_of_address,
    name_with_please,
    offered_name,
    read_kept,
    read_wish,
    suggested_name,
)
from pbem.core.parsing.commands import KEYWORDS
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock, MailCommands, confirmed_commands
from pbem.core.players import Player, bot_level, name_fault, same_address
from pbem.duties.strength import seeks_near
from pbem.inbox import asked, bot_game
from pbem.inbox.dispatch import carry_out
from pbem.store import bounces, challenges, engine, locks, players
from pbem.store.players import Confirmation

MAX_OFFERS = 3
"""Maximum open seeks in a letter to a stranger."""
NAMES_A_DAY = 3
"""Maximum letters a day to a proven address that asks for one name after another; others get one."""


def handle_stranger(ctx: Context, sender: UnknownSender, refusal: str = "") -> MailOutcome:
    """Answer a stranger who writes like a person, and keep their orders until they confirm.

    A proven writer's mail answers the question that waits for them; a forger's must not. `refusal` says why
    they cannot join the game that they were invited to.
    """
    address, subject = same_address(sender.address), ctx.inbound.subject
    words = ctx.inbound.words.strip() or subject
    if ctx.inbound.kind == "refused" or not words:
        return MailOutcome("stranger", "not registered, and no words")
    commands = (ctx.words_alone() if ctx.inbound.words.strip() else ctx.read(subject, True, None)).commands
    if sender.proven and not refusal and (answered := _answer_open_question(ctx, address)) is not None:
        return answered
    wish = _wish(ctx, words, commands)
    registers = bool(wish.name) or any(command.verb == "register" for command in commands)
    orders = registers or bool(commands)
    locks.advisory_lock(ctx.db, "register")
    if detail := silence(ctx, address, registers=registers, orders=orders, proven=sender.proven):
        return MailOutcome("stranger", detail)
    state, detail = ("done", "asked to confirm the name") if wish.name else ("stranger", "asked for a name")
    if not wish.name:
        guess = suggested_name(ctx.inbound.sender_name, words) or name_of_address(address)
        wish = replace(wish, name=free_name(ctx, guess), guessed=True)
    if ctx.app.config.bots and all(order.partition(" ")[0] in LEARNING for order in wish.orders):
        game = first_game(f"{words}\n{subject}", ctx.app.offered)
        wish = replace(
            wish, orders=tuple(filter(None, (game, *wish.orders))), shown=game if registers else ""
        )
    return MailOutcome(state, detail, (_question(ctx, address, wish, refusal=refusal),))


def _answer_open_question(ctx: Context, address: str) -> MailOutcome | None:
    """Take a new mail as the answer to the question that waits, or None where it does not answer it."""
    question = players.open_confirmation(ctx.db, "register", address, ctx.now)
    if question is None:
        return None
    with ctx.db.begin_nested() as tried:
        answered = answer_registration(ctx, question, None)
        if answered.state != "refused":
            return answered
        tried.rollback()
    return None


def _wish(ctx: Context, words: str, commands: Sequence[Command]) -> Wish:
    """Read a newcomer's wish, without what they cannot have."""
    wish = read_wish(words, commands, ctx.app.offered)
    orders = tuple(
        order for order in wish.orders if all(_is_possible(ctx, each) for each in read_kept([order]))
    )
    return replace(wish, orders=orders, left_out=wish.left_out or len(orders) < len(wish.orders))


def _is_possible(ctx: Context, order: Command) -> bool:
    """True if the seek, player or bot in the order exists."""
    if order.verb == "take":
        known = ctx.app.games_by_key
        return any(seek.id == order.args["number"] for seek in challenges.open_seeks(ctx.db, known, ctx.now))
    called = order.args.get("player", "")
    level = bot_level(called, ctx.app.config.bots) if called else None
    if level is not None:
        return level in ctx.app.config.bots
    return not called or players.player_by_name(ctx.db, called) is not None


def silence(ctx: Context, address: str, *, registers: bool, orders: bool, proven: bool) -> str:
    """Return the reason, for the operator, why a stranger gets no letter now, or ""."""
    if ctx.count_letters(address, "confirm", "newcomer") >= (NAMES_A_DAY if registers and proven else 1):
        return "asked within a day already"
    if bounces.bounce_points(ctx.db, address, ctx.now - STRANGER_PAUSE):
        return "a letter to this address came back within a day"
    if not addresses.count_stranger(ctx, address, proven=proven, orders=orders):
        return "more strangers from there, or from everywhere, than are written to in an hour"
    return ""


def _fault(ctx: Context, name: str) -> str:
    """Return a code for the reason why a name is not available, or ""."""
    return name_fault(name, KEYWORDS) or ("taken" if players.player_by_name(ctx.db, name) else "")


def free_name(ctx: Context, asked: str) -> str:
    """Return a free name like the one asked for, or ""."""
    return offered_name(asked, KEYWORDS, lambda each: players.player_by_name(ctx.db, each) is None)


def _question(
    ctx: Context,
    address: str,
    wish: Wish,
    problem: str = "",
    *,
    seed: int | None = None,
    seen_move: str = "",
    refusal: str = "",
) -> Letter:
    """Make the letter that asks for a name or a yes, and offers a free name for a taken one.

    `seed` deals the board of an earlier letter again; `seen_move` is the move that an answer seemed to mean.
    """
    asked, fault = wish.name, _fault(ctx, wish.name) if wish.name else ""
    name = free_name(ctx, asked) if fault else asked
    orders = list(read_kept(wish.orders))
    facts: dict[str, Any] = {
        "problem": problem or fault,
        "refusal": refusal,
        "name": name,
        "guessed": wish.guessed,
        "asked": asked if fault in ("taken", "reserved") else "",
        "orders": orders,
        "waiting": _offers(ctx, orders),
        "left_out": wish.left_out,
        "offered": list(ctx.app.offered.values()),
    }
    seed = ctx.app.rng.getrandbits(53) if seed is None else seed
    first_board = bot_game.first_position(ctx, orders, seed) if name else None
    facts |= {"first_board": first_board, "seen_move": seen_move if first_board else ""}
    data = {"name": name, "orders": list(wish.orders), "seed": seed if first_board else None}
    data |= {"shown": wish.shown}
    facts["begins"] = bot_game.begins_by_yes(ctx, data)
    reply = ctx.ask("register", address, {**data, "guessed": wish.guessed})
    greets = wish.guessed and not first_board
    kind = "newcomer" if greets or not (name or fault) else "confirm"
    return Letter(kind, address, None, reply, facts=facts)


def _offers(ctx: Context, orders: Sequence[Command]) -> list[Any]:
    """Return open seeks of the games that a stranger wants, without seeks for stronger players."""
    keys = {command.text.split()[1] for command in orders if command.verb == "play"}
    known = ctx.app.games_by_key
    found = [
        seek
        for key in sorted(keys)
        for seek in challenges.open_seeks(ctx.db, known, ctx.now, rules=key, most=MAX_OFFERS)
    ]
    return seeks_near(ctx.db, found, None, ctx.now)


def answer_registration(ctx: Context, question: Confirmation, owner: Player | None) -> MailOutcome:
    """Register a newcomer who answers with yes, a name, or an order. Other answers register nobody."""
    orders, said = ctx.words_alone(), asked.said(ctx, question.data["name"])
    commands = confirmed_commands(orders)
    if owner is not None:
        again = bot_game.answer_again(ctx, owner, question.data)
        if again:
            return MailOutcome("refused", "answered with a first move before", tuple(again), owner)
        return _answer_registered(ctx, owner, orders, commands)
    if question.used_at is not None:
        return MailOutcome("done", "confirmed before")
    if said is False:
        return MailOutcome("done", "does not want to register")
    if (move := bot_game.first_move(ctx, question.data)) is not None and ctx.now <= question.expires_at:
        return _register_with_move(ctx, question, move, commands)
    wish, agreed = _answer(ctx, question.data, commands, yes=said is True)
    if not agreed and (seen := bot_game.see_move(ctx, question.data)):
        return _ask_again(ctx, question, wish, "seen", seen)
    if ctx.now > question.expires_at:
        return _ask_again(ctx, question, wish, "late")
    if not agreed or not wish.name:
        problem = "unclear" if wish.name else "name"
        return _ask_again(ctx, question, wish, "" if wish.name != question.data["name"] else problem)
    if _fault(ctx, wish.name):
        return _ask_again(ctx, question, wish)
    return _register(ctx, question, wish, commands, orders.comment)


def _register_with_move(
    ctx: Context, question: Confirmation, move: GameBlock, commands: Sequence[Command]
) -> MailOutcome:
    """Register a newcomer who answers with a move, and play the move in a game against a bot."""
    names = [command.args["name"] for command in commands if command.verb == "register"]
    name = next(filter(None, reversed(names)), question.data["name"])
    wish = Wish(name, orders=tuple(question.data["orders"]))
    if _fault(ctx, wish.name):
        return _ask_again(ctx, question, wish)
    done = _register(ctx, question, replace(wish, orders=()), [], "")
    if done.player is None:
        return done
    return replace(done, letters=(*done.letters, *bot_game.begin(ctx, done.player, question, move)))


def _answer(
    ctx: Context, asked: Mapping[str, Any], commands: Sequence[Command], *, yes: bool
) -> tuple[Wish, bool]:
    """Return an answer's wish, and True if it agrees. A yes, a name that is no guess, or an order agrees.

    The newest name and the newest orders count: orders in the answer replace the kept ones.
    """
    kept = Wish(
        asked["name"],
        guessed=asked.get("guessed", False),
        orders=tuple(asked.get("orders", ())),
        shown=asked.get("shown", ""),
    )
    if yes:
        return kept, True
    wish = _wish(ctx, ctx.inbound.words, commands)
    if not wish.name and not commands:
        name = lone_name(ctx.inbound.words)
        guess = name or name_with_please(ctx.inbound.words)
        new = kept.guessed or not kept.name or name.lower() == kept.name.lower()
        wish = replace(wish, name=guess, sure=bool(name) and new)
    agreed = wish.sure if wish.name else any(command.verb == "confirm" for command in commands)
    agreed = agreed or (bool(wish.orders) and not wish.name)
    guessed = kept.guessed and not wish.name
    games = any(order.partition(" ")[0] not in LEARNING for order in wish.orders)
    orders = wish.orders if games else kept.orders or wish.orders
    wish = replace(wish, name=wish.name or kept.name, guessed=guessed, orders=orders)
    return replace(wish, shown=kept.shown if kept.shown in orders else ""), agreed


def _answer_registered(
    ctx: Context, owner: Player, orders: MailCommands, commands: Sequence[Command]
) -> MailOutcome:
    """Answer a writer who is registered by now, or carry out their other orders."""
    rest = tuple(command for command in commands if command.verb not in ("confirm", "register"))
    if rest:
        block = GameBlock(None, rest, orders.comment)
        return carry_out(ctx, KnownPlayer(owner, games=games_of_letter(ctx)), MailCommands((block,)))
    return MailOutcome("done", "confirmed before", (help.welcome(ctx, owner, again=True),), owner)


def _ask_again(
    ctx: Context, question: Confirmation, wish: Wish, problem: str = "", seen_move: str = ""
) -> MailOutcome:
    """Ask once more, within the daily limit. Each letter has a question of its own, which keeps its facts."""
    if ctx.count_letters(question.address) >= ctx.app.config.unproven_per_day:
        return MailOutcome("refused", "no letters are left today for the question about a name")
    same = list(wish.orders) == list(question.data.get("orders", ()))
    seed = question.data.get("seed") if same else None
    letter = _question(ctx, question.address, wish, problem, seed=seed, seen_move=seen_move)
    return MailOutcome("refused", f"asked again: {letter.told['problem'] or 'is this the name?'}", (letter,))


def add_newcomer(ctx: Context, name: str, address: str) -> Player:
    """Register a newcomer at a proven address. Raises Conflict where the name or the address is taken."""
    player = players.add_player(ctx.db, name, address, ctx.now)
    return bars.bar_again(ctx.app, ctx.db, player, address, ctx.now)


def _register(
    ctx: Context, question: Confirmation, wish: Wish, commands: Sequence[Command], comment: str
) -> MailOutcome:
    try:
        with ctx.db.begin_nested():
            player = add_newcomer(ctx, wish.name, question.address)
    except engine.Conflict:
        return _ask_again(ctx, question, wish, "taken")
    players.use_confirmation(ctx.db, question, ctx.now)
    letters = [help.welcome(ctx, player, again=False)]
    rest = [command for command in commands if command.verb not in ("confirm", "register")]
    said = {canonical_order(command, ctx.app.offered) for command in rest} - {""}
    if all(order.partition(" ")[0] in LEARNING for order in said):
        comment = ""  # the words were not written to who gets these
        if wish.orders and bot_game.begins_by_yes(ctx, question.data):
            letters += bot_game.begin(ctx, player, question)
        else:
            kept = [order for order in wish.orders if order not in said | {wish.shown}]
            rest = [*read_kept(kept), *rest]
    if rest:
        orders = MailCommands((GameBlock(None, tuple(rest), comment),))
        letters += carry_out(ctx, KnownPlayer(player), orders).letters
    if len(letters) > 1:
        letters[0] = letters[0].telling(more=True)
    return MailOutcome("done", f"registered {player.name}", tuple(letters), player)
