"""A director's decision and letters from the command line. Due clock events come first."""

import logging
import time
from collections.abc import Callable

from pbem.app import App
from pbem.commands.directing import Decide, advance_game, store_decision
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.letters.letter import to_player
from pbem.core.play import director
from pbem.duties import game_clock, outages
from pbem.inbox.process import work_through
from pbem.outbox.write import queue_letters
from pbem.store import games, inbox
from pbem.store.engine import Connection

log = logging.getLogger("pbem.director")

TRIES, NAP_SECONDS = 5, 0.1
"""Attempts to handle mail from before a flag, and the pause between."""


def decide_as_director(
    app: App, id: int, decide: Decide, by: str = "", check: Callable[[Connection], None] | None = None
) -> Game:
    """The game after a decision of `by`; raises Refusal.

    Earlier mail is handled first: a move may save the game. `check` may refuse once the game is locked.
    """
    outages.credit_outage(app)
    for _ in range(TRIES):
        try:
            ruled = _decide_now(app, id, decide, by, check)
        except game_clock.EarlierMailPending:
            if not work_through(app):
                time.sleep(NAP_SECONDS)
        else:
            app.wake()
            return ruled
    with app.store.read() as db:
        mail = inbox.first_waiting_mail(db, app.now())
    which = "mail that is not here yet" if mail is None else f"mail that waits, m{mail} the oldest,"
    raise Refusal(
        f"Something was due by the clock of game {id}, and {which} may have come before it. A move may be "
        "in it, so nothing was decided; please try again in a minute."
    )


def _decide_now(
    app: App, id: int, decide: Decide, by: str, check: Callable[[Connection], None] | None
) -> Game:
    ruled, problem = None, f"There is no game {id}."
    with app.store.write() as db:
        game = games.load_game(db, app.games_by_key, id, lock=True)
        if game is not None:
            now = app.now()
            game, letters = advance_game(app, db, game, now, mail=0)
            try:
                if check is not None:
                    check(db)
                ruled, made = store_decision(app, db, game, decide(game, now), {"by": by} if by else {})
            except Refusal as refusal:  # raised only after the commit: the clock events stay
                problem = str(refusal)
            else:
                letters += made
            queue_letters(app, db, letters, now, about="director")
    if ruled is None:
        raise Refusal(problem)
    return ruled


def tell_everybody(app: App, words: str, by: str = "") -> int:
    """Write once to everybody with a running game; returns their number. Raises Refusal."""
    words = director.clean_message(words)
    now = app.now()
    about = f"all{int(now.timestamp())}"
    with app.store.write() as db:
        if not inbox.claim_nonce(db, "notice", about, now):
            raise Refusal("Everybody was written to this very second; please wait a moment.")
        playing = games.players_in_games(db)
        letters = [to_player("director", player, ruling=None, words=words) for player in playing]
        queue_letters(app, db, letters, now, about=about)
    log.info("message%s to %d players: %s", by and f" by {by}", len(playing), " ".join(words.split()))
    app.wake()
    return len(playing)
