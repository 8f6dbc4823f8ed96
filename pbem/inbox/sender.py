"""Step 4: the sender and the game of a mail, whose From must agree with the secret in the address."""

import logging
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from pbem.commands import context, invitations
from pbem.commands.which_game import (
    game_by_mail,
    game_named,
    game_of_challenge,
    games_of_letter,
    is_authentic,
)
from pbem.config.table import Config
from pbem.core.game import journal
from pbem.core.game.game import Game, first_since
from pbem.core.game.journal import PLY
from pbem.core.game.view import View, view
from pbem.core.letters.letter import Letter, ReplyTo, about_game, to_player
from pbem.core.parsing.inbound import Mail
from pbem.core.parsing.mail_orders import CLOCK_COMMANDS, named_games
from pbem.core.parsing.reply_text import first_lines
from pbem.core.players import Player, same_address
from pbem.core.preferences import letter_kinds
from pbem.duties.questions import TRIAL
from pbem.inbox.forwarding import forward
from pbem.mail.addresses import Address, Token, days_since_1970
from pbem.mail.authentication.coverage import written_at
from pbem.mail.authentication.dkim_verify import Lookup, check_signatures
from pbem.mail.authentication.results import Verdict, domain_of, has_spf_pass, trusted_reports, verdict
from pbem.store import bundles, games, locks, players, restores
from pbem.store.engine import Connection, is_sqlite
from rules.contract import Seat

log = logging.getLogger("pbem.mail")

GAME_DAYS_AFTER_TURN = 30
PLAYER_DAYS = 90
LOST_LETTER = (
    "This server had to go back to a copy of some hours ago, and the letter that you answered is from the "
    "time between, which it does not know any more. What you wrote was not done."
)
NOT_OWNER, EXPIRED = "written from an address that is not the owner's", "the reply address had expired"


def front_verdict(inbound: Mail, config: Config) -> Verdict:
    """Return the verdict of the mail server in front on the From."""
    return verdict(inbound, config.authserv, config.authserv_hops)


def find_verdict(inbound: Mail, raw: bytes, config: Config, lookup: Lookup) -> Verdict:
    """Return the verdict by DKIM and SPF on a mail without a verdict of a server in front."""
    reports = trusted_reports(inbound, config.authserv, config.authserv_hops)
    spf = has_spf_pass(reports, domain_of(inbound.sender))
    return check_signatures(raw, inbound.sender, lookup, sent_by_domain=spf)


def lock_games(ctx: context.Context, address: Address, besides: Iterable[int] = ()) -> None:
    """Lock all games that the mail may change, and `besides`, before any read or other lock."""
    if is_sqlite(ctx.db):
        return
    found = {*named_games(ctx.inbound.words), *besides}
    if address.token is None:
        found.update(id for id in [game_named(ctx)[0]] if id is not None)
    elif address.token.use == "game":
        found.add(address.token.numbers[0])
    elif address.token.use == "watch":
        found.add(address.token.numbers[1])
    if CLOCK_COMMANDS.search(ctx.inbound.words):
        player = players.player_by_address(ctx.db, ctx.inbound.sender)
        found.update(games.list_game_ids(ctx.db, player, every=False) if player else ())
    if len(found) > 1:
        locks.lock_game_rows(ctx.db, found)


def authenticate(ctx: context.Context, address: Address) -> context.Sender:
    """Return the sender, by reply address and From, without changing anything."""
    if address.mailbox != "play":
        return forward(ctx, address.mailbox)
    token = address.token
    if token is None:
        return _without_token(ctx)
    match token.use:
        case "game":
            return _by_game(ctx, token)
        case "player" | "bundle":
            return _by_player(ctx, token)
        case "watch":
            return _by_watched_game(ctx, token)
        case "confirm":
            return _by_question(ctx, token)
        case "unsubscribe":
            return _by_unsubscribing(ctx, token)
        case "invite":
            lost = restores.is_reused_number(ctx.db, token.use, token.numbers[0], token.restored)
            return _by_invitation(ctx, 0 if lost else token.numbers[0])
        case "never" if ctx.checked != Verdict.FAIL:
            return context.NeverAgain(token.numbers[0])
    return context.MailOutcome("refused", f"a {token.use} address takes no orders")


def _reject(
    ctx: context.Context, letter: Letter, detail: str, *, most: int = 1, within: timedelta = context.DAY
) -> context.MailOutcome:
    """Reject a mail, and send `letter` to the address's owner, at most `most` times `within` a time."""
    told = ctx.count_letters(letter.address, letter.kind, within=within)
    return context.MailOutcome("refused", detail, (letter,) if told < most else (), letter.player)


