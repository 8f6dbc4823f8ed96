"""The command `invite`, and how a friend joins.

By a code that the player forwards; or by one letter to an address, which nobody gets twice. No answer reveals
whether an address belongs to a player.
"""

import hmac
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from typing import Any

from pbem.app import App
from pbem.commands import addresses
from pbem.commands.challenges import start_game
from pbem.commands.context import DAY, Context, Request, handlers, handles
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.lobby import invitations as lobby_invitations
from pbem.core.lobby.challenges import Challenge, GameCount, Seek
from pbem.core.lobby.invitations import Invitation
from pbem.core.players import Player
from pbem.duties.permissions import check_limits, check_not_barred, check_own_limits, count_games
from pbem.mail.addresses import Token
from pbem.store import challenges, invitations, locks, players
from pbem.store.engine import Connection
from rules.contract import Position

PURPOSE = "invited"
"""Of the question to a friend's address."""


@handles("invite")
def _invite(request: Request) -> list[Letter]:
    if request.args.get("player"):  # `invite Joao to bipod`
        return handlers()["challenge"](request)
    ctx, player, args = request.ctx, request.player, request.args
    check_not_barred(player)
    locks.advisory_lock(ctx.db, f"challenges of {player.id}")
    wish = _new_invitation(ctx, player, args)
    if args["address"]:
        return _invite_address(request, wish)
    if not 1 <= wish.friends <= lobby_invitations.MAX_FRIENDS:
        raise Refusal(f"An invitation is for one to {lobby_invitations.MAX_FRIENDS} friends.")
    if invitations.count_codes(ctx.db, player, ctx.now) >= lobby_invitations.MAX_OPEN_CODES:
        raise Refusal(
            f"You have {lobby_invitations.MAX_OPEN_CODES} invitations to forward, as many as anybody may "
            "have; forward one of them."
        )
    kept = replace(wish, id=invitations.add_invitation(ctx.db, wish))
    facts = {"invitation": kept, "seek": seek_of(ctx.app, kept)}
    return [Letter("invite", player.address, player, ReplyTo("invite", kept.id), facts=facts)]


def _new_invitation(ctx: Context, player: Player, args: Mapping[str, Any]) -> Invitation:
    """Return an invitation, not yet numbered, after all checks of its terms."""
    more = {"address": args["address"], "friends": args["friends"]}
    wanted = args if args["game"] else {**lobby_invitations.usual_terms(ctx.app.offered), **more}
    days, room = lobby_invitations.INVITATION_DAYS, count_games(ctx.app, ctx.db, player)
    seek = lobby_challenges.seek_for(player, wanted, ctx.app.offered, room, ctx.now, days)
    check_own_limits(ctx.db, player, seek.rules)
    terms = {key: wanted[key] for key in ("game", "options", "pace", "rated", "seats")}
    terms |= {"soft": bool(wanted.get("soft"))}
    seed = ctx.app.rng.getrandbits(53)
    return Invitation(0, player, terms, seed, wanted["friends"], ctx.now, seek.expires_at)


def _invite_address(request: Request, wish: Invitation) -> list[Letter]:
    """Write to an address once for all. What is refused here is refused for players' addresses too."""
    ctx, player = request.ctx, request.player
    address = addresses.parse_address(request.args["address"])
    if address in player.addresses or address.rpartition("@")[2] == ctx.site.lower():
        raise Refusal(f"{address} is not a friend's address; a game needs two people.")
    digests = _digests(ctx.app, address)
    if invitations.has_invited(ctx.db, player, digests, ctx.now):
        raise Refusal(f"Your invitation of {address} is open already. Nobody gets a second letter.")
    if invitations.count_addresses(ctx.db, player, ctx.now - DAY) >= lobby_invitations.ADDRESSES_A_DAY:
        most = lobby_invitations.ADDRESSES_A_DAY
        raise Refusal(f"You have invited {most} addresses within a day. `invite` brings a letter to forward.")
    if not addresses.count_stranger(ctx, address, proven=False, orders=True):
        raise Refusal("Too many invitations go out just now; try again in an hour, or forward one: `invite`.")
    kept = replace(wish, id=invitations.add_invitation(ctx.db, wish, digests[0]))
    seek = seek_of(ctx.app, kept)
    letters = request.answer("invited", address=address, seek=seek)
    thread = _thread(ctx, address)
    return [*letters, *(replace(each, thread=thread) for each in _letters_to(ctx, kept, seek, address))]


def _thread(ctx: Context, address: str) -> tuple[str, ...]:
    """Return the ids of the mail that brought the order, if the friend has that mail too."""
    inbound = ctx.inbound
    if address not in lobby_invitations.other_recipients(inbound.to, None, ctx.site):
        return ()
    return (*inbound.references, *filter(None, [inbound.message_id]))


