"""A game between two people: its setup, its journal, and the fold of one over the other.

The journal is the truth; whatever else is stored about a game can be made from it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from pbem.core.clocks import NO_HALTS, Clock, Halts
from pbem.core.pace import NONE, Pace
from pbem.core.people import Player
from pbem.core.plans import Planned, plan_of
from pbem.core.rulings import ADJUDICATE, EXTEND, REPLACE, ROLLBACK, RULINGS, Ruling, halted, ruling, sittings
from pbem.core.spans import Span, Spans, union
from rules.contract import SEAT_NAMES, Move, Position, Rules, Seat, Standing, other
from rules.picture import Picture

START, PLY, SAY, RESIGN = "start", "ply", "say", "resign"
OFFER, DECLINE, AGREE = "offer", "decline", "agree"
"""A draw offered, declined, agreed to."""
GRACE, TIMEOUT = "grace", "timeout"
"""A flag fell: the turn got more time, or the game ended."""
ASK, STAND, UNDO = "ask", "stand", "undo"
"""To take a ply back: asked of the other, declined, done."""
PLAN = "plan"
"""What a player will answer to moves not made yet."""

HIDDEN = frozenset({PLAN})
"""Entries for the eyes of one player alone. Whatever others see is numbered without them, or the gaps
would tell."""
SEATS: tuple[Seat, Seat] = (0, 1)
FLAG, CLAIM, CLOSE = "flag", "claim", "close"
"""A soft clock's flag fell; the other claimed a win, a draw or a void game; or nobody did anything."""
GIVE, ASK_PAUSE, PAUSE = "give", "ask-pause", "pause"
"""Time was given to the other; a pause was asked for; both have agreed to it."""
LAPSE = "lapse"
"""An offer was not answered in time."""

LASTS = {"draw": timedelta(days=14), "pause": timedelta(days=7), "undo": timedelta(days=7)}
"""How long an offer waits for its answer."""


@dataclass(frozen=True)
class Entry:
    """One line of a journal: the `n`-th thing that happened (from 1), at `at` (UTC, whole seconds).

    `data` by kind: ply {"move", "comment"?, "auto"?, "standing"?, "plan"?, "made"?}, say {"words"}, resign
    {"comment"?, "auto"?}, agree {"auto"?}, start {}, grace {"seconds"}, timeout {"flag", "void"?},
    flag {"flag"}, claim {"result"}, close {}, give {"seconds"}, ask-pause {"days"}, pause {"until"},
    decline and lapse {"offer"?: a draw where none is named, "auto"?}, plan {"plan"}, ask, stand and undo
    {"to"}: the journal entry of the first ply that is to go, declined to go, or gone. "flag" and "until" are
    moments in ISO 8601; `seat` of what the clock wrote is whose flag fell, or whose offer lapsed. "auto"
    marks what the server did by the seat's standing orders or plan; "standing" are the orders given with
    a ply, "plan" is what is planned after it (`plans.data_of`), both for its player's eyes alone. "made" is
    when a ply that has waited was accepted. A director's entries have a "reason": extend {"seconds"},
    halt {"until"?}, go {}, rollback {"ply", "entry"}, adjudicate {"result"}, replace {"player", "name",
    "was", "old", "turn"}, notice {}.
    """

    n: int
    at: datetime
    kind: str
    seat: Seat | None
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Held:
    """What the player at `seat` has done, and nobody else is to see before `until`.

    The entries are numbered for the journal as it was then, so by whoever takes them up.
    """

    seat: Seat
    until: datetime
    entries: tuple[Entry, ...]

    @property
    def open(self) -> int:
        """How many entries there are that are not hidden."""
        return sum(entry.kind not in HIDDEN for entry in self.entries)


