"""Games of joining: groups are kept with the goals that they touch, such as edges, corners and islands.

Sets of cells and of goals are stored as bits.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any, NamedTuple, Self, TypeVar

from rules.board import AROUND, Board, joints, ring, slanted_labels
from rules.contract import Outcome
from rules.grids import Place, Point
from rules.notation import join_words
from rules.picture import Label, Line, Picture
from rules.stone_placement import LOOKS, OneStone
from rules.stone_placement import draw as draw_stones

EITHER = (1, 1)
"""The value of a figure with which each colour wins."""


class Group(NamedTuple):
    """Connected stones of one colour: their cells and the goals that they touch, as bits."""

    cells: int
    touched: int


class Figure(NamedTuple):
    """Goals that one group may touch together, and the effect for each colour."""

    name: str
    """The name behind `has`: `a chain from top to bottom`."""
    goals: int
    value: tuple[int, int] = EITHER
    """By colour: 1 if a player wins with it, -1 if a player loses with it, 0 for nothing."""


RING = "a ring"


@dataclass(frozen=True, eq=False)
class Goals:
    """A board with its goals. Goals are cached, so the same setup is one object."""

    board: Board
    islands: tuple[tuple[Place, ...], ...]
    """The places beside the board of each goal that is drawn. Places and goals are in clockwise order."""
    coasts: tuple[tuple[Point, Point], ...]
    """The two ends of each drawn goal in a drawing."""
    near: tuple[int, ...]
    shore: tuple[int, ...]
    """By cell: the neighbouring cells (`near`) and the goals that it touches (`shore`), as bits."""
    from_middle: tuple[int, ...]
    """All cells, those nearest to the middle of the board first."""
    figures: tuple[Figure, ...] = ()
    rings: bool = False
    """True if each colour wins with a group that goes round a cell."""
    is_settled: bool = True
    """True if on every full board just one colour has a figure with which it wins."""
    noun: str = "island"
    names: tuple[str, ...] = ()
    """The goals' names, if the words for them are not `noun` and a number."""
    owners: tuple[int, int] = (-1, -1)
    """By colour: the goals that matter to it."""
    linked: bool = False
    """True if a goal joins the groups of its owner that touch it."""
    signs: tuple[str, ...] = ()
    """The signs of drawn goals on a board of text, if they are not numbers."""
    legend: tuple[tuple[str, str], ...] = ()
    room: int = 0
    """The places between the cells and the letters on a board of text, 0 without islands."""
    labels: tuple[Label, ...] = ()
    """Row numbers and letters, if they are not the usual ones."""

    def join(self, groups: Sequence[Group], cell: int, colour: int = 0) -> tuple[Group, ...]:
        """Return a colour's groups with a stone on `cell` added. The new or joined group is the first."""
        near, cells, touched = self.near[cell], 1 << cell, self.shore[cell]
        link = touched & self.owners[colour] if self.linked else 0
        beside = [group for group in groups if group.cells & near or group.touched & link]
        for group in beside:
            cells, touched = cells | group.cells, touched | group.touched
        if beside:
            groups = [group for group in groups if not (group.cells & near or group.touched & link)]
        return (Group(cells, touched), *groups)

    def closes(self, groups: Sequence[Group], cell: int) -> bool:
        """True if a stone on `cell` makes a ring of these groups, of the same colour."""
        stones = 1 << cell | sum(group.cells for group in groups)
        around = [1 << beside if beside >= 0 else 0 for beside in self.board.around[cell]]
        starts = [
            bit
            for before, bit in zip(around[-1:] + around, around, strict=False)
            if bit & stones and not before & stones
        ]
        if any(sum(bool(group.cells & bit) for bit in starts) > 1 for group in groups):
            return True
        return any(
            self.near[other].bit_count() == len(around) and not self.near[other] & ~stones
            for other in (cell, *(beside for beside in self.board.near[cell] if stones >> beside & 1))
        )

    def made(self, touched: int) -> tuple[Figure, ...]:
        return _made(self, touched)

    def told(self, touched: int) -> str:
        """Return goals in words: `islands 3 and 4`, or ""."""
        goals = indices(touched)
        if self.names or not goals:
            return join_words(self.names[goal] for goal in goals)
        return f"{self.noun}{'s' if len(goals) > 1 else ''} {join_words(goal + 1 for goal in goals)}"


@cache
def _made(goals: Goals, touched: int) -> tuple[Figure, ...]:
    return tuple(figure for figure in goals.figures if touched & figure.goals == figure.goals)


def indices(bits: int) -> list[int]:
    return [index for index in range(bits.bit_length()) if bits >> index & 1]


def bits(indices: Iterable[int]) -> int:
    return sum(1 << index for index in indices)


GoalsT = TypeVar("GoalsT", bound=Goals)


