"""A year of 200 players and their games with a moved clock, compared with an independent calculation.

Mails are lost, doubled, late, and wait while the worker hangs. The server stands still for hours, and dies
between any two steps. Players travel. `reckoning` calculates what every journal, clock and vacation must be
at the end, from nothing but the moments at which mails were accepted. `nudges` calculates during the year
which reminders there must be.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import update

from pbem.app import App
from pbem.core.clock.time_control import read_pace
from pbem.core.game.fold import fold
from pbem.core.game.writing import to_write
from pbem.core.lobby.challenges import opening_entry
from pbem.inbox.process import process
from pbem.inbox.receive import receive
from pbem.mail.addresses import Token
from pbem.store import games, inbox
from pbem.store import players as player_rows
from pbem.store.tables import players
from rules import RULES
from tests.apps import add_game, proven
from tests.e2e.cast import (
    BOARD,
    DEADLY,
    DIGESTS,
    HANGS,
    NEW_YEAR,
    OUTAGES,
    PACES,
    PLAYERS,
    QUIET,
    REMIND,
    STEPS,
    YEAR,
    ZONES,
    Play,
    Trouble,
    address,
    midnight,
    moment,
    quiet,
    seconds,
    taste,
    window,
    written,
)
from tests.e2e.match import DAY, HOUR, NEVER, Match
from tests.e2e.metronome import Metronome

Orders = list[tuple[tuple[int, int, int, int, int], tuple[str, str]]]
"""For each game (number, player, seat, which ply, how much its writer had seen), and (move, plan)."""


class Year(Metronome):
    """The server, its players, and the events of the year in order of time."""

    def __init__(self, app: App, games: int, seed: int) -> None:
        super().__init__(app, seed)
        self.size = games
        self.plays: dict[int, Play] = {}
        self._rules = RULES["begird"]
        self.beginning = self._rules.start(BOARD)

    def live(self) -> None:
        self._settle_people()
        for second in range(0, YEAR + 1, 12 * HOUR):
            self.plan(second, "beat")
        for _begin, end in HANGS:
            self.plan(end, "beat")
        for begin, end in OUTAGES:
            self.plan(begin, "beat")
            self.plan(end, "beat")
        evening = 0
        for nth in range(self.size):
            several = 0 < nth % 20 < 4  # a reader of digests begins four of them in one evening
            evening = evening if several else self.rng.randrange(YEAR - 12 * DAY)
            readers = list(DIGESTS)
            reader = readers[nth // 20 % len(readers)] if nth % 20 < 4 else 0
            self.plan(evening, "game", reader)
        self.plan(YEAR - 6 * HOUR, "game", 0)  # no clock can end this one within the year
        self.size += 1
        for player in range(1, PLAYERS + 1):
            if player % 2:
                self.plan(self.rng.randrange(30 * DAY, YEAR - 60 * DAY), "travel", player)
        self._pass_time()

    # The house.

    def _settle_people(self) -> None:
        with self.app.store.write() as db:
            for n in range(1, PLAYERS + 1):
                player = player_rows.add_player(db, f"Player{n}", address(n), NEW_YEAR)
                wishes = {
                    "zone": ZONES[n % len(ZONES)],
                    "format": "text",
                    "remind": REMIND.get(n % 8, "usual"),
                    "quiet": QUIET.get(n % 6, "22-7"),
                    "days_off": n % 3 != 0,
                    "undo": window(n),
                }
                stopped = ["results", "turns"] if quiet(n) else []
                stopped += ["receipts"] if n % 7 else []
                stopped += [] if taste(n).wants else ["reminders"]
                row = players.c.id == player.id
                db.execute(update(players).where(row).values(wishes=wishes, stopped=stopped))

    # The games.

    def _game(self, reader: int) -> None:
        """A new game, begun by an accepted challenge; `reader` is a player with daily letters, or 0."""
        if self.down:
            self.plan(self.second + HOUR, "game", reader)
            return
        first, second = self.rng.sample([n for n in range(1, PLAYERS + 1) if n != reader], 2)
        first = reader or first
        pace = self.rng.choice(list(PACES))
        options = self._rules.start(BOARD).options
        with self.app.store.write() as db:
            both = player_rows.players_by_ids(db, (first, second))
            pair, now = (both[first], both[second]), moment(self.second)
            game = add_game(db, self._rules, options, 0, pair, True, now, read_pace(pace))
            entries = [opening_entry(game)]
            games.append_entries(db, game, fold(game.with_entries(entries)), entries)
        self.reckoning.begins(Match(game.id, (first, second), PACES[pace], self.second))
        most = 9 if reader else self.rng.choices((0, 1, 3, 5, 9), (45, 15, 15, 15, 10))[0]
        self.plays[game.id] = Play((first, second), pace, self._rules.start(BOARD), most=most)
        self._think(game.id)

    def _think(self, number: int) -> None:
        """Plan the next mail of the player to move: soon, just in time, too late, or never."""
        play = self.plays[number]
        if len(play.plies) >= play.most:
            return
        length = PACES[play.pace].bank
        early, late = (60, length * 2 // 3), (length - HOUR, length - 1)
        span = self.rng.choices((early, late, (length, length + 3 * DAY)), (80, 10, 10))[0]
        self.plan(self.second + self.rng.randint(*span), "move", number)

    def _move(self, number: int) -> None:
        """Send a mail with a move: it arrives, or doubled, or never."""
        play = self.plays[number]
        if play.position.outcome is not None:
            return
        if self.unread_about(number):
            self.plan(self.second + HOUR, "move", number)
            return
        nth = len(play.plies)
        seat = nth % 2
        move = play.winning or str(play.position.sample(self.rng))
        planned = self._plan_for(play, move)
        written = to_write(play.position, play.position.read(move))
        words = f"{written}\nif any then {planned}" if planned else written
        shown = self.reckoning.matches[number].begun
        to = self.app.addressing.reply(Token("game", (number, seat, shown, 0)))
        player = play.seats[seat]
        self._send(player, to, words, [((number, player, seat, nth, shown), (move, planned))])

    def _send(self, player: int, to: str, words: str, orders: Orders) -> None:
        """Send a mail with orders for games."""
        raw = self._written(player, to, words)
        fate = self.rng.random()
        if fate < 0.05:
            self.counts["lost"] += 1
            return
        self._arrive(raw, player, to, orders)
        if fate > 0.95:
            self.counts["doubled"] += 1
            self.plan(self.second + self.rng.randrange(3 * DAY), "arrive", raw, player, to, [])

    def _written(self, player: int, to: str, words: str) -> bytes:
        raw = written(address(player), to, words, next(self._numbers))
        return proven(raw, address(player), moment(self.second))

    def _plan_for(self, play: Play, move: str) -> str:
        """The answers of a player's conditional moves, "" for most."""
        if len(play.plies) < 2 or self.rng.random() < 0.7:
            return ""
        position = play.position.play(play.position.read(move))
        return "" if position.outcome else str(position.sample(self.rng))

    def _arrive(self, raw: bytes, player: int, to: str, orders: Orders) -> None:
        """Accept a mail, unless the server is away: then the sender tries again."""
        if self.down and self.rng.random() < 0.5:
            self.plan(self.second + HOUR // 2, "arrive", raw, player, to, orders)
            return
        if not self.down and not self.hangs:
            self._tick()  # the clock is never hours behind the mail: flags that fell come first
        (number,) = (int(key[1:]) for key in self._hand_over(raw, player, to))
        self._reckon(number, orders)
        if self.down or self.hangs:
            self.unread = True
        elif process(self.app, number) is None:
            self.unread = True
            self.plan(self.second + self.rng.randrange(120, HOUR), "beat")
        self.broken = ""
        self._hear()

    def _hand_over(self, raw: bytes, player: int, to: str) -> list[str]:
        """Hand a mail to the server; if it died before it answered 250, hand it over again."""

        def keep() -> list[str]:
            return receive(self.app, raw, address(player), [to])

        def handle() -> None:
            for key in keep():
                process(self.app, int(key[1:]))

        fate = self.rng.random()
        step = min(STEPS, key=lambda name: (self.counts[f"killed after {name}"], self.rng.random()))
        if fate < 4 * DEADLY:
            self._killed(step, keep if self.down or self.hangs else handle)
            self.second += 1
        elif fate < 5 * DEADLY:
            self.broken = step
        try:
            return keep()
        except Trouble:
            self.second += 1
            return keep()

    def _reckon(self, mail: int, orders: Orders) -> None:
        """Tell the oracle of moves, with the moment when their mail was first stored."""
        if not orders:
            return
        with self.app.store.read() as db:
            kept = inbox.mail_by_id(db, mail)
            while kept is None or kept.state == "duplicate":  # the one before it is the same mail
                mail -= 1
                kept = inbox.mail_by_id(db, mail)
        at = seconds(kept.received_at)
        for meant, moves in orders:
            if not self.reckoning.ply(*meant, at):
                continue
            number = meant[0]
            self.counts["plies"] += 1
            self.hearing.setdefault(kept.id, []).append(number)
            self.plays[number].waits = moves

    def unread_about(self, number: int) -> bool:
        """True if a mail about a game waits."""
        return any(number in numbers for numbers in self.hearing.values())

    def _made(self, number: int, at: int) -> None:
        """Make a ply: conditional moves of the other answer at once; else the other sees it and thinks."""
        play = self.plays[number]
        assert play.waits is not None
        (move, planned), play.waits = play.waits, None
        seat = len(play.plies) % 2
        play.makes(move)
        play.plans.pop(seat, None)
        if planned:
            play.plans[seat] = planned
        while answer := play.answers(1 - seat):
            self.counts["auto"] += 1
            play.makes(answer)
            self.reckoning.answers(number, at)
            seat = 1 - seat
        if play.position.outcome is not None:
            self.counts["won"] += 1
            self.reckoning.ends(number, play.position.outcome.winner, at)
        if not self.unread_about(number):
            self._think(number)

    def _hear(self) -> None:
        """Let a player think about an answer, or about their own move while it waits."""
        for mail in list(self.hearing):
            with self.app.store.read() as db:
                kept = inbox.mail_by_id(db, mail)
            if kept is None or kept.state == "new":
                continue
            assert kept.filed_at is not None
            for number in self.hearing.pop(mail):
                self._hears(number, seconds(kept.filed_at))

    def _hears(self, number: int, at: int) -> None:
        waiting = self.reckoning.matches[number].waiting
        if waiting is None:
            self._think(number)
        elif waiting.until == NEVER:
            until = self.reckoning.handled(number, at)
            if until > at:
                self._regrets(number, waiting.seat, until)

    def _regrets(self, number: int, seat: int, until: int) -> None:
        """Let a player take back a ply before anybody else has seen it."""

    # The people.

    def _travel(self, player: int) -> None:
        """Half leave at once and may come back early; half plan it by the calendar of their zone."""
        if self.down or self.hangs:
            self.plan(self.second + HOUR, "travel", player)
            return
        self._tick()
        if self.unread:
            self.plan(self.second + HOUR, "travel", player)
            return
        if player % 4 == 1:
            days = self.rng.randint(1, 9)
            self._ask(player, f"vacation {days} days", self.second, self.second + days * DAY)
            if self.rng.random() < 0.5:
                self.plan(self.second + self.rng.randrange(days * DAY), "back", player)
            return
        zone = ZoneInfo(ZONES[player % len(ZONES)])
        first = moment(self.second).astimezone(zone).date() + timedelta(days=self.rng.randint(1, 20))
        last = first + timedelta(days=self.rng.randint(0, 8))
        words = f"vacation {first} to {last}"
        self._ask(player, words, midnight(first, zone), midnight(last + timedelta(days=1), zone))

    def _back(self, player: int) -> None:
        if self.down or self.hangs:
            self.plan(self.second + HOUR, "back", player)
            return
        self._tick()
        if self.unread:
            self.plan(self.second + HOUR, "back", player)
            return
        self._say(player, "back", self.reckoning.returns(player, self.second))

    def _ask(self, player: int, words: str, begin: int, end: int) -> None:
        self._say(player, words, self.reckoning.leaves(player, begin, end, self.second))

    def _say(self, player: int, words: str, granted: bool) -> None:
        day = (moment(self.second) - datetime(1970, 1, 1, tzinfo=UTC)).days
        to = self.app.addressing.reply(Token("player", (player, 0, 0, day)))
        (key,) = receive(self.app, self._written(player, to, words), address(player), [to])
        assert ("done" if granted else "refused") == process(self.app, int(key[1:])), words
        self.counts[words.split()[0]] += granted