@dataclass(frozen=True)
class Game:
    """A game's setup, its two players by seat, and its journal."""

    id: int
    rules: Rules
    options: Mapping[str, Any]
    seed: int
    seats: tuple[Player, Player]
    started_at: datetime
    journal: tuple[Entry, ...] = ()
    rated: bool = True
    rules_version: str = "1"
    """The version of the rules it was begun under."""
    pace: Pace = NONE
    soft: bool = False
    """Whether a fallen flag ends nothing by itself, but lets the other claim."""
    halts: Halts = NO_HALTS
    """When its clocks stood, or will stand; the pauses in its journal are always among them."""
    held: Held | None = None
    """What waits until its owner can no more take it back: in no journal, so for nobody else to see."""
    ahead: int = 0
    """How many open entries at the end only wait: no reply address counts them, for they may never be."""

    def __post_init__(self) -> None:
        """Both clocks stand in a pause that the players agreed to, whatever else stops them."""
        if self.agreed:
            halts = replace(self.halts, both=union((*self.halts.both, *self.agreed)))
            object.__setattr__(self, "halts", halts)

    @property
    def agreed(self) -> Spans:
        """The pauses that the two players agreed to."""
        pauses = (entry for entry in self.journal if entry.kind == PAUSE)
        return union((entry.at, datetime.fromisoformat(entry.data["until"])) for entry in pauses)

    @property
    def pause(self) -> Span | None:
        """The newest of them, if it was not over at the last thing that happened."""
        pauses = self.agreed
        return pauses[-1] if pauses and pauses[-1][1] > self.open_entries[-1].at else None

    @cached_property
    def open_entries(self) -> tuple[Entry, ...]:
        """The journal without what is hidden: what letters, addresses and pages count."""
        return tuple(entry for entry in self.journal if entry.kind not in HIDDEN)

    @property
    def title(self) -> str:
        """`Bipod #42: Bill - Joao`: the subject of every letter of this game."""
        return f"{self.rules.name} #{self.id}: {self.seats[0].name} - {self.seats[1].name}"

    @cached_property
    def state(self) -> State:
        """The game as it stands: the fold over its whole journal, made once."""
        return fold(self)

    @cached_property
    def clock_by_journal(self) -> Clock:
        """Both clocks after the whole journal, which does not say by itself whose turn it is."""
        return clock_after(self, None)

    @cached_property
    def clock(self) -> Clock:
        """Both clocks after the whole journal."""
        return clock_after(self, self.state.to_play)

    @property
    def deadline(self) -> datetime | None:
        """When the running turn's time is over; None for a game without a clock, or at its end."""
        return self.clock.deadline(self.halts)

    def seen_by(self, seat: Seat | None) -> Game:
        """The game as the player at `seat` sees it: with what waits there, where it is his."""
        if self.held is None or self.held.seat != seat:
            return self
        n = len(self.journal)
        entries = [replace(entry, n=n + i) for i, entry in enumerate(self.held.entries, 1)]
        return replace(self, held=None, ahead=self.held.open).with_entries(entries)

    def seat_of(self, player: Player) -> Seat | None:
        """Where `player` sits, None for anybody else."""
        if player.id == self.seats[0].id:
            return 0
        return 1 if player.id == self.seats[1].id else None

    def with_entries(self, entries: Iterable[Entry]) -> Game:
        added = tuple(entries)
        return replace(self, journal=self.journal + added, halts=halted(self.halts, added))

    @property
    def founders(self) -> tuple[int, int]:
        """The numbers of the two players who began it."""
        first, second = (sittings(self.seats[seat].id, seat, self._replacements)[0].player for seat in SEATS)
        return first, second

    @cached_property
    def _replacements(self) -> tuple[Entry, ...]:
        return tuple(entry for entry in self.journal if entry.kind == REPLACE)

    def name_at(self, seat: Seat, entry: int) -> str:
        """What the player at `seat` was called who made journal entry number `entry`."""
        after = (e for e in self._replacements if e.n > entry and e.seat == seat)
        return next((str(e.data["old"]) for e in after), self.seats[seat].name)


