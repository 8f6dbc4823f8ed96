"""One mail's way in ten steps, from bytes to letters.

1 receive  2 keep  3 open  4 authenticate  5 load  6 read  7 decide  8 write  9 commit  10 send.

Steps 1 and 2 end in one commit, 3 to 9 in a second. So `work_through` finds every stored mail that is not
handled, and a crash between any two steps neither loses nor repeats anything.
"""

import logging
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from pbem.app import App
from pbem.commands import context, preferences, which_game
from pbem.config.logs import handling, trouble
from pbem.core.clock.mail_times import MailTimes
from pbem.core.errors import Refusal
from pbem.core.letters.letter import to_player
from pbem.core.parsing.inbound import Envelope, Mail, settle_doubts
from pbem.core.players import RETURNED
from pbem.core.redact import without_keys, without_secrets
from pbem.duties import game_clock
from pbem.inbox import bounces, confirmations, dispatch, invitations, newcomers, unproven
from pbem.inbox.put_aside import games_stopped_for, put_aside, restart_clocks
from pbem.inbox.sender import authenticate, find_verdict, front_verdict, lock_games
from pbem.mail.addresses import Address, BadAddress
from pbem.mail.authentication import coverage, dkim_verify, dns, results
from pbem.mail.inbound.parse import dedupe_keys, parse_mail
from pbem.mail.person.compose import is_form_mail
from pbem.outbox.drain import drain, never_stop
from pbem.outbox.write import queue_letters
from pbem.store import challenges, inbox, players
from pbem.store import invitations as invitation_rows
from pbem.store.bounces import release_held
from pbem.store.engine import Connection, is_unavailable, unless_unavailable
from pbem.store.inbox import Code, StoredMail
from pbem.store.players import Confirmation

log = logging.getLogger("pbem.mail")
RETRY_AFTER = timedelta(seconds=20)
PATIENCE_SECONDS, NAP_SECONDS = 5.0, 0.05
"""Maximum wait for a mail that another process handles, and check interval."""


def work_through(
    app: App, until: Callable[[], bool] = never_stop, wake: Callable[[], object] | None = None
) -> int:
    """Handle waiting mail until `until()`; returns the number. Safe in any number of processes.

    With `wake`, DNS queries do not block: a mail waits for the answer, which calls `wake`.
    """
    names = app.lookup if wake is not None and isinstance(app.lookup, dns.DnsClient) else None
    _forget_handled(app)
    given_up = set[int]()

    def step() -> tuple[int, bool]:
        besides = {*app.ahead.pending_numbers(), *given_up}
        begun = _claim(app, lambda db, now, until: inbox.claim_oldest_mail(db, now, until, besides))
        if begun is None:
            return 0, False
        if names is not None and wake is not None and not _ask_ahead(app, begun, names, wake):
            if app.ahead.full:
                given_up.add(begun.id)
            return 0, True
        with handling(begun.key):
            done = _process(app, begun) is not None
        if not done:
            given_up.add(begun.id)
        return int(done), True

    return drain(step, until)


def _forget_handled(app: App) -> None:
    """Forget the DNS queries of mails that another worker has handled."""
    if app.ahead:
        with app.store.read() as db:
            app.ahead.only(inbox.waiting_mail_ids(db, app.clock(), app.ahead.numbers()))


def _ask_ahead(app: App, begun: StoredMail, servers: dns.DnsClient, wake: Callable[[], object]) -> bool:
    """True if a mail may be handled now; otherwise start its DNS query and end the claim."""
    number = begun.id
    if app.ahead.asked(number):
        return True
    names: list[str] = []
    if begun.attempts <= app.config.attempts and not app.ahead.full:
        try:
            inbound = _parse(app, begun)
            if _needs_check(app, begun, inbound):
                names = dkim_verify.dns_names_needed(begun.raw, inbound.sender)
        except Exception:
            log.exception("m%d: nobody can be asked about it", number)
        app.step("ask")
    if not app.ahead.full and app.ahead.begin(number, begun.sender, names, servers, wake):
        return True
    _uncount_attempt(app, number)
    return False


