"""A division for letters and pages: the cross table and the tie-breaks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.core.events.chances import can_reach, is_certain
from pbem.core.events.divisions import MOVING
from pbem.core.events.league import EventGame, division_results, division_table, games_left
from pbem.core.events.table import DRAW, FIRST, FORFEIT_LOSS, FORFEIT_WIN, SECOND, points_text
from pbem.core.players import is_bot_name

SIGNS = {FIRST: ("1", "0"), SECOND: ("0", "1"), DRAW: ("½", "½"), FORFEIT_WIN: ("+", "-")}
SIGNS[FORFEIT_LOSS] = ("-", "+")
"""A result as first and second seat read it in a cross table."""


def sign_of(game: EventGame, player: int) -> str:
    """Return a pairing's result as one player reads it, or ""."""
    return SIGNS.get(game.score or "", ("", ""))[game.first != player]


@dataclass(frozen=True)
class TableCell:
    """A player's result against another: `1 0 ½ + -`, "" while open, and `*` in the player's own cell."""

    sign: str
    game: int | None = None


@dataclass(frozen=True)
class TableLine:
    """A player's line of a cross table; `cells` are in the order of the lines."""

    place: int
    player: int
    name: str
    points: float
    sonneborn_berger: float
    cells: tuple[TableCell, ...]
    left: bool = False

    @property
    def points_text(self) -> str:
        return points_text(self.points)

    @property
    def berger_text(self) -> str:
        return points_text(self.sonneborn_berger)


@dataclass(frozen=True)
class Division:
    """A division of a season. `can_win` holds the names of players who can still be first on points.

    `can_go_up` holds the names of players who can still be promoted, none in the first division.
    """

    event: int
    title: str
    number: int
    divisions: int
    lines: tuple[TableLine, ...]
    can_win: tuple[str, ...]
    can_go_up: tuple[str, ...]
    games_left: int
    played: int = 0

    @property
    def name(self) -> str:
        return f"division {self.number}" if self.divisions > 1 else ""

    @property
    def winner(self) -> str:
        """The name of the player who is first whatever comes, or ""."""
        sure = not self.games_left or len(self.can_win) == 1
        return self.lines[0].name if sure and self.lines[0].points else ""

    @property
    def bots(self) -> tuple[str, ...]:
        return tuple(line.name for line in self.lines if is_bot_name(line.name))

    @property
    def has_forfeits(self) -> bool:
        return any(cell.sign in ("+", "-") for line in self.lines for cell in line.cells)

    @property
    def going_up(self) -> tuple[str, ...]:
        """The names of the players who would be promoted by the present table."""
        return self._moving(self.lines[:MOVING]) if self.number > 1 else ()

    @property
    def going_down(self) -> tuple[str, ...]:
        """The names of the players who would be relegated by the present table."""
        return self._moving(self.lines[-MOVING:]) if self.number < self.divisions else ()

    def _moving(self, lines: Sequence[TableLine]) -> tuple[str, ...]:
        return tuple(line.name for line in lines if not (line.left or is_bot_name(line.name)))

    def line_of(self, player: int) -> TableLine | None:
        return next((line for line in self.lines if line.player == player), None)


def show_division(
    event: int,
    title: str,
    place: tuple[int, int],
    players: Sequence[int],
    games: Sequence[EventGame],
    names: Mapping[int, str],
    gone: Sequence[int] = (),
) -> Division:
    """Make the division for letters and pages. `place` is its number and the number of divisions."""
    rows = division_table(players, games)
    order = [row.player for row in rows]
    cells = _cells(games)
    lines = tuple(
        TableLine(
            n,
            row.player,
            names[row.player],
            row.points,
            row.sonneborn_berger,
            tuple(
                TableCell("*") if other == row.player else cells.get((row.player, other), TableCell(""))
                for other in order
            ),
            row.player in gone,
        )
        for n, row in enumerate(rows, 1)
    )
    done, left = division_results(games), games_left(games)
    able = [player for player in order if player not in gone]

    def reach(best: int) -> tuple[str, ...]:
        return tuple(names[each] for each in able if can_reach(each, best, order, done, left))

    sure = bool(order) and bool(left) and is_certain(order[0], 1, order, done, left)
    can_win = () if not left else (names[order[0]],) if sure else reach(1)
    up = reach(MOVING) if left and place[0] > 1 else ()
    return Division(event, title, *place, lines, can_win, up, len(left), len(done))


@dataclass(frozen=True)
class DivisionNews:
    """A result of a division by name. `sign` is the first seat's."""

    first: str
    second: str
    sign: tuple[str, str]
    game: int | None

    @property
    def forfeit(self) -> bool:
        return "+" in self.sign

    @property
    def score(self) -> str:
        """The result in points, also of a forfeit."""
        return "-".join({"+": "1", "-": "0"}.get(sign, sign) for sign in self.sign)


def division_news(division: Division, games: Sequence[EventGame]) -> list[DivisionNews]:
    """Return these pairings' results by name, without pairings that count for nobody."""
    names = {line.player: line.name for line in division.lines}
    return [
        DivisionNews(names[each.first], names[each.second], SIGNS[each.score], each.game)
        for each in games
        if each.score in SIGNS
    ]


def _cells(games: Sequence[EventGame]) -> dict[tuple[int, int], TableCell]:
    """Return the cells by player and opponent; two games of a pair share one, with both results."""
    found = dict[tuple[int, int], TableCell]()
    for game in games:
        first, second = SIGNS.get(game.score or "", ("", ""))
        for pair, sign in (((game.first, game.second), first), ((game.second, game.first), second)):
            before = found.get(pair, TableCell(""))
            number = game.game or before.game if not sign else before.game or game.game
            found[pair] = TableCell(before.sign + sign, number)
    return found
