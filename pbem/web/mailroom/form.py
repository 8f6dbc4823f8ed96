"""The mailroom's form: filled in, read back, and sent."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from flask import request

from pbem.app import App
from pbem.config.parsers import address as spelled_address
from pbem.inbox.process import wait_until_filed, work_through
from pbem.inbox.receive import receive
from pbem.mail.addresses import BadAddress
from pbem.mail.outbound.times import day
from pbem.mail.person.compose import MailDraft, compose, quote
from pbem.outbox.send import send_due
from pbem.store.mailroom import Mailbox
from pbem.web.mailroom.letter import LetterView

SAMPLE_ADDRESSES = ("bill@example.org", "joao@example.net", "anna@example.com")
"""Addresses proposed to newcomers, in turn."""


@dataclass(frozen=True)
class MailForm(MailDraft):
    """The contents of the form. `letter` is the answered letter's number, 0 for a new mail."""

    letter: int = 0
    quoting: bool = True
    problem: str = ""


def new_form(app: App, boxes: Sequence[Mailbox]) -> MailForm:
    taken = {box.address for box in boxes if box.name}
    newcomer = next((person for person in SAMPLE_ADDRESSES if person not in taken), "")
    sender = request.args.get("from", newcomer)
    name = name_of(sender)
    words = f"register {name}" if newcomer and sender == newcomer else ""
    return MailForm(
        sender=sender,
        to=request.args.get("to", app.addressing.plain()),
        subject=request.args.get("subject", "Games"),
        words=request.args.get("words", words).replace("YourName", name),
    )


def name_of(address: str) -> str:
    """Return a name for the writer from the letters at the start of `address`, or `Bill`."""
    letters = re.match(r"[a-z]{2,20}", address.lower())
    return letters[0].capitalize() if letters else "Bill"


def answer_form(address: str, sheet: LetterView) -> MailForm:
    subject = sheet.letter.header("Subject")
    subject = subject if subject.lower().startswith("re:") else f"Re: {subject}"
    return MailForm(address, sheet.reply_to, subject, request.args.get("words", ""), letter=sheet.row.id)


def read_form(app: App) -> MailForm:
    given = {name: request.form.get(name, "").strip() for name in ("sender", "to", "subject", "words")}
    number = request.form.get("letter", 0, type=int)
    form = MailForm(**given, letter=number, quoting="quoting" in request.form)
    return replace(form, problem=_problem(app, form))


def _problem(app: App, form: MailForm) -> str:
    """The reason why this mail would be refused, or ""."""
    ours = app.addressing.plain()
    try:
        spelled_address(form.sender)
    except ValueError:
        return f"{form.sender or 'Nothing'} is no mail address to write from; take one like bill@example.org."
    try:
        app.addressing.read(form.to)
    except BadAddress:
        return f"The door refuses {form.to or 'a mail to nobody'} (550): write to {ours}, or answer a letter."
    return "" if form.words else "There is nothing in the mail yet."


def send_form(app: App, form: MailForm, answered: LetterView | None) -> int:
    """Receive and handle the mail as every mail; return its number. A form sent twice is stored once."""
    now, draft = app.clock(), form
    if answered is not None:
        letter, at = answered.letter, f"{day(now)} at {now:%H:%M}"
        references = f"{letter.header('References')} {letter.header('Message-ID')}"  # RFC 5322 3.6.4
        draft = replace(
            draft,
            in_reply_to=letter.header("Message-ID"),
            references=references.strip(),
            quoted=quote(letter.text, letter.header("From"), at) if form.quoting else "",
        )
    stamp = "".join(sign for sign in request.form.get("message_id", "") if sign.isalnum())[:40]
    message_id = f"<{stamp or 'unnumbered'}@{form.sender.rpartition('@')[2]}>"
    (key,) = receive(app, compose(draft, message_id, now), form.sender, [form.to])
    number = int(key.removeprefix("m"))
    work_through(app)
    wait_until_filed(app, number)
    send_due(app)
    return number