def _by_game(ctx: context.Context, token: Token) -> context.Sender:
    game_id, seat_number, entry, epoch = token.numbers
    game = ctx.game(game_id)
    if game is None:
        detail = f"game {game_id} does not exist"
        writer = players.player_by_address(ctx.db, ctx.inbound.sender)
        if writer is None or ctx.checked == Verdict.FAIL:
            return context.MailOutcome("refused", detail)
        return _reject(ctx, context.refused_letter(writer, [LOST_LETTER]), detail)
    seat: Seat = 1 if seat_number else 0
    owner, seen = game.seats[seat], view(game, seat, ctx.site)
    if (left := player_who_left(game, token)) is not None:
        return _by_left_player(ctx, game_id, left, epoch)
    if not _is_owner(ctx, owner):
        return _reject(ctx, about_game("mismatch", seen), NOT_OWNER)
    match why_void(ctx.db, game, token, ctx.now):
        case "lost":
            return _by_lost_letter(ctx, owner, seen)
        case "expired":
            return _reject(ctx, about_game("expired", seen), EXPIRED)
    shown = game.open_entries[entry - 1].at if 0 < entry <= len(game.open_entries) else game.started_at
    return context.KnownPlayer(
        owner, game_id, since=entry, written=shown, games=games_of_letter(ctx, game_id)
    )


def player_who_left(game: Game, token: Token) -> int | None:
    """Return the player who left a reply address's seat, or None."""
    _, number, entry, _ = token.numbers
    seat: Seat = 1 if number else 0
    left = first_since(game, entry, journal.REPLACE, seat)
    return None if left is None or left.data["was"] == game.seats[seat].id else int(left.data["was"])


def why_void(db: Connection, game: Game, token: Token, now: datetime) -> Literal["", "lost", "expired"]:
    """Return a code for the reason why a game's reply address is void, or ""."""
    _, number, entry, epoch = token.numbers
    if entry > len(game.open_entries):
        log.warning("a letter of game %d knows more than the journal: was a backup restored?", game.id)
        return "lost"
    known = restores.known_entries(db, game.id, token.restored)
    if known is not None and entry > known:  # a restore lost the entry, or its number is given to another
        return "lost"
    return "expired" if epoch != game.seats[number != 0].epoch or too_old(game, entry, now) else ""


def too_old(game: Game, entry: int, now: datetime) -> bool:
    late = first_since(game, entry, PLY)
    return late is not None and now > late.at + timedelta(days=GAME_DAYS_AFTER_TURN)


def _by_lost_letter(ctx: context.Context, owner: Player, seen: View | None = None) -> context.MailOutcome:
    """Reject an answer to a letter from lost hours, and send the writer the current board, if any."""
    letter = context.refused_letter(owner, [LOST_LETTER], seen=seen, found=first_lines(ctx.inbound.words))
    return _refuse(ctx, letter, "the letter answered is from hours that were lost")


def _refuse(ctx: context.Context, letter: Letter, detail: str) -> context.MailOutcome:
    return _reject(ctx, letter, detail, most=ctx.app.config.letters_per_hour, within=context.HOUR)


def _by_left_player(ctx: context.Context, game_id: int, number: int, epoch: int) -> context.Sender:
    detail = f"the reply address of a player who has left game {game_id}"
    owner = players.player_by_id(ctx.db, number)
    if owner is None or epoch != owner.epoch or not _is_owner(ctx, owner):
        return context.MailOutcome("refused", detail, player=owner)
    problem = (
        f"You do not play in game {game_id} any more: the director has given your seat to somebody else."
    )
    return _refuse(ctx, context.refused_letter(owner, [problem]), detail)


def _by_player(ctx: context.Context, token: Token) -> context.Sender:
    """Return the player by the address of a lobby letter or of a bundle."""
    player_id, number, epoch, day = token.numbers
    owner = players.player_by_id(ctx.db, player_id)
    bundle = bundles.bundle_by_id(ctx.db, number) if token.use == "bundle" else None
    if token.use == "bundle" and (owner is None or bundle is None or bundle.player_id != player_id):
        return context.MailOutcome("refused", f"bundle {number} does not exist")
    if owner is None:
        return context.MailOutcome("refused", f"player {player_id} does not exist")
    if not _is_owner(ctx, owner):
        return _reject(ctx, to_player("mismatch", owner), NOT_OWNER)
    if has_expired(owner, epoch, day, ctx.now):
        return _reject(ctx, to_player("expired", owner), EXPIRED)
    if number and restores.is_reused_number(ctx.db, token.use, number, token.restored):
        return _by_lost_letter(ctx, owner)
    if bundle is not None:
        shown = games_of_letter(ctx, *bundle.entries)
        return context.KnownPlayer(
            owner, bundle.only_game, bundle=bundle, written=bundle.created_at, games=shown
        )
    written = datetime.fromtimestamp(day * context.DAY.total_seconds(), UTC)
    begun = games_of_letter(ctx, game_of_challenge(ctx, number))
    return context.KnownPlayer(owner, about=number, written=written, games=begun)


