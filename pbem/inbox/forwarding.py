"""Mails to postmaster@ and abuse@, which go to the operator within rations. What they hold back is told."""

from hashlib import sha256
from typing import Any

from pbem.commands.context import DAY, Context, MailOutcome
from pbem.commands.which_game import is_authentic
from pbem.core.letters.letter import Letter
from pbem.core.parsing.reply_text import first_lines
from pbem.core.players import same_address
from pbem.mail.authentication.results import Verdict
from pbem.store import limits, players

FORWARDED_A_DAY, FORWARDED_OF_ONE, FORWARDED_LINES = 20, 5, 100
"""Maximum mails a day to one mailbox, and of one sender to it; lines of each."""


def forward(ctx: Context, mailbox: str) -> MailOutcome:
    """Bring a mail to the operator, or count it as held back."""
    operator, inbound, detail = ctx.app.config.operator, ctx.inbound, f"for the operator ({mailbox})"
    if operator is None or same_address(operator) == same_address(inbound.sender):
        return MailOutcome("done", detail)
    if not _is_within_rations(ctx, mailbox):
        limits.count_held_back(ctx.db, mailbox, ctx.now)
        return MailOutcome("done", f"{detail}, held back")
    words = first_lines(inbound.text, FORWARDED_LINES)
    facts: dict[str, Any] = {"mailbox": mailbox, "sender": inbound.sender, "about": inbound.subject}
    facts |= {"words": words, "key": f"m{ctx.when.mail}", "held": limits.take_held_back(ctx.db)}
    return MailOutcome("done", detail, (Letter("forwarded", operator, None, facts=facts),))


def _is_within_rations(ctx: Context, mailbox: str) -> bool:
    """Count a mail; True if it may go. Players' mails need no ration, those in their names one a sender."""
    sender = same_address(ctx.inbound.sender)
    known = ctx.checked != Verdict.FAIL and players.player_by_address(ctx.db, sender) is not None
    if known and is_authentic(ctx):
        return True
    name = sha256(sender.encode("utf-8", "replace")).hexdigest()[:40]
    if limits.count_attempt(ctx.db, f"to {mailbox}: {name}", ctx.now, DAY) > FORWARDED_OF_ONE:
        return False
    return known or limits.count_attempt(ctx.db, f"to {mailbox}", ctx.now, DAY) <= FORWARDED_A_DAY
