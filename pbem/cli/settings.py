"""`pbem settings`: every setting with its value. Needs no database."""

import json

import click
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from pbem.cli.common import settings_or_exit
from pbem.config.load import describe


@click.command("settings")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def settings_command(as_json: bool) -> None:
    """List every setting with its value and meaning; secrets are not shown.

    Exit code 2 where a setting is missing or wrong, with all that are.

    Example:  PBEM_HOST=games.example.org pbem settings
    """
    rows = describe(settings_or_exit())
    if as_json:
        click.echo(json.dumps({row.name: row.value for row in rows}, indent=2))
        return
    console = Console(highlight=False)
    for row in rows:
        console.print(f"[bold]{escape(row.name)}[/bold] = {escape(row.value) or '[dim](empty)[/dim]'}")
        console.print(Padding(escape(row.help), (0, 0, 1, 4)))
