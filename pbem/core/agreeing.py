"""What two players settle between them: draws, pauses, plies taken back, time given, and what a soft clock
lets one claim.

Each verb takes the table, the request and the command, and gives the table after it, or raises Refusal.
An offer waits for its answer until `LASTS` is over, the other plays on (a draw), or the game ends.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.core import offers
from pbem.core.deadlines import PLIES_THAT_COUNT, played_by_both
from pbem.core.game import Game
from pbem.core.journal import AGREE, ASK, ASK_PAUSE, CLAIM, DECLINE, GIVE, LASTS, OFFER, PAUSE, Entry
from pbem.core.lines import Command
from pbem.core.lobby import Refusal
from pbem.core.pace import BadPace, read_time, spelled
from pbem.core.spans import within
from pbem.core.state import State
from pbem.core.table import Request, Table
from rules.contract import Seat, other

DAY = timedelta(days=1)
MOST_GIVEN = 30 * DAY
"""What one may give at a time."""
MOST_ON_CLOCK = 365 * DAY
LONGEST_PAUSE = 30
"""Days."""


NAMED = {
    "draw": "offer of a draw",
    "pause": "offer of a pause",
    "undo": "request to take a ply back",
}


MADE_BY = {"draw": OFFER, "pause": ASK_PAUSE, "undo": ASK}
"""The kind of entry that makes an offer."""


def offers_to(state: State, seat: Seat) -> list[str]:
    """What the other has offered or asks for, and the player at `seat` may accept: draw, pause, undo."""
    found = [
        ("draw", state.draw_offer),
        ("pause", state.pause_offer.seat if state.pause_offer else None),
        ("undo", state.asked.seat if state.asked else None),
    ]
    return [what for what, by in found if by == other(seat)]


def which_offer(game: Game, state: State, request: Request, named: str, verb: str) -> str:
    """The offer that `accept` or `decline` answers: the one named, the one that the letter answered showed,
    or the only one; raises Refusal where that leaves a choice or nothing.
    """
    since, waiting = request.since, _still_open(state, request)
    open_ = [what for what in waiting if not request.missed(_made(game, what).at)]
    newer = [what for what in waiting if what not in open_ and named in ("", what)]
    if newer and (named or not open_):
        raise Refusal(
            f"Your mail came before the {NAMED[newer[0]]} that waits now; to {verb} that, write "
            f"`{verb} {newer[0]}` again."
        )
    if named and named not in open_:
        raise Refusal(f"There is no {NAMED[named]} that you could {verb}.")
    if not open_:
        raise Refusal(f"There is no offer of a draw that you could {verb}.")
    if named or len(open_) == 1:
        return named or open_[0]
    shown = open_ if since is None else [what for what in open_ if _made(game, what).n <= since]
    if len(shown) == 1:
        return shown[0]
    spelled_out = " or ".join(f"`{verb} {what}`" for what in open_)
    raise Refusal(f"Several offers are open; write {spelled_out}.")


def _still_open(state: State, request: Request) -> list[str]:
    """The offers to whoever asks that have not lapsed, whether or not the clock has written that down."""
    ends = {
        "draw": state.draw_until,
        "pause": state.pause_offer.until if state.pause_offer else None,
        "undo": state.asked.until if state.asked else None,
    }
    found = offers_to(state, request.seat)
    return [what for what in found if (end := ends[what]) is None or request.settled <= end]


def _made(game: Game, what: str) -> Entry:
    """The journal entry that made the newest offer of its kind."""
    return next(entry for entry in reversed(game.journal) if entry.kind == MADE_BY[what])


def _running(table: Table) -> None:
    if table.state.ending is not None:
        raise Refusal(f"The game is over: {table.state.ending.reason}.")


def _clocked(table: Table, what: str) -> None:
    _running(table)
    if table.game.pace.bank is None:
        raise Refusal(f"This game is played without a clock, so there is nothing to {what}.")


def _draw(table: Table, request: Request, command: Command) -> Table:
    """Offer a draw, or agree to the other's offer."""
    _running(table)
    if table.state.draw_offer == request.seat:
        name = table.game.seats[other(request.seat)].name
        raise Refusal(f"You have offered a draw already; it waits for {name}'s answer.")
    offers.refuse_again(table, request, OFFER, "offered a draw")
    game, waiting = table.game.with_entries(table.entries), _still_open(table.state, request)
    if "draw" in waiting and request.missed(_made(game, "draw").at):
        name = game.seats[other(request.seat)].name
        raise Refusal(f"{name} has offered a draw since your mail came; `accept draw` agrees to it.")
    return table.add(AGREE if "draw" in waiting else OFFER, request.seat, request.settled, {})


