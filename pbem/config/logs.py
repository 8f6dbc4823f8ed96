"""Logs without secrets: one line an event, as text or JSON, and few lines about one lasting trouble.

A line about a trouble has its code: `log.warning(…, extra=trouble("database", error))`. One line about each
trouble is written in ten seconds, and the next line counts those that were left out.
"""

import json
import logging
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from errno import ENOSPC
from sqlite3 import SQLITE_FULL
from threading import Lock
from typing import Any

from pbem.config.table import Config

TOKEN = re.compile(
    r"((?:play|bounce)(?:[+.=-]|%2b)|/[a-z-]{2,20}/|token_[0-9]{1,12}_)[a-z0-9]{16,}(?=[^a-z0-9_]|$)",
    re.IGNORECASE,
)
"""The secret in a reply address, a link or a page's address."""
KEY = re.compile(r"[mog][0-9]+\b")
"""The key of a mail, a letter or a game, at the start of a message."""
VERBOSE_LOGGERS = ("apscheduler", "alembic", "werkzeug", "sqlalchemy", "flufl", "asyncio")
"""Other packages' loggers that would write whole dialogues, rows or paths."""
QUIET_SECONDS = 10.0
"""Seconds without a second line about the same trouble."""
DISK_FULL = "53100"
"""PostgreSQL's code for a full disk (SQLSTATE)."""

_handled: ContextVar[str] = ContextVar("handled", default="")


@contextmanager
def handling(key: str) -> Iterator[None]:
    """Begin the block's lines with their subject's key, such as `m17`."""
    before = _handled.set(key)
    try:
        yield
    finally:
        _handled.reset(before)


def trouble(code: str, error: BaseException | None = None) -> dict[str, Any]:
    """The `extra` of a line about a trouble that may last."""
    return {"trouble": code, "cause": error}


def is_disk_full(error: BaseException | None) -> bool:
    """True if an error or one of its causes has the code of a full disk."""
    seen = set[int]()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        for each in (error, getattr(error, "orig", None)):
            if (
                getattr(each, "sqlite_errorcode", 0) & 0xFF == SQLITE_FULL
                or getattr(each, "sqlstate", None) == DISK_FULL
                or getattr(each, "errno", None) == ENOSPC
            ):
                return True
        error = error.__cause__ or error.__context__
    return False


class QuietFilter(logging.Filter):
    """Leaves out lines about a trouble just logged; `left_out` of the next line says how many."""

    def __init__(self, seconds: float = QUIET_SECONDS, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._seconds, self._clock, self._lock = seconds, clock, Lock()
        self._told: dict[tuple[str, str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        code = getattr(record, "trouble", None)
        if code is None:
            return True
        key, now = (record.name, code, type(getattr(record, "cause", None)).__name__), self._clock()
        with self._lock:
            at, left_out = self._told.get(key, (now - self._seconds, 0))
            if now - at < self._seconds:
                self._told[key] = at, left_out + 1
                return False
            self._told[key] = now, 0
        record.left_out = left_out
        return True


def _message(record: logging.LogRecord) -> str:
    text, key = record.getMessage(), _handled.get()
    text = text if not key or KEY.match(text) else f"{key}: {text}"
    text += ": the disk is full" if is_disk_full(_error(record)) else ""
    left_out = getattr(record, "left_out", 0)
    return f"{text} ({left_out} times more since the last such line)" if left_out else text


def _error(record: logging.LogRecord) -> BaseException | None:
    return getattr(record, "cause", None) or (record.exc_info[1] if record.exc_info else None)


class Redacted(logging.Formatter):
    """One line an event, in UTC, without the secrets of reply addresses."""

    def __init__(self) -> None:
        super().__init__("%(asctime)sZ %(levelname)s %(name)s: %(message)s", "%Y-%m-%dT%H:%M:%S")
        self.converter = time.gmtime

    def formatMessage(self, record: logging.LogRecord) -> str:
        record.message = _message(record)
        return super().formatMessage(record)

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class Json(Redacted):
    """One JSON object an event, with its traceback inside and without secrets."""

    def format(self, record: logging.LogRecord) -> str:
        text = record.getMessage()
        start = KEY.match(text)
        line = {
            "at": f"{self.formatTime(record, '%Y-%m-%dT%H:%M:%S')}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "key": start[0] if start else _handled.get() or None,
            "trouble": getattr(record, "trouble", None),
            "left_out": getattr(record, "left_out", 0) or None,
            "message": _message(record),
            "traceback": self.formatException(record.exc_info) if record.exc_info else None,
        }
        given = {name: value for name, value in line.items() if value is not None}
        return redact(json.dumps(given, ensure_ascii=False))


def formatter(config: Config) -> logging.Formatter:
    return Json() if config.log_format == "json" else Redacted()


def redact(text: str) -> str:
    """Take the secrets of reply addresses and links out of a text."""
    return TOKEN.sub(r"\1***", text)


def set_up_logs(config: Config) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(config))
    handler.addFilter(QuietFilter())
    logging.basicConfig(level=config.log_level.upper(), handlers=[handler], force=True)
    for chatty in VERBOSE_LOGGERS:
        logging.getLogger(chatty).setLevel(logging.WARNING)
    logging.getLogger("psycopg").setLevel(logging.ERROR)  # its warnings follow an error that has its own line
    logging.getLogger("mail").setLevel(logging.ERROR)  # aiosmtpd's warnings repeat the line of the mail
