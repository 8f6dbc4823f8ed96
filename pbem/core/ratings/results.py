"""Results of finished games from bare entries. So a million are counted without playing one."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.core.game.game import Game
from pbem.core.game.journal import FLAG, PLY, REPLACE, ROLLBACK, TAKEBACK, TIMEOUT, Entry
from pbem.core.game.state import State
from pbem.core.ratings.glicko import NEWCOMER, SCALE, Rating, update_rating
from rules.contract import SEAT_NAMES, Seat

PERIOD = timedelta(weeks=1)
"""One rating period. A deviation of 60 grows to 110 in a year and a half without a game."""
MAX_SURE_DEVIATION = 110.0
SERIAL_LOSS_PERIOD = timedelta(days=14)
"""Losses on time within these days count once in ratings."""
MIN_RATED_PLIES = 2
"""Minimum plies a side for a rated and counted game. With fewer, nobody loses on the clock."""
OPENING = 60

Turns = tuple[int, int]


@dataclass(frozen=True)
class Result:
    """An ended game. `turns` and `late` by seat: plies by hand in time, and turns with a fallen flag."""

    game: int
    rules: str
    at: datetime
    seats: tuple[int, int]
    how: str
    winner: Seat | None
    rated: bool
    plies: int
    opening: str
    turns: Turns
    late: Turns
    short: bool = False

    @property
    def void(self) -> bool:
        return self.how == "void"

    @property
    def counted(self) -> bool:
        return not self.void and not self.short

    @property
    def score(self) -> float:
        """The first seat's score: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(1 - self.winner)

    @property
    def loser_on_time(self) -> int | None:
        return None if self.winner is None or self.how != "timeout" else self.seats[1 - self.winner]

    @property
    def word(self) -> str:
        """The winner for statistics: `first`, `second` or `draw`."""
        return "draw" if self.winner is None else SEAT_NAMES[self.winner]


def result_of(
    game: int,
    rules: str,
    seats: tuple[int, int],
    end: tuple[datetime, str, Seat | None],
    journal: Iterable[Entry],
    *,
    rated: bool,
    timed: bool,
) -> Result:
    """The result of a game; `end` has its time, way and winner."""
    (at, how, winner), entries = end, tuple(journal)
    standing = _valid_entries(entries)
    plies = [entry for entry in standing if entry.kind == PLY]
    short = min_plies_by_seat(entry.seat for entry in plies) < MIN_RATED_PLIES
    replaced = any(entry.kind == REPLACE for entry in entries)
    rates = rated and not replaced and not short and how != "void"
    opening = str(plies[0].data["move"])[:OPENING] if plies else ""
    turns = _count_turns(standing) if timed else ((0, 0), (0, 0))
    return Result(game, rules, at, seats, how, winner, rates, len(plies), opening, *turns, short)


def min_plies_by_seat(seats: Iterable[Seat | None]) -> int:
    made = Counter(seats)
    return min(made[0], made[1])


def is_short(state: State) -> bool:
    return min_plies_by_seat(ply.seat for ply in state.plies) < MIN_RATED_PLIES


def _valid_entries(entries: tuple[Entry, ...]) -> list[Entry]:
    """Plies and fallen flags that count, without takebacks and rollbacks."""
    found: list[Entry] = []
    for entry in entries:
        if entry.kind in (PLY, FLAG, TIMEOUT):
            found.append(entry)
        elif entry.kind == TAKEBACK:
            found = [each for each in found if each.kind != PLY or each.n < entry.data["to"]]
        elif entry.kind == ROLLBACK:
            mark = entry.data["entry"]
            found = _valid_entries(tuple(each for each in entries if each.n <= mark))
    return found


def _count_turns(standing: Iterable[Entry]) -> tuple[Turns, Turns]:
    """Plies by hand in time, and fallen flags, by seat. A flag counts even if its player moved after it."""
    in_time, late = [0, 0], [0, 0]
    fallen: Seat | None = None
    for entry in standing:
        if entry.seat is None:
            continue
        if entry.kind != PLY:
            late[entry.seat] += 1
            fallen = entry.seat
        else:
            in_time[entry.seat] += not entry.data.get("auto") and entry.seat != fallen
            fallen = None
    return (in_time[0], in_time[1]), (late[0], late[1])


@dataclass(frozen=True)
class GameRating:
    rating: Rating = NEWCOMER
    at: datetime | None = None
    lost_on_time: datetime | None = None

    def on(self, now: datetime) -> Rating:
        return self.rating if self.at is None else self.rating.after(_periods(self.at, now))

    @property
    def provisional_from(self) -> datetime | None:
        """The moment when the rating becomes provisional. None if it is so at its last game already."""
        left = MAX_SURE_DEVIATION**2 - self.rating.deviation**2
        if self.at is None or left < 0:
            return None
        return self.at + PERIOD * (left / (SCALE * self.rating.volatility) ** 2)


@dataclass(frozen=True)
class RatingChange:
    before: float
    after: float

    @property
    def points(self) -> int:
        """The change in whole points, below 0 for a loss."""
        return round(self.after) - round(self.before)


def rating_text(standing: GameRating, now: datetime) -> str:
    """A rating as `1523`, or `1523?` while provisional."""
    return f"{standing.rating.value:.0f}" + ("?" if standing.on(now).deviation > MAX_SURE_DEVIATION else "")


def _periods(since: datetime, now: datetime) -> float:
    return max((now - since) / PERIOD, 0.0)


def unrated_reason(game: Game) -> str:
    """Return why a rating is unchanged: `short`, `replaced`, `serial`. Return "" if it is obvious."""
    ending = game.state.ending
    if ending is not None and is_short(game.state):
        return "short"
    if game.replacements:
        return "replaced"
    return "serial" if ending is not None and ending.how == "timeout" else ""


def counts_for_rating(result: Result, standings: Mapping[int, GameRating]) -> bool:
    loser = result.loser_on_time
    if not result.rated or loser is None:
        return result.rated
    last = standings[loser].lost_on_time
    return last is None or result.at - last > SERIAL_LOSS_PERIOD


def rate_game(result: Result, first: GameRating, second: GameRating) -> tuple[GameRating, GameRating]:
    """Both ratings after a game that counts. Both updates use the ratings from before it."""
    a, b = first.on(result.at), second.on(result.at)
    return _after(result, 0, first, (b, result.score)), _after(result, 1, second, (a, 1 - result.score))


def _after(result: Result, seat: Seat, standing: GameRating, game: tuple[Rating, float]) -> GameRating:
    periods = _periods(standing.at, result.at) if standing.at else 0.0
    lost = result.at if result.loser_on_time == result.seats[seat] else standing.lost_on_time
    return GameRating(update_rating(standing.rating, [game], periods), result.at, lost)
