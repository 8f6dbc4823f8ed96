"""A club and its league over weeks, by mail alone, with people of all habits and no operator.

Time goes by in hours. At each the people of that hour read and write, and the worker's rounds are done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from random import Random

from sqlalchemy import select

from pbem.app import App
from pbem.core.game.fold import fold
from pbem.duties import digest, paper, puzzles, seek_letters, signin, watch, watch_leagues
from pbem.duties.game_clock import check_due_games
from pbem.duties.operator_letters import OperatorLetters
from pbem.inbox.process import work_through
from pbem.inbox.receive import receive
from pbem.mail.person.mailbox import ReceivedLetter, new_mail
from pbem.store.tables import games, outbox
from pbem.worker.events import check_events
from tests.apps import NOON, PLAY, Clock, load
from tests.e2e.club_people import Person


class Club:
    """The server, its people, and their letters."""

    def __init__(self, app: App, clock: Clock, people: Sequence[Person], league: str) -> None:
        self.app, self.clock, self.people, self.league = app, clock, people, league
        self.rng = Random(1)
        self.letters: list[tuple[Person | None, ReceivedLetter]] = []
        """Each letter with whom it went to; None is somebody who is not of the club."""
        self.entered = False
        self._seen = 0
        self._rounds: list[Callable[[App], object]] = [
            work_through,
            check_due_games,
            check_events,
            signin.send_links,
            digest.send_digests,
            watch.watch_new_games,
            watch.send_watched,
            watch_leagues.send_league_weeks,
            puzzles.send_daily,
            seek_letters.send_seek_letters,
            paper.send_papers,
            OperatorLetters(),
        ]

    @property
    def now(self) -> datetime:
        return self.clock.now

    @property
    def day(self) -> int:
        return (self.now - NOON).days

    def live(self, weeks: int) -> None:
        for person in self.people:
            self.deliver(person.address, PLAY, new_mail(person.address, PLAY, f"register {person.name}"))
        while self.day < weeks * 7:
            self._work()
            for person in self.people:
                if person.looks(self):
                    person.look(self)
            self._enter_club()
            self.clock.pass_by(hours=1)

    def _enter_club(self) -> None:
        """On the second day everybody has heard of the club."""
        if not self.entered and self.day >= 2:
            self.entered = True
            for person in self.people[1:]:
                person.write(self, "club join Tuesday Evening")

    def _work(self) -> None:
        for work in self._rounds:
            work(self.app)
        with self.app.store.read() as db:
            query = select(outbox.c.id, outbox.c.recipient, outbox.c.raw).where(outbox.c.id > self._seen)
            new = db.execute(query.order_by(outbox.c.id)).all()
        known = {address: person for person in self.people for address in person.addresses}
        for row in new:
            letter, person = ReceivedLetter(row.raw), known.get(row.recipient)
            if person:
                person.unread.append(letter)
            self.letters.append((person, letter))
            self._seen = row.id

    def deliver(self, sender: str, to: str, raw: bytes) -> None:
        receive(self.app, raw, sender, [to])
        work_through(self.app)

    def a_move(self, number: int, name: str) -> str:
        """A move that the rules allow, one that wins if there is one; "" where it is not their turn."""
        game = load(self.app, number)
        state = game.state
        if state.ending or game.seats[state.to_play].name != name:
            return ""
        position = fold(game).position
        tries = [position.sample(self.rng) for _ in range(6)]
        best = next((each for each in tries if position.play(each).outcome), tries[0])
        return str(best)

    def endings(self) -> list[str]:
        """How each game ended; "" for those that run."""
        with self.app.store.read() as db:
            numbers = list(db.scalars(select(games.c.id).order_by(games.c.id)))
        return [end.how if (end := load(self.app, number).state.ending) else "" for number in numbers]
