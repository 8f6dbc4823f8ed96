"""A year of 200 players and 2,000 games with a moved clock, against an oracle that reckons it by itself.

Mails are lost, doubled, late, and wait while the worker hangs; the server stands still for hours, dies
between any two steps; players travel. What every journal, clock and vacation must be at the end is
`reckoning`'s to say, from the moments at which mails were accepted and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import event

from pbem.config import settings_from
from pbem.core.folding import fold
from pbem.core.game import Game
from pbem.core.lobby import opening
from pbem.core.pace import read_pace
from pbem.core.vacation import Vacation
from pbem.mail.addressing import Token
from pbem.office import Office, open_office
from pbem.postoffice import process, receive, work_through
from pbem.store import games, pauses, people, post
from pbem.timekeeper import LATER, pulse, tick
from pbem.town import fresh
from rules import RULES
from rules.contract import Position
from tests.e2e.reckoning import DAY, HOUR, Match, Reckoning, Time

PLAYERS, GAMES, SEED = 200, 2_000, 2027
NEW_YEAR = datetime(2027, 1, 1, tzinfo=UTC)
YEAR = 365 * DAY
BOARD = {"islands": "3", "side": "5"}
ZONES = ("Europe/Lisbon", "America/New_York", "Australia/Lord_Howe", "Asia/Tehran", "America/St_Johns")
PACES = {
    "1d/move": Time(DAY, again=True),
    "3d/move": Time(3 * DAY, again=True),
    "36h+12h<=3d": Time(36 * HOUR, 12 * HOUR, 3 * DAY),
    "7d+1d<=14d": Time(7 * DAY, DAY, 14 * DAY),
    "4d": Time(4 * DAY),
}
OUTAGES = tuple((day * DAY + 7 * HOUR, day * DAY + (7 + hours) * HOUR) for day, hours in
                ((20, 2), (86, 30), (87, 0), (151, 5), (152, 9), (300, 61)) if hours)  # fmt: skip
HANGS = tuple((day * DAY, day * DAY + 9 * HOUR) for day in range(11, 365, 29))
"""When the worker looks at clocks and files no mail."""
STEPS = ("keep", "open", "recognise", "write", "commit", "strike")


class Killed(BaseException):
    """The process is gone: nothing catches this, nothing is tidied up."""


class Trouble(Exception):
    """Something that goes wrong once."""


@dataclass
class Play:
    """A game as its players know it: they count plies, not entries of a journal."""

    seats: tuple[int, int]
    pace: str
    position: Position
    plies: list[str] = field(default_factory=list)
    most: int = 0


@dataclass(order=True)
class Happening:
    at: int
    nth: int
    what: str = field(compare=False)
    about: tuple[Any, ...] = field(compare=False)


class Year:
    """The house, its people, and what happens to them, in order of time."""

    def __init__(self, office: Office) -> None:
        self.rng = Random(SEED)
        self.second = 0
        self.broken: dict[str, type[BaseException]] = {}
        self.office = replace(office, clock=lambda: _moment(self.second), step=self._step)
        self.reckoning = Reckoning(OUTAGES, frozenset(n for n in range(1, PLAYERS + 1) if n % 3 == 0))
        self.plays: dict[int, Play] = {}
        self.hearing: dict[int, tuple[int, str]] = {}
        self.counts: Counter[str] = Counter()
        self._agenda: list[Happening] = []
        self._numbers = count()
        self._rules = RULES["begird"]

    def plan(self, at: int, what: str, *about: Any) -> None:
        heappush(self._agenda, Happening(at, next(self._numbers), what, about))

    def live(self) -> None:
        self._settle_people()
        for hour in range(365 * 24 + 1):
            self.plan(hour * HOUR, "hour")
        for _ in range(GAMES):
            self.plan(self.rng.randrange(YEAR - 12 * DAY), "game")
        for player in range(1, PLAYERS + 1):
            if player % 2:
                self.plan(self.rng.randrange(30 * DAY, YEAR - 60 * DAY), "travel", player)
        while self._agenda and self._agenda[0].at <= YEAR:
            happening = heappop(self._agenda)
            self.second = happening.at
            getattr(self, f"_{happening.what}")(*happening.about)
        self.reckoning.ends(YEAR - int(LATER.total_seconds()))

    # The house.

    def _settle_people(self) -> None:
        with self.office.store.write() as db:
            for n in range(1, PLAYERS + 1):
                player = people.add(db, f"Player{n}", address(n), NEW_YEAR)
                people.wish(db, player, "zone", ZONES[n % len(ZONES)])
                people.wish(db, player, "format", "text")
                people.wish(db, player, "days_off", n % 3 != 0)
                if quiet(n):
                    people.stop(db, player, "turns")
                    people.stop(db, player, "results")
                if n % 7:
                    people.stop(db, player, "receipts")

    def _step(self, name: str) -> None:
        if fault := self.broken.pop(name, None):
            self.counts[f"{fault.__name__} after {name}"] += 1
            raise fault

    @property
    def down(self) -> bool:
        return any(begin < self.second < end for begin, end in OUTAGES)

    @property
    def hangs(self) -> bool:
        return any(begin <= self.second < end for begin, end in HANGS)

    def _hour(self) -> None:
        """An hour after the last beat, which is not yet a silence; or the first after an outage."""
        if self.down:
            return
        pulse(self.office)
        if self.second % (3 * HOUR) == 0:  # flags wait for this, and moves come before
            if not self.hangs:
                self._work()
            self._tick()

    def _work(self) -> None:
        try:
            work_through(self.office)
        except Killed:
            self._work()
        self._hear()

    def _tick(self) -> None:
        try:
            tick(self.office)
        except Killed:
            self._tick()

    # The games.

    def _game(self) -> None:
        """A new game, as an accepted challenge begins it."""
        if self.down:
            self.plan(self.second + HOUR, "game")
            return
        first, second = self.rng.sample(range(1, PLAYERS + 1), 2)
        pace = self.rng.choice(list(PACES))
        options = self._rules.start(BOARD).options
        with self.office.store.write() as db:
            both = people.by_ids(db, (first, second))
            pair, now = (both[first], both[second]), _moment(self.second)
            game = games.add(db, self._rules, options, 0, pair, True, now, read_pace(pace))
            entries = [opening(game)]
            games.append(db, game, fold(game.with_entries(entries)), entries, None)
        self.reckoning.begins(Match(game.id, (first, second), PACES[pace], self.second))
        most = self.rng.choices((0, 1, 3, 5, 9), (50, 20, 15, 10, 5))[0]
        self.plays[game.id] = Play((first, second), pace, self._rules.start(BOARD), most=most)
        self._think(game.id)

    def _think(self, number: int) -> None:
        """Whoever is to play will write, soon or hardly in time or too late; or loses interest."""
        play = self.plays[number]
        if len(play.plies) >= play.most:
            return
        length = PACES[play.pace].bank
        early, late = (60, length * 2 // 3), (length - HOUR, length - 1)
        span = self.rng.choices((early, late, (length, length + 3 * DAY)), (80, 10, 10))[0]
        self.plan(self.second + self.rng.randint(*span), "move", number)

    def _move(self, number: int) -> None:
        """A mail with a move sets out: it arrives, or doubled, or never."""
        play = self.plays[number]
        nth = len(play.plies)
        seat = nth % 2
        move = self._harmless(play.position)
        told = self.reckoning.matches[number].told
        shown = max(n for n, (kind, *_) in enumerate(told, 1) if kind in ("start", "ply"))
        to = self.office.addressing.reply(Token("game", (number, seat, shown, 0)))
        mail = (fresh(address(play.seats[seat]), to, move), play.seats[seat], to, (number, seat, nth), move)
        fate = self.rng.random()
        if fate < 0.03:
            self.counts["lost"] += 1
            return
        self._arrive(*mail)
        if fate > 0.95:
            self.counts["doubled"] += 1
            self.plan(self.second + self.rng.randrange(3 * DAY), "arrive", *mail[:3], None, move)

    def _harmless(self, position: Position) -> str:
        """A move by chance that ends no game: only clocks decide here."""
        while True:
            move = position.sample(self.rng)
            if position.play(position.read(str(move))).outcome is None:
                return str(move)

    def _arrive(self, raw: bytes, player: int, to: str, meant: Any, move: str) -> None:
        """A mail is accepted, unless the door is shut: then its server tries again."""
        if self.down and self.rng.random() < 0.5:
            self.plan(self.second + HOUR // 2, "arrive", raw, player, to, meant, move)
            return
        fate = self.rng.random()
        if fate < 0.06:
            self.broken[self.rng.choice(STEPS)] = Killed if fate < 0.04 else Trouble
        try:
            keys = receive(self.office, raw, address(player), [to])
        except (Killed, Trouble):  # no 250, so it is handed over again
            self.second += 1
            keys = receive(self.office, raw, address(player), [to])
        (number,) = (int(key[1:]) for key in keys)
        self._reckon(number, player, meant, move)
        if not self.down and not self.hangs:
            self._tick()  # the clock is never hours behind the mail: flags that fell come first
            try:
                process(self.office, number)
            except Killed:
                self.counts["dead"] += 1
        self._hear()

    def _reckon(self, mail: int, player: int, meant: Any, words: str) -> None:
        """Tell the oracle of a move, by the moment at which its mail was kept for the first time."""
        if meant is None:
            return
        with self.office.store.read() as db:
            kept = post.mail(db, mail)
            while kept is None or kept.state == "duplicate":  # the one before it is the same mail
                mail -= 1
                kept = post.mail(db, mail)
        at = int((kept.received_at - NEW_YEAR).total_seconds())
        if self.reckoning.ply(*meant, at):
            self.counts["plies"] += 1
            self.hearing[kept.id] = (meant[0], words)

    def _hear(self) -> None:
        """Whoever has got the other's move thinks about an answer."""
        for mail, (number, move) in list(self.hearing.items()):
            with self.office.store.read() as db:
                kept = post.mail(db, mail)
            if kept is None or kept.state == "new":
                continue
            del self.hearing[mail]
            play = self.plays[number]
            play.position = play.position.play(play.position.read(move))
            play.plies.append(move)
            self._think(number)

    # The people.

    def _travel(self, player: int) -> None:
        """Half leave at once and may come back early; half plan it by the calendar of their zone."""
        if self.down or self.hangs:
            self.plan(self.second + HOUR, "travel", player)
            return
        self._tick()
        if player % 4 == 1:
            days = self.rng.randint(1, 9)
            self._ask(player, f"vacation {days} days", self.second, self.second + days * DAY)
            if self.rng.random() < 0.5:
                self.plan(self.second + self.rng.randrange(days * DAY), "back", player)
            return
        zone = ZoneInfo(ZONES[player % len(ZONES)])
        first = _moment(self.second).astimezone(zone).date() + timedelta(days=self.rng.randint(1, 20))
        last = first + timedelta(days=self.rng.randint(0, 8))
        words = f"vacation {first} to {last}"
        self._ask(player, words, midnight(first, zone), midnight(last + timedelta(days=1), zone))

    def _back(self, player: int) -> None:
        if self.down or self.hangs:
            self.plan(self.second + HOUR, "back", player)
            return
        self._tick()
        self._say(player, "back", self.reckoning.returns(player, self.second))

    def _ask(self, player: int, words: str, begin: int, end: int) -> None:
        self._say(player, words, self.reckoning.leaves(player, begin, end, self.second))

    def _say(self, player: int, words: str, granted: bool) -> None:
        day = (_moment(self.second) - datetime(1970, 1, 1, tzinfo=UTC)).days
        to = self.office.addressing.reply(Token("player", (player, 0, 0, day)))
        (key,) = receive(self.office, fresh(address(player), to, words), address(player), [to])
        self.broken.clear()
        assert ("done" if granted else "refused") == process(self.office, int(key[1:])), words
        self.counts[words.split()[0]] += granted


