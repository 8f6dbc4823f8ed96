"""Commands from the settings page, done as by mail; only questions and others' letters are mailed."""

from collections.abc import Sequence

from pbem.actions.context import Context, KnownPlayer, Request, handlers
from pbem.app import App
from pbem.core.clock.mail_times import same_moment
from pbem.core.errors import Refusal
from pbem.core.parsing import commands, inbound, line, mail_orders
from pbem.core.players import Player
from pbem.outbox.write import queue_letters
from pbem.store import players

MAILED = frozenset({"address", "newaddress", "forget", "report"})
"""Kinds of letters with a question, which no page can replace."""

Order = tuple[str, str]
"""A command's word, and the text after it."""


def run_commands(app: App, player: Player, orders: Sequence[Order], words: str = "") -> None:
    now, mailed = app.now(), []
    with app.store.write() as db:
        known = players.player_by_id(db, player.id)
        if known is None or not known.address:
            raise Refusal("There is no such player any more.")
        ctx = Context(app, db, inbound.Inbound("person", sender=known.address), same_moment(now))
        for verb, rest in orders:
            text = " ".join(f"{verb} {rest}".split())
            args = commands.WORDS[verb](text.removeprefix(verb).lstrip())
            if args is None:
                raise Refusal(f"`{text}` cannot be read here; nothing was changed.")
            command = line.Command(verb, text, args)
            sender = KnownPlayer(players.player_by_id(db, known.id) or known)
            request = Request(ctx, sender, mail_orders.GameBlock(None, (command,), words), command)
            for letter in handlers()[command.verb](request):
                if letter.kind in MAILED or (letter.player is not None and letter.player.id != known.id):
                    mailed.append(letter)
        queue_letters(app, db, mailed, now, about=f"w{app.rng.getrandbits(64):x}")
    app.wake()
