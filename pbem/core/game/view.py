"""A game as one reader sees it, for letters and pages."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from random import Random

from pbem.core.clock.clock import Clock
from pbem.core.game.conditional import Branch, branch_rows
from pbem.core.game.fingerprint import fingerprint
from pbem.core.game.game import Game
from pbem.core.game.state import Ply, SpokenWords, State, offers_to
from pbem.core.game.writing import to_write
from pbem.core.players import Player
from rules.contract import Seat, other

EXAMPLES = 3
"""Legal plies shown to a player whose mail had none."""
SAMPLES = 20


@dataclass(frozen=True)
class View:
    """One game for one reader. Spectators have `seat` None; `is_earlier` marks an earlier board."""

    game: Game
    state: State
    seat: Seat | None
    reader: Player
    site: str
    is_earlier: bool = False

    @property
    def entry(self) -> int:
        return len(self.game.open_entries) - self.game.pending_entries

    @property
    def plan(self) -> list[tuple[str, Branch]]:
        """The reader's conditional moves for the other's next ply."""
        planned = None if self.seat is None or self.state.ending else self.state.conditional_moves[self.seat]
        return list(branch_rows(planned.plan)) if planned and planned.ply == len(self.state.plies) else []

    @property
    def offers(self) -> list[str]:
        return [] if self.seat is None else offers_to(self.state, self.seat)

    @property
    def ordered(self) -> str:
        """The reader's standing orders in words, in games with such."""
        orders = None if self.seat is None or self.state.ending else self.state.standing[self.seat]
        if self.seat is None or orders is None:
            return ""
        return self.state.position.still_ordered(self.seat, orders)

    @property
    def opponent(self) -> Player:
        return self.game.seats[other(self.seat or 0)]

    @property
    def to_play(self) -> Player | None:
        seat = self.state.to_play
        return None if seat is None else self.game.seats[seat]

    @property
    def your_turn(self) -> bool:
        return self.seat is not None and self.state.to_play == self.seat

    @property
    def your_side(self) -> str | None:
        return None if self.seat is None else self.state.position.side(self.seat)

    @property
    def clock(self) -> Clock | None:
        """Both clocks; None without a clock, or on an earlier board."""
        without = self.game.time_control.bank is None or self.state.ending or self.is_earlier
        return None if without else self.game.clock

    @property
    def deadline(self) -> datetime | None:
        return self.clock.deadline(self.game.stops) if self.clock else None

    @property
    def examples(self) -> tuple[str, ...]:
        return self.state.examples

    @cached_property
    def three_examples(self) -> list[str]:
        """Return up to three legal plies: the game's examples, then fixed samples."""
        texts, rng = dict.fromkeys(self.examples), Random(self.state.position.ply)
        for _ in range(SAMPLES):
            if texts and len(texts) < EXAMPLES:
                texts[to_write(self.state.position, self.state.position.sample(rng))] = None
        return list(texts)

    @property
    def next_ply(self) -> int:
        return self.state.position.ply + 1

    @property
    def last_ply(self) -> Ply | None:
        return self.state.plies[-1] if self.state.plies else None

    @property
    def winner(self) -> Player | None:
        ending = self.state.ending
        return None if ending is None or ending.winner is None else self.game.seats[ending.winner]

    @property
    def you_won(self) -> bool:
        ending = self.state.ending
        return ending is not None and self.seat is not None and ending.winner == self.seat

    @property
    def plies_to_take_back(self) -> list[Ply]:
        asked = self.state.offers.get("undo")
        return [] if asked is None else self.plies_after(asked.entry.data["to"] - 1)

    def taken_back_after(self, entry: int) -> list[Ply]:
        return [taken.ply for taken in self.state.taken_back if taken.entry > entry]

    def name(self, seat: Seat) -> str:
        return self.game.seats[seat].name

    def plies_after(self, entry: int) -> list[Ply]:
        return [ply for ply in self.state.plies if ply.entry > entry]

    def said_after(self, entry: int) -> list[SpokenWords]:
        return [said for said in self.state.said if said.entry > entry]

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint(self.game, self.state.plies, self.site)[:8]


def view(game: Game, seat: Seat, site: str) -> View:
    return view_for_reader(game, game.seats[seat], site)


def view_for_reader(game: Game, reader: Player, site: str) -> View:
    game = game.as_seen_by(game.seat_of(reader))
    return View(game, game.state, game.seat_of(reader), reader, site)
