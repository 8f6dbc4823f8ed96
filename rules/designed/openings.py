"""Openings of several plies, after which it is settled who plays which side: `swap2` and `adopt`."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import Any, Literal, Self

from rules import notation
from rules.contract import Illegal, Move, Rules, Seat
from rules.copying import replaced
from rules.designed.stones import FromFile
from rules.draft import Choice, Draft
from rules.stone_reading import Cells

ADOPT: Move = "adopt"
"""The ply that takes the first side: the other player goes on with the second."""
Stage = Literal["", "three", "answer", "choice", "offer"]
COLOURS: Mapping[Stage, tuple[int, ...]] = {
    "three": (0, 1, 0),
    "answer": (1, 0),
    "choice": (1,),
    "offer": (0,),
}
"""By stage: the sides of the stones that are laid, in order."""
COUNTS: Mapping[Stage, tuple[int, ...]] = {
    "": (1,),
    "three": (3,),
    "answer": (1, 2),
    "choice": (1,),
    "offer": (1,),
}
"""By stage: the numbers of stones of a ply."""
_CELLS = re.compile(r"[a-z][0-9]{1,2}( [a-z][0-9]{1,2}){1,2}")
FEW = 7
"""The cells nearest to the middle that a search tries in plies of several stones."""


@dataclass(frozen=True)
class WithOpening(FromFile):
    """One position. The sides have no players until the opening is over."""

    stage: Stage = ""
    """The part of the opening that is due, "" once the sides are settled."""

    @classmethod
    def begin(cls, rules: Rules, options: Mapping[str, Any], seed: int = 0) -> Self:
        begun = super().begin(rules, options, seed)
        if options.get("pie") == "no":
            return begun
        stage: Stage = "three" if cls.design.opening == "swap2" else "offer"
        return replaced(begun, {"stage": stage, "outcome": None})

    @property
    def to_play(self) -> Seat | None:
        if not self.stage:
            return super().to_play
        return 1 if self.ply % 2 else 0

    def side(self, seat: Seat) -> str | None:  # type: ignore[override]
        return None if self.stage else super().side(seat)

    @property
    def may_adopt(self) -> bool:
        return self.stage in ("answer", "choice", "offer")

    def read(self, text: str) -> Move:
        line = " ".join(notation.words(text.lower())) if len(text) <= notation.MAX_LENGTH else ""
        if line == ADOPT:
            return ADOPT
        if _CELLS.fullmatch(line) and all(name in self.board.index for name in line.split()):
            return Cells(tuple(line.split()))
        return super().read(text)

    def problem(self, move: Move) -> str | None:
        if self.outcome:
            return self.over()
        if move == ADOPT:
            return None if self.may_adopt else f"adopt: nothing is on offer now; {self._due}"
        if isinstance(move, Cells) and move.cells and len(move.cells) not in COUNTS[self.stage]:
            return f"{move}: {self._due}"
        if not isinstance(move, Cells) or len(move.cells) < 2:
            return super().problem(move)
        if len(set(move.cells)) < len(move.cells):
            return f"{move}: each stone goes on a cell of its own."
        return next(
            filter(None, (super(WithOpening, self).problem(Cells((name,))) for name in move.cells)), None
        )

    @property
    def _due(self) -> str:
        """Return the due action as a whole sentence."""
        (one, first), (other, second) = self.players
        match self.stage:
            case "three":
                return f"The first player lays three stones: {first}, {second} and {first}."
            case "answer":
                return (
                    f"The second player says adopt and is {one}, or lays one {second} and is {other}, "
                    f"or lays {second} and {first}."
                )
            case "choice":
                return f"The first player says adopt and is {one}, or lays one {second} and is {other}."
            case "offer":
                return f"Lay a stone of {one}, or say adopt and be {one}."
        return f"{self.players[self.due][0]} {self.lays}."

    def follow(self, move: Move) -> Self:
        if not self.stage:
            return super().follow(move)
        cells, laid, stones = self.cells, list(self.laid), [*self.held]
        names = move.cells if isinstance(move, Cells) else ()
        for name, colour in zip(names, COLOURS[self.stage], strict=False):
            cell = self.board.index[name]
            cells = cells[:cell] + self.players[colour][1] + cells[cell + 1 :]
            laid[cell] = self.ply + 1
            stones[colour] |= 1 << cell
        made = replaced(self, self.after(1, (stones[0], stones[1]), cells, laid))
        made.__dict__.update(self._next(len(names)))
        if not made.stage:
            made.__dict__.update(made.ending(1 - made.due, stones[1 - made.due] if names else 0, 0))
        return made

    def _next(self, count: int) -> dict[str, Any]:
        """Return the stage after a ply of so many stones, 0 for `adopt`, or who has which side."""
        if not count:
            return {"stage": "", "swapped": self.ply % 2 == 1, "due": 1}
        if self.stage == "offer":
            return {"stage": "offer", "due": 0}
        if self.stage == "three" or count == 2:
            return {"stage": "answer" if self.stage == "three" else "choice", "due": 0}
        return {"stage": "", "swapped": self.stage == "choice", "due": 0}

    def moves(self) -> Iterator[Move]:
        names = self.playable()
        if self.outcome is None and self.may_adopt:
            yield ADOPT
        for count in COUNTS[self.stage]:
            yield from map(Cells, permutations(names, count))

    @property
    def complete(self) -> bool:
        return max(COUNTS[self.stage]) == 1

    def actions(self) -> Sequence[Move]:
        if self.complete:
            return list(self.moves())
        names = self._from_middle()
        several = [Cells(each) for each in permutations(names[:FEW], max(COUNTS[self.stage]))]
        if self.stage == "three":
            return several[::3]
        return [ADOPT, *(Cells((name,)) for name in names[: 4 * FEW]), *several]

    def _from_middle(self) -> list[str]:
        board, middle = self.board, self.board.xy[self.middle]
        return sorted(self.playable(), key=lambda name: board.grid.steps(board.xy[board.index[name]], middle))

    def sample(self, rng: Random) -> Move:
        if not self.stage or self.outcome:
            return super().sample(rng)
        names = self.playable()
        if self.may_adopt and (rng.random() < 0.3 or not names):
            return ADOPT
        count = min(rng.choice(COUNTS[self.stage]), len(names))
        return Cells(tuple(rng.sample(names, count)))

    def examples(self) -> list[str]:
        if not self.stage or self.outcome:
            return super().examples()
        names = self._from_middle()
        several = [" ".join(names[:count]) for count in COUNTS[self.stage] if count <= len(names)]
        return [*several[:2], *([str(ADOPT)] if self.may_adopt else [])]

    def notes(self) -> list[str]:
        return [self._due] if self.stage and not self.outcome else super().notes()

    def key(self) -> Hashable:
        return super().key(), self.stage, self.ply % 2

    def data(self) -> dict[str, Any]:
        return {**super().data(), "stage": self.stage}


def draft(position: WithOpening, text: str) -> Draft:
    """Compose a ply of one or several stones, or `adopt`. A click on a chosen cell takes its stone back."""
    counts, move = COUNTS[position.stage], None
    names = tuple(text.split()) if text.strip() != ADOPT else ()
    if text.strip():
        if names and len(names) < max(counts):
            _hold_free(position, names)
        if not names or len(names) in counts or len(names) > max(counts):
            move = position.read(text)
            position.play(move)
            names = move.cells if isinstance(move, Cells) else ()
    chosen = str(ADOPT) if move == ADOPT else " ".join(names)
    choices = [
        _choice(position, names, name, max(counts))
        for name in ([] if position.outcome else position.playable())
    ]
    if position.may_adopt and move != ADOPT:
        choices.append(Choice(str(ADOPT), f"Adopt: you are {position.players[0][0]} from now on"))
    hint = (
        "Send it, or choose something else." if move is not None else position.over() or position.notes()[0]
    )
    back = None if not chosen else " ".join(names[:-1])
    return Draft(chosen, tuple(choices), complete=move is not None, hint=hint, back=back)


def _hold_free(position: WithOpening, names: Sequence[str]) -> None:
    """Raise Illegal unless these cells are part of a ply."""
    free = set(position.playable())
    wrong = next((name for name in names if name not in free), None)
    if position.outcome or wrong or len(set(names)) < len(names):
        raise Illegal(position.over() or f"{' '.join(names)}: {wrong or 'a cell'} cannot be chosen here.")


def _choice(position: WithOpening, names: Sequence[str], name: str, most: int) -> Choice:
    if name in names:
        return Choice(
            " ".join(each for each in names if each != name), f"Take the stone back from {name}", name
        )
    kept = names if len(names) < most else names[:-1]
    return Choice(" ".join((*kept, name)), f"Lay a stone on {name}", name)
