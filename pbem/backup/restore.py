"""Brings a server back from a backup: all of it, or nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from pbem.actions.outages import record_restore
from pbem.backup import archive
from pbem.backup.archive import BadBackup, Manifest
from pbem.backup.files import SETTINGS_FILE, Places, places_for
from pbem.config.load import config_from, environment, read_settings, written_settings
from pbem.config.parsers import database
from pbem.config.table import Config
from pbem.core.errors import Refusal
from pbem.store import locks, migrate, outages, revisions, transfer
from pbem.store.engine import is_full, open_store, sqlite_file

NEEDED = (
    *("PBEM_VAR", "PBEM_DATABASE", "PBEM_DATABASE_FILE", "DATABASE_URL", "PBEM_SECRET", "PBEM_SECRET_FILE"),
    *("PBEM_OLD_SECRETS", "PBEM_OLD_SECRETS_FILE", "PBEM_LOG_LEVEL"),
)
"""The settings that a restore depends on; others may name files that are only in the backup."""
OF_DATABASE = ("PBEM_DATABASE", "PBEM_DATABASE_FILE", "DATABASE_URL")
OF_PLACES = (
    *("PBEM_VAR", *OF_DATABASE),
    *("PBEM_TEMPLATES", "PBEM_DKIM_KEY", "PBEM_RECORD_KEY"),
)
"""The settings that say where rows and files go. Those of here are written beside the backup's."""


@dataclass(frozen=True)
class Target:
    """The server to restore to. `config` has the settings in NEEDED alone."""

    config: Config
    places: Places


def check_backup(file: IO[bytes]) -> Manifest:
    """Read a whole backup and its manifest. Raises BadBackup if it is damaged, or of another version."""
    manifest = archive.read_manifest(file)
    if revisions.is_too_old(manifest.revision):
        raise BadBackup(
            f"The backup is of pbem {manifest.version}, older than this version can upgrade: restore and "
            "upgrade it with an earlier version first."
        )
    if not revisions.is_known(manifest.revision):
        raise BadBackup(
            f"The backup is of a newer version, pbem {manifest.version}, at revision {manifest.revision}; "
            f"this one knows up to {revisions.newest_revision()}. Install that version, then restore."
        )
    return manifest


def find_target(file: IO[bytes], env_file: Path) -> Target:
    """Find the place to restore to by settings. Without an `env_file` the backup's own count too."""
    contents = archive.read_files(file)
    environ = environment([env_file])
    if not env_file.is_file():
        theirs = read_settings(contents[SETTINGS_FILE].decode())
        here = {name: environ[name] for name in OF_PLACES if environ.get(name)}
        theirs = _without_database(theirs, here)
        if not here.items() <= theirs.items():
            contents = {**contents, SETTINGS_FILE: written_settings(theirs | here).encode()}
        environ = theirs | environ
    return target_of(contents, environ, env_file)


def _without_database(theirs: Mapping[str, str], here: Mapping[str, str]) -> dict[str, str]:
    """Return the backup's settings. Its database is left out where another is named here."""
    elsewhere = any(name in here for name in OF_DATABASE)
    named = next((theirs[name] for name in ("PBEM_DATABASE", "DATABASE_URL") if theirs.get(name)), "")
    inside = "PBEM_VAR" in here and bool(named) and sqlite_file(database(named.strip())) is not None
    dropped = OF_DATABASE if elsewhere or inside else ()
    return {name: value for name, value in theirs.items() if name not in dropped}


def target_of(contents: Mapping[str, bytes], environ: Mapping[str, str], env_file: Path) -> Target:
    config = config_from({name: environ[name] for name in NEEDED if name in environ})
    return Target(config, places_for(contents, config, environ, env_file))


def restore(file: IO[bytes], manifest: Manifest, target: Target, now: datetime) -> int:
    """Restore a checked backup; returns the epoch of letters from then on. Raises Refusal.

    The rows are one transaction. Files are written before it ends, so that after a crash in between the same
    restore can be run again.
    """
    store = open_store(target.config.database)
    try:
        with store.write() as db:
            locks.advisory_lock(db, "migrate")
            if transfer.is_in_use(db):
                raise Refusal(
                    "The database here has players, games or mail already; a restore needs an empty one. "
                    "Move it away, or name another in PBEM_DATABASE."
                )
            transfer.drop_tables(db)
            migrate.upgrade(db, manifest.revision)
            for table, rows in archive.read_rows(file, manifest):
                transfer.add_rows(db, table.name, table.columns, rows)
            transfer.set_last_numbers(db, manifest.numbers)
            migrate.upgrade(db)
            outages.record_heartbeat(db, outages.BACKUP_HEARTBEAT, manifest.made)
            epoch = record_restore(db, now)
            target.places.put(now)
    except Exception as error:
        if is_full(error):
            raise Refusal("There is no room on the disk of the database. Nothing was restored.") from error
        raise
    finally:
        store.close()
    return epoch
