"""`pbem import`: the page address for playing through a record."""

from typing import BinaryIO

import click

from pbem.cli.common import USAGE, fail, settings_or_exit
from pbem.core.records.study import TooLong, study_path
from rules import record


@click.command("import")
@click.argument("files", type=click.File("rb"), nargs=-1, required=True, metavar="FILE...")
def import_command(files: tuple[BinaryIO, ...]) -> None:
    """Print the address of a study: a page of this site where the game in FILE can be played through.

    The record, as text or JSON (- for standard input), is checked ply by ply. The whole game goes into
    the address, so nothing is stored, and the page is there for good. Comments are left out where the
    address would be too long with them.

    Exit code 0; 1 where a move is illegal, with its line and the reason; 2 where FILE is no record or
    too long.

    Example:  pbem import bipod-42.game
    """
    site = settings_or_exit().site
    for file in files:
        name = getattr(file, "name", "-")
        try:
            address = study_path(file.read().decode("utf-8", "replace"))
        except record.IllegalPly as error:
            fail(f"{name}: {error}", 1)
        except (record.RecordError, TooLong) as error:
            fail(f"{name}: {error}", USAGE)
        click.echo(f"{site}{address}")
