"""`pbem backup` and `pbem restore`."""

import sys
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

import click
from rich.console import Console
from rich.progress import Progress

from pbem.app import open_app, utc_now
from pbem.backup import archive
from pbem.backup.archive import Manifest
from pbem.backup.restore import check_backup, find_target, restore, rows_can_be_used, target_of
from pbem.backup.save import save_backup
from pbem.cli.check import check_stored
from pbem.cli.common import (
    command,
    count_of,
    fail,
    json_option,
    open_or_exit,
    print_json,
    printable_text,
    set_up_logs,
)
from pbem.cli.locks import single_instance
from pbem.config.load import FILES, environment, redact_setting, settings_file

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@command("backup")
@click.option("--keep", type=click.IntRange(1), metavar="N", help="In a folder, keep the newest N alone.")
@json_option
@click.argument("target", metavar="FILE", type=click.Path(path_type=Path))
def backup_command(target: Path, keep: int | None, as_json: bool) -> None:
    """Copy database, keys, settings and templates to FILE, a tar.gz.

    The server goes on meanwhile. If FILE is a folder, the file gets the date for a name. It holds every
    secret, and only its owner can read it. Exit code 0 where it is whole; else there is no file.

    Example:  pbem backup /var/backups/pbem --keep 14
    """
    if keep is not None and not target.is_dir():
        fail(f"--keep is for a folder, and {target} is none.", 2)
    with open_or_exit(migrated=False) as app, _progress(quiet=as_json) as progress:
        saved = save_backup(app, environment(), target, progress, keep)
    if as_json:
        removed = [str(path) for path in saved.removed]
        facts = _facts(saved.manifest)
        print_json({"file": str(saved.path), "bytes": saved.bytes, **facts, "removed": removed})
        return
    click.echo(f"{saved.path}: {_counts(saved.manifest)}, {saved.bytes:,} bytes.")
    for path in saved.removed:
        click.echo(f"{path} was removed.")


@command("restore")
@click.option("--drill", is_flag=True, help="Restore to a scratch folder, check every game, remove it.")
@json_option
@click.argument("file", type=FILE)
def restore_command(file: Path, drill: bool, as_json: bool) -> None:
    """Restore a server from FILE, which `pbem backup` made: all, or nothing.

    Stop the server first. The database of PBEM_DATABASE must be empty; it may be of the other kind. Where
    no file of settings is, that of the backup is written to .env, with the places of here: PBEM_VAR,
    PBEM_DATABASE and such of the environment, or the folder var. A file that is there with other content
    gets a new name. An older backup is migrated. Exit code 1 where the file is damaged or newer.

    Example:  pbem restore /var/backups/pbem/pbem-20261124T030000Z.tar.gz
    """
    with file.open("rb") as backup, _progress(quiet=as_json) as progress:
        manifest = check_backup(_with_bar(progress, backup, file, "Checking"))
        if drill:
            _drill(progress, backup, file, manifest, as_json)
            return
        target = find_target(backup, settings_file() or FILES[0])
        set_up_logs(target.config)
        with single_instance(target.config):
            epoch = restore(_with_bar(progress, backup, file, "Restoring"), manifest, target, _now())
    facts = {
        **_facts(manifest),
        "epoch": epoch,
        "written": [str(path) for path in target.places.written],
        "moved": [str(path) for path in target.places.moved],
    }
    if as_json:
        print_json(facts)
        return
    click.echo(f"Restored as of {manifest.made:%Y-%m-%d %H:%M:%S} UTC: {_counts(manifest)}.")
    click.echo(f"  rows are in {redact_setting(target.config.database)}")
    for path in target.places.written:
        click.echo(f"  wrote {path}")
    for path in target.places.moved:
        click.echo(f"  kept  {path}, as it was before")
    click.echo(
        f"Letters bear the epoch {epoch} from now on; clocks get the time since then back.\n"
        "Run pbem check, then start the server."
    )


def _drill(progress: Progress, backup: BinaryIO, file: Path, manifest: Manifest, as_json: bool) -> None:
    """Restore to a scratch folder and check it. Exit code 1 means a fault."""
    begun = time.monotonic()
    with TemporaryDirectory(prefix="pbem-drill-") as scratch:
        contents = archive.read_files(backup)
        target = target_of(contents, {"PBEM_VAR": scratch}, Path(scratch, ".env"))
        set_up_logs(target.config)
        restore(_with_bar(progress, backup, file, "Restoring"), manifest, target, _now())
        restored = time.monotonic()
        progress.stop()
        with rows_can_be_used(), closing(open_app(target.config)) as app:
            games, problems = check_stored(app, quiet=as_json)
    seconds = {"restore": round(restored - begun, 2), "check": round(time.monotonic() - restored, 2)}
    if as_json:
        print_json({**_facts(manifest), "checked": games, "problems": problems, "seconds": seconds})
    else:
        click.echo(f"As of {manifest.made:%Y-%m-%d %H:%M:%S} UTC: {_counts(manifest)}.")
        click.echo(
            f"Restored in {seconds['restore']} s; {count_of(games, 'game')} checked in {seconds['check']} s."
        )
        for problem in problems:
            click.echo(printable_text(problem))
        click.echo("Something is wrong." if problems else "All is well; the scratch folder is removed.")
    sys.exit(1 if problems else 0)


def _progress(*, quiet: bool) -> Progress:
    return Progress(console=Console(stderr=True), disable=quiet or not sys.stdout.isatty(), transient=True)


def _with_bar(progress: Progress, backup: BinaryIO, file: Path, words: str) -> BinaryIO:
    """The open file, with a bar that shows how much was read."""
    return progress.wrap_file(backup, total=file.stat().st_size, description=words)


def _facts(manifest: Manifest) -> dict[str, object]:
    return {
        "made_at": manifest.made_at,
        "version": manifest.version,
        "revision": manifest.revision,
        "database": manifest.database,
        "games": _games(manifest),
        "rows": manifest.rows,
    }


def _games(manifest: Manifest) -> int:
    return sum(table.rows for table in manifest.tables if table.name == "games")


def _counts(manifest: Manifest) -> str:
    return f"{count_of(_games(manifest), 'game')}, {manifest.rows:,} rows, of pbem {manifest.version}"


def _now() -> datetime:
    return utc_now().replace(microsecond=0)
