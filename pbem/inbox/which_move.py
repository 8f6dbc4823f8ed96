"""The answer to the question whether a small letter or a capital is meant."""

from dataclasses import replace

from pbem.commands.context import Context, KnownPlayer, MailOutcome, plain_refusal
from pbem.commands.which_game import games_of_letter
from pbem.core.game.view import View, view
from pbem.core.letters.letter import ReplyTo, about_game
from pbem.core.parsing.line import Command
from pbem.core.parsing.yes_no import read_choice
from pbem.core.players import Player
from pbem.inbox.dispatch import carry_out
from pbem.store import players
from pbem.store.players import Confirmation

GONE = "You do not play in game {number} any more, so nothing was done."


def answer(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    """Carry out what was asked with the chosen move, or ask again."""
    data, words = question.data, ctx.inbound.words.strip()
    number, own = data["game"], ctx.own_game(data["game"], owner)
    if own is None or own[1] != data["seat"]:
        return plain_refusal(owner, GONE.format(number=number))
    sender = KnownPlayer(owner, number, data["since"], games=games_of_letter(ctx, number))
    chosen = read_choice(words, data["meanings"])
    if not chosen:
        return _ask_which_again(ctx, question, sender, view(*own, ctx.site))
    lines = list(data["orders"])
    lines[data["at"]] = f"move {data['meanings'][chosen]}"
    orders = ctx.read("\n".join([*lines, words.partition("\n")[2]]), True, number)
    if orders.problem:
        return carry_out(ctx, sender, orders)
    players.use_confirmation(ctx.db, question, ctx.now)
    _remember_choice(ctx, owner, chosen)
    first, *others = orders.blocks
    comment = "\n\n".join(filter(None, (data["comment"], first.comment)))
    notes = (Command("note", text, {"words": said}) for text, said in data["notes"])
    commands = (*first.commands, *notes)
    first = replace(first, commands=commands, comment=comment, said=first.said or data["said"])
    return carry_out(ctx, sender, replace(orders, blocks=(first, *others)))


def _remember_choice(ctx: Context, owner: Player, chosen: str) -> None:
    """Ask no more about capitals after two choices of `small` in a row."""
    before = owner.preferences.more.get("chosen_small", 0)
    if chosen == "small" and before:
        players.set_preference(ctx.db, owner, "capitals", "small")
    players.set_preference(ctx.db, owner, "chosen_small", before + 1 if chosen == "small" else 0)


def _ask_which_again(ctx: Context, question: Confirmation, sender: KnownPlayer, seen: View) -> MailOutcome:
    orders, data = ctx.orders(sender.game_id), question.data
    commands = [command.verb for command in orders.commands]
    if {*commands} - {"confirm"} or any(block.said for block in orders.blocks):
        return carry_out(ctx, sender, orders)
    read = [*data["orders"], *(text for text, _ in data["notes"])]
    facts = {"meanings": data["meanings"], "read": read, "comment": data["comment"]}
    letter = about_game("which", seen, **facts, again=True)
    reply = ReplyTo("confirm", question.id)
    return MailOutcome("refused", "asked again which move is meant", (replace(letter, reply=reply),))