def _by_watched_game(ctx: context.Context, token: Token) -> context.Sender:
    """Return the player by the address of a watched game's letter."""
    player_id, game_id, plies, epoch, day = token.numbers
    lobby = replace(token, use="player", numbers=(player_id, 0, epoch, day))
    sender = _by_player(ctx, lobby)
    if not isinstance(sender, context.KnownPlayer):
        return sender
    return replace(sender, game_id=game_id, watched=plies)


def has_expired(owner: Player, epoch: int, day: int, now: datetime) -> bool:
    return epoch != owner.epoch or days_since_1970(now) > day + PLAYER_DAYS


def _by_question(ctx: context.Context, token: Token) -> context.Sender:
    confirmation = players.find_confirmation(ctx.db, token.numbers[0], lock=True)
    another = restores.is_reused_number(ctx.db, token.use, token.numbers[0], token.restored)
    if confirmation is None or another:
        return context.MailOutcome("refused", "a question that was never asked")
    if confirmation.purpose == TRIAL:
        return context.MailOutcome("done", "an answer to the letter of pbem check --to")
    owner = players.player_by_address(ctx.db, confirmation.address)
    invited = confirmation.purpose == invitations.PURPOSE
    new = confirmation.purpose in ("register", "newaddress")  # it belongs to nobody yet
    # a new address must answer itself, a player from any of their own
    asked = {same_address(confirmation.address), *(owner.addresses if owner and not new else ())}
    if ctx.checked != Verdict.FAIL and same_address(ctx.inbound.sender) in asked:
        return confirmation
    if invited:  # whoever got it from the friend may join
        return _by_invitation(ctx, confirmation.data["invitation"])
    detail = "a question answered from another address"
    if owner is not None:
        return _reject(ctx, to_player("mismatch", owner), detail)
    if not new:
        return context.MailOutcome("refused", f"{detail}; that one is nobody's any more")
    reply = ReplyTo("confirm", confirmation.id)
    return _reject(ctx, Letter("mismatch", confirmation.address, None, reply), detail)


def _by_invitation(ctx: context.Context, number: int) -> context.Sender:
    address = ctx.inbound.sender
    player = players.player_by_address(ctx.db, address)
    if ctx.checked == Verdict.FAIL:
        return context.MailOutcome("stranger", "the From is forged: DMARC failed", player=player)
    proven = is_authentic(ctx) if player is None else games_of_letter(ctx) is None
    return context.InvitedFriend(number, address, player, proven)


def _by_unsubscribing(ctx: context.Context, token: Token) -> context.Sender:
    player_id, category, epoch = token.numbers
    owner = players.player_by_id(ctx.db, player_id)
    if owner is None or epoch != owner.epoch or not _is_owner(ctx, owner):
        return context.MailOutcome("refused", "an unsubscribe address that is void, or not the writer's")
    if category >= len(letter_kinds.CATEGORIES):
        return context.MailOutcome("refused", "an unsubscribe address of no category")
    return context.Unsubscribing(owner, letter_kinds.CATEGORIES[category])


def _is_owner(ctx: context.Context, owner: Player) -> bool:
    return same_address(ctx.inbound.sender) in owner.addresses and ctx.checked != Verdict.FAIL


def _without_token(ctx: context.Context) -> context.Sender:
    player = players.player_by_address(ctx.db, ctx.inbound.sender)
    if ctx.checked == Verdict.FAIL:
        return context.MailOutcome("stranger", "the From is forged: DMARC failed", player=player)
    if player is None:
        return context.UnknownSender(ctx.inbound.sender, is_authentic(ctx))
    game_id, since = game_by_mail(ctx, player)
    if is_authentic(ctx):
        return context.KnownPlayer(player, game_id, since, written=written_at(ctx.inbound, ctx.at), once=True)
    game = ctx.game(game_id) if since is None else None
    return context.UnverifiedPlayer(player, game_id, since if game is None else len(game.open_entries))