def wait_until_filed(app: App, number: int) -> None:
    """Wait until a mail is handled elsewhere, at most PATIENCE_SECONDS."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        with app.store.read() as db:
            kept = inbox.mail_by_id(db, number)
        if kept is None or kept.state != "new" or Code.FAILED in kept.code:
            return
        time.sleep(NAP_SECONDS)


def process(app: App, number: int) -> str | None:
    """Handle one stored mail and return its state, or None if the mail must wait."""
    with handling(f"m{number}"):
        begun = _claim(app, lambda db, now, until: inbox.claim_mail(db, number, now, until))
        return None if begun is None else _process(app, begun)


def _process(app: App, begun: StoredMail) -> str | None:
    """Handle a claimed mail and return its state, or None if the mail must wait."""
    number = begun.id
    try:
        if begun.attempts > app.config.attempts:
            return put_aside(app, number)
        inbound = _parse(app, begun)
        checked = _check_sender(app, begun, inbound)
        app.ahead.end(number)
        with app.store.write() as db:
            kept = inbox.lock_mail(db, number)
            if kept is None:
                return None
            outcome = _handle(app, db, kept, inbound, checked)
            app.step("write")
        app.step("commit")
    except game_clock.EarlierMailPending:
        log.info("m%d waits for an earlier mail", number)
        with app.store.write() as db:
            inbox.delay_mail(db, number, app.clock() + RETRY_AFTER)
        return None
    except Exception as error:
        if is_unavailable(error):
            why = "m%d waits: the database does not answer (%s)"
            log.warning(why, number, type(error).__name__, extra=trouble("database", error))
            _uncount_attempt(app, number)
            return None
        return _record_failure(app, number, error, begun.raw)
    log.info("m%d %s%s", number, outcome.state, f": {outcome.note}" if outcome.note else "")
    return outcome.state


Claim = Callable[[Connection, datetime, datetime], StoredMail | None]


def _claim(app: App, claim: Claim) -> StoredMail | None:
    """Count the attempt, so that a mail that crashes this process is put aside, and return the mail."""
    now = app.clock()
    try:
        with app.store.write_unsynced() as db:
            return claim(db, now, now + RETRY_AFTER)
    except Exception as error:
        if not is_unavailable(error):
            raise
        log.warning("mail waits: the database does not answer (%s)", type(error).__name__)
        return None


def _uncount_attempt(app: App, number: int) -> None:
    """Take an attempt back, as the mail was not at fault, unless the database is unavailable."""
    with unless_unavailable(), app.store.write_unsynced() as db:
        inbox.delay_mail(db, number, None)


def _parse(app: App, kept: StoredMail) -> Mail:
    """Parse a mail, and blank keys of our addresses in its words, since others may read the words."""
    inbound = parse_mail(kept.raw, Envelope(kept.sender, kept.recipient), app.config.host)
    is_key = app.addressing.is_token
    words, below = (without_keys(text, is_key) for text in (inbound.words, inbound.signature_text))
    return replace(inbound, words=words, signature_text=below)


def _check_sender(app: App, kept: StoredMail, inbound: Mail) -> results.Verdict:
    """Judge the From outside the transaction, since name servers may take seconds."""
    lookup = app.lookup
    if lookup is None or not _needs_check(app, kept, inbound):
        return front_verdict(inbound, app.config)
    if isinstance(lookup, dns.DnsClient):
        if not app.ahead.asked(kept.id):
            lookup.ask(dkim_verify.dns_names_needed(kept.raw, inbound.sender)).result()
        lookup = lookup.known
    return find_verdict(inbound, kept.raw, app.config, lookup)


def _needs_check(app: App, kept: StoredMail, inbound: Mail) -> bool:
    """True if the From must be checked: a person's mail that no server in front has judged."""
    if kept.state != "new" or is_form_mail(kept.raw, app.addressing.keys):
        return False
    return inbound.kind == "person" and front_verdict(inbound, app.config) == results.Verdict.UNKNOWN


