"""Ends of a player's offers."""

from dataclasses import dataclass

from pbem.core.game import journal
from pbem.core.game.fold import ANSWERED, OFFERED, UNTIL_PLAYED
from pbem.core.game.game import Game
from pbem.core.game.journal import OFFER_LIFETIMES, Entry
from rules.contract import Seat

DECLINED, LAPSED, PLAYED = "declined", "lapsed", "played"
HOW = {
    journal.DECLINE: DECLINED,
    journal.TAKEBACK_DECLINED: DECLINED,
    journal.LAPSE: LAPSED,
    journal.PLY: PLAYED,
}
"""How each kind of entry ends an offer without agreeing to it."""
ENDED = {
    journal.TAKEBACK: {*UNTIL_PLAYED, "undo"},
    journal.ROLLBACK: set(OFFER_LIFETIMES),
    journal.REPLACE: set(OFFER_LIFETIMES),
}


@dataclass(frozen=True)
class Answered:
    """The end of the offer `what`. `how` is `DECLINED`, `LAPSED` or `PLAYED`."""

    what: str
    how: str


def answered_offer(game: Game, seat: Seat) -> Answered | None:
    """Return how a player's last offer ended, until their next ply."""
    waiting, found = set[str](), None
    for entry in game.journal:
        own = entry.seat == seat
        ended = _ended_by(entry, own=own) & waiting
        waiting -= ended
        if ended:
            how = HOW.get(entry.kind)
            found = Answered(min(ended), how) if how else None
        mine = own and (entry.kind in OFFERED or entry.kind == journal.PLY)
        again = found is not None and OFFERED.get(entry.kind) == found.what
        if mine or again or entry.kind == journal.REPLACE:
            found = None
        if own and entry.kind in OFFERED:
            waiting.add(OFFERED[entry.kind])
    return found


def _ended_by(entry: Entry, *, own: bool) -> set[str]:
    """Return the offers of one player that an entry ends."""
    if entry.kind == journal.PLY:
        return {"undo"} if own else {*UNTIL_PLAYED, "undo"}
    if entry.kind in ANSWERED:
        return {entry.data.get("offer", ANSWERED[entry.kind])}
    return ENDED.get(entry.kind, set())
