"""Conditional moves as commands, and entries made automatically after a mail."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from pbem.core.errors import Refusal
from pbem.core.game import conditional
from pbem.core.game.conditional import ConditionalStop
from pbem.core.game.game import first_since
from pbem.core.game.journal import AGREE, DECLINE, OFFER, PLAN, PLY, PRIVATE_KINDS, RESIGN, SEATS, Entry
from pbem.core.game.state import State, offers_to
from pbem.core.letters.facts import DrawNews
from pbem.core.parsing.line import Command
from pbem.core.play.turn import Turn, refuse_stale_move
from rules.contract import Move, Position, RulesError, Seat, StandingOrder, other

AutomaticEntry = tuple[str, Seat, Mapping[str, Any]]


FORCED = "forced"
"""The preference of who wants a ply without choice made at once."""


def next_automatic_entry(
    before: State | None, state: State, forced: Collection[Seat] = ()
) -> AutomaticEntry | None:
    """The next automatic entry. Without a ply in this mail (no `before`), conditional moves stay stopped.

    For the seats in `forced` the only legal ply is made.
    """
    if state.ending is not None or not state.offers.keys().isdisjoint(("undo", "annul")):
        return None
    if "draw" in state.offers:
        return _answer_offer(state, other(state.offers["draw"].seat))
    seat = state.position.to_play
    if seat is None:
        return None
    branch, standing = due_branch(before, state, seat), state.standing[seat]
    if branch is not None:
        return _conditional_entry(state, seat, branch)
    move = None
    if standing is not None:
        move = state.position.answer_for(seat, standing, state.standing[other(seat)])
    elif before is not None and seat in forced:
        move = only_move(state.position)
    return None if move is None else (PLY, seat, {"move": str(move), "auto": True})


def only_move(position: Position) -> Move | None:
    """Return the one legal ply, unless there are more or the game asks before such a ply."""
    moves = position.actions() if position.complete else ()
    return moves[0] if len(moves) == 1 and position.gives_up(moves[0]) is None else None


def _answer_offer(state: State, owner: Seat) -> AutomaticEntry | None:
    planned = state.conditional_moves[owner]
    if planned is None or not conditional_moves_apply(state, owner):
        return None
    answer = next((branch.answers[0] for branch in planned.plan if branch.when == conditional.DRAW), None)
    if answer is None:
        return None
    return AGREE if answer == conditional.ACCEPT else DECLINE, owner, {"auto": True}


def conditional_moves_apply(state: State, seat: Seat) -> bool:
    """True while at most one ply followed the conditional moves."""
    planned = state.conditional_moves[seat]
    return planned is not None and state.ending is None and planned.ply <= len(state.plies) <= planned.ply + 1


def due_branch(before: State | None, state: State, seat: Seat) -> conditional.Branch | None:
    """The branch that applies to `seat`, who plays now. `before` is as in `next_automatic_entry`."""
    planned = state.conditional_moves[seat]
    if planned is None or before is None:
        return None
    if planned.ply == len(state.plies):
        return next((branch for branch in planned.plan if branch.when == conditional.ANSWER_AT_ONCE), None)
    if planned.ply + 1 != len(state.plies) or state.plies[-1].seat == seat:
        return None
    return conditional.choose_branch(planned.plan, before.position, state.plies[-1].move, state.position)


def _conditional_entry(state: State, seat: Seat, branch: conditional.Branch) -> AutomaticEntry | None:
    if branch.answers[0] == conditional.RESIGN:
        return RESIGN, seat, {"auto": True}
    try:
        move, standing = conditional.read_legal_ply(state.position, branch.answers[0])
    except RulesError:
        return None
    return PLY, seat, ply_data(move, standing, conditional.remaining_branches(branch)) | {"auto": True}


def ply_data(move: Move, standing: StandingOrder | None, plan: conditional.ConditionalPlan) -> dict[str, Any]:
    data: dict[str, Any] = {"move": str(move)}
    if standing is not None:
        data["standing"] = dict(standing)
    if plan:
        data["plan"] = conditional.plan_data(plan)
    return data


def remaining_after_manual_ply(state: State, seat: Seat, move: Move) -> conditional.ConditionalPlan:
    """Return the conditional moves after a ply by hand. None are left, unless it was the planned ply."""
    branch = due_branch(state.before, state, seat)
    planned = branch and conditional.position_after(state.position, branch.answers[0])
    if branch is None or planned != state.position.follow(move):
        return ()
    return conditional.remaining_branches(branch)


def find_conditional_stop(before: State | None, state: State, seat: Seat) -> ConditionalStop | None:
    planned = state.conditional_moves[seat]
    if before is None or planned is None or state.to_play != seat or not conditional_moves_apply(state, seat):
        return None
    branch = due_branch(before, state, seat)
    if branch is None and state.plies[-1].seat == seat:
        return None
    answer = branch.answers[0] if branch is not None else ""
    if "draw" in offers_to(state, seat):
        return ConditionalStop("draw", answer)
    if "annul" in offers_to(state, seat):
        return ConditionalStop("annul", answer)
    if branch is None:
        pie = conditional.choose_branch(planned.plan, before.position, "", state.position) is not None
        return ConditionalStop("pie" if pie else "unnamed")
    try:
        conditional.read_legal_ply(state.position, answer)
    except RulesError as error:
        return ConditionalStop("illegal", answer, str(error))
    return None


def add_automatic_entries(turn: Turn, at: datetime) -> Turn:
    if all(entry.kind in PRIVATE_KINDS for entry in turn.entries):
        return turn
    forced = {seat for seat in SEATS if turn.game.seats[seat].preferences.more.get(FORCED)}
    while (answer := next_automatic_entry(turn.before, turn.state, forced)) is not None:
        kind, seat, data = answer
        turn = turn.add(kind, seat, at, data)
    return turn


def apply_conditional_line(turn: Turn, command: Command) -> Turn:
    if command.error is not None:
        raise conditional.PrivateRefusal(str(command.error))
    if turn.repeated_ply is not None and turn.repeated_ply.n < len(turn.state.plies):
        return turn  # the same mail again, and the game has gone on
    turn = replace(turn, planned=True)
    if command.args.get("steps") == ():
        return turn
    if not command.args.get("clear"):
        _refuse_stale(turn)
    changed = _change_conditional_moves(turn, turn.seat, command)
    if changed is None:
        return turn
    if turn.entries and turn.entries[-1].kind == PLAN and turn.entries[-1].data["plan"]:
        turn = replace(turn, game=turn.start.with_entries(turn.entries[:-1]))
    return turn.add_own(PLAN, {"plan": conditional.plan_data(changed)})


def _refuse_stale(turn: Turn) -> None:
    if turn.request.since is None or turn.entries:
        return
    refuse_stale_move(turn)
    late = first_since(turn.start, turn.request.since, PLY)
    if late is not None and any(p.entry >= late.n and p.seat != turn.seat for p in turn.state.plies):
        raise Refusal(
            "The other has played since the letter you answered, so your plan is for a board that is gone; "
            "here is the board as it is now."
        )


def _change_conditional_moves(turn: Turn, seat: Seat, command: Command) -> conditional.ConditionalPlan | None:
    """The conditional moves after an `if` line, or None if unchanged."""
    state = turn.state
    planned = state.conditional_moves[seat]
    if command.args.get("clear"):
        nothing = planned is None and state.standing[seat] is None
        return None if nothing or state.ending is not None else ()
    turn.check_running()
    if state.to_play == seat:
        raise Refusal(
            "It is your turn: a plan is for what you will answer to the other's next move, so play first and "
            "write the plan below your move."
        )
    if "draw" in offers_to(state, seat):
        raise Refusal(
            f'{turn.opponent} offers a draw: answer that with "accept" or "decline" before you plan on.'
        )
    old = planned.plan if planned is not None and planned.ply == len(state.plies) else ()
    new = conditional.add_line(old, command.args["steps"], state.position, seat)
    return None if new == old else new


def draw_news(entries: Sequence[Entry]) -> DrawNews:
    """Return a draw's news: `offered`, `declined`, `turned down` (by conditional moves), or ""."""
    if any(entry.kind == DECLINE and entry.data.get("auto") for entry in entries):
        return "turned down"
    kinds = {entry.kind for entry in entries if entry.data.get("offer", "draw") == "draw"}
    return "offered" if OFFER in kinds else "declined" if DECLINE in kinds else ""
