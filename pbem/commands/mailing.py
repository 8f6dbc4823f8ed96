"""`pbem receive` and `pbem retry`: a mail from a pipe, and a mail once more."""

from __future__ import annotations

import logging
import re
import sys

import click

from pbem.commands.common import fail, migrated_or_exit, office_or_exit, settings_or_exit
from pbem.mail.addressing import BadAddress, same_mailbox
from pbem.mail.delivered import sender_of
from pbem.mail.receiving import MOST_RECIPIENTS, plain
from pbem.postoffice import known, process, receive, send_due
from pbem.store import post
from pbem.store.engine import is_gone
from pbem.store.post import Kept
from pbem.timekeeper import give_back

EX_DATAERR, EX_NOUSER, EX_TEMPFAIL = 65, 67, 75  # sysexits.h

_SENDER = re.compile(r'|unknown|MAILER-DAEMON|("[^"]*"|[^\s@<>]+)@[^\s@<>]+', re.IGNORECASE)
"""The null sender, what Postfix says for it without `null_sender=`, and what has the form of an address."""

log = logging.getLogger("pbem.receive")


@click.command("receive")
@click.option(
    "--sender", "-f", help='The envelope sender, "" for a bounce; without it what Return-Path says.'
)
@click.argument("recipients", nargs=-1, required=True)
def receive_command(sender: str | None, recipients: tuple[str, ...]) -> None:
    """Take one mail from standard input, for RECIPIENTS.

    Exit code 0 once the mail is kept; 65 where it is refused for good, 67 for an unknown recipient,
    75 where it should be tried again, as after a mistake in the settings. `pbem work` or `pbem serve`
    handles what was kept.

    Example:  pbem receive --sender bill@example.org play@games.example.org < mail.eml
    """
    settings = settings_or_exit(EX_TEMPFAIL)
    raw = sys.stdin.buffer.read(settings.max_mail + 1)
    if len(raw) > settings.max_mail:
        fail(f"The mail is larger than {settings.max_mail} bytes.", EX_DATAERR)
    if not raw.strip():
        fail("There is no mail on standard input.", EX_DATAERR)
    sender = sender_of(raw) if sender is None else sender.strip().strip("<>").strip()
    if not plain(sender) or not _SENDER.fullmatch(sender):
        fail("That is no sender's address.", EX_DATAERR)
    with office_or_exit(settings, trouble=EX_TEMPFAIL) as office:
        try:
            if len(set(map(same_mailbox, recipients))) > MOST_RECIPIENTS:
                fail(f"The mail is for more than {MOST_RECIPIENTS} recipients.", EX_DATAERR)
            for recipient in recipients:
                known(office, recipient)
            receive(office, raw, sender, list(dict.fromkeys(recipients)))
        except BadAddress:
            fail("No such mailbox here.", EX_NOUSER)
        except Exception as error:
            if not is_gone(error):
                migrated_or_exit(office, EX_TEMPFAIL)
                log.exception("the mail could not be kept")
            fail(f"Not now ({type(error).__name__}); please try again later.", EX_TEMPFAIL)


@click.command("retry")
@click.argument("keys", nargs=-1)
@click.option("--shunted", is_flag=True, help="Every mail that was put aside.")
def retry_command(keys: tuple[str, ...], shunted: bool) -> None:
    """Handle mails once more, by their keys (`m17`), and send what comes of them.

    A move that was made stays made: the same mail again changes nothing. Exit code 0 when all were
    filed, 1 when one failed again.

    Example:  pbem retry m17 m21
    """
    numbers = [_number(key) for key in keys]
    if not numbers and not shunted:
        raise click.UsageError("Name the mails, or say --shunted.")
    with office_or_exit() as office:
        migrated_or_exit(office)
        with office.store.write() as db:
            if shunted:
                numbers += [kept.id for kept in post.in_state(db, "shunted")]
            missing = [number for number in numbers if post.mail(db, number) is None]
            if missing:
                fail(f"There is no mail m{missing[0]}.")
            copies = [number for number in numbers if _is_copy(post.mail(db, number))]
            if copies:
                fail(f"m{copies[0]} is a copy of a mail that was here before; there is nothing to do for it.")
            forgotten = [number for number in numbers if _is_forgotten(post.mail(db, number))]
            if forgotten:
                fail(f"m{forgotten[0]} is so old that its text is forgotten; nothing can be done for it.")
            post.again(db, numbers, office.clock())
        give_back(office)
        states = {number: process(office, number) for number in dict.fromkeys(numbers)}
        send_due(office)
        with office.store.read() as db:
            for number, state in states.items():
                kept = post.mail(db, number)
                detail = kept.detail.strip().splitlines()[-1:] if kept else []
                click.echo(f"m{number}: {state or 'failed, it is tried again'} {' '.join(detail)}".rstrip())
    if not all(states.values()) or "shunted" in states.values():
        sys.exit(1)


def _is_copy(kept: Kept | None) -> bool:
    return kept is not None and kept.state == "duplicate"


def _is_forgotten(kept: Kept | None) -> bool:
    return kept is not None and not kept.raw


def _number(key: str) -> int:
    if not re.fullmatch(r"m[0-9]{1,18}", key):
        raise click.BadParameter(f"{key} is no key of a mail; keys look like m17.")
    return int(key[1:])
