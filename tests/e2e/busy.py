"""Further events of the simulated year: time given, plies taken back, pauses, and a director's decisions.

Players ask by mail, and the director uses the real commands. The oracle is told only of these.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from pbem.app import App
from pbem.core.errors import Refusal
from pbem.core.game.fold import fold
from pbem.core.game.game import Game
from pbem.core.game.journal import Entry
from pbem.core.play import director
from pbem.inbox.director import decide_as_director
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.addresses import Token
from pbem.store import games, players
from tests.e2e.cast import PLAYERS, YEAR, address, moment
from tests.e2e.match import DAY, HOUR, NEVER
from tests.e2e.year import Year

DEALS = ("give", "undo", "pause", "extend", "halt", "adjudicate", "rollback", "replace")
BACK = ("undo", "rollback")
A_GAME = 1.2
"""How often something of this is tried to every game, in the mean, while it is one of the newest."""
REASON = "A test of the year."
Decide = Callable[[Game, datetime], Entry]


class BusyYear(Year):
    """A year in which players also make offers, and a director makes decisions."""

    def __init__(self, app: App, size: int, seed: int) -> None:
        super().__init__(app, size, seed)
        self.unlike: list[int] = []
        """Games whose rows did not say what their journals said."""
        self.shown = 0
        """How many things had happened in a game when the newest letter about it was written."""
        for nth, second in enumerate(range(DAY, YEAR, int(YEAR / size / A_GAME))):
            self.plan(second + 60 * (nth % 40), "deal", DEALS[nth % len(DEALS)])

    def _compare(self, number: int) -> None:
        """Compare a row with its journal during the year, not only at its end."""
        with self.app.store.read() as db:
            game = games.load_game(db, self.app.games_by_key, number)
            assert game is not None
            if games.row_summary(fold(game), game.open_entries) != games.stored_summary(db, number):
                self.unlike.append(number)

    def _deal(self, what: str) -> None:
        if self.down or self.hangs or not self.plays:
            return
        self._tick()
        if self.unread:  # what came before a flag may wait in it, and no flag is judged before it is read
            return
        newest = list(self.plays)[-60:]
        if what != "rollback" and self.rng.random() < 0.9:
            newest = [number for number in newest if not self.reckoning.matches[number].over] or newest
        played = [number for number in newest if self.reckoning.matches[number].plies]
        number = self.rng.choice(played if what in BACK and played else newest)
        if self.unread_about(number):  # its mail waits for another try
            return
        self._look(number)
        getattr(self, f"_{what}")(number, self.rng.randrange(2))

    def _look(self, number: int) -> None:
        self.shown = len(self.reckoning.matches[number].told)

    # By mail.

    def _give(self, number: int, seat: int) -> None:
        hours = self.rng.randint(1, 60)
        done = self.reckoning.gives(number, seat, hours * HOUR, self.second)
        self._write(number, seat, f"give {hours}h", done=done)

    def _undo(self, number: int, seat: int) -> None:
        came = self.reckoning.asks_back(number, seat, self.shown, self.second)
        self._write(number, seat, "undo", done=bool(came))
        if came == "asked":
            late = self.rng.choice((60, HOUR, DAY))
            self.plan(self.second + self.rng.randrange(late), "answer", number, 1 - seat, "undo")
        elif came:
            self.counts["unseen"] += 1
            self.plays[number].waits = None
            self._think(number)

    def _regrets(self, number: int, seat: int, until: int) -> None:
        if self.rng.random() < 0.2:
            self.plan(self.rng.randrange(self.second, until + 60), "regret", number, seat)

    def _regret(self, number: int, seat: int) -> None:
        if not self.down and not self.hangs:
            self._tick()
            self._look(number)
            if not self.unread:
                self._undo(number, seat)

    def _pause(self, number: int, seat: int) -> None:
        days = self.rng.randint(1, 6)
        done = self.reckoning.asks_pause(number, seat, days, self.second)
        self._write(number, seat, f"pause {days} days", done=done)
        if done:
            self.plan(self.second + self.rng.randrange(DAY), "answer", number, 1 - seat, "pause")

    def _answer(self, number: int, seat: int, what: str) -> None:
        if self.down or self.hangs or self.unread_about(number):
            self.plan(self.second + HOUR, "answer", number, seat, what)
            return
        self._tick()
        if self.unread:
            self.plan(self.second + HOUR, "answer", number, seat, what)
            return
        self._look(number)
        if what == "pause":
            done = self.reckoning.lets_pause(number, seat, self.second)
            self._write(number, seat, "accept pause", done=done)
            return
        yes = self.rng.random() < 0.6
        done = self.reckoning.lets_back(number, seat, self.second, yes=yes)
        self._write(number, seat, "accept undo" if yes else "decline undo", done=done)
        if done and yes:
            self._went_back(number)

    def _went_back(self, number: int) -> None:
        self.plays[number].goes_back(len(self.reckoning.matches[number].plies), self.beginning)
        self._think(number)

    def _write(self, number: int, seat: int, words: str, *, done: bool) -> None:
        match = self.reckoning.matches[number]
        player = match.players[seat]
        to = self.app.addressing.reply(Token("game", (number, seat, self.shown, 0)))
        (key,) = receive(self.app, self._written(player, to, words), address(player), [to])
        state = process(self.app, int(key[1:]))
        assert ("done" if done else "refused") == state, (number, seat, words, match)
        self.counts[words.split()[0]] += done
        self._compare(number)

    # By the director.

    def _extend(self, number: int, seat: int) -> None:
        whose = self.rng.choice((seat, None))
        time = timedelta(hours=self.rng.randint(1, 70))
        done = self.reckoning.extends(number, whose, int(time.total_seconds()), self.second)
        self._rule(number, lambda game, at: director.extend(game, time, whose, REASON, at), "extend", done)

    def _halt(self, number: int, _seat: int) -> None:
        """Pause a game for some time or without an end; a third of the pauses end early."""
        until = self.second + self.rng.randint(HOUR, 6 * DAY)
        fate = self.rng.random()
        end = until if fate < 0.7 else NEVER
        if fate > 0.4:
            self.plan(self.rng.randint(self.second, until), "resume", number)
        done = self.reckoning.halts(number, end, self.second)
        wanted = None if end == NEVER else moment(end)
        self._rule(number, lambda game, at: director.stop_clocks(game, wanted, REASON, at), "halt", done)

    def _resume(self, number: int) -> None:
        if self.down or self.hangs or self.unread_about(number):
            self.plan(self.second + HOUR, "resume", number)
            return
        self._tick()
        if self.unread:
            self.plan(self.second + HOUR, "resume", number)
            return
        done = self.reckoning.resumes(number, self.second)
        self._rule(number, lambda game, at: director.start_clocks(game, REASON, at), "resume", done)

    def _adjudicate(self, number: int, seat: int) -> None:
        done = self.reckoning.adjudges(number, seat, self.second)
        result = ("first", "second")[seat]
        self._rule(number, lambda game, at: director.adjudicate(game, result, REASON, at), "adjudicate", done)

    def _rollback(self, number: int, _seat: int) -> None:
        nth = self.rng.randint(0, len(self.reckoning.matches[number].plies))
        if nth == len(self.reckoning.matches[number].plies):
            return
        done = self.reckoning.goes_back(number, nth, self.second)
        self._rule(number, lambda game, at: director.rollback(game, nth, REASON, at), "rollback", done)
        self._went_back(number)

    def _replace(self, number: int, seat: int) -> None:
        newcomer = self.rng.randint(1, PLAYERS)
        with self.app.store.read() as db:
            player = players.player_by_id(db, newcomer)
        assert player is not None
        done = self.reckoning.seats(number, seat, newcomer, self.second)

        def seat_another(game: Game, at: datetime) -> Entry:
            return director.replace_seated(game, seat, player, REASON, at)

        self._rule(number, seat_another, "replace", done)
        if done:
            self.plays[number].seats = self.reckoning.matches[number].players
            self.plays[number].plans.pop(seat, None)

    def _rule(self, number: int, decide: Decide, what: str, done: bool) -> None:
        self._has_beaten()
        try:
            decide_as_director(self.app, number, decide)
        except Refusal:
            assert not done, (what, self.reckoning.matches[number])
        else:
            assert done, (what, self.reckoning.matches[number])
        self.counts[what] += done
        self._compare(number)
