"""Agreements of two players: draws, games without a result, pauses, takebacks, given time, claims on time.

Offers lapse after a time. A takeback can be requested once for each ply.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pbem.core.clock.intervals import FOREVER, interval_at
from pbem.core.clock.time_control import read_time
from pbem.core.errors import Refusal
from pbem.core.game import journal
from pbem.core.game.clock_display import describe_duration
from pbem.core.game.game import first_since
from pbem.core.game.state import offers_to
from pbem.core.letters.facts import UndoNews
from pbem.core.parsing.line import Command
from pbem.core.play.turn import Turn
from pbem.core.ratings.results import is_short
from rules.contract import Seat, other

DAY = timedelta(days=1)
MAX_GIVEN = 30 * DAY
MAX_ON_CLOCK = 365 * DAY
MAX_PAUSE_DAYS = 30
MAX_DECLINED = {"draw": 1, "annul": 1, "pause": 3}
"""Declined offers allowed for each kind since the player's last ply; pauses need more attempts than draws."""

OFFER_NAMES = {
    "draw": "offer of a draw",
    "annul": "request to annul the game",
    "pause": "offer of a pause",
    "undo": "request to take a move back",
}


def _which_offer(turn: Turn, named: str, verb: str) -> str:
    """Return the offer that `accept` or `decline` answers: without a name, the letter's offer."""
    since, waiting, offers = turn.request.since, _unlapsed_offers(turn, turn.seat), turn.state.offers
    open_ = [what for what in waiting if not turn.request.when.repeated_before(offers[what].entry.at)]
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
    made = {what: turn.game.open_entries.index(offers[what].entry) + 1 for what in open_}
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


def _unlapsed_offers(turn: Turn, seat: Seat) -> list[str]:
    """Return open offers to `seat` without lapsed ones, even before the clock has recorded a lapse."""
    at, offers = turn.request.when.agreement_time, turn.state.offers
    return [what for what in offers_to(turn.state, seat) if at <= offers[what].until]


def _check_has_clock(turn: Turn, what: str) -> None:
    turn.check_running()
    if turn.game.time_control.bank is None:
        raise Refusal(f"This game is played without a clock, so there is nothing to {what}.")


def _draw(turn: Turn, command: Command) -> Turn:
    turn.check_running()
    _refuse_beside(turn, "annul")
    if "draw" in offers_to(turn.state, other(turn.seat)):
        raise Refusal(f"You have offered a draw already; it waits for {turn.opponent}'s answer.")
    _refuse_repeated_offer(turn, journal.OFFER, "offered a draw")
    agreed = "draw" in _unlapsed_offers(turn, turn.seat)
    if agreed and turn.request.when.repeated_before(turn.state.offers["draw"].entry.at):
        raise Refusal(f"{turn.opponent} has offered a draw since your mail came; `accept draw` agrees to it.")
    if not agreed:
        _check_not_declined(turn, "draw")
    return turn.add_agreement(journal.AGREE if agreed else journal.OFFER, {})


def _annul(turn: Turn, command: Command) -> Turn:
    """Ask that the game ends without a result, or agree to that."""
    turn.check_running()
    if turn.request.in_event:
        raise Refusal(
            "This game counts in a league, a ladder or a match, so the director alone can end it without a "
            "result. To ask for that, write `report` and your reason below it."
        )
    _refuse_beside(turn, "draw")
    if "annul" in offers_to(turn.state, other(turn.seat)):
        raise Refusal(f"You have asked to annul the game already; it waits for {turn.opponent}'s answer.")
    _refuse_repeated_offer(turn, journal.ASK_ANNUL, "asked to annul the game")
    agreed = "annul" in _unlapsed_offers(turn, turn.seat)
    if agreed and turn.request.when.repeated_before(turn.state.offers["annul"].entry.at):
        raise Refusal(
            f"{turn.opponent} has asked to annul the game since your mail came; `accept annul` agrees."
        )
    if not agreed:
        _check_not_declined(turn, "annul")
    return turn.add_agreement(journal.ANNUL if agreed else journal.ASK_ANNUL, {})


def _refuse_beside(turn: Turn, what: str) -> None:
    """Raise Refusal while `what` is open: two offers of an end could be taken for each other."""
    if what in _unlapsed_offers(turn, turn.seat):
        name = OFFER_NAMES[what]
        raise Refusal(f"{turn.opponent}'s {name} is open: answer `accept {what}` or `decline {what}` first.")
    if what in _unlapsed_offers(turn, other(turn.seat)):
        raise Refusal(f"Your {OFFER_NAMES[what]} is open; it waits for {turn.opponent}'s answer.")


