"""The table of settings: name, default, parser, help.

It makes `.env.example` and the output of `pbem settings`; `config` reads it from the environment.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.config import parsers
from pbem.config.parsers import Listen, Mailbox, Relay, host_of, is_local, is_public, leads_here


@dataclass(frozen=True)
class Config:
    """All settings, typed and checked; the table below explains each."""

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
    """In seconds."""
    web_listen: Listen
    proxies: int
    relay: Relay | None
    letters_per_minute: int | None
    """None for no limit."""
    dkim_key: Path | None
    dkim_selector: str
    delimiter: str
    games: tuple[str, ...]
    operator: str | None
    authserv: str | None
    authserv_hops: int
    check_dkim: bool
    max_mail: int
    """In bytes."""
    secret: str | None = field(repr=False)
    """The value as set; `pbem.keys.address_keys` gives the one to use."""
    old_secrets: tuple[str, ...] = field(repr=False)
    record_key: Path | None
    templates: Path | None
    boards: Path | None
    letters_per_hour: int
    confirmations_per_hour: int
    unproven_per_day: int
    running_games: int
    undo_minutes: int
    hurry: int
    attempts: int
    keep_mails: int
    keep_letters: int
    keep_traces: int
    """In days, all three."""
    log_level: str
    withheld: tuple[str, ...] = ()
    """Games not offered, as their authors want to be asked first. Naming them in PBEM_GAMES offers them."""

    @property
    def public(self) -> bool:
        """True for a public server, by its host name or its site's."""
        return is_public(self.host) or is_public(host_of(self.site))

    @property
    def development(self) -> bool:
        """True if letters go to the mailroom.

        Nothing may be reachable from outside then. A local proxy makes strangers look local, so there must be
        none.
        """
        listeners = (self.smtp_listen, self.lmtp_listen, self.web_listen)
        by_proxy = self.proxies or leads_here(host_of(self.site))
        local = is_local(self.host) and not by_proxy and all(each.loopback for each in listeners)
        return self.relay is None and local


