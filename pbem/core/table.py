"""What lies on the table while a player's commands are carried out: the request, the game, the decision.

Values only, each command making a new table of the last; `play` says what a command does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.core.folding import after
from pbem.core.game import Game
from pbem.core.journal import HIDDEN, PLY, TALK, Entry
from pbem.core.letters import Letter
from pbem.core.lines import Command
from pbem.core.moments import When
from pbem.core.state import Ply, State
from pbem.core.trial import Trial
from rules.contract import Seat


@dataclass(frozen=True)
class Request:
    """One mail's commands for one game: who asks, when, and from which letter.

    `comment` are words to the other player; `said` tells that they were meant to be said even where
    no ply carries them. `since` is the journal entry that the reply address belongs to, None where
    there was no such address; `when` tells from which moments the mail counts.
    """

    seat: Seat
    commands: Sequence[Command]
    comment: str
    said: bool
    when: When
    since: int | None
    site: str
    apart: bool = False
    """Whether one of the two has blocked the other, so that no words go between them."""
    window: timedelta = timedelta()
    """How long a ply waits before anybody else sees it."""
    careful: timedelta = timedelta()
    """How long at least one does that is remarked upon, for it may have been read otherwise than meant."""

    @property
    def read(self) -> list[str]:
        """The player's texts as they were read, in order."""
        return [command.text for command in self.commands]


@dataclass(frozen=True)
class Decision:
    """What is to be kept and written. Where a player is asked, the `resign` letter has the question."""

    entries: tuple[Entry, ...]
    state: State
    letters: tuple[Letter, ...]
    refused: str = ""
    asks_resign: bool = False
    """A resignation waits for a confirmation; the words that came with it wait too."""
    asks_move: str = ""
    """A move by which a player gives the game up, and which waits in the same way."""
    words: str = ""
    notes: tuple[str, ...] = ()
    """Private notes of whoever asked, to be kept apart from the journal."""
    filed: str = ""
    """What the operator is told of a refusal, where the sentence is for the player alone."""
    wait: timedelta = timedelta()
    """How long all of it waits before anybody else sees it; nothing has answered it yet."""

    @property
    def talks(self) -> bool:
        """Whether all that the other player sees of it may be sent at any time, as often as anybody likes."""
        seen = {entry.kind for entry in self.entries} - HIDDEN
        return bool(seen) and seen <= TALK


@dataclass(frozen=True)
class Table:
    """The game while commands are carried out one after another."""

    game: Game
    state: State
    entries: tuple[Entry, ...] = ()
    remarks: tuple[str, ...] = ()
    already: Ply | None = None
    asks_resign: bool = False
    asks_move: str = ""
    """A move by which a player gives the game up: it is asked about."""
    looks: tuple[Command, ...] = ()
    trials: tuple[tuple[Command, Trial], ...] = ()
    notes: tuple[str, ...] = ()
    before: State | None = None
    """The state before the last ply, where that was made now."""
    planned: bool = False
    """Whether anything was said of a plan."""
    unsent: bool = False
    """Whether there are words that may have been meant for nobody, so that they went nowhere."""

    @property
    def asks(self) -> bool:
        """Whether the player is asked if they mean to give the game up."""
        return self.asks_resign or bool(self.asks_move)

    def done(
        self, request: Request, kind: str, data: Mapping[str, object], *, counts: datetime | None = None
    ) -> Table:
        """The table with one more entry by whoever asks, that counts for them since the mail was accepted."""
        both = request.when.both_times(counts or request.when.accepted)
        return self.add(kind, request.seat, request.when.handled, {**data, **both})

    def settled(self, request: Request, kind: str, data: Mapping[str, object]) -> Table:
        """The table with one more entry by which the two players settle something."""
        return self.done(request, kind, data, counts=request.when.settled)

    def add(self, kind: str, seat: Seat, at: datetime, data: Mapping[str, object]) -> Table:
        """The table with one more entry."""
        number = len(self.game.journal) + len(self.entries) + 1
        entry = Entry(number, at, kind, seat, data)
        state = after(self.game, self.state, entry)
        before = self.state if kind == PLY else self.before
        return replace(self, state=state, entries=(*self.entries, entry), before=before)
