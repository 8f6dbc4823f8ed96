"""`pbem rotate` and `pbem revoke`: when a secret, or a player's letters, may have been seen by others."""

from __future__ import annotations

import click

from pbem.commands.common import fail, files_or_exit, migrated_or_exit, office_or_exit, settings_or_exit
from pbem.config import rotate_secret
from pbem.postoffice import send_due
from pbem.registry import addresses_told
from pbem.secretary import write_letters
from pbem.store import people, post


@click.command("rotate")
def rotate_command() -> None:
    """Make a new secret for reply addresses; those made with the two before it are still taken.

    Processes that run go on without a restart. Where letters were stolen rather than the secret,
    `pbem revoke` is what you want: a rotation alone makes nothing void at once.

    Example:  pbem rotate
    """
    settings = settings_or_exit()
    with files_or_exit():
        rotate_secret(settings)
    click.echo(f"A new secret signs from now on; keep a copy of {settings.var / 'secret'}.")


@click.command("revoke")
@click.argument("name")
def revoke_command(name: str) -> None:
    """Make every reply address of the player NAME void, and send a letter with a new one.

    Games, addresses and settings stay as they are.

    Example:  pbem revoke Bill
    """
    with office_or_exit() as office:
        migrated_or_exit(office)
        with office.store.write() as db:
            found = people.by_name(db, name)
            if found is None:
                fail(f"Nobody here is called {name}.")
            people.revoke(db, found)
            player = people.by_id(db, found.id)
            assert player is not None
            letter = addresses_told(player, people.addresses_of(db, player), "renewed")
            about = f"p{player.id}e{player.epoch}"
            post.queue(db, write_letters(office, db, (letter,), office.now(), about=about), office.now())
        send_due(office)
    click.echo(f"All reply addresses of {player.name} are void; a letter with a new one is on its way.")
