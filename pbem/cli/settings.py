"""`pbem settings` and `pbem dkim`: every setting with its value, the key of letters. Need no database."""

from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from pbem.cli.common import USAGE, command, fail, json_option, print_json
from pbem.config.load import load, shown_values
from pbem.config.table import SETTINGS
from pbem.keys.address_keys import write_once
from pbem.mail.outbound.dkim_sign import BadDkimKey, dkim_record, new_key, pem, read_key, zone_line


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


@command("dkim")
@click.option(
    "--kind",
    type=click.Choice(["rsa", "ed25519"]),
    default="rsa",
    help="Of a new key; every receiver knows rsa.",
)
@json_option
@click.argument("file", required=False, type=click.Path(dir_okay=False, path_type=Path))
def dkim_command(file: Path | None, kind: str, as_json: bool) -> None:
    """Show the DNS record of the key in FILE. If there is no such file, make a key first.

    FILE is by default what PBEM_DKIM_KEY says, else dkim.pem in PBEM_VAR. A key that is there is never
    changed. It becomes readable for its owner alone. Exit code 2 where the file holds no key.

    Example:  pbem dkim var/dkim.pem
    """
    config = load()
    path = file or config.dkim_key or config.var / "dkim.pem"
    made = not path.exists() and write_once(path, pem(new_key(kind)).decode())
    try:
        record = dkim_record(read_key(path))
    except BadDkimKey as error:
        fail(f"{path}: {error}.", USAGE)
    name = f"{config.dkim_selector}._domainkey.{config.host}"
    if as_json:
        print_json({"file": str(path), "made": made, "name": name, "record": record})
        return
    # All but the record goes to standard error, so that the record can be piped.
    click.echo(f"# {'A new key is in' if made else 'The key in'} {path}. Publish:", err=True)
    click.echo(zone_line(name, record))
    if config.dkim_key is None or config.dkim_key.resolve() != path.resolve():
        click.echo(f"# Once it can be looked up:  PBEM_DKIM_KEY={path.resolve()}", err=True)
    click.echo("# pbem check compares what is published with the key.", err=True)
