"""Settings: one table of names, defaults and meanings, read into a frozen `Settings`.

The only module that reads the environment and `.env`. The table also makes `.env.example`
(`python -m pbem.config > .env.example`) and the list that `pbem settings` prints. An empty value
means the default. Everything missing or wrong is named in one `SettingsError`.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from textwrap import wrap
from typing import Any

from dotenv import dotenv_values

from pbem import spelling
from pbem.spelling import SECRET_LETTERS, Listen, Mailbox, Relay, host_of, is_local, leads_here


class SettingsError(Exception):
    """Settings are missing or wrong; `problems` holds one sentence for each, `str()` all of them."""

    def __init__(self, problems: list[str]) -> None:
        count = "One setting is" if len(problems) == 1 else f"{len(problems)} settings are"
        super().__init__("\n".join([f"{count} wrong:", *(f"  {problem}" for problem in problems)]))
        self.problems = tuple(problems)


@dataclass(frozen=True)
class Settings:
    """All settings, typed and checked; the table below says what each means."""

    host: str
    site: str
    database: str = field(repr=False)
    """A SQLAlchemy URL, with the password."""
    var: Path
    smtp_listen: Listen
    lmtp_listen: Listen
    tls_cert: Path | None
    tls_key: Path | None
    mailgun_key: str | None = field(repr=False)
    sendgrid_key: str | None = field(repr=False)
    postmark_login: str | None = field(repr=False)
    webhook_key: str | None = field(repr=False)
    ses_topic: str | None
    imap: Mailbox | None
    maildir: Path | None
    poll: int
    """Seconds."""
    web_listen: Listen
    relay: Relay | None
    letters_per_minute: int | None
    """None: as many as the relay takes."""
    dkim_key: Path | None
    dkim_selector: str
    delimiter: str
    games: tuple[str, ...]
    operator: str | None
    authserv: str | None
    authserv_hops: int
    check_dkim: bool
    max_mail: int
    """Bytes."""
    secret: str | None = field(repr=False)
    """As set; `pbem.keyring` gives the one to use."""
    old_secrets: tuple[str, ...] = field(repr=False)
    templates: Path | None
    boards: Path | None
    letters_per_hour: int
    confirmations_per_hour: int
    unproven_per_day: int
    running_games: int
    undo_minutes: int
    attempts: int
    log_level: str

    @property
    def development(self) -> bool:
        """Whether letters go to the mailroom, which then exists: nothing here can be reached from outside."""
        listeners = (self.smtp_listen, self.lmtp_listen, self.web_listen)
        return self.relay is None and is_local(self.host) and all(each.loopback for each in listeners)


@dataclass(frozen=True)
class Setting:
    """One row of the table: `parse` turns its text into the value or raises ValueError with a reason.

    `help` is a sentence or two for an operator; a `secret` is shown without what must stay hidden.
    """

    name: str
    field: str
    default: str
    parse: Callable[[str], Any]
    help: str
    secret: bool = False
    empty: Any = None
    """The value where neither it nor a default is set."""


@dataclass(frozen=True)
class Row:
    """A setting as `pbem settings` shows it; `value` gives no secret away."""

    name: str
    value: str
    help: str


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "PBEM_HOST", "host", "localhost", spelling.host, "The host name in our mail addresses: play@HOST."
    ),
    Setting(
        "PBEM_SITE",
        "site",
        "http://127.0.0.1:8000",
        spelling.site,
        "The public address of the web pages, for the links in letters. "
        "By default it follows PBEM_WEB_LISTEN; it must be set once PBEM_HOST is a public name.",
    ),
    Setting(
        "PBEM_DATABASE",
        "database",
        "sqlite:///var/pbem.sqlite",
        spelling.database,
        "sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/NAME (postgres:// is taken too). "
        "By default DATABASE_URL where that is set, else the SQLite file pbem.sqlite in PBEM_VAR.",
        secret=True,
    ),
    Setting("PBEM_VAR", "var", "var", Path, "The folder for files of our own; it is made where missing."),
    Setting(
        "PBEM_SMTP_LISTEN",
        "smtp_listen",
        "127.0.0.1:2525",
        spelling.mail_listen,
        "Where the mail listener takes SMTP: HOST:PORT, unix:/PATH, or off.",
    ),
    Setting(
        "PBEM_LMTP_LISTEN",
        "lmtp_listen",
        "127.0.0.1:2526",
        spelling.mail_listen,
        "Where the mail listener takes LMTP, the way from Postfix or Exim: HOST:PORT, unix:/PATH, or off.",
    ),
    Setting(
        "PBEM_TLS_CERT",
        "tls_cert",
        "",
        spelling.file,
        "A certificate (PEM, with its chain) for STARTTLS at the mail listeners; wants PBEM_TLS_KEY too.",
    ),
    Setting("PBEM_TLS_KEY", "tls_key", "", spelling.file, "The private key of PBEM_TLS_CERT (PEM)."),
    Setting(
        "PBEM_MAILGUN_KEY",
        "mailgun_key",
        "",
        spelling.key,
        "Mailgun's HTTP webhook signing key; with it mail is taken at /mail/mailgun/mime.",
        secret=True,
    ),
    Setting(
        "PBEM_SENDGRID_KEY",
        "sendgrid_key",
        "",
        spelling.public_key,
        "SendGrid's verification key for signed webhooks; with it mail is taken at /mail/sendgrid.",
    ),
    Setting(
        "PBEM_POSTMARK_LOGIN",
        "postmark_login",
        "",
        spelling.login,
        "USER:PASSWORD in the address of Postmark's webhook; with it mail is taken at /mail/postmark.",
        secret=True,
    ),
    Setting(
        "PBEM_WEBHOOK_KEY",
        "webhook_key",
        "",
        spelling.secret,
        "The key of our own signed way in, for Cloudflare's Email Workers and the like: 32 characters or "
        "more; with it mail is taken at /mail/signed.",
        secret=True,
    ),
    Setting(
        "PBEM_SES_TOPIC",
        "ses_topic",
        "",
        spelling.topic,
        "The ARN of the SNS topic that Amazon SES hands mail to; with it mail is taken at /mail/ses.",
    ),
    Setting(
        "PBEM_IMAP",
        "imap",
        "",
        spelling.mailbox,
        "A mailbox to fetch mail from: imaps://USER:PASSWORD@HOST/FOLDER.",
        secret=True,
    ),
    Setting("PBEM_MAILDIR", "maildir", "", spelling.folder, "A Maildir to take mail from."),
    Setting(
        "PBEM_POLL",
        "poll",
        "30",
        spelling.whole(1, 86_400),
        "How many seconds lie between two looks into PBEM_IMAP and PBEM_MAILDIR.",
    ),
    Setting(
        "PBEM_WEB_LISTEN",
        "web_listen",
        "127.0.0.1:8000",
        spelling.listen,
        "Where the web pages are served. By default PORT on all addresses, where PORT is set.",
    ),
    Setting(
        "PBEM_RELAY",
        "relay",
        "",
        spelling.relay,
        "The mail server that takes our letters: smtp://USER:PASSWORD@HOST:PORT, or smtps://… for TLS from "
        "the first byte. Empty: letters stay in the mailroom, on a machine nobody else can reach.",
        secret=True,
    ),
    Setting(
        "PBEM_LETTERS_PER_MINUTE",
        "letters_per_minute",
        "",
        spelling.whole(1, 1_000_000),
        "How many letters a minute a worker hands to the relay at most, where the relay counts. "
        "Empty: as many as it takes.",
    ),
    Setting(
        "PBEM_DKIM_KEY",
        "dkim_key",
        "",
        Path,
        "The file with the private key that signs our letters (DKIM), as pbem dkim makes it. "
        "Empty: your mail server signs them.",
    ),
    Setting(
        "PBEM_DKIM_SELECTOR",
        "dkim_selector",
        "pbem",
        spelling.host,
        "The name of that key in DNS: its record stands at SELECTOR._domainkey.HOST.",
    ),
    Setting(
        "PBEM_DELIMITER",
        "delimiter",
        "+",
        spelling.one_of("+", ".", "-"),
        "What stands between play and the token in a reply address; your mail server's recipient delimiter.",
    ),
    Setting(
        "PBEM_GAMES",
        "games",
        "all",
        spelling.games,
        "The games on offer: all, or their keys with commas between.",
    ),
    Setting(
        "PBEM_OPERATOR", "operator", "", spelling.address, "Who is told when a mail could not be handled."
    ),
    Setting(
        "PBEM_AUTHSERV",
        "authserv",
        "",
        spelling.host,
        "The name under which your own mail server writes Authentication-Results (RFC 8601 2.5). "
        "Empty: no such header is believed.",
    ),
    Setting(
        "PBEM_AUTHSERV_HOPS",
        "authserv_hops",
        "0",
        spelling.whole(0, 9),
        "How many Received lines your own servers write above those results, often 1 with Postfix. "
        "0: only results above every Received line are believed.",
    ),
    Setting(
        "PBEM_CHECK_DKIM",
        "check_dkim",
        "off",
        spelling.switch,
        "on: check DKIM and DMARC here, for mail of which your mail server says nothing. It asks the name "
        "servers, and does not check SPF.",
    ),
    Setting("PBEM_MAX_MAIL", "max_mail", "1MiB", spelling.size, "The largest mail taken at the door."),
    Setting(
        "PBEM_SECRET",
        "secret",
        "",
        spelling.secret,
        "What signs reply addresses: 32 characters or more, drawn by chance, the same for all processes. "
        "Empty: made on the first run and kept in the file secret in PBEM_VAR.",
        secret=True,
    ),
    Setting(
        "PBEM_OLD_SECRETS",
        "old_secrets",
        "",
        spelling.several_secrets,
        "Beside PBEM_SECRET: one or two more whose reply addresses are still read, with a comma between. "
        "Without PBEM_SECRET leave it empty: pbem rotate looks after the file.",
        secret=True,
        empty=(),
    ),
    Setting(
        "PBEM_TEMPLATES",
        "templates",
        "",
        spelling.folder,
        "A folder of your own templates, searched before ours: mail/turn.txt there replaces ours.",
    ),
    Setting(
        "PBEM_BOARDS",
        "boards",
        "",
        spelling.folder,
        "A folder of your own boards: hexthing.board there is the board of new games of Hexagonal Thing.",
    ),
    Setting(
        "PBEM_LETTERS_PER_HOUR",
        "letters_per_hour",
        "120",
        spelling.whole(1, 100_000),
        "How many of a player's mails are answered in an hour; the rest are filed in silence.",
    ),
    Setting(
        "PBEM_CONFIRMATIONS_PER_HOUR",
        "confirmations_per_hour",
        "60",
        spelling.whole(0, 100_000),
        "How many strangers, all together, are asked in an hour to confirm a registration.",
    ),
    Setting(
        "PBEM_UNPROVEN_PER_DAY",
        "unproven_per_day",
        "10",
        spelling.whole(1, 1000),
        "How many letters a day go to an address that has not been proven.",
    ),
    Setting(
        "PBEM_RUNNING_GAMES",
        "running_games",
        "10",
        spelling.whole(1, 100_000),
        "How many games a player may have running at a time.",
    ),
    Setting(
        "PBEM_UNDO_MINUTES",
        "undo_minutes",
        "5",
        spelling.whole(0, 60),
        "How many minutes a ply waits, so that its player can take it back, where the player has not set "
        "another time. In development mode none waits.",
    ),
    Setting(
        "PBEM_ATTEMPTS",
        "attempts",
        "3",
        spelling.whole(1, 20),
        "How often handling a mail is tried before it is put aside for the operator.",
    ),
    Setting(
        "PBEM_LOG_LEVEL",
        "log_level",
        "info",
        spelling.one_of("debug", "info", "warning", "error"),
        "How much is logged.",
    ),
)


def load(env_file: Path = Path(".env")) -> Settings:
    """The settings of this process, from `env_file` and, over it, the environment; SettingsError."""
    written = dotenv_values(env_file, interpolate=False) if env_file.is_file() else {}
    return settings_from({name: value or "" for name, value in written.items()} | dict(os.environ))


def settings_from(environ: Mapping[str, str]) -> Settings:
    """The settings that `environ` spells; raises SettingsError with everything wrong in it."""
    texts = {name: text.strip() for name, text in environ.items() if text.strip()}
    problems = {name: _unknown(name) for name in environ if name.startswith("PBEM_") and name not in _NAMES}
    values: dict[str, Any] = {}
    for setting in SETTINGS:
        name, text = _found(setting.name, texts) or (setting.name, setting.default)
        try:
            values[setting.field] = setting.parse(text) if text else setting.empty
        except ValueError as error:
            problems[setting.name] = f"{name}={redacted(text) if setting.secret else text}: {error}."
            values[setting.field] = setting.parse(setting.default) if setting.default else setting.empty
    settings = Settings(**values)
    problems = _misfits(settings) | problems
    if problems:
        raise SettingsError(list(problems.values()))
    return settings


_NAMES = frozenset(setting.name for setting in SETTINGS)


def _unknown(name: str) -> str:
    near = get_close_matches(name, sorted(_NAMES), n=1)
    return f"{name}: there is no such setting" + (f"; did you mean {near[0]}?" if near else ".")


def _found(name: str, texts: Mapping[str, str]) -> tuple[str, str] | None:
    """Where a setting's text was found and what it is; None where its plain default holds."""
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
        return name, f"http://{texts['PBEM_WEB_LISTEN']}"
    return None


