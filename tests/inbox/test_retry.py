"""Retries: letters by a table of waits, mails three times, nothing lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from pbem.__main__ import main
from pbem.app import App, open_app
from pbem.config.load import config_from
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.outbound.relay import LetterRefused, TemporaryFailure
from pbem.mail.person.mailbox import new_mail, reply_mail
from pbem.outbox.send import send_due
from pbem.store import games, inbox
from tests.apps import BILL, JOAO, OPERATOR, PLAY, Broken, Clock, a_game, letters, mail, state
from tests.people import NOON

WAITS = (5, 30, 120, 600, 3600)
"""Seconds after each failure in turn; the last one repeats."""


@pytest.fixture
def app_config() -> dict[str, str]:
    return {"PBEM_OPERATOR": OPERATOR}


class Fussy:
    """A sender that fails as told, then takes everything."""

    def __init__(self, *answers: Exception) -> None:
        self.answers = list(answers)
        self.taken: list[bytes] = []

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        if self.answers:
            raise self.answers.pop(0)
        self.taken.append(raw)

    def hang_up(self) -> None:
        self.answers.clear()

    def close(self) -> None:
        self.answers.clear()


class Watched:
    """A relay that refuses `who`, and records times and bytes."""

    def __init__(self, clock: Clock, who: str, answer: Exception) -> None:
        self.clock, self.who, self.answer = clock, who, answer
        self.asked: list[tuple[datetime, str, bytes]] = []
        self.taken: list[str] = []

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        if recipient != self.who:
            self.taken.append(recipient)
            return
        self.asked.append((self.clock.now, envelope_from, raw))
        raise self.answer

    def close(self) -> None:
        self.asked.clear()


def beats(app: App, clock: Clock, until: datetime, step: timedelta) -> None:
    """Run the worker's rounds, `step` apart."""
    while clock.now < until:
        send_due(app)
        clock.now += step


def test_the_waits_are_those_of_the_table_by_the_clock(app: App, clock: Clock) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    relay = Watched(clock, BILL, TemporaryFailure("451 later"))
    app = replace(app, sender=relay)
    send_due(app)
    for n, wait in enumerate((*WAITS, 3600, 3600), 1):
        clock.pass_by(seconds=wait - 1)
        send_due(app)
        assert n == len(relay.asked)
        clock.pass_by(seconds=1)
        send_due(app)
        assert n + 1 == len(relay.asked)
    assert 1 == len({(sender, raw) for _, sender, raw in relay.asked})
    assert relay.asked[0][2] == letters(app, BILL)[0].raw


def test_after_five_days_it_is_given_up_and_the_operator_told_once(app: App, clock: Clock) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    relay = Watched(clock, BILL, TemporaryFailure("451 later"))
    app = replace(app, sender=relay)
    beats(app, clock, NOON + timedelta(days=4, hours=23), timedelta(minutes=30))
    assert [] == letters(app, OPERATOR)
    beats(app, clock, NOON + timedelta(days=8), timedelta(minutes=30))
    assert relay.asked[-1][0] <= NOON + timedelta(days=5, hours=1)
    (told,) = letters(app, OPERATOR)
    assert "given up after 5 days: 451 later" in told.text
    assert [OPERATOR] == relay.taken
    with app.store.read() as db:
        assert 1 == inbox.count_by_state(db)["letters out"]["failed"]


def test_a_refusal_for_good_is_final_at_once(app: App, clock: Clock) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    relay = Watched(clock, BILL, LetterRefused("554 no"))
    beats(replace(app, sender=relay), clock, NOON + timedelta(days=1), timedelta(minutes=10))
    assert 1 == len(relay.asked)
    assert [OPERATOR] == relay.taken


def test_a_letter_that_fails_holds_up_no_other(app: App, clock: Clock) -> None:
    a_game(app)
    relay = Watched(clock, BILL, TemporaryFailure("451 later"))
    send_due(replace(app, sender=relay))
    assert len(letters(app, "joao@example.net")) == relay.taken.count("joao@example.net")


def test_a_server_that_dies_between_sending_and_noting_sends_the_same_bytes_again(
    app: App, clock: Clock
) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    seen: list[tuple[str, bytes]] = []

    class Taking(Watched):
        def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
            seen.append((envelope_from, raw))

    def die(step: str) -> None:
        if step == "send":
            raise KeyboardInterrupt

    relay = Taking(clock, BILL, TemporaryFailure(""))
    with pytest.raises(KeyboardInterrupt):
        send_due(replace(app, sender=relay, step=die))
    clock.pass_by(hours=1)
    assert 1 == send_due(replace(app, sender=relay))
    assert 2 == len(seen) and 1 == len(set(seen))


def test_what_was_put_aside_is_handled_by_pbem_retry(tmp_path: Path, sqlite_url: str, clock: Clock) -> None:
    environ = {"PBEM_VAR": str(tmp_path), "PBEM_DATABASE": sqlite_url, "PBEM_OPERATOR": OPERATOR}
    app = open_app(config_from(environ), clock=clock)
    bills, _ = a_game(app)
    broken = replace(app, step=Broken(99))
    (key,) = receive(broken, reply_mail(bills, BILL, "f2"), BILL, [bills.header("Reply-To")])
    for _ in range(6):
        work_through(broken)
        clock.pass_by(minutes=1)
    assert "shunted" == state(app, key)
    assert 1 == len(letters(app, OPERATOR))
    run = CliRunner(env=environ)
    checked = run.invoke(main, ["check"])
    assert (1, True) == (checked.exit_code, f"pbem retry {key}" in checked.output)
    result = run.invoke(main, ["retry", "--shunted"])
    assert (0, True) == (result.exit_code, f"{key}: done" in result.output)
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, 1)
        assert "shunted" not in inbox.count_by_state(db)["mail in"]
    app.close()
    assert game is not None
    assert ["f2"] == [ply.move for ply in game.state.plies]
    again = run.invoke(main, ["retry", key])
    assert (1, f"{key} was handled; there is nothing to do for it.\n") == (again.exit_code, again.output)


def test_a_letter_that_is_refused_for_now_is_sent_later_byte_for_byte(app: App, clock: Clock) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    sender = Fussy(TemporaryFailure("451 busy"), TemporaryFailure("451 busy"))
    app = replace(app, sender=sender)
    assert 0 == send_due(app)
    assert 0 == send_due(app)  # five seconds have not passed
    clock.pass_by(seconds=5)
    send_due(app)
    clock.pass_by(seconds=5)
    assert 0 == send_due(app)  # thirty have not passed
    clock.pass_by(seconds=25)
    assert 1 == send_due(app)
    assert [letters(app, BILL)[0].raw] == sender.taken


def test_a_letter_that_is_refused_for_good_is_not_sent_again_and_the_operator_told(
    app: App, clock: Clock
) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    sender = Fussy(LetterRefused("550 no such user"))
    app = replace(app, sender=sender)
    send_due(app)
    clock.pass_by(days=1)
    send_due(app)
    assert [letter.raw for letter in letters(app, "op@example.org")] == sender.taken


def test_a_sender_that_fails_in_a_new_way_holds_up_no_other_letter(app: App) -> None:
    for who in (BILL, JOAO):
        mail(app, who, new_mail(who, PLAY, f"register {who[:4]}"))
    sender = Fussy(UnicodeEncodeError("ascii", "x", 0, 1, "no"))
    assert 1 == send_due(replace(app, sender=sender))
