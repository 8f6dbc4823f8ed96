"""A lost game by real mail with a clock that runs twenty thousand times as fast: three days are 13 seconds.

Only the server's clock is faster. For it the seconds between two rounds of the worker would be hours of
silence, so the worker is woken all the time. If the machine still stops for a moment, the server takes that
for an outage and gives the time back. The calculation here knows of that.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event, Thread

from pbem.app import App
from pbem.core.clock.vacation import Vacation
from pbem.core.game.game import Game
from pbem.core.game.journal import GRACE, TIMEOUT
from pbem.core.game.letter_kinds import KINDS
from pbem.mail.person.mailbox import Letter, MailUser
from pbem.store import games, outages, vacations
from tests.e2e.town import Town, running_town
from tests.inbox.test_journey import BILL, JOAO, register
from tests.people import NOON

HURRY = 20_000
PATIENCE_SECONDS = 90
REMINDED = ["reminder"] if "reminder" in KINDS else []
PLAYED = ["f2", "e5", "f6", "g1"]
DAY = timedelta(days=1)


class Hurried:
    """Time that began at noon and passes HURRY times as fast as it should."""

    def __init__(self) -> None:
        self._begun = time.monotonic()

    def __call__(self) -> datetime:
        return NOON + HURRY * timedelta(seconds=time.monotonic() - self._begun)


@contextmanager
def restless(app: App) -> Iterator[None]:
    """A worker that is woken every thirteen minutes of that time, 25 times a second."""
    enough = Event()

    def wake() -> None:
        while not enough.wait(0.04):
            app.wake()

    thread = Thread(target=wake)
    thread.start()
    try:
        yield
    finally:
        enough.set()
        thread.join()


def kind(letter: Letter) -> str:
    """The kind of a letter, from its Message-ID: `<g1.e6.s0.turn.1@…>`."""
    found = re.search(r"\.([a-z]+)\.\d+@", letter.header("Message-ID"))
    assert found, letter.header("Message-ID")
    return found[1]


def letters_until(last: str, resident: MailUser) -> list[Letter]:
    """The letters up to the first of kind `last`."""
    end = time.monotonic() + PATIENCE_SECONDS
    found: list[Letter] = []
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


def lasts(app: App, begin: datetime, length: timedelta) -> datetime:
    """The moment when a length of time has passed since `begin`, without time that the server gave back."""
    with app.store.read() as db:
        still = outages.outages_since(db, begin)
    end = begin + length
    for since, until in still:
        if since < end:
            end += until - max(since, begin)
    return end


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


def test_a_game_is_lost_on_time_after_its_grace(tmp_path: Path, postgresql_url: str) -> None:
    with running_town(tmp_path, postgresql_url, clock=Hurried()) as town, restless(town.app):
        bill, joao = town.resident(BILL), town.resident(JOAO)
        begin(town, bill, joao)
        turn = the_game(town.app).clock.since
        hears, learns = letters_until("result", bill), letters_until("result", joao)
        game = the_game(town.app)
        flag, end = lasts(town.app, turn, 3 * DAY), lasts(town.app, turn, 4 * DAY)
    assert [*REMINDED, "flag", "result"] == [kind(letter) for letter in hears]
    assert ["receipt", "flag", "result"] == [kind(letter) for letter in learns]
    assert "a last 24 hours" in hears[-2].text
    assert "You ran out of time" in hears[-1].text
    assert "You have won" in learns[-1].text
    assert [GRACE, TIMEOUT] == [entry.kind for entry in game.journal[-2:]]
    assert [flag, end] == [entry.at for entry in game.journal[-2:]]
    assert flag == game.state.ending.at  # the loss is dated to the flag, not to the end of the grace