def _handle(
    app: App, db: Connection, kept: StoredMail, inbound: Mail, checked: results.Verdict
) -> context.MailOutcome:
    now = app.now()
    app.step("open")
    outcome = _answer(app, db, kept, inbound, now, checked)
    queue_letters(app, db, outcome.letters, now, kept=kept, inbound=inbound)
    for letter in outcome.letters:
        if letter.kind == "reachable" and letter.player is not None:
            release_held(db, letter.player, now)
    if outcome.state == "done" and outcome.player is not None and outcome.player.returned_at:
        players.set_preference(db, outcome.player, RETURNED, "")  # the answer has told it
    restart_clocks(app, db, kept)
    whose = {"player_id": outcome.player.id if outcome.player else None, "game_id": outcome.game_id}
    inbox.set_disposition(db, kept.id, outcome.state, outcome.detail, now, code=outcome.code, **whose)
    return outcome


def rehearse(app: App, raw: bytes, sender: str, recipient: str) -> context.MailOutcome:
    """Handle a mail without storing anything; returns its disposition and letters."""
    outcome = context.MailOutcome("duplicate", "the same mail is here already")
    row: dict[str, Any] = {"raw": raw, "sender": sender, "recipient": recipient}
    row |= {"sha256": sha256(raw).hexdigest(), "dedupe": dedupe_keys(raw, [recipient])[0]}
    try:
        with app.store.write() as db:
            number, new = inbox.store_mail(db, **row, now=app.clock())
            kept = inbox.lock_mail(db, number) if new else None
            if kept is not None:
                inbound = _parse(app, kept)
                outcome = _handle(app, db, kept, inbound, front_verdict(inbound, app.config))
            db.rollback()
    except game_clock.EarlierMailPending:
        outcome = context.MailOutcome("new", "a mail that came before a flag fell is to be handled first")
    return outcome


def _answer(
    app: App, db: Connection, kept: StoredMail, inbound: Mail, now: datetime, checked: results.Verdict
) -> context.MailOutcome:
    if inbound.kind in ("robot", "bounce"):
        return bounces.file_automatic_mail(app, db, kept, inbound, now)
    if inbound.kind == "loop" or (inbound.kind == "refused" and not inbound.sender):
        return context.MailOutcome(inbound.kind, inbound.reason)
    try:
        address = app.addressing.read(kept.recipient)
    except BadAddress as wrong:
        return context.MailOutcome("refused", str(wrong))
    accepted_at = kept.received_at.replace(microsecond=0)
    when = MailTimes(accepted_at, max(accepted_at, now), again=kept.filed_at is not None, mail=kept.id)
    ours = is_form_mail(kept.raw, app.addressing.keys)
    ctx = context.Context(app, db, inbound, when, checked, as_written=ours)
    lock_games(ctx, address, games_stopped_for(app, db, kept))
    ctx.games.update(restart_clocks(app, db, kept))
    sender = authenticate(ctx, address)
    settled = _settle_doubts(ctx, sender, address)
    if settled.kind in ("robot", "bounce"):
        return context.MailOutcome(settled.kind, settled.reason)
    if _handled_before(ctx, sender, address):
        return context.MailOutcome("duplicate", "the same signed mail was handled before")
    sender, reachable, since = bounces.lift_suspension(ctx, sender)
    app.step("authenticate")
    outcome = _answer_sender(ctx, sender)
    if reachable is None:
        return outcome
    waiting = challenges.challenges_to(db, app.games_by_key, reachable, now)
    letter = to_player("reachable", reachable, since=since, to_you=waiting)
    return replace(outcome, letters=(*outcome.letters, letter))


