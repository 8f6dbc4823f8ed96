"""Step 10: sending the outbox, at least once, always the same bytes.

Results are stored in one commit for several letters, so after a crash those are sent once more.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from time import monotonic

from pbem.app import App
from pbem.core.bounces import points_of_answer, policy_of_answer
from pbem.core.clock.intervals import interval_at
from pbem.core.game.game import Game
from pbem.core.letters.letter import Letter
from pbem.core.letters.warm_up import LATER
from pbem.core.players import Player
from pbem.core.preferences.letter_kinds import KINDS, REMINDERS
from pbem.core.preferences.reminders import turn_entry
from pbem.mail.outbound import relay
from pbem.outbox import bounces, warm_up, write
from pbem.outbox.drain import log_failure, never_stop
from pbem.outbox.lines import Lines, OfferResult
from pbem.store import engine, games, outbox, outbox_delivery, players
from pbem.store import reminders as reminder_rows
from pbem.store.outbox_delivery import AWAY, LATE, OURS, RELAY, ClaimedLetter

log = logging.getLogger("pbem.mail")

LEASE = timedelta(seconds=45)
"""The time for which others leave claimed letters alone; after a crash they wait as long."""
RENEW_SECONDS = 10
MAX_CLAIMED, MAX_STORED = 48, 16
"""Maximum letters in hand, and so sent twice after a crash; results stored together while others go on."""
WAIT_SECONDS, GATHER_SECONDS = 0.05, 0.02
"""Maximum wait for a result, and for one more to store with it."""
NOTE_AFTER = timedelta(seconds=1)
"""Maximum delay before results are stored, for slow relays."""
TO_STRANGERS = ("confirm", "newcomer", "newaddress", "invitation")
"""Kinds of letters to unconfirmed addresses. Forged addresses must raise no alarm."""
REFUSALS = relay.RelayDeniesUs | relay.UnclearRefusal
MAYBE_OURS = REFUSALS | relay.RelayHangs
"""Answers that may be about us and not about the letter."""
MAX_FAULTS = 6
"""Maximum failures of a letter through faults of ours, spread over more than an hour."""
TRIES_IF_UNCLEAR = 5
"""Attempts before an unclear refusal is final. The relay must have accepted other letters meanwhile."""


def send_due(app: App, until: Callable[[], bool] = never_stop, asked: Callable[[], bool] = never_stop) -> int:
    """Send due letters, oldest first; returns the number accepted.

    Ends when `until()` is true, or the relay is away.

    While letters are in hand, more are claimed where `asked()` says so.
    """
    relays = app.sender if isinstance(app.sender, relay.RelaySender) else None
    lines = Lines(partial(_send, app), *((relays.lines, relays.slow) if relays else (0, frozenset)))
    taken, more, ends, renewed = 0, True, False, monotonic()
    try:
        while more or lines.in_hand:
            if more and (room := MAX_CLAIMED - len(lines.in_hand)):
                more = False
                lines.hand_over(_claim(app, room, lines))
            offered = _gather(app, lines, until)
            ends = ends or until() or any(isinstance(why, relay.RelayUnreachable) for _, why in offered)
            rest = lines.take_back(stuck=not ends) if ends or not offered else []
            if offered or rest:
                _store_results(app, offered, rest)
            if lines.in_hand and monotonic() - renewed > RENEW_SECONDS:
                renewed = monotonic()
                with app.store.write() as db:
                    outbox_delivery.renew_claims(db, lines.in_hand, app.clock() + _lease(app))
            taken += sum(trouble is None for _letter, trouble in offered)
            more = not ends and (more or bool(offered) or asked())
    finally:
        lines.close()
    return taken


def _lease(app: App) -> timedelta:
    """The lease by the server's clock, which may be hurried."""
    return LEASE * app.config.hurry


def _gather(app: App, lines: Lines, until: Callable[[], bool]) -> list[OfferResult]:
    """Take the results that come soon, to be stored together."""
    offered: list[OfferResult] = []
    begun = app.clock()
    while len(offered) < MAX_STORED and lines.in_hand:
        found = lines.result(GATHER_SECONDS if offered else WAIT_SECONDS)
        if found is None:
            break
        offered.append(found)
        if isinstance(found[1], relay.RelayUnreachable) or until() or app.clock() - begun >= NOTE_AFTER:
            break
    return offered


