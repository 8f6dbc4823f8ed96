"""`pbem director`: players who decide in others' games, by mail and web."""

import click

from pbem.cli.common import by_option, command, json_option, open_or_exit, print_json
from pbem.cli.moderation import act_and_send, reason_option
from pbem.commands import moderation
from pbem.commands.moderation import Operator
from pbem.store.moderation import list_directors


@click.group("director", no_args_is_help=True)
def director_command() -> None:
    """Name directors: players who decide about others' games. Directors decide by mail and at /direct.

    Each act is asked about in a letter to the director's own address, and is told to the players.

    Example:  pbem director add Anna --reason "She runs our club's league."
    """


@command("add")
@click.argument("player")
@reason_option
@by_option
def add_command(player: str, reason: str, by: str) -> None:
    """Name PLAYER a director, and tell them by letter what they can do."""
    act_and_send(Operator(by, reason), moderation.name_director, player, undo=False)


@command("remove")
@click.argument("player")
@reason_option
@by_option
def remove_command(player: str, reason: str, by: str) -> None:
    """Take back that PLAYER is a director. What they decided stays."""
    act_and_send(Operator(by, reason), moderation.name_director, player, undo=True)


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
