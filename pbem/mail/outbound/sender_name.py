"""The display name of From: a game's state first, as lists of mails show few letters, and then the game."""

from collections.abc import Sequence
from datetime import datetime

from pbem.core.game.clock_display import clock_display, describe_duration
from pbem.core.game.view import View
from pbem.core.letters.letter import Letter

OFFERS = {
    "draw": {"draw": "A draw offered"},
    "undo": {"undo": "Asks to take back"},
    "deal": {"annul": "Asks to annul", "pause": "A pause asked for"},
}
RUNNING_OUT = ("flag", "reminder")
"""Kinds of letters that bring an offer, and that say how much time is left."""


def sender_name(letter: Letter, host: str, now: datetime) -> str:
    """For example `Your move: Bipod #1`, or `2 boards wait: games at example.org`."""
    if letter.view:
        said = OFFERS.get(letter.kind, {})
        offered = next((said[what] for what in letter.view.offers if what in said), "")
        state = offered or _state(letter.view, letter.kind, now)
        return f"{state}: {letter.view.game.rules.name} #{letter.view.game.id}"
    waiting = _waiting([letter.view, *letter.told.get("boards", ())])
    return f"{waiting}: games at {host}" if waiting else f"Games at {host}"


def _waiting(views: Sequence[View | None]) -> str:
    number = sum(view is not None and view.your_turn for view in views)
    return f"{number} {'board waits' if number == 1 else 'boards wait'}" if number else ""


def _state(view: View, kind: str, now: datetime) -> str:
    """Return the state in a few words for the reader. A clock shows the time left, in its larger unit."""
    if view.state.ending:
        return _end(view)
    shown = clock_display(view.game, now) if kind in RUNNING_OUT and not view.state.flagged else None
    if view.your_turn and shown:
        return f"{describe_duration(shown.running.left).partition(' and ')[0]} left"
    if view.your_turn:
        return "Your move"
    return f"{view.to_play.name}'s move" if view.to_play else "Waits"


def _end(view: View) -> str:
    if view.state.ending and view.state.ending.how == "void":
        return "Void"
    if view.winner is None:
        return "Drawn"
    if view.you_won:
        return "You won"
    return f"{view.winner.name} won" if view.seat is None else "You lost"
