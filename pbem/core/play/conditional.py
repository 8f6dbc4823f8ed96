"""Commands for conditional moves, and automatic answers at a mail's end."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from pbem.core.errors import Refusal
from pbem.core.game.conditional import data_of
from pbem.core.game.game import ply_since
from pbem.core.game.journal import HIDDEN, PLAN
from pbem.core.parsing.line import Command
from pbem.core.play.automatic import Secret, changed_plan, next_answer
from pbem.core.play.takeback import stale_move
from pbem.core.play.turn import Request, Table
from rules.contract import other


def with_answers(table: Table, at: datetime) -> Table:
    """Add automatic answers until a player must decide."""
    if all(entry.kind in HIDDEN for entry in table.entries):
        return table
    while (answer := next_answer(table.before, table.state)) is not None:
        table = table.add(answer.kind, answer.seat, at, answer.data)
    return table


def plan(table: Table, request: Request, command: Command) -> Table:
    """Add a conditional move, clear all, or show them."""
    if command.error is not None:
        raise Secret(str(command.error))
    if table.already is not None and table.already.n < len(table.state.plies):
        return table  # the same mail again, and the game has gone on
    table = replace(table, planned=True)
    if command.args.get("steps") == ():
        return table
    if not command.args.get("clear"):
        _refuse_stale(table, request)
    name = table.game.seats[other(request.seat)].name
    changed = changed_plan(table.state, request.seat, command.args, name)
    if changed is None:
        return table
    if table.entries and table.entries[-1].kind == PLAN and table.entries[-1].data["plan"]:
        table = replace(table, entries=table.entries[:-1])
    return table.done(request, PLAN, {"plan": data_of(changed)})


def _refuse_stale(table: Table, request: Request) -> None:
    """Raise Refusal if the other has played since the answered letter."""
    if request.since is None or table.entries:
        return
    stale_move(table, request)
    late = ply_since(table.game, request.since)
    if late is not None and any(p.entry >= late.n and p.seat != request.seat for p in table.state.plies):
        raise Refusal(
            "The other has played since the letter you answered, so your plan is for a board that is gone; "
            "here is the board as it is now."
        )
