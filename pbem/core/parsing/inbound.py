"""A parsed mail: values that can be judged without its bytes."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Kind = Literal["person", "robot", "bounce", "loop", "refused"]


@dataclass(frozen=True)
class Envelope:
    """Sender and recipient from the sending host (RFC 5321). "" as sender is the null reverse-path."""

    sender: str
    recipient: str


@dataclass(frozen=True)
class Doubt:
    """A sign of automatic mail, and the mail's kind if true."""

    sign: Literal["list", "subject"]
    kind: Kind
    reason: str


@dataclass(frozen=True)
class Inbound:
    """One parsed mail.

    `reason`: "" for a person, a few words for a robot, bounce or loop, one sentence for a refused mail.
    `sender`: the one address in From, its domain in lower case, "" if none is safe; `to`: To and Cc.
    `message_id`: with its angle brackets, "" if it is missing.
    `text`: the chosen body, normalised; `words`: the player's own part of it; `marked`: our marker line was
    found; `signature_text`: the text in and below a signature, which goes to nobody.
    `auth_results`, `received`: those headers from top to bottom, unfolded, the first with the number of
    `received` above each.
    `named`: the headers that may appear only once, as often as they do; `signed`: the signatures.
    `seal` stays the same if unsigned parts change: a digest of From, Date, Subject and the body's words, ""
    without a Date.
    A mail with `doubts` is a person's until `pbem.core.parsing.doubts` decides.
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
    signature_text: str = ""
    marked: bool = False
    auth_results: tuple[tuple[str, int], ...] = ()
    to: str = ""
    received: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    signed: tuple[str, ...] = ()
    date: datetime | None = None
    seal: str = ""
    doubts: tuple[Doubt, ...] = ()
