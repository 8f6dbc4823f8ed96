"""The undo window: a ply waits beside its game, seen by its owner alone, before it is made. Values only.

What waits stands in no journal, so nothing that reads one can give it away. Whoever lets it go turns it
into entries dated to that moment; `made` keeps when the mail was accepted, for the clock.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pbem.core.ahead import draw_news, stop_of
from pbem.core.game import Game
from pbem.core.journal import DECLINE, PLAN, PLY, SAY, STAND, Held
from pbem.core.letters import Letter, about_game
from pbem.core.moments import at_once
from pbem.core.planning import with_answers
from pbem.core.play import news
from pbem.core.table import Decision, Request, Table
from pbem.core.timing import made
from pbem.core.view import view
from rules.contract import Seat

QUIET = frozenset({SAY, PLAN, DECLINE, STAND})
"""What the other may do while a ply waits without its being made at once: it means the same before it."""

CAREFUL = timedelta(minutes=5)
"""How long at least a ply waits of which its owner is told that it may have been read otherwise."""


def ends_wait(held: Held, seat: Seat, decision: Decision) -> bool:
    """Whether what `seat` does makes the ply that waits: for it must come before that."""
    kinds = {entry.kind for entry in decision.entries}
    return bool(kinds if held.seat == seat else kinds - QUIET)


def released(game: Game, at: datetime, site: str) -> Decision:
    """What becomes of a game when the ply that waits there is made, and what both hear of it."""
    held = game.held
    assert held is not None
    table = Table(replace(game, held=None), game.state)
    for entry in held.entries:
        more = {"made": made(entry).isoformat()} if entry.kind == PLY else {}
        table = table.add(entry.kind, held.seat, at, {**entry.data, **more})
    own = len(table.entries)
    table = with_answers(table, at)
    letters = _letters(table, held.seat, own, at, site)
    return Decision(table.entries, table.state, tuple(letters))


def _letters(table: Table, seat: Seat, own: int, at: datetime, site: str) -> list[Letter]:
    """The other's as ever; the owner's, who has been told of his ply, only where something came of it.

    A draw offered with the ply may have been declined by a plan.
    """
    mine = view(table.game.with_entries(table.entries), seat, site, table.state)
    request = Request(seat, (), "", said=False, when=at_once(at), since=None, site=site)
    letters = [letter for letter in news(table, request, mine) if letter.player != mine.reader]
    if len(table.entries) == own:
        return letters
    since = len(table.game.journal) + own
    if table.state.ending is not None:
        facts: dict[str, Any] = {"since": since, "heard": since, "read": [], "remarks": [], "above": ""}
        return [*letters, about_game("result", mine, **facts)]
    if draw_news(table.entries) == "turned down":
        letters.append(about_game("draw", mine, draw="declined", words=""))
    if mine.your_turn:
        stop = stop_of(table.before, table.state, seat)
        letters.append(about_game("turn", mine, since=since, heard=since, stop=stop))
    return letters
