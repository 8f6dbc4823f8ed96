"""Lines of the log: their form, the key of what is handled, few about the same trouble."""

from __future__ import annotations

import io
import json
import logging
import sqlite3
import sys
from errno import ENOSPC

import pytest

from pbem.app import App
from pbem.config.load import config_from
from pbem.config.logs import Json, QuietFilter, Redacted, handling, is_disk_full, set_up_logs, trouble
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import new_mail

TOKEN = "play+" + "a1" * 12


def lines(form: logging.Formatter, *records: logging.LogRecord) -> list[str]:
    return [form.format(record) for record in records]


def record(
    words: str, *facts: object, error: BaseException | None = None, **extra: object
) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error else None
    made = logging.LogRecord("pbem.test", logging.WARNING, "x.py", 1, words, facts, info)
    made.__dict__.update(extra, created=0.0, msecs=7.0)
    return made


def test_a_line_of_text_begins_with_time_level_and_logger() -> None:
    assert ["1970-01-01T00:00:00Z WARNING pbem.test: m17 waits"] == lines(Redacted(), record("m%d waits", 17))


def test_a_line_of_json_is_one_object_with_the_key_and_without_secrets() -> None:
    try:
        raise ValueError(TOKEN)
    except ValueError as error:
        (line,) = lines(Json(), record("o%d failed: %s", 23, f"at\n{TOKEN}@x", error=error))
    assert ("\n" in line, "a1a1" in line) == (False, False)
    found = json.loads(line)
    assert "ValueError: play+***" in found.pop("traceback")
    assert {
        "at": "1970-01-01T00:00:00.007Z",
        "level": "warning",
        "logger": "pbem.test",
        "key": "o23",
        "message": "o23 failed: at\nplay+***@x",
    } == found


def test_each_line_of_a_mails_handling_has_its_key() -> None:
    with handling("m17"):
        inner = [
            *lines(Redacted(), record("the clock stands"), record("m17 done")),
            *lines(Json(), record("x")),
        ]
    assert [text.partition("test: ")[2] for text in inner[:2]] == ["m17: the clock stands", "m17 done"]
    assert ("m17", "m17: x") == (json.loads(inner[2])["key"], json.loads(inner[2])["message"])
    assert "key" not in json.loads(lines(Json(), record("x"))[0])


def test_a_mail_is_handled_under_its_key(app: App) -> None:
    raw = new_mail("bill@example.org", "play@pbem.example.org", "help")
    (key,) = receive(app, raw, "bill@example.org", ["play@pbem.example.org"])
    seen = set()

    def look(_step: str) -> None:
        seen.add(json.loads(lines(Json(), record("x"))[0]).get("key"))

    object.__setattr__(app, "step", look)
    process(app, int(key[1:]))
    assert {key} == seen


def test_the_same_trouble_has_one_line_in_ten_seconds_and_the_next_counts_the_others() -> None:
    now, told = [0.0], []
    quiet = QuietFilter(10, lambda: now[0])
    for tenth in range(205):
        now[0] = tenth / 10
        each = record("m%d waits", tenth, **trouble("database", OSError()))
        if quiet.filter(each):
            told += lines(Redacted(), each)
    assert [text.partition("test: ")[2] for text in told] == [
        "m0 waits",
        "m100 waits (99 times more since the last such line)",
        "m200 waits (99 times more since the last such line)",
    ]


def test_another_trouble_another_error_and_any_other_line_are_told_meanwhile() -> None:
    quiet = QuietFilter(10, lambda: 0.0)
    assert quiet.filter(record("x", **trouble("database", OSError())))
    assert not quiet.filter(record("y", **trouble("database", OSError())))
    assert quiet.filter(record("x", **trouble("database", ValueError())))
    assert quiet.filter(record("x", **trouble("intake", OSError())))
    assert quiet.filter(record("x")) and quiet.filter(record("x"))


def full_database() -> sqlite3.Error:
    """The error of an SQLite database that may not grow."""
    with sqlite3.connect(":memory:") as db:
        db.execute("PRAGMA max_page_count=1")
        try:
            db.execute("CREATE TABLE t (x)")
        except sqlite3.Error as error:
            return error
    raise AssertionError


def test_a_full_disk_is_named_by_codes_and_in_the_line() -> None:
    class Postgres(Exception):
        sqlstate = "53100"

    outer = RuntimeError("x")
    outer.__cause__ = OSError(ENOSPC, "No space left on device")
    assert all(is_disk_full(each) for each in (full_database(), Postgres(), outer))
    assert not any(is_disk_full(each) for each in (None, OSError(5, "x"), ValueError("disk is full")))
    (line,) = lines(Redacted(), record("m1 waits", **trouble("database", outer)))
    assert line.endswith("m1 waits: the disk is full")


@pytest.mark.parametrize(("form", "start"), [("text", "20"), ("json", "{")])
def test_a_setting_chooses_the_form(form: str, start: str, monkeypatch: pytest.MonkeyPatch) -> None:
    root, told = logging.getLogger(), io.StringIO()
    before, level = root.handlers[:], root.level
    monkeypatch.setattr(sys, "stderr", told)
    try:
        set_up_logs(config_from({"PBEM_LOG_FORMAT": form}))
        for number in range(3):
            logging.getLogger("pbem.test").warning("m%d", number, extra=trouble("database"))
    finally:
        root.handlers[:] = before
        root.setLevel(level)
    assert told.getvalue().startswith(start) and 1 == told.getvalue().count("\n")
