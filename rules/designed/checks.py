"""Checks of a whole design: lines that need one another, goals without a board, games without an end."""

from collections.abc import Iterator, Mapping

from rules.conformance_words import SERVERS_WORDS, TAKEN
from rules.designed.phrases import OF_REGIONS
from rules.designed.plan import EDGES, NUMBER_OF_EDGES, BoardLine, Design, Goal, WayLine

NAMES = (
    TAKEN | {word for line in SERVERS_WORDS for word in line.split()} | {"nobody", "swap", "pass", "adopt"}
)
"""Words that no game and no side may be called, whatever the server."""
AHEAD = frozenset({"ahead", "aslant ahead"})
CORNERS: Mapping[str, int] = {"rhombus": 4, "square": 4, "rectangle": 4, "triangle": 3, "hexagon": 6}


def faults_of(design: Design, lines: Mapping[str, int]) -> list[str]:
    """Return a sentence for each fault. `lines` has the first line of each word."""
    last = max(lines.values())
    found = [*_of_boards(design), *_of_pieces(design), *_of_goals(design), *_of_ends(design)]
    return [f"line {number or lines.get(word, last)}: {sentence}." for word, number, sentence in found]


Found = Iterator[tuple[str, int, str]]
"""The word of the line at fault, its number or 0 for the word's first line, and a sentence."""


def _of_boards(design: Design) -> Found:
    kinds = [(board.islands, board.size.is_option) for board in design.boards]
    if len(set(kinds)) < len(kinds):
        yield "board", 0, "two boards have as many islands; expected boards that differ in islands"
    if len({design.hexes == (board.shape != "square") for board in design.boards}) > 1:
        yield "board", 0, "squares and hexes cannot be boards of one game"
    if len({board.word for board in design.boards if board.size.is_option}) > 1:
        yield "board", 0, "all boards call their size by one word; expected side or size"
    first = design.boards[0]
    if isinstance(design.start, tuple) and (len(design.boards) > 1 or first.size.is_option):
        yield "start", 0, 'pieces on cells need a board of one size; expected "side N" without a range'


def _of_pieces(design: Design) -> Found:
    if design.men:
        yield from _of_men(design)
    else:
        if design.moves:
            yield "moves", 0, 'stones do not move; expected "turn: move one" with moves'
        if design.takes:
            yield "takes", 0, 'steps, slides and jumps take where pieces move; expected "turn: move one"'
        if str(design.start).startswith("rows"):
            yield "start", 0, 'rows of men need "turn: move one"'
    takes = design.takes or design.taking
    if any(where.kind == "takes" for where in design.where) and not takes:
        yield "where", 0, '"it takes" needs a line "takes"'
    if design.must_take and not takes:
        yield "must", 0, 'nothing can be taken here; expected a line "takes"'
    if design.opening in ("swap2", "adopt") and (design.limits or takes or design.stuck or design.start):
        yield "opening", 0, f"{design.opening} needs free cells: no start, where, takes, never or stuck"
    if design.start == "four" and not all(
        board.shape == "square" and all(size % 2 == 0 for size in board.size.values)
        for board in design.boards
    ):
        yield "start", 0, "four in the middle need a square of an even side; expected like side 8 (4 6 8 10)"


def _of_men(design: Design) -> Found:
    wrong = (
        (design.taking, "takes", '"surrounded groups" and "flanked rows" need "turn: lay one"'),
        (design.where, "where", '"where" is said of stones that are laid; expected "turn: lay one"'),
        ("no room" in design.never, "never", '"own group without room" needs "turn: lay one"'),
        (not design.moves, "turn", 'pieces that move need a line "moves"'),
        (
            not design.start or design.start == "four",
            "turn",
            'pieces that move need a start; expected "start: 2 rows of men each" or cells',
        ),
        (design.opening, "opening", '"opening" needs "turn: lay one"'),
        (design.score == "regions", "score", 'regions lie between stones; expected "turn: lay one"'),
    )
    yield from ((word, 0, sentence) for is_wrong, word, sentence in wrong if is_wrong)
    yield from _of_rows(design)
    if any(way.kind == "slide" and way not in design.moves for way in design.takes):
        yield "takes", 0, "what slides onto a rival slides over empty cells too; add the same line of moves"
    for word, ways in (("moves", design.moves), ("takes", design.takes)):
        for way in ways:
            if design.hexes and ("aslant" in way.ways or way.ways in ("sideways", "straight")):
                yield word, 0, f'hexes have no way "{way.ways}"; ways are ahead, back and all round'


