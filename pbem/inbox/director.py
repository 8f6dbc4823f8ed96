"""Make a director's decision, once the mail that its clock waits for is handled."""

import logging
import time

from pbem.actions.context import EarlierMailPending
from pbem.actions.director import Decide, Decided, decide_now
from pbem.actions.outages import credit_outage
from pbem.app import App
from pbem.core.errors import Refusal
from pbem.core.game.rulings import describe_ruling, ruling_of
from pbem.inbox.process import work_through
from pbem.store import inbox

log = logging.getLogger("pbem.director")

TRIES, NAP_SECONDS = 5, 0.1
"""Attempts to handle mail from before a flag, and the pause between."""


def decide_as_director(app: App, id: int, decide: Decide) -> Decided:
    """Make a decision in game `id`; raises Refusal.

    Clock events stay done either way. Mail that was accepted before a flag fell is handled first: it may hold
    a move that saves the game.
    """
    credit_outage(app)
    for _ in range(TRIES):
        try:
            ruled = decide_now(app, id, decide)
        except EarlierMailPending:
            if not work_through(app):
                time.sleep(NAP_SECONDS)
        else:
            log.info("game %d, entry %d: %s", id, ruled.entry.n, describe_ruling(ruling_of(ruled.entry, 0)))
            app.wake()
            return ruled
    raise Refusal(_waiting_sentence(app, id))


def _waiting_sentence(app: App, id: int) -> str:
    """The reason why nothing can be decided yet."""
    with app.store.read() as db:
        mail = inbox.first_waiting_mail(db, app.now())
    which = "mail that is not here yet" if mail is None else f"mail that waits, m{mail} the oldest,"
    return (
        f"Something was due by the clock of game {id}, and {which} may have come before it. A move may be "
        "in it, so nothing was decided; please try again in a minute."
    )
