"""Mail that waits for the operator because of a fault of ours.

The mail may hold a move. So if it answers a letter of a game and comes from the letter's reader, their clock
stops from the mail's acceptance until it is handled.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from pbem.app import App
from pbem.core.clock.mail_times import add_mail_stop, end_mail_stop
from pbem.core.game.game import Game
from pbem.core.players import Player, same_address
from pbem.inbox.sender import has_expired, too_old
from pbem.mail.addresses import BadAddress, Token
from pbem.mail.inbound.headers import UnsafeSender, read_sender
from pbem.mail.inbound.mime import headers_of
from pbem.outbox.send import tell_operator
from pbem.store import bundles, engine, games, inbox, players
from rules.contract import Seat

log = logging.getLogger("pbem.mail")

CRASHED = "Every attempt at this mail ended the process that made it: too much memory, or a crash."


def put_aside(app: App, number: int, story: str = CRASHED, raw: bytes = b"") -> str | None:
    """Leave a mail to the operator and return its state, or None if another process handles the mail.

    `raw` is the part of the mail that is safe to read: b"" if the mail crashes processes.
    """
    why = story.strip().splitlines()[-1]
    with app.store.write() as db:
        kept = inbox.lock_mail(db, number)
        if kept is None:
            return None
        now = app.now()
        inbox.set_disposition(db, number, "shunted", story, now)
        tell_operator(app, db, kept.key, why, now)
        try:
            with db.begin_nested():
                _stop_clocks(app, db, replace(kept, raw=raw))
        except Exception:  # a game that cannot be read; no clock judges that either
            log.exception("m%d: no game stands for it", number)
    log.error("m%d put aside: %s", number, why)
    return "shunted"


def _stop_clocks(app: App, db: engine.Connection, kept: inbox.StoredMail) -> None:
    """Stop the clocks of the mail's writer in its games."""
    now, accepted = app.now(), kept.received_at.replace(microsecond=0)
    for game, seat in _games_of_owner(app, db, kept.recipient):
        owner, runs = game.seats[seat], game.time_control.bank is not None and game.state.ending is None
        if not runs or not _is_from(owner, kept):
            continue
        turn = game.clock.since if game.clock.running == seat else accepted
        games.set_mail_stops(db, game, add_mail_stop(game.stands, seat, kept.id, accepted, turn), now)
        log.warning("game %d: the clock of %s stands for m%d", game.id, owner.name, kept.id)


def _games_of_owner(app: App, db: engine.Connection, recipient: str) -> list[tuple[Game, Seat]]:
    token, now = _token(app, recipient), app.now()
    if token is None:
        return []
    found = _load_games(app, db, _games_of(db, token))
    if token.use == "game":
        _, number, entry, epoch = token.numbers
        seat: Seat = 1 if number else 0
        good = (each for each in found if epoch == each.seats[seat].epoch and not too_old(each, entry, now))
        return [(each, seat) for each in good]
    player_id, _, epoch, day = token.numbers
    owner = players.player_by_id(db, player_id)
    if owner is None or has_expired(owner, epoch, day, now):
        return []
    seats = ((each, each.seat_of(owner)) for each in found)
    return [(each, here) for each, here in seats if here is not None and each.clock.running == here]


def restart_clocks(app: App, db: engine.Connection, kept: inbox.StoredMail) -> dict[int, Game]:
    """Restart the clocks that were stopped for this mail; returns the changed games by number."""
    now, changed = app.now(), dict[int, Game]()
    for game in _load_games(app, db, games_stopped_for(app, db, kept)):
        stands = end_mail_stop(game.stands, kept.id, now)
        if stands != game.stands:
            changed[game.id] = games.set_mail_stops(db, game, stands, now)
    return changed


def games_stopped_for(app: App, db: engine.Connection, kept: inbox.StoredMail) -> list[int]:
    """Return the games in which a clock may be stopped for a mail: [] unless the mail was handled before."""
    token = _token(app, kept.recipient) if kept.filed_at is not None else None
    return [] if token is None else _games_of(db, token)


def _token(app: App, recipient: str) -> Token | None:
    try:
        token = app.addressing.read(recipient).token
    except BadAddress:
        return None
    return token if token is not None and token.use in ("game", "bundle") else None


def _games_of(db: engine.Connection, token: Token) -> list[int]:
    if token.use == "game":
        return [token.numbers[0]]
    bundle = bundles.bundle_by_id(db, token.numbers[1])
    return sorted(bundle.entries) if bundle is not None and bundle.player_id == token.numbers[0] else []


def _load_games(app: App, db: engine.Connection, numbers: Sequence[int]) -> list[Game]:
    found = (games.load_game(db, app.games_by_key, number, lock=True) for number in numbers)
    return [game for game in found if game is not None]


def _is_from(owner: Player, kept: inbox.StoredMail) -> bool:
    if same_address(kept.sender) in owner.addresses:
        return True
    headers = headers_of(kept.raw) if kept.raw else None
    try:
        return headers is not None and same_address(read_sender(headers)[0]) in owner.addresses
    except UnsafeSender:
        return False
