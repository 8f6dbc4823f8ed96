"""Commands for conditional moves, and automatic answers at a mail's end."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pbem.core.errors import Refusal
from pbem.core.game.conditional import data_of
from pbem.core.game.game import ply_since
from pbem.core.game.journal import HIDDEN, PLAN
from pbem.core.parsing.line import Command
from pbem.core.play.automatic import Secret, changed_plan, next_automatic_entry
from pbem.core.play.takeback import stale_move
from pbem.core.play.turn import Turn, TurnRequest
from rules.contract import other


def with_answers(turn: Turn, at: datetime) -> Turn:
    """Add automatic answers until a player must decide."""
    if all(entry.kind in HIDDEN for entry in turn.entries):
        return turn
    while (answer := next_automatic_entry(turn.before, turn.state)) is not None:
        turn = turn.add(answer.kind, answer.seat, at, answer.data)
    return turn


def plan(turn: Turn, request: TurnRequest, command: Command) -> Turn:
    """Add a conditional move, clear all, or show them."""
    if command.error is not None:
        raise Secret(str(command.error))
    if turn.already is not None and turn.already.n < len(turn.state.plies):
        return turn  # the same mail again, and the game has gone on
    turn = replace(turn, planned=True)
    if command.args.get("steps") == ():
        return turn
    if not command.args.get("clear"):
        _refuse_stale(turn, request)
    name = turn.game.seats[other(request.seat)].name
    changed = changed_plan(turn.state, request.seat, command.args, name)
    if changed is None:
        return turn
    if turn.entries and turn.entries[-1].kind == PLAN and turn.entries[-1].data["plan"]:
        turn = replace(turn, entries=turn.entries[:-1])
    return turn.done(request, PLAN, {"plan": data_of(changed)})


def _refuse_stale(turn: Turn, request: TurnRequest) -> None:
    """Raise Refusal if the other has played since the answered letter."""
    if request.since is None or turn.entries:
        return
    stale_move(turn, request)
    late = ply_since(turn.game, request.since)
    if late is not None and any(p.entry >= late.n and p.seat != request.seat for p in turn.state.plies):
        raise Refusal(
            "The other has played since the letter you answered, so your plan is for a board that is gone; "
            "here is the board as it is now."
        )
