"""Seasons of a league: settings, times, and the table of a division."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any

from pbem.core.clock.time_control import USUAL, read_pace
from pbem.core.errors import Refusal
from pbem.core.events.divisions import MAX_SIZE, MIN_SIZE
from pbem.core.events.schedule import Pairing
from pbem.core.events.table import HALVES, Standing, TableResult, standings
from pbem.core.players import BOT_LEVELS

LEAGUE = "league"
NEW, OPEN, STARTING, RUNNING, OVER, VOID = "new", "open", "starting", "running", "over", "void"
"""States of an event, in their order; `void` is an event that was closed before it began."""
ENTERED, ASKED, CONFIRMED, PLAYING, STANDBY, ABSENT, LEFT = (
    "entered",
    "asked",
    "confirmed",
    "playing",
    "standby",
    "absent",
    "left",
)
"""States of a player in an event.

`asked` got the letter before the start, `absent` did not confirm, `left` withdrew or was withdrawn.
"""
SIGNED_UP = (ENTERED, ASKED, CONFIRMED)
"""States of the players of a season that has not begun."""
WAITING, GOING, ENDED, SETTLED, TO_VOID, TO_REPLACE = range(6)
"""States of a pairing: no game yet; a game; its end is not handled; done; its game is to be ended, or goes
to a player from the standby list."""
NO_RESULT = "void"
"""The score of a game that counts for nobody."""

MIN_ENTRANTS = MIN_SIZE
ASK_BEFORE = timedelta(days=7)
"""The time before a season's start when everybody is asked whether they play."""
GAP = timedelta(days=14)
"""The time between two seasons, and until the next try where too few confirmed."""
MAX_LOSSES_ON_TIME = 3
FORFEITING = ("withdraw", "fill", "award", "unaward", "reinstate")
"""Entries of a season's journal that say which pairings are forfeits by a withdrawal."""


@dataclass(frozen=True)
class Settings:
    """An event's terms. `days`: length of a season; `at_once`: the most games of one player at a time.

    `bots`: the level of the strongest bot that may take an empty seat, 0 where none may. `clubs`: the two
    of a match. `club`: the name of the club whose members alone play. `double`: two games a pair, with the
    seats changed.
    """

    options: Mapping[str, Any] = field(default_factory=dict)
    pace: str = USUAL
    days: int = 90
    size: int = 6
    at_once: int = 3
    rated: bool = True
    bots: int = 0
    clubs: Sequence[str] = ()
    club: str = ""
    double: bool = False

    def __post_init__(self) -> None:
        """Raise Refusal for terms that no season can have."""
        if not MIN_SIZE <= self.size <= MAX_SIZE:
            raise Refusal(f"A division has {MIN_SIZE} to {MAX_SIZE} players.")
        if not 7 <= self.days <= 400:
            raise Refusal("A season lasts 7 to 400 days.")
        if not 1 <= self.at_once < MAX_SIZE:
            raise Refusal(f"At a time there are 1 to {MAX_SIZE - 1} games of a player.")
        if self.bots not in (0, *BOT_LEVELS):
            raise Refusal(f"The levels of bots are 1 to {max(BOT_LEVELS)}.")
        if read_pace(self.pace).bank is None:
            raise Refusal("An event has a clock, or it would never end.")

    @property
    def data(self) -> dict[str, Any]:
        """The terms as a mapping, without those that few events have."""
        return {
            name: value for name, value in asdict(self).items() if value or name not in ("club", "double")
        }


@dataclass(frozen=True)
class EventGame:
    """A pairing of a division. `n` is its place in the round robin; `score` a key of `HALVES`, or None.

    `forced`: the score is a forfeit or a director's, whatever the game brings. Each field has a column in the
    table `event_games`.
    """

    first: int
    second: int
    n: int
    game: int | None
    score: str | None
    state: int
    forced: bool = False
    division: int = 1

    def has(self, player: int) -> bool:
        return player in (self.first, self.second)

    @property
    def pair(self) -> Pairing[int]:
        return self.first, self.second


def division_table(players: Sequence[int], games: Iterable[EventGame]) -> list[Standing[int]]:
    """Return a division's rows, best first. `players` stand in the order of the season's start."""
    return standings(players, division_results(games))


def division_results(games: Iterable[EventGame]) -> list[TableResult[int]]:
    return [TableResult(game.first, game.second, game.score) for game in games if game.score in HALVES]


def games_left(games: Iterable[EventGame]) -> list[Pairing[int]]:
    return [game.pair for game in games if game.score is None]


def games_to_begin(games: Sequence[EventGame], at_once: int) -> list[EventGame]:
    """Return the pairings that can begin now, by rounds. No player has more than `at_once` games."""
    busy: dict[int, int] = {}
    for game in games:
        if game.game is not None and game.score is None:
            for player in game.pair:
                busy[player] = busy.get(player, 0) + 1
    found = []
    for game in sorted(games, key=lambda each: each.n):
        free = all(busy.get(player, 0) < at_once for player in game.pair)
        if game.state == WAITING and free:
            found.append(game)
            for player in game.pair:
                busy[player] = busy.get(player, 0) + 1
    return found


def forfeited_pairings(entries: Iterable[tuple[str, Mapping[str, Any]]]) -> set[Pairing[int]]:
    """Return the pairings that are forfeits by a withdrawal.

    `entries` have the kinds and the data of an event's journal. Whoever's place was filled is named as the
    player who has it now.
    """
    found: set[Pairing[int]] = set()
    for kind, data in entries:
        if kind == "withdraw":
            found |= {(first, second) for first, second in data["games"]}
        elif kind == "fill":
            seated = {data["player"]: data["by"]}
            found = {(seated.get(first, first), seated.get(second, second)) for first, second in found}
        elif kind == "reinstate":
            found -= {(first, second) for first, second in [*data["anew"], *data["going"]]}
        else:
            found.discard((data["first"], data["second"]))
    return found


def fills_until(starts: datetime, ends: datetime) -> datetime:
    """Return the end of a season's first third. Until then the standby list fills places."""
    return starts + (ends - starts) / 3


def half_time(starts: datetime, ends: datetime) -> datetime:
    return starts + (ends - starts) / 2
