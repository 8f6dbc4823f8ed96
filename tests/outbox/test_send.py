"""Sending from the outbox to the relay: commits, deferrals, rate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Event
from time import sleep

import pytest
from sqlalchemy import func, select

from pbem.app import App
from pbem.config import parsers as settings
from pbem.mail.outbound.relay import (
    LetterRefused,
    RelayDeniesUs,
    RelaySender,
    RelayUnreachable,
    SendRate,
    TemporaryFailure,
)
from pbem.outbox.drain import never_stop
from pbem.outbox.send import LEASE, MAX_CLAIMED, RENEW_SECONDS, send_due
from pbem.store import inbox, outbox, outbox_delivery, tables
from pbem.store.outbox import OutboundLetter
from tests.apps import Clock
from tests.e2e.relays import ScriptedServer, scripted_server

MANY = 2 * MAX_CLAIMED + 5


@dataclass
class Relay:
    """A relay that takes letters; `say` may raise for the next one.

    It gets the number of letters offered before.
    """

    say: Callable[[int], None] = lambda offered: None
    offered: list[str] = field(default_factory=list)
    taken: list[str] = field(default_factory=list)

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        self.offered.append(recipient)
        self.say(len(self.offered) - 1)
        self.taken.append(recipient)

    def hang_up(self) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def app(app: App, clock: Clock) -> App:
    """A server with many letters in its outbox."""
    with app.store.write() as db:
        outbox.put_in_outbox(db, [a_letter(n) for n in range(MANY)], clock.now)
    return app


def a_letter(n: int) -> OutboundLetter:
    return OutboundLetter(f"k{n}", "chat", None, None, None, None, f"b{n}@x", who(n), f"<{n}@x>", b"raw")


def who(number: int) -> str:
    return f"p{number}@example.org"


EVERYBODY = [who(n) for n in range(MANY)]


def states(app: App) -> dict[str, int]:
    with app.store.read() as db:
        return inbox.count_by_state(db)["letters out"]


def test_all_that_is_due_is_sent_in_order(app: App) -> None:
    relay = Relay()
    assert MANY == send_due(replace(app, sender=relay))
    assert EVERYBODY == relay.taken
    assert {"sent": MANY} == states(app)


def failing_at(place: int, error: Exception) -> Callable[[int], None]:
    def say(offered: int) -> None:
        if offered == place:
            raise error

    return say


def test_while_the_relay_is_away_letters_are_not_offered_in_vain(app: App, clock: Clock) -> None:
    relay = Relay(failing_at(3, RelayUnreachable("no answer")))
    app = replace(app, sender=relay)
    assert 3 == send_due(app)
    assert 4 == len(relay.offered)
    assert MANY - 4 == send_due(app)  # the next round: all but the deferred one
    clock.now += timedelta(seconds=5)
    assert 1 == send_due(app)
    assert {"sent": MANY} == states(app)


@pytest.mark.parametrize("error", [RelayUnreachable("no answer"), RelayDeniesUs("530 log in first")])
def test_the_first_letter_that_a_mended_relay_takes_brings_the_others_forward(
    app: App, clock: Clock, error: Exception
) -> None:
    def away(_offered: int) -> None:
        raise error

    for _ in range(200):
        send_due(replace(app, sender=Relay(away)))
        clock.now += timedelta(minutes=5)
    with app.store.read() as db:
        waits = [at for at in db.scalars(select(tables.outbox.c.next_at)) if at and at > clock.now]
    assert len(waits) > 5, "they wait for up to an hour"
    relay = Relay()
    with app.store.write() as db:
        outbox.put_in_outbox(db, [a_letter(MANY)], clock.now)
    send_due(replace(app, sender=relay))
    assert {"sent": MANY + 1} == states(app)


def test_a_letter_that_waits_for_its_own_reason_is_not_brought_forward(app: App, clock: Clock) -> None:
    relay = Relay(failing_at(0, TemporaryFailure("450 greylisted")))
    app = replace(app, sender=relay)
    for _ in range(4):
        relay.say = failing_at(len(relay.offered), TemporaryFailure("450 greylisted"))
        send_due(app)
        clock.now += timedelta(minutes=2)
    offered = len(relay.offered)
    with app.store.write() as db:
        outbox.put_in_outbox(db, [a_letter(MANY)], clock.now)
    assert 1 == send_due(app)
    assert offered + 1 == len(relay.offered)


def test_many_lines_are_busy_at_a_time(app: App) -> None:
    class Far(RelaySender):
        """A relay that answers after 30 ms, and counts the letters on their way."""

        now = most = 0

        def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
            self.now += 1
            self.most = max(self.most, self.now)
            sleep(0.03)
            self.now -= 1

    far = Far(settings.Relay("127.0.0.1", 1, tls=False), lines=app.config.relay_lines)
    assert MANY == send_due(replace(app, sender=far))
    assert app.config.relay_lines == 24 == far.most


@pytest.mark.parametrize(
    "error", [TemporaryFailure("450 later"), LetterRefused("550 no"), ValueError("ours")]
)
def test_a_letter_that_is_not_taken_holds_no_other_up(app: App, error: Exception) -> None:
    relay = Relay(failing_at(3, error))
    assert MANY - 1 == send_due(replace(app, sender=relay))
    assert sorted(set(EVERYBODY) - {who(3)}) == sorted(relay.taken)


def test_a_crash_repeats_at_most_what_was_not_yet_noted(app: App, clock: Clock) -> None:
    class Killed(BaseException):
        pass

    first, second = Relay(failing_at(MAX_CLAIMED + 3, Killed())), Relay()  # type: ignore[arg-type]
    with pytest.raises(Killed):
        send_due(replace(app, sender=first))
    assert {"sent": MAX_CLAIMED, "queued": MANY - MAX_CLAIMED} == states(app)
    clock.now += timedelta(hours=1)
    send_due(replace(app, sender=second))
    assert EVERYBODY[MAX_CLAIMED:] == sorted(second.taken, key=EVERYBODY.index)
    assert EVERYBODY[MAX_CLAIMED : MAX_CLAIMED + 3] == [one for one in first.taken if one in second.taken]


def test_with_a_slow_relay_each_letter_is_noted_before_the_next(app: App, clock: Clock) -> None:
    noted: list[int] = []

    def slowly(_offered: int) -> None:
        clock.now += timedelta(seconds=2)
        noted.append(states(app).get("sent", 0))

    send_due(replace(app, sender=Relay(slowly)))
    assert list(range(MANY)) == noted


def test_a_pace_is_kept_to_and_nothing_is_lost_by_it(app: App, clock: Clock) -> None:
    relay = Relay()
    app = replace(app, sender=relay, send_rate=SendRate(30))
    sent = []
    for _minute in range(6):
        sent.append(send_due(app))
        clock.now += timedelta(seconds=60)
    assert ([30, 30, 30, 11, 0, 0], EVERYBODY) == (sent, relay.taken)


def test_what_fails_over_a_letter_that_was_refused_has_no_other_sent_again(app: App, clock: Clock) -> None:
    class Unspeakable(LetterRefused):
        def __str__(self) -> str:
            raise RuntimeError("what the relay said cannot be written down")

    relay = Relay(failing_at(3, Unspeakable("no")))
    app = replace(app, sender=relay)
    assert MANY - 1 == send_due(app)
    clock.now += timedelta(seconds=5)
    send_due(app)
    assert sorted(EVERYBODY) == sorted(relay.taken)  # each once


@pytest.fixture
def hanging(app: App) -> Iterator[tuple[ScriptedServer, App]]:
    """A relay that never answers to the text, and a server that uses four lines to it."""
    with scripted_server(pipelining=True) as server:
        server.script["text"] = ""
        sender = RelaySender(settings.Relay("127.0.0.1", server.server_address[1], tls=False), lines=4)
        yield server, replace(app, sender=sender)
        sender.hang_up()
        sender.close()


def test_letters_in_hand_stay_with_a_live_process(
    hanging: tuple[ScriptedServer, App], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.outbox.send.RENEW_SECONDS", 0)
    server, app = hanging
    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(send_due, app)
        assert server.fell_silent.wait(60)
        for _ in range(10):
            before = clock.now
            clock.now += LEASE - timedelta(seconds=1)
            while _last_lease(app) <= before + LEASE:
                sleep(0.01)
        with app.store.write() as db:
            others = outbox_delivery.claim_letters(db, clock.now, LEASE, MANY)
        assert MANY - MAX_CLAIMED == len(others)
        app.sender.hang_up()
        assert 0 == sending.result(60)


def _last_lease(app: App) -> datetime:
    with app.store.read() as db:
        found = select(func.max(tables.outbox.c.next_at)).where(tables.outbox.c.attempts == 1)
        return db.scalars(found).one()


def test_letters_of_a_dead_process_are_free_within_a_minute() -> None:
    assert LEASE + timedelta(seconds=RENEW_SECONDS) < timedelta(minutes=1)


def test_a_letter_that_hangs_delays_no_other(app: App) -> None:
    with scripted_server(pipelining=True) as server:
        server.hangs = who(3)
        sender = RelaySender(settings.Relay("127.0.0.1", server.server_address[1], tls=False), lines=2)
        with ThreadPoolExecutor(1) as pool:
            sending = pool.submit(send_due, replace(app, sender=sender))
            while states(app) != {"sent": MANY - 1, "queued": 1}:
                assert not sending.done()
                sleep(0.01)
            sender.hang_up()
            assert MANY - 1 == sending.result(60)
        sender.close()


def test_letters_that_come_while_one_hangs_are_sent(app: App, clock: Clock) -> None:
    with scripted_server(pipelining=True) as server:
        server.hangs = who(3)
        sender = RelaySender(settings.Relay("127.0.0.1", server.server_address[1], tls=False), lines=2)
        asked = Event()
        with ThreadPoolExecutor(1) as pool:
            sending = pool.submit(send_due, replace(app, sender=sender), never_stop, asked.is_set)
            while states(app).get("queued") != 1:
                sleep(0.01)
            later = OutboundLetter(
                "k", "chat", None, None, None, None, "b@x", "l@example.org", "<l@x>", b"raw"
            )
            with app.store.write() as db:
                outbox.put_in_outbox(db, [later], clock.now)
            asked.set()
            while states(app) != {"sent": MANY, "queued": 1}:
                assert not sending.done()
                sleep(0.01)
            asked.clear()
            sender.hang_up()
            sending.result(60)
        sender.close()


def test_a_clock_that_is_put_forward_has_no_letter_in_hand_sent_again(app: App, clock: Clock) -> None:
    with scripted_server(pipelining=True) as server:
        server.hangs = who(3)
        sender = RelaySender(settings.Relay("127.0.0.1", server.server_address[1], tls=False), lines=2)
        taken: list[str] = []
        counting = replace(app, sender=sender, step=taken.append)
        with ThreadPoolExecutor(1) as pool:
            sending = pool.submit(send_due, counting, never_stop, lambda: True)
            while states(app).get("queued") != 1:
                clock.pass_by(minutes=2)
                sleep(0.01)
            sender.hang_up()
            assert MANY - 1 == sending.result(60)
        sender.close()
    assert MANY - 1 == len(taken)
