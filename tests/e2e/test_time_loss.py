"""A lost game by real mail: the clock goes on by most of an hour whenever the worker has done what is due.

So a machine that stands still for a moment changes nothing: the time of the server waits for its work.
"""

from __future__ import annotations

import re
import time
from datetime import timedelta
from pathlib import Path

import pytest

from pbem.app import App
from pbem.core.clock.vacation import Vacation
from pbem.core.game.game import Game
from pbem.core.game.journal import GRACE, TIMEOUT
from pbem.core.preferences.letter_kinds import KINDS
from pbem.duties.game_clock import WORKER_DELAY
from pbem.duties.outages import SILENCE, WORKER_HEARTBEAT
from pbem.duties.signin import LINK_LASTS
from pbem.mail.person.mailbox import MailUser, ReceivedLetter
from pbem.store import games, outages, vacations
from pbem.store.due import due_work
from tests.apps import DAY, Clock
from tests.e2e.test_crash import until
from tests.e2e.town import Town, running_town
from tests.inbox.test_journey import BILL, JOAO, register
from tests.people import NOON

pytestmark = pytest.mark.whole

STEP = SILENCE - timedelta(minutes=5)
"""Silence of the worker that is no outage."""
PATIENCE_SECONDS = 90
REMINDED = ["reminder"] if "reminder" in KINDS else []
PLAYED = ["f2", "e5", "f6", "g1"]


def let_pass(town: Town, clock: Clock, span: timedelta) -> None:
    """Let time pass step by step. After each the worker does what is due then."""
    end = clock.now + span
    while clock.now < end:
        clock.now += STEP
        town.app.wake()
        until(f"the work of {clock.now}", lambda: is_done(town.app))


def is_done(app: App) -> bool:
    """True if the worker has looked at this moment, and left nothing that is due."""
    now = app.clock()
    with app.store.read() as db:
        due = due_work(db, now, links=now - LINK_LASTS, flags=now - WORKER_DELAY)
        return not due and outages.last_heartbeat(db, WORKER_HEARTBEAT) == now


def kind(letter: ReceivedLetter) -> str:
    """The kind of a letter, from its Message-ID: `<g1.e6.s0.turn.1@…>`."""
    found = re.search(r"\.([a-z]+)\.\d+@", letter.header("Message-ID"))
    assert found, letter.header("Message-ID")
    return found[1]


def letters_until(last: str, resident: MailUser) -> list[ReceivedLetter]:
    """The letters up to the first of kind `last`."""
    end = time.monotonic() + PATIENCE_SECONDS
    found: list[ReceivedLetter] = []
    while last not in map(kind, found):
        assert time.monotonic() < end, (
            f"{resident.address} waits in vain for {last}: {list(map(kind, found))}"
        )
        time.sleep(0.01)
        found += resident.unread()
    return found


def the_game(app: App) -> Game:
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, 1)
    assert game is not None
    return game


def begin(town: Town, bill: MailUser, joao: MailUser) -> None:
    """Game 1, three days a ply, after two plies of each; the fifth is Bill's, who has no day off left."""
    register(town, joao, "Joao")
    welcome = register(town, bill, "Bill")
    with town.app.store.write() as db:
        vacations.store_vacation(db, 2, Vacation(NOON - 100 * DAY, NOON - 70 * DAY))
    bill.reply(welcome, "challenge Joao bipod first 3d/move")
    joao.reply(letters_until("challenge", joao)[-1], "accept")
    letters_until("start", joao)
    turn = letters_until("start", bill)[-1]
    for number, move in enumerate(PLAYED):
        mover, other = (bill, joao) if number % 2 == 0 else (joao, bill)
        mover.reply(turn, move)
        turn = letters_until("turn", other)[-1]


@pytest.mark.slow
def test_a_game_is_lost_on_time_after_its_grace(tmp_path: Path, postgresql_url: str) -> None:
    clock = Clock()
    with running_town(tmp_path, postgresql_url, clock=clock) as town:
        bill, joao = town.resident(BILL), town.resident(JOAO)
        begin(town, bill, joao)
        town.quiet()
        turn = the_game(town.app).clock.since
        let_pass(town, clock, 4 * DAY + 2 * STEP)
        hears, learns = letters_until("result", bill), letters_until("result", joao)
        game = the_game(town.app)
        with town.app.store.read() as db:
            assert () == tuple(outages.outages_since(db, turn))
    assert [*REMINDED, "flag", "result"] == [kind(letter) for letter in hears]
    assert ["receipt", "flag", "result"] == [kind(letter) for letter in learns]
    assert "a last 24 hours" in hears[-2].text
    assert "You ran out of time" in hears[-1].text
    assert "You have won" in learns[-1].text
    assert [GRACE, TIMEOUT] == [entry.kind for entry in game.journal[-2:]]
    assert [turn + 3 * DAY, turn + 4 * DAY] == [entry.at for entry in game.journal[-2:]]
    assert turn + 3 * DAY == game.state.ending.at  # dated to the flag, not to the end of the grace
