"""Reads mail from a mailbox: an IMAP folder or a Maildir.

A mail is marked as seen only after it was stored for good. After a crash in between it is taken again, and
found to be a duplicate. Looking changes nothing (BODY.PEEK), and nothing is ever deleted.
"""

import errno
import imaplib
import logging
import os
import re
import ssl
import stat
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from imap_tools import BaseMailBox, MailBox, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from pbem.config.parsers import MailboxUrl

log = logging.getLogger("pbem.fetching")

SECONDS = 60
MAX_CONNECTIONS_PER_LOOK = 6
"""Maximum connections in one look, as reading a mail may break one."""
TOO_LARGE = "a mail of %d bytes is larger than what is taken here; it is marked as seen and left where it is"
MAILBOX_ERRORS = (imaplib.IMAP4.error, ImapToolsError, OSError)
"""Errors of a mailbox that cannot be reached or that refuses us."""

StoreFetched = Callable[[bytes, datetime | None], bool]
"""Stores a mail, with the moment it came if known; True if it is stored for good and may be marked."""
ShouldStop = Callable[[], bool]


class FailureLog(Protocol):
    """Remembers a mailbox's failed mails by UIDVALIDITY and UID; those in `waiting` are not due yet."""

    def waiting(self, uids: Collection[str]) -> set[str]: ...
    def given(self, uid: str) -> None: ...
    def failed(self, uid: str, why: str) -> None: ...


