"""Agreements of two players: draws, pauses, takebacks, given time, claims on time."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.core.clock.intervals import FOREVER, interval_at
from pbem.core.clock.time_control import read_time
from pbem.core.errors import Refusal
from pbem.core.game import journal
from pbem.core.game.clock_display import describe_duration
from pbem.core.game.game import Game
from pbem.core.game.journal import OFFER_LIFETIMES, PLY, Entry
from pbem.core.game.state import State, offers_to
from pbem.core.parsing.line import Command
from pbem.core.play import takeback
from pbem.core.play.turn import Turn, TurnRequest
from pbem.core.ratings.results import is_short
from rules.contract import other

DAY = timedelta(days=1)
MAX_GIVEN = 30 * DAY
MAX_ON_CLOCK = 365 * DAY
MAX_PAUSE = 30
"""In days."""
MAX_DECLINED = {"draw": 1, "pause": 3}
"""Refused offers allowed per kind since the player's last ply. Pauses need more attempts than draws."""

OFFER_NAMES = {
    "draw": "offer of a draw",
    "pause": "offer of a pause",
    "undo": "request to take a ply back",
}


def which_offer(game: Game, state: State, request: TurnRequest, named: str, verb: str) -> str:
    """The offer that `accept` or `decline` answers: the named one, the letter's, or the only one."""
    since, waiting = request.since, _unlapsed_offers(state, request)
    open_ = [what for what in waiting if not request.when.repeated_before(state.offers[what].entry.at)]
    newer = [what for what in waiting if what not in open_ and named in ("", what)]
    if newer and (named or not open_):
        raise Refusal(
            f"Your mail came before the {OFFER_NAMES[newer[0]]} that waits now; to {verb} that, write "
            f"`{verb} {newer[0]}` again."
        )
    if named and named not in open_:
        raise Refusal(f"There is no {OFFER_NAMES[named]} that you could {verb}.")
    if not open_:
        raise Refusal(f"There is no offer of a draw that you could {verb}.")
    if named:
        return named
    made = {what: game.open_entries.index(state.offers[what].entry) + 1 for what in open_}
    shown = [what for what in open_ if since is None or made[what] <= since]
    if len(shown) == 1:
        return shown[0]
    if len(open_) == 1:
        raise Refusal(
            f"The {OFFER_NAMES[open_[0]]} was made after the letter you answered was written: to answer it, "
            f"write `{verb} {open_[0]}`, or answer the newest letter."
        )
    spelled_out = " or ".join(f"`{verb} {what}`" for what in open_)
    raise Refusal(f"Several offers are open; write {spelled_out}.")


def _unlapsed_offers(state: State, request: TurnRequest) -> list[str]:
    """Open offers to the requester that have not lapsed. Holds even before the clock has recorded a lapse."""
    offers = offers_to(state, request.seat)
    return [what for what in offers if request.when.agreement_time <= state.offers[what].until]


def _check_has_clock(turn: Turn, what: str) -> None:
    turn.check_running()
    if turn.game.time_control.bank is None:
        raise Refusal(f"This game is played without a clock, so there is nothing to {what}.")


def _draw(turn: Turn, request: TurnRequest, command: Command) -> Turn:
    turn.check_running()
    if "draw" in offers_to(turn.state, other(request.seat)):
        name = turn.game.seats[other(request.seat)].name
        raise Refusal(f"You have offered a draw already; it waits for {name}'s answer.")
    takeback.refuse_repeated_offer(turn, request, journal.OFFER, "offered a draw")
    agreed = "draw" in _unlapsed_offers(turn.state, request)
    if agreed and request.when.repeated_before(turn.state.offers["draw"].entry.at):
        name = turn.game.seats[other(request.seat)].name
        raise Refusal(f"{name} has offered a draw since your mail came; `accept draw` agrees to it.")
    if not agreed:
        _check_not_declined(turn, request, "draw")
    return turn.add_agreement(request, journal.AGREE if agreed else journal.OFFER, {})


def _check_not_declined(turn: Turn, request: TurnRequest, what: str) -> None:
    """Raise Refusal if the other declined this since the player's last ply; one in this mail counts."""
    if any(command.verb == "move" for command in request.commands):
        return
    entries = turn.game.with_entries(turn.entries).journal
    last = max((e.n for e in entries if e.kind == PLY and e.seat == request.seat), default=0)
    answers = [e for e in entries[last:] if e.kind == journal.DECLINE and e.seat != request.seat]
    declined = sum(e.data.get("offer", "draw") == what for e in answers)
    if declined >= MAX_DECLINED[what]:
        name = turn.game.seats[other(request.seat)].name
        raise Refusal(f"{name} has declined a {what} since your last ply; you may ask again after the next.")


