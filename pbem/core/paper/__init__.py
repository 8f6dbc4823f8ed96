"""The Saturday paper: its weeks, their contents, and the choice of these.

An issue is stored as numbers of rows alone. Names, boards and results are read when the paper is shown, so it
never names a player who was erased since then, nor shows a game that was reopened.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby, islice
from typing import Any

from pbem.core.exercises.analysis import largest_swings, smooth
from pbem.core.exercises.lesson import ShownLesson
from pbem.core.exercises.puzzle import Puzzle, ShownPuzzle
from pbem.core.game.game import Game
from pbem.core.game.state import State, board_states
from pbem.core.players import Player
from rules.contract import Rules, Seat

LENGTH = timedelta(weeks=1)
CLOSING_HOUR = 10
"""The hour (UTC) on Friday when a week ends: Saturday begins then at the earliest, in UTC+14."""
AFTER_MONDAY = timedelta(days=4, hours=CLOSING_HOUR)
MIN_TURN = 0.1
"""Smaller changes of the chances are noise."""
USUAL_RATING = 1500.0
RATING_WEIGHT, PLY_WEIGHT = 1 / 1000, 1 / 25
"""The weights of a point of the mean rating, and of a ply, in the choice of the most dramatic game."""
MIN_UPSET = 100
"""The least difference of ratings that makes a win an upset."""
MOVERS, NEWCOMERS = 3, 20
"""The maximum number of players named for one game, and of newcomers."""


@dataclass(frozen=True, order=True)
class Week:
    """A week by its ISO number. The paper of the week's Saturday covers the seven days before `ends`."""

    year: int
    number: int

    def __str__(self) -> str:
        return f"{self.year}-{self.number:02}"

    @property
    def ends(self) -> datetime:
        return datetime.combine(date.fromisocalendar(self.year, self.number, 5), time(CLOSING_HOUR), UTC)

    @property
    def begins(self) -> datetime:
        return self.ends - LENGTH

    @property
    def count(self) -> int:
        """The number of the week in a count that goes on from year to year."""
        return self.ends.date().toordinal() // LENGTH.days

    @property
    def saturday(self) -> datetime:
        """Noon of its Saturday (UTC), the date of the paper."""
        return datetime.combine(date.fromisocalendar(self.year, self.number, 6), time(12), UTC)


def last_week(now: datetime) -> Week:
    """The newest week that has ended."""
    year, number, _ = (now.astimezone(UTC) - AFTER_MONDAY).isocalendar()
    return Week(year, number)


def read_week(text: str) -> Week:
    year, _, number = text.partition("-")
    return Week(int(year), int(number))


@dataclass(frozen=True)
class EndedGame:
    """A game between people that ended in the week, with ratings; `USUAL_RATING` stands for a missing one."""

    id: int
    ended_at: datetime
    plies: int
    ratings: tuple[float, float]

    @property
    def fame(self) -> float:
        return (sum(self.ratings) / 2 - USUAL_RATING) * RATING_WEIGHT


@dataclass(frozen=True)
class RatingGain:
    """A person's change of rating by one game; `won` is None for a draw."""

    game: int
    rules: str
    player: int
    before: float
    after: float
    sure: bool
    won: bool | None


@dataclass(frozen=True)
class Lead:
    """The game of the week. `ply` is the ply that changed the chances most, 0 without an evaluation.

    `before` and `after`: the chances of the player of that ply, in hundredths.
    """

    game: int
    ply: int = 0
    before: int = 0
    after: int = 0


@dataclass(frozen=True)
class Mover:
    """A player whose rating rose in a week, by `games` rated games."""

    rules: str
    player: int
    before: int
    after: int
    games: int
    sure: bool

    @property
    def gain(self) -> int:
        return self.after - self.before


@dataclass(frozen=True)
class Upset:
    """A rated win against a higher rating. Both ratings are from before the game."""

    game: int
    winner: int
    loser: int
    low: int
    high: int

    @property
    def difference(self) -> int:
        return self.high - self.low


@dataclass(frozen=True)
class Newcomer:
    """A player and the first game that they finished."""

    player: int
    game: int


@dataclass(frozen=True)
class Leaders:
    """The leaders of a league's first division. `over` is the number of its `games` with a result."""

    event: int
    players: tuple[int, ...]
    points: float
    over: int
    games: int


@dataclass(frozen=True)
class Issue:
    """The contents of a paper, by numbers of rows. `puzzle` is 0 for none; `more` newcomers are not named.

    `lesson`: a game's key and the number of its lesson, before any game of people has ended here.
    """

    lead: Lead | None = None
    movers: tuple[Mover, ...] = ()
    upset: Upset | None = None
    puzzle: int = 0
    newcomers: tuple[Newcomer, ...] = ()
    more: int = 0
    leagues: tuple[Leaders, ...] = ()
    lesson: tuple[str, int] | None = None

    @property
    def data(self) -> dict[str, Any]:
        """The issue for storage, `{}` if there is no news."""
        return asdict(self) if self != Issue() else {}


def read_issue(data: Mapping[str, Any]) -> Issue:
    if not data:
        return Issue()
    return Issue(
        Lead(**data["lead"]) if data["lead"] else None,
        tuple(Mover(**each) for each in data["movers"]),
        Upset(**data["upset"]) if data["upset"] else None,
        data["puzzle"],
        tuple(Newcomer(**each) for each in data["newcomers"]),
        data["more"],
        tuple(Leaders(**{**each, "players": tuple(each["players"])}) for each in data.get("leagues", ())),
        tuple(data["lesson"]) if data.get("lesson") else None,
    )


