"""`pbem demo`: a whole game through the real listener, with its letters."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.rule import Rule

from pbem.app import App, open_app
from pbem.cli.common import command
from pbem.cli.serve import run_listener
from pbem.config.load import config_from
from pbem.config.parsers import Listen
from pbem.inbox.process import work_through
from pbem.mail.person.mailbox import Letter, MailUser
from pbem.outbox.send import send_due
from pbem.resources import find_template
from pbem.store import outbox
from pbem.store.migrate import migrate
from rules import record
from rules.contract import SEAT_NAMES

BILL, JOAO = "bill@example.org", "joao@example.net"


@command("demo")
@click.option("--all", "everything", is_flag=True, help="Every letter; otherwise only those to Bill.")
def demo_command(everything: bool) -> None:
    """Play the game of June 2004 through a real listener and print the letters.

    Needs no settings; everything happens in a temporary folder and nothing leaves this machine.

    Example:  pbem demo | less
    """
    console = Console(highlight=False)
    with _server_and_people() as (app, people):
        for resident, letter in _play_story(app, people):
            if everything or resident.address == BILL:
                _show(console, resident, letter)
    console.print("[dim]That was the whole game. `make run` lets you play one yourself.[/dim]")


@contextmanager
def _server_and_people() -> Iterator[tuple[App, dict[str, MailUser]]]:
    """An app context in a temporary folder, with listener and two people."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="pbem-demo-"))
        environ = {"PBEM_VAR": folder, "PBEM_DATABASE": f"sqlite:///{Path(folder) / 'demo.sqlite'}"}
        app = open_app(config_from(environ))
        stack.callback(app.close)
        migrate(app.store)
        port = stack.enter_context(run_listener(app, Listen("127.0.0.1"))).port
        yield app, {name: MailUser(name, port, partial(_letters_to, app)) for name in (BILL, JOAO)}


def _letters_to(app: App, address: str) -> list[Letter]:
    with app.store.read() as db:
        return [Letter(raw) for raw in outbox.letters_to(db, address)]


def _play_story(app: App, people: dict[str, MailUser]) -> Iterator[tuple[MailUser, Letter]]:
    """Both register, Bill challenges Joao, and they play. Yields every letter as it arrives."""
    bill, joao = people[BILL], people[JOAO]
    for resident, name in ((bill, "Bill"), (joao, "Joao")):
        resident.write(app.addressing.plain(), f"register {name}")
        yield from (letters := _deliver(app, resident))
        resident.reply(letters[-1][1], "confirm")
        yield from (letters := _deliver(app, resident))
        if resident is bill:
            welcome = letters[-1][1]
    bill.reply(welcome, "challenge Joao bipod first\n\nShall we?")
    yield from _deliver(app, bill)
    yield from (letters := _deliver(app, joao))
    joao.reply(letters[-1][1], "accept\n\nWith pleasure.")
    newest = {}
    for resident in (bill, joao):
        yield from (letters := _deliver(app, resident))
        newest[resident.address] = letters[-1][1]
    for seat, words in _moves():
        player = (bill, joao)[SEAT_NAMES.index(seat)]
        player.reply(newest[player.address], words)
        for resident in (player, bill if player is joao else joao):
            yield from (letters := _deliver(app, resident))
            newest[resident.address] = letters[-1][1]


def _moves() -> list[tuple[str, str]]:
    """The plies of the example game, and its resignation."""
    game = record.read(find_template("rules/bipod.game").read_text())
    moves = [(SEAT_NAMES[ply.seat or 0], ply.move) for ply in game.plies]
    if game.ending is not None and game.ending.seat is not None:
        moves.append((SEAT_NAMES[game.ending.seat], "resign"))
    return moves


def _deliver(app: App, resident: MailUser) -> list[tuple[MailUser, Letter]]:
    work_through(app)
    send_due(app)
    return [(resident, letter) for letter in resident.unread()]


def _show(console: Console, resident: MailUser, letter: Letter) -> None:
    console.print(Rule(f"[bold]{letter.header('Subject')}[/bold]", align="left", style="red"))
    for name in ("From", "To", "Date"):
        console.print(f"[dim]{name}: {letter.header(name)}[/dim]", markup=True)
    console.print()
    console.print(letter.text, markup=False)
