"""Parsers for settings. Each returns a value or raises ValueError with the text's fault."""

import ipaddress
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar
from urllib.parse import SplitResult, quote, unquote, urlsplit

from rules import RULES, left_out

T = TypeVar("T")

SECRET_LETTERS = 32
"""Minimum characters of a secret: 128 bits as hex digits."""

OFF = "off"
MAX_SOCKET_PATH = 100
"""Maximum bytes of a unix socket's path; Linux allows 107."""

HOST_NAME = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*\Z")
SIZES = {"": 1, "kib": 1024, "mib": 1024**2}


@dataclass(frozen=True)
class Listen:
    """A listening place: host and port (0: any), or a socket's path. With neither it is off."""

    host: str = ""
    port: int = 0
    path: str = ""

    @property
    def off(self) -> bool:
        return not self.host and not self.path

    @property
    def loopback(self) -> bool:
        """True if only this machine can connect."""
        if not self.host:
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def __str__(self) -> str:
        if not self.host:
            return f"unix:{self.path}" if self.path else OFF
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True)
class Relay:
    """The mail server for our letters; `tls` from the first byte (smtps)."""

    host: str
    port: int
    tls: bool
    user: str = ""
    password: str = field(default="", repr=False)

    def __str__(self) -> str:
        user = f"{quote(self.user, safe='')}:***@" if self.user else ""
        return f"{'smtps' if self.tls else 'smtp'}://{user}{Listen(self.host, self.port)}"


@dataclass(frozen=True)
class MailboxUrl:
    """A mailbox to fetch from by IMAP. `tls` begins with the first byte; else it is STARTTLS."""

    host: str
    port: int
    tls: bool
    user: str
    password: str = field(repr=False)
    folder: str = "INBOX"

    @property
    def loopback(self) -> bool:
        return Listen(self.host, self.port).loopback

    def __str__(self) -> str:
        place = f"{Listen(self.host, self.port)}/{quote(self.folder)}"
        return f"{'imaps' if self.tls else 'imap'}://{quote(self.user, safe='')}:***@{place}"


def is_local(host: str) -> bool:
    return host in ("localhost", "127.0.0.1", "::1") or host.endswith((".localhost", ".test"))


def leads_here(host: str) -> bool:
    """True if links to this host work from elsewhere. No local name, no unspecified address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return not is_local(host)
    return not address.is_loopback and not address.is_unspecified


NOT_PUBLIC = (".local", ".lan", ".internal", ".intranet", ".home", ".home.arpa", ".localdomain")


def is_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host and not is_local(host) and not host.endswith(NOT_PUBLIC)


def host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


def host(text: str) -> str:
    host = text.lower().rstrip(".")
    if len(host) > 253 or not HOST_NAME.match(host):
        raise ValueError("no host name; write it like games.example.org")
    return host


def serve_site(text: str) -> str:
    wrong = "no web address; write it like https://games.example.org"
    parts = _url(text, ("http", "https"), wrong)
    if parts.query or parts.fragment:
        raise ValueError(wrong)
    return text.rstrip("/")


def database(text: str) -> str:
    scheme, colon, rest = text.partition("://")
    if not colon:
        return f"sqlite:///{text}"
    if scheme in ("postgres", "postgresql"):
        scheme = "postgresql+psycopg"
    if scheme not in ("sqlite", "postgresql+psycopg"):
        raise ValueError("no database known here; write sqlite:///FILE or postgresql://USER@HOST/NAME")
    return f"{scheme}://{_sqlite(rest) if scheme == 'sqlite' else _postgresql(rest)}"


def _sqlite(rest: str) -> str:
    """Return what is behind sqlite:// as it is."""
    if rest and not rest.startswith(("/", "?")):
        raise ValueError("needs three slashes before a file, four before a whole path: sqlite:///FILE")
    return rest


DATABASE_PLACE = re.compile(
    r"((?P<user>[^:@/?#]*)(:(?P<password>[^@]*))?@)?(?P<hosts>[^@/?#]*)(/(?P<name>[^/?#]*))?(\?(?P<options>.*))?"
)
DATABASE_HOST = re.compile(r"(?P<host>\[[0-9A-Fa-f:.%]+\]|[A-Za-z0-9._%-]*)(:(?P<port>[0-9]{1,5})?)?")
PORTS = range(1, 65536)
BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


def _postgresql(rest: str) -> str:
    """Return what is behind postgresql:// as SQLAlchemy wants it.

    Several hosts become ?host=one,two&port=1,2.
    """
    found = DATABASE_PLACE.fullmatch(rest)
    who = f"{found['user'] or ''}{found['password'] or ''}" if found else ""
    if found is None or BAD_ESCAPE.search(who):
        raise ValueError(
            "cannot be read; write postgresql://USER:PASSWORD@HOST/NAME, and in user and password %25 for %, "
            "%40 for @, %3A for :, %2F for /, %3F for ? and %23 for #"
        )
    places = [DATABASE_HOST.fullmatch(each) for each in found["hosts"].split(",")]
    few = len(places) < 2
    if not all(place and (few or place["host"]) and int(place["port"] or 1) in PORTS for place in places):
        raise ValueError(
            "has a host that cannot be read; write HOST, HOST:PORT or [::1]:PORT, commas between"
        )
    if few:
        return rest
    hosts = ",".join(place["host"].strip("[]") for place in places if place)
    ports = ",".join(place["port"] or "5432" for place in places if place)
    name, options = found["name"] or "", found["options"]
    user = rest[: found.start("hosts")]
    return f"{user}/{name}?host={hosts}&port={ports}{f'&{options}' if options else ''}"


