"""A designed game in words: its rules, its turn and its reasons, all made from the phrases of the file."""

from collections.abc import Iterator, Mapping
from html import escape

from rules.designed.forms import either
from rules.designed.goals import figure
from rules.designed.phrases import MANY
from rules.designed.plan import BoardLine, Design, Goal, Size, WayLine, Where
from rules.notation import join_words

NEVER_TOLD: Mapping[str, str] = {
    "no room": "the new group would have no empty cell beside it",
    "board before": "it would make the board again as it was before the last move",
    "earlier board": "it would make a board that was there before",
}
_SHAPES: Mapping[str, str] = {
    "rhombus": "a rhombus of hexes",
    "triangle": "a triangle of hexes",
    "hexagon": "a hexagon of hexes",
    "square": "a square of squares",
    "rectangle": "a rectangle of hexes",
}
_TAKING: Mapping[str, str] = {
    "": "Stones stay where they lie.",
    "surrounded": "Rival groups that have no empty cell beside them then are taken off the board.",
    "turned": "Rival stones in a straight row without a gap, between it and another own stone, then turn.",
    "removed": "Rival stones in a straight row without a gap, between it and another own one, are taken off.",
}
_TIES: Mapping[str, str] = {
    "largest": "the largest region of each side",
    "number": "the number of regions",
    "fewer": "the stones on the board, of which fewer are better",
    "first": "the first stone, whose player wins",
    "second": "half a point for the second player",
    "draw": "nothing more, so that the game is a draw",
}


def told_where(where: Where) -> str:
    """Return a condition behind `a stone goes where`."""
    match where.kind:
        case "equal":
            return "as many own as rival stones lie beside it"
        case "takes":
            return "it takes something"
        case "edge":
            return "the board ends beside it"
        case "inside":
            return "the board does not end beside it"
    whose = {"own": "own stones", "rival": "rival stones", "any": "stones of either side"}[where.whose]
    if where.most == 0:
        return f"no {whose} lie beside it"
    if where.most == MANY:
        return f"{where.least} or more {whose} lie beside it"
    return f"{'at most ' if where.least < where.most else 'exactly '}{where.most} {whose} lie beside it"


def paragraphs(design: Design) -> list[str]:
    """Return the rules in words, without the designer's own note."""
    (one, first), (other, second) = design.sides
    neighbours = "A cell touches up to six others."
    if not design.hexes:
        count = "eight" if design.boards[0].eight else "four"
        neighbours = f"A cell touches up to {count} squares{', not those aslant' * (count == 'four')}."
    parts = [" ".join([*(f"The board is {told_board(board)}." for board in design.boards), neighbours])]
    parts.append(
        " ".join((f"{one} ({first}) begins, and {other} ({second}) is the other side.", *_turn(design)))
    )
    parts.append(" ".join(_ends(design)))
    parts.append(" ".join(_opening(design)))
    return [part for part in parts if part]


def told_board(board: BoardLine) -> str:
    size = board.size
    if board.even:
        shape = (
            f"{_SHAPES[board.shape]} with {size.usual} rows of {board.other} and {board.even} cells by turns"
        )
    elif board.shape == "rectangle":
        shape = f"{_SHAPES[board.shape]} with {_told_size(size)} rows, one and two cells shorter by turns"
    elif board.other:
        shape = f"{_SHAPES[board.shape]} with sides of {size.usual} and {board.other} cells by turns"
    else:
        shape = f"{_SHAPES[board.shape]} with {_told_size(size)} cells along a side"
    if board.islands:
        owners = f", {' and '.join(board.owners)} owning them by turns" if board.owners else ""
        shape += f", with {board.islands} islands round it{owners}"
    return shape


def _told_size(size: Size) -> str:
    if not size.is_option:
        return str(size.usual)
    values = size.values
    every = values == tuple(range(values[0], values[-1] + 1))
    told = f"{values[0]} to {values[-1]}" if every else either([*map(str, values)])
    return f"{told} (usually {size.usual})"


def _turn(design: Design) -> Iterator[str]:
    if isinstance(design.start, str) and design.start.startswith("rows"):
        yield f"Both sides begin with {design.start.split()[1]} rows of pieces, the first side at the bottom."
    elif design.start:
        crossed = design.start == "four"
        yield (
            "Four stones lie crossed in the middle at the start." if crossed else "The start is drawn below."
        )
    yield from _of_men(design) if design.men else _of_stones(design)
    for never in design.never:
        yield f"A move is refused if {NEVER_TOLD[never]}."
    if design.must_take:
        yield "Whoever can take must take."


