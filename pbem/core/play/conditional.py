"""Commands for conditional moves, and automatic answers at a mail's end."""

from dataclasses import replace
from datetime import datetime

from pbem.core.errors import Refusal
from pbem.core.game.conditional import plan_data
from pbem.core.game.game import first_ply_since
from pbem.core.game.journal import PLAN, PRIVATE_KINDS
from pbem.core.parsing.line import Command
from pbem.core.play.automatic import PrivateRefusal, change_conditional_moves, next_automatic_entry
from pbem.core.play.takeback import refuse_stale_move
from pbem.core.play.turn import Turn, TurnRequest
from rules.contract import other


def add_automatic_entries(turn: Turn, at: datetime) -> Turn:
    if all(entry.kind in PRIVATE_KINDS for entry in turn.entries):
        return turn
    while (answer := next_automatic_entry(turn.before, turn.state)) is not None:
        turn = turn.add(answer.kind, answer.seat, at, answer.data)
    return turn


def apply_conditional_line(turn: Turn, request: TurnRequest, command: Command) -> Turn:
    if command.error is not None:
        raise PrivateRefusal(str(command.error))
    if turn.repeated_ply is not None and turn.repeated_ply.n < len(turn.state.plies):
        return turn  # the same mail again, and the game has gone on
    turn = replace(turn, planned=True)
    if command.args.get("steps") == ():
        return turn
    if not command.args.get("clear"):
        _refuse_stale(turn, request)
    name = turn.game.seats[other(request.seat)].name
    changed = change_conditional_moves(turn.state, request.seat, command.args, name)
    if changed is None:
        return turn
    if turn.entries and turn.entries[-1].kind == PLAN and turn.entries[-1].data["plan"]:
        turn = replace(turn, entries=turn.entries[:-1])
    return turn.done(request, PLAN, {"plan": plan_data(changed)})


def _refuse_stale(turn: Turn, request: TurnRequest) -> None:
    if request.since is None or turn.entries:
        return
    refuse_stale_move(turn, request)
    late = first_ply_since(turn.game, request.since)
    if late is not None and any(p.entry >= late.n and p.seat != request.seat for p in turn.state.plies):
        raise Refusal(
            "The other has played since the letter you answered, so your plan is for a board that is gone; "
            "here is the board as it is now."
        )
