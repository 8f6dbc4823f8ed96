"""Old data is deleted, but nothing that waits or may be needed. All run on both databases."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from threading import current_thread, main_thread

import pytest
from click.testing import CliRunner
from sqlalchemy import Connection, event, func, select

from pbem.__main__ import main
from pbem.app import App
from pbem.core.game.view import view
from pbem.core.letters.letter import about_game
from pbem.core.lobby.challenges import CONFIRM_DAYS
from pbem.core.play.clock_events import MAX_SILENCE
from pbem.core.players import Player
from pbem.duties.game_clock import check_due_games
from pbem.duties.outages import WORKER_HEARTBEAT
from pbem.inbox.receive import receive
from pbem.mail.outbound.relay import LetterRefused
from pbem.mail.person.mailbox import ReceivedLetter, new_mail
from pbem.outbox.send import send_due
from pbem.outbox.write import queue_letters
from pbem.store import bounces, games, inbox, outages, outbox, players, tables
from pbem.store.engine import KIND, READING
from pbem.store.tables.columns import metadata
from pbem.worker.retention import EVERY, SLICE, purge, purge_daily
from tests.apps import BILL, JOAO, PLAY, Broken, Clock, Relay, a_game, mail, register, state, writes

DAY = timedelta(days=1)
MAILS, LETTERS, TRACES = 60, 40, 200


@pytest.fixture
def app_config() -> dict[str, str]:
    return {
        "PBEM_KEEP_MAILS": str(MAILS),
        "PBEM_KEEP_LETTERS": str(LETTERS),
        "PBEM_KEEP_TRACES": str(TRACES),
    }


@pytest.fixture
def app(app: App) -> App:
    return replace(app, sender=Relay())


def texts(app: App, table: str) -> list[bool]:
    """True for each row, in order, while its bytes are kept."""
    rows = metadata.tables[table]
    with app.store.read() as db:
        return [length > 0 for length in db.scalars(select(func.length(rows.c.raw)).order_by(rows.c.id))]


def rows(app: App, table: str) -> int:
    with app.store.read() as db:
        return db.execute(select(func.count()).select_from(metadata.tables[table])).scalar_one()


def resign(app: App, who: str) -> None:
    writes(app, who, "resign yes")
    send_due(app)


def test_mails_and_letters_lose_their_text_each_after_its_days(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    send_due(app)
    clock.now += LETTERS * DAY
    assert Counter(rows=2) == purge(app)  # the counts of strangers' network and domain
    assert not purge(app)
    clock.now += timedelta(seconds=1)
    assert Counter(letters=2) == purge(app)
    clock.now += (MAILS - LETTERS) * DAY
    assert Counter(mails=2) == purge(app)
    assert [False, False] == texts(app, "messages_in") == texts(app, "outbox")
    assert not purge(app)


@pytest.mark.each_database
def test_at_last_every_trace_goes_but_the_player(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    send_due(app)
    clock.now += (TRACES + CONFIRM_DAYS) * DAY + timedelta(seconds=1)
    purge(app)
    assert [0, 0, 0] == [rows(app, table) for table in ("messages_in", "outbox", "confirmations")]
    with app.store.read() as db:
        assert players.player_by_address(db, BILL) is not None


def test_the_same_mail_is_a_duplicate_as_long_as_its_trace_is_kept(app: App, clock: Clock) -> None:
    raw = new_mail(BILL, PLAY, "register Bill")
    mail(app, BILL, raw)
    clock.now += TRACES * DAY
    purge(app)
    assert [False] == texts(app, "messages_in")
    assert "duplicate" == mail(app, BILL, raw)


def test_of_a_running_game_every_mail_stays_and_the_newest_letter_to_each(app: App, clock: Clock) -> None:
    a_game(app, "90d/move")
    send_due(app)
    before = len(texts(app, "messages_in"))
    clock.now += (TRACES + 1) * DAY
    with app.store.write() as db:  # all that time without a clock
        db.execute(tables.games.update().values(changed_at=tables.games.c.started_at))
    purge(app)
    kept = texts(app, "messages_in")
    assert 1 <= sum(kept) < before  # the game had begun when Joao's `accept` came
    with app.store.read() as db:
        whole = [
            ReceivedLetter(raw).header("Subject")
            for who in (BILL, JOAO)
            for raw in outbox.letters_to(db, who)
            if raw
        ]
        assert 2 == len(whole) == len(outbox.letters_of_games(db, [1])[1])


def test_once_a_game_is_over_for_as_long_its_mails_go_and_its_journal_stays(app: App, clock: Clock) -> None:
    a_game(app, "")
    writes(app, BILL, "f2")
    resign(app, BILL)
    clock.now += MAILS * DAY
    purge(app)
    assert all(texts(app, "messages_in")[-2:])
    clock.now += timedelta(seconds=1)
    purge(app)
    assert not any(texts(app, "messages_in"))
    clock.now += TRACES * DAY
    purge(app)
    assert [0, 0] == [rows(app, "messages_in"), rows(app, "outbox")]
    assert rows(app, "journal") >= 2


def test_a_game_without_a_clock_in_which_nothing_happens_is_closed_and_keeps_nothing_alive(
    app: App, clock: Clock
) -> None:
    a_game(app)
    for _ in range(2):  # the warning, and the close
        clock.now += MAX_SILENCE
        with app.store.write() as db:  # heartbeats for all that time
            outages.record_heartbeat(db, WORKER_HEARTBEAT, clock.now)
        check_due_games(app)
    send_due(app)
    clock.now += (TRACES + 1) * DAY
    purge(app)
    assert [0, 0] == [rows(app, "messages_in"), rows(app, "outbox")]


@pytest.mark.each_database
def test_nobody_waits_while_it_is_looked_for_what_is_too_old(app: App, clock: Clock) -> None:
    """A write transaction begins only if there is something to delete.

    Those of other threads do not count: workers are woken a moment after a mail has come.
    """
    register(app, BILL, "Bill")
    send_due(app)
    begun: list[str] = []

    def note(connection: Connection) -> None:
        options, kind = connection.get_execution_options(), connection.info.get(KIND)
        reads = kind == READING or options.get("postgresql_readonly")
        if current_thread() is main_thread() and not reads:
            begun.append("written")

    event.listen(app.store.engine, "begin", note)
    purge(app)
    assert [] == begun
    clock.now += LETTERS * DAY
    purge(app)
    begun.clear()  # the counts of strangers
    clock.now += timedelta(seconds=1)
    purge(app)
    assert ["written"] == begun
    event.remove(app.store.engine, "begin", note)


def test_what_waits_is_never_too_old(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")  # two letters that are never sent
    broken = replace(app, step=Broken(99))
    (new,) = receive(app, new_mail(BILL, PLAY, "games"), BILL, [PLAY])
    (shunted,) = receive(broken, new_mail(BILL, PLAY, "help"), BILL, [PLAY])
    with app.store.write() as db:
        inbox.set_disposition(db, int(shunted[1:]), "shunted", "a fault of ours", clock.now)
    clock.now += 10 * TRACES * DAY
    purge(app)
    assert [True, True] == texts(app, "messages_in") == texts(app, "outbox")
    assert ["new", "shunted"] == [state(app, new), state(app, shunted)]


def a_letter_to(player: Player | None) -> outbox.OutboundLetter:
    assert player is not None
    return outbox.OutboundLetter(
        "k", "chat", player.id, None, None, None, "", BILL, "<k@localhost>", b"x", held=True
    )


def test_letters_that_are_held_go_with_the_traces(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    send_due(app)
    with app.store.write() as db:
        bounces.suspend_address(db, BILL, clock.now)
        outbox.put_in_outbox(db, [a_letter_to(players.player_by_address(db, BILL))], clock.now)
    clock.now += TRACES * DAY
    purge(app)
    assert [False, False, True] == texts(app, "outbox")
    clock.now += DAY
    purge(app)
    assert 0 == rows(app, "outbox")


def test_a_letter_without_its_text_is_never_sent_again(app: App, clock: Clock) -> None:
    a_game(app)
    send_due(replace(app, sender=Refusing()))
    clock.now += (LETTERS + 1) * DAY
    purge(app)
    with app.store.write() as db:
        player = players.player_by_address(db, BILL)
        assert player is not None
        bounces.release_held(db, player, clock.now)
    send_due(app)
    wire = app.sender
    assert isinstance(wire, Relay)
    assert all(raw for _, _, raw in wire.taken)


class Refusing:
    """A relay that refuses everything for good."""

    def send(self, envelope_from: str, recipient: str, raw: bytes) -> None:
        raise LetterRefused("550 5.1.1 no such user")

    def close(self) -> None:
        pass


def test_the_letters_of_a_game_long_over_have_message_ids_of_their_own(app: App, clock: Clock) -> None:
    a_game(app)
    resign(app, BILL)
    written = []
    for _ in range(4):
        for _ in range(2):
            with app.store.write() as db:
                game = games.load_game(db, app.games_by_key, 1)
                assert game is not None
                again = about_game("chat", view(game, 0, "localhost"), words="Well played!")
                (letter,) = queue_letters(app, db, [again], clock.now)
            written.append(letter.message_id)
        send_due(app)
        clock.now += (TRACES + 1) * DAY
        purge(app)
    assert 0 == rows(app, "outbox")
    assert 8 == len(set(written))


@pytest.mark.each_database
def test_many_rows_go_in_slices_and_whoever_stops_it_stops_it_between_two(app: App, clock: Clock) -> None:
    with app.store.write() as db:
        for n in range(2 * SLICE + 1):
            id, _ = inbox.store_mail(
                db, raw=b"x", sender="", recipient=PLAY, sha256="", dedupe=str(n), now=clock.now
            )
            inbox.set_disposition(db, id, "robot", "", clock.now)
    clock.now += (TRACES + 1) * DAY
    stops = iter([False, True])
    purge(app, lambda: next(stops, True))
    assert SLICE + 1 == rows(app, "messages_in")
    steps: list[str] = []
    purge(replace(app, step=steps.append))
    assert 0 == rows(app, "messages_in")
    assert ["purge", "purge"] == steps


def test_what_webhooks_and_questions_left_behind_goes(app: App, clock: Clock) -> None:
    with app.store.write() as db:
        for n in range(SLICE + 1):
            inbox.claim_nonce(db, "an old way", str(n), clock.now)
    clock.now += 30 * DAY
    purge(app)
    assert 0 == rows(app, "nonces")


@pytest.mark.each_database
def test_it_is_done_once_a_day_however_many_ask(app: App, clock: Clock) -> None:
    register(app, BILL, "Bill")
    send_due(app)
    assert not purge_daily(app)
    clock.now += (LETTERS + 1) * DAY - timedelta(minutes=2)
    purge_daily(app)
    before = texts(app, "outbox")
    clock.now += EVERY - timedelta(seconds=1)
    assert not purge_daily(app)
    assert before == texts(app, "outbox")
    clock.now += timedelta(seconds=1)
    purge_daily(app)
    assert [False, False] == texts(app, "outbox")


def test_a_mail_whose_text_is_forgotten_cannot_be_retried(
    app: App, environ: dict[str, str], clock: Clock
) -> None:
    mail(app, BILL, new_mail(BILL, PLAY, "register Bill"))
    clock.now += (MAILS + 1) * DAY
    purge(app)
    result = CliRunner(env=environ).invoke(main, ["retry", "m1"])
    assert (1, True) == (result.exit_code, "its text is forgotten" in result.output), result.output
    with app.store.write() as db:
        assert 0 == inbox.reopen_mails(db, [1])