def with_goals(board: Board, shore: Sequence[int], kind: type[GoalsT], **named: Any) -> GoalsT:
    """Return a board with the goals that each cell touches (bits). `named` has other fields."""
    middle_x, middle_y = (sum(values) / len(board) for values in zip(*board.xy, strict=True))
    off_middle = [(x - middle_x) ** 2 + 3 * (y - middle_y) ** 2 for x, y in board.xy]  # squares of distances
    return kind(
        **{"islands": (), "coasts": (), **named},
        board=board,
        near=tuple(map(bits, board.near)),
        shore=tuple(shore),
        from_middle=tuple(sorted(range(len(board)), key=off_middle.__getitem__)),
    )


def surround(board: Board, lengths: Iterable[int], kind: type[GoalsT], **named: Any) -> GoalsT:
    """Add islands to `board`, clockwise from its first cell. `lengths` are their numbers of ring places."""
    places = iter(ring(board))
    islands = tuple(tuple(next(places) for _ in range(length)) for length in lengths)
    island_at = {place: index for index, island in enumerate(islands) for place in island}
    shore = []
    for x, y in board.xy:
        beside = {island_at[place] for dx, dy in AROUND if (place := (x + dx, y + dy)) in island_at}
        shore.append(bits(beside))
    coasts = tuple(_coast(island, board) for island in islands)
    return with_goals(board, shore, kind, islands=islands, coasts=coasts, **named)


NEARER = 0.84
"""The place of an island's line, from its cells (0) to its places in the ring (1)."""
STRAIT = 0.36
"""The distance between an island's end and the middle of the cell shared with the next, in steps."""


def _coast(island: tuple[Place, ...], board: Board) -> tuple[Point, Point]:
    """Return an island's two ends in a drawing, short of the cells that it shares with its neighbours."""
    (first_x, first_y), (last_x, last_y) = island[0], island[-1]
    beside = [(dx, dy) for dx, dy in AROUND if (first_x + dx, first_y + dy) in board.xy]
    if beside == [AROUND[0], AROUND[5]]:  # `AROUND` is clockwise and begins between these two
        beside.reverse()
    (far_x, far_y), (near_x, near_y) = beside  # along the ring the second is met first
    in_x, in_y = ((near + far) / 2 * (1 - NEARER) for near, far in ((near_x, far_x), (near_y, far_y)))
    on_x, on_y = ((far - near) * (0.5 - STRAIT) for near, far in ((near_x, far_x), (near_y, far_y)))
    return (first_x + in_x - on_x, first_y + in_y - on_y), (last_x + in_x + on_x, last_y + in_y + on_y)


