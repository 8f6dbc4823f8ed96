"""The table of settings, for `.env.example` and `pbem settings`: default, parser, help."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from pbem.config import parsers
from pbem.config.parsers import Listen, MailboxUrl, Relay, host_of, is_local, is_public, leads_here


@dataclass(frozen=True)
class Setting:
    """One row of the table. `help` is a sentence or two for an operator; a `secret`'s value stays hidden."""

    parse: Callable[[str], Any]
    """Returns the value, or raises ValueError with a reason."""
    help: str
    default: str = ""
    secret: bool = False
    field: str = ""

    @property
    def name(self) -> str:
        return f"PBEM_{self.field.upper()}"

    def read(self, text: str) -> Any:
        return self.parse(text) if text else None


def _setting(parse: Callable[[str], Any], help: str, default: str = "", *, secret: bool = False) -> Any:
    return field(metadata={"row": Setting(parse, help, default, secret)}, repr=not secret)


@dataclass(frozen=True)
class Config:
    """All settings, typed and checked, in the order of their display."""

    host: str = _setting(parsers.host, "The host name in our mail addresses: play@HOST.", "localhost")
    site: str = _setting(
        parsers.serve_site,
        "The public address of the web pages, for the links in letters. By default it follows "
        "PBEM_WEB_LISTEN; it must be set once PBEM_HOST is a public name.",
        "http://127.0.0.1:8000",
    )
    database: str = _setting(
        parsers.database,
        "sqlite:///FILE, or postgresql://USER:PASSWORD@HOST/NAME (postgres:// is taken too). By default "
        "DATABASE_URL where that is set, else the SQLite file pbem.sqlite in PBEM_VAR.",
        "sqlite:///var/pbem.sqlite",
        secret=True,
    )
    """A SQLAlchemy URL, with the password."""
    var: Path = _setting(Path, "The folder for files of our own; it is made where missing.", "var")
    smtp_listen: Listen = _setting(
        parsers.mail_listen,
        "Where the mail listener takes SMTP: HOST:PORT, unix:/PATH, or off.",
        "127.0.0.1:2525",
    )
    lmtp_listen: Listen = _setting(
        parsers.mail_listen,
        "Where the mail listener takes LMTP, the way from Postfix or Exim: HOST:PORT, unix:/PATH, or off.",
        "127.0.0.1:2526",
    )
    tls_cert: Path | None = _setting(
        parsers.file,
        "A certificate (PEM, with its chain) for STARTTLS at the mail listeners; wants PBEM_TLS_KEY too.",
    )
    tls_key: Path | None = _setting(parsers.file, "The private key of PBEM_TLS_CERT (PEM).")
    mailgun_key: str | None = _setting(
        parsers.key,
        "Mailgun's HTTP webhook signing key; with it mail is taken at /mail/mailgun/mime.",
        secret=True,
    )
    postmark_login: str | None = _setting(
        parsers.login,
        "USER:PASSWORD in the address of Postmark's webhook; with it mail is taken at /mail/postmark.",
        secret=True,
    )
    webhook_key: str | None = _setting(
        parsers.secret,
        "The key of our own signed way in, for Cloudflare's Email Workers and the like: 32 characters or "
        "more; with it mail is taken at /mail/signed.",
        secret=True,
    )
    imap: MailboxUrl | None = _setting(
        parsers.mailbox, "A mailbox to fetch mail from: imaps://USER:PASSWORD@HOST/FOLDER.", secret=True
    )
    maildir: Path | None = _setting(parsers.folder, "A Maildir to take mail from.")
    poll: int = _setting(
        parsers.whole(1, 86_400),
        "How many seconds lie between two looks into PBEM_IMAP and PBEM_MAILDIR.",
        "30",
    )
    web_listen: Listen = _setting(
        parsers.listen,
        "Where the web pages are served. By default PORT on all addresses, where PORT is set.",
        "127.0.0.1:8000",
    )
    proxies: int = _setting(
        parsers.whole(0, 9),
        "How many proxies of your own stand before the web pages, each adding to X-Forwarded-For whom it "
        "brings. 0: that header is not believed, and all who come through one proxy count as one client.",
        "0",
    )
    relay: Relay | None = _setting(
        parsers.relay,
        "The mail server that takes our letters: smtp://USER:PASSWORD@HOST:PORT, or smtps://… for TLS from "
        "the first byte. Empty: letters stay in the mailroom, on a machine nobody else can reach.",
        secret=True,
    )
    relay_lines: int = _setting(
        parsers.whole(1, 100),
        "How many connections to the relay a worker opens at most. A recipient that hangs holds one of them.",
        "24",
    )
    letters_per_minute: int | None = _setting(
        parsers.whole(1, 1_000_000),
        "How many letters a minute a worker hands to the relay at most, where the relay counts. Empty: as "
        "many as it takes.",
    )
    warm_up: int | None = _setting(
        parsers.number_or_off,
        "For a new server: how many letters go on its first day to one mail provider (what stands behind @). "
        "Each day after it are twice as many. Letters about turns and answers go first, and what is too much "
        "waits. off: as many as there are.",
        "off",
    )
    dkim_key: Path | None = _setting(
        Path,
        "The file with the private key that signs our letters (DKIM), as pbem dkim makes it. Empty: your "
        "mail server signs them.",
    )
    dkim_selector: str = _setting(
        parsers.host, "The name of that key in DNS: its record stands at SELECTOR._domainkey.HOST.", "pbem"
    )
    delimiter: str = _setting(
        parsers.one_of("+", ".", "-"),
        "What stands between play and the token in a reply address; your mail server's recipient delimiter.",
        "+",
    )
    games: tuple[str, ...] = _setting(
        parsers.games,
        "The games on offer: all, or their keys with commas between. Where PBEM_HOST or PBEM_SITE is a "
        "public name, all leaves out those whose terms ask for permission (Bagel): ask, then name them "
        "here.",
        "all",
    )
    operator: str | None = _setting(
        parsers.address,
        "Who is told when a mail could not be handled; /.well-known/security.txt names the address too.",
    )
    clubs: bool = _setting(
        parsers.switch,
        "off: players make no clubs and do nothing in those there are but leave them.",
        "on",
    )
    operator_letters: bool = _setting(
        parsers.switch,
        "on: PBEM_OPERATOR gets a letter a month with numbers, and one at once when something needs them.",
        "on",
    )
    authserv: str | None = _setting(
        parsers.host,
        "The name under which your own mail server writes Authentication-Results (RFC 8601 2.5), and the "
        "topmost Received line, which tells when a mail came. Empty: no such header is believed.",
    )
    authserv_hops: int = _setting(
        parsers.whole(0, 9),
        "How many Received lines your own servers write above those results, often 1 with Postfix. 0: only "
        "results above every Received line are believed.",
        "0",
    )
    check_dkim: bool = _setting(
        parsers.switch,
        "on: check DKIM and DMARC here, for mail of which your mail server says nothing. It asks the name "
        "servers, and does not check SPF.",
        "off",
    )
    max_mail: int = _setting(parsers.size, "The largest mail taken at the door.", "1MiB")
    """In bytes."""
    secret: str | None = _setting(
        parsers.secret,
        "What signs reply addresses: 32 characters or more, drawn by chance, the same for all processes. "
        "Empty: made on the first run and kept in the file secret in PBEM_VAR.",
        secret=True,
    )
    """The value as set; `pbem.keys.address_keys` gives the one to use."""
    old_secrets: tuple[str, ...] | None = _setting(
        parsers.several_secrets,
        "Beside PBEM_SECRET: one or two more whose reply addresses are still read, with a comma between. "
        "Without PBEM_SECRET leave it empty: pbem rotate looks after the file.",
        secret=True,
    )
    record_key: Path | None = _setting(
        parsers.file,
        "The file with the private key that signs records of games (Ed25519, PEM). Empty: made at first use "
        "and kept in the file record.key in PBEM_VAR, or, with PBEM_SECRET set, made from that.",
    )
    templates: Path | None = _setting(
        parsers.folder,
        "A folder of your own templates, searched before ours: mail/turn.txt there replaces ours.",
    )
    letters_per_hour: int = _setting(
        parsers.whole(1, 100_000),
        "How many of a player's mails are answered in an hour; the rest are done and filed in silence.",
        "120",
    )
    confirmations_per_hour: int = _setting(
        parsers.whole(0, 100_000),
        "How many strangers, all together, are asked in an hour to confirm a registration: a sixth of them "
        "from one network, half from one domain, half without an order. Authenticated senders have as many "
        "for each domain.",
        "60",
    )
    unproven_per_day: int = _setting(
        parsers.whole(1, 1000), "How many letters a day go to an address that has not been proven.", "10"
    )
    running_games: int = _setting(
        parsers.whole(1, 100_000), "How many games a player may have running at a time.", "10"
    )
    bots: tuple[int, ...] = _setting(
        parsers.levels,
        "The levels of bots that players may challenge, from 1 to 5 with commas between, or off. The process "
        "`pbem bots` plays for them; `pbem serve` starts it.",
        "1,2,3,4,5",
    )
    bot_seconds: tuple[int, ...] = _setting(
        parsers.move_and_day,
        "For how many seconds a bot thinks about a move at most, and all bots together in a day (UTC).",
        "60,20000",
    )
    exhibition: bool = _setting(
        parsers.switch,
        "on: two bots play a game for visitors, while people have fewer than two or make no move for a day.",
        "on",
    )
    undo_minutes: int = _setting(
        parsers.whole(0, 60),
        "How many minutes a ply waits, so that its player can take it back, where the player has not set "
        "another time. In development mode none waits.",
        "5",
    )
    hurry: int = _setting(
        parsers.whole(1, 600),
        "How many times as fast as usual the server's clock runs, to try reminders and deadlines with: at "
        "600 a day passes in two and a half minutes. In development mode alone, with a PBEM_VAR of its own.",
        "1",
    )
    attempts: int = _setting(
        parsers.whole(1, 20),
        "How often handling a mail is tried before it is put aside for the operator.",
        "3",
    )
    keep_mails: int = _setting(
        parsers.whole(30, 36_500),
        "For how many days a mail is kept as it came; longer while a game goes on that its writer had begun "
        "before.",
        "90",
    )
    keep_letters: int = _setting(
        parsers.whole(30, 36_500), "For how many days our letters are kept as they left.", "90"
    )
    keep_traces: int = _setting(
        parsers.whole(120, 36_500),
        "For how many days it is known that a mail came or a letter left. The same mail later is a new one.",
        "365",
    )
    """In days, all three."""
    metrics_token: str | None = _setting(
        parsers.secret,
        "Who sends it as a bearer token may read /metrics: 32 characters or more. Empty: whoever asks from "
        "this machine or a private network, and not by a proxy.",
        secret=True,
    )
    log_level: str = _setting(
        parsers.one_of("debug", "info", "warning", "error"), "How much is logged.", "info"
    )
    log_format: str = _setting(
        parsers.one_of("text", "json"), "text: a line an event for people; json: an object an event.", "text"
    )
    withheld: tuple[str, ...] = ()
    """Games not offered, as their authors want to be asked first. Naming them in PBEM_GAMES offers them."""

    @property
    def public(self) -> bool:
        return is_public(self.host) or is_public(host_of(self.site))

    @property
    def development(self) -> bool:
        """True if letters go to the mailroom. Then nothing may be reachable from outside."""
        return self.relay is None and not self.open_to_others

    @property
    def open_to_others(self) -> str:
        """The way by which others can reach this server, or "". A local proxy makes strangers look local."""
        if not is_local(self.host):
            return f"PBEM_HOST={self.host} is a public name"
        if leads_here(host_of(self.site)):
            return f"the web pages are at {self.site} for others"
        if self.proxies:
            return f"others come by a proxy (PBEM_PROXIES={self.proxies})"
        if not self.web_listen.loopback:
            return f"the web pages on {self.web_listen} can be reached from outside"
        outside = [listen for listen in (self.smtp_listen, self.lmtp_listen) if not listen.loopback]
        return f"the mail listener on {outside[0]} can be reached from outside" if outside else ""


SETTINGS = tuple(replace(each.metadata["row"], field=each.name) for each in fields(Config) if each.metadata)
