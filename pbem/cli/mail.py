"""`pbem receive` and `pbem retry`: mail from a pipe, and second attempts."""

import logging
import re
import sys
from collections.abc import Iterable, Mapping
from typing import Any

import click

from pbem.app import App
from pbem.cli.common import USAGE, ShellCommand, command, count_of, exit_unless_migrated, fail, open_or_exit
from pbem.config.load import load
from pbem.duties.outages import credit_outage
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.addresses import BadAddress
from pbem.mail.inbound.envelope import envelope_sender
from pbem.mail.transport.smtp_server import MAX_RECIPIENTS, is_printable_address
from pbem.outbox.send import send_due
from pbem.store import bot_jobs, bots, engine, inbox, outbox_delivery

EX_DATAERR, EX_NOUSER, EX_TEMPFAIL = 65, 67, 75  # sysexits.h

_SENDER = re.compile(r'|unknown|MAILER-DAEMON|("[^"]*"|[^\s@<>]+)@[^\s@<>]+', re.IGNORECASE)
"""The forms of a sender: null, Postfix's names for null, or an address."""

log = logging.getLogger("pbem.receive")


class Receive(ShellCommand):
    """A command for mail servers. No mistake in the settings, and no fault of ours, loses a mail."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except SystemExit as end:
            sys.exit(EX_TEMPFAIL if end.code in (1, USAGE) else end.code)
        except (click.ClickException, click.exceptions.Exit):
            raise
        except Exception:
            log.exception("the mail was not kept")
            sys.exit(EX_TEMPFAIL)


@command("receive", cls=Receive)
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
    config = load()
    raw = sys.stdin.buffer.read(config.max_mail + 1)
    if len(raw) > config.max_mail:
        fail(f"The mail is larger than {config.max_mail} bytes.", EX_DATAERR)
    if not raw.strip():
        fail("There is no mail on standard input.", EX_DATAERR)
    sender = envelope_sender(raw) if sender is None else sender.strip().strip("<>").strip()
    if not is_printable_address(sender) or not _SENDER.fullmatch(sender):
        fail("That is no sender's address.", EX_DATAERR)
    if len(set(map(str.lower, recipients))) > MAX_RECIPIENTS:
        fail(f"The mail is for more than {MAX_RECIPIENTS} recipients.", EX_DATAERR)
    with open_or_exit(config, migrated=False) as app:
        try:
            for recipient in recipients:
                app.addressing.read(recipient)
            receive(app, raw, sender, list(dict.fromkeys(recipients)))
        except BadAddress:
            fail("No such mailbox here.", EX_NOUSER)
        except Exception:
            exit_unless_migrated(app)
            raise


@command("retry")
@click.argument("keys", nargs=-1)
@click.option("--shunted", is_flag=True, help="Every mail that was put aside.")
@click.option("--failed", is_flag=True, help="Every letter that was given up, or put off by the relay.")
@click.option("--bots", "of_bots", is_flag=True, help="Every game and job that bots could not go on with.")
@click.option(
    "--drop", is_flag=True, help="Give the letters named up for good: no check speaks of them any more."
)
def retry_command(keys: tuple[str, ...], shunted: bool, failed: bool, of_bots: bool, drop: bool) -> None:
    """Handle mails once more by key (`m17`), or send letters again (`o23`).

    A game that bots could not go on with (`g42`) is looked at again by `pbem bots`.

    A mail that was handled is not handled again, so no words are said twice. A letter goes as it was
    written, byte for byte. Exit code 0 when all were filed and sent, 1 when one failed again.

    Example:  pbem retry m17 o23
    """
    mails, letters, stuck = (_numbers(keys, sort) for sort in "mog")
    if not (keys or shunted or failed or of_bots):
        raise click.UsageError("Name mails, letters or games, or say --shunted, --failed or --bots.")
    if drop and (mails or shunted or failed or of_bots or stuck or not letters):
        raise click.UsageError("Name the letters to drop; --drop is for no others.")
    with open_or_exit() as app:
        with app.store.write() as db:
            mails += [kept.id for kept in inbox.mails_in_state(db, "shunted")] if shunted else []
            letters += outbox_delivery.resendable_ids(db) if failed else []
            _check_mails(db, mails)
            _check_letters(db, letters, drop=drop)
            if drop:
                for number in letters:
                    outbox_delivery.drop_letter(db, number, "by the operator")
                    click.echo(f"o{number}: dropped")
                return
            done = _retry_bots(app, db, stuck, every=of_bots)
            inbox.reopen_mails(db, mails)
            outbox_delivery.requeue_letters(db, letters, app.clock())
        if not (mails or letters or done):
            click.echo("There is nothing to retry.")
        credit_outage(app)
        states = {number: process(app, number) for number in dict.fromkeys(mails)}
        send_due(app)
        sent = _print_results(app, states, letters)
    if not sent or not all(state and state != "shunted" for state in states.values()):
        sys.exit(1)


def _retry_bots(app: App, db: engine.Connection, numbers: list[int], *, every: bool) -> bool:
    """Have bots look at games and jobs again. Return False if there is none."""
    found = bots.games_put_aside(db, app.clock())
    for number in numbers:
        if number not in found:
            fail(f"No bot is stuck in game {number}.")
    again = found if every else numbers
    bots.retry_games(db, again, app.clock())
    for number in again:
        click.echo(f"g{number}: pbem bots looks at it again")
    jobs = bot_jobs.retry_failed(db, app.clock()) if every else 0
    if jobs:
        click.echo(f"{count_of(jobs, 'job')}: pbem bots does them again")
    return bool(again or jobs)


def _numbers(keys: Iterable[str], sort: str) -> list[int]:
    """Numbers of the keys with prefix `sort`. A malformed key ends the command."""
    for key in keys:
        if not re.fullmatch(r"[mog][0-9]{1,18}", key):
            raise click.BadParameter(f"{key} is no key of a mail, letter or game, such as m17, o23 or g42.")
    return [int(key[1:]) for key in keys if key[0] == sort]


def _check_mails(db: engine.Connection, numbers: Iterable[int]) -> None:
    for number in numbers:
        kept = inbox.mail_by_id(db, number)
        if kept is None:
            fail(f"There is no mail m{number}.")
        if kept.state == "duplicate":
            fail(f"m{number} is a copy of a mail that was here before; there is nothing to do for it.")
        if not kept.raw:
            fail(f"m{number} is so old that its text is forgotten; nothing can be done for it.")
        if kept.state == "done":
            fail(f"m{number} was handled; there is nothing to do for it.")


def _check_letters(db: engine.Connection, numbers: list[int], *, drop: bool) -> None:
    found = outbox_delivery.letters_by_ids(db, numbers)
    for number in numbers:
        letter = found.get(number)
        if letter is None:
            fail(f"There is no letter o{number}.")
        if letter.state == "held":
            fail(f"o{number} is held, for letters to its player come back: see pbem lift.")
        if letter.state not in ("queued", "failed"):
            fail(f"o{number} was {letter.state}; there is nothing to do for it.")
        if not letter.whole and not drop:
            fail(f"o{number} is so old that its text is forgotten; nothing can be done for it.")


def _print_results(app: App, states: Mapping[int, str | None], letters: list[int]) -> bool:
    """Print what became of each mail and letter. Return True if every letter was sent."""
    with app.store.read() as db:
        for number, state in states.items():
            kept = inbox.mail_by_id(db, number)
            detail = inbox.in_words(kept.detail, kept.code).strip().splitlines()[-1:] if kept else []
            if state is None:
                detail = [f"(it failed before: {detail[0]})"] if detail else []
            click.echo(" ".join([f"m{number}:", state or "waits, and is tried again", *detail]))
        found = outbox_delivery.letters_by_ids(db, letters)
    for number, letter in sorted(found.items()):
        click.echo(f"o{number}: {letter.state} {letter.detail}".rstrip())
    return all(letter.state in ("sent", "dropped") for letter in found.values())
