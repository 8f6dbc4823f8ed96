"""A director's decision, judged, stored and told in one transaction, after clock events due by then."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from pbem.actions import context, decisions, game_clock, outages
from pbem.app import App
from pbem.core.clock.mail_times import end_seat_stops
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import REPLACE, Entry, describe_ruling
from pbem.core.letters.letter import to_player
from pbem.core.play import director
from pbem.inbox.process import work_through
from pbem.outbox.write import queue_letters
from pbem.store import engine, games, inbox, players

log = logging.getLogger("pbem.director")

TRIES, NAP_SECONDS = 5, 0.1
"""Attempts to handle mail from before a flag, and the pause between."""

Decide = Callable[[Game, datetime], Entry]


def decide_as_director(app: App, id: int, decide: Decide, by: str = "") -> Game:
    """The game after a decision of `by`; raises Refusal.

    Earlier mail is handled first: a move may save the game.
    """
    outages.credit_outage(app)
    for _ in range(TRIES):
        try:
            ruled = _decide_now(app, id, decide, by)
        except context.EarlierMailPending:
            if not work_through(app):
                time.sleep(NAP_SECONDS)
        else:
            entry = ruled.journal[-1]
            log.info("game %d, entry %d%s: %s", id, entry.n, by and f" by {by}", describe_ruling(entry))
            app.wake()
            return ruled
    with app.store.read() as db:
        mail = inbox.first_waiting_mail(db, app.now())
    which = "mail that is not here yet" if mail is None else f"mail that waits, m{mail} the oldest,"
    raise Refusal(
        f"Something was due by the clock of game {id}, and {which} may have come before it. A move may be "
        "in it, so nothing was decided; please try again in a minute."
    )


def _decide_now(app: App, id: int, decide: Decide, by: str) -> Game:
    ruled, problem = None, f"There is no game {id}."
    with app.store.write() as db:
        game = games.load_game(db, app.games_by_key, id, lock=True)
        if game is not None:
            now = app.now()
            # the clock waits for every mail
            game, letters = game_clock.advance_clock(app, db, game, now, besides=0)
            # the pending move came before the decision
            game, made = decisions.release_pending(app, db, game, now)
            letters += made
            try:
                entry = decide(game, now)
                entry = replace(entry, data={**entry.data, "by": by}) if by else entry
                ruled = _store_decision(app, db, game, entry)
            except Refusal as refusal:  # raised only after the commit: the clock events stay
                problem = str(refusal)
            else:
                entry = ruled.journal[-1]
                old = game.seats[entry.seat] if entry.kind == REPLACE and entry.seat is not None else None
                letters += director.letters_for_decision(game, ruled, app.config.host, old)
            queue_letters(app, db, letters, now, about="director")
    if ruled is None:
        raise Refusal(problem)
    return ruled


def _store_decision(app: App, db: engine.Connection, game: Game, entry: Entry) -> Game:
    games.append_entries(db, game, game.with_entries([entry]).state, [entry])
    if entry.kind == REPLACE and entry.seat is not None:
        newcomer = players.player_by_id(db, entry.data["player"])
        assert newcomer is not None
        games.reseat(db, game, entry.seat, newcomer)
        games.set_mail_stops(db, game, end_seat_stops(game.stands, entry.seat, entry.at), entry.at)
    after = games.load_game(db, app.games_by_key, game.id, lock=True)
    assert after is not None
    games.reschedule(db, after)
    return after


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
