"""`pbem export`: the finished archive as a folder of static files."""

from pathlib import Path

import click

from pbem.archive_export.folder import NotOurs
from pbem.cli.common import USAGE, fail, open_or_exit
from pbem.config.load import SettingsError


@click.command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
def export_command(folder: Path) -> None:
    """Write all finished games to DIR as static files, or bring an earlier export there up to date.

    Records as text and JSON, the last board of each as SVG, files by player and by game, lists, the key
    that checks the signatures, and a manifest with the SHA-256 of each file. Files that have not
    changed are left alone; those of a game that is open again are removed. Any web server can serve it.

    Exit code 0; 1 where a file cannot be written; 2 where DIR holds something else.

    Example:  pbem export /var/www/games
    """
    from pbem.archive_export.publish import publish

    with open_or_exit() as app:
        try:
            done = publish(app, folder)
        except (NotOurs, SettingsError) as error:
            fail(str(error), USAGE)
        except OSError as error:
            fail(f"Cannot write {error.filename or folder}: {error.strerror or error}.")
    click.echo(
        f"{done.games} games in {done.files} files at {folder}: "
        f"{done.written} written, {done.removed} removed, the others as they were."
    )
