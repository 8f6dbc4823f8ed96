"""Mailboxes that are fetched: a real Maildir and a real IMAP server."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from urllib.parse import quote

import pytest

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.inbox.fetch import fetch_round
from pbem.mail.addresses import Token
from pbem.mail.inbound.envelope import envelope_recipients, envelope_sender
from pbem.store import inbox
from pbem.store.engine import open_store
from pbem.store.locks import process_lock
from pbem.worker.worker import Worker
from tests.dovecot import PASSWORD, USER, Dovecot, dovecot_server

PLAY = "play@localhost"


def mail(number: int = 1, to: str = PLAY, head: str = "") -> bytes:
    return f"{head}From: bill@example.org\nTo: {to}\nMessage-ID: <{number}@x>\n\nhelp\n".encode()


def an_office(folder: Path, url: str, **settings: str) -> App:
    environ = {"PBEM_VAR": str(folder), "PBEM_DATABASE": url, "PBEM_SECRET": "s" * 32, **settings}
    return open_app(config_from(environ))


def kept(app: App, state: str = "new") -> list[tuple[str, str]]:
    """Sender and recipient of every mail in a state, oldest first."""
    with app.store.read() as db:
        return [(found.sender, found.recipient) for found in inbox.mails_in_state(db, state)]


def crash_once(app: App, at: str) -> App:
    """A server on which the first mail fails after a step."""
    left = [at]

    def step(name: str) -> None:
        if name in left:
            left.remove(name)
            raise RuntimeError("the plug was pulled")

    return replace(app, step=step)


# The envelope, from headers.


def ours(address: str) -> None:
    from pbem.mail.addresses import Addressing

    Addressing("localhost", (b"k" * 32,)).read(address)


TURN = "play+aaaa@localhost"


@pytest.mark.parametrize(
    ("head", "recipients"),
    [
        (b"To: play@localhost", ["play@localhost"]),
        (b'To: "Games, of boards" <play@localhost>, joao@example.net', ["play@localhost"]),
        (b"To: joao@example.net\nCc: Play <PLAY@localhost>", ["PLAY@localhost"]),
        (b"X-Original-To: abuse@localhost\nTo: play@localhost", ["abuse@localhost"]),
        (b"Delivered-To: club@example.org\nTo: play@localhost", ["play@localhost"]),
        (b"Delivered-To: club@example.org\nDelivered-To: play@localhost", ["play@localhost"]),
        (
            b"To: play@localhost, postmaster@localhost, play@localhost",
            ["play@localhost", "postmaster@localhost"],
        ),
        (b"To: joao@example.net", []),
        (b"To: play+aaaaaaaaaaaaaaaaaaaaaaaa@localhost", []),
        (b"Subject: nobody", []),
        (b"To: " + b"<" * 5000, []),
        (b"X: y\n" * 300 + b"To: play@localhost", []),
        (b"\xff\xfe\0", []),
    ],
)
def test_for_whom_a_mail_is(head: bytes, recipients: list[str]) -> None:
    assert recipients == envelope_recipients(head + b"\n\nhelp\n", ours)


def test_a_header_with_more_addresses_than_a_listener_takes_counts_for_as_many() -> None:
    head = "".join(f"Delivered-To: play+{number}@localhost\n" for number in range(120)).encode()
    spelled = b"Delivered-To: play@localhost, PLAY@localhost, Play@LOCALHOST\n"
    assert [f"play+{number}@localhost" for number in range(50)] == envelope_recipients(
        head + b"\nhelp\n", lambda _: None
    )
    assert ["play@localhost"] == envelope_recipients(spelled + b"\nhelp\n", ours)


@pytest.mark.parametrize(
    ("head", "sender"),
    [
        (b"Return-Path: <bill@example.org>", "bill@example.org"),
        (b"Return-Path: <>", ""),
        (b"Return-Path:", ""),
        (b"From: bill@example.org", "unknown"),
        (b"X: y\n" * 300, "unknown"),
    ],
)
def test_a_missing_return_path_is_not_the_null_sender(head: bytes, sender: str) -> None:
    assert sender == envelope_sender(head + b"\n\nhelp\n")


# A Maildir.


@pytest.fixture
def app(tmp_path: Path, database_url: str, maildir: Path) -> Iterator[App]:
    app = an_office(tmp_path, database_url, PBEM_MAILDIR=str(maildir))
    yield app
    app.close()


def deliver(maildir: Path, raw: bytes, name: str = "1700000000.M1P1.host") -> Path:
    path = maildir / "new" / name
    path.write_bytes(raw)
    return path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_mail_in_new_is_kept_and_moved_to_cur_as_seen(app: App, maildir: Path) -> None:
    deliver(maildir, mail(head="Return-Path: <bill@example.org>\n"))
    assert 1 == fetch_round(app)
    assert [("bill@example.org", PLAY)] == kept(app)
    assert ([], ["1700000000.M1P1.host:2,S"]) == (names(maildir / "new"), names(maildir / "cur"))
    assert 0 == fetch_round(app)


def test_mails_are_taken_in_the_order_in_which_they_came(app: App, maildir: Path) -> None:
    for number, name in enumerate(("b", "c", "a")):
        os.utime(deliver(maildir, mail(number, head=f"Return-Path: <{name}@x>\n"), name), (number, number))
    assert 3 == fetch_round(app)
    assert ["b@x", "c@x", "a@x"] == [sender for sender, _recipient in kept(app)]


@pytest.mark.parametrize(("step", "duplicates"), [("receive", 0), ("keep", 1)])
def test_a_crash_before_the_move_neither_loses_nor_doubles_a_mail(
    app: App, maildir: Path, step: str, duplicates: int
) -> None:
    deliver(maildir, mail(1), "a")
    deliver(maildir, mail(2), "b")
    assert 1 == fetch_round(crash_once(app, step))
    assert ["a"] == names(maildir / "new"), "what could not be kept waits, and holds nobody up"
    assert 1 == fetch_round(app)
    assert (2, duplicates) == (len(kept(app)), len(kept(app, "duplicate")))
    assert [] == names(maildir / "new")


def test_a_mail_for_nobody_or_too_large_is_put_aside_and_noted(
    app: App, maildir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    turn = app.addressing.reply(Token("game", (42, 1, 7, 0)))
    deliver(maildir, mail(to="joao@example.net"), "a")
    deliver(maildir, mail(to=turn) + b"x" * 1024**2, "b")
    assert 2 == fetch_round(app)
    assert [] == kept(app) and [] == names(maildir / "new")
    assert ["a:2,S", "b:2,S"] == names(maildir / "cur")
    assert "for nobody here" in caplog.text and "larger than" in caplog.text
    assert turn[5:20] not in caplog.text


def test_what_is_no_file_in_new_is_let_alone(app: App, maildir: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(mail())
    (maildir / "new" / "link").symlink_to(tmp_path / "secret")
    (maildir / "new" / "folder").mkdir()
    os.mkfifo(maildir / "new" / "pipe")
    deliver(maildir, mail(), ".hidden")
    assert 0 == fetch_round(app)
    assert [".hidden", "folder", "link", "pipe"] == names(maildir / "new")


def test_a_maildir_that_has_gone_is_asked_for_again(
    app: App, maildir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (maildir / "new").rmdir()
    assert 0 == fetch_round(app)
    assert "the Maildir does not answer (FileNotFoundError)" in caplog.text
    (maildir / "new").mkdir()
    deliver(maildir, mail())
    assert 1 == fetch_round(app)


def test_a_file_that_cannot_be_read_holds_up_no_other(
    app: App, maildir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Root reads everything, so the error is simulated."""
    really = os.open

    def closed(path: Path, *args: int, **more: int) -> int:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return really(path, *args, **more)

    deliver(maildir, mail(1), "0.closed")
    deliver(maildir, mail(2), "1.open")
    os.utime(maildir / "new" / "0.closed", (1, 1))
    monkeypatch.setattr("os.open", closed)
    assert 1 == fetch_round(app)
    assert (["0.closed"], 1) == (names(maildir / "new"), len(kept(app)))
    assert "cannot be read (Permission denied)" in caplog.text


