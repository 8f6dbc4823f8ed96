"""Frames of a game's animation: boards and captions. Pure functions."""

from collections.abc import Iterator

from pbem.core.game.game import Game
from pbem.core.game.state import Ply, State
from pbem.web.filters import outcome_suffix
from rules.animation import Frame

START_CAPTION = "Before the first ply"


def board_states(state: State) -> list[State]:
    """The states of the game, before its first ply and after each.

    Plies taken back are left out. No state is folded again.
    """
    return list(_earlier_states(state))[::-1]


def _earlier_states(state: State) -> Iterator[State]:
    yield state
    while state.before is not None:
        state = state.before
        yield state


def frames(game: Game) -> list[Frame]:
    """One frame for each board; the last tells the outcome."""
    states = board_states(game.state)
    found = [Frame(state.picture, _caption(game, state)) for state in states]
    if game.state.ending:
        found[-1] = Frame(states[-1].picture, outcome(game))
    return found


def _caption(game: Game, state: State) -> str:
    return _ply_caption(game, state.plies[-1]) if state.plies else START_CAPTION


def _ply_caption(game: Game, ply: Ply) -> str:
    """The caption of a ply: `7 · Bill: adopt`."""
    return f"{ply.n} · {game.name_at(ply.seat, ply.entry)}: {ply.move}"


def outcome(game: Game) -> str:
    """The outcome, `Bill won: Joao resigned`, or the player to move."""
    ending, to_play = game.state.ending, game.state.to_play
    if to_play is not None:
        return f"{game.seats[to_play].name} is to play ply {len(game.state.plies) + 1}"
    if ending is None:
        return ""
    if ending.winner is None:
        return ending.reason
    return f"{game.seats[ending.winner].name} won{outcome_suffix(ending.reason)}"


def game_title(game: Game) -> str:
    """A game's title: `Bipod #42: Bill – Joao`."""
    return f"{game.rules.name} #{game.id}: {game.seats[0].name} – {game.seats[1].name}"
