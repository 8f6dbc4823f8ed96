"""Mail that we cannot handle through a fault of ours, put aside.

The operator is told at once. If the mail answers a letter of a game and comes from that letter's reader,
their clock stops from the acceptance of the mail until it is handled: it may hold the move. For a letter with
several boards, each of their running clocks stops.
"""

import logging
from collections.abc import Sequence

from pbem.app import App
from pbem.core.clock.mail_stops import add_mail_stop, end_mail_stop
from pbem.core.game.game import Game
from pbem.core.players import Player, same_address
from pbem.inbox.sender import PLAYER_DAYS, too_old
from pbem.mail.addresses import BadAddress, Token, days_since_1970
from pbem.mail.inbound.headers import UnsafeSender, read_sender
from pbem.mail.inbound.mime import headers_of
from pbem.outbox.send import tell_operator
from pbem.store import bundles, games, inbox, players
from pbem.store.engine import Connection
from pbem.store.inbox import StoredMail
from rules.contract import Seat

log = logging.getLogger("pbem.post")

CRASHED = "Every attempt at this mail ended the process that made it: too much memory, or a crash."


def put_aside(app: App, number: int, story: str = "") -> str | None:
    """Have somebody see to a mail; what it is filed as, None where another has it in hand.

    No `story` is left of attempts that ended the process.
    """
    opened, story = bool(story), story or CRASHED
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
                _stop_clocks(app, db, kept, opened=opened)
        except Exception:  # a game that cannot be read; no clock judges that either
            log.exception("m%d: no game stands for it", number)
    log.error("m%d put aside: %s", number, why)
    return "shunted"


def _stop_clocks(app: App, db: Connection, kept: StoredMail, *, opened: bool) -> None:
    """Stop the clocks of the mail's writer in its games.

    `opened`: the mail may be parsed; one that ends processes may not.
    """
    now, accepted = app.now(), kept.received_at.replace(microsecond=0)
    for game, seat in _games_of_owner(app, db, kept.recipient):
        owner, runs = game.seats[seat], game.time_control.bank is not None and game.state.ending is None
        if not runs or not _is_from(owner, kept, opened=opened):
            continue
        turn = game.clock.since if game.clock.running == seat else accepted
        games.set_mail_stops(db, game, add_mail_stop(game.stands, seat, kept.id, accepted, turn), now)
        log.warning("game %d: the clock of %s stands for m%d", game.id, owner.name, kept.id)


def _games_of_owner(app: App, db: Connection, recipient: str) -> list[tuple[Game, Seat]]:
    token, now = _token(app, recipient), app.now()
    found = _load_games(app, db, _games_of(app, db, recipient))
    if token is None:
        return []
    if token.use == "game":
        _, number, entry, epoch = token.numbers
        seat: Seat = 1 if number else 0
        valid = (each for each in found if epoch == each.seats[seat].epoch)
        return [(each, seat) for each in valid if not too_old(each, entry, now)]
    player_id, _, epoch, day = token.numbers
    owner = players.player_by_id(db, player_id)
    if owner is None or epoch != owner.epoch or days_since_1970(now) > day + PLAYER_DAYS:
        return []
    seats = ((each, each.seat_of(owner)) for each in found)
    return [(each, here) for each, here in seats if here is not None and each.clock.running == here]


def restart_clocks(app: App, db: Connection, kept: StoredMail) -> dict[int, Game]:
    """Restart the clocks that were stopped for this mail. Returns the changed games by number."""
    now, changed = app.now(), dict[int, Game]()
    for game in _load_games(app, db, games_stopped_for(app, db, kept)):
        stands = end_mail_stop(game.stands, kept.id, now)
        if stands != game.stands:
            changed[game.id] = games.set_mail_stops(db, game, stands, now)
    return changed


def games_stopped_for(app: App, db: Connection, kept: StoredMail) -> list[int]:
    """Games in which a clock may be stopped for a mail. None unless it was handled before."""
    return _games_of(app, db, kept.recipient) if kept.filed_at is not None else []


def _games_of(app: App, db: Connection, recipient: str) -> list[int]:
    token = _token(app, recipient)
    if token is None or token.use == "game":
        return [token.numbers[0]] if token is not None else []
    bundle = bundles.bundle_by_id(db, token.numbers[1])
    return sorted(bundle.entries) if bundle is not None and bundle.player_id == token.numbers[0] else []


def _load_games(app: App, db: Connection, numbers: Sequence[int]) -> list[Game]:
    found = (games.load_game(db, app.games_by_key, number, lock=True) for number in numbers)
    return [game for game in found if game is not None]


def _token(app: App, recipient: str) -> Token | None:
    try:
        token = app.addressing.read(recipient).token
    except BadAddress:
        return None
    return token if token is not None and token.use in ("game", "bundle") else None


def _is_from(owner: Player, kept: StoredMail, *, opened: bool) -> bool:
    if same_address(kept.sender) in owner.addresses:
        return True
    headers = headers_of(kept.raw) if opened else None
    try:
        return headers is not None and same_address(read_sender(headers).address) in owner.addresses
    except UnsafeSender:
        return False