def _check_not_declined(turn: Turn, what: str) -> None:
    if any(command.verb == "move" for command in turn.request.commands):
        return
    entries = turn.game.journal
    last = max((e.n for e in entries if e.kind == journal.PLY and e.seat == turn.seat), default=0)
    answers = [e for e in entries[last:] if e.kind == journal.DECLINE and e.seat != turn.seat]
    declined = sum(e.data.get("offer", "draw") == what for e in answers)
    refused = "to annul the game" if what == "annul" else f"a {what}"
    if declined >= MAX_DECLINED[what]:
        raise Refusal(
            f"{turn.opponent} has declined {refused} since your last move; you may ask again after the next."
        )


def _refuse_repeated_offer(turn: Turn, kind: str, done: str) -> None:
    """Raise Refusal for an offer that this mail made before, even if the offer is gone by now."""
    mine, when = (each for each in turn.start.journal if each.kind == kind), turn.request.when
    if when.again and any(each.effective_time >= when.accepted and each.seat == turn.seat for each in mine):
        raise Refusal(f"You have {done} since your mail came, so it is not done again; write anew to do so.")


def _answer(turn: Turn, command: Command) -> Turn:
    turn.check_running()
    if offers_to(turn.start.state, turn.seat) and any(entry.kind == journal.PLY for entry in turn.entries):
        raise Refusal(
            f"Your mail makes a move and holds `{command.verb}` to an offer; please write one of the two."
        )
    what, accepts = _which_offer(turn, command.args["offer"], command.verb), command.verb == "accept"
    asked = turn.state.offers[what].entry.data
    if what == "undo":
        kind = journal.TAKEBACK if accepts else journal.TAKEBACK_DECLINED
        return turn.add_agreement(kind, {"to": asked["to"]})
    if not accepts:
        return turn.add_agreement(journal.DECLINE, {} if what == "draw" else {"offer": what})
    if what == "draw":
        return turn.add_agreement(journal.AGREE, {})
    if what == "annul":
        return turn.add_agreement(journal.ANNUL, {})
    until = turn.request.when.agreement_time + asked["days"] * DAY
    return turn.add_agreement(journal.PAUSE, {"until": until.isoformat()})


def _pause(turn: Turn, command: Command) -> Turn:
    _check_has_clock(turn, "pause")
    days = command.args["days"]
    if not 1 <= days <= MAX_PAUSE_DAYS:
        raise Refusal(f"A pause is from 1 to {MAX_PAUSE_DAYS} days long.")
    if (running := interval_at(turn.game.agreed, turn.request.when.agreement_time)) is not None:
        raise Refusal(f"The game pauses already, until {running[1]:%Y-%m-%d %H:%M} UTC.")
    if (asked := turn.state.offers.get("pause")) is not None and asked.seat != turn.seat:
        raise Refusal(f"{turn.opponent} asks for a pause too; `accept pause` agrees to it.")
    if asked is not None:
        raise Refusal(f"You have asked for a pause already; it waits for {turn.opponent}'s answer.")
    _refuse_repeated_offer(turn, journal.ASK_PAUSE, "asked for a pause")
    _check_not_declined(turn, "pause")
    return turn.add_agreement(journal.ASK_PAUSE, {"days": days})


def _give(turn: Turn, command: Command) -> Turn:
    _check_has_clock(turn, "give time to")
    time, name = read_time(command.args["time"]), turn.opponent
    if turn.game.seats[other(turn.seat)].bot:
        raise Refusal(f"{name} is a computer and has no clock, so there is nothing to give time to.")
    if not timedelta() < time <= MAX_GIVEN:
        raise Refusal(f"What can be given at a time is from an hour to {describe_duration(MAX_GIVEN)}.")
    seconds = int(time.total_seconds())
    given = [entry for entry in turn.start.journal if (entry.kind, entry.seat) == (journal.GIVE, turn.seat)]
    again = (turn.request.when.accepted, seconds)  # the same mail: no two share an acceptance time
    if again in [(entry.effective_time, entry.data["seconds"]) for entry in given]:
        raise Refusal(f"That is recorded already: you have given {name} {describe_duration(time)}.")
    if turn.game.clock.banks[other(turn.seat)] + time > MAX_ON_CLOCK:
        raise Refusal(
            f"{name} would have more than {describe_duration(MAX_ON_CLOCK)} then, and that is enough."
        )
    return turn.add_own(journal.GIVE, {"seconds": seconds})


def _claim(turn: Turn, command: Command) -> Turn:
    turn.check_running()
    if command.args["proved"]:
        return _claim_proof(turn, command)
    state, when, result = turn.state, turn.request.when, command.args["result"].lower()
    if not turn.game.soft:
        raise Refusal(
            "Only a soft clock leaves anything to claim. If you have won whatever follows, "
            "`claim win proved` asks for a proof."
        )
    if state.flagged is None or state.to_play == turn.seat or when.repeated_before(state.flagged):
        raise Refusal(f"There is nothing to claim: {turn.opponent} has not run out of time.")
    if (pause := interval_at(turn.game.stops.both, when.accepted)) is not None:
        until = "" if pause[1] == FOREVER else f" until {pause[1]:%Y-%m-%d %H:%M} UTC"
        raise Refusal(f"The game pauses{until}, and nothing can be claimed in a pause.")
    if interval_at(turn.game.stops.mail_stops[other(turn.seat)], when.accepted) is not None:
        raise Refusal(
            f"A mail of {turn.opponent}'s could not be handled yet, by an error of ours. Nothing can be "
            "claimed until we have mended it; please try again tomorrow."
        )
    if result == "win" and is_short(state):
        raise Refusal(
            "Before both have played twice nobody wins on time; you may `claim draw` or `claim void`."
        )
    return turn.add_agreement(journal.CLAIM, {"result": result})


