"""The fold of a journal: the effect of each entry on the state.

Entries are not checked here: every writer of entries checks them first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem.core.game.conditional import ConditionalMoves, plan_from_data
from pbem.core.game.journal import (
    AGREE,
    ASK_PAUSE,
    CLAIM,
    CLOSE,
    DECLINE,
    FLAG,
    GIVE,
    LAPSE,
    OFFER,
    OFFER_LIFETIMES,
    PAUSE,
    PLAN,
    PLY,
    RESIGN,
    SAY,
    SEATS,
    TAKEBACK,
    TAKEBACK_DECLINED,
    TAKEBACK_OFFER,
    TIMEOUT,
    Entry,
)
from pbem.core.game.rulings import ADJUDICATE, EXTEND, REPLACE, ROLLBACK, RULINGS, ruling_of
from pbem.core.game.state import Ending, PauseOffer, Ply, SpokenWords, State, TakebackRequest, TakenBackPly
from pbem.core.redact import mask_hosts
from rules.contract import SEAT_NAMES, Move, Seat, other

if TYPE_CHECKING:
    from pbem.core.game.game import Game


def initial_state(game: Game) -> State:
    return State(game.rules.begin(game.options, game.seed))


def fold(game: Game, *, upto: int | None = None) -> State:
    """The state after the journal's first `upto` entries, by default all."""
    entries = game.journal[:upto]
    state = initial_state(game)
    targets = [entry.data["entry"] for entry in entries if entry.kind == ROLLBACK]
    marks = dict.fromkeys(targets, state)  # so that nothing is folded twice
    for number, entry in enumerate(entries, start=1):
        if entry.kind == ROLLBACK:
            state = _apply_rollback(state, marks[entry.data["entry"]], entry)
        else:
            state = state_after(game, state, entry)
        if number in marks:
            marks[number] = state
    return state


def state_after(game: Game, state: State, entry: Entry) -> State:
    """The state one entry later; the end of a game ends its offers."""
    state = _apply_entry(game, state, entry)
    if state.ending is None or (state.draw_offer, state.pause_offer, state.takeback_offer) == (None,) * 3:
        return state
    return replace(state, draw_offer=None, pause_offer=None, takeback_offer=None)


def _apply_entry(game: Game, state: State, entry: Entry) -> State:
    if entry.kind == PLY:
        return _apply_ply(state, entry, state.position.read(entry.data["move"]))
    if entry.kind == ROLLBACK:
        return _apply_rollback(state, fold(game, upto=entry.data["entry"]), entry)
    if entry.kind in RULINGS:
        return _apply_ruling(state, entry)
    if entry.seat is None:
        return state
    step = ENTRY_STEPS.get(entry.kind)
    return state if step is None else step(game, state, entry, entry.seat)


