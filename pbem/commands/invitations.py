"""The command `invite`, invitations into a club, and how a friend joins.

By a code that the player forwards; or by one letter to an address, which nobody gets twice. No answer reveals
whether an address belongs to a player.
"""

import hmac
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from pbem.app import App
from pbem.commands import addresses
from pbem.commands.challenges import start_game
from pbem.commands.context import DAY, Context, Request, handlers, handles
from pbem.commands.own_clubs import (
    INVITED,
    ask_about_club,
    check_can_enter,
    check_clubs_are_on,
    club_letter,
)
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.lobby import invitations as lobby_invitations
from pbem.core.lobby.challenges import Challenge, GameCount, Seek
from pbem.core.lobby.clubs import Club
from pbem.core.lobby.invitations import Invitation
from pbem.core.players import Player
from pbem.duties.clubs import join_club
from pbem.duties.permissions import (
    check_can_write,
    check_in_vain,
    check_limits,
    check_not_barred,
    check_own_limits,
    count_games,
)
from pbem.mail.addresses import Token
from pbem.store import challenges, clubs, invitations, locks, players
from pbem.store.engine import Connection
from rules.contract import Position

PURPOSE = "invited"
"""Of the question to a friend's address."""


@handles("invite")
def _invite(request: Request) -> list[Letter]:
    if request.args.get("player"):  # `invite Joao to bipod`
        return handlers()["challenge"](request)
    check_not_barred(request.player)
    return invite(request)


def invite(request: Request, club: Club | None = None) -> list[Letter]:
    """Invite to a game, or into a club and perhaps to a game."""
    ctx, player, args = request.ctx, request.player, request.args
    locks.advisory_lock(ctx.db, f"challenges of {player.id}")
    wish = _new_invitation(ctx, player, args, club)
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
    facts = {"invitation": kept, "seek": seek_of(ctx.app, kept), "club": club}
    return [Letter("invite", player.address, player, ReplyTo("invite", kept.id), facts=facts)]


def _new_invitation(ctx: Context, player: Player, args: Mapping[str, Any], club: Club | None) -> Invitation:
    """Return an invitation, not yet numbered, after all checks of its terms."""
    more = {"address": args["address"], "friends": args["friends"]}
    until = ctx.now + timedelta(days=lobby_invitations.INVITATION_DAYS)
    if club is not None and not args["game"]:
        return Invitation(0, player, {"game": "", "club": club.id}, 0, args["friends"], ctx.now, until)
    wanted = args if args["game"] else {**lobby_invitations.usual_terms(ctx.app.offered), **more}
    days, room = lobby_invitations.INVITATION_DAYS, count_games(ctx.app, ctx.db, player)
    seek = lobby_challenges.seek_for(player, wanted, ctx.app.offered, room, ctx.now, days)
    check_own_limits(ctx.db, player, seek.rules)
    terms = {key: wanted[key] for key in ("game", "options", "pace", "rated", "seats")}
    terms |= {"soft": bool(wanted.get("soft"))} | ({"club": club.id} if club else {})
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
    letters = request.answer("invited", address=address, seek=seek, club=club_of(ctx.db, kept))
    thread = _thread(ctx, address)
    return [*letters, *(replace(each, thread=thread) for each in _letters_to(ctx, kept, seek, address))]


def _thread(ctx: Context, address: str) -> tuple[str, ...]:
    """Return the ids of the mail that brought the order, if the friend has that mail too."""
    inbound = ctx.inbound
    if address not in lobby_invitations.other_recipients(inbound.to, None, ctx.site):
        return ()
    return (*inbound.references, *filter(None, [inbound.message_id]))


def _letters_to(ctx: Context, kept: Invitation, seek: Seek | None, address: str) -> list[Letter]:
    """Return the letter to an address: a challenge to a player, or an invitation where none went before."""
    locks.advisory_lock(ctx.db, address)
    owner = players.player_by_address(ctx.db, address)
    if owner is not None and kept.club:
        return _ask_into_club(ctx, kept, seek, owner)
    if owner is not None:
        return _challenge(ctx, kept, seek, owner)
    digests = _digests(ctx.app, address)
    if invitations.find_address(ctx.db, digests) is not None:
        return []
    return [invitation_letter(ctx, kept, address, cold=True)]