@dataclass(frozen=True)
class Setting:
    """One row of the table.

    `parse` returns the value, or raises ValueError with a reason. `help` is a sentence or two for an
    operator; a `secret` is shown without its hidden parts.
    """

    name: str
    field: str
    default: str
    parse: Callable[[str], Any]
    help: str
    secret: bool = False
    empty: Any = None
    """The value if neither it nor a default is set."""


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "PBEM_HOST", "host", "localhost", parsers.host, "The host name in our mail addresses: play@HOST."
    ),
    Setting(
        "PBEM_SITE",
        "site",
        "http://127.0.0.1:8000",
        parsers.serve_site,
        "The public address of the web pages, for the links in letters. "
        "By default it follows PBEM_WEB_LISTEN; it must be set once PBEM_HOST is a public name.",
    ),
    Setting(
        "PBEM_DATABASE",
        "database",
        "sqlite:///var/pbem.sqlite",
        parsers.database,
        "sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/NAME (postgres:// is taken too). "
        "By default DATABASE_URL where that is set, else the SQLite file pbem.sqlite in PBEM_VAR.",
        secret=True,
    ),
    Setting("PBEM_VAR", "var", "var", Path, "The folder for files of our own; it is made where missing."),
    Setting(
        "PBEM_SMTP_LISTEN",
        "smtp_listen",
        "127.0.0.1:2525",
        parsers.mail_listen,
        "Where the mail listener takes SMTP: HOST:PORT, unix:/PATH, or off.",
    ),
    Setting(
        "PBEM_LMTP_LISTEN",
        "lmtp_listen",
        "127.0.0.1:2526",
        parsers.mail_listen,
        "Where the mail listener takes LMTP, the way from Postfix or Exim: HOST:PORT, unix:/PATH, or off.",
    ),
    Setting(
        "PBEM_TLS_CERT",
        "tls_cert",
        "",
        parsers.file,
        "A certificate (PEM, with its chain) for STARTTLS at the mail listeners; wants PBEM_TLS_KEY too.",
    ),
    Setting("PBEM_TLS_KEY", "tls_key", "", parsers.file, "The private key of PBEM_TLS_CERT (PEM)."),
    Setting(
        "PBEM_MAILGUN_KEY",
        "mailgun_key",
        "",
        parsers.key,
        "Mailgun's HTTP webhook signing key; with it mail is taken at /mail/mailgun/mime.",
        secret=True,
    ),
    Setting(
        "PBEM_SENDGRID_KEY",
        "sendgrid_key",
        "",
        parsers.public_key,
        "SendGrid's verification key for signed webhooks; with it mail is taken at /mail/sendgrid.",
    ),
    Setting(
        "PBEM_POSTMARK_LOGIN",
        "postmark_login",
        "",
        parsers.login,
        "USER:PASSWORD in the address of Postmark's webhook; with it mail is taken at /mail/postmark.",
        secret=True,
    ),
    Setting(
        "PBEM_WEBHOOK_KEY",
        "webhook_key",
        "",
        parsers.secret,
        "The key of our own signed way in, for Cloudflare's Email Workers and the like: 32 characters or "
        "more; with it mail is taken at /mail/signed.",
        secret=True,
    ),
    Setting(
        "PBEM_SES_TOPIC",
        "ses_topic",
        "",
        parsers.topic,
        "The ARN of the SNS topic that Amazon SES hands mail to; with it mail is taken at /mail/ses.",
    ),
    Setting(
        "PBEM_IMAP",
        "imap",
        "",
        parsers.mailbox,
        "A mailbox to fetch mail from: imaps://USER:PASSWORD@HOST/FOLDER.",
        secret=True,
    ),
    Setting("PBEM_MAILDIR", "maildir", "", parsers.folder, "A Maildir to take mail from."),
    Setting(
        "PBEM_POLL",
        "poll",
        "30",
        parsers.whole(1, 86_400),
        "How many seconds lie between two looks into PBEM_IMAP and PBEM_MAILDIR.",
    ),
    Setting(
        "PBEM_WEB_LISTEN",
        "web_listen",
        "127.0.0.1:8000",
        parsers.listen,
        "Where the web pages are served. By default PORT on all addresses, where PORT is set.",
    ),
    Setting(
        "PBEM_PROXIES",
        "proxies",
        "0",
        parsers.whole(0, 9),
        "How many proxies of your own stand before the web pages, each adding to X-Forwarded-For whom it "
        "brings. 0: that header is not believed, and all who come through one proxy count as one client.",
    ),
    Setting(
        "PBEM_RELAY",
        "relay",
        "",
        parsers.relay,
        "The mail server that takes our letters: smtp://USER:PASSWORD@HOST:PORT, or smtps://… for TLS from "
        "the first byte. Empty: letters stay in the mailroom, on a machine nobody else can reach.",
        secret=True,
    ),
    Setting(
        "PBEM_LETTERS_PER_MINUTE",
        "letters_per_minute",
        "",
        parsers.whole(1, 1_000_000),
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
        parsers.host,
        "The name of that key in DNS: its record stands at SELECTOR._domainkey.HOST.",
    ),
    Setting(
        "PBEM_DELIMITER",
        "delimiter",
        "+",
        parsers.one_of("+", ".", "-"),
        "What stands between play and the token in a reply address; your mail server's recipient delimiter.",
    ),
    Setting(
        "PBEM_GAMES",
        "games",
        "all",
        parsers.games,
        "The games on offer: all, or their keys with commas between. Where PBEM_HOST or PBEM_SITE is a "
        "public name, all leaves out those whose terms ask for permission (Bagel): ask, then name them "
        "here.",
    ),
    Setting(
        "PBEM_OPERATOR",
        "operator",
        "",
        parsers.address,
        "Who is told when a mail could not be handled; /.well-known/security.txt names the address too.",
    ),
    Setting(
        "PBEM_AUTHSERV",
        "authserv",
        "",
        parsers.host,
        "The name under which your own mail server writes Authentication-Results (RFC 8601 2.5), and the "
        "topmost Received line, which tells when a mail came. Empty: no such header is believed.",
    ),
    Setting(
        "PBEM_AUTHSERV_HOPS",
        "authserv_hops",
        "0",
        parsers.whole(0, 9),
        "How many Received lines your own servers write above those results, often 1 with Postfix. "
        "0: only results above every Received line are believed.",
    ),
    Setting(
        "PBEM_CHECK_DKIM",
        "check_dkim",
        "off",
        parsers.switch,
        "on: check DKIM and DMARC here, for mail of which your mail server says nothing. It asks the name "
        "servers, and does not check SPF.",
    ),
    Setting("PBEM_MAX_MAIL", "max_mail", "1MiB", parsers.size, "The largest mail taken at the door."),
    Setting(
        "PBEM_SECRET",
        "secret",
        "",
        parsers.secret,
        "What signs reply addresses: 32 characters or more, drawn by chance, the same for all processes. "
        "Empty: made on the first run and kept in the file secret in PBEM_VAR.",
        secret=True,
    ),
    Setting(
        "PBEM_OLD_SECRETS",
        "old_secrets",
        "",
        parsers.several_secrets,
        "Beside PBEM_SECRET: one or two more whose reply addresses are still read, with a comma between. "
        "Without PBEM_SECRET leave it empty: pbem rotate looks after the file.",
        secret=True,
        empty=(),
    ),
    Setting(
        "PBEM_RECORD_KEY",
        "record_key",
        "",
        parsers.file,
        "The file with the private key that signs records of games (Ed25519, PEM). Empty: made at first use "
        "and kept in the file record.key in PBEM_VAR, or, with PBEM_SECRET set, made from that.",
    ),
    Setting(
        "PBEM_TEMPLATES",
        "templates",
        "",
        parsers.folder,
        "A folder of your own templates, searched before ours: mail/turn.txt there replaces ours.",
    ),
    Setting(
        "PBEM_BOARDS",
        "boards",
        "",
        parsers.folder,
        "A folder of your own boards: hexthing.board there is the board of new games of Hexagonal Thing.",
    ),
    Setting(
        "PBEM_LETTERS_PER_HOUR",
        "letters_per_hour",
        "120",
        parsers.whole(1, 100_000),
        "How many of a player's mails are answered in an hour; the rest are done and filed in silence.",
    ),
    Setting(
        "PBEM_CONFIRMATIONS_PER_HOUR",
        "confirmations_per_hour",
        "60",
        parsers.whole(0, 100_000),
        "How many strangers, all together, are asked in an hour to confirm a registration: a sixth of them "
        "from one network, half from one domain. Authenticated senders have as many for each domain.",
    ),
    Setting(
        "PBEM_UNPROVEN_PER_DAY",
        "unproven_per_day",
        "10",
        parsers.whole(1, 1000),
        "How many letters a day go to an address that has not been proven.",
    ),
    Setting(
        "PBEM_RUNNING_GAMES",
        "running_games",
        "10",
        parsers.whole(1, 100_000),
        "How many games a player may have running at a time.",
    ),
    Setting(
        "PBEM_UNDO_MINUTES",
        "undo_minutes",
        "5",
        parsers.whole(0, 60),
        "How many minutes a ply waits, so that its player can take it back, where the player has not set "
        "another time. In development mode none waits.",
    ),
    Setting(
        "PBEM_HURRY",
        "hurry",
        "1",
        parsers.whole(1, 600),
        "How many times as fast as usual the server's clock runs, to try reminders and deadlines with: at "
        "600 a day passes in two and a half minutes. In development mode alone, with a PBEM_VAR of its own.",
    ),
    Setting(
        "PBEM_ATTEMPTS",
        "attempts",
        "3",
        parsers.whole(1, 20),
        "How often handling a mail is tried before it is put aside for the operator.",
    ),
    Setting(
        "PBEM_KEEP_MAILS",
        "keep_mails",
        "90",
        parsers.whole(30, 36_500),
        "For how many days a mail is kept as it came; longer while a game goes on that its writer had begun "
        "before.",
    ),
    Setting(
        "PBEM_KEEP_LETTERS",
        "keep_letters",
        "90",
        parsers.whole(30, 36_500),
        "For how many days our letters are kept as they left.",
    ),
    Setting(
        "PBEM_KEEP_TRACES",
        "keep_traces",
        "365",
        parsers.whole(120, 36_500),
        "For how many days it is known that a mail came or a letter left. The same mail later is a new one.",
    ),
    Setting(
        "PBEM_LOG_LEVEL",
        "log_level",
        "info",
        parsers.one_of("debug", "info", "warning", "error"),
        "How much is logged.",
    ),
)
