"""`pbem demo`: a whole game through the real listener, with its letters."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial

import click
from rich.console import Console
from rich.rule import Rule

from pbem.app import App, open_app
from pbem.cli.common import command
from pbem.cli.serve import start_listener
from pbem.config.load import config_from
from pbem.config.parsers import Listen
from pbem.inbox.process import work_through
from pbem.mail.person.mailbox import MailUser, ReceivedLetter
from pbem.outbox.send import send_due
from pbem.resources import find_template
from pbem.store import outbox
from pbem.store.migrate import migrate
from rules import record

BILL, JOAO = "bill@example.org", "joao@example.net"


@command("demo")
@click.option("--all", "everything", is_flag=True, help="Every letter; otherwise only those to Bill.")
def demo_command(everything: bool) -> None:
    """Play the game of June 2004 through a real listener. Its letters are printed.

    Needs no settings; everything happens in a temporary folder and nothing leaves this machine.

    Example:  pbem demo | less
    """
    console = Console(highlight=False)
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pbem-demo-"))
        app = stack.enter_context(closing(open_app(config_from({"PBEM_VAR": folder}))))
        migrate(app.store)
        listener = start_listener(app, Listen("127.0.0.1"))
        stack.callback(listener.stop)
        people = [MailUser(address, listener.port, partial(_letters_to, app)) for address in (BILL, JOAO)]
        for resident, letter in _play_story(app, people):
            if everything or resident.address == BILL:
                _show(console, resident, letter)
    console.print("[dim]That was the whole game. `make run` lets you play one yourself.[/dim]")


def _letters_to(app: App, address: str) -> list[ReceivedLetter]:
    with app.store.read() as db:
        return [ReceivedLetter(raw) for raw in outbox.letters_to(db, address)]


def _play_story(app: App, people: list[MailUser]) -> Iterator[tuple[MailUser, ReceivedLetter]]:
    """Both register, Bill challenges Joao, and they play. Yields every letter as it arrives."""
    newest: dict[str, ReceivedLetter] = {}

    def deliver(*readers: MailUser) -> Iterator[tuple[MailUser, ReceivedLetter]]:
        work_through(app)
        send_due(app)
        for reader in readers:
            for letter in reader.unread():
                newest[reader.address] = letter
                yield reader, letter

    for person, name in zip(people, ("Bill", "Joao"), strict=True):
        person.write(app.addressing.plain(), f"register {name}")
        yield from deliver(person)
        person.reply(newest[person.address], "confirm")
        yield from deliver(person)
    for seat, words in _replies():
        writer = people[seat]
        writer.reply(newest[writer.address], words)
        yield from deliver(writer, people[1 - seat])


def _replies() -> Iterator[tuple[int, str]]:
    """The replies of the first and second player, up to the resignation."""
    yield 0, "challenge Joao bipod first\n\nShall we?"
    yield 1, "accept\n\nWith pleasure."
    game = record.read(find_template("rules/bipod.game").read_text())
    for ply in game.plies:
        yield ply.seat or 0, ply.move
    if game.ending is not None and game.ending.seat is not None:
        yield game.ending.seat, "resign"


def _show(console: Console, resident: MailUser, letter: ReceivedLetter) -> None:
    console.print(Rule(f"[bold]{letter.header('Subject')}[/bold]", align="left", style="red"))
    for name in ("From", "To", "Date"):
        console.print(f"[dim]{name}: {letter.header(name)}[/dim]", markup=True)
    console.print()
    console.print(letter.text, markup=False)
