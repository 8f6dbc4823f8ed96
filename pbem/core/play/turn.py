"""The turn of a player's commands, in which each command makes a new turn from the last one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from pbem.core.clock.mail_times import MailTimes
from pbem.core.errors import Refusal
from pbem.core.game.game import Game, first_since
from pbem.core.game.journal import PLY, PRIVATE_KINDS, RATE_LIMITED_KINDS, TAKEBACK, Entry
from pbem.core.game.state import Ply, State
from pbem.core.letters.letter import Letter
from pbem.core.parsing.line import Command
from pbem.core.play.show import Trial
from rules.contract import Seat, other

ENDS_AND_MORE = "Your mail would end the game, but holds more to be done in it; please write one of them."


@dataclass(frozen=True)
class TurnRequest:
    """One mail's commands. `said`: words go even without a ply. `since`: the entry in the reply address."""

    seat: Seat
    commands: Sequence[Command]
    when: MailTimes
    site: str
    since: int | None = None
    comment: str = ""
    said: bool = False
    blocked: bool = False
    """True if one player blocks the other: no words pass."""
    undo_window: timedelta = timedelta()
    caution_window: timedelta = timedelta()
    as_written: bool = True
    """True if the first letter is as typed; in a mail a phone may have made it a capital."""
    in_event: bool = False
    """True if the game counts in a league, ladder or match."""
    small: bool = False
    """True if the player wants such a capital read as a small letter, without a question."""

    @property
    def read(self) -> list[str]:
        return [command.text for command in self.commands]


@dataclass(frozen=True)
class Decision:
    """The entries to store and the letters to write. A `resign` letter asks for confirmation."""

    entries: tuple[Entry, ...]
    state: State
    letters: tuple[Letter, ...]
    refused: str = ""
    asks: str = ""
    """RESIGN, or the move that gives the game up, which waits for confirmation together with `words`."""
    words: str = ""
    notes: tuple[str, ...] = ()
    claims_proof: bool = False
    """True if the player claims a win that we are to prove."""
    filed: str = ""
    """The operator's text for a refusal whose sentence is private."""
    wait: timedelta = timedelta()
    """The undo window of these entries, for which there are no automatic answers yet."""
    meanings: Mapping[str, str] = field(default_factory=dict)
    """Two possible moves by the word that chooses one; nothing was done, and the `which` letter asks."""

    @property
    def is_rate_limited(self) -> bool:
        """True if the other player sees only entries that may come at any time, which are rate-limited."""
        seen = {entry.kind for entry in self.entries} - PRIVATE_KINDS
        return bool(seen) and seen <= RATE_LIMITED_KINDS


@dataclass(frozen=True)
class Turn:
    """A mail's game: before the mail (`start`), and after the commands so far (`game`)."""

    request: TurnRequest
    start: Game
    game: Game
    remarks: tuple[str, ...] = ()
    repeated_ply: Ply | None = None
    asks: str = ""
    """RESIGN, or the move that gives the game up, which waits for confirmation."""
    looks: tuple[Command, ...] = ()
    trials: tuple[tuple[Command, Trial], ...] = ()
    notes: tuple[str, ...] = ()
    before: State | None = None
    """The state before the last ply, if this mail made the ply."""
    planned: bool = False
    claims_proof: bool = False
    words_unsent: bool = False
    """True if words were not sent, since they may be meant for nobody."""

    @property
    def seat(self) -> Seat:
        return self.request.seat

    @property
    def opponent(self) -> str:
        return self.game.seats[other(self.seat)].name

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self.game.journal[len(self.start.journal) :]

    @property
    def state(self) -> State:
        return self.game.state

    def check_running(self) -> None:
        """Raise Refusal after the end of the game, even if the end came by this mail."""
        if self.start.state.ending is not None:
            raise Refusal(f"The game is over: {self.start.state.ending.reason}.")
        if self.state.ending is not None:
            raise Refusal(ENDS_AND_MORE)

    def add_own(self, kind: str, data: Mapping[str, object], counts: datetime | None = None) -> "Turn":
        """Return the turn with one more entry of the player, counted from the mail's acceptance."""
        at, counts = self.request.when.handled, counts or self.request.when.accepted
        earlier = {"made": counts.isoformat()} if counts < at else {}
        return self.add(kind, self.seat, at, {**data, **earlier})

    def add_agreement(self, kind: str, data: Mapping[str, object]) -> "Turn":
        return self.add_own(kind, data, self.request.when.agreement_time)

    def add(self, kind: str, seat: Seat, at: datetime, data: Mapping[str, object]) -> "Turn":
        entry = Entry(len(self.game.journal) + 1, at, kind, seat, data)
        before = self.state if kind == PLY else self.before
        return replace(self, game=self.game.with_entries([entry]), before=before)


def refuse_stale_move(turn: Turn) -> None:
    since = turn.request.since
    if since is not None and first_since(turn.start, since, TAKEBACK):
        raise Refusal(
            "A move has been taken back since the letter you answered; here is the board as it is now."
        )