def _settle_doubts(ctx: context.Context, sender: context.Sender, address: Address) -> Mail:
    if not ctx.inbound.doubts:
        return ctx.inbound
    proven = isinstance(sender, context.KnownPlayer | Confirmation | context.Unsubscribing)
    orders = ctx.orders(_likely_game(ctx, sender, address))
    return settle_doubts(ctx.inbound, orders, own=proven and address.token is not None)


def _likely_game(ctx: context.Context, sender: context.Sender, address: Address) -> int | None:
    if address.token is not None and address.token.use == "game":
        return address.token.numbers[0]
    if isinstance(sender, Confirmation):
        return sender.data.get("game")
    if isinstance(sender, context.KnownPlayer) and sender.game_id is None:
        return which_game.game_meant(ctx, sender)
    return sender.game_id if isinstance(sender, context.KnownPlayer | context.UnverifiedPlayer) else None


def _handled_before(ctx: context.Context, sender: context.Sender, address: Address) -> bool:
    """True if the same words of this writer were handled before, even with another Message-ID."""
    seal = ctx.inbound.seal
    if not seal or not isinstance(sender, context.KnownPlayer | Confirmation):
        return False
    new = inbox.claim_nonce(ctx.db, "mail", seal, ctx.now, kept=coverage.SEALS_KEPT)
    if not isinstance(sender, context.KnownPlayer):
        return False
    if sender.once or not which_game.is_authentic(ctx):
        return not new and sender.once
    # Whoever has a signed mail can send it on to another reply address.
    here = sha256(f"{seal} {address}".encode()).hexdigest()
    if new:
        inbox.claim_nonce(ctx.db, "mail to", here, ctx.now, kept=coverage.SEALS_KEPT)
    return not new and not inbox.is_nonce_claimed(ctx.db, "mail to", here)


def _answer_sender(ctx: context.Context, sender: context.Sender) -> context.MailOutcome:
    match sender:
        case context.MailOutcome():
            return sender
        case context.Unsubscribing(player, category):
            players.set_category_stopped(ctx.db, player, category)
            letter = preferences.stopped_letter(ctx, player, category)
            return context.MailOutcome("done", f"stopped {category}", (letter,), player)
        case context.KnownPlayer():
            outcome = _answer_player(ctx, sender)
            return dispatch.limit_answers(ctx, sender.player.address, outcome)
        case context.InvitedFriend():
            outcome = invitations.handle_friend(ctx, sender)
            return dispatch.limit_answers(ctx, sender.address, outcome)
        case context.NeverAgain(invited):
            invitation_rows.never_again(ctx.db, invited)
            return context.MailOutcome("done", "wants no invitations")
        case Confirmation():
            return dispatch.limit_answers(ctx, sender.address, confirmations.handle_answer(ctx, sender))
        case context.UnverifiedPlayer():
            with suppress(Refusal):
                ctx = invitations.as_order(ctx, sender.player)
            return unproven.ask_for_proof(ctx, sender)
        case context.UnknownSender():
            return invitations.answer_all(ctx, sender) or newcomers.handle_stranger(ctx, sender)


def _answer_player(ctx: context.Context, sender: context.KnownPlayer) -> context.MailOutcome:
    """Carry out a player's orders; a mail to another, with us in Cc, may be an order to invite them."""
    if sender.once and sender.game_id is None:
        try:
            ctx = invitations.as_order(ctx, sender.player)
        except Refusal as refusal:
            return context.plain_refusal(sender.player, str(refusal))
    return dispatch.handle_player(ctx, sender)


def _record_failure(app: App, number: int, error: Exception, raw: bytes) -> str | None:
    story = without_secrets("".join(traceback.format_exception(error)))
    log.error("m%d failed: %s\n%s", number, type(error).__name__, story)
    app.counts.add("faults")
    with app.store.write() as db:
        kept = inbox.lock_mail(db, number)
        if kept is None:
            return None
        if kept.attempts < app.config.attempts:
            inbox.record_failed_attempt(db, number, story, app.clock() + RETRY_AFTER)
            return None
    return put_aside(app, number, story, raw)
