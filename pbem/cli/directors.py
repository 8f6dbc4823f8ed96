"""`pbem director`: the players who may decide about games of others, by mail and on the web."""

import click

from pbem.actions import moderation
from pbem.actions.moderation import Operator
from pbem.cli.common import by_option, command, json_option, open_or_exit, print_json
from pbem.outbox.send import send_due
from pbem.store.moderation import list_directors

reason_option = click.option("--reason", required=True, help="Why, in a line that the player reads.")


@click.group("director", no_args_is_help=True)
def director_command() -> None:
    """Name directors: players who decide about games of others by mail and at /direct.

    Each act is asked about in a letter to the director's own address, and is told to the players.

    Example:  pbem director add Anna --reason "She runs our club's league."
    """


@command("add")
@click.argument("player")
@reason_option
@by_option
def add_command(player: str, reason: str, by: str) -> None:
    """Name PLAYER a director. They get a letter that says what they can do."""
    _name(player, reason, by, undo=False)


@command("remove")
@click.argument("player")
@reason_option
@by_option
def remove_command(player: str, reason: str, by: str) -> None:
    """Take back that PLAYER is a director. What they decided stays."""
    _name(player, reason, by, undo=True)


@command("list")
@json_option
def list_command(as_json: bool) -> None:
    """List the directors by name."""
    with open_or_exit() as app, app.store.read() as db:
        names = list_directors(db)
    if as_json:
        print_json(names)
    elif names:
        click.echo("\n".join(names))


for each in (add_command, remove_command, list_command):
    director_command.add_command(each)


def _name(player: str, reason: str, by: str, *, undo: bool) -> None:
    with open_or_exit() as app:
        click.echo(moderation.name_director(app, Operator(by, reason), player, undo=undo))
        send_due(app)
