"""A server's own files in a backup: settings, keys, templates, installed games."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path, PurePosixPath

from cryptography.hazmat.primitives import serialization

from pbem.backup.archive import (
    DESIGNS_FOLDER,
    DKIM_FILE,
    OLD_FOLDER,
    SETTINGS_FILE,
    TEMPLATES_FOLDER,
    BadBackup,
)
from pbem.config.designs import ENDING, designs_folder
from pbem.config.load import SettingsError, read_settings, written_settings
from pbem.config.table import SETTINGS, Config
from pbem.core.errors import Refusal
from pbem.keys.address_keys import SECRET_FILE, read_secrets, secrets_of, write_draft
from pbem.keys.record_keys import KEY_FILE, read_signer, record_signer
from pbem.resources import BadName, inside


def files_of(config: Config, environ: Mapping[str, str]) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file. Keys that are settings are among them."""
    yield SETTINGS_FILE, written_settings(environ).encode()
    yield SECRET_FILE, "".join(f"{secret}\n" for secret in secrets_of(config)).encode()
    yield KEY_FILE, _record_key(config)
    if config.dkim_key is not None:
        yield DKIM_FILE, config.dkim_key.read_bytes()
    if config.templates:
        for path in sorted(config.templates.rglob("*")):
            if path.is_file():
                name = path.relative_to(config.templates).as_posix()
                try:
                    content = inside(config.templates, name).read_bytes()
                except BadName as error:
                    raise Refusal(f"No backup can hold a file of PBEM_TEMPLATES: {error}.") from error
                yield f"{TEMPLATES_FOLDER}/{name}", content
    for path in sorted(designs_folder(config.var).glob(f"*{ENDING}")):
        yield f"{DESIGNS_FOLDER}/{path.name}", path.read_bytes()


def _record_key(config: Config) -> bytes:
    """Return the key of records in PEM. PBEM_SECRET may be its source."""
    pem = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return record_signer(config).key.private_bytes(*pem)


def settings_in(contents: Mapping[str, bytes]) -> dict[str, str]:
    """Return those settings of a backup that this version knows."""
    known = {setting.name for setting in SETTINGS}
    told = read_settings(contents[SETTINGS_FILE].decode())
    return {name: value for name, value in told.items() if name in known}


def check_files(contents: Mapping[str, bytes]) -> None:
    """Read settings, secret and key of records. Raises BadBackup where one cannot be used."""
    readers: Mapping[str, Callable[[bytes], object]] = {
        SETTINGS_FILE: lambda raw: read_settings(raw.decode()),
        SECRET_FILE: lambda raw: read_secrets(raw.decode(), SECRET_FILE),
        KEY_FILE: lambda raw: read_signer(raw, KEY_FILE),
    }
    for name, read in readers.items():
        try:
            read(contents[name])
        except (UnicodeError, SettingsError) as error:
            raise BadBackup(f"The backup cannot be used: its {name} is damaged.") from error


@dataclass(frozen=True)
class Places:
    """The places of these files on the restored machine, by name."""

    paths: Mapping[str, Path]
    contents: Mapping[str, bytes]
    written: list[Path] = field(default_factory=list)
    """Files that `put` wrote."""
    moved: list[Path] = field(default_factory=list)
    """Files that were there with other content, under their new names."""

    def put(self, now: datetime) -> None:
        """Write each file that is not there as it should be. A full disk leaves all as it was."""
        drafts: dict[Path, Path] = {}
        try:
            for name, path in self.paths.items():
                if not path.is_file() or path.read_bytes() != self.contents[name]:
                    drafts[path] = write_draft(path, self.contents[name])
        except OSError:
            for draft in drafts.values():
                draft.unlink(missing_ok=True)
            raise
        for path, draft in drafts.items():
            if path.is_file():
                aside = path.with_name(f"{path.name}.{now:%Y%m%dT%H%M%S}")
                path.rename(aside)
                self.moved.append(aside)
            draft.replace(path)
            self.written.append(path)


def places_for(
    contents: Mapping[str, bytes], config: Config, environ: Mapping[str, str], env_file: Path
) -> Places:
    """Find the place of each file by the settings here. Raises Refusal where the secrets differ."""
    secret_lines = contents[SECRET_FILE].decode().split()
    own = (config.secret, *(config.old_secrets or ()))
    if config.secret is not None and not set(secret_lines) <= set(own):
        raise Refusal(
            "PBEM_SECRET here is not that of the backup, so no letter could be answered. "
            "Set PBEM_SECRET and PBEM_OLD_SECRETS as its settings.env has them, or leave them out."
        )
    paths = {}
    derived = KEY_FILE if config.secret and contents[KEY_FILE] == _record_key(config) else None
    for name in sorted(contents.keys() - {derived}):
        try:
            path = _place(name, config, environ, env_file)
        except BadName as error:
            raise BadBackup(f"The backup has a file that no backup has: {error}.") from error
        if any(str(parent) in contents for parent in PurePosixPath(name).parents):
            raise BadBackup(f"The backup has a file that no backup has: {name!r} is in a file.")
        if path is not None:
            paths[name] = path
    return Places(paths, contents)


def _place(name: str, config: Config, environ: Mapping[str, str], env_file: Path) -> Path | None:
    """Return a file's place; None if a setting here replaces the file, or this version does not use it."""
    folder, _, rest = name.partition("/")
    if folder == TEMPLATES_FOLDER:
        return inside(Path(environ.get("PBEM_TEMPLATES") or config.var / folder), rest)
    if folder == DESIGNS_FOLDER:
        return inside(designs_folder(config.var), rest)
    if folder == OLD_FOLDER:
        return None
    if name == SETTINGS_FILE:
        return None if env_file.is_file() else env_file
    if name == SECRET_FILE:
        return None if config.secret else config.var / SECRET_FILE
    return Path(environ.get(_SETTINGS_OF_FILES[name]) or inside(config.var, name))


_SETTINGS_OF_FILES = {DKIM_FILE: "PBEM_DKIM_KEY", KEY_FILE: "PBEM_RECORD_KEY"}