def _misfits(settings: Settings) -> dict[str, str]:
    """What is wrong between settings that are each right by themselves, by the setting to mend."""
    problems = {}
    if settings.relay is None and not settings.development:
        problems["PBEM_RELAY"] = f"PBEM_RELAY: missing; {_reachable(settings)}, so letters need a way out."
    if not is_local(settings.host) and not leads_here(host_of(settings.site)):
        problems["PBEM_SITE"] = (
            f"PBEM_SITE={settings.site}: nobody else can open that; with PBEM_HOST={settings.host} "
            "letters carry links, and they must lead here."
        )
    if settings.secret is None and not settings.development and not settings.database.startswith("sqlite"):
        problems["PBEM_SECRET"] = (
            "PBEM_SECRET: missing; processes that share a PostgreSQL database must share one secret, "
            f"for instance {secrets.token_hex(SECRET_LETTERS)}"
        )
    if settings.old_secrets and settings.secret is None:
        problems["PBEM_OLD_SECRETS"] = "PBEM_OLD_SECRETS: set PBEM_SECRET too; the old ones stand beside it."
    if (settings.tls_cert is None) != (settings.tls_key is None):
        missing = "PBEM_TLS_KEY" if settings.tls_key is None else "PBEM_TLS_CERT"
        problems[missing] = f"{missing}: missing; a certificate and its key go together."
    return problems


