"""What a mail is once it has been opened: values that may be judged without touching its bytes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Kind = Literal["person", "robot", "bounce", "loop", "refused"]


@dataclass(frozen=True)
class Envelope:
    """Who the sending host said it is from and for (RFC 5321); "" as sender is the null reverse-path."""

    sender: str
    recipient: str


@dataclass(frozen=True)
class Doubt:
    """A sign that a machine may have written a mail, and what the mail is if one did."""

    sign: Literal["list", "subject"]
    kind: Kind
    reason: str


@dataclass(frozen=True)
class Inbound:
    """One mail, opened.

    `reason` is "" for a person, a few words for a robot, bounce or loop, and one sentence for a
    refused mail. `sender` is the one address in From, its domain in lower case, "" where none is
    safe; `message_id` has its angle brackets, "" where it is missing. `text` is the body as chosen,
    normalised; `words` the player's own part of it, `marked` whether our marker line was found,
    `below` what stood in a signature or below one and goes to nobody.
    `auth_results` and `received` are those headers from top to bottom, unfolded; `auth_hops` says how
    many of the second stand above each of the first, `to` is what To and Cc say. The digests are
    SHA-256 in hex: of the body, and of all but what hosts add on the way.

    `named` are those headers that may stand but once, as often as they do; `signed` the signatures, `date`
    what Date says. `seal` is what the same mail keeps however its unsigned parts are changed: a digest of
    From, Date, Subject and the body's words, "" without a Date. A mail with `doubts` is a person's until
    `pbem.core.doubts` settles them.
    """

    kind: Kind
    reason: str = ""
    sender: str = ""
    sender_name: str = ""
    subject: str = ""
    message_id: str = ""
    in_reply_to: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    text: str = ""
    words: str = ""
    below: str = ""
    marked: bool = False
    auth_results: tuple[str, ...] = ()
    auth_hops: tuple[int, ...] = ()
    to: str = ""
    received: tuple[str, ...] = ()
    body_digest: str = ""
    digest: str = ""
    named: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    date: datetime | None = None
    seal: str = ""
    doubts: tuple[Doubt, ...] = ()
