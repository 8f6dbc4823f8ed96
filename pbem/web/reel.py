"""A game as a film: a board for every ply, and what stands below each. Pure functions of core values."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.game import Game
from pbem.core.state import Ply, State
from pbem.web.dressing import ended
from rules.film import Frame

BEFORE = "Before the first ply"


def boards(state: State) -> list[State]:
    """The game before its first ply and after each that still stands: one state a ply, none folded again."""
    return list(_backwards(state))[::-1]


def _backwards(state: State) -> Iterator[State]:
    yield state
    while state.before is not None:
        state = state.before
        yield state


def frames(game: Game) -> list[Frame]:
    """One frame a board; the last tells how the game ended, if it did."""
    states = boards(game.state)
    found = [Frame(state.picture, _words(game, state)) for state in states]
    if game.state.ending:
        found[-1] = Frame(states[-1].picture, outcome(game))
    return found


def _words(game: Game, state: State) -> str:
    return _of(game, state.plies[-1]) if state.plies else BEFORE


def _of(game: Game, ply: Ply) -> str:
    """`7 · Bill: adopt`."""
    return f"{ply.n} · {game.name_at(ply.seat, ply.entry)}: {ply.move}"


def outcome(game: Game) -> str:
    """`Bill won: Joao resigned`, `Bill won as Light: 36 points to 8`, or whose turn it is."""
    ending, to_play = game.state.ending, game.state.to_play
    if to_play is not None:
        return f"{game.seats[to_play].name} is to play ply {len(game.state.plies) + 1}"
    if ending is None:
        return ""
    if ending.winner is None:
        return ending.reason
    return f"{game.seats[ending.winner].name} won{ended(ending.reason)}"


def heading(game: Game) -> str:
    """`Bipod #42: Bill – Joao`."""
    return f"{game.rules.name} #{game.id}: {game.seats[0].name} – {game.seats[1].name}"
