"""Bipod, by Bill Taylor and Joao Neto, 2004: two paths from two starts, and one player who adopts a side.

The authors' post says that `adopt` takes the running side, but in both games that they recorded the adopter
is Blocker, as in this module.
"""

from collections.abc import Iterator, Sequence
from itertools import compress

from rules.contract import Illegal, Move, Rules
from rules.draft import Choice, Draft
from rules.games.bipod.lessons import LESSONS
from rules.games.bipod.moves import ADOPT
from rules.games.bipod.paths import LEFT, RIGHT
from rules.games.bipod.playing_on import KNOWLEDGE
from rules.games.bipod.position import BipodPosition, draw
from rules.option import number_option
from rules.stone_reading import Cells

COLOURS = ((LEFT, "o, joined to the left start"), (RIGHT, "O, joined to the right start"))


def draft(position: BipodPosition, text: str) -> Draft:
    if position.outcome:
        if text.strip():
            position.play(position.read(text))
        return Draft("", hint="The game is over.")
    move = position.read(text) if text.strip() else None
    if position.running:
        return _draft_run(position, move)
    if move is not None:
        position.play(move)
    chosen = move.cells if isinstance(move, Cells) else ()
    most = 1 if position.adopted else int(position.options["stones"])
    choices = [*_blocks(position, chosen, most)]
    if not position.adopted and move != ADOPT:
        choices.append(Choice("adopt", "Adopt: you are Blocker from now on"))
    back = None if move is None else " ".join(chosen[:-1])
    text = "" if move is None else str(move)
    return Draft(text, tuple(choices), (), move is not None, _hint(position, move, chosen, most), back)


def _blocks(position: BipodPosition, chosen: Sequence[str], most: int) -> Iterator[Choice]:
    """Yield a choice for each cell that may be taken back or added. A single block is replaced."""
    kept = chosen if len(chosen) < most else () if most == 1 else None
    for name in chosen:
        others = " ".join(other for other in chosen if other != name)
        yield Choice(others, f"Take the block back from {name}", name)
    names = compress(position.board.names, position.open_after(kept)) if kept is not None else ()
    for name in names:
        if name not in chosen:
            yield Choice(" ".join((*kept, name)) if kept else name, f"Lay a block on {name}", name)


def _hint(position: BipodPosition, move: Move | None, chosen: Sequence[str], most: int) -> str:
    if move == ADOPT:
        return "Send it, or choose cells for blocks instead."
    if not chosen:
        if not any(position.open):
            return "No cell is open: adopt is the only move."
        return "Choose a cell for your block." if most == 1 else f"Choose 1 to {most} cells for blocks."
    if most == 1:
        return "Send it, or choose another cell."
    left = most - len(chosen)
    if not left:
        return "Send it; a click on a block takes it out again."
    return f"Send it, or choose {'one cell more' if left == 1 else f'up to {left} cells more'}."


def _draft_run(position: BipodPosition, move: Move | None) -> Draft:
    cell, colour = "", ""
    if isinstance(move, Cells) and len(move.cells) == 1:  # no ply yet, and no mistake either
        cell = move.cells[0]
        if problem := position.cell_problem(cell):
            raise Illegal(problem)
    elif move is not None:
        position.play(move)
        cell, colour = str(move).split()
    tail = f" {colour}" if colour else ""
    choices = [
        Choice(f"{name}{tail}", f"Choose {name}", name) for name in position.playable() if name != cell
    ]
    if cell:
        choices.append(Choice("", f"Take {cell} back", cell))
    choices += [Choice(f"{cell} {letter}", label) for letter, label in COLOURS if cell and letter != colour]
    if not cell:
        return Draft("", tuple(choices), hint="Choose a cell for Runner's stone; its colour comes next.")
    hint = "Send it, or choose another cell or the other colour." if colour else f"Which colour for {cell}?"
    back = cell if colour else ""
    return Draft(f"{cell}{tail}", tuple(choices), complete=bool(colour), hint=hint, back=back)


RULES = Rules(
    key="bipod",
    name="Bipod",
    designer="Bill Taylor & Joao Neto",
    year=2004,
    terms=(
        "Its authors published it in rec.games.abstract in June 2004, asked everybody to try it,"
        " and set no terms."
    ),
    family="connection",
    summary=(
        "Both block; one adopts the blocking, and the other must run separate paths from both starts to the "
        "other three sides."
    ),
    turn=(
        "A move is a few cells to block, such as f2 f4 g3, or adopt; once somebody has adopted, Blocker"
        " writes a cell, such as j4, and Runner a cell with a colour, such as k3 o."
    ),
    options=(
        number_option("size", "empty cells between a start and its corner", 5, 3, 8, rated=(4, 8)),
        number_option(
            "middle", "empty cells between the two starts (as size)", lambda o: o["size"], 2, 8, rated=(3, 8)
        ),
        number_option(
            "rows", "rows of the board (size and one more)", lambda o: o["size"] + 1, 3, 9, rated=(5, 9)
        ),
        number_option("stones", "the most blocks in one move before the adoption", 3, 1, 5),
    ),
    setup=BipodPosition.begin,
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
    draw=draw,
    draft=draft,
    words={"adopt": ""},
    pie_words=("adopt",),
)