class MailUnavailable(Exception):
    """A mailbox lists a mail and does not deliver or mark it. `lost`: the connection is lost too."""

    def __init__(self, error: Exception) -> None:
        super().__init__(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
        self.lost = not isinstance(error, imaplib.IMAP4.error) or isinstance(error, imaplib.IMAP4.abort)


def fetch_from_imap(
    mailbox: MailboxUrl, failures: FailureLog, most: int, store: StoreFetched, should_stop: ShouldStop
) -> int:
    """Process the unseen mails of a folder, oldest first; returns their number.

    A mail that fails is noted in `failures` and does not delay the next ones, even if the connection is lost.
    Raises one of MAILBOX_ERRORS.
    """
    tried: set[str] = set()
    for _ in range(MAX_CONNECTIONS_PER_LOOK):
        with _open_mailbox(mailbox) as box:
            found = _unseen_uids(box)
            waiting = failures.waiting(found) | tried
            for name in [name for name in found if name not in waiting]:
                if should_stop():
                    return len(tried)
                tried.add(name)
                try:
                    _process_mail(box, most, store, found[name])
                    failures.given(name)
                except MailUnavailable as trouble:
                    failures.failed(name, str(trouble))
                    if trouble.lost:
                        break
            else:
                return len(tried)
    raise imaplib.IMAP4.abort("the line was lost again and again")


def _unseen_uids(box: BaseMailBox) -> dict[str, str]:
    """Return unseen mails by a unique name, oldest first (RFC 3501 2.3.1.1)."""
    validity = box.client.response("UIDVALIDITY")[1]
    number = validity[-1].decode("ascii", "replace") if validity and validity[-1] else "0"
    return {f"{number[:20]}.{uid}"[:40]: uid for uid in box.uids("UNSEEN")}


def _process_mail(box: BaseMailBox, most: int, store: StoreFetched, uid: str) -> None:
    """Process one mail and mark it as seen; raises MailUnavailable."""
    size, came = _size_and_time(box, uid)
    if size is None:  # deleted meanwhile
        return
    if size > most:
        log.warning(TOO_LARGE, size)
    elif not store(_content(box, uid), came):
        return
    _run_uid_command(box, "STORE", uid, "+FLAGS", "(\\Seen)")  # imap-tools' own method would expunge too


@contextmanager
def _as_unavailable() -> Iterator[None]:
    try:
        yield
    except (*MAILBOX_ERRORS, ValueError, OverflowError) as error:
        raise MailUnavailable(error) from error


@_as_unavailable()
def _size_and_time(box: BaseMailBox, uid: str) -> tuple[int | None, datetime | None]:
    """Return a mail's size and INTERNALDATE, which no sender writes."""
    answer = _run_uid_command(box, "FETCH", uid, "(RFC822.SIZE INTERNALDATE)")
    line = b" ".join(line for line in answer if isinstance(line, bytes))
    size, came = re.search(rb"RFC822\.SIZE (\d{1,18})", line), imaplib.Internaldate2tuple(line)
    moment = datetime.fromtimestamp(time.mktime(came), UTC) if came is not None else None
    return int(size[1]) if size else None, moment


@_as_unavailable()
def _content(box: BaseMailBox, uid: str) -> bytes:
    answer = _run_uid_command(box, "FETCH", uid, "(BODY.PEEK[])")
    found = next((piece[1] for piece in answer if isinstance(piece, tuple)), None)
    if found is None:
        raise imaplib.IMAP4.error("the answer holds no mail")
    return bytes(found)


@_as_unavailable()
def _run_uid_command(box: BaseMailBox, *command: str) -> list[Any]:
    """Run a command about one mail. Raises MailUnavailable, also for the answer NO."""
    status, answer = box.client.uid(*command)
    if status != "OK":
        raise imaplib.IMAP4.error(" ".join(str(line) for line in answer)[:200])
    return answer


@contextmanager
def _open_mailbox(mailbox: MailboxUrl) -> Iterator[BaseMailBox]:
    """Connect and log in; encrypted, with the certificate checked, to another machine."""
    trusting = ssl.create_default_context()
    if mailbox.tls:
        box: BaseMailBox = MailBox(mailbox.host, mailbox.port, SECONDS, ssl_context=trusting)
    else:
        box = MailBoxUnencrypted(mailbox.host, mailbox.port, SECONDS)
    try:
        if not mailbox.tls and not mailbox.loopback:
            box.client.starttls(trusting)
        plain = mailbox.user.isascii() and mailbox.password.isascii()
        (box.login if plain else box.login_utf8)(mailbox.user, mailbox.password, mailbox.folder)
        yield box
    finally:
        with suppress(*MAILBOX_ERRORS):
            box.logout()
        with suppress(OSError):
            box.client.shutdown()


def fetch_from_maildir(folder: Path, most: int, store: StoreFetched, should_stop: ShouldStop) -> int:
    """Process files in `new` and move them to `cur`; returns their number.

    The oldest comes first; each is marked as seen.

    A file that cannot be read or moved is logged and skipped. Raises OSError where none could be processed.
    """
    count = 0
    waiting = _new_files(folder)
    _prepare_maildir(folder)
    for path in waiting:
        if should_stop():
            break
        try:
            raw, state = _read(path, most)
        except OSError as error:
            _log_skipped(error, "read")
            continue
        if raw is None:
            log.warning(TOO_LARGE, state.st_size)
        elif not store(raw, datetime.fromtimestamp(state.st_mtime, UTC)):
            continue
        try:
            _mark_seen(folder, path)
        except OSError as error:
            _log_skipped(error, "moved to cur")
        count += 1
    return count


def _prepare_maildir(folder: Path) -> None:
    """Create missing Maildir folders. Raises OSError if files could not be moved and would come again."""
    for name in ("cur", "tmp"):
        (folder / name).mkdir(exist_ok=True)
    for name in ("new", "cur"):
        if not os.access(folder / name, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder / name))


def _log_skipped(error: OSError, what: str) -> None:
    if not isinstance(error, FileNotFoundError):  # else another process was quicker
        log.warning("a file in new cannot be %s (%s); the others are taken", what, error.strerror)


def _new_files(folder: Path) -> list[Path]:
    dated = []
    with os.scandir(folder / "new") as entries:
        for entry in entries:
            if not entry.name.startswith(".") and entry.is_file(follow_symlinks=False):
                with suppress(FileNotFoundError):  # gone meanwhile
                    dated.append((entry.stat().st_mtime_ns, entry.name))
    return [folder / "new" / name for _at, name in sorted(dated)]


def _read(path: Path, most: int) -> tuple[bytes | None, os.stat_result]:
    """Return a file's bytes and state. The bytes are None for a large or irregular file."""
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        state = os.fstat(file.fileno())
        raw = file.read(most + 1) if stat.S_ISREG(state.st_mode) else None
    return raw if raw is not None and len(raw) <= most else None, state


def _mark_seen(folder: Path, path: Path) -> None:
    name = path.name.partition(":")[0]
    try:
        os.rename(path, folder / "cur" / f"{name}:2,S")
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        short = sha256(os.fsencode(path.name)).hexdigest()[:32]
        os.rename(path, folder / "cur" / f"{int(path.stat().st_mtime)}.{short}:2,S")