def _moment(second: int) -> datetime:
    return NEW_YEAR + timedelta(seconds=second)


def midnight(day: date, zone: ZoneInfo) -> int:
    """When a day begins there, in seconds since the year began."""
    begins = datetime(day.year, day.month, day.day, tzinfo=zone)
    return int(begins.timestamp() - NEW_YEAR.timestamp())


def quiet(player: int) -> bool:
    """Whether a player wants no letters of turns and results."""
    return player % 5 < 2


def address(player: int) -> str:
    return f"p{player}@example.org"


@pytest.fixture(scope="module")
def year(migrated_sqlite: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Year]:
    """The year, lived once."""
    folder = tmp_path_factory.mktemp("year")
    path = folder / "pbem.sqlite"
    path.write_bytes(migrated_sqlite.read_bytes())
    office = open_office(settings_from({"PBEM_VAR": str(folder), "PBEM_DATABASE": f"sqlite:///{path}"}))
    # The disk is not what is tried here: processes die, the machine does not.
    event.listen(office.store.engine, "connect", lambda db, _: db.execute("PRAGMA synchronous=OFF").close())
    year = Year(office)
    year.live()
    yield year
    office.close()


@pytest.fixture(scope="module")
def stored(year: Year) -> dict[int, Game]:
    """Every game as the store has it at the end of the year."""
    with year.office.store.read() as db:
        found = {number: games.load(db, year.office.shelf, number) for number in games.all_ids(db)}
    return {number: game for number, game in found.items() if game is not None}


