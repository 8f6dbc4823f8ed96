"""What lies on the table while a player's commands are carried out: the request, the game, the decision.

Values only, each command making a new table of the last; `play` says what a command does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from pbem.core.folding import after
from pbem.core.game import Game
from pbem.core.journal import PLY, Entry
from pbem.core.letters import Letter
from pbem.core.lines import Command
from pbem.core.state import Ply, State
from pbem.core.trial import Trial
from rules.contract import Seat


@dataclass(frozen=True)
class Request:
    """One mail's commands for one game: who asks, when, and from which letter.

    `comment` are words to the other player; `said` tells that they were meant to be said even where
    no ply carries them. `since` is the journal entry that the reply address belongs to, None where
    there was no such address; `at` is when our server accepted the mail (UTC, whole seconds).
    `above` are words that stood above the commands and go to nobody.
    """

    seat: Seat
    commands: Sequence[Command]
    comment: str
    said: bool
    at: datetime
    since: int | None
    site: str
    above: str = ""
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
    """What is to be kept and written. `asks_resign`: a confirmation goes with the `resign` letter."""

    entries: tuple[Entry, ...]
    state: State
    letters: tuple[Letter, ...]
    refused: str = ""
    asks_resign: bool = False
    """A resignation waits for a confirmation; the words that came with it wait too."""
    words: str = ""
    notes: tuple[str, ...] = ()
    """Private notes of whoever asked, to be kept apart from the journal."""
    filed: str = ""
    """What the operator is told of a refusal, where the sentence is for the player alone."""
    wait: timedelta = timedelta()
    """How long all of it waits before anybody else sees it; nothing has answered it yet."""


@dataclass(frozen=True)
class Table:
    """The game while commands are carried out one after another."""

    game: Game
    state: State
    entries: tuple[Entry, ...] = ()
    remarks: tuple[str, ...] = ()
    already: Ply | None = None
    asks_resign: bool = False
    looks: tuple[Command, ...] = ()
    trials: tuple[tuple[Command, Trial], ...] = ()
    notes: tuple[str, ...] = ()
    before: State | None = None
    """The state before the last ply, where that was made now."""
    planned: bool = False
    """Whether anything was said of a plan."""
    unsent: bool = False
    """Whether there are words that may have been meant for nobody, so that they went nowhere."""

    def add(self, kind: str, seat: Seat, at: datetime, data: Mapping[str, object]) -> Table:
        """The table with one more entry."""
        number = len(self.game.journal) + len(self.entries) + 1
        entry = Entry(number, at, kind, seat, data)
        state = after(self.game, self.state, entry)
        before = self.state if kind == PLY else self.before
        return replace(self, state=state, entries=(*self.entries, entry), before=before)
