"""Old data is deleted, but nothing that waits or may be needed. All run on both databases."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from click.testing import CliRunner
from sqlalchemy import Connection, event, func, select

from pbem.__main__ import main
from pbem.actions.game_clock import tick
from pbem.actions.outages import HEART
from pbem.app import Office
from pbem.core.game.inactivity import MAX_SILENCE
from pbem.core.game.view import view
from pbem.core.letters.letter import about_game
from pbem.core.lobby.challenges import CONFIRM_DAYS
from pbem.core.players import Player
from pbem.inbox.receive import receive
from pbem.mail.outbound.relay import Never
from pbem.mail.person.mailbox import Letter, fresh
from pbem.outbox.send import send_due
from pbem.outbox.write import queue_letters
from pbem.store import bounces, games, heartbeats, inbox, outbox, players, tables
from pbem.store.retention import Purged
from pbem.worker.retention import EVERY, SLICE, purge, purge_daily
from tests.apps import BILL, JOAO, PLAY, Broken, Clock, Relay, a_game, mail, register, state, writes

pytestmark = pytest.mark.each_database

DAY = timedelta(days=1)
MAILS, LETTERS, TRACES = 60, 40, 200


@pytest.fixture
def office_settings() -> dict[str, str]:
    return {
        "PBEM_KEEP_MAILS": str(MAILS),
        "PBEM_KEEP_LETTERS": str(LETTERS),
        "PBEM_KEEP_TRACES": str(TRACES),
    }


@pytest.fixture
def office(office: Office) -> Office:
    return replace(office, sender=Relay())


def texts(office: Office, table: str) -> list[bool]:
    """True for each row, in order, while its bytes are kept."""
    rows = tables.metadata.tables[table]
    with office.store.read() as db:
        return [length > 0 for length in db.scalars(select(func.length(rows.c.raw)).order_by(rows.c.id))]


def rows(office: Office, table: str) -> int:
    with office.store.read() as db:
        return db.execute(select(func.count()).select_from(tables.metadata.tables[table])).scalar_one()


def resign(office: Office, who: str) -> None:
    writes(office, who, "resign yes")
    send_due(office)


def test_mails_and_letters_lose_their_text_each_after_its_days(office: Office, clock: Clock) -> None:
    register(office, BILL, "Bill")
    send_due(office)
    clock.now += LETTERS * DAY
    assert Purged(rows=2) == purge(office)  # the counts of strangers' network and domain
    assert not purge(office)
    clock.now += timedelta(seconds=1)
    assert Purged(letters=2) == purge(office)
    clock.now += (MAILS - LETTERS) * DAY
    assert Purged(mails=2) == purge(office)
    assert [False, False] == texts(office, "messages_in") == texts(office, "outbox")
    assert not purge(office)


def test_at_last_every_trace_goes_but_the_player(office: Office, clock: Clock) -> None:
    register(office, BILL, "Bill")
    send_due(office)
    clock.now += (TRACES + CONFIRM_DAYS) * DAY + timedelta(seconds=1)
    purge(office)
    assert [0, 0, 0] == [rows(office, table) for table in ("messages_in", "outbox", "confirmations")]
    with office.store.read() as db:
        assert players.by_address(db, BILL) is not None


def test_the_same_mail_is_a_duplicate_as_long_as_its_trace_is_kept(office: Office, clock: Clock) -> None:
    raw = fresh(BILL, PLAY, "register Bill")
    mail(office, BILL, raw)
    clock.now += TRACES * DAY
    purge(office)
    assert [False] == texts(office, "messages_in")
    assert "duplicate" == mail(office, BILL, raw)


def test_of_a_running_game_every_mail_stays_and_the_newest_letter_to_each(
    office: Office, clock: Clock
) -> None:
    a_game(office, "90d/move")
    send_due(office)
    before = len(texts(office, "messages_in"))
    clock.now += (TRACES + 1) * DAY
    with office.store.write() as db:  # all that time without a clock
        db.execute(tables.games.update().values(changed_at=tables.games.c.started_at))
    purge(office)
    kept = texts(office, "messages_in")
    assert 1 <= sum(kept) < before  # the game had begun when Joao's `accept` came
    with office.store.read() as db:
        whole = [
            Letter(raw).header("Subject") for who in (BILL, JOAO) for raw in outbox.letters_to(db, who) if raw
        ]
        assert 2 == len(whole) == len(outbox.letters_of_game(db, 1))


def test_once_a_game_is_over_for_as_long_its_mails_go_and_its_journal_stays(
    office: Office, clock: Clock
) -> None:
    a_game(office, "")
    writes(office, BILL, "f2")
    resign(office, BILL)
    clock.now += MAILS * DAY
    purge(office)
    assert all(texts(office, "messages_in")[-2:])
    clock.now += timedelta(seconds=1)
    purge(office)
    assert not any(texts(office, "messages_in"))
    clock.now += TRACES * DAY
    purge(office)
    assert [0, 0] == [rows(office, "messages_in"), rows(office, "outbox")]
    assert rows(office, "journal") >= 2


def test_a_game_without_a_clock_in_which_nothing_happens_is_closed_and_keeps_nothing_alive(
    office: Office, clock: Clock
) -> None:
    a_game(office)
    for _ in range(2):  # the warning, and the close
        clock.now += MAX_SILENCE
        with office.store.write() as db:  # heartbeats for all that time
            heartbeats.beat(db, HEART, clock.now)
        tick(office)
    send_due(office)
    clock.now += (TRACES + 1) * DAY
    purge(office)
    assert [0, 0] == [rows(office, "messages_in"), rows(office, "outbox")]


def test_nobody_waits_while_it_is_looked_for_what_is_too_old(office: Office, clock: Clock) -> None:
    """A write transaction begins only if there is something to delete."""
    register(office, BILL, "Bill")
    send_due(office)
    begun: list[str] = []

    def note(connection: Connection) -> None:
        options = connection.get_execution_options()
        if not (options.get("reading") or options.get("postgresql_readonly")):
            begun.append("written")

    event.listen(office.store.engine, "begin", note)
    purge(office)
    assert [] == begun
    clock.now += LETTERS * DAY
    purge(office)
    begun.clear()  # the counts of strangers
    clock.now += timedelta(seconds=1)
    purge(office)
    assert ["written"] == begun
    event.remove(office.store.engine, "begin", note)


def test_what_waits_is_never_too_old(office: Office, clock: Clock) -> None:
    register(office, BILL, "Bill")  # two letters that are never sent
    broken = replace(office, step=Broken(99))
    (new,) = receive(office, fresh(BILL, PLAY, "games"), BILL, [PLAY])
    (shunted,) = receive(broken, fresh(BILL, PLAY, "help"), BILL, [PLAY])
    with office.store.write() as db:
        inbox.file(db, int(shunted[1:]), "shunted", "a fault of ours", clock.now)
    clock.now += 10 * TRACES * DAY
    purge(office)
    assert [True, True] == texts(office, "messages_in") == texts(office, "outbox")
    assert ["new", "shunted"] == [state(office, new), state(office, shunted)]


def a_letter_to(player: Player | None) -> outbox.Queued:
    assert player is not None
    return outbox.Queued("k", "chat", player.id, None, None, None, "", BILL, "<k@localhost>", b"x", held=True)


def test_letters_that_are_held_go_with_the_traces(office: Office, clock: Clock) -> None:
    register(office, BILL, "Bill")
    send_due(office)
    with office.store.write() as db:
        bounces.suspend(db, BILL, clock.now)
        outbox.queue(db, [a_letter_to(players.by_address(db, BILL))], clock.now)
    clock.now += TRACES * DAY
    purge(office)
    assert [False, False, True] == texts(office, "outbox")
    clock.now += DAY
    purge(office)
    assert 0 == rows(office, "outbox")


def test_a_letter_without_its_text_is_never_sent_again(office: Office, clock: Clock) -> None:
    a_game(office)
    send_due(replace(office, sender=Refusing()))
    clock.now += (LETTERS + 1) * DAY
    purge(office)
    with office.store.write() as db:
        player = players.by_address(db, BILL)
        assert player is not None
        bounces.release(db, player, clock.now)
    send_due(office)
    wire = office.sender
    assert isinstance(wire, Relay)
    assert all(raw for _, _, raw in wire.taken)


class Refusing:
    """A relay that refuses everything for good."""

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        raise Never("550 5.1.1 no such user")

    def close(self) -> None:
        pass


def test_the_letters_of_a_game_long_over_have_message_ids_of_their_own(office: Office, clock: Clock) -> None:
    a_game(office)
    resign(office, BILL)
    written = []
    for _ in range(4):
        for _ in range(2):
            with office.store.write() as db:
                game = games.load(db, office.shelf, 1)
                assert game is not None
                again = about_game("chat", view(game, 0, "localhost"), words="Well played!")
                (letter,) = queue_letters(office, db, [again], clock.now)
            written.append(letter.message_id)
        send_due(office)
        clock.now += (TRACES + 1) * DAY
        purge(office)
    assert 0 == rows(office, "outbox")
    assert 8 == len(set(written))


def test_many_rows_go_in_slices_and_whoever_stops_it_stops_it_between_two(
    office: Office, clock: Clock
) -> None:
    with office.store.write() as db:
        for n in range(2 * SLICE + 1):
            id, _ = inbox.keep(
                db, raw=b"x", sender="", recipient=PLAY, sha256="", dedupe=str(n), now=clock.now
            )
            inbox.file(db, id, "robot", "", clock.now)
    clock.now += (TRACES + 1) * DAY
    stops = iter([False, True])
    purge(office, lambda: next(stops, True))
    assert SLICE + 1 == rows(office, "messages_in")
    steps: list[str] = []
    purge(replace(office, step=steps.append))
    assert 0 == rows(office, "messages_in")
    assert ["purge", "purge"] == steps


def test_what_webhooks_and_questions_left_behind_goes(office: Office, clock: Clock) -> None:
    with office.store.write() as db:
        for n in range(SLICE + 1):
            inbox.first_time(db, "an old way", str(n), clock.now)
    clock.now += 30 * DAY
    purge(office)
    assert 0 == rows(office, "nonces")


def test_it_is_done_once_a_day_however_many_ask(office: Office, clock: Clock) -> None:
    register(office, BILL, "Bill")
    send_due(office)
    assert not purge_daily(office)
    clock.now += (LETTERS + 1) * DAY - timedelta(minutes=2)
    purge_daily(office)
    before = texts(office, "outbox")
    clock.now += EVERY - timedelta(seconds=1)
    assert not purge_daily(office)
    assert before == texts(office, "outbox")
    clock.now += timedelta(seconds=1)
    purge_daily(office)
    assert [False, False] == texts(office, "outbox")


def test_a_mail_whose_text_is_forgotten_cannot_be_retried(
    office: Office, environ: dict[str, str], clock: Clock
) -> None:
    mail(office, BILL, fresh(BILL, PLAY, "register Bill"))
    clock.now += (MAILS + 1) * DAY
    purge(office)
    result = CliRunner(env=environ).invoke(main, ["retry", "m1"])
    assert (1, True) == (result.exit_code, "its text is forgotten" in result.output)
    with office.store.write() as db:
        assert 0 == inbox.again(db, [1], clock.now)
