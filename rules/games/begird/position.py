"""One situation of Begird: what may be played, what follows, what is told of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rules import notation, placing
from rules.board import steps
from rules.contract import ByTurns, Draft, Illegal, Move, Outcome, Rules, Seat
from rules.games.begird.drawing import draw
from rules.games.begird.ground import Ground, Group, indices
from rules.picture import Picture
from rules.pie import SWAP, Swap, swap_problem
from rules.placing import Stone

if TYPE_CHECKING:
    from random import Random

SIDES = ("Black", "White")
"""By colour, 0 or 1. The first stone is black, and from there the colours alternate, swap or not."""


@dataclass(frozen=True)
class BegirdPosition(ByTurns):
    """One situation: the cells in the order in which stones were laid, and whether sides were swapped.

    The rest follows from these and is carried along, so that no ply looks at the whole board.
    """

    options: Mapping[str, Any]
    placed: bytes
    """The cell of every stone; those with an even index are black."""
    swapped: bool
    ground: Ground = field(compare=False, repr=False)
    ply: int = field(compare=False)
    groups: tuple[tuple[Group, ...], tuple[Group, ...]] = field(compare=False, repr=False)
    """Black's and White's; the group of the last stone is its colour's first."""
    outcome: Outcome | None = field(compare=False)

    @property
    def rules(self) -> Rules:  # type: ignore[override]
        from rules.games.begird import RULES  # which needs this module

        return RULES

    def side(self, seat: Seat) -> str:
        return SIDES[1 - seat if self.swapped else seat]

    def read(self, text: str) -> Move:
        board = self.ground.board
        return placing.stones(board).get(text) or placing.read(board, "Begird", self.ground.middle, text)

    # ------------------------------------------------------------------------------------- legality

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return self.over()
        if isinstance(move, Stone):
            return self._stone_problem(move.cell)
        if isinstance(move, Swap):
            return self._swap_problem()
        return f"{move} is no move of Begird."

    def _stone_problem(self, name: str) -> str | None:
        board = self.ground.board
        cell = board.index.get(name)
        if cell is None:
            return notation.no_such_slanted_cell(board, name)
        if cell not in self.placed:
            return None
        return f"{name} is taken ({self.words(cell)}); {self._instead(cell)}."

    def _instead(self, cell: int) -> str:
        """What may be played in place of a taken cell."""
        board = self.ground.board
        free = [board.names[other] for other in board.near[cell] if other not in self.placed]
        beside = sorted(free, key=lambda name: (name[0], int(name[1:])))
        if self.ply == 1:
            return f"the word swap makes it yours, and {notation.listed(beside)} beside it are empty"
        if beside:
            return f"beside it {notation.listed(beside)} {'is' if len(beside) == 1 else 'are'} empty"
        nearest = min(self.empty, key=lambda other: steps(board.xy[other], board.xy[cell]))
        return f"the nearest empty cell is {board.names[nearest]}"

    def _swap_problem(self) -> str | None:
        sentence = swap_problem(self.ply)
        if sentence is None:
            return None
        return f"{sentence[:-1]}; now {self._due()}."

    def _due(self) -> str:
        """What the seat to play owes, as the end of a sentence."""
        return f"{SIDES[len(self.placed) % 2]} lays one stone on an empty cell"

    # ------------------------------------------------------------------------------------- playing

    def follow(self, move: Move) -> BegirdPosition:
        ply = self.ply + 1
        if isinstance(move, Swap):
            return BegirdPosition(self.options, self.placed, True, self.ground, ply, self.groups, None)
        if not isinstance(move, Stone):
            raise Illegal(f"{move} is no move of Begird.")
        cell = self.ground.board.index[move.cell]
        colour = len(self.placed) % 2
        black, white = self.groups
        own = self.ground.joined(white if colour else black, cell)
        outcome = None
        if self.ground.wins(own[0].islands):
            outcome = self._won(colour, own[0])
        return BegirdPosition(
            self.options,
            self.placed + bytes((cell,)),
            self.swapped,
            self.ground,
            ply,
            (black, own) if colour else (own, white),
            outcome,
        )

    def _won(self, colour: int, group: Group) -> Outcome:
        """A group joins at least half of three more than there are islands, and three of them."""
        winner: Seat = 1 if (colour == 1) != self.swapped else 0
        run = self.ground.run(group.islands)
        side = SIDES[colour]
        return Outcome(winner, side, f"{side} joins islands {_numbers(group.islands)}: a run of {run}")

    @property
    def empty(self) -> bytes:
        """The cells without a stone, in reading order."""
        return self.ground.cells.translate(None, self.placed)

    def moves(self) -> Iterator[Move]:
        if self.outcome:
            return
        for name in self.playable():
            yield Stone(name)
        if self.ply == 1:
            yield SWAP

    def sample(self, rng: Random) -> Move:
        if self.outcome:
            raise Illegal(self.problem(SWAP) or "")
        if self.ply == 1 and rng.random() < 0.3:
            return SWAP
        return Stone(self.ground.board.names[rng.choice(self.empty)])

    def playable(self) -> list[str]:
        if self.outcome:
            return []
        names = self.ground.board.names
        return [names[cell] for cell in self.empty]

    def examples(self) -> list[str]:
        """The empty cell nearest to the middle, and `swap` where it is open."""
        if self.outcome:
            return []
        board = self.ground.board
        names = [board.names[min(self.empty, key=self.ground.outwards.__getitem__)]]
        return [*names, "swap"] if self.ply == 1 else names

    def draft(self, text: str) -> Draft:
        side = SIDES[len(self.placed) % 2].lower()
        swap = "the stone stays black, and it is yours" if self.ply == 1 else ""
        return placing.draft(self, text, f"a {side} stone", swap)

    # ------------------------------------------------------------------------------------- telling

    def data(self) -> dict[str, Any]:
        names = self.ground.board.names
        return {
            "game": "begird",
            "options": dict(self.options),
            "stones": [names[cell] for cell in self.placed],
            "swapped": self.swapped,
        }

    def notes(self) -> list[str]:
        if self.outcome:
            return []
        due = f"{self._due()}."
        if self.ply == 1:
            return [
                due,
                "Or swap: the stone stays black, second is Black from now on, and first plays on as White.",
            ]
        told = [due, *self._standing()]
        if self.swapped and self.ply == 2:
            return ["Ply 2 was swap: second is Black from now on, and first is White.", *told]
        return told

    def _standing(self) -> list[str]:
        """How far the widest group of each colour reaches."""
        run = self.ground.run
        widest = [max((group.islands for group in own), key=run, default=0) for own in self.groups]
        if not any(widest):
            return []
        told = [
            f"{side} {run(islands)}"
            + (f" (island{'s' if islands & islands - 1 else ''} {_numbers(islands)})" if islands else "")
            for side, islands in zip(SIDES, widest, strict=True)
        ]
        return [f"Widest runs so far: {', '.join(told)}; {self.ground.needed} wins."]

    def stones(self) -> list[tuple[str, list[str]]]:
        lists = [("Black (X)", self._named(0)), ("White (O)", self._named(1))]
        if self.outcome:
            names = self.ground.board.names
            lists.append(("Winning group", [names[cell] for cell in self.winning]))
        return [(label, names) for label, names in lists if names]

    def _named(self, colour: int) -> list[str]:
        names = self.ground.board.names
        return [names[cell] for cell in sorted(self.placed[colour::2])]

    @property
    def last(self) -> int | None:
        """The cell of the last ply; of the first stone when it was `swap`."""
        return self.placed[-1] if self.placed else None

    @property
    def winner(self) -> int | None:
        """The colour that has won, 0 or 1."""
        return (len(self.placed) - 1) % 2 if self.outcome else None

    @property
    def joined(self) -> int:
        """The islands that the winning group touches, as bits; 0 before the end."""
        return 0 if self.winner is None else self.groups[self.winner][0].islands

    @property
    def winning(self) -> list[int]:
        """The cells of the winning group, in reading order; none before the end."""
        return [] if self.winner is None else indices(self.groups[self.winner][0].cells)

    def words(self, cell: int) -> str:
        """What lies on a cell, in words."""
        number = self.placed.find(cell)
        if number < 0:
            return "empty"
        ply = number + 1 + (self.swapped and number > 0)
        return f"a {SIDES[number % 2].lower()} stone, ply {ply}"

    def draw(self) -> Picture:
        return draw(self)


def _numbers(islands: int) -> str:
    """The islands of these bits as players count them: `4, 11 and 13`."""
    return notation.listed(index + 1 for index in indices(islands))