def travel(values: Sequence[float]) -> float:
    """Return the sum of ups and downs of the first seat's chances, without steps below `MIN_TURN`."""
    smoothed = smooth(values)
    total, last = 0.0, smoothed[0]
    for value in smoothed[1:]:
        if abs(value - last) >= MIN_TURN:
            total, last = total + abs(value - last), value
    return total


def choose_game(ended: Iterable[EndedGame], values: Mapping[int, Sequence[float]]) -> EndedGame | None:
    """Return the most dramatic game: by `travel` of its `values`, or by plies where no game has values.

    The mean of both ratings counts too. A game without values is chosen only if no game has values.
    """

    def drama(game: EndedGame) -> tuple[bool, float, int]:
        known = values.get(game.id)
        moved = travel(known) if known else game.plies * PLY_WEIGHT
        return bool(known), round(moved + game.fame, 6), -game.id

    return max(ended, key=drama, default=None)


def lead_of(game: Game, values: Sequence[float]) -> Lead:
    """Return the week's game with its largest swing, if there are as many values as positions."""
    plies = game.state.plies
    found = largest_swings(plies, values) if len(values) == len(plies) + 1 else []
    if not found:
        return Lead(game.id)
    top = max(found, key=lambda each: (abs(each.loss), -each.ply.n))
    return Lead(game.id, top.ply.n, round(100 * top.before), round(100 * top.after))


def choose_movers(steps: Iterable[RatingGain]) -> tuple[Mover, ...]:
    """Return the players who gained most rating in each game. `steps` are in order of time."""
    found: dict[tuple[str, int], Mover] = {}
    for step in steps:
        key, after = (step.rules, step.player), round(step.after)
        known = found.get(key, Mover(*key, round(step.before), after, 0, step.sure))
        found[key] = Mover(*key, known.before, after, known.games + 1, step.sure)
    ordered = sorted(found.values(), key=lambda each: (each.rules, -each.gain, each.player))
    risen = groupby((each for each in ordered if each.gain > 0), key=lambda each: each.rules)
    return tuple(mover for _, some in risen for mover in islice(some, MOVERS))


def choose_upset(steps: Iterable[RatingGain]) -> Upset | None:
    """Return the win against the largest difference of ratings; None below `MIN_UPSET`."""
    pairs: dict[int, dict[bool | None, RatingGain]] = {}
    for step in steps:
        pairs.setdefault(step.game, {})[step.won] = step
    both = [(pair[True], pair[False]) for pair in pairs.values() if True in pair and False in pair]
    upsets = (
        Upset(won.game, won.player, lost.player, round(won.before), round(lost.before)) for won, lost in both
    )
    wanted = [each for each in upsets if each.difference >= MIN_UPSET]
    return max(wanted, key=lambda each: (each.difference, -each.game), default=None)


def choose_puzzle(found: Iterable[Puzzle], lead: Lead | None) -> int:
    """Return the number of the longest puzzle not from the game of the week, which shows its answer; or 0."""
    others = [each for each in found if lead is None or each.game_id != lead.game]
    best = max(others, key=lambda each: (len(each.line), -each.id), default=None)
    return best.id if best else 0


def choose_lesson(week: Week, offered: Iterable[Rules]) -> tuple[str, int] | None:
    """Return the lesson of a week in which there is no game to tell of, another one each week."""
    found = sorted(
        (n, at, rules.key) for at, rules in enumerate(offered) for n in range(1, len(rules.lessons) + 1)
    )
    if not found:
        return None
    n, _, key = found[week.count % len(found)]
    return key, n


def choose_of_week(week: Week, numbers: Sequence[int]) -> int:
    """Return one of the numbers, another one each week, or 0."""
    return numbers[week.count % len(numbers)] if numbers else 0


@dataclass(frozen=True)
class ShownLead:
    lead: Lead
    game: Game

    @property
    def board(self) -> State:
        """The board after the ply that changed most, or at the end."""
        states = board_states(self.game.state)
        return states[self.lead.ply] if self.lead.ply else states[-1]

    @property
    def ply(self) -> int:
        return self.lead.ply or len(self.game.state.plies)

    @property
    def mover(self) -> Player | None:
        """The player whose ply changed the chances most, or None without such a ply."""
        seat: Seat | None = self.game.state.plies[self.lead.ply - 1].seat if self.lead.ply else None
        return None if seat is None else self.game.seats[seat]

    @property
    def move(self) -> str:
        return self.game.state.plies[self.ply - 1].move if self.ply else ""


@dataclass(frozen=True)
class ShownUpset:
    upset: Upset
    game: Game
    winner: Player
    loser: Player


@dataclass(frozen=True)
class ShownNewcomer:
    player: Player
    game: int


@dataclass(frozen=True)
class ShownLeaders:
    leaders: Leaders
    title: str
    players: tuple[Player, ...]


@dataclass(frozen=True)
class ShownPaper:
    """A paper with names and boards, without people who may not be named."""

    week: Week
    lead: ShownLead | None
    movers: tuple[tuple[Rules, tuple[tuple[Mover, Player], ...]], ...]
    """The movers of each game, best first."""
    upset: ShownUpset | None
    puzzle: ShownPuzzle | None
    newcomers: tuple[ShownNewcomer, ...]
    more: int
    leagues: tuple[ShownLeaders, ...] = ()
    lesson: ShownLesson | None = None

    @property
    def has_news(self) -> bool:
        """True if there is something to read, apart from the standings of leagues."""
        happened = self.lead or self.movers or self.upset or self.puzzle or self.newcomers
        return bool(happened or self.lesson)
