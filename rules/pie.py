"""The pie rule: on the second ply of the game, and then alone, the seats may exchange sides.

The board stays as it is; `first`, now on the other side, plays ply 3. Seats never change.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Swap:
    """To take the other side, as a ply."""

    def __str__(self) -> str:
        return "swap"


SWAP = Swap()


def is_swap(text: str) -> bool:
    """Whether a player wrote `swap`, in any case."""
    return text.strip().lower() == "swap"


def swap_problem(ply: int, pie: bool = True) -> str | None:
    """Why `swap` cannot be played after `ply` plies, None if it can; `pie`: the rule is in force."""
    if not pie:
        return "swap: this game is played without the pie rule."
    if ply != 1:
        return "swap: sides are exchanged on ply 2 or not at all."
    return None
