"""`pbem bots`: the process that thinks for the bots."""

import os

import click

from pbem.bots.playing import run
from pbem.cli.common import command, open_or_exit
from pbem.cli.memory import limit_arenas
from pbem.cli.service import Service
from pbem.cli.signals import stop_on_signals
from pbem.config.load import keep_compiled

NICENESS = 10


@command("bots")
def bots_command() -> None:
    """Run the bots: think about waiting games, at low priority, and move.

    Any number may run at once on one database.

    Example:  pbem bots
    """
    limit_arenas()
    service = Service()
    with stop_on_signals() as stopped, open_or_exit() as app:
        os.nice(NICENESS)
        keep_compiled(app.config.var / "compiled")
        click.echo("The bots play. Control-C ends it.")
        service.ready()
        run(app, stopped.wait)
