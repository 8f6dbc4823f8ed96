"""The pie rule, in words for all games: on ply 2 alone the seats may exchange sides; the board stays."""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.contract import SEAT_NAMES
from rules.draft import Choice


@dataclass(frozen=True)
class Swap:
    """The ply by which a seat takes the other side."""

    def __str__(self) -> str:
        return "swap"


SWAP = Swap()


def swap_problem(ply: int, pie: bool = True, due: str = "") -> str | None:
    """The reason why `swap` cannot be played after `ply` plies, if any; `due` is what is owed instead."""
    if not pie:
        return "swap: this game is played without the pie rule."
    if ply != 1:
        return f"swap: sides are exchanged on ply 2 or not at all{f'; now {due}' if due else ''}."
    return None


def swap_choice(side: str) -> Choice:
    return Choice(str(SWAP), f"Swap: you are {side} from now on, and what lies there is yours")


def swap_offer(sides: Sequence[str]) -> str:
    """The note that swap is open; `sides` are first's and second's before it."""
    return f"Or swap: then second is {sides[0]}, and first plays on as {sides[1]}."


def swap_news(sides: Sequence[str]) -> str:
    first, second = (f"{seat} is {side}" for seat, side in zip(SEAT_NAMES, sides, strict=True))
    return f"Ply 2 was swap: {first} and {second} from now on."
