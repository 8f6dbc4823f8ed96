"""Settings from the environment and a file, as a frozen `Config`. The only module that reads either.

`python -m pbem.config.load > .env.example` writes the example anew. An empty value means the default.
"""

import os
import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from io import StringIO
from pathlib import Path
from textwrap import wrap
from typing import Any

from dotenv import dotenv_values
from dotenv.parser import parse_stream

from pbem.config.designs import offer_designs
from pbem.config.gone import GONE
from pbem.config.parsers import SECRET_LETTERS, host_of, is_local, leads_here, listen
from pbem.config.table import SETTINGS, Config
from rules import RULES

PREFIX = "PBEM_"
ENV_FILE = "PBEM_ENV_FILE"
FILES = (Path(".env"), Path("/etc/pbem/pbem.env"))
"""Files of settings: the first that is there is read, unless PBEM_ENV_FILE names another."""
DEFAULT_VAR = next(setting.default for setting in SETTINGS if setting.field == "var")
SECRETS = tuple(setting.name for setting in SETTINGS if setting.secret)
FILES_HELP = (
    "A secret may stand in a file of its own: PBEM_SECRET_FILE names the file with PBEM_SECRET. The same "
    f"holds for {', '.join(name for name in SECRETS if name != 'PBEM_SECRET')}."
)


class SettingsError(Exception):
    """Missing or wrong settings. `problems` holds one sentence for each, `str()` all of them."""

    def __init__(self, problems: list[str]) -> None:
        count = "One setting is" if len(problems) == 1 else f"{len(problems)} settings are"
        super().__init__("\n".join([f"{count} wrong:", *(f"  {problem}" for problem in problems)]))
        self.problems = tuple(problems)


def load(files: Sequence[Path] = FILES) -> Config:
    """Load this process's settings; the environment overrides the file. Raises SettingsError or OSError."""
    return config_from(environment(files))


def settings_file(files: Sequence[Path] = FILES) -> Path | None:
    """Find the file of settings in use. Raises SettingsError where PBEM_ENV_FILE names none."""
    named = os.environ.get(ENV_FILE, "").strip()
    if named and not Path(named).is_file():
        raise SettingsError([f"{ENV_FILE}={named}: there is no such file."])
    return Path(named) if named else next(filter(Path.exists, files), None)


def environment(files: Sequence[Path] = FILES) -> dict[str, str]:
    """Return the environment, and beneath it what the file of settings says."""
    path = settings_file(files)
    written = _settings_in(path) if path else {}
    return written | {name: text for name, text in os.environ.items() if name != ENV_FILE}


