"""Step 4: the sender and the game of a mail.

The secret in the address identifies the sender, and the From must agree: anyone can write a From. All
permissions of a mail are decided here once; everything later trusts them.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from pbem.actions.context import (
    Answering,
    Context,
    KnownPlayer,
    Rejected,
    Sender,
    UnknownSender,
    Unsubscribing,
    UnverifiedPlayer,
)
from pbem.actions.which_game import _vouched_for, allowed_game, game_by_mail, game_named
from pbem.config.table import Config
from pbem.core.game.game import Game, first_ply_since
from pbem.core.game.rulings import replacement_since
from pbem.core.game.view import view
from pbem.core.letters.letter import CATEGORIES, Letter, ReplyTo, about_game, to_player
from pbem.core.parsing.inbound import Inbound
from pbem.core.parsing.mail_orders import may_affect_clocks, named_games
from pbem.core.parsing.reply_text import first_lines
from pbem.core.players import Player, same_address
from pbem.mail.addresses import Address, Token, days_since_1970
from pbem.mail.authentication.coverage import written_at
from pbem.mail.authentication.dkim_verify import Lookup, check_signatures
from pbem.mail.authentication.results import Verdict, domain_of, has_spf_pass, trusted_reports, verdict
from pbem.store import bundles, confirmations, game_locks, games, outbox, players, restores
from pbem.store.confirmations import Confirmation
from pbem.store.engine import Connection, is_sqlite
from rules.contract import Seat

log = logging.getLogger("pbem.post")

GAME_DAYS_AFTER_TURN = 30
PLAYER_DAYS = 90
DAY = timedelta(days=1)
FORWARDED_A_DAY, FORWARDED_LINES = 20, 100
"""Maximum forwarded mails a day, and lines of each."""
LOST_LETTER = (
    "This server had to go back to a copy of some hours ago, and the letter that you answered is from the "
    "time between, which it does not know any more. What you wrote was not done."
)
NEW_ADDRESSES = ("register", "newaddress")
"""Questions to an address that belongs to nobody yet."""


def front_verdict(inbound: Inbound, config: Config) -> Verdict:
    """The verdict of the mail server in front on the From."""
    return verdict(inbound, config.authserv, config.authserv_hops)


def find_verdict(inbound: Inbound, raw: bytes, config: Config, lookup: Lookup) -> Verdict:
    """The verdict of the server in front, else our own."""
    told = front_verdict(inbound, config)
    if told != Verdict.UNKNOWN:
        return told
    reports = trusted_reports(inbound, config.authserv, config.authserv_hops)
    spf = has_spf_pass(reports, domain_of(inbound.sender))
    return check_signatures(raw, inbound.sender, lookup, sent_by_domain=spf)


def lock_games(ctx: Context, address: Address, besides: Iterable[int] = ()) -> None:
    """Lock all games that the mail may change, and those `besides`.

    It must come before any is read or another row is locked. SQLite has one writer only, so it needs no
    locks.
    """
    if is_sqlite(ctx.db):
        return
    found = {*named_games(ctx.inbound.words), *besides}
    own = address.token.numbers[0] if address.token and address.token.use == "game" else None
    if own is not None or (address.token is None and (own := game_named(ctx)[0]) is not None):
        found.add(own)
    if may_affect_clocks(ctx.inbound.words):
        player = players.player_by_address(ctx.db, ctx.inbound.sender)
        found.update(games.list_game_ids(ctx.db, player, every=False) if player else ())
    if len(found) > 1:
        game_locks.lock_game_rows(ctx.db, found)


def authenticate(ctx: Context, address: Address) -> Sender:
    """The sender, by reply address and From, without changing anything."""
    if address.mailbox != "play":
        return Rejected("done", f"for the operator ({address.mailbox})", _forwarded(ctx, address.mailbox))
    checked = ctx.checked
    token = address.token
    if token is None:
        return _without_token(ctx, checked)
    match token.use:
        case "game":
            return _by_game(ctx, token, checked)
        case "player":
            return _by_player(ctx, token, checked)
        case "bundle":
            return _by_bundle(ctx, token, checked)
        case "confirm":
            return _by_question(ctx, token, checked)
        case "unsubscribe":
            return _by_unsubscribing(ctx, token, checked)
        case _:
            return Rejected("refused", f"a {token.use} address takes no orders")


def _forwarded(ctx: Context, mailbox: str) -> tuple[Letter, ...]:
    """The letter that forwards mail for postmaster or abuse, within limits."""
    operator, inbound = ctx.app.config.operator, ctx.inbound
    if operator is None or same_address(operator) == same_address(inbound.sender):
        return ()
    if outbox.count_letters(ctx.db, operator, ctx.now - DAY, ("forwarded",)) >= FORWARDED_A_DAY:
        return ()
    words = first_lines(inbound.text, FORWARDED_LINES)
    facts = {"mailbox": mailbox, "sender": inbound.sender, "about": inbound.subject, "words": words}
    return (Letter("forwarded", operator, None, facts={**facts, "key": f"m{ctx.mail}"}),)


def _by_game(ctx: Context, token: Token, checked: Verdict) -> Sender:
    game_id, seat_number, entry, epoch = token.numbers
    game = ctx.game(game_id)
    if game is None:
        return _no_such_game(ctx, game_id, checked)
    seat: Seat = 1 if seat_number else 0
    owner = game.seats[seat]
    if (left := left_by(game, token)) is not None:
        return _by_left_player(ctx, game_id, left, epoch, checked)
    if not _is_owner(owner, ctx.inbound, checked):
        return _mismatch(ctx, owner, about_game("mismatch", view(game, seat, ctx.site)))
    match why_void(ctx.db, game, token, ctx.now):
        case "lost":
            return _by_lost_letter(ctx, owner, game, seat)
        case "expired":
            return _expired(ctx, owner, about_game("expired", view(game, seat, ctx.site)))
    shown = game.open_entries[entry - 1].at if 0 < entry <= len(game.open_entries) else game.started_at
    return KnownPlayer(owner, game_id, since=entry, written=shown, bound=allowed_game(ctx, game_id))


def left_by(game: Game, token: Token) -> int | None:
    """The player who has left the seat of a game's reply address to another since; None: nobody has."""
    _, number, entry, _ = token.numbers
    seat: Seat = 1 if number else 0
    left = replacement_since(game.open_entries, seat, entry)
    return None if left is None or left.data["was"] == game.seats[seat].id else int(left.data["was"])