@dataclass(frozen=True)
class Ply:
    """A ply as it was made: number from 1, journal entry, seat, canonical text, time, words with it.

    `auto`: the server made it, by the seat's standing orders or plan.
    """

    n: int
    entry: int
    seat: Seat
    move: str
    at: datetime
    comment: str = ""
    auto: bool = False


@dataclass(frozen=True)
class Said:
    """Words of one player to the other, and after which ply they were said."""

    after: int
    entry: int
    seat: Seat
    words: str
    at: datetime


@dataclass(frozen=True)
class Asked:
    """Who asks to take plies back, from which journal entry on, in which entry and when."""

    seat: Seat
    to: int
    entry: int
    at: datetime

    @property
    def until(self) -> datetime:
        """When the request lapses."""
        return self.at + LASTS["undo"]


@dataclass(frozen=True)
class Taken:
    """A ply that was taken back, by which journal entry and when."""

    ply: Ply
    entry: int
    at: datetime


@dataclass(frozen=True)
class PauseOffer:
    """Who asks for a pause of how many days, and until when the other may answer."""

    seat: Seat
    days: int
    until: datetime


@dataclass(frozen=True)
class Ending:
    """How a game between people ended; `how` is rules, resignation, timeout, agreement, claim, director or
    void."""

    how: str
    winner: Seat | None
    side: str | None
    reason: str
    at: datetime


@dataclass(frozen=True)
class State:
    """A game as it stands after its journal."""

    position: Position
    plies: tuple[Ply, ...] = ()
    said: tuple[Said, ...] = ()
    ending: Ending | None = None
    draw_offer: Seat | None = None
    """Who offers a draw; the offer lapses when the other plays on."""
    draw_until: datetime | None = None
    """When the last draw that was offered lapses, or lapsed, by itself."""
    pause_offer: PauseOffer | None = None
    flagged: datetime | None = None
    """When the soft clock of whoever is to play ran out; None while there is time."""
    standing: tuple[Standing | None, Standing | None] = (None, None)
    """The newest standing orders of each seat: hidden from everybody but their owner."""
    plans: tuple[Planned | None, Planned | None] = (None, None)
    """What each seat has planned: hidden from everybody but its owner."""
    asked: Asked | None = None
    """Who asks to take a ply back; that lapses at the next ply, whoever makes it."""
    taken: tuple[Taken, ...] = ()
    """The plies that were taken back."""
    before: State | None = field(default=None, compare=False, repr=False)
    """The state before the last ply, so that going back costs nothing, however often it is done."""
    rulings: tuple[Ruling, ...] = ()
    """What the director decided, in order."""

    @property
    def to_play(self) -> Seat | None:
        """The seat whose turn it is, None once the game has ended."""
        return None if self.ending else self.position.to_play

    @cached_property
    def picture(self) -> Picture:
        """What to draw of the position, made once for all who look."""
        return self.position.picture()


def begin(game: Game) -> State:
    """The state before any entry."""
    return State(game.rules.begin(game.options, game.seed))


def fold(game: Game, *, upto: int | None = None) -> State:
    """The state after the journal's first `upto` entries (all of them by default)."""
    entries = game.journal[:upto]
    state = begin(game)
    marks = dict.fromkeys(_marks(entries), state)
    for number, entry in enumerate(entries, start=1):
        if entry.kind == ROLLBACK:
            state = _rolled_back(state, marks[entry.data["entry"]], entry)
        else:
            state = after(game, state, entry)
        if number in marks:
            marks[number] = state
    return state


def _marks(entries: Iterable[Entry]) -> list[int]:
    """The numbers of entries that are gone back to, so that nothing is folded twice."""
    return [entry.data["entry"] for entry in entries if entry.kind == ROLLBACK]


