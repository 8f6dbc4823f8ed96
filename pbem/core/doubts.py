"""Mail that a machine may have written or not: settled once its sender and its orders are known.

What stands in the headers of machines alone is no doubt, and known when a mail is opened.
"""

from __future__ import annotations

from dataclasses import replace

from pbem.core.inbound import Inbound
from pbem.core.lines import Command
from pbem.core.orders import Orders
from pbem.core.vocabulary import mended


def settled(inbound: Inbound, orders: Orders, *, own: bool) -> Inbound:
    """The mail of a person, or of a machine where a doubt holds; a machine's has no words.

    A list's header decides nothing in a mail that its owner sent to a reply address (`own`), the subject
    of an automatic reply nothing where an order was read.
    """
    given = any(is_order(command) for block in orders.blocks for command in block.commands)
    said = any(block.said for block in orders.blocks)
    cleared = {"list": own, "subject": given or said}
    doubt = next((each for each in inbound.doubts if not cleared[each.sign]), None)
    if doubt is None:
        return inbound
    return replace(inbound, kind=doubt.kind, reason=doubt.reason, text="", words="", marked=False)


def is_order(command: Command) -> bool:
    """Whether a command is one that no automatic reply holds by chance.

    One may well begin a line with "Note", or hold "Vacation!" or a lone word that is nearly a command.
    """
    words = command.text.split()
    lone = len(words) == 1 and (command.verb == "vacation" or mended(words[0]) is not None)
    return command.verb != "note" and not lone


def is_silent(inbound: Inbound) -> bool:
    """Whether no words of a mail go to anybody: its subject is that of an automatic reply."""
    return any(doubt.sign == "subject" for doubt in inbound.doubts)
