"""Bagel, by Phil Leduc, 2021: discs on 36 shuffled tiles, one a ply or two on like tiles in line.

Where the text of the rules leaves it open, a side that cannot place ends the game in its turn, and a tie that
rows do not break is won by Black as a side, whoever holds it after a swap.
"""

from collections.abc import Sequence
from dataclasses import replace

from rules.contract import Move, Rules
from rules.draft import Choice, Draft
from rules.games.bagel.lessons import LESSONS
from rules.games.bagel.playing_on import KNOWLEDGE
from rules.games.bagel.position import BagelPosition, draw
from rules.games.bagel.tiles import EMPTY, RANDOM, mates, misdealt, read_layout, read_size
from rules.option import Option, choice_option
from rules.stone_placement import PIE
from rules.stone_reading import SWAP, Cells


def draft(position: BagelPosition, text: str) -> Draft:
    """Return a draft with the discs in the order of their choice, so that the last can be taken back."""
    move = position.read(text) if text.strip() else None
    if move is not None:
        position.play(move)
    chosen = sorted(move.cells, key=text.lower().find) if isinstance(move, Cells) else []
    choices = [
        Choice(" ".join(each for each in chosen if each != name), f"Take the disc back from {name}", name)
        for name in chosen
    ]
    which, too = ("second disc", " too") if chosen else ("disc", "")
    more = _more(position, chosen) if move != SWAP else []
    for name in more:
        label = f"Place a {which} on {name}, a {position.suit(name)}{too}"
        choices.append(Choice(" ".join((*chosen, name)), label, name))
    if position.may_swap and move is None:
        choices.append(position.swap_choice)
    back = None if move is None else " ".join(chosen[:-1])
    hint = _hint(position, move, chosen, bool(more))
    return Draft(" ".join(chosen) or str(move or ""), tuple(choices), (), move is not None, hint, back)


def _more(position: BagelPosition, chosen: Sequence[str]) -> list[str]:
    """Return the tiles that may be chosen next."""
    if not chosen:
        return position.playable()
    if len(chosen) == 2 or not position.may_pair:
        return []
    found = mates(position.layout)[position.board.index[chosen[0]]]
    return [position.board.names[tile] for tile in found if position.cells[tile] == EMPTY]


def _hint(position: BagelPosition, move: Move | None, chosen: Sequence[str], more: bool) -> str:
    if position.outcome:
        return "The game is over."
    if move is None:
        return f"Choose a tile for your disc{', or swap' * position.may_swap}."
    if move == SWAP:
        return "You change sides, and the disc on the board is yours."
    if len(chosen) == 2:
        return "Two discs, which is all that a move can hold."
    if not position.ply:
        return "The first move of the game is one disc alone."
    if not position.may_pair:
        return "This is your last disc."
    suit = position.suit(chosen[0])
    if more:
        return f"One disc; you may add another on a marked {suit}."
    return f"One disc; no other empty {suit} is in line with {chosen[0]}."


RULES = Rules(
    key="bagel",
    name="Bagel",
    designer="Phil Leduc",
    year=2021,
    terms=(
        "Phil Leduc keeps all rights: whoever programs or sells the game should ask him first for"
        " permission or a licence. His text of the rules may be copied and passed on."
    ),
    family="lines",
    summary="On shuffled tiles, place one disc, or two on like tiles in line: rows of three and more score.",
    turn=(
        "A move is one empty tile, such as c4, or two of one suit in line, such as c3 d3; the second move"
        " of the game may also be swap, which exchanges the sides."
    ),
    options=(
        Option(
            "size",
            "tiles on a side of the board: 4, or 5, which its designer did not test",
            None,
            read_size,
            "4 or 5",
            rated=(4, 4),
            usual="4",
        ),
        Option(
            "layout",
            "the suits of the tiles, row by row from the top, or left to chance; 60 letters with size=5",
            RANDOM,
            read_layout,
            "random or 36 letters, nine each of b, g, c and r",
            misdealt,
        ),
        replace(choice_option("pie", "whether move 2 may be swap", None, ("yes", "no")), usual="yes"),
    ),
    setup=BagelPosition.begin,
    knowledge=KNOWLEDGE,
    lessons=LESSONS,
    draw=draw,
    draft=draft,
    **PIE,
    deals=True,
    ask_first=True,
)
