"""Sent letters keep their words and lose secrets that are not needed.

The files belong to their owner alone.
"""

from __future__ import annotations

import re
import stat
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.app import App
from pbem.duties.signin import request_link, send_links
from pbem.mail.outbound.message import blank_secrets
from pbem.outbox.send import send_due
from pbem.store import bounces, outbox_delivery
from pbem.store import outbox as outbox_rows
from pbem.store.engine import open_store
from pbem.store.migrate import migrate
from pbem.store.outbox import OutboundLetter
from pbem.store.tables import outbox
from pbem.worker.retention import blank_sent
from tests.apps import BILL, JOAO, Clock, Relay, begin, letters, player
from tests.returned import comes_back

GOLDEN = sorted((Path(__file__).parents[1] / "mail" / "golden").glob("*.eml"))
SECRET = re.compile(
    rb"(?:play|bounce)(?:\+|=2B|%2B)[a-z0-9]{16}|/(?:in|unsubscribe|compose|calendar)/[a-z0-9]{16}"
)


@pytest.fixture
def app(app: App, relay: Relay) -> App:
    """A server whose letters leave it, without a mailroom."""
    return replace(app, sender=relay, config=replace(app.config, proxies=1, undo_minutes=0))


def secret(app: App, who: str) -> list[bool]:
    """True for each letter to an address that still holds a secret."""
    with app.store.read() as db:
        return [bool(SECRET.search(raw)) for raw in outbox_rows.letters_to(db, who)]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_no_secret_stays_in_any_sort_of_letter_and_its_words_do(path: Path) -> None:
    raw = path.read_bytes()
    clean = blank_secrets(raw)
    assert SECRET.search(raw) is None or SECRET.search(clean) is None
    subject = next(line for line in raw.splitlines() if line.startswith(b"Subject:"))
    assert subject.strip() in clean
    assert clean == blank_secrets(clean)


def test_words_beyond_ascii_stay_as_they_were() -> None:
    raw = "Subject: x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    raw += "Tschüß, João €\r\nplay+aeaqbf2lk3jq7wzr4m2vbc6dxy5npt3hgs2a@localhost\r\n"
    clean = blank_secrets(raw.encode())
    assert "Tschüß, João €\n[address removed]\n" in clean.decode().replace("\r\n", "\n")


def test_a_sign_in_link_is_blanked_once_it_was_sent_and_not_before(app: App, clock: Clock) -> None:
    begin(app, "none")
    request_link(app, "Bill")
    send_links(app)
    blank_sent(app)
    assert secret(app, BILL)[-1]
    send_due(app)
    blank_sent(app)
    assert not secret(app, BILL)[-1]
    assert "Sign in" in letters(app, BILL)[-1].header("Subject")


def test_of_a_game_the_newest_letter_to_each_stays_whole_until_it_can_come_back_no_more(
    app: App, clock: Clock
) -> None:
    begin(app, "none", plies=2)
    send_due(app)
    blank_sent(app)
    assert (1, 1) == (sum(secret(app, BILL)), sum(secret(app, JOAO)))
    assert secret(app, BILL)[-1]
    clock.pass_by(days=31)
    blank_sent(app)
    assert (0, 0) == (sum(secret(app, BILL)), sum(secret(app, JOAO)))


def test_a_letter_that_came_back_stays_whole_and_is_sent_again_byte_for_byte(
    app: App, relay: Relay, clock: Clock
) -> None:
    begin(app, "none", plies=2)
    send_due(app)
    last = relay.to(BILL)[-1]
    comes_back(app, last)
    clock.pass_by(days=60)
    blank_sent(app)
    assert secret(app, BILL)[-1]
    with app.store.write() as db:
        assert 1 == bounces.release_held(db, player(app, "Bill"), clock.now)
    send_due(app)
    assert last.raw == relay.to(BILL)[-1].raw


def test_a_letter_that_comes_back_while_it_is_blanked_stays_whole(app: App, clock: Clock) -> None:
    begin(app, "none", plies=2)
    send_due(app)
    clock.pass_by(days=29)
    with app.store.read() as db:
        newest = max(row.id for row in db.execute(select(outbox.c.id).where(outbox.c.recipient == BILL)))
        later = clock.now + timedelta(days=2)
        found = outbox_delivery.letters_to_blank(db, later, 100)
    assert newest in found
    with app.store.write() as db:
        outbox_delivery.keep_bounced_secrets(db, newest, clock.now)
        outbox_delivery.store_blanked(db, dict.fromkeys(found, b"blanked"), later)
    assert secret(app, BILL)[-1]
    assert 1 == sum(secret(app, BILL))


def test_a_letter_about_no_game_that_comes_back_keeps_no_secret(app: App, relay: Relay, clock: Clock) -> None:
    begin(app, "none")
    request_link(app, "Bill")
    send_links(app)
    send_due(app)
    comes_back(app, relay.to(BILL)[-1])
    blank_sent(app)
    assert not secret(app, BILL)[-1]


def test_a_letter_that_has_lost_its_secrets_is_never_sent_again(app: App, relay: Relay, clock: Clock) -> None:
    begin(app, "none", plies=2)
    send_due(app)
    comes_back(app, relay.to(BILL)[-1])
    clock.pass_by(days=366)
    blank_sent(app)
    assert not any(secret(app, BILL))
    with app.store.write() as db:
        assert 0 == bounces.release_held(db, player(app, "Bill"), clock.now)


def test_where_there_is_a_mailroom_letters_stay_readable(app: App, clock: Clock) -> None:
    at_home = replace(app, config=replace(app.config, proxies=0))
    assert at_home.config.development
    begin(at_home, "none", plies=2)
    send_due(at_home)
    clock.pass_by(days=60)
    assert 0 == blank_sent(at_home)
    assert all(secret(at_home, BILL))


def test_a_letter_that_cannot_be_read_keeps_nothing(app: App, clock: Clock) -> None:
    deep = b"Content-Type: message/rfc822\r\n\r\n" * 2000
    with pytest.raises(RecursionError):
        blank_secrets(deep)
    letter = OutboundLetter("k", "chat", None, None, None, None, "b@x", BILL, "<1@x>", deep)
    with app.store.write() as db:
        outbox_rows.put_in_outbox(db, [letter], clock.now)
    send_due(app)
    assert 1 == blank_sent(app)
    with app.store.read() as db:
        assert [b""] == outbox_rows.letters_to(db, BILL)
    assert 0 == blank_sent(app)


def test_a_new_sqlite_file_and_those_beside_it_are_for_their_owner_alone(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/new/pbem.sqlite")
    migrate(store)
    with store.write():
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "new").iterdir()}
    store.close()
    assert "pbem.sqlite" in modes
    assert {0o600} == set(modes.values())