def test_the_year_had_everything_in_it(year: Year, stored: dict[int, Game]) -> None:
    assert GAMES == len(stored) == len(year.reckoning.matches)
    for what in ("lost", "doubled", "plies", "vacation", "back", "dead"):
        assert year.counts[what] >= 10, (what, year.counts)
    ended = Counter(match.over[0] if match.over else "running" for match in year.reckoning.matches.values())
    assert min(ended["void"], ended["timeout"]) >= 100, ended
    assert ended["running"] >= 1, ended
    assert sum(automatic for taken in year.reckoning.taken.values() for *_, automatic in taken) > 100


def test_every_journal_is_what_the_moments_make_it(year: Year, stored: dict[int, Game]) -> None:
    for number, match in year.reckoning.matches.items():
        told = [(entry.kind, entry.at, entry.seat) for entry in stored[number].journal]
        assert [(kind, _moment(at), seat) for kind, at, seat in match.told] == told, number


def test_every_loss_is_dated_to_its_flag(year: Year, stored: dict[int, Game]) -> None:
    for number, match in year.reckoning.matches.items():
        ending = stored[number].state.ending
        found = (ending.how, ending.winner, ending.at) if ending else None
        assert (match.over and (*match.over[:2], _moment(match.over[2]))) == found, number


def test_every_clock_shows_what_was_reckoned_and_none_less_than_nothing(
    year: Year, stored: dict[int, Game]
) -> None:
    for number, match in year.reckoning.matches.items():
        clock = stored[number].clock
        assert tuple(timedelta(seconds=bank) for bank in match.banks) == clock.banks, number
        assert min(clock.banks) >= timedelta()
        if not match.over:
            deadline = _moment(year.reckoning.deadline(match))
            assert deadline == stored[number].deadline, number
            assert deadline > _moment(YEAR) - LATER, number


