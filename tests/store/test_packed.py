"""Mails and letters are compressed in the database, and come out as they were."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import LargeBinary, select, type_coerce, update

from pbem.store import inbox, outbox
from pbem.store.engine import Store, open_store
from pbem.store.outbox import OutboundLetter
from pbem.store.tables import messages_in
from pbem.store.tables import outbox as letters
from pbem.store.tables.columns import PACKED, packed, unpacked
from tests.people import NOON

LONG = b"Subject: x\r\n\r\n" + b"Words of a letter.\r\n" * 500
RAWS = [LONG, b"short", b"", b"\0", PACKED, PACKED + b"x", PACKED + LONG, packed(LONG), bytes(range(256))]


@pytest.mark.parametrize("raw", RAWS)
def test_what_is_packed_comes_out_as_it_was(raw: bytes) -> None:
    assert raw == unpacked(packed(raw))


def test_a_letter_is_packed_small_and_nothing_stays_nothing() -> None:
    assert len(packed(LONG)) < len(LONG) / 10
    assert b"" == packed(b"")


def fill(store: Store) -> None:
    """Store a mail and a letter."""
    row = {"sender": "x@example.org", "recipient": "play@x", "sha256": "", "dedupe": "x"}
    letter = OutboundLetter("k", "turn", None, None, None, None, "b@x", "bill@example.org", "<1@x>", LONG)
    with store.write() as db:
        inbox.store_mail(db, raw=LONG, now=NOON, **row)  # type: ignore[arg-type]
        outbox.put_in_outbox(db, [letter], NOON)


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    store = open_store(database_url)
    fill(store)
    yield store
    store.close()


def stored(store: Store) -> list[bytes]:
    """The bytes as they stand in the database: the mail's, the letter's."""
    with store.read() as db:
        found = [
            db.scalars(select(type_coerce(each.c.raw, LargeBinary))).one() for each in (messages_in, letters)
        ]
    return [bytes(raw) for raw in found]


def read(store: Store) -> list[bytes]:
    with store.read() as db:
        mail = inbox.mail_by_id(db, 1)
        assert mail is not None
        return [mail.raw, *outbox.letters_to(db, "bill@example.org")]


@pytest.mark.each_database
def test_mails_and_letters_are_stored_small_and_read_whole(store: Store) -> None:
    assert [packed(LONG)] * 2 == stored(store)
    assert [LONG] * 2 == read(store)


@pytest.mark.each_database
def test_rows_from_before_are_read_as_they_are(store: Store) -> None:
    with store.write() as db:
        for each in (messages_in, letters):
            db.execute(update(each).values(raw=type_coerce(LONG, LargeBinary)))
    assert [LONG] * 2 == stored(store) == read(store)
