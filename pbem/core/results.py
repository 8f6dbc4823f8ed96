"""What a finished game comes to for lists, figures and ratings: who won, how long it was, who was in time.

Values only, and made of the journal's bare entries: no position is needed, so a million games are summed
up without playing one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.core.game import Game
from pbem.core.glicko import NEWCOMER, SCALE, Rating, rated
from pbem.core.journal import FLAG, PLY, TIMEOUT, UNDO, Entry
from pbem.core.rulings import REPLACE, ROLLBACK
from pbem.core.state import State
from rules.contract import Seat

PERIOD = timedelta(weeks=1)
"""One rating period: a deviation of 60 is one of 110 after a year and a half without a game."""
SURE = 110.0
"""A rating that may be further off than this is provisional."""
SERIAL = timedelta(days=14)
"""Of several games that somebody loses on time within these days the first alone is rated."""
PLIES_THAT_COUNT = 2
"""With fewer a side a game is neither rated nor counted, however it ended; by the clock nobody loses it."""
OPENING = 60
"""How much of a first ply's text is kept."""

Turns = tuple[int, int]


@dataclass(frozen=True)
class Result:
    """A game that has ended; `how` as in `Ending`, `winner` None for a draw or a void game.

    `turns` and `late` by seat: plies made by hand in time, and turns whose flag fell, in a game with a clock.
    """

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
    """Whether either has made fewer plies than count."""

    @property
    def void(self) -> bool:
        return self.how == "void"

    @property
    def counted(self) -> bool:
        """Whether it is in the figures of who won, how long games are and how they begin."""
        return not self.void and not self.short

    @property
    def score(self) -> float:
        """What the first seat made of it: 1, 0.5 or 0."""
        return 0.5 if self.winner is None else float(1 - self.winner)

    @property
    def out_of_time(self) -> int | None:
        """The number of the player who lost on time, None where nobody did."""
        return None if self.winner is None or self.how != "timeout" else self.seats[1 - self.winner]

    @property
    def word(self) -> str:
        """`first`, `second` or `draw`: who won, as figures are kept by it."""
        return "draw" if self.winner is None else ("first", "second")[self.winner]


@dataclass(frozen=True)
class Setup:
    """What a game was begun as, as far as its result asks for it."""

    game: int
    rules: str
    seats: tuple[int, int]
    rated: bool
    timed: bool


@dataclass(frozen=True)
class End:
    """When and how a game ended."""

    at: datetime
    how: str
    winner: Seat | None


def result_of(setup: Setup, end: End, journal: Iterable[Entry]) -> Result:
    """The result of an ended game. It is rated if both played it from first to last, not void, not short."""
    entries = tuple(journal)
    standing = _standing(entries)
    plies = [entry for entry in standing if entry.kind == PLY]
    short = fewest_by_either(entry.seat for entry in plies) < PLIES_THAT_COUNT
    replaced = any(entry.kind == REPLACE for entry in entries)
    in_time, late = _turns(standing) if setup.timed else ((0, 0), (0, 0))
    return Result(
        setup.game,
        setup.rules,
        end.at,
        setup.seats,
        end.how,
        end.winner,
        setup.rated and not replaced and not short and end.how != "void",
        len(plies),
        str(plies[0].data["move"])[:OPENING] if plies else "",
        in_time,
        late,
        short,
    )


def fewest_by_either(seats: Iterable[Seat | None]) -> int:
    """How many plies either side has made at least, where plies were made at these seats."""
    made = Counter(seats)
    return min(made[0], made[1])


def is_short(state: State) -> bool:
    """Whether either side has made fewer plies than count."""
    return fewest_by_either(ply.seat for ply in state.plies) < PLIES_THAT_COUNT


def _standing(entries: tuple[Entry, ...]) -> list[Entry]:
    """Plies and fallen flags that still count: no ply taken back, nothing that a director took back."""
    found: list[Entry] = []
    for entry in entries:
        if entry.kind in (PLY, FLAG, TIMEOUT):
            found.append(entry)
        elif entry.kind == UNDO:
            found = [each for each in found if each.kind != PLY or each.n < entry.data["to"]]
        elif entry.kind == ROLLBACK:
            mark = entry.data["entry"]
            found = _standing(tuple(each for each in entries if each.n <= mark))
    return found


def _turns(standing: Iterable[Entry]) -> tuple[Turns, Turns]:
    """By seat: the plies made by hand in time, and the turns whose flag fell, played after it or not."""
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
class Standing:
    """How somebody stands in one game: the rating as it was after the last rated one, and when that was."""

    rating: Rating = NEWCOMER
    at: datetime | None = None
    lost_on_time: datetime | None = None
    """When a rated game was last lost on time."""

    def on(self, now: datetime) -> Rating:
        """The rating as sure as it still is."""
        return self.rating if self.at is None else self.rating.after(_periods(self.at, now))

    @property
    def sure_until(self) -> datetime | None:
        """From when on the rating is provisional; None where it is already at its last game."""
        left = SURE**2 - self.rating.deviation**2
        if self.at is None or left < 0:
            return None
        return self.at + PERIOD * (left / (SCALE * self.rating.volatility) ** 2)


@dataclass(frozen=True)
class Change:
    """What one game did to a rating."""

    before: float
    after: float

    @property
    def points(self) -> int:
        """How many whole points it rose, below 0 if it fell."""
        return round(self.after) - round(self.before)


def shown(standing: Standing, now: datetime) -> str:
    """`1523`, or `1523?` while it is provisional."""
    return f"{standing.rating.value:.0f}" + ("?" if standing.on(now).deviation > SURE else "")


def _periods(since: datetime, now: datetime) -> float:
    return max((now - since) / PERIOD, 0.0)


def why_unrated(game: Game) -> str:
    """Why a rated game has changed no rating: `short`, `replaced`, `serial`, or "" where that is plain."""
    ending = game.state.ending
    if ending is not None and is_short(game.state):
        return "short"
    if game.replaced:
        return "replaced"
    return "serial" if ending is not None and ending.how == "timeout" else ""


def counts(result: Result, standings: Mapping[int, Standing]) -> bool:
    """Whether a game of these two is rated: not if it is one more that somebody lost on time."""
    loser = result.out_of_time
    if not result.rated or loser is None:
        return result.rated
    last = standings[loser].lost_on_time
    return last is None or result.at - last > SERIAL


def rate(result: Result, first: Standing, second: Standing) -> tuple[Standing, Standing]:
    """How both stand after a game that counts: one update, from how they stood before it."""
    a, b = first.on(result.at), second.on(result.at)
    return (
        _after(result, 0, first, (b, result.score)),
        _after(result, 1, second, (a, 1 - result.score)),
    )


def _after(result: Result, seat: Seat, standing: Standing, game: tuple[Rating, float]) -> Standing:
    periods = _periods(standing.at, result.at) if standing.at else 0.0
    lost = result.at if result.out_of_time == result.seats[seat] else standing.lost_on_time
    return Standing(rated(standing.rating, [game], periods), result.at, lost)
