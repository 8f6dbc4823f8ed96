"""Takebacks with the other player's consent. A request lapses, and is made once for a ply."""

from collections.abc import Sequence
from datetime import datetime

from pbem.core.errors import Refusal
from pbem.core.game.game import taken_back_since
from pbem.core.game.journal import PLY, TAKEBACK, TAKEBACK_DECLINED, TAKEBACK_OFFER, Entry
from pbem.core.game.rulings import ROLLBACK
from pbem.core.game.state import State, offers_to
from pbem.core.parsing.line import Command
from pbem.core.play.turn import Turn, TurnRequest
from rules.contract import Seat, other


def open_takeback_request(state: State, seat: Seat, at: datetime) -> Entry | None:
    asked = state.offers["undo"] if "undo" in offers_to(state, seat) else None
    return None if asked is None or at > asked.until else asked.entry


def takeback(turn: Turn, request: TurnRequest, command: Command) -> Turn:
    state, seat = turn.state, request.seat
    turn.check_running()
    if any(entry.kind == PLY for entry in turn.entries):
        raise Refusal("Your mail makes a ply and asks to take one back; please write one of the two.")
    _refuse_old_request(turn, request)
    own = next((ply for ply in reversed(state.plies) if ply.seat == seat), None)
    if own is None:
        raise Refusal("You have made no ply that could be taken back.")
    if any(entry.kind == ROLLBACK and entry.n > own.entry for entry in turn.game.journal):
        raise Refusal(f"The director has taken the game back since ply {own.n} was made, so it stands.")
    name = turn.game.seats[other(seat)].name
    if (asked := open_takeback_request(state, other(seat), request.when.agreement_time)) is not None:
        raise Refusal(f"You have asked already to take ply {own.n} back; it waits for {name}'s answer.")
    if asked is None and open_takeback_request(state, seat, request.when.agreement_time) is not None:
        raise Refusal(
            f"{name} asks to take a ply back: answer that first, with `accept undo` or `decline undo`."
        )
    if any(entry.kind == TAKEBACK_DECLINED and entry.data["to"] == own.entry for entry in turn.game.journal):
        raise Refusal(f"{name} has declined to have ply {own.n} taken back, and that stands.")
    refuse_repeated_offer(turn, request, TAKEBACK_OFFER, "asked to take a ply back")
    return turn.add_agreement(request, TAKEBACK_OFFER, {"to": own.entry})


def refuse_repeated_offer(turn: Turn, request: TurnRequest, kind: str, done: str) -> None:
    """Raise Refusal for an offer made since this mail, which is handled again. It may be gone by now."""
    mine = [entry for entry in turn.game.journal if entry.kind == kind and entry.seat == request.seat]
    if request.when.again and any(entry.effective_time >= request.when.accepted for entry in mine):
        raise Refusal(f"You have {done} since your mail came, so it is not done again; write anew to do so.")


def _refuse_old_request(turn: Turn, request: TurnRequest) -> None:
    if request.since is None:
        return
    later = turn.game.open_entries[request.since :]
    plies = [entry for entry in later if entry.kind == PLY and entry.seat == request.seat]
    asked = any(entry.kind == TAKEBACK_OFFER and entry.seat == request.seat for entry in later)
    if (
        len(plies) > 1
        or taken_back_since(turn.game, request.since)
        or (asked and "undo" not in turn.state.offers)
    ):
        raise Refusal(
            "The game has gone on since the letter you answered, so it is not sure which ply you want to "
            "take back; to ask for your last one, answer the newest letter."
        )


def answer_takeback(turn: Turn, request: TurnRequest, command: Command) -> Turn:
    word, asked = command.verb, open_takeback_request(turn.state, request.seat, request.when.agreement_time)
    if asked is None:
        raise Refusal(f"There is no request to take a ply back that you could {word}.")
    if any(entry.kind == PLY for entry in turn.entries):
        raise Refusal("Your mail makes a ply and answers a request to take one back; please write one.")
    return turn.add_agreement(
        request, TAKEBACK if word == "accept" else TAKEBACK_DECLINED, {"to": asked.data["to"]}
    )


def refuse_ply_beside_takeback(turn: Turn) -> None:
    """Raise Refusal for a ply beside a takeback. The ply may be meant for the game after it."""
    if any(entry.kind in (TAKEBACK_OFFER, TAKEBACK) for entry in turn.entries):
        raise Refusal(
            "Your mail holds a ply besides what it says of taking one back; please write one of the two."
        )


def refuse_stale_move(turn: Turn, request: TurnRequest) -> None:
    if request.since is not None and taken_back_since(turn.game, request.since):
        raise Refusal(
            "A ply has been taken back since the letter you answered; here is the board as it is now."
        )


def takeback_news(entries: Sequence[Entry]) -> str:
    words = {TAKEBACK_OFFER: "asked", TAKEBACK: "taken", TAKEBACK_DECLINED: "kept"}
    return next((words[entry.kind] for entry in entries if entry.kind in words), "")
