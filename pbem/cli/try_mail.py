"""`pbem try`: explain a mail step by step, without effects. `--here` rolls its transaction back."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, BinaryIO

import click

from pbem.cli.common import USAGE, command, fail, open_or_exit, print_json
from pbem.core.parsing.line import MoveReader
from pbem.mail.addresses import Address, BadAddress
from pbem.mail.doctor.explain import (
    ExplainedStep,
    guess_envelope,
    hide_token,
    mail_as_json,
    read_mail,
    steps_of,
)
from rules import RULES, contract, find

if TYPE_CHECKING:
    from pbem.app import App


@command("try")
@click.argument("file", type=click.File("rb"))
@click.option("--game", help="Whose notation counts as a move (bipod); without it no moves are recognised.")
@click.option("--here", is_flag=True, help="Ask this installation whose mail it is and what it would do.")
@click.option("--json", "as_json", is_flag=True, help="For programs: kind, reason, orders, comment, text.")
@click.option("--steps", "with_steps", is_flag=True, help="With --json: every step as well.")
def try_command(file: BinaryIO, game: str | None, here: bool, as_json: bool, with_steps: bool) -> None:
    """Show how the mail in FILE would be understood, and do nothing. Use - for standard input.

    Exit code 0 whatever the mail is; 1 where --here finds no database that answers, 2 for a game or a
    file that does not exist and for wrong settings.

    Example:  pbem try answer.eml --game bipod
    """
    raw = file.read()
    reader: MoveReader | None = None
    if game is not None:
        rules = find(game) or fail(f"No game is called {game}; there is {', '.join(RULES)}.", USAGE)
        reader = rules.start().read
    local: list[ExplainedStep] = []
    if here:
        with open_or_exit() as app:
            reader = reader or _reader_of_address(app, raw)
            local = _local_steps(app, raw)
    by_number = {step.number: step for step in [*steps_of(raw, reader), *local]}
    steps = [by_number[number] for number in sorted(by_number)]
    if not as_json:
        _show(steps)
        return
    found = mail_as_json(*read_mail(raw, reader))
    if with_steps:
        found["steps"] = [{"step": step.number, "name": step.name, "told": step.told} for step in steps]
    print_json(found)


def _reader_of_address(app: App, raw: bytes) -> MoveReader | None:
    from pbem.store import games

    with suppress(BadAddress):
        token = app.addressing.read(guess_envelope(raw)[0].recipient).token
        if token is not None and token.use == "game":
            with app.store.read() as db:
                game = games.load_game(db, app.games_by_key, token.numbers[0])
            return game.state.position.read if game else None
    return None


def _local_steps(app: App, raw: bytes) -> list[ExplainedStep]:
    from pbem.inbox.process import rehearse  # not at the top: without --here no database is needed

    envelope, _ = guess_envelope(raw)
    sent_to = ("sent to", hide_token(envelope.recipient))
    try:
        address = app.addressing.read(envelope.recipient)
    except BadAddress as wrong:
        return [
            ExplainedStep(4, "authenticate", [sent_to, ("refused", f"{wrong}: 550 at the door")]),
            ExplainedStep(7, "decide", [("answer", "none: the host that brings it is refused")]),
            ExplainedStep(8, "write", [("letters", "none")]),
        ]
    outcome = rehearse(app, raw, envelope.sender, envelope.recipient)
    who = outcome.player.name if outcome.player else "nobody who plays here"
    game = f"game {outcome.game_id}" if outcome.game_id is not None else "none"
    because = [("because", outcome.note)] if outcome.note else []
    letters = [(letter.kind, f"to {letter.address}") for letter in outcome.letters]
    return [
        ExplainedStep(4, "authenticate", [sent_to, ("which is", _describe_address(address))]),
        ExplainedStep(5, "load", [("player", who), ("game", game)]),
        ExplainedStep(7, "decide", [("filed as", outcome.state), *because]),
        ExplainedStep(8, "write", letters or [("letters", "none")]),
    ]


def _describe_address(address: Address) -> str:
    token = address.token
    if token is None:
        return f"{address.mailbox}, without a token"
    if token.use == "game":
        game, seat, entry, _epoch = token.numbers
        return f"good here: game {game}, the {contract.SEAT_NAMES[seat]} seat, the letter of entry {entry}"
    return f"good here: a {token.use} address ({', '.join(map(str, token.numbers))})"


def _show(steps: list[ExplainedStep]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False, soft_wrap=True)
    for step in steps:
        for line, (label, text) in enumerate(step.told):
            head = f"{step.number:>2} {step.name}" if line == 0 else ""
            console.print(
                Text(f"{head:15}", "bold") + Text(f" {label:11}", "dim") + Text(f" {text}".rstrip())
            )