def _of_rows(design: Design) -> Found:
    if isinstance(design.start, str) and design.start.startswith("rows"):
        least = 2 * int(design.start.split()[1]) + 1
        for board in design.boards:
            if board.shape not in ("square", "rhombus") or min(board.size.values) < least:
                yield "start", 0, f"so many rows of men need a square or rhombus of side {least} or more"


def _of_goals(design: Design) -> Found:
    for goal in design.goals:
        if fault := _of_goal(design, goal):
            yield "wins", goal.line, fault


def _of_goal(design: Design, goal: Goal) -> str | None:
    """Return why this goal cannot be reached here, or None."""
    if goal.kind in ("far", "bare") and not design.men:
        return 'there are no men here; expected "turn: move one"'
    return next((fault for board in design.boards if (fault := _on_board(goal, board))), None)


def _on_board(goal: Goal, board: BoardLine) -> str | None:
    shape = board.shape
    match goal.kind:
        case "edges" if not EDGES[shape]:
            return f'the edges of a {shape} have no names; expected "joins {NUMBER_OF_EDGES[shape]} edges"'
        case "many edges" if not 2 <= goal.number <= NUMBER_OF_EDGES.get(shape, 0):
            most = NUMBER_OF_EDGES.get(shape)
            expected = f"2 to {most} edges" if most else "joins bottom and top, or left and right"
            return f"{goal.number} edges cannot be joined on a {shape}; expected {expected}"
        case "corners" if not 2 <= goal.number <= CORNERS[shape]:
            return (
                f"{goal.number} corners cannot be joined on a {shape}; expected 2 to {CORNERS[shape]} corners"
            )
        case "opposite" if not board.owners:
            return (
                'opposite islands have owners; expected "board: rectangle, …, 8 islands of A and B by turns"'
            )
        case "half" if not board.islands or board.owners:
            return "no islands stand round this board; expected a number of islands on the line of the board"
        case "ring" if shape == "square":
            return "rings are made on hexes; expected a board of hexes"
        case "row" if goal.number > (longest := board.longest(max(board.size.values))):
            return f"a row of {goal.number} has no room on a board of {longest}"
        case "far" if shape not in ("square", "rhombus"):
            return f"a {shape} has no far row; expected a square or a rhombus"
    return None


def _of_ends(design: Design) -> Found:
    if not (design.goals or design.score or design.stuck == "loses"):
        yield "turn", 0, 'nobody can win; expected a line "wins", "score" or "stuck: loses"'
    if not design.stuck:
        for word, found in (("where", design.where), ("never", design.never), ("turn", design.men)):
            if found:
                yield word, 0, f"{word} can leave no move; add stuck: loses, passes or ends"
                break
    if design.stuck == "ends" and not design.score:
        yield "stuck", 0, '"stuck: ends" needs a score; expected a line "score"'
    if design.ties and not design.score:
        yield "ties", 0, 'ties need a score; expected a line "score"'
    if design.score == "stones" and any(OF_REGIONS & {*ties} for ties in design.ties.values()):
        yield "ties", 0, "regions are compared after a score of regions"
    if design.swap_with and design.swap_with not in design.ties:
        yield "opening", 0, f'no scoring is called "{design.swap_with}"; expected one of the names of ties'
    if fault := _endless(design):
        yield fault


def _goes_ahead(ways: tuple[WayLine, ...]) -> bool:
    return all(way.ways in AHEAD for way in ways)


def _endless(design: Design) -> tuple[str, int, str] | None:
    """Return the fault of a game that nothing ends for certain, or None."""
    ends = design.max_plies or design.repeats or "earlier board" in design.never
    if ends or (design.men and _goes_ahead((*design.moves, *design.takes))):
        return None
    if design.men:
        return "moves", 0, "men can go to and fro for ever; add draws: after 200 plies"
    if design.taking in ("surrounded", "removed"):
        return "takes", 0, 'stones can be laid and taken for ever; add "never: an earlier board" or "draws"'
    return None
