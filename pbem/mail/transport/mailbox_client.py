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
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

from imap_tools import BaseMailBox, MailBox, MailBoxUnencrypted
from imap_tools.errors import ImapToolsError

from pbem.config.parsers import Mailbox

log = logging.getLogger("pbem.fetching")

SECONDS = 60
"""Time that a mailbox may take to answer."""
MAX_CONNECTIONS_PER_LOOK = 6
"""Maximum connections in one look, as reading a mail may break one."""
TOO_LARGE = "a mail of %d bytes is larger than what is taken here; it is marked as seen and left where it is"
MAILBOX_ERRORS = (imaplib.IMAP4.error, ImapToolsError, OSError)
"""Errors of a mailbox that cannot be reached or that refuses us."""

StoreFetched = Callable[[bytes, datetime | None], bool]
"""Stores a mail for good and returns True.

Where it returns False or raises, the mail stays unseen. The moment is when the mail came into the mailbox,
None where that is not known.
"""
ShouldStop = Callable[[], bool]
"""Returns True to stop before the next mail."""


class FailureLog(Protocol):
    """Remembers failed mails of a mailbox, by UIDVALIDITY and UID."""

    def waiting(self, uids: Collection[str]) -> set[str]:
        """Return the mails that must wait before the next attempt."""

    def given(self, uid: str) -> None:
        """Note that a mail was fetched."""

    def failed(self, uid: str, why: str) -> None:
        """Note that a mail was not fetched."""