def _claim_proof(turn: Turn, command: Command) -> Turn:
    """Claim a win by proof. Until the win is proved, the game stays as it is."""
    if command.args["result"].lower() != "win":
        raise Refusal("A win alone can be proved: write `claim win proved`.")
    if len(turn.request.commands) > 1 or turn.request.said:
        raise Refusal("Please write `claim win proved` in a mail of its own: it is about the board as it is.")
    return replace(turn, claims_proof=True)


def _takeback(turn: Turn, command: Command) -> Turn:
    turn.check_running()
    if any(entry.kind == journal.PLY for entry in turn.entries):
        raise Refusal("Your mail makes a move and asks to take one back; please write one of the two.")
    _refuse_old_request(turn)
    own = next((ply for ply in reversed(turn.state.plies) if ply.seat == turn.seat), None)
    if own is None:
        raise Refusal("You have made no move that could be taken back.")
    if any(entry.kind == journal.ROLLBACK and entry.n > own.entry for entry in turn.game.journal):
        raise Refusal(
            f"The director has taken the game back since move {own.n} was made, so you cannot take it back."
        )
    name = turn.opponent
    if "undo" in _unlapsed_offers(turn, other(turn.seat)):
        raise Refusal(f"You have asked already to take move {own.n} back; it waits for {name}'s answer.")
    if "undo" in _unlapsed_offers(turn, turn.seat):
        raise Refusal(
            f"{name} asks to take a move back: answer that first, with `accept undo` or `decline undo`."
        )
    declined = [e.data["to"] for e in turn.game.journal if e.kind == journal.TAKEBACK_DECLINED]
    if own.entry in declined:
        raise Refusal(f"{name} has declined to have move {own.n} taken back.")
    _refuse_repeated_offer(turn, journal.TAKEBACK_OFFER, "asked to take a move back")
    return turn.add_agreement(journal.TAKEBACK_OFFER, {"to": own.entry})


def _refuse_old_request(turn: Turn) -> None:
    since = turn.request.since
    if since is None:
        return
    own = [entry.kind for entry in turn.start.open_entries[since:] if entry.seat == turn.seat]
    lapsed = journal.TAKEBACK_OFFER in own and "undo" not in turn.state.offers
    if own.count(journal.PLY) > 1 or first_since(turn.start, since, journal.TAKEBACK) or lapsed:
        raise Refusal(
            "The game has gone on since the letter you answered, so it is not sure which move you want to "
            "take back; to ask for your last one, answer the newest letter."
        )


def refuse_ply_beside_takeback(turn: Turn) -> None:
    """Raise Refusal for a ply beside a takeback, as the ply may be meant for the game after the takeback."""
    if any(entry.kind in (journal.TAKEBACK_OFFER, journal.TAKEBACK) for entry in turn.entries):
        raise Refusal(
            "Your mail holds a move besides what it says of taking one back; please write one of the two."
        )


AGREEMENTS: Mapping[str, Callable[[Turn, Command], Turn]] = {
    "draw": _draw,
    "annul": _annul,
    "undo": _takeback,
    "accept": _answer,
    "decline": _answer,
    "pause": _pause,
    "give": _give,
    "claim": _claim,
}


def offer_news(entry: journal.Entry) -> dict[str, Any] | None:
    """Return an entry's agreement or request for letters; None for a draw, which letters tell separately."""
    match entry.kind:
        case "give":
            return {"what": "given", "time": timedelta(seconds=entry.data["seconds"])}
        case "ask-annul":
            return {"what": "to annul", "until": entry.at + journal.OFFER_LIFETIMES["annul"]}
        case "decline" if entry.data.get("offer") == "annul":
            return {"what": "kept"}
        case "ask-pause":
            until = entry.at + journal.OFFER_LIFETIMES["pause"]
            return {"what": "asked", "days": entry.data["days"], "until": until}
        case "pause":
            return {"what": "agreed", "until": datetime.fromisoformat(entry.data["until"])}
        case "decline" if entry.data.get("offer") == "pause":
            return {"what": "declined"}
    return None


def takeback_news(entries: Sequence[journal.Entry]) -> UndoNews:
    words: dict[str, UndoNews] = {journal.TAKEBACK_OFFER: "asked", journal.TAKEBACK: "taken"}
    words[journal.TAKEBACK_DECLINED] = "kept"
    return next((words[entry.kind] for entry in entries if entry.kind in words), "")
