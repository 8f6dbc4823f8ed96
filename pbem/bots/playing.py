"""The process `pbem bots`: claims a turn, thinks outside every transaction, and writes a mail.

A turn is a game and the length of its journal. A lease in `bot_turns` keeps other processes away; where a
process dies, the lease ends and another takes the turn. The mail answers a letter of that length, so a second
mail about the same turn is refused as any stale move is.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from threading import Thread
from zlib import crc32

from pbem.app import App
from pbem.bots import analysis, jobs
from pbem.bots.compiling import compile_games
from pbem.bots.exhibition import PAUSE, begin_exhibition
from pbem.bots.thinking import BotAnswer, answer_draw, find_move
from pbem.commands.context import Context
from pbem.commands.seeks import take_for_bots
from pbem.config.logs import trouble
from pbem.core.clock.intervals import NO_TIME
from pbem.core.clock.mail_times import same_moment
from pbem.core.game.game import Game
from pbem.core.game.journal import SEATS
from pbem.core.game.state import offers_to
from pbem.core.game.view import view
from pbem.core.letters.letter import about_game
from pbem.core.parsing.inbound import Mail
from pbem.core.players import BOT_LEVELS, QUICK_BOT, Player
from pbem.duties import budget
from pbem.inbox import web_move
from pbem.outbox.write import queue_letters
from pbem.store import bots, engine, events, games, inbox
from rules.contract import Seat

log = logging.getLogger("pbem.bots")

RETRY_AFTER = timedelta(seconds=30)
LOOK_AGAIN_AFTER = timedelta(hours=1)
"""The pause of a bot whose time is used up. The operator may give more time meanwhile."""
LEASE_MARGIN = timedelta(seconds=20)
"""The part of a lease that is added to the time for thinking."""
NAP_SECONDS = 0.5
QUICK_SECONDS = 5
"""The seconds a move of a quick bot."""
QUICK, SLOW = BOT_LEVELS[:QUICK_BOT], BOT_LEVELS[QUICK_BOT:]
SEEK_SECONDS, END_SECONDS = 60.0, 10.0
"""The seconds between two looks for seeks or boards, and between two looks for games that have ended."""
OVERLAP = timedelta(minutes=10)
"""Each look goes back to this long before the last one began."""


class Stuck(Exception):
    """A bot's mail was not carried out."""


@dataclass(frozen=True)
class Seen:
    """A bot's seat in a loaded game, and its address for orders.

    `counts`: the game is rated, or one of an event.
    """

    turn: bots.BotTurn
    game: Game
    seat: Seat
    link: web_move.ComposeLink
    counts: bool

    @property
    def bot(self) -> Player:
        return self.game.seats[self.seat]

    @property
    def person(self) -> Player:
        return self.game.seats[1 - self.seat]


