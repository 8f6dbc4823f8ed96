"""`pbem rotate`, `revoke`, `readdress`: leaked secrets or letters, lost mailboxes."""

import click

from pbem.actions.addresses import addresses_letter_from, readdress
from pbem.app import App
from pbem.cli.common import (
    fail,
    files_or_exit,
    open_or_exit,
    player_or_exit,
    settings_or_exit,
)
from pbem.core.errors import Refusal
from pbem.core.players import Player
from pbem.keys.address_keys import rotate_secret
from pbem.outbox.send import send_due
from pbem.outbox.write import queue_letters
from pbem.store import players
from pbem.store.engine import Connection


@click.command("rotate")
def rotate_command() -> None:
    """Make a new secret for reply addresses; those made with the two before it are still taken.

    Processes that run go on without a restart. Where letters were stolen rather than the secret,
    `pbem revoke` is what you want: a rotation alone makes nothing void at once.

    Example:  pbem rotate
    """
    config = settings_or_exit()
    with files_or_exit():
        rotate_secret(config)
    click.echo(f"A new secret signs from now on; keep a copy of {config.var / 'secret'}.")


@click.command("revoke")
@click.argument("name")
def revoke_command(name: str) -> None:
    """Make every reply address of the player NAME void, and send a letter with a new one.

    Games, addresses and settings stay as they are.

    Example:  pbem revoke Bill
    """
    with open_or_exit() as app:
        with app.store.write() as db:
            player = _revoke_addresses(app, db, player_or_exit(db, name))
        send_due(app)
    click.echo(f"All reply addresses of {player.name} are void; a letter with a new one is on its way.")


@click.command("readdress")
@click.argument("name")
@click.argument("address")
def readdress_command(name: str, address: str) -> None:
    """Have the letters of the player NAME go to ADDRESS, where the old mailbox is lost.

    You vouch for it: nobody is asked. All reply addresses so far are void; the older addresses stay the
    player's until dropped by `address drop`.

    Example:  pbem readdress Bill bill@new.example
    """
    with open_or_exit() as app:
        with app.store.write() as db:
            found = player_or_exit(db, name)
            try:
                readdress(db, found, address, app.config.host, app.now())
            except Refusal as refusal:
                fail(str(refusal))
            player = _revoke_addresses(app, db, found)
        send_due(app)
    click.echo(f"The letters of {player.name} go to {player.address}; one with a new reply address is sent.")


def _revoke_addresses(app: App, db: Connection, found: Player) -> Player:
    """The player with new reply addresses, and a letter with one."""
    players.revoke_addresses(db, found)
    player = players.player_by_id(db, found.id)
    assert player is not None
    letter = addresses_letter_from(player, players.addresses_of(db, player), "renewed")
    about = f"p{player.id}e{player.epoch}"
    queue_letters(app, db, (letter,), app.now(), about=about)
    return player
