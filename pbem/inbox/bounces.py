"""Bounces of our letters, and players reachable again. Only a letter's own bounce address identifies it."""

from dataclasses import replace
from datetime import datetime

from pbem.app import App
from pbem.commands.context import Context, KnownPlayer, MailOutcome, Sender, Unsubscribing
from pbem.core import bounces as core_bounces
from pbem.core.parsing.inbound import Mail
from pbem.core.players import Player
from pbem.mail.addresses import BadAddress
from pbem.mail.inbound.bounce_report import read_bounce
from pbem.outbox.bounces import record_bounce, record_refusal, severity_text
from pbem.store import bounces, engine, inbox, players


def file_automatic_mail(
    app: App, db: engine.Connection, kept: inbox.StoredMail, inbound: Mail, now: datetime
) -> MailOutcome:
    """File a machine's mail, and handle a letter that came back."""
    outcome = MailOutcome(inbound.kind, inbound.reason)
    for letter in _letters_of(app, db, kept.recipient):
        if not core_bounces.bounce_counts(letter.sent_at, now):
            return replace(outcome, detail=f"{inbound.reason}; o{letter.id} is too old to count")
        reports = read_bounce(kept.raw)
        points, status = core_bounces.points_of(reports, letter.recipient)
        if not points and (policy := core_bounces.policy_of(reports, letter.recipient)):
            told = record_refusal(app, db, letter.id, letter.recipient, policy, now)
            detail = f"{inbound.reason}; o{letter.id} was refused by policy ({policy})"
            return replace(outcome, detail=detail, letters=told)
        if points:
            told = record_bounce(app, db, letter.id, letter.recipient, points, status, now)
            detail = f"{inbound.reason}; o{letter.id} came back ({severity_text(points, status)})"
            return replace(outcome, detail=detail, letters=told)
    return outcome


def _letters_of(app: App, db: engine.Connection, recipient: str) -> list[bounces.BouncedLetter]:
    try:
        address = app.addressing.read(recipient)
    except BadAddress:
        return []
    if address.mailbox != "bounce":
        return []
    local = recipient.strip("<> ").rpartition("@")[0]
    return bounces.letters_from(db, f"{local.lower()}@{app.addressing.host}")


def lift_suspension(ctx: Context, sender: Sender) -> tuple[Sender, Player | None, datetime | None]:
    """Lift suspensions; returns the sender and the player again in reach, if any. Last is since when."""
    player = sender.player if isinstance(sender, KnownPlayer | Unsubscribing) else None
    if isinstance(sender, players.Confirmation):
        player = players.player_by_address(ctx.db, sender.address)
    if player is None or not player.suspended:
        return sender, None, None
    since = bounces.lift_suspensions(ctx.db, player)
    again = replace(player, suspended=frozenset())
    ctx.games.clear()  # their players are loaded anew
    if isinstance(sender, KnownPlayer | Unsubscribing):
        sender = replace(sender, player=again)
    if player.reachable:  # letters go to another address, such as the spare one
        return sender, None, None
    return sender, again, since
