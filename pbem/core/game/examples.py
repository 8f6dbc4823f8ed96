"""Examples in help and hints that work for their reader now."""

from collections.abc import Mapping
from itertools import pairwise

from pbem.core.game.game import Game
from pbem.core.game.state import offers_to
from pbem.core.game.writing import to_write
from rules.contract import Position, RulesError, Seat

USUAL: Mapping[str, str] = {
    "game": "bipod",
    "games": "bipod, begird, bounders, bagel, hexthing",
    "web": "https://pbem.example.org",
    "name": "Joao",
    "bot": "bot1",
    "number": "42",
    "number_of_move": "7",
    "last": "0",
    "move": "f2 f4 g3",
    "now": "f2",
    "then": "g3",
    "theirs": "f2",
    "mine": "g3",
    "theirs2": "h4",
    "mine2": "j2",
    "days": "7",
    "dates": "20 Dec to 24 Dec",
    **dict.fromkeys("offered playing clock undo claim away over planned adopt black pass swap".split(), ""),
}
"""What stands where nothing is known of the reader. The empty ones are there where a word works now."""


def examples_of_game(game: Game, seat: Seat) -> dict[str, str]:
    """Return a game's examples as one of its players sees it."""
    state, offers = game.state, offers_to(game.state, seat)
    facts = {"number": str(game.id), "last": str(len(state.plies))}
    facts |= {"offer": offers[0]} if offers else {}
    if state.ending:
        return {**facts, "over": ""}
    mine = state.to_play == seat
    conditions = {
        "playing": True,
        "clock": game.time_control.bank is not None,
        "undo": any(ply.seat == seat for ply in state.plies),
        "claim": bool(state.flagged) and not mine,
    }
    conditions |= {
        word: mine and _is_legal(state.position, word) for word in ("adopt", "black", "pass", "swap")
    }
    plies = _examples_of_plies(state.position, mine=mine)
    return {**facts, **plies, **{name: "" for name, holds in conditions.items() if holds}}


def _is_legal(position: Position, text: str) -> bool:
    try:
        return position.problem(position.read_ply(text)) is None
    except RulesError:
        return False


def _examples_of_plies(position: Position, *, mine: bool) -> dict[str, str]:
    """Return moves that can follow each other here. One is to play, two to try, then two rounds of a plan.

    The plan is for the other's next move: with `mine` the reader moves first.
    """
    found: list[str] = []
    seats, at = [], position
    while len(found) < 5 and at.to_play is not None:
        found += at.examples()[:1]
        seats.append(at.to_play)
        at = at.follow(at.read_ply(found[-1]))
    if len(found) < 5 or any(a == b for a, b in pairwise(seats)):
        return {}
    plan = dict(zip(("theirs", "mine", "theirs2", "mine2"), found[mine:], strict=False))
    first = position.read_ply(found[0])
    move = to_write(position, first) if mine else found[1]
    ply = str(position.ply + (1 if mine else 2))
    return {"move": move, "number_of_move": ply, "now": found[0], "then": found[1], **plan}