def test_every_vacation_and_outage_is_kept_once(year: Year) -> None:
    with year.office.store.read() as db:
        kept = pauses.taken(db, range(1, PLAYERS + 1))
        outages = pauses.outages_since(db, NEW_YEAR)
    for player, blocks in kept.items():
        wanted = [
            Vacation(_moment(a), _moment(b), auto) for a, b, auto in year.reckoning.taken[player] if a < b
        ]
        assert sorted(wanted, key=lambda block: block.begins) == [replace(block, id=0) for block in blocks], (
            player
        )
    assert tuple((_moment(begin), _moment(end)) for begin, end in OUTAGES) == outages


def test_the_rows_say_what_the_journals_say(year: Year, stored: dict[int, Game]) -> None:
    with year.office.store.read() as db:
        for number, game in stored.items():
            refolded = games.summary(fold(game), game.open_entries)
            assert refolded == games.stored_summary(db, number), number
        assert [] == games.due(db, _moment(YEAR) - LATER, 10)
        waiting = set(games.due(db, datetime.max.replace(tzinfo=UTC), 2 * GAMES))
    assert {number for number, game in stored.items() if game.state.ending is None} == waiting


def test_every_mail_is_filed(year: Year) -> None:
    with year.office.store.read() as db:
        states = post.count_by_state(db)["mail in"]
    assert states.keys() <= {"done", "refused", "duplicate"}, states
    assert states["done"] > year.counts["plies"]


def test_whoever_stopped_letters_gets_none_and_everybody_else_each_once(
    year: Year, stored: dict[int, Game]
) -> None:
    with year.office.store.read() as db:
        letters = {number: post.letters_of_game(db, number) for number in stored}
    for number, match in year.reckoning.matches.items():
        kinds = Counter((letter.player_id, letter.kind) for letter in letters[number])
        for player in match.players:
            unwanted = quiet(player)
            assert kinds[player, "result"] == (match.over is not None and not unwanted), number
            if unwanted:
                assert not kinds[player, "turn"] + kinds[player, "flag"], number