def _ask_into_club(ctx: Context, kept: Invitation, seek: Seek | None, owner: Player) -> list[Letter]:
    """Ask the owner of an address into a club, without a word to the inviter where that cannot be."""
    club = club_of(ctx.db, kept)
    try:
        if owner.bot or club is None:
            return []
        check_can_enter(ctx, club, owner)
        check_can_write(ctx.db, kept.inviter, owner)
        check_in_vain(ctx.db, kept.inviter, owner, ctx.now)
    except Refusal:
        return []
    data = {"club": club.id, "by": kept.inviter.id, "invitation": kept.id}
    return [ask_about_club(ctx, INVITED, owner, club, data, other=kept.inviter.name, seek=seek)]


def _challenge(ctx: Context, kept: Invitation, seek: Seek | None, owner: Player) -> list[Letter]:
    """Challenge the owner of an address, without a word to the challenger where that cannot be."""
    assert seek is not None
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
    facts: dict[str, Any] = {"inviter": invitation.inviter.name, "seek": seek, "name": name, "cold": cold}
    facts |= {"first_board": first_board(seek, invitation) if seek else None, "unclear": unclear}
    facts |= {"never": 0 if owner else number, "club": club_of(ctx.db, invitation)}
    return Letter("invitation", owner.address if owner else address, owner, reply, facts=facts)


def seek_of(app: App, invitation: Invitation) -> Seek | None:
    """Return the terms of an invitation's game, None where it leads into a club alone.

    Raises Refusal where the game is not on offer any more.
    """
    if not invitation.has_game:
        return None
    now, days = invitation.created_at, lobby_invitations.INVITATION_DAYS
    room = GameCount(0, 0, 1)
    return lobby_challenges.seek_for(invitation.inviter, invitation.terms, app.offered, room, now, days)


def club_of(db: Connection, invitation: Invitation) -> Club | None:
    """Return the club into which an invitation leads, if there is one and it is still there."""
    return clubs.find_club(db, invitation.club) if invitation.club else None


def first_board(seek: Seek, invitation: Invitation) -> Position:
    return seek.rules.begin(seek.options, invitation.seed)


def check_open(
    app: App, db: Connection, now: datetime, invitation: Invitation | None, friend: Player | None
) -> Invitation:
    """Return an invitation that takes a friend in. Raises Refusal with the reason why it does not."""
    joined = invitations.friends_of(db, invitation) if invitation else {}
    closed = lobby_invitations.why_closed(invitation, now, joined, friend)
    if closed or invitation is None:
        game = joined.get(friend.id, 0) if friend is not None else 0
        raise Refusal(lobby_invitations.closed_sentence(closed, invitation, game))
    seek_of(app, invitation)
    if invitation.club:
        _check_leads_into_club(db, invitation, friend)
    return invitation


def _check_leads_into_club(db: Connection, invitation: Invitation, friend: Player | None) -> None:
    """Raise Refusal if the club, or its organiser's office, is gone, or a friend was put out since."""
    by, number = invitation.inviter.id, invitation.club
    out = clubs.removed_at(db, number, friend.id) if friend is not None else None
    if not clubs.is_member(db, number, by, organiser=True) or (out and out >= invitation.created_at):
        raise Refusal(lobby_invitations.closed_sentence("gone", invitation))


def join(ctx: Context, number: int, friend: Player, words: str = "") -> list[Letter]:
    """Begin the game of an invitation, with a friend's words; into its club first, where it has one.

    Returns the letters about both. Raises Refusal.
    """
    found = invitations.find_invitation(ctx.db, number, lock=True)
    invitation = check_open(ctx.app, ctx.db, ctx.now, found, friend)
    check_not_barred(friend)
    seek = seek_of(ctx.app, invitation)
    entered = _enter_club(ctx, invitation, friend, "" if seek else words) if invitation.club else []
    return [*entered, *(_begin(ctx, invitation, seek, friend, words) if seek else [])]


def _enter_club(ctx: Context, invitation: Invitation, friend: Player, words: str) -> list[Letter]:
    """Enter a friend in the club of a locked invitation; the inviter gets the friend's words."""
    check_clubs_are_on(ctx)
    club = clubs.lock_club(ctx.db, invitation.club)
    assert club is not None
    check_can_enter(ctx, club, friend)
    invitations.add_friend(ctx.db, invitation, friend.id)
    told = join_club(ctx.db, club, friend, ctx.now)
    by = invitation.inviter.id
    told = [each.telling(words=words) if each.player and each.player.id == by else each for each in told]
    return [club_letter(ctx, friend, "joined", club), *told]


def _begin(ctx: Context, invitation: Invitation, seek: Seek, friend: Player, words: str) -> list[Letter]:
    seek = replace(seek, created_at=ctx.now)
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
