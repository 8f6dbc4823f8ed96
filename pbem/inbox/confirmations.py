"""Unverified senders who are players, and the answers to our questions, which prove the sender.

A question is answered by yes or no as the only words, by `confirm` at the top, and by the order that it asks
about, written once more.
"""

import re
from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from functools import partial

from pbem.commands import (
    addresses,
    club_matches,
    club_members,
    decisions,
    directing,
    forget,
    ladders,
    leagues,
    lessons,
    moments,
    own_clubs,
    puzzles,
)
from pbem.commands.context import Context, KnownPlayer, MailOutcome, MailPart
from pbem.commands.invitations import PURPOSE
from pbem.commands.which_game import games_of_letter
from pbem.core.errors import Refusal
from pbem.core.game.journal import RESIGN
from pbem.core.game.state import count_plies_by_hand
from pbem.core.letters.letter import Letter, ReplyTo
from pbem.core.lobby.challenges import CONFIRM_DAYS
from pbem.core.parsing.mail_orders import GameBlock, MailCommands, confirmed_commands, repeat_commands
from pbem.core.play import decide
from pbem.core.players import Player
from pbem.duties.leagues import SEASON
from pbem.duties.puzzles import PURPOSE as PUZZLE
from pbem.inbox import asked, invitations, newcomers, which_move
from pbem.inbox.dispatch import UNSENT, carry_out
from pbem.store import limits, players
from pbem.store.players import Confirmation
from rules.contract import RulesError

_LATER = re.compile(r"\b(?:not (?:now|today)|agora não)\b", re.IGNORECASE)
NO_ANSWER = "I cannot tell whether you mean `yes` or `no`. Please answer with that word alone."
TO_SEND = "To send your words, answer with the one word `send`."
NO_MOMENT = (
    "I found no move in your answer. Write the number of a moment and your move behind it, on a line of its "
    "own; or a move alone, for the first moment that is open."
)
TOO_LATE = {
    "moments": "These moments are too old to be answered by mail; on the web you still can.",
    lessons.PURPOSE: "This letter with a lesson is too old to be answered; `learn` brings the lessons again.",
}
BY_MOVES = {
    "moments": moments.answer_moments,
    PUZZLE: puzzles.answer_puzzle,
    lessons.PURPOSE: lessons.answer_lesson,
}
"""Questions that a move answers, by purpose; None comes back where a mail has no move."""
ANSWERS = decide.VERBS.keys() | {"accept", "decline", "confirm"}
"""Commands that may answer a question once more; others in the same letter are new."""
ANSWERED_NO = "You said no, so this question is closed."
MOVED_SINCE = (
    "You have made a move since you were asked whether you give the game up, so it goes on. To give it up "
    "now, answer its newest letter with the one word `resign`."
)


def handle_answer(ctx: Context, question: Confirmation) -> MailOutcome:
    """Handle an answer to a question, which counts once, in time, and with the right word."""
    question = _as_asked_now(question)
    owner, late = players.player_by_address(ctx.db, question.address), ctx.now > question.expires_at
    if question.purpose == PURPOSE:
        return invitations.answer(ctx, question, owner)
    if question.purpose == "register" and (owner is None or not late):
        return newcomers.answer_registration(ctx, question, owner)
    if question.used_at is not None and question.purpose != "register":
        return _already_confirmed(ctx, question, owner)
    if late and question.purpose != ladders.PURPOSE:  # a challenge has a time of its own
        return _answer_late(ctx, question, owner)
    if ctx.inbound.kind == "refused" and owner is not None:
        return _refuse_owner(ctx, owner, ctx.inbound.reason)
    said = _answer(ctx, question, owner)
    if question.purpose == "newaddress":
        return _confirm_new_address(ctx, question, said)
    if owner is None:
        return MailOutcome("refused", "nobody is registered there any more")
    return _answer_of_owner(ctx, question, owner, said)


def _as_asked_now(question: Confirmation) -> Confirmation:
    """Return the question in today's form; words and moves once had purposes of their own."""
    if question.purpose not in ("words", "seen"):
        return question
    move = question.data.get("move")
    return replace(
        question, purpose=decisions.MEANT, data={"orders": [move] if move else [], **question.data}
    )


