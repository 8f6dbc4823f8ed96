"""Steps 1 and 2: keep mail for each recipient before acknowledging it."""

import logging
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from itertools import chain
from typing import Any

from pbem.app import App
from pbem.core.players import same_address
from pbem.mail.addresses import BadAddress
from pbem.mail.inbound.envelope import acceptance_time, add_client_line
from pbem.mail.inbound.headers import UnsafeSender, read_sender
from pbem.mail.inbound.mime import headers_of
from pbem.mail.inbound.parse import dedupe_keys
from pbem.mail.transport.smtp_server import ReceivedMail, StoreUnavailable
from pbem.store import engine, inbox

log = logging.getLogger("pbem.mail")


class NonceUsed(Exception):
    """A credential for one delivery that was used before."""


def receive(
    app: App,
    raw: bytes,
    sender: str,
    recipients: Sequence[str],
    *,
    once: tuple[str, str] | None = None,
    kept: datetime | None = None,
) -> list[str]:
    """Store a mail for its recipients, after which it may be acknowledged; returns a key (`m17`) for each.

    `kept` is the mail's arrival in the mailbox that held it. Raises the database's errors, and NonceUsed if
    `once`, a channel and a nonce for one mail, was used before.
    """
    (keys,) = _keep(app, [ReceivedMail(raw, sender, tuple(recipients), kept)], once)
    return keys


def receive_all(app: App, mails: Sequence[ReceivedMail]) -> list[list[str] | Exception]:
    """Store many mails at once, or each alone after a failure; returns each mail's keys or error."""
    try:
        return list(_keep(app, mails))
    except Exception as error:
        if engine.is_unavailable(error):
            unavailable = StoreUnavailable()
            unavailable.__cause__ = error
            return [unavailable] * len(mails)
        if len(mails) == 1:
            return [error]
        return [outcome for mail in mails for outcome in receive_all(app, [mail])]


def _keep(app: App, mails: Sequence[ReceivedMail], once: tuple[str, str] | None = None) -> list[list[str]]:
    app.step("receive")
    now = app.clock()
    rows = [_rows(app, mail, now) for mail in mails]
    with app.store.write(first=True) as db:
        if once and not inbox.claim_nonce(db, *once, now):
            raise NonceUsed
        kept = [{to: inbox.store_mail(db, now=now, **row) for to, row in each.items()} for each in rows]
    app.step("keep")
    for number, new in chain.from_iterable(each.values() for each in kept):
        log.info("m%d %s", number, "kept" if new else "duplicate")
    app.wake("file")
    return [
        [f"m{each[recipient.lower()][0]}" for recipient in mail.recipients]
        for mail, each in zip(mails, kept, strict=True)
    ]


def _rows(app: App, mail: ReceivedMail, now: datetime) -> dict[str, dict[str, Any]]:
    """Make a row for each mailbox of ours, by address, since several recipients may mean one mailbox."""
    mailboxes: dict[str, str] = {}
    for recipient in mail.recipients:
        mailboxes.setdefault(recipient.lower(), recipient)
    config, raw = app.config, mail.raw
    at = acceptance_time(raw, now, trusted=config.authserv, kept=mail.kept)
    if config.authserv is None:  # no server in front has recorded the client
        raw = add_client_line(raw, mail.client, config.host, now)
    shared = {"raw": raw, "sender": mail.sender, "at": at, "sha256": sha256(mail.raw).hexdigest()}
    keys = dedupe_keys(mail.raw, tuple(mailboxes.values()))
    return {
        mailbox: shared | {"recipient": recipient, "dedupe": key, **_find_concerned(app, recipient, raw)}
        for (mailbox, recipient), key in zip(mailboxes.items(), keys, strict=True)
    }


def _find_concerned(app: App, recipient: str, raw: bytes) -> dict[str, Any]:
    """Find by address and From the game or player that a mail may be about; {} means any."""
    try:
        address = app.addressing.read(recipient)
    except BadAddress:
        return {}
    if address.token is None:
        return {"whose": _writer(raw) if address.mailbox == "play" else ""}
    match address.token.use:
        case "game":
            return {"about_game": address.token.numbers[0]}
        case "player" | "bundle" | "watch":
            return {"whose": str(address.token.numbers[0])}
        case "bounce":
            return {"whose": ""}
    return {}


def _writer(raw: bytes) -> str:
    """Return the address in From, or "" if it cannot be a player's."""
    headers = headers_of(raw)
    try:
        return "" if headers is None else same_address(read_sender(headers)[0])
    except UnsafeSender:
        return ""