def test_a_file_whose_name_leaves_no_room_for_a_flag_gets_a_shorter_one(app: App, maildir: Path) -> None:
    for number, letter in enumerate("ab"):
        deliver(maildir, mail(number), letter * 255)
    assert 2 == fetch_round(app)
    assert 0 == fetch_round(app)
    assert ([], 2) == (names(maildir / "new"), len(names(maildir / "cur")))
    assert (2, 0) == (len(kept(app)), len(kept(app, "duplicate")))
    assert all(name.endswith(":2,S") and len(name) < 60 for name in names(maildir / "cur"))


def test_a_maildir_with_new_alone_is_made_whole_and_each_mail_taken_once(app: App, maildir: Path) -> None:
    (maildir / "cur").rmdir()
    (maildir / "tmp").rmdir()
    deliver(maildir, mail(), "a")
    assert 1 == fetch_round(app)
    assert 0 == fetch_round(app)
    assert (["cur", "new", "tmp"], ["a:2,S"]) == (names(maildir), names(maildir / "cur"))
    assert (1, 0) == (len(kept(app)), len(kept(app, "duplicate")))


def test_where_cur_cannot_be_had_no_mail_is_taken(
    app: App, maildir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (maildir / "cur").rmdir()
    (maildir / "cur").write_text("in the way")
    deliver(maildir, mail(), "a")
    assert 0 == fetch_round(app)
    assert (["a"], []) == (names(maildir / "new"), kept(app))
    assert "the Maildir does not answer (FileExistsError)" in caplog.text


def test_while_one_process_looks_no_other_does(app: App, maildir: Path) -> None:
    deliver(maildir, mail())
    other = open_store(app.config.database)
    with process_lock(other, "fetch") as got:
        assert got
        assert 0 == fetch_round(app)
        with process_lock(other, "something else") as free:
            assert free
    other.close()
    assert 1 == fetch_round(app)


def test_rounds_go_on_until_they_are_stopped(app: App, maildir: Path) -> None:
    arrived = Event()
    deliver(maildir, mail())
    worker = Worker(replace(app, step=lambda step: arrived.set() if step == "commit" else None))
    worker.start()
    assert arrived.wait(60)
    worker.stop()
    assert 1 == len(kept(app, "stranger"))


# IMAP.


@pytest.fixture(scope="module")
def server(dovecot: str) -> Iterator[Dovecot]:
    with dovecot_server(dovecot) as server:
        yield server


@pytest.fixture
def box(server: Dovecot) -> Dovecot:
    """The server with an empty folder."""
    with server.open() as box:
        box.uid("STORE", "1:*", "+FLAGS", "(\\Deleted)")
        box.expunge()
    return server


@pytest.fixture
def member(tmp_path: Path, sqlite_url: str, box: Dovecot) -> Iterator[App]:
    """An app context that fetches the server's folder."""
    place = f"imap://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{box.port}/INBOX"
    app = an_office(tmp_path, sqlite_url, PBEM_IMAP=place)
    yield app
    app.close()


@pytest.mark.dovecot
def test_an_unseen_mail_is_kept_byte_for_byte_and_then_marked_as_seen(member: App, box: Dovecot) -> None:
    raw = mail(head="Return-Path: <bill@example.org>\n") + b"8 bit \xe9\xff\n" + b"long " * 2000 + b"\n"
    box.deliver(raw)
    box.deliver(mail(2), "\\Seen")
    assert 1 == fetch_round(member)
    assert [("bill@example.org", PLAY)] == kept(member)
    with member.store.read() as db:
        assert raw.replace(b"\n", b"\r\n") == inbox.mails_in_state(db, "new")[0].raw
    assert [{"\\Seen"}, {"\\Seen"}] == box.flags()
    assert 0 == fetch_round(member)


@pytest.mark.dovecot
@pytest.mark.parametrize(("step", "duplicates"), [("receive", 0), ("keep", 1)])
def test_a_mail_is_marked_only_after_the_commit(
    member: App, box: Dovecot, step: str, duplicates: int
) -> None:
    box.deliver(mail(1))
    box.deliver(mail(2))
    assert 2 == fetch_round(crash_once(member, step))
    assert [set(), {"\\Seen"}] == box.flags()
    fetch_round(member)
    assert [{"\\Seen"}, {"\\Seen"}] == box.flags()
    assert (2, duplicates) == (len(kept(member)), len(kept(member, "duplicate")))


@pytest.mark.dovecot
def test_nothing_is_removed_from_a_borrowed_mailbox(member: App, box: Dovecot) -> None:
    box.deliver(mail(1), "\\Deleted \\Flagged")
    box.deliver(mail(2, to="joao@example.net"))
    assert 2 == fetch_round(member)
    assert [{"\\Deleted", "\\Flagged", "\\Seen"}, {"\\Seen"}] == box.flags()


@pytest.mark.dovecot
def test_a_mail_too_large_is_marked_and_never_fetched(
    member: App, box: Dovecot, caplog: pytest.LogCaptureFixture
) -> None:
    box.deliver(mail() + b"words\n" * 250_000)
    assert 1 == fetch_round(member)
    assert ([], [{"\\Seen"}]) == (kept(member), box.flags())
    assert "larger than" in caplog.text


@pytest.mark.slow
@pytest.mark.dovecot
def test_a_wrong_password_or_a_folder_that_is_not_there_is_noted_without_the_password(
    tmp_path: Path, sqlite_url: str, box: Dovecot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for number, (password, folder) in enumerate((("wrong-password", "INBOX"), (PASSWORD, "Elsewhere"))):
        place = f"imap://{USER}:{quote(password, safe='')}@127.0.0.1:{box.port}/{folder}"
        app = an_office(tmp_path, sqlite_url, PBEM_IMAP=place)
        assert 0 == fetch_round(app)
        app.close()
        assert number + 1 == caplog.text.count("the mailbox does not answer")
        assert password not in caplog.text


@pytest.mark.dovecot
def test_a_server_that_goes_and_comes_back_loses_nothing(
    tmp_path: Path, sqlite_url: str, dovecot: str, caplog: pytest.LogCaptureFixture
) -> None:
    with dovecot_server(dovecot) as box:
        place = f"imap://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{box.port}/INBOX"
        app = an_office(tmp_path, sqlite_url, PBEM_IMAP=place)
        box.deliver(mail(1))
        assert 1 == fetch_round(app)
    assert 0 == fetch_round(app)
    assert "the mailbox does not answer (ConnectionRefusedError)" in caplog.text
    app.close()


@pytest.mark.dovecot
@pytest.mark.parametrize("stop_after", [0, 1])
def test_who_is_told_to_stop_finishes_the_mail_in_hand(member: App, box: Dovecot, stop_after: int) -> None:
    box.deliver(mail(1))
    box.deliver(mail(2))
    until: Callable[[], bool] = lambda: len(kept(member)) >= stop_after  # noqa: E731
    assert stop_after == fetch_round(member, until)
    assert stop_after == len(kept(member))


@pytest.mark.dovecot
def test_an_imap_server_elsewhere_is_never_given_a_password_in_the_clear(
    tmp_path: Path, sqlite_url: str, box: Dovecot, caplog: pytest.LogCaptureFixture
) -> None:
    """0.0.0.0 is this machine on Linux, without a local name. This server has no STARTTLS."""
    place = f"imap://elsewhere:{quote(PASSWORD, safe='')}@0.0.0.0:{box.port}/INBOX"
    app = an_office(tmp_path, sqlite_url, PBEM_IMAP=place)
    assert 0 == fetch_round(app)
    app.close()
    assert "the mailbox does not answer" in caplog.text
    assert "elsewhere" not in box.log()