def listen(text: str) -> Listen:
    host, _, port = text.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 65535:
        raise ValueError("no address to listen on; write it like 127.0.0.1:8000")
    return Listen(host.removeprefix("[").removesuffix("]"), int(port))


def mail_listen(text: str) -> Listen:
    """Parse a place like `listen`, and also `unix:/path/of/a/socket` and `off`."""
    if text.lower() == OFF:
        return Listen()
    if not text.startswith("unix:"):
        return listen(text)
    path = text.removeprefix("unix:")
    if not path.startswith("/") or len(path.encode()) > MAX_SOCKET_PATH:
        raise ValueError("no path of a socket; write it like unix:/run/pbem/lmtp, a hundred bytes at most")
    return Listen(path=path)


def _url(text: str, schemes: tuple[str, str], wrong: str) -> SplitResult:
    try:
        parts = urlsplit(text)
        known = parts.scheme in schemes and parts.hostname and (parts.port or True)
    except ValueError:
        known = False
    if not known:
        raise ValueError(wrong)
    return parts


def relay(text: str) -> Relay:
    wrong = "no mail relay; write it like smtp://user:password@mail.example.org:587 or smtps://…"
    parts = _url(text, ("smtp", "smtps"), wrong)
    if parts.path.strip("/"):
        raise ValueError(wrong)
    tls, user = parts.scheme == "smtps", unquote(parts.username or "")
    port = parts.port or (465 if tls else 587 if user else 25)  # RFC 8314 3.3, RFC 6409 3.1, RFC 5321 4.5.4.2
    return Relay(parts.hostname or "", port, tls, user, unquote(parts.password or ""))


def mailbox(text: str) -> MailboxUrl:
    wrong = "no mailbox; write it like imaps://user:password@mail.example.org/INBOX"
    parts = _url(text, ("imap", "imaps"), wrong)
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    if not user or not password:
        raise ValueError(wrong)
    tls = parts.scheme == "imaps"
    folder = unquote(parts.path.strip("/")) or "INBOX"
    return MailboxUrl(parts.hostname or "", parts.port or (993 if tls else 143), tls, user, password, folder)


def _check(read: Callable[[str], T], is_right: Callable[[T], object], wrong: str) -> Callable[[str], T]:
    def parse(text: str) -> T:
        value = read(text)
        if not is_right(value):
            raise ValueError(wrong)
        return value

    return parse


def _match(form: str, wrong: str) -> Callable[[str], str]:
    return _check(str, lambda text: re.fullmatch(form, text, re.DOTALL), wrong)


key = _match(r".{16,}", "too short for a key")
secret = _match(
    rf".{{{SECRET_LETTERS},}}", f"too short; it needs {SECRET_LETTERS} characters or more, drawn by chance"
)
login = _match(r"[^:]+:.{16,}", "must be USER:PASSWORD, the password 16 characters or more")
address = _match(
    r"[^@\s<>\"(),:;]{1,64}@[A-Za-z0-9.-]{1,253}",
    "no mail address; write it like postmaster@example.org",
)


FIRST_GAMES = ("bipod", "begird", "bounders", "bagel", "hexthing")
"""The games that newcomers are shown first, where they are on offer."""


def games(text: str) -> tuple[str, ...]:
    every = [*(key for key in FIRST_GAMES if key in RULES), *(key for key in RULES if key not in FIRST_GAMES)]
    if text.lower() == "all":
        return tuple(every)
    chosen = {name.strip().lower() for name in text.split(",")} - {""}
    if unknown := sorted(chosen - set(RULES) - set(left_out())):
        raise ValueError(
            f"no game is called {' or '.join(unknown)}; write all, or some of {', '.join(RULES)}"
        )
    return tuple(key for key in every if key in chosen)


def size(text: str) -> int:
    match = re.fullmatch(r"(\d{1,10})\s*(|kib|mib)", text.lower())
    if not match or not 64 * 1024 <= (size := int(match[1]) * SIZES[match[2]]) <= 64 * 1024**2:
        raise ValueError("no size from 64KiB to 64MiB; write it like 1MiB")
    return size


def several_secrets(text: str) -> tuple[str, ...]:
    found = tuple(secret(part.strip()) for part in text.split(",") if part.strip())
    if len(found) > 2:
        raise ValueError("too many; the two before the newest are read")
    return found


folder = _check(Path, Path.is_dir, "no folder")
file = _check(Path, Path.is_file, "no file")


def one_of(*words: str) -> Callable[[str], str]:
    parse = _match("|".join(map(re.escape, words)), f"must be {' or '.join(words)}")
    return lambda text: parse(text.lower())


def number_or_off(text: str) -> int | None:
    return None if text.lower() == "off" else whole(1, 1_000_000)(text)


def levels(text: str) -> tuple[int, ...]:
    if text.lower() == "off":
        return ()
    parts = [part.strip() for part in text.split(",")]
    if not all(part in ("1", "2", "3", "4", "5") for part in parts):
        raise ValueError("must be off, or levels from 1 to 5 with commas between")
    return tuple(sorted({int(part) for part in parts}))


def move_and_day(text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2:
        raise ValueError("must be two numbers with a comma between: seconds a move and a day")
    return whole(1, 3600)(parts[0]), whole(1, 86_400_000)(parts[1])


def switch(text: str) -> bool:
    return one_of("on", "off")(text) == "on"


def whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 10 and low <= int(text) <= high):
            raise ValueError(f"must be a whole number from {low} to {high}")
        return int(text)

    return parse
