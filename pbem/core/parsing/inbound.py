"""A parsed mail, and the second check for automatic mail, made when sender and commands are known."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import MailCommands
from pbem.core.parsing.misspelled import correct_word
from pbem.core.parsing.yes_no import read_yes_no

Kind = Literal["person", "robot", "bounce", "loop", "refused"]


@dataclass(frozen=True)
class Envelope:
    """Sender and recipient from the sending host (RFC 5321); "" as sender is the null reverse-path."""

    sender: str
    recipient: str


@dataclass(frozen=True)
class Doubt:
    """A sign of automatic mail, and the mail's kind if the sign is right."""

    sign: Literal["list", "subject", "forwarded", "calendar"]
    kind: Kind
    reason: str


@dataclass(frozen=True)
class Mail:
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
    A mail with `doubts` is a person's until `settle_doubts` decides.
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
    struck: bool = False
    """True if the HTML part strikes out or hides words that are in the text part."""
    utc_offset: timedelta | None = None
    """The distance from UTC in the Date header, None where that does not tell it."""
    attachments: tuple[str, ...] = ()
    """The names of attached files, which are not opened."""
    subject_alone: bool = False
    """True if the mail has no words, so that its Subject stands for them."""
    is_away: bool = False
    """True if the words have a phrase of automatic replies, so that we do not offer to send them alone."""

    @property
    def is_silent(self) -> bool:
        """True if the subject marks an automatic reply, whose words are never forwarded."""
        return any(doubt.sign == "subject" for doubt in self.doubts)


def settle_doubts(inbound: Mail, orders: MailCommands, *, own: bool) -> Mail:
    """Return the mail as a person's, or as a machine's without its words.

    These signs of automatic mail do not count: a list header in an owner's mail to a reply address (`own`);
    the subject of an automatic reply if a command, or an owner's yes or no, was read; headers of forwarding
    by a rule or a group if `own` and a command was read; a calendar's answer if a command was read.
    """
    given = any(_is_order(command) for command in orders.commands)
    said = any(block.said for block in orders.blocks) or (own and read_yes_no(inbound.words) is not None)
    cleared = {"list": own, "subject": given or said, "forwarded": own and given, "calendar": given}
    doubt = next((each for each in inbound.doubts if not cleared[each.sign]), None)
    if doubt is None:
        return inbound
    return replace(inbound, kind=doubt.kind, reason=doubt.reason, text="", words="", marked=False)


def _is_order(command: Command) -> bool:
    """True if automatic mail is unlikely to contain this command, unlike "Note" or "Vacation!"."""
    words = command.text.split()
    lone = len(words) == 1 and (command.verb == "vacation" or correct_word(words[0]) is not None)
    return command.verb != "note" and not lone
