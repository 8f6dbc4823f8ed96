"""Commands from the settings page: the same as by mail.

Each is read by the same table and done by the same function. The page shows the answer itself; only a
question that must prove an address, and letters to others, are mailed.
"""

from collections.abc import Sequence

from pbem.actions.commands import handlers
from pbem.actions.context import Context, KnownPlayer
from pbem.app import App
from pbem.core.clock.mail_times import same_moment
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter
from pbem.core.parsing.commands import WORDS
from pbem.core.parsing.inbound import Inbound
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock
from pbem.core.players import Player
from pbem.outbox.write import queue_letters
from pbem.store import players

MAILED = frozenset({"address", "newaddress", "forget", "report"})
"""Kinds of letters with a question, which no page can replace."""

Order = tuple[str, str]
"""A command's word, and the text after it."""


def run_commands(app: App, player: Player, orders: Sequence[Order], words: str = "") -> None:
    now = app.now()
    with app.store.write() as db:
        known = players.player_by_id(db, player.id)
        if known is None or not known.address:
            raise Refusal("There is no such player any more.")
        ctx = Context(app, db, Inbound("person", sender=known.address), same_moment(now))
        letters = [letter for order in orders for letter in _run_command(ctx, known, order, words)]
        mailed = [
            letter
            for letter in letters
            if letter.kind in MAILED or (letter.player is not None and letter.player.id != known.id)
        ]
        cause = f"w{app.rng.getrandbits(64):x}"
        queue_letters(app, db, mailed, now, about=cause)
    app.wake()


def _run_command(ctx: Context, player: Player, order: Order, words: str) -> list[Letter]:
    now = players.player_by_id(ctx.db, player.id) or player
    command = _read(*order)
    return handlers()[command.verb](ctx, KnownPlayer(now), GameBlock(None, (command,), words), command)


def _read(verb: str, rest: str) -> Command:
    words = " ".join(rest.split())
    args = WORDS[verb](words)
    if args is None:
        raise Refusal(f"`{verb} {words}` cannot be read here; nothing was changed.")
    return Command(verb, f"{verb} {words}".strip(), args)