class MailUnavailable(Exception):
    """A mailbox lists a mail and does not deliver or mark it. `lost`: the connection is lost too."""

    def __init__(self, error: Exception) -> None:
        super().__init__(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
        self.lost = not isinstance(error, imaplib.IMAP4.error) or isinstance(error, imaplib.IMAP4.abort)


def fetch_from_imap(
    mailbox: Mailbox, ledger: FailureLog, most: int, take: StoreFetched, until: ShouldStop
) -> int:
    """Process the unseen mails of a folder, oldest first; returns their number.

    A mail that fails is noted in the ledger and does not delay the next ones, even if the connection is lost.
    Raises one of TROUBLE.
    """
    tried: set[str] = set()
    for _ in range(MAX_CONNECTIONS_PER_LOOK):
        with _open_mailbox(mailbox) as box:
            if _process_mails(box, ledger, tried, partial(_process_mail, box, most, take), until):
                return len(tried)
    raise imaplib.IMAP4.abort("the line was lost again and again")


def _unseen_uids(box: BaseMailBox) -> dict[str, str]:
    """Return unseen mails by a unique name, oldest first (RFC 3501 2.3.1.1)."""
    validity = box.client.response("UIDVALIDITY")[1]
    number = validity[-1].decode("ascii", "replace") if validity and validity[-1] else "0"
    return {f"{number[:20]}.{uid}"[:40]: uid for uid in box.uids("UNSEEN")}


def _process_mails(
    box: BaseMailBox, ledger: FailureLog, tried: set[str], hand_over: Callable[[str], None], until: ShouldStop
) -> bool:
    """Process the mails that are due and not yet `tried`. Returns False where the connection was lost."""
    found = _unseen_uids(box)
    passed_over = ledger.waiting(found) | tried
    for name in found:
        if until():
            break
        if name in passed_over:
            continue
        tried.add(name)
        try:
            hand_over(found[name])
        except MailUnavailable as trouble:
            ledger.failed(name, str(trouble))
            if trouble.lost:
                return False
        else:
            ledger.given(name)
    return True


def _process_mail(box: BaseMailBox, most: int, take: StoreFetched, uid: str) -> None:
    """Process one mail and mark it as seen; raises MailUnavailable."""
    with _as_unavailable():
        found = _size_and_time(box, uid)
    if found is None:  # deleted meanwhile
        return
    size, came = found
    if size > most:
        log.warning(TOO_LARGE, size)
    else:
        with _as_unavailable():
            raw = _content(box, uid)
        if not take(raw, came):
            return
    with _as_unavailable():
        _run_uid_command(
            box, "STORE", uid, "+FLAGS", "(\\Seen)"
        )  # the method of imap-tools would expunge too


@contextmanager
def _as_unavailable() -> Iterator[None]:
    try:
        yield
    except (*MAILBOX_ERRORS, ValueError, OverflowError) as error:
        raise MailUnavailable(error) from error


def _run_uid_command(box: BaseMailBox, *command: str) -> list[Any]:
    """Run a command about one mail; raises IMAP4.error where the answer is NO."""
    status, answer = box.client.uid(*command)
    if status != "OK":
        raise imaplib.IMAP4.error(" ".join(str(line) for line in answer)[:200])
    return answer


@contextmanager
def _open_mailbox(mailbox: Mailbox) -> Iterator[BaseMailBox]:
    """Connect to a mailbox and log in.

    For a mailbox on another machine the connection is encrypted and the certificate checked.
    """
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


def _size_and_time(box: BaseMailBox, uid: str) -> tuple[int, datetime | None] | None:
    """Return a mail's size and INTERNALDATE, which no sender writes."""
    answer = _run_uid_command(box, "FETCH", uid, "(RFC822.SIZE INTERNALDATE)")
    line = b" ".join(line for line in answer if isinstance(line, bytes))
    size, came = re.search(rb"RFC822\.SIZE (\d{1,18})", line), imaplib.Internaldate2tuple(line)
    moment = datetime.fromtimestamp(time.mktime(came), UTC) if came is not None else None
    return (int(size[1]), moment) if size is not None else None


def _content(box: BaseMailBox, uid: str) -> bytes:
    """Return the mail's bytes; raises one of TROUBLE."""
    answer = _run_uid_command(box, "FETCH", uid, "(BODY.PEEK[])")
    found = next((piece[1] for piece in answer if isinstance(piece, tuple)), None)
    if found is None:
        raise imaplib.IMAP4.error("the answer holds no mail")
    return bytes(found)


def fetch_from_maildir(folder: Path, most: int, take: StoreFetched, until: ShouldStop) -> int:
    """Process the files in `new`, oldest first; returns their number.

    Each is moved to `cur` as seen. A file that cannot be read or moved is logged and skipped. Raises OSError
    where none could be processed.
    """
    count = 0
    waiting = _new_files(folder)
    _prepare_maildir(folder)
    for path in waiting:
        if until():
            break
        try:
            raw, state = _read(path, most), path.stat()
            if raw is None:
                log.warning(TOO_LARGE, state.st_size)
        except OSError as error:
            _log_skipped(error, "read")
            continue
        if raw is not None and not take(raw, datetime.fromtimestamp(state.st_mtime, UTC)):
            continue
        try:
            _mark_seen(folder, path)
        except OSError as error:
            _log_skipped(error, "moved to cur")
        count += 1
    return count


def _prepare_maildir(folder: Path) -> None:
    """Create missing Maildir folders but `new`; raises OSError where files could not be moved.

    Without the check, taken mails would stay in `new` and be taken again and again.
    """
    for name in ("cur", "tmp"):
        (folder / name).mkdir(exist_ok=True)
    for name in ("new", "cur"):
        if not os.access(folder / name, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(folder / name))


def _log_skipped(error: OSError, what: str) -> None:
    if not isinstance(error, FileNotFoundError):  # else another process was quicker
        log.warning("a file in new cannot be %s (%s); the others are taken", what, error.strerror)


def _new_files(folder: Path) -> list[Path]:
    """List the files in `new`, oldest first."""
    with os.scandir(folder / "new") as entries:
        names = [entry for entry in entries if not entry.name.startswith(".")]
        files = [entry for entry in names if entry.is_file(follow_symlinks=False)]
        dated = sorted(found for entry in files if (found := _delivery_time(entry)))
    return [folder / "new" / name for _at, name in dated]


def _delivery_time(entry: os.DirEntry[str]) -> tuple[int, str] | None:
    """Return the delivery time and name of a file; None where it is gone."""
    with suppress(FileNotFoundError):
        return entry.stat().st_mtime_ns, entry.name
    return None


def _read(path: Path, most: int) -> bytes | None:
    """Return a file's bytes, None for a large or irregular file."""
    with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return None
        raw = file.read(most + 1)
    return raw if len(raw) <= most else None


def _mark_seen(folder: Path, path: Path) -> None:
    name = path.name.partition(":")[0]
    try:
        os.rename(path, folder / "cur" / f"{name}:2,S")
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        short = sha256(os.fsencode(path.name)).hexdigest()[:32]
        os.rename(path, folder / "cur" / f"{int(path.stat().st_mtime)}.{short}:2,S")
