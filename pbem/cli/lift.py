"""`pbem lift`: players whose mail bounced, and their release."""

from datetime import datetime

import click

from pbem.cli.common import fail, open_or_exit
from pbem.core.players import Player
from pbem.store import bounces, players
from pbem.store.engine import Connection


@click.command("lift")
@click.argument("names", nargs=-1)
@click.option("--all", "everybody", is_flag=True, help="Every player whose letters are held.")
def lift_command(names: tuple[str, ...], everybody: bool) -> None:
    """Write again to players whose letters came back; without a name, list them.

    A player's own mail does the same. Of each game the newest letter that did not arrive is sent; what
    came back before is forgiven. For when the fault was not theirs: a relay on a blocklist, say.

    Example:  pbem lift Bill
    """
    with open_or_exit() as app, app.store.write() as db:
        held = bounces.suspended_addresses(db)
        wanted = {name for name, _address, _since in held} if everybody else set(names)
        found = [_suspended_or_exit(players.player_by_name(db, name), name) for name in sorted(wanted)]
        counts = [_lift(db, player, app.clock()) for player in found]
    for player, count in zip(found, counts, strict=True):
        click.echo(f"{player.name}: {count} letter{'' if count == 1 else 's'} to be sent.")
    if not wanted:
        for name, address, since in held:
            click.echo(f"{name} <{address}> since {since:%Y-%m-%d %H:%M} UTC")
        if not held:
            click.echo("Letters are held for nobody.")


def _suspended_or_exit(player: Player | None, name: str) -> Player:
    if player is None or not player.suspended:
        fail(f"Letters to {name} are not held: pbem lift lists those that are.")
    return player


def _lift(db: Connection, player: Player, now: datetime) -> int:
    bounces.lift_suspensions(db, player)
    return bounces.release_held(db, player, now)
