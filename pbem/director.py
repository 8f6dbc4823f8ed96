"""A director's decision, judged, stored and told in one transaction.

Clock events due by then come first, and before them the mail that the clock waits for, so that no decision
depends on the time of the check.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from pbem.core import directing
from pbem.core.game import Game
from pbem.core.journal import Entry
from pbem.core.lobby import Refusal
from pbem.core.people import Player
from pbem.core.rulings import REPLACE, ruling, told
from pbem.core.stands import left
from pbem.decisions import make_held
from pbem.office import Office
from pbem.postoffice import work_through
from pbem.secretary import queue_letters
from pbem.store import games, people, post
from pbem.store.engine import Connection
from pbem.timekeeper import TooSoon, give_back, strike

log = logging.getLogger("pbem.director")

Decide = Callable[[Game, datetime], Entry]

TRIES, NAP_SECONDS = 5, 0.1
"""Attempts to handle mail from before a flag, and the pause between."""
NO_MAIL = 0
"""The number of no mail: the clock waits for every one."""


@dataclass(frozen=True)
class Ruled:
    """A decision, and the game after it."""

    game: Game
    entry: Entry


def rule(office: Office, id: int, decide: Decide) -> Ruled:
    """Make a decision in game `id`; raises Refusal.

    Clock events stay done either way. Mail that was accepted before a flag fell is handled first: it may hold
    a move that saves the game.
    """
    give_back(office)
    for _ in range(TRIES):
        try:
            ruled = _ruled(office, id, decide)
        except TooSoon:
            if not work_through(office):
                time.sleep(NAP_SECONDS)
        else:
            log.info("game %d, entry %d: %s", id, ruled.entry.n, told(ruling(ruled.entry, 0)))
            office.wake()
            return ruled
    raise Refusal(_who_waits(office, id))


def _ruled(office: Office, id: int, decide: Decide) -> Ruled:
    """Make the decision; raises TooSoon while earlier mail waits."""
    ruled = None
    problem = f"There is no game {id}."
    with office.store.write() as db:
        game = games.load(db, office.shelf, id, lock=True)
        if game is not None:
            now = office.now()
            game, letters = strike(office, db, game, now, besides=NO_MAIL)
            if game.held is not None:  # the pending move came before the decision
                game, made = make_held(office, db, game, now)
                letters = [*letters, *made]
            try:
                ruled = _kept(office, db, game, decide(game, now))
            except Refusal as refusal:
                problem = str(refusal)
            else:
                old = _who_left(game, ruled)
                letters = [*letters, *directing.tell(game, ruled.game, office.settings.host, old)]
            queue_letters(office, db, letters, now, about="director")
    if ruled is None:
        raise Refusal(problem)
    return ruled


def _who_waits(office: Office, id: int) -> str:
    """The reason why nothing can be decided yet."""
    with office.store.read() as db:
        mail = post.first_waiting(db, office.now())
    which = "mail that is not here yet" if mail is None else f"mail that waits, m{mail} the oldest,"
    return (
        f"Something was due by the clock of game {id}, and {which} may have come before it. A move may be "
        "in it, so nothing was decided; please try again in a minute."
    )


def _kept(office: Office, db: Connection, game: Game, entry: Entry) -> Ruled:
    """The game after a decision, which is written down."""
    games.append(db, game, game.with_entries([entry]).state, [entry])
    if entry.kind == REPLACE and entry.seat is not None:
        newcomer = people.by_id(db, entry.data["player"])
        assert newcomer is not None
        games.reseat(db, game, entry.seat, newcomer)
        games.let_stand(db, game, left(game.stands, entry.seat, entry.at), entry.at)
    after = games.load(db, office.shelf, game.id, lock=True)
    assert after is not None
    games.reschedule(db, after)
    return Ruled(after, entry)


def _who_left(before: Game, ruled: Ruled) -> Player | None:
    seat = ruled.entry.seat
    return before.seats[seat] if ruled.entry.kind == REPLACE and seat is not None else None


def tell_everybody(office: Office, words: str) -> int:
    """Write once to everybody with a running game; returns their number. Raises Refusal."""
    words = directing.worded(words)
    now = office.now()
    about = f"all{int(now.timestamp())}"
    with office.store.write() as db:
        if not post.first_time(db, "notice", about, now):
            raise Refusal("Everybody was written to this very second; please wait a moment.")
        playing = games.playing(db)
        letters = [directing.notice_to(player, words) for player in playing]
        queue_letters(office, db, letters, now, about=about)
    log.info("message to %d players: %s", len(playing), " ".join(words.split()))
    office.wake()
    return len(playing)