def _reachable(settings: Settings) -> str:
    """Why this is no place for a mailroom."""
    if not is_local(settings.host):
        return f"PBEM_HOST={settings.host} is a public name"
    if not settings.web_listen.loopback:
        return f"the web pages on {settings.web_listen} can be reached from outside"
    open_one = settings.lmtp_listen if settings.smtp_listen.loopback else settings.smtp_listen
    return f"the mail listener on {open_one} can be reached from outside"


def redacted(text: str) -> str:
    """A secret setting's text for people to see: a URL without its password, else nothing of it."""
    if "://" not in text:
        return "***" if text else ""
    text = re.sub(r"(://[^:@]*):.*@", r"\1:***@", text)
    return re.sub(r"(?i)(password=)[^&]*", r"\1***", text)


def describe(settings: Settings) -> list[Row]:
    """Every setting with its value, in the table's order, no secret among them."""
    rows = []
    for setting in SETTINGS:
        value = _shown(getattr(settings, setting.field))
        rows.append(Row(setting.name, redacted(value) if setting.secret else value, setting.help))
    return rows


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ",".join(value)
    return "" if value is None else str(value)


def env_example() -> str:
    """The text of `.env.example`: every setting with its help and default, commented out."""
    lines = [
        "# Settings of pbem. Copy this file to .env and change what should differ; the environment wins.",
        "# This file is made from the table in pbem/config.py: python -m pbem.config > .env.example",
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