def _apply_say(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    said = SpokenWords(len(state.plies), entry.n, seat, entry.data["words"], entry.at)
    return replace(state, said=(*state.said, said))


def _apply_plan(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    """Conditional moves without a branch clear the old ones. The standing order of a ply goes too."""
    if not entry.data["plan"]:
        first, second = state.standing
        state = replace(state, standing=(None, second) if seat == 0 else (first, None))
    return _with_conditional_moves(state, entry)


def _apply_decline(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    """An offer was declined, or lapsed."""
    if entry.data.get("offer") == "pause":
        return replace(state, pause_offer=None)
    if entry.data.get("offer") == "undo":
        return replace(state, takeback_offer=None)
    return replace(state, draw_offer=None)


def _apply_gift(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    """Giving time clears the receiver's fallen flag, never the giver's."""
    return state if seat == state.to_play else replace(state, flagged=None)


def _apply_claim(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    """The end that `seat` claims after the opponent ran out of time."""
    claimed, name = entry.data["result"], game.seats[seat].name
    late = f"{game.seats[other(seat)].name} ran out of time"
    ending = {
        "win": Ending("timeout", seat, state.position.side(seat), late, entry.at),
        "draw": Ending("claim", None, None, f"{late}, and {name} claimed a draw", entry.at),
        "void": Ending("void", None, None, f"{late}, and {name} declared the game void", entry.at),
    }[claimed]
    return replace(state, ending=ending)


def _apply_close(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    reason = f"{game.seats[seat].name} ran out of time, and nothing came of it for 30 days"
    if game.time_control.bank is None:
        reason = "Nothing happened for 60 days"
    return replace(state, ending=Ending("void", None, None, reason, entry.at))


def _apply_timeout(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    """The end by a fallen flag, dated to the flag."""
    at = datetime.fromisoformat(entry.data["flag"])
    name = game.seats[seat].name
    ending = Ending("timeout", other(seat), state.position.side(other(seat)), f"{name} ran out of time", at)
    if entry.data.get("void"):
        ending = Ending("void", None, None, f"{name} ran out of time before both had played twice", at)
    return replace(state, ending=ending)


def _apply_ruling(state: State, entry: Entry) -> State:
    if entry.kind == ADJUDICATE:
        state = replace(state, ending=_adjudication_ending(state, entry))
    elif entry.kind == EXTEND and entry.seat in (None, state.to_play):
        state = replace(state, flagged=None)
    elif entry.kind == REPLACE and entry.seat is not None:
        state = _clear_seat(state, entry.seat)
    return replace(state, rulings=(*state.rulings, ruling_of(entry, len(state.plies))))


def _clear_seat(state: State, seat: Seat) -> State:
    """The state for a new player at `seat`. Nothing that the old one offered or ordered stays."""
    standing, plans = list(state.standing), list(state.conditional_moves)
    standing[seat] = plans[seat] = None
    left: dict[str, Any] = {"standing": tuple(standing), "conditional_moves": tuple(plans)}
    if seat == state.to_play:
        left["flagged"] = None
    return replace(state, draw_offer=None, pause_offer=None, takeback_offer=None, **left)


def _apply_rollback(state: State, earlier: State, entry: Entry) -> State:
    last = len(earlier.plies)
    said = tuple(replace(each, after=min(each.after, last)) for each in state.said)
    rulings = tuple(replace(each, after=min(each.after, last)) for each in state.rulings)
    rulings = (*rulings, ruling_of(entry, last))
    return State(earlier.position, earlier.plies, said, rulings=rulings, taken_back=state.taken_back)


def _adjudication_ending(state: State, entry: Entry) -> Ending:
    """The end by decision. Its reason is public at once, so mail addresses are masked."""
    result = entry.data["result"]
    reason = f"The director decided: {mask_hosts(entry.data['reason']).rstrip('.')}"
    if result == "void":
        return Ending("void", None, None, reason, entry.at)
    winner = next((seat for seat in SEATS if SEAT_NAMES[seat] == result), None)
    side = None if winner is None else state.position.side(winner)
    return Ending("director", winner, side, reason, entry.at)


def _apply_ply(state: State, entry: Entry, move: Move) -> State:
    assert entry.seat is not None
    position = state.position.follow(move)
    words, auto = entry.data.get("comment", ""), entry.data.get("auto", False)
    ply = Ply(position.ply, entry.n, entry.seat, str(move), entry.at, words, auto)
    ending = None
    if (outcome := position.outcome) is not None:
        ending = Ending("rules", outcome.winner, outcome.side, outcome.reason, entry.at)
    first, second = state.standing
    if (orders := entry.data.get("standing")) is not None:
        first, second = (orders, second) if entry.seat == 0 else (first, orders)
    plies = (*state.plies, ply)
    state = replace(state, flagged=None)
    if state.draw_offer != entry.seat:
        state = replace(state, draw_offer=None)
    made: dict[str, Any] = {"position": position, "plies": plies, "ending": ending, "before": state}
    after = replace(state, **made, standing=(first, second), takeback_offer=None)
    return _with_conditional_moves(after, entry)


def _apply_takeback(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    """The state before the first ply taken back.

    Later words, pauses and decisions stay. Conditional moves go, since their positions are gone. So do the
    standing orders of the player to move again, or they would make the next ply at once. A new player never
    gets another's orders.
    """
    back: State | None = state
    while back is not None and back.plies and back.plies[-1].entry >= entry.data["to"]:
        back = back.before
    assert back is not None
    n = len(back.plies)
    gone = tuple(TakenBackPly(ply, entry.n, entry.at) for ply in state.plies[n:])
    seated = {each.seat for each in state.rulings[len(back.rulings) :] if each.kind == REPLACE}
    seated |= {taken.ply.seat for taken in gone[:1]}
    first, second = back.standing
    kept: dict[str, Any] = {
        "said": tuple(replace(each, after=min(each.after, n)) for each in state.said),
        "rulings": tuple(replace(each, after=min(each.after, n)) for each in state.rulings),
        "taken_back": (*state.taken_back, *gone),
        "standing": (None if 0 in seated else first, None if 1 in seated else second),
        "pause_offer": state.pause_offer,
    }
    return replace(
        back, **kept, draw_offer=None, takeback_offer=None, flagged=None, conditional_moves=(None, None)
    )


def _with_conditional_moves(state: State, entry: Entry) -> State:
    """The state with the conditional moves of this entry. A ply without any ends the old ones."""
    plan = plan_from_data(entry.data.get("plan", ()))
    planned = ConditionalMoves(len(state.plies), plan) if plan else None
    first, second = state.conditional_moves
    return replace(state, conditional_moves=(planned, second) if entry.seat == 0 else (first, planned))


def _apply_resignation(game: Game, state: State, entry: Entry, seat: Seat) -> State:
    winner = other(seat)
    reason = f"{game.seats[seat].name} resigned"
    ending = Ending("resignation", winner, state.position.side(winner), reason, entry.at)
    said = state.said
    if comment := entry.data.get("comment"):
        said = (*said, SpokenWords(len(state.plies), entry.n, seat, comment, entry.at))
    return replace(state, ending=ending, said=said)


ENTRY_STEPS: Mapping[str, Callable[[Game, State, Entry, Seat], State]] = {
    SAY: _apply_say,
    PLAN: _apply_plan,
    OFFER: lambda game, state, entry, seat: replace(
        state, draw_offer=seat, draw_until=entry.at + OFFER_LIFETIMES["draw"]
    ),
    DECLINE: _apply_decline,
    LAPSE: _apply_decline,
    AGREE: lambda game, state, entry, seat: replace(
        state, ending=Ending("agreement", None, None, "Draw agreed", entry.at)
    ),
    RESIGN: _apply_resignation,
    TIMEOUT: _apply_timeout,
    ASK_PAUSE: lambda game, state, entry, seat: replace(
        state, pause_offer=PauseOffer(seat, entry.data["days"], entry.at + OFFER_LIFETIMES["pause"])
    ),
    PAUSE: lambda game, state, entry, seat: replace(state, pause_offer=None),
    GIVE: _apply_gift,
    FLAG: lambda game, state, entry, seat: replace(state, flagged=datetime.fromisoformat(entry.data["flag"])),
    CLAIM: _apply_claim,
    CLOSE: _apply_close,
    TAKEBACK_OFFER: lambda game, state, entry, seat: replace(
        state, takeback_offer=TakebackRequest(seat, entry.data["to"], entry.n, entry.at)
    ),
    TAKEBACK_DECLINED: lambda game, state, entry, seat: replace(state, takeback_offer=None),
    TAKEBACK: _apply_takeback,
}
"""The effect of each kind of a player's or the clock's entry.

Plies and a director's entries are not here. The last argument is the entry's seat.
"""