def after(game: Game, state: State, entry: Entry) -> State:
    """The state one entry later; the entry is taken as legal, for the journal holds no other."""
    if entry.kind == PLY:
        return _after_ply(state, entry, state.position.read(entry.data["move"]))
    if entry.kind == ROLLBACK:
        return _rolled_back(state, fold(game, upto=entry.data["entry"]), entry)
    if entry.kind in RULINGS:
        return _after_ruling(state, entry)
    if entry.seat is None:
        return state
    step = STEPS.get(entry.kind)
    return state if step is None else step(game, state, entry, entry.seat)


def _said(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    said = Said(len(state.plies), entry.n, seat, entry.data["words"], entry.at)
    return replace(state, said=(*state.said, said))


def _planned(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    return _with_plan(state, entry)


def _offered(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    return replace(state, draw_offer=seat, draw_until=entry.at + LASTS["draw"])


def _turned_down(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    """An offer is declined, or was not answered in time."""
    if entry.data.get("offer") == "pause":
        return replace(state, pause_offer=None)
    if entry.data.get("offer") == "undo":
        return replace(state, asked=None)
    return replace(state, draw_offer=None)


def _agreed(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    return replace(state, draw_offer=None, ending=Ending("agreement", None, None, "Draw agreed", entry.at))


def _timed_out(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    return replace(state, draw_offer=None, ending=_out_of_time(game, state, entry, seat))


def _pause_asked(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    return replace(state, pause_offer=PauseOffer(seat, entry.data["days"], entry.at + LASTS["pause"]))


def _paused(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    return replace(state, pause_offer=None)


def _given(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    """Whoever has been given time has time again, or runs out of it anew."""
    return replace(state, flagged=None)


def _flagged(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    return replace(state, flagged=datetime.fromisoformat(entry.data["flag"]))


def _claimed(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    """The end that the player at `seat` claims, whose opponent is out of time."""
    claimed, name = entry.data["result"], game.seats[seat].name
    late = f"{game.seats[other(seat)].name} ran out of time"
    ending = {
        "win": Ending("timeout", seat, state.position.side(seat), late, entry.at),
        "draw": Ending("claim", None, None, f"{late}, and {name} claimed a draw", entry.at),
        "void": Ending("void", None, None, f"{late}, and {name} declared the game void", entry.at),
    }[claimed]
    return replace(state, draw_offer=None, pause_offer=None, ending=ending)


def _closed(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    reason = f"{game.seats[seat].name} ran out of time, and nothing came of it for 30 days"
    return replace(
        state, draw_offer=None, pause_offer=None, ending=Ending("void", None, None, reason, entry.at)
    )


def _out_of_time(game: Game, state: State, entry: Entry, seat: Seat) -> Ending:
    """The end that a fallen flag makes, dated to the flag."""
    at = datetime.fromisoformat(entry.data["flag"])
    name = game.seats[seat].name
    if entry.data.get("void"):
        return Ending("void", None, None, f"{name} ran out of time before both had played twice", at)
    return Ending("timeout", other(seat), state.position.side(other(seat)), f"{name} ran out of time", at)


def _after_ruling(state: State, entry: Entry) -> State:
    if entry.kind == ADJUDICATE:
        state = replace(state, draw_offer=None, ending=_adjudged(state, entry))
    elif entry.kind == EXTEND:
        state = replace(state, flagged=None)
    elif entry.kind == REPLACE:  # what somebody else offered or left for later is not the new player's
        first, second = state.standing
        left = (None, second) if entry.seat == 0 else (first, None)
        state = replace(state, draw_offer=None, asked=None, standing=left)
    return replace(state, rulings=(*state.rulings, ruling(entry, len(state.plies))))


def _rolled_back(state: State, earlier: State, entry: Entry) -> State:
    """The position as it was earlier; what was said since stays said, what was ordered for later goes."""
    last = len(earlier.plies)
    said = tuple(replace(each, after=min(each.after, last)) for each in state.said)
    rulings = tuple(replace(each, after=min(each.after, last)) for each in state.rulings)
    rulings = (*rulings, ruling(entry, last))
    return State(earlier.position, earlier.plies, said, rulings=rulings, taken=state.taken)


def _adjudged(state: State, entry: Entry) -> Ending:
    result, reason = entry.data["result"], f"The director decided: {entry.data['reason'].rstrip('.')}"
    if result == "void":
        return Ending("void", None, None, reason, entry.at)
    winner = next((seat for seat in SEATS if SEAT_NAMES[seat] == result), None)
    side = None if winner is None else state.position.side(winner)
    return Ending("director", winner, side, reason, entry.at)


def _after_ply(state: State, entry: Entry, move: Move) -> State:
    assert entry.seat is not None
    position = state.position.follow(move)
    words, auto = entry.data.get("comment", ""), entry.data.get("auto", False)
    ply = Ply(position.ply, entry.n, entry.seat, str(move), entry.at, words, auto)
    ending = None
    if (outcome := position.outcome) is not None:
        ending = Ending("rules", outcome.winner, outcome.side, outcome.reason, entry.at)
    first, second = state.standing
    if (orders := entry.data.get("standing")) is not None:
        first, second = (orders, second) if entry.seat == 0 else (first, orders)
    plies = (*state.plies, ply)
    state = replace(state, flagged=None)
    if state.draw_offer != entry.seat:
        state = replace(state, draw_offer=None)
    made: dict[str, Any] = {
        "position": position,
        "plies": plies,
        "ending": ending,
        "standing": (first, second),
    }
    return _with_plan(replace(state, **made, asked=None, before=state), entry)


def _asked(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    return replace(state, asked=Asked(seat, entry.data["to"], entry.n, entry.at))


def _stood(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    return replace(state, asked=None)


def _taken_back(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    """The state before the first ply that is to go, with what was said, offered as a pause or decided since.

    Plans go, for they were made for what is no more; so do the standing orders of whoever is to play
    again, or they would make the next ply at once. Nobody else sits down to what another has ordered.
    """
    back: State | None = state
    while back is not None and back.plies and back.plies[-1].entry >= entry.data["to"]:
        back = back.before
    assert back is not None
    n = len(back.plies)
    gone = tuple(Taken(ply, entry.n, entry.at) for ply in state.plies[n:])
    seated = {each.seat for each in state.rulings[len(back.rulings) :] if each.kind == REPLACE}
    seated |= {taken.ply.seat for taken in gone[:1]}
    first, second = back.standing
    kept: dict[str, Any] = {
        "said": tuple(replace(each, after=min(each.after, n)) for each in state.said),
        "rulings": tuple(replace(each, after=min(each.after, n)) for each in state.rulings),
        "taken": (*state.taken, *gone),
        "standing": (None if 0 in seated else first, None if 1 in seated else second),
        "pause_offer": state.pause_offer,
    }
    return replace(back, **kept, draw_offer=None, asked=None, flagged=None, plans=(None, None))


def _with_plan(state: State, entry: Entry) -> State:
    """The state with the plan that an entry of its owner leaves: a ply that says nothing of it ends it."""
    plan = plan_of(entry.data.get("plan", ()))
    planned = Planned(len(state.plies), plan) if plan else None
    first, second = state.plans
    return replace(state, plans=(planned, second) if entry.seat == 0 else (first, planned))


def _after_resignation(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    winner = other(seat)
    reason = f"{game.seats[seat].name} resigned"
    ending = Ending("resignation", winner, state.position.side(winner), reason, entry.at)
    said = state.said
    if comment := entry.data.get("comment"):
        said = (*said, Said(len(state.plies), entry.n, seat, comment, entry.at))
    return replace(state, ending=ending, said=said)


def clock_after(game: Game, to_play: Seat | None) -> Clock:
    """Both clocks after the game's whole journal, at the end of which `to_play` is to play."""
    """Both clocks after the game's whole journal, at the end of which `to_play` is to play."""
    clocks = [Clock.started(game.pace, None, game.started_at)]
    for entry in game.journal:
        match entry.kind:
            case "rollback":
                clock = replace(clocks[entry.data["entry"]], since=entry.at, grace=timedelta())
            case "undo":
                clock = _clock_taken_back(game, clocks[entry.data["to"] - 1], entry)
            case _:
                clock = _clock_after_entry(game, clocks[-1], entry)
        clocks.append(clock)
    return replace(clocks[-1], running=to_play)


def _clock_taken_back(game: Game, clock: Clock, entry: Entry) -> Clock:
    """The clocks after plies are taken back, where `clock` is that before the first of them.

    What either was given since then, by the other or by the director, stays given.
    """
    first = entry.data["to"] - 1
    gone = game.journal[first]
    assert gone.seat is not None
    clock = clock.resumed(gone.seat, _made(gone), entry.at, game.halts)
    for since in game.journal[first : entry.n - 1]:
        if since.kind in (GIVE, EXTEND, REPLACE):
            clock = _clock_after_entry(game, clock, since)
    return replace(clock, since=entry.at)


def _clock_after_entry(game: Game, clock: Clock, entry: Entry) -> Clock:
    """The clocks one entry later; whose turn begins is told by the entry that ends it."""
    match entry.kind:
        case "ply" if entry.data.get("auto"):  # it cost its player no time
            return replace(clock, since=entry.at, grace=timedelta())
        case "ply":
            running = replace(clock, running=entry.seat)
            return running.played(None, _made(entry), game.halts, from_=entry.at)
        case "give" if entry.seat is not None:
            return clock.given(other(entry.seat), timedelta(seconds=entry.data["seconds"]))
        case "grace":
            return clock.graced(timedelta(seconds=entry.data["seconds"]))
        case "extend":
            for seat in SEATS if entry.seat is None else (entry.seat,):
                clock = clock.given(seat, timedelta(seconds=entry.data["seconds"]))
            return clock
        case "replace" if entry.seat is not None:
            return _clock_of_newcomer(clock, entry, entry.seat)
    return clock


def _made(entry: Entry) -> datetime:
    """When the mail with a ply was accepted; the entry is later where the ply has waited."""
    made = entry.data.get("made")
    return datetime.fromisoformat(made) if made else entry.at


def _clock_of_newcomer(clock: Clock, entry: Entry, seat: Seat) -> Clock:
    """Who takes a seat over has no less time than there was at the start; his turn begins anew."""
    least = clock.pace.bank or timedelta()
    clock = clock.given(seat, max(timedelta(), least - clock.banks[seat]))
    return replace(clock, since=entry.at, grace=timedelta()) if entry.data["turn"] else clock


def last_own_ply(game: Game, seat: Seat) -> int:
    """The journal entry of the last ply that the player at `seat` made himself, 0 where there is none."""
    own = (e.n for e in reversed(game.journal) if e.kind == PLY and e.seat == seat and not e.data.get("auto"))
    return next(own, 0)


def ply_since(game: Game, entry: int) -> Entry | None:
    """The first ply made after open entry number `entry`: what makes a reply to it stale."""
    return next((e for e in game.open_entries[entry:] if e.kind == PLY), None)


def undone_since(game: Game, entry: int) -> bool:
    """Whether a ply was taken back after open entry number `entry`: a letter of then shows another game."""
    return any(e.kind == UNDO for e in game.open_entries[entry:])


STEPS: Mapping[str, Callable[[Game, State, Entry, Seat], State]] = {
    SAY: _said,
    PLAN: _planned,
    OFFER: _offered,
    DECLINE: _turned_down,
    LAPSE: _turned_down,
    AGREE: _agreed,
    RESIGN: _after_resignation,
    TIMEOUT: _timed_out,
    ASK_PAUSE: _pause_asked,
    PAUSE: _paused,
    GIVE: _given,
    FLAG: _flagged,
    CLAIM: _claimed,
    CLOSE: _closed,
    ASK: _asked,
    STAND: _stood,
    UNDO: _taken_back,
}
"""What an entry that is neither a ply nor a director's makes of a state: its seat is the last argument."""