def run(app: App, stopped: Callable[[float], bool]) -> None:
    """Play until told to stop. Quick levels and hints have threads apart from the slow levels and proofs.

    Searches are compiled meanwhile. With the bots off, running games are played to their end, and jobs that
    were requested before are done.
    """
    seeks = _Round(app, SEEK_SECONDS, lambda app, since: take_seeks(app), app.now())
    ends = _Round(app, END_SECONDS, analysis.queue_analyses, app.now() - analysis.NEWS)
    boards = _Round(app, SEEK_SECONDS, lambda app, since: begin_exhibition(app, app.now()), app.now())
    rounds = (seeks, boards, ends) if app.config.bots else ()
    works = [
        partial(play_one, app, QUICK),
        partial(jobs.do_one, app, jobs.HINTS),
        partial(_do_one, app, rounds),
    ]
    threads = [Thread(target=_repeat, args=(work, stopped)) for work in works]
    threads.append(Thread(target=compile_games, args=(app.offered.values(), stopped)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _do_one(app: App, rounds: Sequence[_Round]) -> bool:
    for each in rounds:
        each.look()
    if jobs.do_one(app, jobs.PROOFS) or play_one(app, SLOW):
        return True
    return bool(app.config.bots) and jobs.do_one(app)


def _repeat(work: Callable[[], bool], stopped: Callable[[float], bool]) -> None:
    busy = False
    while not stopped(0 if busy else NAP_SECONDS):
        try:
            busy = work()
        except Exception as error:
            if not engine.is_unavailable(error):
                log.exception("a bot failed; it goes on", extra=trouble("bot", error))
            busy = False


@dataclass
class _Round:
    """A search made every `seconds`; `since` is the moment where the next one begins."""

    app: App
    seconds: float
    look_for: Callable[[App, datetime], object]
    since: datetime
    next_at: float = 0.0

    def look(self) -> None:
        """Look if it is time. After a failure the next look comes as usual, and goes as far back as this."""
        if time.monotonic() >= self.next_at:
            begun, self.next_at = self.app.now(), time.monotonic() + self.seconds
            self.look_for(self.app, self.since)
            self.since = begun - OVERLAP


def take_seeks(app: App) -> None:
    """Begin the games of seeks that waited long enough for a bot. Each has its own transaction."""
    last = 0
    while True:
        now = app.now()
        with app.store.write() as db:
            ctx = Context(app, db, Mail("person"), same_moment(now))
            last, letters = take_for_bots(ctx, last)
            queue_letters(app, db, letters, now, about=f"seek.{last}")
        if not last:
            return
        app.wake()


def _seconds_a_move(app: App, level: int) -> int:
    most = app.config.bot_seconds[0]
    return min(most, QUICK_SECONDS) if level <= QUICK_BOT else most


def play_one(app: App, levels: Sequence[int] = BOT_LEVELS) -> bool:
    """Look at one game that waits for these bots; False without one."""
    lease = timedelta(seconds=_seconds_a_move(app, max(levels))) + LEASE_MARGIN
    with app.store.write() as db:
        turn = bots.claim_turn(db, app.clock(), lease, list(app.games_by_key), levels)
    if turn is None:
        return False
    app.step("claim")
    if turn.tries == bots.MAX_TRIES and not turn.told:  # its process ended each time
        _delay(app, turn, app.clock() + lease, failed=True)
        turn = replace(turn, told=True)
    try:
        _play(app, turn)
    except Exception as error:
        if engine.is_unavailable(error):
            with engine.unless_unavailable(), app.store.write() as db:  # the game was not at fault
                bots.delay_turn(db, replace(turn, tries=turn.tries - 1), app.clock())
            raise
        log.exception("g%d: a bot could not go on", turn.game_id)
        _fail(app, turn)
    return True


def _play(app: App, turn: bots.BotTurn) -> None:
    seen = _look(app, turn)
    if seen is None or not _has_to_act(seen.game, seen.seat):
        _finish(app, turn)
        return
    if _is_out_of_budget(app, seen):
        _wait_for_budget(app, seen)
        return
    begun = time.monotonic()
    answer = _think(app, seen)
    with app.store.write() as db:
        bots.add_seconds(db, seen.person.id, time.monotonic() - begun, app.now())
    app.step("think")
    _send(app, seen, answer)
    app.step("play")
    if seen.person.bot and not seen.counts:
        _finish(app, turn, PAUSE)
    else:
        _finish(app, replace(turn, expected=answer.expected))


def _look(app: App, turn: bots.BotTurn) -> Seen | None:
    with app.store.read() as db:
        game = games.load_game(db, app.games_by_key, turn.game_id)
        if game is None or game.state.ending is not None:
            return None
        own = [seat for seat in SEATS if game.seats[seat].bot]
        seat = next((seat for seat in own if _has_to_act(game, seat)), own[0])
        sealed = web_move.seal(app, db, game, game.seats[seat])
        counts = game.rated or events.pairing_state(db, game.id) is not None
        return Seen(turn, game, seat, web_move.read_compose_link(app, db, game.id, sealed), counts)


def _has_to_act(game: Game, seat: Seat) -> bool:
    return bool(offers_to(game.state, seat)) or game.state.to_play == seat


def _think(app: App, seen: Seen) -> BotAnswer:
    state, position = seen.game.state, seen.game.state.position
    seconds = float(_seconds_a_move(app, seen.bot.bot))
    seed = crc32(f"{seen.game.seed} {seen.turn.entries}".encode())
    if offers := offers_to(state, seen.seat):
        return BotAnswer(f"{_answer_offer(seen, offers[0], seed, seconds)} {offers[0]}")
    last = next((ply.move for ply in reversed(state.plies) if ply.seat != seen.seat), "")
    return find_move(position, seen.bot.bot, seed, seconds, seen.turn.expected, last)


def _answer_offer(seen: Seen, offer: str, seed: int, seconds: float) -> str:
    """Return `accept` or `decline`. In a game that counts, the bot takes no move back and annuls nothing."""
    if offer != "draw":
        return "decline" if offer in ("undo", "annul") and seen.counts else "accept"
    state, mine = seen.game.state, seen.game.state.to_play == seen.seat
    return answer_draw(state.position, seen.bot.bot, seed, seconds, mine=mine)


VERBS = frozenset({"move", "resign", "accept", "decline"})


def _send(app: App, seen: Seen, answer: BotAnswer) -> None:
    """Write the mail and have it handled as every mail is. Raises Stuck if it was not carried out."""
    host = app.config.host
    body = web_move.compose_body(seen.link, [answer.order], answer.words, host, VERBS)
    body = body or web_move.compose_body(seen.link, [answer.order], "", host, VERBS)
    if body is None:
        raise Stuck(f"{answer.order} cannot be written in a mail")
    # a new number each time, as a mail that was refused is not read again
    key = f"bot.{seen.game.id}.{seen.turn.entries}.{int(app.clock().timestamp())}"
    number = web_move.submit(app, seen.link, body, key)
    with app.store.read() as db:
        kept = inbox.mail_by_id(db, number)
        now = games.load_game(db, app.games_by_key, seen.game.id)
    moved = now is not None and len(now.open_entries) != len(seen.game.open_entries)
    if kept is not None and kept.state != "new" and not moved:  # a new one is handled later
        raise Stuck(f"m{number} is {kept.state}")


def _finish(app: App, turn: bots.BotTurn, pause: timedelta = NO_TIME) -> None:
    with app.store.write() as db:
        bots.finish_turn(db, turn, app.clock() + pause)


def _is_out_of_budget(app: App, seen: Seen) -> bool:
    now, share = app.now(), 1.0 if seen.bot.bot <= QUICK_BOT else budget.SHARE_OF_SLOW
    with app.store.read() as db:
        own = budget.has_player_time(app, db, seen.person.id, now)
        return not (own and budget.has_time(app, db, now, share))


def _wait_for_budget(app: App, seen: Seen) -> None:
    """Look again in an hour, or earlier if the next day begins. Tell the player once."""
    now = app.now()
    tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0)
    turn = replace(seen.turn, tries=seen.turn.tries - 1)
    _delay(app, turn, min(tomorrow, now + LOOK_AGAIN_AFTER), failed=False)


def _fail(app: App, turn: bots.BotTurn) -> None:
    """Try again later. After the last try the game is put aside; the player hears of the first."""
    pause = RETRY_AFTER if turn.tries < bots.MAX_TRIES else timedelta()
    _delay(app, turn, app.clock() + pause, failed=True)


def _delay(app: App, turn: bots.BotTurn, until: datetime, *, failed: bool) -> None:
    with app.store.write() as db:
        bots.delay_turn(db, replace(turn, told=True), until)
        if not turn.told:
            _tell_player(app, db, turn, failed=failed)
    app.wake()


def _tell_player(app: App, db: engine.Connection, turn: bots.BotTurn, *, failed: bool) -> None:
    """Tell the player that their bot waits. Nobody hears of a game that cannot be read."""
    try:
        with db.begin_nested():
            game = games.load_game(db, app.games_by_key, turn.game_id)
            if game is not None:
                seat: Seat = 1 if game.seats[0].bot else 0
                letter = about_game("botwaits", view(game, seat, app.config.host), failed=failed)
                queue_letters(app, db, [letter], app.now(), about=f"b{turn.game_id}.{turn.entries}")
    except Exception as error:
        if engine.is_unavailable(error):
            raise
        log.exception("g%d: nobody hears that a bot waits", turn.game_id)
