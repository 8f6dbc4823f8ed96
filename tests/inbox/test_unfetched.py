"""IMAP mails that cannot be fetched: later mails and clocks go on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import pytest

from pbem.app import App
from pbem.duties import outages
from pbem.duties.game_clock import check_due_games
from pbem.duties.outages import record_heartbeat
from pbem.inbox.fetch import fetch_round
from pbem.inbox.process import work_through
from pbem.mail.person.mailbox import reply_mail
from tests.apps import BILL, OPERATOR, Clock, begin, ending, letters, load, play
from tests.dovecot import PASSWORD, USER, dovecot_server
from tests.imap import ANSWERS, Imap, imap_server
from tests.inbox.test_fetch import an_office, kept, mail

pytestmark = pytest.mark.whole

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
BROKEN, BEHIND = 1, 2


@pytest.fixture
def imap() -> Iterator[Imap]:
    with imap_server() as server:
        yield server


@pytest.fixture
def app_config(imap: Imap) -> dict[str, str]:
    return {"PBEM_IMAP": f"imap://{USER}:secret@127.0.0.1:{imap.port}/INBOX", "PBEM_OPERATOR": OPERATOR}


def two_mails(imap: Imap, how: str) -> None:
    imap.mails |= {BROKEN: mail(1), BEHIND: mail(2)}
    imap.broken[BROKEN] = how


def looks(app: App, clock: Clock, number: int) -> None:
    for _ in range(number):
        fetch_round(app)
        clock.now += MINUTE


def fetched_until(app: App) -> object:
    with app.store.read() as db:
        return outages.mail_fetched_until(app, db)


@pytest.mark.parametrize("how", ANSWERS)
def test_what_lies_behind_a_mail_that_is_not_given_is_fetched(
    app: App, clock: Clock, imap: Imap, how: str
) -> None:
    two_mails(imap, how)
    looks(app, clock, 1)
    assert (1, {BEHIND}) == (len(kept(app)), imap.seen)


@pytest.mark.parametrize("how", ["no", "hangs up"])
def test_the_operator_is_told_once_and_it_is_asked_for_ever_more_seldom(
    app: App, clock: Clock, imap: Imap, how: str
) -> None:
    two_mails(imap, how)
    looks(app, clock, 2)
    assert [] == letters(app, OPERATOR), "it may be the line's trouble"
    for _ in range(18):
        looks(app, clock, 1)
        clock.now += DAY / 6
    (told,) = letters(app, OPERATOR)
    assert "UID 1," in told.text
    assert 5 < imap.asked.count(BROKEN) < 10
    del imap.broken[BROKEN]
    clock.now += DAY
    looks(app, clock, 1)
    assert ({BROKEN, BEHIND}, 2) == (imap.seen, len(kept(app)) + len(kept(app, "refused")))


def test_clocks_wait_for_a_few_looks_and_then_go_on(app: App, clock: Clock, imap: Imap) -> None:
    looks(app, clock, 1)
    begun = fetched_until(app)
    two_mails(imap, "no")
    looks(app, clock, 2)
    assert begun == fetched_until(app), "the mail may come at the next look"
    looks(app, clock, 1)
    assert clock.now - MINUTE == fetched_until(app)


def test_a_flag_falls_though_a_mail_for_nobody_knows_whom_is_not_given(
    app: App, clock: Clock, imap: Imap
) -> None:
    begin(app, "1d/move")
    play(app, 4)
    flag = load(app).deadline
    two_mails(imap, "hangs up")
    looks(app, clock, 3)
    for _ in range(27):
        clock.now += 55 * MINUTE
        record_heartbeat(app)
        fetch_round(app)
        work_through(app)
        check_due_games(app)
    assert flag == ending(app).at


def test_a_move_that_is_given_at_last_counts_since_it_lay_in_the_mailbox(
    app: App, clock: Clock, imap: Imap
) -> None:
    begin(app, "3d/move")
    play(app, 4)
    imap.mails[BROKEN] = reply_mail(letters(app, BILL)[-1], BILL, "h4")
    imap.broken[BROKEN] = "no"
    looks(app, clock, 2)
    del imap.broken[BROKEN]
    looks(app, clock, 1)
    work_through(app)
    assert 5 == len(load(app).state.plies)


@pytest.mark.dovecot
def test_a_file_that_dovecot_cannot_read_holds_up_no_other(
    tmp_path: Path, sqlite_url: str, dovecot: str
) -> None:
    with dovecot_server(dovecot) as box:
        place = f"imap://{USER}:{quote(PASSWORD, safe='')}@127.0.0.1:{box.port}/INBOX"
        app = an_office(tmp_path, sqlite_url, PBEM_IMAP=place)
        box.deliver(mail(1))
        (file,) = [path for path in (box.folder / "mail").rglob("*M*P*") if path.is_file()]
        file.chmod(0)
        box.deliver(mail(2))
        fetch_round(app)
        assert 1 == len(kept(app))
        file.chmod(0o600)
        fetch_round(app)
        assert 2 == len(kept(app))
        app.close()