def _letters_to(ctx: Context, kept: Invitation, seek: Seek, address: str) -> list[Letter]:
    """Return the letter to an address: a challenge to a player, or an invitation where none went before."""
    locks.advisory_lock(ctx.db, address)
    owner = players.player_by_address(ctx.db, address)
    if owner is not None:
        return _challenge(ctx, kept, seek, owner)
    digests = _digests(ctx.app, address)
    if invitations.find_address(ctx.db, digests) is not None:
        return []
    return [invitation_letter(ctx, kept, address, cold=True)]


def _challenge(ctx: Context, kept: Invitation, seek: Seek, owner: Player) -> list[Letter]:
    """Challenge the owner of an address, without a word to the challenger where that cannot be."""
    waiting = challenges.challenges_to(ctx.db, ctx.app.games_by_key, owner, ctx.now)
    if owner.bot or any(each.challenger.id == kept.inviter.id and each.invitation for each in waiting):
        return []
    try:
        check_limits(ctx.db, kept.inviter, owner, seek.rules)
    except Refusal:
        return []
    wish = Challenge(**vars(seek), challenged=owner, invitation=kept.id)
    wish = challenges.add_challenge(ctx.db, wish)
    return [to_player("challenge", owner, about=wish.id, challenge=wish, comment="", often=False)]


def invitation_letter(
    ctx: Context,
    invitation: Invitation,
    address: str,
    owner: Player | None = None,
    *,
    name: str = "",
    cold: bool = False,
    unclear: bool = False,
) -> Letter:
    """Make the letter that asks an address if it plays. `cold`: nobody wrote to us from there."""
    seek, digests = seek_of(ctx.app, invitation), _digests(ctx.app, address)
    known = invitations.find_address(ctx.db, digests)
    number = known[0] if known else invitations.add_address(ctx.db, digests[0], ctx.now)
    data = {"invitation": invitation.id, "name": name, "cold": cold}
    reply = ctx.ask(PURPOSE, address, data, lobby_invitations.INVITATION_DAYS)
    facts = {"inviter": invitation.inviter.name, "seek": seek, "name": name, "cold": cold}
    facts |= {"first_board": first_board(seek, invitation), "unclear": unclear}
    facts |= {"never": 0 if owner else number}
    return Letter("invitation", owner.address if owner else address, owner, reply, facts=facts)


def seek_of(app: App, invitation: Invitation) -> Seek:
    """Return an invitation's terms. Raises Refusal where the game is not on offer any more."""
    now, days = invitation.created_at, lobby_invitations.INVITATION_DAYS
    room = GameCount(0, 0, 1)
    return lobby_challenges.seek_for(invitation.inviter, invitation.terms, app.offered, room, now, days)


def first_board(seek: Seek, invitation: Invitation) -> Position:
    return seek.rules.begin(seek.options, invitation.seed)


def check_open(
    app: App, db: Connection, now: datetime, invitation: Invitation | None, friend: Player | None
) -> Invitation:
    """Return an invitation that takes a friend in. Raises Refusal with the reason why it does not."""
    joined = invitations.games_of_friends(db, invitation.id) if invitation else {}
    closed = lobby_invitations.why_closed(invitation, now, joined, friend)
    if closed or invitation is None:
        game = joined.get(friend.id, 0) if friend is not None else 0
        raise Refusal(lobby_invitations.closed_sentence(closed, invitation, game))
    seek_of(app, invitation)
    return invitation


def join(ctx: Context, number: int, friend: Player, words: str = "") -> list[Letter]:
    """Begin the game of an invitation, with a friend's words; returns its first letters. Raises Refusal."""
    found = invitations.find_invitation(ctx.db, number, lock=True)
    invitation = check_open(ctx.app, ctx.db, ctx.now, found, friend)
    check_not_barred(friend)
    seek = replace(seek_of(ctx.app, invitation), created_at=ctx.now)
    wish = Challenge(**vars(seek), challenged=friend, invitation=invitation.id)
    wish = challenges.add_challenge(ctx.db, wish)
    return start_game(ctx, wish, friend, words, invitation.seed)


def is_written_off(ctx: Context, address: str) -> bool:
    """True if the address asked that no invitation goes there again."""
    known = invitations.find_address(ctx.db, _digests(ctx.app, address))
    return known is not None and known[1]


def write_off(ctx: Context, address: str) -> None:
    """Store that an address wants no invitation any more."""
    digests = _digests(ctx.app, address)
    known = invitations.find_address(ctx.db, digests)
    number = known[0] if known else invitations.add_address(ctx.db, digests[0], ctx.now)
    invitations.never_again(ctx.db, number)


def join_page(app: App, number: int, restored: int = 0) -> str:
    """Return the page where an invitation can be accepted."""
    return f"{app.config.site}/join/{app.addressing.sign_token(Token('invite', (number,), restored))}"


def _digests(app: App, address: str) -> list[str]:
    """The digests of an address, the one of the newest secret first."""
    words = b"invited: " + lobby_invitations.mailbox_of(address).encode("utf-8", "replace")
    return [hmac.new(key, words, sha256).hexdigest() for key in app.addressing.keys]
