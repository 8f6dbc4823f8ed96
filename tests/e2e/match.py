"""One game of the year for the oracle: its time control, plies, clocks and events."""

from __future__ import annotations

from dataclasses import dataclass, field

MINUTE, HOUR, DAY = 60, 3600, 86400
NEVER = 1 << 60
Span = tuple[int, int]


@dataclass(frozen=True)
class Time:
    """A time control: `bank` at first, `more` a ply, never above `cap`; or `bank` anew for every ply."""

    bank: int
    more: int = 0
    cap: int = NEVER
    again: bool = False


@dataclass(frozen=True)
class Ply:
    """A ply's player, moment, and the clocks of the turn that it ended; `number` counts events."""

    seat: int
    at: int
    number: int
    banks: tuple[int, int]
    since: int
    grace: int


@dataclass(frozen=True)
class Waiting:
    """A ply in the undo window: accepted `at`, made at `until` at the latest.

    NEVER: its mail has not been handled yet.
    """

    seat: int
    at: int
    until: int = NEVER


@dataclass
class Match:
    """The current state of one game, and its events: (kind, when, seat)."""

    number: int
    players: tuple[int, int]
    time: Time
    since: int
    told: list[tuple[str, int, int | None]] = field(default_factory=list)
    banks: list[int] = field(default_factory=list)
    turn: int = 0
    grace: int = 0
    over: tuple[str, int | None, int] | None = None
    """How, who has won, and the moment it is dated to."""
    pauses: list[Span] = field(default_factory=list)
    """When both clocks stand here alone."""
    plies: list[Ply] = field(default_factory=list)
    begun: int = 1
    """How many things had happened here when the running turn began."""
    agreed: list[Span] = field(default_factory=list)
    """Those of them that the two agreed to."""
    gifts: list[tuple[int, int, int | None]] = field(default_factory=list)
    """Time given: the number of it among the things that happened, to whom, how much.

    None: as much as whoever takes a seat over has at least."""
    after: dict[int, tuple[int, int]] = field(default_factory=dict)
    """By a ply's number the clocks right after it."""
    undoing: tuple[int, int] | None = None
    """Who asks for which ply, counted from 0, to be taken back."""
    pausing: tuple[int, int] | None = None
    """Who asks for how many days of pause."""
    kept: set[int] = field(default_factory=set)
    """Numbers of the plies, as things that happened, that were not taken back though somebody asked."""

    waiting: Waiting | None = None
    unseen: dict[int, int] = field(default_factory=dict)
    """When a seat last took a ply back that nobody else had seen."""

    def __post_init__(self) -> None:
        self.banks = [self.time.bank, self.time.bank]
        self.told.append(("start", self.since, None))

    def tell(self, kind: str, at: int, seat: int | None = None) -> None:
        self.told.append((kind, at, seat))

    def turns(self, seat: int, at: int) -> None:
        """Begin a turn."""
        self.turn, self.since, self.grace, self.begun = seat, at, 0, len(self.told)