def _answer(table: Table, request: Request, command: Command) -> Table:
    """`accept` or `decline` what the other has offered."""
    game, state = table.game.with_entries(table.entries), table.state
    what = which_offer(game, state, request, command.args["offer"], command.verb)
    if what == "undo":
        return offers.answer_request(table, request, command)
    if command.verb == "decline":
        return table.add(DECLINE, request.seat, request.settled, {} if what == "draw" else {"offer": what})
    if what == "draw":
        return table.add(AGREE, request.seat, request.settled, {})
    assert state.pause_offer is not None
    until = request.settled + state.pause_offer.days * DAY
    return table.add(PAUSE, request.seat, request.settled, {"until": until.isoformat()})


def _pause(table: Table, request: Request, command: Command) -> Table:
    """Ask the other for a pause of some days."""
    _clocked(table, "pause")
    days, name = command.args["days"], table.game.seats[other(request.seat)].name
    if not 1 <= days <= LONGEST_PAUSE:
        raise Refusal(f"A pause is from 1 to {LONGEST_PAUSE} days long.")
    if (running := within(table.game.agreed, request.settled)) is not None:
        raise Refusal(f"The game pauses already, until {running[1]:%Y-%m-%d %H:%M} UTC.")
    if table.state.pause_offer is not None:
        whose = table.state.pause_offer.seat == request.seat
        waits = f"You have asked for a pause already; it waits for {name}'s answer."
        raise Refusal(waits if whose else f"{name} asks for a pause too; `accept pause` agrees to it.")
    offers.refuse_again(table, request, ASK_PAUSE, "asked for a pause")
    return table.add(ASK_PAUSE, request.seat, request.settled, {"days": days})


def _give(table: Table, request: Request, command: Command) -> Table:
    """Add to the other's clock."""
    _clocked(table, "give time to")
    try:
        time = read_time(command.args["time"])
    except BadPace as wrong:
        raise Refusal(str(wrong)) from None
    to = other(request.seat)
    name = table.game.seats[to].name
    if not timedelta() < time <= MOST_GIVEN:
        raise Refusal(f"What can be given at a time is from an hour to {spelled(MOST_GIVEN)}.")
    data = {"seconds": int(time.total_seconds())}
    again = (GIVE, request.seat, request.at, data)  # the same mail, for no two are accepted so alike
    if again in [(entry.kind, entry.seat, entry.at, entry.data) for entry in table.game.journal]:
        raise Refusal(f"That is recorded already: you have given {name} {spelled(time)}.")
    clock = table.game.with_entries(table.entries).clock
    if clock.banks[to] + time > MOST_ON_CLOCK:
        raise Refusal(f"{name} would have more than {spelled(MOST_ON_CLOCK)} then, and that is enough.")
    return table.add(GIVE, request.seat, request.at, data)


def _claim(table: Table, request: Request, command: Command) -> Table:
    """End a game with a soft clock after the other's flag fell."""
    _running(table)
    state, name = table.state, table.game.seats[other(request.seat)].name
    if not table.game.soft:
        raise Refusal("Only a soft clock leaves anything to claim; here a fallen flag decides by itself.")
    if state.flagged is None or state.to_play == request.seat or request.missed(state.flagged):
        raise Refusal(f"There is nothing to claim: {name} has not run out of time.")
    if command.args["result"].lower() == "win" and played_by_both(state) < PLIES_THAT_COUNT:
        raise Refusal(
            "Before both have played twice nobody wins on time; you may `claim draw` or `claim void`."
        )
    return table.add(CLAIM, request.seat, request.settled, {"result": command.args["result"].lower()})


Verb = Callable[["Table", "Request", Command], "Table"]

AGREEMENTS: Mapping[str, Verb] = {
    "draw": _draw,
    "undo": offers.undo,
    "accept": _answer,
    "decline": _answer,
    "pause": _pause,
    "give": _give,
    "claim": _claim,
}
"""The commands by which two settle something."""


def deal(entry: Entry) -> dict[str, Any] | None:
    """What an entry settles or asks, for letters: None for a draw, which has words of its own."""
    match entry.kind:
        case "give":
            return {"what": "given", "time": spelled(timedelta(seconds=entry.data["seconds"]))}
        case "ask-pause":
            until = entry.at + LASTS["pause"]
            return {"what": "asked", "days": entry.data["days"], "until": until}
        case "pause":
            return {"what": "agreed", "until": datetime.fromisoformat(entry.data["until"])}
        case "decline" if entry.data.get("offer") == "pause":
            return {"what": "declined"}
    return None
