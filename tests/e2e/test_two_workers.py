"""Two workers in two processes, on one database where much is due: everything once, each letter once.

Then one of them is killed at the worst moments, and two others find what it left.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from multiprocessing.process import BaseProcess
from operator import itemgetter
from pathlib import Path

import pytest
from sqlalchemy import func, select

from pbem.core.clock.time_control import read_pace
from pbem.core.clock.vacation import Vacation
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import LAPSE, OFFER, PLY, TIMEOUT, Entry, PendingMove
from pbem.core.lobby.challenges import opening_entry
from pbem.core.players import Player
from pbem.core.redact import HIDDEN_ADDRESS
from pbem.duties.outages import WORKER_HEARTBEAT
from pbem.mail.outbound.message import blank_secrets
from pbem.store import bundles, games, inbox, outages, players, tables, vacations, watches
from pbem.store.engine import Connection, Store, open_store
from rules import RULES
from tests.amount import some
from tests.apps import add_game
from tests.cli.program import running
from tests.e2e.test_crash import MINUTE as MINUTE_IN_HOURS
from tests.e2e.test_crash import PATIENCE_SECONDS, server, until
from tests.e2e.town import Sink, environ, sink_server

pytestmark = pytest.mark.whole

DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)
NAMES = ("Bill", "Joao", "Dora", "Emil", "Anna", "Carl")
FLAGGED, REMINDED = range(1, 7), range(7, 10)
OFFERED, WAITING, PLAYED = 10, 11, 12
"""Numbers of games: flags fall in the first, a player is reminded of others, an offer of a draw lapses, a ply
waits until its window is over, and somebody watches the last."""


def address(name: str) -> str:
    return f"{name.lower()}@example.com"


def add(db: Connection, name: str, at: datetime) -> Player:
    """A player who is reminded at any hour, whenever the tests run."""
    player = players.add_player(db, name, address(name), at)
    players.set_preference(db, player, "quiet", "off")
    return replace(player, preferences=replace(player.preferences, quiet="off"))


def begin(
    db: Connection, pair: tuple[Player, Player], pace: str, at: datetime, *moves: str, offer: bool = False
) -> Game:
    """A game that began at `at`, with a ply each second since, and an offer of a draw at the end."""
    rules = RULES["bipod"]
    game = add_game(db, rules, rules.start().options, 1, pair, True, at, read_pace(pace))
    entries = [opening_entry(game)]
    for n, move in enumerate(moves):
        entries.append(Entry(n + 2, at + timedelta(seconds=n), PLY, 1 if n % 2 else 0, {"move": move}))
    if offer:
        entries.append(Entry(len(entries) + 1, at, OFFER, 0, {}))
    game = game.with_entries(entries)
    games.append_entries(db, replace(game, journal=()), fold(game), entries)
    return game


def much_is_due(store: Store) -> None:
    """Six players and twelve games, without days off or quiet hours.

    The last heartbeat has just been recorded.
    """
    now = datetime.now(UTC).replace(microsecond=0)
    with store.write() as db:
        who = {name: add(db, name, now - 40 * DAY) for name in NAMES}
        for player in who.values():
            vacations.store_vacation(db, player.id, Vacation(now - 200 * DAY, now - 150 * DAY))
        ours, theirs = (who["Bill"], who["Joao"]), (who["Dora"], who["Emil"])
        assert [begin(db, ours, "1d/move", now - DAY - 5 * MINUTE).id for _ in FLAGGED] == [*FLAGGED]
        for _ in REMINDED:
            begin(db, theirs, "8d/move", now - 4 * DAY - 5 * MINUTE)
        begin(db, ours, "60d/move", now - 14 * DAY - 5 * MINUTE, "f2", offer=True)
        game = begin(db, ours, "60d/move", now - 20 * MINUTE)
        ply = Entry(1, now - 15 * MINUTE, PLY, 0, {"move": "f2"})
        games.set_pending_move(db, game, PendingMove(0, now - 10 * MINUTE, (ply,)))
        begin(db, ours, "60d/move", now - 10 * MINUTE, "f2", "e5")
        watches.add_watch(db, who["Carl"], PLAYED, 0, now - 20 * MINUTE)
        begin(db, (who["Anna"], who["Emil"]), "60d/move", now - 5 * MINUTE)
        players.set_preference(db, who["Anna"], "digest", now.hour)
        bundles.move_digest(db, who["Anna"].id, now - MINUTE)
        for n in range(3):
            old = now - 400 * DAY
            mail, _ = inbox.store_mail(
                db, raw=b"x", sender="", recipient="play", sha256="", dedupe=f"{n}", now=old
            )
            inbox.set_disposition(db, mail, "robot", "", old)
        outages.record_heartbeat(db, WORKER_HEARTBEAT, now)


def worker(settings: dict[str, str]) -> AbstractContextManager[BaseProcess]:
    """`pbem work` in another process."""
    return running(["work"], {**os.environ, **settings})


def kinds(store: Store) -> Counter[str]:
    """The letters that were written, by kind."""
    with store.read() as db:
        return Counter(db.scalars(select(tables.outbox.c.kind)))


EXPECTED = Counter({"result": 2 * len(FLAGGED), "reminders": 1, "turn": 1, "digest": 1, "watched": 1})


def all_done(store: Store, *, purged: bool = True) -> bool:
    """True if nothing is left to do; an interrupted purge goes on the next day."""
    with store.read() as db:
        waits = db.execute(select(func.count()).where(tables.outbox.c.state == "queued")).scalar_one()
        if purged:
            waits += db.execute(select(func.count()).select_from(tables.messages_in)).scalar_one()
        lapsed = LAPSE in [entry.kind for entry in journal(db, OFFERED)]
    return waits == 0 and lapsed and not EXPECTED - kinds(store)


def journal(db: Connection, number: int) -> tuple[Entry, ...]:
    game = games.load_game(db, RULES, number)
    assert game is not None
    return game.journal


def judge(store: Store, sink: Sink, *, again: bool = False) -> None:
    """Require everything once, and every letter sent once; with `again` maybe more often, the same bytes."""
    assert EXPECTED == kinds(store)
    with store.read() as db:
        for number in FLAGGED:
            assert 1 == sum(entry.kind == TIMEOUT for entry in journal(db, number))
        assert 1 == sum(entry.kind == LAPSE for entry in journal(db, OFFERED))
        assert ["f2"] == [entry.data["move"] for entry in journal(db, WAITING) if entry.kind == PLY]
        reminded = select(tables.reminders.c.game_id).order_by(tables.reminders.c.game_id)
        assert [*REMINDED] == list(db.scalars(reminded))
        written = {row.message_id: row for row in db.execute(select(tables.outbox))}
    came = Counter((message_id(raw), raw) for _, _, raw in sink.taken)
    assert sorted(written) == sorted(id for id, _ in came)
    for id, raw in came:  # once sent, one about no game may have lost its secrets, and only those
        row = written[id]
        assert row.raw == raw or (row.game_id is None and row.raw == blank_secrets(raw)), id
        assert HIDDEN_ADDRESS.encode() not in raw, id
    if not again:
        assert set(came.values()) == {1}


def message_id(raw: bytes) -> str:
    (line,) = (line for line in raw.splitlines() if line.lower().startswith(b"message-id: "))
    return line.split()[1].decode()


@pytest.fixture
def store(database_url: str) -> Iterator[Store]:
    store = open_store(database_url)
    yield store
    store.close()


@pytest.mark.each_database
def test_two_workers_strike_everything_once_and_send_every_letter_once(
    tmp_path: Path, database_url: str, store: Store
) -> None:
    with sink_server() as (sink, relay_port), ExitStack() as stack:
        settings = environ(tmp_path, database_url, relay_port, PBEM_UNDO_MINUTES="5")
        much_is_due(store)
        for _ in range(2):
            stack.enter_context(worker(settings))
        until("everything is done", lambda: all_done(store))
        stack.close()
        judge(store, sink)


KILLED = [("sqlite", step) for step in ("clock", "remind", "digest", "watched", "send", "purge")]
KILLED += [("postgresql", step) for step in ("clock", "remind", "send")]


@pytest.mark.parametrize(("database_url", "step"), some(KILLED, 2, itemgetter(0)), indirect=["database_url"])
def test_what_a_killed_worker_left_two_others_finish(
    step: str, tmp_path: Path, database_url: str, store: Store
) -> None:
    with sink_server() as (sink, relay_port), ExitStack() as stack:
        settings = environ(tmp_path, database_url, relay_port, PBEM_UNDO_MINUTES="5")
        much_is_due(store)
        with server(step, 0, settings) as (process, _):
            process.join(PATIENCE_SECONDS)
            assert -9 == process.exitcode
        for _ in range(2):  # whose clocks are ahead, so that what the dead one had claimed is free
            stack.enter_context(server("none", MINUTE_IN_HOURS, settings))
        until("everything is done", lambda: all_done(store, purged=step == "purge"))
        stack.close()
        judge(store, sink, again=True)  # a letter may have been in hand, whatever the step