def _answer_of_owner(ctx: Context, question: Confirmation, owner: Player, said: bool | None) -> MailOutcome:
    orders = ctx.words_alone()
    if question.purpose == "which":
        return which_move.answer(ctx, question, owner)
    if question.purpose in BY_MOVES:
        judged = BY_MOVES[question.purpose](ctx, question, owner)
        if judged is None:
            return _carry_out_orders(ctx, owner)
        return _carry_out_orders_beside(ctx, judged, owner)
    if said is None:
        return _carry_out_other(ctx, question, owner)
    players.use_confirmation(ctx.db, question, ctx.now)
    if not said:
        return _answer_no(ctx, question, owner)
    try:
        outcome = CONFIRM_ACTIONS[question.purpose](ctx, question, owner)
    except Refusal as refusal:
        outcome = _refuse_owner(ctx, owner, str(refusal))
    if ctx.inbound.is_silent and orders.comment:
        outcome = replace(outcome, letters=(*outcome.letters, *_refuse_owner(ctx, owner, UNSENT).letters))
    if not _confirms(orders):
        return outcome
    done = {"confirm", "resign"} if question.purpose == "resign" else {"confirm"}
    return _carry_out_rest(ctx, done, orders, outcome, owner)


def _confirms(orders: MailCommands) -> bool:
    return any(command.verb == "confirm" for command in confirmed_commands(orders))


