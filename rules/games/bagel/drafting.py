"""A Bagel ply half made: discs in the order in which they were chosen, so that the last can be taken back."""

from rules.draft import Choice, Draft
from rules.games.bagel.position import BagelPosition
from rules.games.bagel.tiles import EMPTY, SUITS, board, mates
from rules.stone_reading import SWAP


def draft(position: BagelPosition, text: str) -> Draft:
    if not text.strip():
        return _nothing_yet(position)
    move = position.read(text)
    position.play(move)
    if move == SWAP:
        hint = "You change sides, and the disc on the board is yours."
        return Draft(str(SWAP), complete=True, hint=hint, back="")
    chosen = sorted(str(move).split(), key=text.lower().find)
    names, found = board().names, mates(position.layout)[board().index[chosen[0]]]
    may_add = len(chosen) == 1 and position.may_pair
    more = [names[tile] for tile in found if position.cells[tile] == EMPTY] if may_add else []
    choices = [
        Choice(" ".join(each for each in chosen if each != name), f"Take the disc back from {name}", name)
        for name in chosen
    ]
    choices += [
        Choice(f"{chosen[0]} {mate}", f"Place a second disc on {mate}, a {_suit(position, mate)} too", mate)
        for mate in more
    ]
    hint, back = _hint(position, chosen, bool(more)), " ".join(chosen[:-1])
    return Draft(" ".join(chosen), tuple(choices), complete=True, hint=hint, back=back)


def _nothing_yet(position: BagelPosition) -> Draft:
    if position.outcome:
        return Draft("", hint="The game is over.")
    choices = [
        Choice(name, f"Place a disc on {name}, a {_suit(position, name)}", name)
        for name in position.playable()
    ]
    if position.may_swap:
        choices.append(position.swap_choice)
    return Draft("", tuple(choices), hint=f"Choose a tile for your disc{', or swap' * position.may_swap}.")


def _suit(position: BagelPosition, name: str) -> str:
    return SUITS[position.layout[board().index[name]]]


def _hint(position: BagelPosition, chosen: list[str], more: bool) -> str:
    if len(chosen) == 2:
        return "Two discs, which is all that a ply can hold."
    if not position.ply:
        return "The first ply of the game is one disc alone."
    if not position.may_pair:
        return "This is your last disc."
    suit = _suit(position, chosen[0])
    if more:
        return f"One disc; you may add another on a marked {suit}."
    return f"One disc; no other empty {suit} is in line with {chosen[0]}."
