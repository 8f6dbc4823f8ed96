"""The daily letters of the year: their moments in each zone's calendar, and what they must contain.

A player may answer such a letter as a whole, with a move in each of its games.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from sqlalchemy import select

from pbem.app import App
from pbem.core.game.writing import to_write
from pbem.duties.digest import send_digests
from pbem.mail.addresses import Token
from pbem.store.tables import bundles, outbox
from tests.e2e.busy import BusyYear
from tests.e2e.cast import DEADLY, DIGESTS, NEW_YEAR, OUTAGES, YEAR, ZONES, moment
from tests.e2e.match import DAY, HOUR, Match
from tests.e2e.year import Orders

READING = ((60 * DAY, 110 * DAY), (267 * DAY, 320 * DAY))
"""When they are wanted: where clocks go forward and back."""


def hours_due(player: int) -> Iterator[int]:
    """The first moment on each day at or after a player's hour, as a day may lack that hour."""
    zone, hour = ZoneInfo(ZONES[player % len(ZONES)]), DIGESTS[player]
    begin = int(NEW_YEAR.timestamp())
    newest = datetime.fromtimestamp(begin - HOUR * hour, zone).date()
    for at in range(0, YEAR, HOUR // 2):
        here = datetime.fromtimestamp(begin + at, zone)
        if here.hour >= hour and here.date() > newest:
            newest = here.date()
            yield at


class DailyYear(BusyYear):
    """A year in which some players read daily letters."""

    def __init__(self, app: App, games: int, seed: int) -> None:
        super().__init__(app, games, seed)
        self.due = {player: list(hours_due(player)) for player in DIGESTS}
        self.looked: dict[int, int] = {}
        self.newest: dict[int, int] = {}
        """When a player's daily letters were made last, and when the newest came."""
        self.wrong: list[str] = []
        for player, moments in self.due.items():
            for begin, end in READING:
                self.plan(begin, "subscribe", player, str(DIGESTS[player]))
                self.plan(end, "subscribe", player, "off")
            for at in moments:
                if any(begin < at < end for begin, end in READING):
                    self.plan(at, "daily", player, at)

    def _subscribe(self, player: int, wanted: str) -> None:
        self._say(player, f"digest {wanted}", True)

    def _daily(self, player: int, due: int) -> None:
        """Check the daily letters; after an outage, check all missed days at once."""
        if self.down:
            self.plan(next(end for begin, end in OUTAGES if begin < self.second < end), "daily", player, due)
            return
        if self.looked.get(player) == self.second:
            return
        self.looked[player] = self.second
        self._tick()
        if self.rng.random() < DEADLY:
            self._killed("digest", lambda: send_digests(self.app))
        send_digests(self.app)
        with self.app.store.read() as db:
            now = (outbox.c.player_id == player, outbox.c.created_at == moment(self.second))
            came = len(db.scalars(select(outbox.c.id).where(outbox.c.kind == "digest", *now)).all())
        if not self.unread and not self.hearing:  # nobody can know what such a mail brings
            self.wrong += self._judge(player, due, came)
        if came:
            self.counts["digest"] += 1
            self.newest[player] = self.second
            if self.rng.random() < 0.7:
                self._will_answer(player)

    def _judge(self, player: int, due: int, came: int) -> Iterator[str]:
        """Require a letter if a game waits or there is news, and none if nothing happened since the last."""
        earlier = max((at for at in self.due[player] if at < due), default=-DAY)
        since = max(earlier, self.newest.get(player, earlier))
        must = may = False
        for match in self.reckoning.matches.values():
            if player in match.players:
                seat = match.players.index(player)
                must |= waits(match, seat) or has_news(match, seat, since)
                may |= match.told[-1][1] > since
        if not must <= came <= (must or may):
            yield f"{self.second}: {came} for {player}, must {must}, may {may}, news since {since}"

    def _will_answer(self, player: int) -> None:
        with self.app.store.read() as db:
            mine = select(bundles).where(bundles.c.player_id == player)
            bundle = db.execute(mine.order_by(bundles.c.id.desc()).limit(1)).first()
        if bundle is not None and bundle.created_at == moment(self.second):
            day = (moment(self.second) - datetime(1970, 1, 1, tzinfo=UTC)).days
            to = self.app.addressing.reply(Token("bundle", (player, bundle.id, 0, day)))
            shown = {int(number): seen for number, seen in bundle.entries.items()}
            self.plan(self.second + self.rng.randrange(10 * HOUR), "answer_daily", player, to, shown)
            for late in range(2, 10, 2):  # and again, from the same old letter, when boards have gone on
                self.plan(self.second + self.rng.randrange(late * DAY), "answer_daily", player, to, shown)

    def _answer_daily(self, player: int, to: str, shown: dict[int, int]) -> None:
        """Answer with a move in each game of the letter; a move is stale if the player has played since."""
        words: list[str] = []
        orders: Orders = []
        for number, seen in shown.items():
            match, play = self.reckoning.matches[number], self.plays[number]
            if player in match.players and waits(match, match.turn) and not self.unread_about(number):
                move = str(play.position.sample(self.rng))
                words += [f"game {number}", to_write(play.position, play.position.read(move))]
                seat = match.players.index(player)
                self.counts["stale in a bundle"] += match.turn == seat and played_since(match, seat, seen)
                orders.append(((number, player, seat, len(play.plies), seen), (move, "")))
        if orders:
            self.counts["in a bundle"] += len(orders) > 1
            self._send(player, to, "\n".join(words), orders)


def waits(match: Match, seat: int) -> bool:
    """True if a match waits for a seat that has not yet sent a move."""
    return match.over is None and match.turn == seat and match.waiting is None


def played_since(match: Match, seat: int, shown: int) -> bool:
    """True if a seat made a ply after a letter that showed so many events."""
    return any(ply.seat == seat and ply.number > shown for ply in match.plies)


def has_news(match: Match, seat: int, since: int) -> bool:
    """True if an event of others happened there that still counts."""
    if match.told[-1][1] <= since:
        return False
    theirs = any(ply.seat != seat and match.told[ply.number - 1][1] > since for ply in match.plies)
    offered = any(by is not None and by[0] != seat for by in (match.undoing, match.pausing))
    return bool(match.over or theirs or offered or match.told[0][1] > since)
