"""Brings a server back from a backup: all of it, or nothing."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from pbem.backup import archive
from pbem.backup.archive import DKIM_FILE, SETTINGS_FILE, TEMPLATES_FOLDER, BadBackup, Manifest
from pbem.backup.files import Places, check_files, places_for, settings_in
from pbem.config.load import config_from, environment, redact_setting, written_settings
from pbem.config.table import Config
from pbem.core.errors import Refusal
from pbem.duties.outages import record_restore
from pbem.store import locks, migrate, outages, revisions, transfer
from pbem.store.engine import is_full, open_store

NEEDED = (
    *("PBEM_VAR", "PBEM_DATABASE", "PBEM_DATABASE_FILE", "DATABASE_URL", "PBEM_SECRET", "PBEM_SECRET_FILE"),
    *("PBEM_OLD_SECRETS", "PBEM_OLD_SECRETS_FILE", "PBEM_LOG_LEVEL"),
)
"""The settings that a restore depends on; others may name files that are only in the backup."""
OF_PLACES = (
    *("PBEM_VAR", "PBEM_DATABASE", "DATABASE_URL"),
    *("PBEM_TEMPLATES", "PBEM_DKIM_KEY", "PBEM_RECORD_KEY"),
)
"""The settings that say where rows and files go, taken from this machine and never from a backup."""
FILE_SETTINGS = {"PBEM_TEMPLATES": TEMPLATES_FOLDER, "PBEM_DKIM_KEY": DKIM_FILE}
"""The settings without which these files of a backup are not used."""

MAX_WHY = 200
"""Characters of an error that are shown."""


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
    """Find the place to restore to by the settings here.

    Without an `env_file` the backup's settings count too, but for those of places.
    """
    contents = archive.read_files(file)
    check_files(contents)
    environ = environment([env_file])
    if not env_file.is_file():
        theirs = settings_in(contents)
        environ = {name: text for name, text in theirs.items() if name not in OF_PLACES} | environ
        var = _config(environ).var
        for setting, place in FILE_SETTINGS.items():
            if not environ.get(setting) and any(name.startswith(place) for name in contents):
                environ[setting] = str(var / place)
        kept = {name: environ[name] for name in (*theirs, *OF_PLACES) if name in environ}
        contents = {**contents, SETTINGS_FILE: written_settings(kept).encode()}
    return target_of(contents, environ, env_file)


def target_of(contents: Mapping[str, bytes], environ: Mapping[str, str], env_file: Path) -> Target:
    """Return the place by these settings alone. Raises BadBackup for files that cannot be used."""
    check_files(contents)
    config = _config(environ)
    return Target(config, places_for(contents, config, environ, env_file))


def _config(environ: Mapping[str, str]) -> Config:
    return config_from({name: environ[name] for name in NEEDED if name in environ})


@contextmanager
def rows_can_be_used() -> Iterator[None]:
    """Raise BadBackup where rows of a backup do not fit. A checked backup may have been edited."""
    try:
        yield
    except Exception as error:
        if not transfer.is_of_rows(error):
            raise
        why = " ".join(str(getattr(error, "orig", None) or error).split())[:MAX_WHY]
        raise BadBackup(f"The rows of the backup cannot be used ({type(error).__name__}: {why}).") from error


def restore(file: IO[bytes], manifest: Manifest, target: Target, now: datetime) -> int:
    """Restore a checked backup; returns the epoch of letters from then on. Raises Refusal.

    The rows are one transaction. Files are written before it ends, so that after a crash in between the same
    restore can be run again.
    """
    store = open_store(target.config.database)
    try:
        with rows_can_be_used(), store.write() as db:
            locks.advisory_lock(db, "migrate")
            if transfer.is_in_use(db):
                raise Refusal(
                    f"{redact_setting(target.config.database)} has players, games or mail already; a restore "
                    "needs an empty database. Move this one away, or name another in PBEM_DATABASE."
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