def _claim(app: App, most: int, lines: Lines) -> list[ClaimedLetter]:
    most = app.send_rate.room(app.clock(), most)
    if most < 1:
        return []
    last = LATER if app.config.warm_up is not None else ()
    besides = lines.avoided(), lines.in_hand  # those in hand too, should the clock be put forward
    with app.store.write() as db:
        while claimed := outbox_delivery.claim_letters(db, app.clock(), _lease(app), most, *besides, last):
            needed = [letter for letter in claimed if not _drop_if_obsolete(app, db, letter)]
            wanted = warm_up.put_off(app, db, needed)
            if wanted:
                app.send_rate.count(app.clock(), len(wanted))
                return wanted
    return []


def _drop_if_obsolete(app: App, db: engine.Connection, letter: ClaimedLetter) -> bool:
    """Drop an unneeded letter: a reminder of a past turn. In doubt it is sent."""
    kind = KINDS.get(letter.kind)
    if kind is None or kind.category != REMINDERS:
        return False
    why = ""
    with _savepoint(db, f"o{letter.id}: whether it is needed still cannot be told, so it is sent"):
        why = _obsolete_reason(app, db, letter)
    if why:
        outbox_delivery.drop_letter(db, letter.id, why)
        log.info("o%d dropped: %s", letter.id, why)
    return bool(why)


def is_waiting_for(game: Game, player: Player, now: datetime) -> bool:
    """True if the game's clock runs for the player. A pending move of theirs makes it False."""
    seat = game.clock.running
    if seat is None or game.pending is not None or game.seats[seat].id != player.id:
        return False
    return interval_at(game.stops.of(seat, now), now) is None


def _obsolete_reason(app: App, db: engine.Connection, letter: ClaimedLetter) -> str:
    now = app.now()
    for number, entry, player_id in reminder_rows.reminded_turns(db, letter.id):
        game, player = games.load_game(db, app.games_by_key, number), players.player_by_id(db, player_id)
        if game is None or player is None or turn_entry(game) != entry:
            continue
        if REMINDERS.name not in player.stopped and is_waiting_for(game, player, now):
            return ""
    return "it reminds of turns that are over"


@contextmanager
def _savepoint(db: engine.Connection, otherwise: str) -> Iterator[None]:
    """Run a block in a savepoint. A failure is logged with `otherwise`, and undoes nothing else."""
    with log_failure(log, "%s", otherwise), db.begin_nested():
        yield


def _send(app: App, letter: ClaimedLetter) -> Exception | None:
    try:
        app.sender.send(letter.envelope_from, letter.recipient, letter.raw)
    except (relay.TemporaryFailure, relay.LetterRefused) as trouble:
        return trouble
    except Exception as fault:  # ours: the letter waits, and later ones are not delayed
        log.exception("o%d failed", letter.id)
        app.counts.add("faults")
        return fault
    app.step("send")
    return None


def _store_results(app: App, offered: Sequence[OfferResult], rest: Sequence[ClaimedLetter]) -> None:
    """Store accepted letters before refusals, so that a failure about a refusal sends nothing again."""
    now = app.clock()
    sent = [letter for letter, trouble in offered if trouble is None]
    with app.store.write() as db:
        if sent:
            outbox_delivery.record_sent(db, [letter.id for letter in sent], now)
            outbox_delivery.bring_forward(db, now + 2 * _lease(app))  # clocks of machines differ
        if rest:
            outbox_delivery.release_claims(db, [letter.id for letter in rest])
    app.counts.add("letters_sent", len(sent))
    for letter in sent:
        log.info("o%d sent: %s", letter.id, letter.kind)
    troubles = [(letter, trouble) for letter, trouble in offered if trouble is not None]
    refused = {letter.recipient for letter, trouble in troubles if isinstance(trouble, REFUSALS)}
    everybody = not sent and len(refused) > 1
    for letter, trouble in troubles:
        _store_refusal(app, letter, trouble, everybody, now)
    denied = [str(why) for _, why in troubles if everybody or isinstance(why, relay.RelayDeniesUs)]
    if denied and not sent:
        log.error("the relay refuses us; letters wait until its settings or ours are mended: %s", denied[0])


