"""The second check for automatic mail, after sender and commands are known."""

from dataclasses import replace

from pbem.core.parsing.commands import correct_word
from pbem.core.parsing.inbound import Inbound
from pbem.core.parsing.line import Command
from pbem.core.parsing.mail_orders import MailCommands


def settle_doubts(inbound: Inbound, orders: MailCommands, *, own: bool) -> Inbound:
    """The mail as a person's, or as a machine's without its words.

    A list header does not count in an owner's mail to a reply address (`own`); the subject of an automatic
    reply does not count if a command was read.
    """
    given = any(_is_order(command) for block in orders.blocks for command in block.commands)
    said = any(block.said for block in orders.blocks)
    cleared = {"list": own, "subject": given or said}
    doubt = next((each for each in inbound.doubts if not cleared[each.sign]), None)
    if doubt is None:
        return inbound
    return replace(inbound, kind=doubt.kind, reason=doubt.reason, text="", words="", marked=False)


def _is_order(command: Command) -> bool:
    """True for a command that no automatic reply contains by chance, as "Note" or "Vacation!"."""
    words = command.text.split()
    lone = len(words) == 1 and (command.verb == "vacation" or correct_word(words[0]) is not None)
    return command.verb != "note" and not lone


def is_silent(inbound: Inbound) -> bool:
    """True if the subject marks an automatic reply. Then no words are forwarded."""
    return any(doubt.sign == "subject" for doubt in inbound.doubts)