def _answer_no(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    if question.purpose == ladders.PURPOSE:
        return ladders.answer_challenge(ctx, question, owner, yes=False)
    if question.purpose == SEASON:
        leagues.decline_season(ctx, question, owner)
    part = MailPart(ctx, KnownPlayer(owner, question.data.get("game")), GameBlock(None))
    return replace(part.refuse([ANSWERED_NO]), state="done")


def _answer(ctx: Context, question: Confirmation, owner: Player | None) -> bool | None:
    """Return True for yes, False for no, None for anything else. Other orders may stand below `confirm`."""
    if _confirms(ctx.words_alone()):
        return True
    meant = question.purpose == decisions.MEANT
    if meant and any(command.verb == "decline" for command in ctx.words_alone().commands):
        return None  # of an offer, not of the question
    if meant and asked.says_send(ctx):
        return True if question.data.get("words") else None
    if (meant or question.purpose == "resign") and _is_same_order(ctx, question):
        return True
    if (
        question.purpose == "orders"
        and repeat_commands(ctx.orders(question.data["game"])) == question.data["shown"]
    ):
        return True
    said = asked.said(ctx, owner.name if owner else "")
    if said and meant and not question.data["orders"]:
        return None  # words are sent by `send` alone
    if said is False and question.purpose == ladders.PURPOSE and _LATER.search(ctx.inbound.words):
        return None  # a no gives the place away at once, and they may mean to play later
    return said


def _is_same_order(ctx: Context, question: Confirmation) -> bool:
    """True if the mail has only the resignation or move asked about."""
    number = question.data["game"]
    game, orders = None if number is None else ctx.game(number), ctx.orders(number)
    block = orders.blocks[0] if len(orders.blocks) == 1 else GameBlock(None)
    several = len(question.data.get("orders", "1")) != 1
    if (
        several
        or game is None
        or len(block.commands) != 1
        or block.comment
        or block.above
        or block.game is not None
    ):
        return False
    command = block.commands[0]
    (order,) = question.data.get("orders") or [question.data.get("move") or RESIGN]
    if command.verb != "move" or command.error:
        return command.text.lower().removesuffix(" yes") == order.lower().removesuffix(" yes")
    with suppress(RulesError):
        position = game.state.position
        return str(position.read_ply(command.args["move"])) == str(position.read_ply(order))
    return False


def _carry_out_rest(
    ctx: Context, done: Set[str], orders: MailCommands, outcome: MailOutcome, owner: Player
) -> MailOutcome:
    """Carry out the other commands of an answer; commands in `done` have been carried out."""
    rest = (
        GameBlock(block.game, tuple(command for command in block.commands if command.verb not in done))
        for block in orders.blocks
    )
    return _carry_out_blocks(ctx, [block for block in rest if block.commands], outcome, owner)


def _carry_out_orders_beside(ctx: Context, judged: MailOutcome, owner: Player) -> MailOutcome:
    """Carry out the orders beside an answer, and its words if a game is named or with `say`."""
    blocks = (
        block if block.game is not None or block.said else GameBlock(None, block.commands)
        for block in judged.beside.blocks
    )
    asked_for = [block for block in blocks if block.commands or block.comment]
    return _carry_out_blocks(ctx, asked_for, judged, owner)


def _carry_out_blocks(
    ctx: Context, blocks: Sequence[GameBlock], outcome: MailOutcome, owner: Player
) -> MailOutcome:
    now = players.player_by_id(ctx.db, owner.id) or owner
    if not blocks or now.gone:
        return outcome
    sender = KnownPlayer(now, outcome.game_id, games=games_of_letter(ctx, outcome.game_id))
    more = carry_out(ctx, sender, MailCommands(tuple(blocks)))
    return replace(outcome, letters=(*outcome.letters, *more.letters))


def _already_confirmed(ctx: Context, question: Confirmation, owner: Player | None) -> MailOutcome:
    if owner is None:
        return MailOutcome("done", "confirmed before")
    orders, asked_about = ctx.orders(None), question.data.get("orders")
    again = any(command.verb in ANSWERS for command in orders.commands)
    again = again or repeat_commands(orders) == question.data.get("shown")
    again = again or [command.text for command in orders.commands] == asked_about
    if orders.commands and not (again or orders.problem or ctx.now > question.expires_at):
        return carry_out(ctx, KnownPlayer(owner, games=games_of_letter(ctx)), orders)
    return _refuse_owner(ctx, owner, "This was answered before; nothing was done a second time.")


def _answer_late(ctx: Context, question: Confirmation, owner: Player | None) -> MailOutcome:
    if owner is not None:
        problem = TOO_LATE.get(question.purpose) or (
            f"This question is closed. It was open for {CONFIRM_DAYS} days, or until all your reply "
            "addresses were renewed."
        )
        return _refuse_owner(ctx, owner, problem)
    return MailOutcome("refused", "the question had expired")


def _carry_out_other(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    """Carry out other commands in an answer from the same person. The question stays open.

    In answer to the questions about words, other words are asked about likewise.
    """
    number, since = question.data.get("game"), question.data.get("since")
    orders = ctx.orders(number)
    beside = asked.says_yes_beside(orders) or _answers_ladder(question, orders)
    to_send = question.purpose == decisions.MEANT and asked.said(ctx, owner.name)
    if not to_send and (question.purpose == decisions.MEANT or not (orders.problem or beside)):
        about = question.data.get("about", 0)
        sender = KnownPlayer(owner, number, since, about, games=games_of_letter(ctx, number))
        return carry_out(ctx, sender, orders)
    problem = TO_SEND if to_send else NO_ANSWER if orders.problem else asked.BESIDE
    if question.purpose == "resign" and number is not None and (game := ctx.game(number)) is not None:
        problem = f"You were asked if you want to resign {game.title}. {problem}"
    outcome = _refuse_owner(ctx, owner, problem)
    reply = ReplyTo("confirm", question.id)
    return replace(outcome, letters=tuple(replace(letter, reply=reply) for letter in outcome.letters))


def _answers_ladder(question: Confirmation, orders: MailCommands) -> bool:
    """True if a mail answers a ladder challenge with `accept` or `decline` among other words."""
    verbs = {command.verb for command in orders.commands}
    return question.purpose == ladders.PURPOSE and not verbs.isdisjoint({"accept", "decline"})


def _carry_out_orders(ctx: Context, owner: Player) -> MailOutcome:
    """Carry out the commands of an answer without the move that was asked for."""
    orders = ctx.orders(None)
    if orders.problem:
        return _refuse_owner(ctx, owner, NO_MOMENT)
    return carry_out(ctx, KnownPlayer(owner, games=games_of_letter(ctx)), orders)


def _refuse_owner(ctx: Context, owner: Player, problem: str) -> MailOutcome:
    return MailPart(ctx, KnownPlayer(owner), GameBlock(None)).refuse([problem])


def _confirm_resignation(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    data = question.data
    game = ctx.game(data["game"])
    if game is None:
        return MailOutcome("refused", "the game is gone", (), owner)
    seat = game.seat_of(owner)
    if seat is None or seat != data["seat"]:
        return _refuse_owner(ctx, owner, f"You do not play in game {game.id} any more, so nothing was done.")
    made = count_plies_by_hand(game.as_seen_by(seat).state, seat)
    if made > data.get("made", made):
        return _refuse_owner(ctx, owner, MOVED_SINCE)
    blocked = limits.blocked(ctx.db, *game.seats)
    comment = "" if ctx.inbound.is_silent else ctx.words_alone().comment
    words = "" if blocked else "\n".join(filter(None, (data.get("comment", ""), comment)))
    refused, letters = decisions.resign(ctx, game, seat, words, data.get("since"), data.get("move", ""))
    return MailOutcome("refused" if refused else "done", refused, tuple(letters), owner, game.id)


def _confirm_change(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    letters = addresses.apply_address_change(ctx, question, owner)
    return MailOutcome("done", f"address {question.data['change']}", tuple(letters), owner)


def _confirm_new_address(ctx: Context, question: Confirmation, said: bool | None) -> MailOutcome:
    """Add the new address if its answer is yes. Ask again if the answer is neither yes nor no."""
    if said is False:
        return MailOutcome("done", "not the address of whoever asked")
    if said is None:
        letter = Letter("newaddress", question.address, None, ReplyTo("confirm", question.id))
        enough = ctx.count_letters(question.address) >= ctx.app.config.unproven_per_day
        return MailOutcome("refused", "a new address answered without confirm", () if enough else (letter,))
    players.use_confirmation(ctx.db, question, ctx.now)
    player, letters = addresses.add_confirmed_address(ctx, question)
    if letters:
        return MailOutcome("done", "a new address", tuple(letters), player)
    return MailOutcome("refused", "a new address that is taken, or was asked for too long ago", (), player)


def _confirm_orders(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    data = question.data
    orders = ctx.read(data["words"], data["marked"], data["game"])
    if repeat_commands(orders) != data["shown"]:
        problem = (
            "What you were asked about would be read differently now; nothing was done. Please write it "
            "again, in answer to this letter."
        )
        return _refuse_owner(ctx, owner, problem)
    known = {int(game): entries for game, entries in data.get("known", {}).items()}
    return carry_out(ctx, KnownPlayer(owner, data["game"], data.get("since"), known=known), orders)


def _carry_out_meant(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    """Send the words that a question showed, or carry out the orders that it asked about."""
    data = question.data
    number, since, about = data["game"], data["since"], data.get("about", 0)
    sender = KnownPlayer(owner, number, since, about, sure=True)
    if asked.says_send(ctx):
        block = GameBlock(None, comment=data["words"], said=True)
        return carry_out(ctx, sender, MailCommands((block,)))
    resigns = any(order.lower().split()[:1] == [RESIGN] for order in data["orders"])
    if resigns and decisions.plies_made(ctx, owner, number) > data.get("made", 0):
        return _refuse_owner(ctx, owner, MOVED_SINCE)
    orders = ctx.read("\n".join(data["orders"]), True, number)
    if orders.problem or not data.get("comment"):
        return carry_out(ctx, sender, orders)
    first = replace(orders.blocks[0], comment=data["comment"], said=data["said"])
    return carry_out(ctx, sender, replace(orders, blocks=(first, *orders.blocks[1:])))


def _confirm_forgetting(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    return MailOutcome("done", "a player is forgotten", tuple(forget.forget_player(ctx, owner)))


CONFIRM_ACTIONS: Mapping[str, Callable[[Context, Confirmation, Player], MailOutcome]] = {
    "resign": _confirm_resignation,
    "orders": _confirm_orders,
    "address": _confirm_change,
    "forget": _confirm_forgetting,
    decisions.MEANT: _carry_out_meant,
    SEASON: leagues.confirm_season,
    leagues.LEAVING: leagues.confirm_leaving,
    ladders.PURPOSE: partial(ladders.answer_challenge, yes=True),
    directing.PURPOSE: directing.confirm_act,
    own_clubs.INVITED: club_members.confirm_invitation,
    own_clubs.ADMITTED: club_members.confirm_admission,
    own_clubs.LEAVING: club_members.confirm_leaving,
    own_clubs.REMOVING: club_members.confirm_removal,
    own_clubs.MATCHED: club_matches.confirm_match,
}
"""The action of a yes for each purpose; an action may raise Refusal."""