def why_void(db: Connection, game: Game, token: Token, now: datetime) -> Literal["", "lost", "expired"]:
    """A code for why a game's reply address is good no more, "" where it is."""
    _, number, entry, epoch = token.numbers
    if _is_of_lost_hours(db, game, token):
        return "lost"
    return "expired" if epoch != game.seats[number != 0].epoch or too_old(game, entry, now) else ""


def _no_such_game(ctx: Context, game_id: int, checked: Verdict) -> Rejected:
    """Reject an answer to a lost game.

    We made its address, so the game was lost; the From's player is told once a day.
    """
    detail = f"game {game_id} does not exist"
    writer = players.player_by_address(ctx.db, ctx.inbound.sender) if checked != Verdict.FAIL else None
    if writer is None:
        return Rejected("refused", detail)
    letter = to_player("refused", writer, problems=[LOST_LETTER], read=[], found=[])
    return _once_a_day(ctx, writer, letter, detail)


def _by_left_player(ctx: Context, game_id: int, number: int, epoch: int, checked: Verdict) -> Sender:
    """Reject the reply address of a replaced player."""
    detail = f"the reply address of a player who has left game {game_id}"
    owner = players.player_by_id(ctx.db, number)
    if owner is None or epoch != owner.epoch or not _is_owner(owner, ctx.inbound, checked):
        return Rejected("refused", detail, player=owner)
    problem = (
        f"You do not play in game {game_id} any more: the director has given your seat to somebody else."
    )
    letter = to_player("refused", owner, problems=[problem], read=[], found=[])
    return _reject(ctx, owner, detail, letter)


def _reject(ctx: Context, owner: Player, detail: str, letter: Letter) -> Rejected:
    """Reject a mail and tell the address's owner, within the hourly limit."""
    told = outbox.count_letters(ctx.db, owner.address, ctx.now - timedelta(hours=1), ("refused",))
    enough = told >= ctx.app.config.letters_per_hour
    return Rejected("refused", detail, () if enough else (letter,), owner)


def _is_of_lost_hours(db: Connection, game: Game, token: Token) -> bool:
    """True if a reply address names an entry that a restore from a backup lost.

    Its entry is beyond the journal's end, or is another one by now.
    """
    _id, _seat, entry, _epoch = token.numbers
    known = restores.known_entries(db, game.id, token.restored)
    if entry > len(game.open_entries):
        log.warning("a letter of game %d knows more than the journal: was a backup restored?", game.id)
        return True
    return known is not None and entry > known


def _by_lost_letter(ctx: Context, owner: Player, game: Game | None = None, seat: Seat = 0) -> Rejected:
    """Reject an answer to a letter from lost hours. The writer gets the current board, if any."""
    found = first_lines(ctx.inbound.words)
    facts: dict[str, Any] = {"problems": [LOST_LETTER], "read": [], "found": found}
    if game is None:
        letter = to_player("refused", owner, **facts)
    else:
        letter = about_game("refused", view(game, seat, ctx.site), **facts)
    return _reject(ctx, owner, "the letter answered is from hours that were lost", letter)


def too_old(game: Game, entry: int, now: datetime) -> bool:
    """True from 30 days after the end of the letter's turn."""
    late = first_ply_since(game, entry)
    return late is not None and now > late.at + timedelta(days=GAME_DAYS_AFTER_TURN)


def _by_player(ctx: Context, token: Token, checked: Verdict) -> Sender:
    player_id, about, epoch, day = token.numbers
    owner = players.player_by_id(ctx.db, player_id)
    if owner is None:
        return Rejected("refused", f"player {player_id} does not exist")
    if not _is_owner(owner, ctx.inbound, checked):
        return _mismatch(ctx, owner, to_player("mismatch", owner))
    if epoch != owner.epoch or days_since_1970(ctx.now) > day + PLAYER_DAYS:
        return _expired(ctx, owner, to_player("expired", owner))
    if about and restores.is_reused_number(ctx.db, token.use, about, token.restored):
        return _by_lost_letter(ctx, owner)
    began = datetime.fromtimestamp(day * DAY.total_seconds(), UTC)
    return KnownPlayer(owner, about=about, written=began)