def _answer(turn: Turn, request: TurnRequest, command: Command) -> Turn:
    turn.check_running()
    game, state = turn.game.with_entries(turn.entries), turn.state
    what = which_offer(game, state, request, command.args["offer"], command.verb)
    if what == "undo":
        return takeback.answer_takeback(turn, request, command)
    if command.verb == "decline":
        return turn.add_agreement(request, journal.DECLINE, {} if what == "draw" else {"offer": what})
    if what == "draw":
        return turn.add_agreement(request, journal.AGREE, {})
    until = request.when.agreement_time + state.offers["pause"].entry.data["days"] * DAY
    return turn.add_agreement(request, journal.PAUSE, {"until": until.isoformat()})


def _pause(turn: Turn, request: TurnRequest, command: Command) -> Turn:
    _check_has_clock(turn, "pause")
    days, name = command.args["days"], turn.game.seats[other(request.seat)].name
    if not 1 <= days <= MAX_PAUSE:
        raise Refusal(f"A pause is from 1 to {MAX_PAUSE} days long.")
    if (running := interval_at(turn.game.agreed, request.when.agreement_time)) is not None:
        raise Refusal(f"The game pauses already, until {running[1]:%Y-%m-%d %H:%M} UTC.")
    if "pause" in turn.state.offers:
        whose = turn.state.offers["pause"].seat == request.seat
        waits = f"You have asked for a pause already; it waits for {name}'s answer."
        raise Refusal(waits if whose else f"{name} asks for a pause too; `accept pause` agrees to it.")
    takeback.refuse_repeated_offer(turn, request, journal.ASK_PAUSE, "asked for a pause")
    _check_not_declined(turn, request, "pause")
    return turn.add_agreement(request, journal.ASK_PAUSE, {"days": days})


def _give(turn: Turn, request: TurnRequest, command: Command) -> Turn:
    _check_has_clock(turn, "give time to")
    time = read_time(command.args["time"])
    to = other(request.seat)
    name = turn.game.seats[to].name
    if not timedelta() < time <= MAX_GIVEN:
        raise Refusal(f"What can be given at a time is from an hour to {describe_duration(MAX_GIVEN)}.")
    data = {"seconds": int(time.total_seconds())}
    given = [entry for entry in turn.game.journal if (entry.kind, entry.seat) == (journal.GIVE, request.seat)]
    again = (request.when.accepted, data["seconds"])  # the same mail: no two share an acceptance time
    if again in [(entry.effective_time, entry.data["seconds"]) for entry in given]:
        raise Refusal(f"That is recorded already: you have given {name} {describe_duration(time)}.")
    clock = turn.game.with_entries(turn.entries).clock
    if clock.banks[to] + time > MAX_ON_CLOCK:
        raise Refusal(
            f"{name} would have more than {describe_duration(MAX_ON_CLOCK)} then, and that is enough."
        )
    return turn.add_own(request, journal.GIVE, data)


def _claim(turn: Turn, request: TurnRequest, command: Command) -> Turn:
    turn.check_running()
    state, name = turn.state, turn.game.seats[other(request.seat)].name
    if not turn.game.soft:
        raise Refusal("Only a soft clock leaves anything to claim; here a fallen flag decides by itself.")
    if state.flagged is None or state.to_play == request.seat or request.when.repeated_before(state.flagged):
        raise Refusal(f"There is nothing to claim: {name} has not run out of time.")
    if (pause := interval_at(turn.game.stops.both, request.when.accepted)) is not None:
        until = "" if pause[1] == FOREVER else f" until {pause[1]:%Y-%m-%d %H:%M} UTC"
        raise Refusal(f"The game pauses{until}, and nothing can be claimed in a pause.")
    if interval_at(turn.game.stops.mail_stops[other(request.seat)], request.when.accepted) is not None:
        raise Refusal(
            f"A mail of {name}'s could not be handled yet, for a fault of ours. Nothing can be claimed until "
            "somebody has seen to it; please try again tomorrow."
        )
    if command.args["result"].lower() == "win" and is_short(state):
        raise Refusal(
            "Before both have played twice nobody wins on time; you may `claim draw` or `claim void`."
        )
    return turn.add_agreement(request, journal.CLAIM, {"result": command.args["result"].lower()})


AGREEMENTS: Mapping[str, Callable[[Turn, TurnRequest, Command], Turn]] = {
    "draw": _draw,
    "undo": takeback.takeback,
    "accept": _answer,
    "decline": _answer,
    "pause": _pause,
    "give": _give,
    "claim": _claim,
}


def offer_news(entry: Entry) -> dict[str, Any] | None:
    """An entry's agreement or request, for letters. None for a draw, which letters word on their own."""
    match entry.kind:
        case "give":
            return {"what": "given", "time": timedelta(seconds=entry.data["seconds"])}
        case "ask-pause":
            until = entry.at + OFFER_LIFETIMES["pause"]
            return {"what": "asked", "days": entry.data["days"], "until": until}
        case "pause":
            return {"what": "agreed", "until": datetime.fromisoformat(entry.data["until"])}
        case "decline" if entry.data.get("offer") == "pause":
            return {"what": "declined"}
    return None
