"""The turn that a player's commands work on; each command makes a new turn from the last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.core.clock.mail_times import MailTimes
from pbem.core.errors import Refusal
from pbem.core.game.fold import state_after
from pbem.core.game.game import Game
from pbem.core.game.journal import PLY, PRIVATE_KINDS, RATE_LIMITED_KINDS, Entry
from pbem.core.game.state import Ply, State
from pbem.core.letters.letter import Letter
from pbem.core.parsing.line import Command
from pbem.core.play.show import Trial
from rules.contract import Seat


@dataclass(frozen=True)
class TurnRequest:
    """One mail's commands. `said`: words go without a ply. `since`: the entry of the reply address."""

    seat: Seat
    commands: Sequence[Command]
    comment: str
    said: bool
    when: MailTimes
    since: int | None
    site: str
    blocked: bool = False
    """True if one player blocks the other: no words pass."""
    undo_window: timedelta = timedelta()
    caution_window: timedelta = timedelta()

    @property
    def read(self) -> list[str]:
        return [command.text for command in self.commands]


@dataclass(frozen=True)
class Decision:
    """The entries to store and letters to write; a `resign` letter asks for confirmation."""

    entries: tuple[Entry, ...]
    state: State
    letters: tuple[Letter, ...]
    refused: str = ""
    asks_resign: bool = False
    """A resignation waits for confirmation, and so do its words."""
    asks_move: str = ""
    words: str = ""
    notes: tuple[str, ...] = ()
    filed: str = ""
    """The operator's text for a refusal whose sentence is private."""
    wait: timedelta = timedelta()
    """The undo window of all this; nothing has answered it yet."""

    @property
    def is_rate_limited(self) -> bool:
        """True if the other sees only entries that may come anytime. So these are rate-limited."""
        seen = {entry.kind for entry in self.entries} - PRIVATE_KINDS
        return bool(seen) and seen <= RATE_LIMITED_KINDS


@dataclass(frozen=True)
class Turn:
    """The game while commands are carried out, one after another."""

    game: Game
    state: State
    entries: tuple[Entry, ...] = ()
    remarks: tuple[str, ...] = ()
    repeated_ply: Ply | None = None
    asks_resign: bool = False
    asks_move: str = ""
    """A move that gives the game up and needs confirmation."""
    looks: tuple[Command, ...] = ()
    trials: tuple[tuple[Command, Trial], ...] = ()
    notes: tuple[str, ...] = ()
    before: State | None = None
    """The state before the last ply, if that was made now."""
    planned: bool = False
    words_unsent: bool = False
    """True if words were not sent, since nobody may be meant."""

    @property
    def asks(self) -> bool:
        return self.asks_resign or bool(self.asks_move)

    def check_running(self) -> None:
        if self.state.ending is not None:
            raise Refusal(f"The game is over: {self.state.ending.reason}.")

    def add_own(
        self, request: TurnRequest, kind: str, data: Mapping[str, object], counts: datetime | None = None
    ) -> "Turn":
        """The turn with one more entry of the player. It counts for them from the mail's acceptance."""
        at, counts = request.when.handled, counts or request.when.accepted
        earlier = {"made": counts.isoformat()} if counts < at else {}
        return self.add(kind, request.seat, at, {**data, **earlier})

    def add_agreement(self, request: TurnRequest, kind: str, data: Mapping[str, object]) -> "Turn":
        return self.add_own(request, kind, data, request.when.agreement_time)

    def add(self, kind: str, seat: Seat, at: datetime, data: Mapping[str, object]) -> "Turn":
        number = len(self.game.journal) + len(self.entries) + 1
        entry = Entry(number, at, kind, seat, data)
        state = state_after(self.game, self.state, entry)
        before = self.state if kind == PLY else self.before
        return replace(self, state=state, entries=(*self.entries, entry), before=before)