@dataclass(frozen=True)
class Joining(OneStone):
    """A position of such a game, with its groups stored so that no ply searches the whole board."""

    groups: tuple[tuple[Group, ...], tuple[Group, ...]] = field(default=((), ()), compare=False, repr=False)
    """The groups of each colour."""
    latest: Group = field(default=Group(0, 0), compare=False, repr=False)
    """The group of the last stone, or an empty group before the first ply."""
    has_ring: bool = field(default=False, compare=False, repr=False)

    @staticmethod
    @abstractmethod
    def goals_of(options: Mapping[str, Any]) -> Goals:
        """Return the board that the options ask for, with its goals."""

    @classmethod
    def board_of(cls, options: Mapping[str, Any]) -> Board:
        return cls.goals_of(options).board

    @cached_property
    def goals(self) -> Goals:
        return self.goals_of(self.options)

    def settled(self) -> Joining:
        """Return the position from which a playout lays stones, if sides must be chosen first."""
        return self

    def lay(self, names: Iterable[str], content: str, **changes: Any) -> Self:
        (name,), (one, other), goals = names, self.groups, self.goals
        cell, colour = self.board.index[name], int(content == self.players[1][1])
        own = goals.join(self.groups[colour], cell, colour)
        more = {"has_ring": goals.closes(self.groups[colour], cell)} if goals.rings else {}
        groups = (one, own) if colour else (own, other)
        return super().lay((name,), content, groups=groups, latest=own[0], goals=goals, **more, **changes)

    @property
    def last_colour(self) -> int:
        cell = (self.latest.cells & -self.latest.cells).bit_length() - 1
        return int(self.cells[cell] == self.players[1][1])

    def judge(self) -> Outcome | None:
        """Return the outcome, or None. The last stone's group alone can have a new figure."""
        made = self.goals.made(self.latest.touched)
        if not made and not self.has_ring:
            return None
        colour = self.last_colour
        won = [figure.name for figure in made if figure.value[colour] > 0] + [RING] * self.has_ring
        lost = [figure.name for figure in made if figure.value[colour] < 0]
        side, rival = self.players[colour][0], self.players[1 - colour][0]
        if won:
            return Outcome(self.seat(colour), side, f"{side} wins: has {_and(won)}")
        if not lost:
            return None
        wanted = [figure.name for figure in self.goals.figures if figure.value[colour] > 0]
        reason = f"{rival} wins: {side} has {_and(lost)} without {_and(wanted)}"
        return Outcome(self.seat(1 - colour), rival, reason)

    @property
    def last(self) -> tuple[int, ...]:
        """Return the cell of the last stone, even if the last ply was a word."""
        return (self.laid.index(max(self.laid)),) if any(self.laid) else ()

    @property
    def middle(self) -> int:
        return self.goals.from_middle[0]

    def instead(self, cell: int) -> str:
        board, wanted = self.board, self.open
        free = [board.names[other] for other in board.near[cell] if wanted[other]]
        beside = sorted(free, key=lambda name: (name[0], int(name[1:])))
        if self.may_swap:
            return f"; the word swap makes it yours, and {join_words(beside)} beside it are empty"
        if beside:
            return f"; beside it {join_words(beside)} {'is' if len(beside) == 1 else 'are'} empty"
        nearest = board.nearest(board.xy[cell], wanted)
        return "" if nearest is None else f"; the nearest empty cell is {board.names[nearest]}"

    def examples(self) -> list[str]:
        if self.outcome:
            return []
        cell = next(cell for cell in self.goals.from_middle if self.open[cell])
        return [self.board.names[cell], *(["swap"] if self.may_swap else [])]

    @property
    def won(self) -> frozenset[int]:
        """Return the cells of the group that ended the game."""
        return frozenset(indices(self.latest.cells) if self.outcome and self.outcome.side else ())

    @property
    def deciding(self) -> str:
        """Return `winning` or `losing`, for the group that ended the game."""
        assert self.outcome
        return "winning" if self.outcome.side == self.players[self.last_colour][0] else "losing"

    @property
    def glyphs(self) -> list[str] | str:
        """Return the stones. At the end those of the group's colour outside the group are small letters."""
        if not self.won:
            return self.cells
        own, won = self.players[self.last_colour][1], self.won
        return [
            held.lower() if held == own and cell not in won else held for cell, held in enumerate(self.cells)
        ]

    def stones(self) -> list[tuple[str, list[str]]]:
        if not self.won:
            return super().stones()
        group = f"{self.deciding.capitalize()} group", [self.board.names[cell] for cell in sorted(self.won)]
        return [*super().stones(), group]

    def touched(self, name: str) -> str:
        cell = self.board.index[name]
        for own, groups in zip(self.goals.owners, self.groups, strict=True):
            for group in groups:
                if group.cells >> cell & 1:
                    return self.goals.told(group.touched & own)
        return ""


def _and(names: Iterable[str]) -> str:
    return join_words(dict.fromkeys(names))


def draw(position: Joining) -> Picture:
    goals, won = position.goals, position.won
    joined = position.latest.touched & goals.owners[position.last_colour] if won else 0
    looks = [
        "joined" if joined >> island & 1 else _look(position, island) for island in range(len(goals.islands))
    ]
    signs = goals.signs or tuple(str(island + 1) for island in range(len(goals.islands)))
    texts = [sign if sign.isdigit() else "" for sign in signs]
    lines = [Line(*each) for each in zip(looks, goals.coasts, texts, strict=True)]  # type: ignore[arg-type]
    lines += [Line("route", ends) for ends in joints(goals.board, won)]
    legend = [(glyph, f"a {side.lower()} stone") for side, glyph in sorted(position.players)]
    legend += goals.legend
    if won:
        side, glyph = position.players[position.last_colour]
        legend.append((glyph.lower(), f"a {side.lower()} stone outside the {position.deciding} group"))
    return draw_stones(position, {"x": "dark", "o": "light"}, legend, lines, _labels(goals, signs))


def _look(position: Joining, island: int) -> str:
    """Return the look of a goal: that of its owner, if just one colour has it."""
    owned = [own >> island & 1 for own in position.goals.owners]
    return "island" if all(owned) else f"{LOOKS[position.players[owned[1]][1]]}-side"


@cache
def _labels(goals: Goals, signs: tuple[str, ...]) -> tuple[Label, ...]:
    names = (
        Label("island", sign, x, y)
        for sign, island in zip(signs, goals.islands, strict=True)
        for x, y in island
    )
    if goals.labels:
        return (*goals.labels, *names)
    if not goals.room:
        return slanted_labels(goals.board)
    near, far = (slanted_labels(goals.board, room=places) for places in (1, goals.room))
    drawn = (
        replace(label, at=close.at, x=label.x - (3 - goals.room if label.kind == "row" else 0))
        for label, close in zip(far, near, strict=True)
    )
    return (*drawn, *names)
