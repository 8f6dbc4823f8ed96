"""`pbem replay`, `import` and `export`: records of games. `replay` needs no database and no settings."""

from pathlib import Path
from typing import TextIO

import click

from pbem.cli.common import USAGE, command, fail, open_or_exit, print_json
from pbem.config.load import load
from pbem.core.records.study import TooLong, study_path
from rules import record, summary, svg

TEXT_FILE = click.File("r", encoding="utf-8", errors="replace")


@command("replay")
@click.argument("file", type=TEXT_FILE)
@click.option(
    "--ply", type=int, help="The board after this many plies, 0 for the start; the last by default."
)
@click.option("--json", "form", flag_value="json", help="Everything about the position, for programs.")
@click.option("--svg", "form", flag_value="svg", help="The board as a picture.")
def replay_command(file: TextIO, ply: int | None, form: str | None) -> None:
    """Show the board that the game in FILE leads to (- for standard input).

    Exit code 0; 1 where a move is illegal, with its line and the reason; 2 where FILE is no record,
    or has no such ply.

    Example:  pbem replay bipod.game --ply 7
    """
    try:
        played = record.replay(record.read(file.read()), ply)
    except record.RecordError as error:
        fail(str(error), _code_of(error))
    if form == "json":
        print_json(summary.summary(played))
    elif form == "svg":
        click.echo(svg.svg(played.position.picture(), standalone=True))
    else:
        click.echo(summary.summary_text(played))


@command("import")
@click.argument("files", type=TEXT_FILE, nargs=-1, required=True, metavar="FILE...")
def import_command(files: tuple[TextIO, ...]) -> None:
    """Print the address of a study: a page of this site where the game in FILE can be played through.

    The record, as text or JSON (- for standard input), is checked ply by ply. The whole game goes into
    the address, so nothing is stored, and the page is there for good. Comments are left out where the
    address would be too long with them.

    Exit code 0; 1 where a move is illegal, with its line and the reason; 2 where FILE is no record or
    too long.

    Example:  pbem import bipod-42.game
    """
    site = load().site
    for file in files:
        try:
            click.echo(f"{site}{study_path(file.read())}")
        except (record.RecordError, TooLong) as error:
            fail(f"{file.name}: {error}", _code_of(error))


def _code_of(error: Exception) -> int:
    return 1 if isinstance(error, record.IllegalPly) else USAGE


@command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path), metavar="DIR")
def export_command(folder: Path) -> None:
    """Write all finished games to DIR as static files, or bring an earlier export there up to date.

    Records as text and JSON, the last board of each as SVG, files by player and by game, lists, the key
    that checks the signatures, and a manifest with the SHA-256 of each file. Files that have not
    changed are left alone; those of a game that is open again are removed. Any web server can serve it.

    Exit code 0; 1 where a file cannot be written; 2 where DIR holds something else.

    Example:  pbem export /var/www/games
    """
    from pbem.archive_export.folder import NotOurs  # not at the top: `replay` needs no database
    from pbem.archive_export.publish import publish

    with open_or_exit() as app:
        try:
            done = publish(app, folder)
        except NotOurs as error:
            fail(str(error), USAGE)
        except OSError as error:
            fail(f"Cannot write {error.filename or folder}: {error.strerror or error}.")
    click.echo(
        f"{done.games} games in {done.folder.files} files at {folder}: "
        f"{done.folder.written} written, {done.folder.removed} removed, the others as they were."
    )
