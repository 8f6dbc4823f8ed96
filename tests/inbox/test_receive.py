"""Several mails stored at once, and tokens valid for one mail."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.inbox.receive import NonceUsed, receive, receive_all
from pbem.mail.transport.smtp_server import ReceivedMail, StoreUnavailable
from pbem.store import inbox
from pbem.store.engine import is_unavailable

pytestmark = pytest.mark.each_database

PLAY, ABUSE = "play@localhost", "abuse@localhost"
UNSTORABLE = "play\ud800@localhost"


@pytest.fixture
def app(database_url: str, tmp_path: Path) -> Iterator[App]:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": database_url, "PBEM_SECRET": "s" * 32}
    app = open_app(config_from(environ))
    yield app
    app.close()


def mail(number: int, *recipients: str) -> ReceivedMail:
    raw = f"From: bill@example.org\r\nMessage-ID: <{number}@x>\r\n\r\nhelp\r\n".encode()
    return ReceivedMail(raw, "bill@example.org", recipients or (PLAY,))


def kept(app: App, state: str = "new") -> list[tuple[bytes, str]]:
    with app.store.read() as db:
        return [(found.raw, found.recipient) for found in inbox.mails_in_state(db, state)]


def test_every_mail_gets_a_key_for_each_of_its_recipients(app: App) -> None:
    mails = [mail(1), mail(2, PLAY, ABUSE), mail(3)]
    assert [["m1"], ["m2", "m3"], ["m4"]] == receive_all(app, mails)
    assert [(each.raw, to) for each in mails for to in each.recipients] == kept(app)


def test_a_mail_that_cannot_be_kept_takes_no_other_with_it_and_leaves_nothing(app: App) -> None:
    first, wrong, last = receive_all(app, [mail(1), mail(2, PLAY, UNSTORABLE), mail(3)])
    assert isinstance(wrong, UnicodeEncodeError)
    assert isinstance(first, list) and isinstance(last, list)
    assert [(mail(1).raw, PLAY), (mail(3).raw, PLAY)] == kept(app)


def test_the_same_mail_twice_in_one_go_is_new_once(app: App) -> None:
    receive_all(app, [mail(1), mail(1)])
    assert (1, 1) == (len(kept(app)), len(kept(app, "duplicate")))


def test_an_address_spelled_in_many_ways_is_one_recipient_and_one_row(app: App) -> None:
    names = [PLAY, "PLAY@localhost", ABUSE, "pLaY@LOCALHOST", "play@Localhost", "Abuse@localhost"]
    assert ["m1", "m1", "m2", "m1", "m1", "m2"] == receive(app, mail(1).raw, "", names)
    assert [(mail(1).raw, PLAY), (mail(1).raw, ABUSE)] == kept(app)
    assert [] == kept(app, "duplicate")


def test_of_a_duplicate_the_bytes_are_not_kept_again(app: App) -> None:
    receive_all(app, [mail(1), mail(1)])
    receive(app, mail(1).raw, "", ["PLAY@localhost"])
    assert [(b"", PLAY), (b"", "PLAY@localhost")] == kept(app, "duplicate")
    with app.store.write() as db:
        assert 0 == inbox.reopen_mails(db, range(1, 20))
    assert [(mail(1).raw, PLAY)] == kept(app)


def test_mails_kept_from_many_sides_at_once_are_all_kept_once(app: App) -> None:
    batches = [[mail(n) for n in range(20)], [mail(n) for n in reversed(range(20))]] * 3
    with ThreadPoolExecutor(6) as pool:
        outcomes = list(pool.map(lambda mails: receive_all(app, mails), batches))
    assert all(
        isinstance(each, list) or "deadlock" in str(each.__cause__).lower()
        for some in outcomes
        for each in some
    )
    assert sorted(mail(n).raw for n in range(20)) == sorted(raw for raw, _to in kept(app))


def test_where_the_database_is_gone_no_mail_is_tried_by_itself(tmp_path: Path) -> None:
    environ = {
        "PBEM_VAR": str(tmp_path),
        "PBEM_DATABASE": "postgresql://nobody@127.0.0.1:1/none",
        "PBEM_SECRET": "s" * 32,
    }
    app = open_app(config_from(environ))
    outcomes = receive_all(app, [mail(1), mail(2)])
    assert isinstance(outcomes[0], StoreUnavailable) and outcomes[0] is outcomes[1]
    assert outcomes[0].__cause__ is not None and is_unavailable(outcomes[0].__cause__)
    app.close()


def test_a_word_is_good_for_one_mail_on_one_way(app: App) -> None:
    receive(app, mail(1).raw, "", [PLAY], once=("mailgun", "abc"))
    with pytest.raises(NonceUsed):
        receive(app, mail(2).raw, "", [PLAY], once=("mailgun", "abc"))
    receive(app, mail(3).raw, "", [PLAY], once=("elsewhere", "abc"))
    assert [mail(1).raw, mail(3).raw] == [raw for raw, _to in kept(app)]


def test_old_words_are_forgotten_after_a_day(app: App) -> None:
    now = app.clock()
    with app.store.write() as db:
        assert inbox.claim_nonce(db, "mailgun", "abc", now)
        assert not inbox.claim_nonce(db, "mailgun", "abc", now + timedelta(hours=23))
        assert inbox.claim_nonce(db, "mailgun", "abc", now + timedelta(hours=25))


def test_of_many_who_use_a_word_at_once_one_is_first(app: App) -> None:
    def use(number: int) -> bool:
        try:
            receive(app, mail(number).raw, "", [PLAY], once=("mailgun", "abc"))
        except NonceUsed:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert [False] * 5 + [True] == sorted(pool.map(use, range(6)))
    assert 1 == len(kept(app))
