"""Fills an empty mailroom. Three people register and play our games by mail."""

from collections.abc import Iterator
from itertools import count

from pbem.app import App
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.compose import MailDraft, compose
from pbem.mail.person.mailbox import ReceivedLetter as LetterFile
from pbem.outbox.send import send_due
from pbem.store import mailroom
from pbem.web.templating import example_game
from rules.contract import option_words

PEOPLE = {"Bill": "bill@example.org", "Joao": "joao@example.net", "Anna": "anna@example.com"}
GAMES = (("bipod", "Bill", "Joao", 99), ("begird", "Joao", "Anna", 14), ("bounders", "Anna", "Bill", 17))
"""Kind of game, who is first, who is second, and how many moves are played at most."""


def fill(app: App) -> None:
    numbers = count(1)
    for name, words in _story(app):
        _write(app, PEOPLE[name], words, next(numbers))


def _story(app: App) -> Iterator[tuple[str, str]]:
    """Writers and their words, each time in answer to their newest letter."""
    for name in PEOPLE:
        yield name, f"register {name}"
        yield name, "yes"
    for key, first, second, most in GAMES:
        example = example_game(key, app.config.templates)
        if key not in app.offered or example is None:
            continue
        options = option_words(example.position.options)
        yield first, f"challenge {second} {key} first {options}\n\nShall we?"
        yield second, "accept\n\nWith pleasure."
        for ply, move in enumerate(example.moves[:most]):
            yield (first, second)[ply % 2], str(move)
        ending = example.record.ending
        if ending is not None and ending.seat is not None and len(example.moves) <= most:
            yield (first, second)[ending.seat], "resign"
            yield (first, second)[ending.seat], "yes"


def _write(app: App, address: str, words: str, number: int) -> None:
    with app.store.read() as db:
        newest = mailroom.letters_to(db, address, most=1)
    draft = MailDraft(address, app.addressing.plain(), "Games", words)
    if newest:
        letter = LetterFile(newest[0].raw)
        to, subject = letter.header("Reply-To") or letter.header("From"), letter.header("Subject")
        draft = MailDraft(address, to, f"Re: {subject}", words, in_reply_to=letter.header("Message-ID"))
    receive(
        app, compose(draft, f"<fill{number}@{address.rpartition('@')[2]}>", app.now()), address, [draft.to]
    )
    work_through(app)
    send_due(app)
