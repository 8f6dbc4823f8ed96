"""`pbem try`: what a mail would be taken for. No database, no settings, nothing is changed."""

from __future__ import annotations

import json
from typing import BinaryIO

import click

from pbem.commands.common import USAGE, fail
from pbem.mail.trying import lines, told, tried
from rules import RULES, find


@click.command("try")
@click.argument("file", type=click.File("rb"))
@click.option("--game", help="Whose notation counts as a move (bipod); without it no moves are recognised.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def try_command(file: BinaryIO, game: str | None, as_json: bool) -> None:
    """Show what the mail in FILE (- for standard input) would be taken for, and do nothing.

    Exit code 0 whatever the mail is; 2 for a game that does not exist.

    Example:  pbem try answer.eml --game bipod
    """
    rules = None
    if game is not None and (rules := find(game)) is None:
        fail(f"No game is called {game}; there is {', '.join(RULES)}.", USAGE)
    inbound, orders = tried(file.read(), rules.key if rules else None)
    if as_json:
        click.echo(json.dumps(told(inbound, orders), indent=2, ensure_ascii=False))
    else:
        click.echo("\n".join(lines(inbound, orders)))
