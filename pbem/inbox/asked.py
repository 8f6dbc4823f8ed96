"""Yes and no as a mail's only words, which answer the one thing that the answered letter asks.

The reply address tells what a letter asks: a question of ours, a challenge, or the offers in a game as of the
letter's writing.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from pbem.commands.context import Context, KnownPlayer
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import SAY
from pbem.core.game.state import Offer, offers_to
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import GameBlock, MailCommands
from pbem.core.parsing.taken_back import begins_with_yes
from pbem.core.parsing.yes_no import read_yes_no
from pbem.core.play.offers import OFFER_NAMES
from pbem.core.redact import without_secrets
from pbem.store import challenges
from rules.contract import Seat

CHALLENGE = "challenge"
GONE = "The {what} in the letter you answered does not wait any more, so nothing was done."
UNSURE = (
    "To agree to the {what}, answer `yes` alone; to decline it, `no` alone. With words below, write `accept` "
    "or `decline` in their place."
)
SEVERAL = "The letter you answered has more than one offer; write {ways}."
BESIDE = (
    "Your mail says yes, and it has more than that. Please write one of the two: `yes` alone, or the rest "
    "without it."
)

_SEND = re.compile(r"\W*(?:yes,? )?(?:please )?send(?: it| this| them)?(?:,? please)?\W*", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """One thing that a letter asks, with the arguments of `accept`. `waits`: True if it is still open."""

    what: str
    waits: bool
    number: int | None = None

    @property
    def args(self) -> Mapping[str, Any]:
        return {"number": self.number, "offer": "" if self.number else self.what}

    @property
    def name(self) -> str:
        return OFFER_NAMES.get(self.what, self.what)


def said(ctx: Context, name: str = "") -> bool | None:
    """Return True for yes and False for no as the only words but for the writer's name, else None."""
    return read_yes_no(ctx.inbound.words, (name, ctx.inbound.sender_name))


def says_send(ctx: Context) -> bool:
    """True if the mail's only word is `send`, the order to send the words that our question showed."""
    return _SEND.fullmatch(ctx.inbound.words) is not None


def says_yes_beside(orders: MailCommands) -> bool:
    """True if "yes" stands above or below other orders."""
    parts = ((block.greeting, block.above, block.comment) for block in orders.blocks)
    return any(read_yes_no(words) is True for words in chain.from_iterable(parts))


def spell_out(ctx: Context, sender: KnownPlayer, orders: MailCommands) -> MailCommands:
    """Replace yes or no by the answer that is meant, or by a problem if none is possible."""
    answer = said(ctx, sender.player.name) if orders.nothing_read else None
    if answer is None and orders.nothing_read and begins_with_yes(ctx.inbound.words):
        return _accept_with_words(ctx, sender) or orders
    if answer is None:
        moves = any(command.verb == "move" for command in orders.commands)
        beside = moves and says_yes_beside(orders)
        waits = beside and any(each.waits for each in asked_by_letter(ctx, sender))
        return MailCommands(problem=BESIDE) if waits else orders
    asked = list(asked_by_letter(ctx, sender))
    if len(asked) != 1:
        return orders
    if not asked[0].waits:
        return MailCommands(problem=GONE.format(what=asked[0].name))
    text = ctx.inbound.words.strip().split("\n")[0]
    command = Command("accept" if answer else "decline", text, asked[0].args)
    return MailCommands((GameBlock(None, (command,)),))


def _accept_with_words(ctx: Context, sender: KnownPlayer) -> MailCommands | None:
    """Return the acceptance of a letter's challenge by a yes and further words, which go to the other."""
    asked = list(asked_by_letter(ctx, sender))
    if len(asked) != 1 or asked[0].what != CHALLENGE or not asked[0].waits:
        return None
    words = without_secrets(ctx.inbound.words).strip()
    command = Command("accept", words.split("\n")[0], asked[0].args)
    return MailCommands((GameBlock(None, (command,), words),))


def ask_again(ctx: Context, sender: KnownPlayer) -> str:
    """Return a sentence on how to answer what the letter asks, or ""."""
    waiting = [each for each in asked_by_letter(ctx, sender) if each.waits]
    if len(waiting) > 1:
        return SEVERAL.format(ways=" or ".join(f"`accept {each.what}`" for each in waiting))
    return UNSURE.format(what=waiting[0].name) if waiting else ""


def asked_by_letter(ctx: Context, sender: KnownPlayer) -> Iterator[Asked]:
    """Yield the challenge or the offers in a letter that was answered at its own reply address."""
    if sender.once or sender.bundle is not None:
        return
    if sender.about:
        found = challenges.find_challenge(ctx.db, ctx.app.games_by_key, sender.about)
        if found is not None and found[0].challenged.id == sender.player.id:
            yield Asked(CHALLENGE, found[1] == "open" and found[0].expires_at > ctx.at, sender.about)
    elif sender.since is not None and (own := ctx.own_game(sender.game_id, sender.player)):
        game, seat = own
        now = game.state.offers
        for what, offer in _offers_in_letter(game, seat, sender.since):
            yield Asked(what, what in now and now[what].entry == offer.entry)


def _offers_in_letter(game: Game, seat: Seat, since: int) -> Iterator[tuple[str, Offer]]:
    """Yield a seat's offers in a letter with `since` entries, except offers followed by other words."""
    known = game.open_entries[:since]
    then = fold(game, upto=known[-1].n if known else 0)
    for what in offers_to(then, seat):
        offer = then.offers[what]
        later = known[known.index(offer.entry) + 1 :]
        if not any(each.seat == seat or (each.kind == SAY and each.at != offer.entry.at) for each in later):
            yield what, offer