def _of_men(design: Design) -> Iterator[str]:
    yield f"In a turn one piece moves: {either([_way(way) for way in design.moves])}."
    for way in design.takes:
        yield f"A piece takes a rival one by a {_way(way, takes=True)}."


def _of_stones(design: Design) -> Iterator[str]:
    where = " and ".join(told_where(each) for each in design.where)
    where = f", where {where}" if where else ""
    yield f"In a turn one stone of your own colour is laid on an empty cell{where}."
    yield _TAKING[design.taking]


def _way(way: WayLine, takes: bool = False) -> str:
    ways = {"ahead": "straight ahead", "aslant ahead": "aslant ahead", "all round": "in any direction"}.get(
        way.ways, way.ways
    )
    if way.kind == "jump":
        return f"jump {ways} over {'a rival' if takes else 'any'} piece next to it"
    if way.kind == "slide":
        return f"slide {ways} over empty cells" + (" onto it" if takes else "")
    return f"step {ways}" + (" onto it" if takes else " to an empty cell")


def _ends(design: Design) -> Iterator[str]:
    for goal in design.goals:
        yield f"{goal.side or 'A side'} {_goal(goal)} has won." if not goal.side else _own_goal(goal)
    match design.stuck:
        case "loses":
            yield "Whoever has no move loses."
        case "passes":
            yield "A side without a move is passed over, and the game ends once neither side has one."
        case "ends":
            yield "The game ends once the side to play has no move."
    if design.score == "stones":
        yield "More stones win."
    elif design.score == "regions":
        yield (
            "Each region of empty cells then goes to the side with more stones beside it, and to nobody "
            "if both have as many. A side has a point for each of its cells, and more points win."
        )
    for name, ties in design.ties.items():
        told = join_words([_TIES[tie] for tie in ties])
        yield f"If the score is equal{f' (with scoring {name})' if name else ''}, this decides: {told}."
    if design.max_plies:
        yield f"A game of {design.max_plies} moves is a draw."
    if design.repeats:
        yield f"The game is a draw once a board stands {design.repeats} times with the same side to play."


def _goal(goal: Goal) -> str:
    told = figure(goal)
    return f"that {told}{' with one group' if goal.kind in GROUPS else ''}"


GROUPS = frozenset({"edges", "many edges", "corners", "half"})


def _own_goal(goal: Goal) -> str:
    return f"{goal.side} wins if it {figure(goal)}{' with one group' if goal.kind in GROUPS else ''}."


def _opening(design: Design) -> Iterator[str]:
    if design.opening == "swap":
        yield (
            "As move 2 the second player may take the first one's side instead of a move; the board stays as "
            "it is. This is the pie rule, written as one word, swap."
        )
    one, other = (side for side, _ in design.sides)
    if design.opening == "swap2":
        yield (
            f"The first player begins with three stones: {one}, {other} and {one}. The second player then "
            f"says adopt and is {one}, or lays one stone of {other} and is {other}, or lays a stone of "
            f"{other} and one of {one}. In the last case the first player says adopt and is {one}, or lays "
            f"one stone of {other} and is {other}. Nobody can win before that is settled."
        )
    elif design.opening == "adopt":
        yield (
            f"Both players lay stones of {one} by turns, until one of them says adopt instead of a move. "
            f"That player is {one}, and the other goes on as {other}. Until then nobody can win."
        )
    if design.opening_may_be_none:
        yield "A game may also be played without it."


def text(design: Design) -> str:
    """Return the rules as paragraphs, the designer's note last."""
    note = [f"The designer adds: {design.note}"] if design.note else []
    return "\n\n".join([*paragraphs(design), *note])


def page(design: Design) -> str:
    """Return the rules as HTML. No text of the file is in it but numbers and the sides' names."""
    return "\n".join(f"<p>{escape(each)}</p>" for each in paragraphs(design))


def turn(design: Design, example: str) -> str:
    if design.men:
        return f"A move is two cells with a hyphen or an x between, such as {example}."
    if design.opening == "swap2":
        return f"A move is one cell, such as {example}; the first is three cells, and adopt takes a side."
    if design.opening == "adopt":
        return f"A move is one cell, such as {example}, or the one word adopt until a side is taken."
    swap = " As move 2 the one word swap is a move too." if design.opening == "swap" else ""
    return f"A move is one cell, such as {example}.{swap}"
