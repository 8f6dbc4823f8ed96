"""`pbem settings`: every setting with its value. Needs no database."""

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from pbem.cli.common import command, json_option, print_json
from pbem.config.load import load, shown_values
from pbem.config.table import SETTINGS


@command("settings")
@json_option
def settings_command(as_json: bool) -> None:
    """List every setting with its value and meaning; secrets are not shown.

    Exit code 2 where a setting is missing or wrong, with all that are.

    Example:  PBEM_HOST=games.example.org pbem settings
    """
    values = shown_values(load())
    if as_json:
        print_json(values)
        return
    console = Console(highlight=False)
    for setting in SETTINGS:
        value = escape(values[setting.name]) or "[dim](empty)[/dim]"
        console.print(f"[bold]{escape(setting.name)}[/bold] = {value}")
        console.print(Padding(escape(setting.help), (0, 0, 1, 4)))