def _store_refusal(
    app: App, letter: ClaimedLetter, trouble: Exception, everybody: bool, now: datetime
) -> None:
    try:
        with app.store.write() as db:
            _store_trouble(app, db, letter, trouble, everybody, now)
    except Exception as fault:
        if engine.is_unavailable(fault):
            raise
        log.exception("o%d: what became of it could not be noted", letter.id)
        with app.store.write() as db:
            _store_fault(app, db, letter, type(fault).__name__, now)


def _store_trouble(
    app: App, db: engine.Connection, letter: ClaimedLetter, trouble: Exception, everybody: bool, now: datetime
) -> None:
    """Schedule a refused letter again, or give it up. `everybody`: several were refused, none accepted."""
    if not isinstance(trouble, relay.TemporaryFailure | relay.LetterRefused):
        _store_fault(app, db, letter, type(trouble).__name__, now)
        return
    why, old = str(trouble), now - letter.created_at >= relay.GIVE_UP_AFTER
    waits = isinstance(trouble, relay.RelayUnreachable)
    if isinstance(trouble, MAYBE_OURS):
        waits = waits or not outbox_delivery.accepted_others(db, letter)
    final = isinstance(trouble, relay.UnclearRefusal) and letter.attempts >= TRIES_IF_UNCLEAR
    if isinstance(trouble, relay.LetterRefused) or (final and not waits):
        _give_up(app, db, letter, why)
    elif old and not waits:
        alarm = "" if letter.kind in TO_STRANGERS else LATE
        _give_up(app, db, letter, f"given up after {relay.GIVE_UP_AFTER.days} days: {why}", alarm)
    else:
        refused = waits and (everybody or isinstance(trouble, relay.RelayDeniesUs))
        _wait(app, db, letter, why, now, RELAY if refused else AWAY if waits else "")


def _store_fault(app: App, db: engine.Connection, letter: ClaimedLetter, why: str, now: datetime) -> None:
    if letter.faults + 1 >= MAX_FAULTS:
        _give_up(app, db, letter, f"failed {MAX_FAULTS} times here: {why}", OURS)
        return
    outbox_delivery.count_fault(db, letter.id)
    _wait(app, db, letter, why, now)


def _wait(
    app: App, db: engine.Connection, letter: ClaimedLetter, why: str, now: datetime, trouble: str = ""
) -> None:
    app.counts.add("letters_deferred")
    outbox_delivery.record_delay(db, letter.id, now + relay.retry_delay(letter.attempts), why, trouble)
    log.warning("o%d waits: %s", letter.id, why)


def _give_up(app: App, db: engine.Connection, letter: ClaimedLetter, why: str, trouble: str = "") -> None:
    """Give a letter up, and store its failure even if telling people fails."""
    log.error("o%d failed: %s", letter.id, why)
    app.counts.add("letters_given_up")
    now = app.now()
    outbox_delivery.record_final_failure(db, letter.id, why, trouble)
    with _savepoint(db, f"o{letter.id}: opponents could not be told that it failed"):
        if points := points_of_answer(why):
            told = bounces.record_bounce(app, db, letter.id, letter.recipient, points, why[:60], now)
            write.queue_letters(app, db, told, now, about=f"o{letter.id}")
        elif status := policy_of_answer(why):
            told = bounces.record_refusal(app, db, letter.id, letter.recipient, status, now)
            write.queue_letters(app, db, told, now, about=f"o{letter.id}")
    if letter.kind != "shunted":
        with _savepoint(db, f"o{letter.id}: the operator could not be told that it failed"):
            tell_operator(app, db, f"o{letter.id}", why, now)


def tell_operator(app: App, db: engine.Connection, key: str, error: str, now: datetime) -> None:
    """Queue a letter to the operator, once for each `key`."""
    if app.config.operator is None:
        return
    letter = Letter("shunted", app.config.operator, None, facts={"key": key, "error": error})
    if not outbox.has_key(db, write.letter_key(letter, key, 1)):
        write.queue_letters(app, db, (letter,), now, about=key)