def _settings_in(path: Path) -> dict[str, str]:
    """Return the settings in a file. Raises SettingsError with each line that cannot be read."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # Windows' editor begins with a mark
    except UnicodeError:
        raise SettingsError([f"{path}: save this file as UTF-8; it has other signs."]) from None
    bindings = parse_stream(StringIO(text))
    unread = [each.original for each in bindings if each.error or (each.key and each.value is None)]
    wrong = [each.line + each.string[: -len(each.string.lstrip())].count("\n") for each in unread]
    if wrong:
        raise SettingsError(
            [f"{path}, line {line}: write NAME=value; nothing was read of it." for line in wrong]
        )
    return read_settings(text)


def use_env_file(path: Path) -> None:
    """Make this process and its children read settings from `path`."""
    os.environ[ENV_FILE] = str(path.absolute())


def take_variables(*names: str) -> dict[str, str]:
    """Take these variables out of the environment, so that child processes do not inherit them."""
    return {name: os.environ.pop(name) for name in names if name in os.environ}


def read_settings(text: str) -> dict[str, str]:
    """Return the names and values in a text like `.env`."""
    return {
        name: value or "" for name, value in dotenv_values(stream=StringIO(text), interpolate=False).items()
    }


def written_settings(environ: Mapping[str, str]) -> str:
    """Return our settings among these as a text like `.env`, with secrets in place of their files."""
    texts = dict(environ)
    _read_secret_files(texts)
    names = [setting.name for setting in SETTINGS]
    names.insert(names.index("PBEM_DATABASE"), "DATABASE_URL")
    quoted = {name: texts[name].replace("\\", r"\\").replace("'", r"\'") for name in names if texts.get(name)}
    return "".join(f"{name}='{text}'\n" for name, text in quoted.items())


def keep_compiled(folder: Path) -> None:
    """Let numba keep its machine code in `folder`, unless NUMBA_CACHE_DIR names another."""
    os.environ.setdefault("NUMBA_CACHE_DIR", str(folder.absolute()))


def config_from(environ: Mapping[str, str]) -> Config:
    texts = {name: text.strip() for name, text in environ.items() if text.strip()}
    offer_designs(Path(texts.get("PBEM_VAR", DEFAULT_VAR)))
    problems = _read_secret_files(texts)
    names = {setting.name for setting in SETTINGS} | {f"{secret}_FILE" for secret in SECRETS}
    for name in environ:
        if instead := GONE.get(name.removesuffix("_FILE")):
            if name in texts:
                problems[name] = f"{name}: this setting is gone; {instead}"
        elif name.startswith(PREFIX) and name not in names:
            rest = [other.removeprefix(PREFIX) for other in sorted(names)]
            near = get_close_matches(name.removeprefix(PREFIX), rest, n=1)
            meant = f"; did you mean {PREFIX}{near[0]}?" if near else "."
            problems[name] = f"{name}: there is no such setting{meant}"
    values: dict[str, Any] = {}
    for setting in SETTINGS:
        name, text = _find_text(setting.name, texts) or (setting.name, setting.default)
        try:
            values[setting.field] = setting.read(text)
        except ValueError as error:
            problems[setting.name] = (
                f"{name}={redact_setting(text) if setting.secret else texts.get(name, text)}: {error}."
            )
            values[setting.field] = setting.read(setting.default)
    config = Config(**values)
    if config.public and texts.get("PBEM_GAMES", "all").lower() == "all":
        withheld = tuple(key for key in config.games if RULES[key].ask_first)
        offered = tuple(key for key in config.games if key not in withheld)
        config = replace(config, games=offered, withheld=withheld)
    problems = _conflicts(config) | problems
    if problems:
        raise SettingsError(list(problems.values()))
    return config


def _read_secret_files(texts: dict[str, str]) -> dict[str, str]:
    """Add secrets from files named by `..._FILE`; returns problems by setting."""
    problems = {}
    for secret in SECRETS:
        name = f"{secret}_FILE"
        if name not in texts:
            continue
        if secret in texts:
            problems[name] = f"{name}: {secret} is set too; take one of them away."
            continue
        try:
            texts[secret] = Path(texts[name]).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeError) as error:
            why = getattr(error, "strerror", None) or "no text"
            problems[name] = f"{name}={texts[name]}: cannot be read ({why})."
            continue
        if not texts[secret]:
            problems[name] = f"{name}={texts[name]}: the file is empty."
    return problems


def _find_text(name: str, texts: Mapping[str, str]) -> tuple[str, str] | None:
    if name in texts:
        return name, texts[name]
    if name == "PBEM_DATABASE":
        if "DATABASE_URL" in texts:
            return "DATABASE_URL", texts["DATABASE_URL"]
        if "PBEM_VAR" in texts:
            return name, f"sqlite:///{Path(texts['PBEM_VAR']) / 'pbem.sqlite'}"
    if name == "PBEM_WEB_LISTEN" and "PORT" in texts:
        return "PORT", f"0.0.0.0:{texts['PORT']}"
    if name == "PBEM_SITE" and "PBEM_WEB_LISTEN" in texts:
        with suppress(ValueError):  # an error of its own
            return name, f"http://{listen(texts['PBEM_WEB_LISTEN'])}"
    return None


def _conflicts(config: Config) -> dict[str, str]:
    problems = {}
    if config.relay is None and not config.development:
        problems["PBEM_RELAY"] = f"PBEM_RELAY: missing; {config.open_to_others}, so letters need a way out."
    if not is_local(config.host) and not leads_here(host_of(config.site)):
        problems["PBEM_SITE"] = (
            f"PBEM_SITE={config.site}: nobody else can open that; with PBEM_HOST={config.host} "
            "letters carry links, and they must lead here."
        )
    if config.secret is None and not config.development and not config.database.startswith("sqlite"):
        problems["PBEM_SECRET"] = (
            "PBEM_SECRET: missing; processes that share a PostgreSQL database must share one secret, "
            f"for instance {secrets.token_hex(SECRET_LETTERS)}"
        )
    if config.old_secrets and config.secret is None:
        problems["PBEM_OLD_SECRETS"] = "PBEM_OLD_SECRETS: set PBEM_SECRET too; the old ones stand beside it."
    if config.hurry > 1 and not config.development:
        problems["PBEM_HURRY"] = (
            f"PBEM_HURRY={config.hurry}: others play here, or could; a hurried clock is for trials on this "
            "machine alone."
        )
    if (config.tls_cert is None) != (config.tls_key is None):
        missing = "PBEM_TLS_KEY" if config.tls_key is None else "PBEM_TLS_CERT"
        problems[missing] = f"{missing}: missing; a certificate and its key go together."
    return problems


def redact_setting(text: str) -> str:
    """A secret setting for display: a URL without password, else hidden."""
    if "://" not in text:
        return "***" if text else ""
    text = re.sub(r"(://[^:@]*):.*@", r"\1:***@", text)
    return re.sub(r"(?i)(password=)[^&]*", r"\1***", text)


def shown_values(config: Config) -> dict[str, str]:
    texts = {setting: _value_text(getattr(config, setting.field)) for setting in SETTINGS}
    return {each.name: redact_setting(text) if each.secret else text for each, text in texts.items()}


def _value_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if value == ():
        return "off"
    return ",".join(map(str, value)) if isinstance(value, tuple) else "" if value is None else str(value)


def env_example() -> str:
    lines = [
        "# Settings of pbem. Copy this file to .env and change what should differ; the environment wins.",
        "# This file is made from the table in pbem/config/table.py: "
        "python -m pbem.config.load > .env.example",
        "#",
        *(f"# {line}" for line in wrap(FILES_HELP, 98)),
    ]
    for setting in SETTINGS:
        lines += [
            "",
            *(f"# {line}" for line in wrap(setting.help, 98, break_on_hyphens=False)),
            f"#{setting.name}={setting.default}",
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(env_example(), end="")
