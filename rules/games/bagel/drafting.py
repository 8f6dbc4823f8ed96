"""A Bagel ply half made: a click lays a disc, a second one lays it beside, a click on a disc takes it back.

Its own rule: discs keep the order in which they were chosen, so that the last one can be taken back; `read`
puts them in order.
"""

from rules.contract import Move
from rules.draft import Choice, Draft
from rules.games.bagel.position import BagelPosition
from rules.games.bagel.tiles import EMPTY, SUITS, board, mates
from rules.pie import SWAP, swap_choice


def draft(position: BagelPosition, text: str) -> Draft:
    """The draft of `text`; raises the game's own error where no legal ply begins with it."""
    if not text.strip():
        return _nothing_yet(position)
    move = position.read(text)
    position.play(move)
    if move == SWAP:
        return Draft(
            str(SWAP), complete=True, hint="You change sides, and the disc on the board is yours.", back=""
        )
    chosen = _as_written(text, move)
    return Draft(
        " ".join(chosen),
        (*_taken_back(chosen), *(_second(position, chosen[0]) if len(chosen) == 1 else ())),
        complete=True,
        hint=_hint(position, chosen),
        back=" ".join(chosen[:-1]),
    )


def _as_written(text: str, move: Move) -> list[str]:
    """The cells of `move` in the order in which `text` names them."""
    line = text.lower()
    return sorted(str(move).split(), key=line.find)


def _nothing_yet(position: BagelPosition) -> Draft:
    if position.outcome:
        return Draft("", hint="The game is over.")
    found = [Choice(name, f"Place a disc on {_told(position, name)}", name) for name in position.playable()]
    if position.may_swap:
        found.append(swap_choice(position.sides[0]))
        return Draft("", tuple(found), hint="Choose a tile for your disc, or swap.")
    return Draft("", tuple(found), hint="Choose a tile for your disc.")


def _told(position: BagelPosition, name: str) -> str:
    """`c4, a cup`."""
    return f"{name}, a {_suit(position, name)}"


def _suit(position: BagelPosition, name: str) -> str:
    return SUITS[position.layout[board().index[name]]]


def _taken_back(chosen: list[str]) -> list[Choice]:
    """A click on a tile already chosen leaves the other."""
    return [
        Choice(" ".join(each for each in chosen if each != name), f"Take the disc back from {name}", name)
        for name in chosen
    ]


def _second(position: BagelPosition, name: str) -> list[Choice]:
    """The tiles that go together with `name` in this ply."""
    if not position.may_pair:
        return []
    place = board()
    here = place.index[name]
    company = [place.names[tile] for tile in mates(position.layout)[here] if position.cells[tile] == EMPTY]
    return [
        Choice(f"{name} {mate}", f"Place a second disc on {_told(position, mate)} too", mate)
        for mate in company
    ]


def _hint(position: BagelPosition, chosen: list[str]) -> str:
    if len(chosen) == 2:
        return "Two discs, which is all that a ply can hold."
    if not position.ply:
        return "The first ply of the game is one disc alone."
    if not position.may_pair:
        return "This is your last disc."
    if not _second(position, chosen[0]):
        return f"One disc; no other empty {_suit(position, chosen[0])} is in line with {chosen[0]}."
    return f"One disc; you may add another on a marked {_suit(position, chosen[0])}."