def _by_bundle(ctx: Context, token: Token, checked: Verdict) -> Sender:
    player_id, number, epoch, day = token.numbers
    owner, bundle = players.player_by_id(ctx.db, player_id), bundles.bundle_by_id(ctx.db, number)
    if owner is None or bundle is None or bundle.player_id != player_id:
        return Rejected("refused", f"bundle {number} does not exist")
    if not _is_owner(owner, ctx.inbound, checked):
        return _mismatch(ctx, owner, to_player("mismatch", owner))
    if epoch != owner.epoch or days_since_1970(ctx.now) > day + PLAYER_DAYS:
        return _expired(ctx, owner, to_player("expired", owner))
    if restores.is_reused_number(ctx.db, token.use, number, token.restored):
        return _by_lost_letter(ctx, owner)
    return KnownPlayer(owner, bundle.only_game, bundle=bundle, written=bundle.created_at)


def _by_question(ctx: Context, token: Token, checked: Verdict) -> Sender:
    confirmation = confirmations.lock_confirmation(ctx.db, token.numbers[0])
    another = restores.is_reused_number(ctx.db, token.use, token.numbers[0], token.restored)
    if confirmation is None or another:
        return Rejected("refused", "a question that was never asked")
    if checked == Verdict.FAIL or not _is_asked(ctx, confirmation):
        return _answered_elsewhere(ctx, confirmation)
    return Answering(confirmation)


def _is_asked(ctx: Context, confirmation: Confirmation) -> bool:
    """True if the writer was asked, at this or another own address. A new address must answer itself."""
    writer, asked = same_address(ctx.inbound.sender), same_address(confirmation.address)
    if writer == asked or confirmation.purpose in NEW_ADDRESSES:
        return writer == asked
    owner = players.player_by_address(ctx.db, asked)
    return owner is not None and writer in owner.addresses


def _answered_elsewhere(ctx: Context, confirmation: Confirmation) -> Sender:
    """Reject an answer from a wrong address; the right one is told once a day."""
    detail = "a question answered from another address"
    owner = players.player_by_address(ctx.db, confirmation.address)
    if owner is not None:
        return _once_a_day(ctx, owner, to_player("mismatch", owner), detail)
    if confirmation.purpose not in NEW_ADDRESSES:
        return Rejected("refused", f"{detail}; that one is nobody's any more")
    letter = Letter("mismatch", confirmation.address, None, ReplyTo("confirm", confirmation.id))
    told = outbox.count_letters(ctx.db, confirmation.address, ctx.now - DAY, ("mismatch",))
    return Rejected("refused", detail, () if told else (letter,))


def _by_unsubscribing(ctx: Context, token: Token, checked: Verdict) -> Sender:
    player_id, category, epoch = token.numbers
    owner = players.player_by_id(ctx.db, player_id)
    if owner is None or epoch != owner.epoch or not _is_owner(owner, ctx.inbound, checked):
        return Rejected("refused", "an unsubscribe address that is void, or not the writer's")
    if category >= len(CATEGORIES):
        return Rejected("refused", "an unsubscribe address of no category")
    return Unsubscribing(owner, CATEGORIES[category])


def _is_owner(owner: Player, inbound: Inbound, checked: Verdict) -> bool:
    return same_address(inbound.sender) in owner.addresses and checked != Verdict.FAIL


def _mismatch(ctx: Context, owner: Player, letter: Letter) -> Rejected:
    return _once_a_day(ctx, owner, letter, "written from an address that is not the owner's")


def _expired(ctx: Context, owner: Player, letter: Letter) -> Rejected:
    return _once_a_day(ctx, owner, letter, "the reply address had expired")


def _once_a_day(ctx: Context, owner: Player, letter: Letter, detail: str) -> Rejected:
    told = outbox.count_letters(ctx.db, owner.address, ctx.now - DAY, (letter.kind,))
    return Rejected("refused", detail, () if told else (letter,), owner)


def _without_token(ctx: Context, checked: Verdict) -> Sender:
    player = players.player_by_address(ctx.db, ctx.inbound.sender)
    if player is None:
        if checked == Verdict.FAIL:
            return Rejected("stranger", "the From is forged: DMARC failed")
        return UnknownSender(ctx.inbound.sender, _vouched_for(ctx, checked))
    if checked == Verdict.FAIL:
        return Rejected("stranger", "the From is forged: DMARC failed", player=player)
    game_id, since = game_by_mail(ctx, player)
    if _vouched_for(ctx, checked):
        return KnownPlayer(player, game_id, since, written=written_at(ctx.inbound, ctx.at), once=True)
    game = ctx.game(game_id) if game_id is not None and since is None else None
    return UnverifiedPlayer(player, game_id, since if game is None else len(game.open_entries))
