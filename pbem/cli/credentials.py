"""`pbem rotate`, `revoke`, `readdress`, `lift`: leaked secrets or letters, lost mailboxes, bounced mail."""

import click

from pbem.app import App
from pbem.cli.common import command, count_of, exit_unless_there, fail, open_or_exit, player_or_exit
from pbem.commands.addresses import addresses_letter, readdress
from pbem.config.load import load
from pbem.core.players import Player
from pbem.keys.address_keys import rotate_secret
from pbem.outbox import send, write
from pbem.store import bounces, engine, players


@command("rotate")
def rotate_command() -> None:
    """Make a new secret for reply addresses. The two before it still count.

    Processes that run go on without a restart. Where letters were stolen rather than the secret,
    `pbem revoke` is what you want: a rotation alone makes nothing void at once.

    Example:  pbem rotate
    """
    config = load()
    if config.secret is None:
        exit_unless_there(config)
    rotate_secret(config)
    click.echo(f"A new secret signs from now on; keep a copy of {config.var / 'secret'}.")


@command("revoke")
@click.argument("name")
def revoke_command(name: str) -> None:
    """Void every reply address of NAME. Then send a letter with a new one.

    Games, addresses and settings stay as they are.

    Example:  pbem revoke Bill
    """
    with open_or_exit() as app:
        with app.store.write() as db:
            player = _revoke_addresses(app, db, player_or_exit(db, name))
        send.send_due(app)
    click.echo(f"All reply addresses of {player.name} are void; a letter with a new one is on its way.")


@command("readdress")
@click.argument("name")
@click.argument("address")
def readdress_command(name: str, address: str) -> None:
    """Send the letters of the player NAME to ADDRESS from now on, for a lost mailbox.

    You vouch for it: nobody is asked. All reply addresses so far are void; the older addresses stay the
    player's until dropped by `address drop`.

    Example:  pbem readdress Bill bill@new.example
    """
    with open_or_exit() as app:
        with app.store.write() as db:
            found = player_or_exit(db, name)
            readdress(db, found, address, app.config.host, app.now())
            player = _revoke_addresses(app, db, found)
        send.send_due(app)
    click.echo(f"The letters of {player.name} go to {player.address}; one with a new reply address is sent.")


def _revoke_addresses(app: App, db: engine.Connection, found: Player) -> Player:
    players.revoke_addresses(db, found)
    player = players.player_by_id(db, found.id)
    assert player is not None
    letter = addresses_letter(db, player, "renewed")
    write.queue_letters(app, db, (letter,), app.now(), about=f"p{player.id}e{player.epoch}")
    return player


@command("lift")
@click.argument("names", nargs=-1)
@click.option("--all", "everybody", is_flag=True, help="Every player whose letters are held.")
def lift_command(names: tuple[str, ...], everybody: bool) -> None:
    """Write again to players whose letters came back. Without a name, list them.

    A player's own mail does the same. Of each game the newest letter that did not arrive is sent; what
    came back before is forgiven. For when the fault was not theirs: a relay on a blocklist, say.

    Example:  pbem lift Bill
    """
    with open_or_exit() as app, app.store.write() as db:
        held = bounces.suspended_addresses(db)
        wanted = {name for name, _address, _since in held} if everybody else set(names)
        counts = []
        for name in sorted(wanted):
            player = player_or_exit(db, name)
            if not player.suspended:
                fail(f"Letters to {name} are not held: pbem lift lists those that are.")
            bounces.lift_suspensions(db, player)
            counts.append((player.name, bounces.release_held(db, player, app.clock())))
    for name, count in counts:
        click.echo(f"{name}: {count_of(count, 'letter')} to be sent.")
    if not wanted:
        for name, address, since in held:
            click.echo(f"{name} <{address}> since {since:%Y-%m-%d %H:%M} UTC")
        if not held:
            click.echo("Letters are held for nobody.")
