"""A designer's file as values: what its lines say, checked one by one, before a board is made."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Shape = Literal["rhombus", "triangle", "hexagon", "square", "rectangle"]
HEXES = frozenset({"rhombus", "triangle", "hexagon", "rectangle"})
MAX_CELLS = 400
MAX_LETTERS = 26
EDGES: Mapping[str, tuple[str, ...]] = {
    "rhombus": ("bottom", "top", "left", "right"),
    "square": ("bottom", "top", "left", "right"),
    "rectangle": ("bottom", "top", "left", "right"),
    "triangle": (),
    "hexagon": (),
}
"""The edges that have names, in the order of their bits. Those of other boards are counted alone."""
NUMBER_OF_EDGES: Mapping[str, int] = {"triangle": 3, "hexagon": 6}


@dataclass(frozen=True)
class Size:
    """A number, or an option for one: its usual value, all its values, and those of rated games."""

    usual: int
    values: tuple[int, ...]
    rated: tuple[int, int] | None = None

    @property
    def is_option(self) -> bool:
        return len(self.values) > 1


@dataclass(frozen=True)
class BoardLine:
    """One line `board`."""

    shape: Shape
    word: str
    """The name of its option, `side` or `size`; "" if the sides are fixed."""
    size: Size
    other: int = 0
    """The second of two sides of a hexagon, or the cells of a rectangle's odd rows; 0 for none."""
    even: int = 0
    """The cells of a rectangle's even rows."""
    islands: int = 0
    lengths: tuple[int, ...] = ()
    """The ring places of the islands, repeated; () if all are equal."""
    owners: tuple[str, ...] = ()
    """The names of the sides that own the islands by turns, () if nobody does."""
    corners_apart: bool = False
    eight: bool = False

    def cells(self, size: int) -> int:
        """Return the number of cells, without making the board."""
        if self.shape == "triangle":
            return size * (size + 1) // 2
        if self.shape == "hexagon":
            cut = (self.other or size) - 1  # a triangle without its three corners
            whole = size + 2 * cut
            return (whole * (whole + 1) - 3 * cut * (cut + 1)) // 2
        if self.shape == "rectangle":
            odd, even = self.row_lengths(size)
            return (size + 1) // 2 * odd + size // 2 * even
        return size * size

    def letters(self, size: int) -> int:
        if self.shape == "hexagon":
            return size + (self.other or size) - 1
        if self.shape == "rectangle":
            odd, even = self.row_lengths(size)
            return max(odd, even - 1) + size // 2
        return size

    def longest(self, size: int) -> int:
        """Return the cells of the longest straight line."""
        return max(self.row_lengths(size)) if self.shape == "rectangle" else self.letters(size)

    def row_lengths(self, size: int) -> tuple[int, int]:
        """Return the cells of odd and of even rows of a rectangle."""
        return (self.other, self.even) if self.other else (size - 2, size - 1)


Whose = Literal["own", "rival", "any"]


@dataclass(frozen=True)
class Where:
    """A condition on an empty cell: as many own as rival stones beside it, or a number of them."""

    kind: Literal["equal", "number", "takes", "edge", "inside"]
    least: int = 0
    most: int = 0
    whose: Whose = "any"


@dataclass(frozen=True)
class Goal:
    """One line `wins`. `side` is the name of the only side that it serves, or ""."""

    kind: Literal["edges", "many edges", "corners", "opposite", "half", "ring", "row", "far", "bare"]
    line: int = 0
    side: str = ""
    number: int = 0
    exact: bool = False
    edges: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class WayLine:
    """One line `moves` or `takes` of men: a step, a slide or a jump, and its directions."""

    kind: Literal["step", "slide", "jump"]
    ways: str


Taking = Literal["", "surrounded", "turned", "removed"]
Never = Literal["no room", "board before", "earlier board"]
Stuck = Literal["", "loses", "passes", "ends"]
Score = Literal["", "stones", "regions"]
Tie = Literal["largest", "number", "fewer", "first", "second", "draw"]
Opening = Literal["", "swap", "swap2", "adopt"]


@dataclass(frozen=True)
class Design:
    """A whole file."""

    name: str
    designer: str
    year: int
    """0 if it is not known."""
    terms: str
    summary: str
    boards: tuple[BoardLine, ...]
    note: str = ""
    sides: tuple[tuple[str, str], tuple[str, str]] = (("Black", "X"), ("White", "O"))
    start: str | tuple[tuple[str, str], ...] = ""
    """"rows N", "four", or cells with the names of their sides; "" for an empty board."""
    men: bool = False
    """True if pieces move, False if stones are laid."""
    where: tuple[Where, ...] = ()
    moves: tuple[WayLine, ...] = ()
    takes: tuple[WayLine, ...] = ()
    taking: Taking = ""
    must_take: bool = False
    never: tuple[Never, ...] = ()
    goals: tuple[Goal, ...] = ()
    stuck: Stuck = ""
    score: Score = ""
    ties: Mapping[str, tuple[Tie, ...]] = field(default_factory=dict, hash=False)
    """By name of a scoring: what is compared after the score. "" is the only name if none is given."""
    opening: Opening = ""
    opening_may_be_none: bool = False
    swap_with: str = ""
    """The scoring with which `pie` is yes if nothing is said, "" for all."""
    max_plies: int = 0
    """The ply after which a game is a draw, 0 for none."""
    repeats: int = 0
    """The number of times that a board makes a draw, 0 for none."""

    @property
    def hexes(self) -> bool:
        return self.boards[0].shape in HEXES

    @property
    def limits(self) -> bool:
        """True if an empty cell may be shut."""
        return bool(self.where or self.never or self.must_take)

    @property
    def remembers(self) -> bool:
        """True if earlier boards matter."""
        return bool({"board before", "earlier board"} & {*self.never} or self.repeats)
