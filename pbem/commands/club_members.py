"""Ways into a club and out of it, and the answers to the questions about that."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from pbem.commands import invitations
from pbem.commands.context import Context, MailOutcome, Request, plain_refusal
from pbem.commands.own_clubs import (
    ADMITTED,
    INVITED,
    LEAVING,
    REMOVING,
    ask_about_club,
    ask_organisers,
    check_can_enter,
    check_clubs_are_on,
    club_letter,
    named_club,
    named_players,
    own_club,
)
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import clubs as lobby_clubs
from pbem.core.lobby.clubs import Club
from pbem.core.players import Player
from pbem.duties.clubs import (
    check_organises,
    join_club,
    leave_club,
    remove_from_club,
    told_letter,
)
from pbem.duties.permissions import check_can_write, check_in_vain, check_not_barred
from pbem.store import clubs, players
from pbem.store.players import Confirmation

GONE = "This club is no more, or you are not what you were in it."


def _join(request: Request) -> list[Letter]:
    ctx, player = request.ctx, request.player
    club = named_club(ctx, request.args["club"])
    check_can_enter(ctx, club, player)
    if club.entry == lobby_clubs.CLOSED:
        raise Refusal(f"{club.name} is closed: you can join it when an organiser invites you.")
    if club.entry == lobby_clubs.OPEN and not _was_removed(ctx, club, player):
        told = join_club(ctx.db, club, player, ctx.now)
        return [club_letter(ctx, player, "joined", club), *told]
    asked, letters = ask_organisers(ctx, ADMITTED, club, player, {"club": club.id, "by": player.id})
    return [club_letter(ctx, player, "asked", club, others=[each.name for each in asked]), *letters]


def _invite(request: Request) -> list[Letter]:
    ctx, player = request.ctx, request.player
    names = request.args["name"].replace(",", " ").replace(" and ", " ").split()
    club = own_club(ctx, player, request.args["club"], f"club invite {names[0]} in")
    asked = named_players(ctx, names)
    for other in asked:
        if other.bot:
            raise Refusal(f"{other.name} is a computer, and joins no club.")
        check_can_enter(ctx, club, other)
        check_can_write(ctx.db, player, other)
        check_in_vain(ctx.db, player, other, ctx.now)
    data = {"club": club.id, "by": player.id}
    letters = [ask_about_club(ctx, INVITED, other, club, data, other=player.name) for other in asked]
    return [club_letter(ctx, player, "invited", club, others=[each.name for each in asked]), *letters]


def _invite_strangers(request: Request) -> list[Letter]:
    """Bring a letter to forward, or write to an address."""
    args = request.args
    way = f"club invite {args['address'] or args['friends']} in"
    return invitations.invite(request, own_club(request.ctx, request.player, args["club"], way))


def _refuse_several(request: Request) -> list[Letter]:
    raise Refusal(
        "An invitation is for one address: write `club invite anna@example.com` for each, on lines of their "
        "own. Or `club invite 5` brings a letter to forward to five friends."
    )


def _was_removed(ctx: Context, club: Club, player: Player) -> bool:
    """True if an organiser has put a player out, so that an organiser must let them in again."""
    at = clubs.removed_at(ctx.db, club.id, player.id)
    return at is not None and ctx.now < at + lobby_clubs.ASKS_AGAIN


def _remove(request: Request) -> list[Letter]:
    """Put a member out: ask first, unless the organiser is sure."""
    ctx, player, name = request.ctx, request.player, request.args["name"]
    club = own_club(ctx, player, request.args["club"], f"club remove {name} in")
    (other,) = named_players(ctx, [name])
    _check_can_remove(ctx, club, player, other)
    if request.args["yes"]:
        return _put_out(ctx, club, player, other)
    data = {"club": club.id, "player": other.id}
    letter = ask_about_club(ctx, REMOVING, player, club, data, other=other.name)
    return [replace(letter, needed=True)]


def _check_can_remove(ctx: Context, club: Club, player: Player, other: Player) -> None:
    """Raise Refusal if an organiser cannot put this player out. Only its maker puts other organisers out."""
    if other.id == player.id:
        raise Refusal(f"To leave it yourself, write `leave club {club.name}`.")
    if not clubs.is_member(ctx.db, club.id, other.id):
        raise Refusal(f"{other.name} is not in {club.name}.")
    organises = clubs.is_member(ctx.db, club.id, other.id, organiser=True)
    if organises and player.id != club.maker and not other.barred:
        raise Refusal(f"{other.name} organises {club.name} too, so only its maker can put them out.")


def _put_out(ctx: Context, club: Club, player: Player, other: Player) -> list[Letter]:
    told = told_letter(other, "removed", club, other=player.name)
    others = remove_from_club(ctx.db, club, other, ctx.now)
    own = club_letter(ctx, player, "removed", club, others=[other.name])
    return [own, replace(told, needed=True), *others]


def _organiser(request: Request) -> list[Letter]:
    ctx, name = request.ctx, request.args["name"]
    club = own_club(ctx, request.player, request.args["club"], f"club organiser {name} in")
    (other,) = named_players(ctx, [name])
    if not clubs.is_member(ctx.db, club.id, other.id):
        raise Refusal(f"{other.name} is not in {club.name}. `club invite {other.name}` asks them to join it.")
    if clubs.is_member(ctx.db, club.id, other.id, organiser=True):
        raise Refusal(f"{other.name} organises {club.name} already.")
    clubs.name_organiser(ctx.db, club.id, other.id)
    told = told_letter(other, "named", club, other=request.player.name)
    return [club_letter(ctx, request.player, "organiser", club, others=[other.name]), told]


MEMBER_ACTS: Mapping[str, Callable[[Request], list[Letter]]] = {
    "join": _join,
    "invite": _invite,
    "strangers": _invite_strangers,
    "several": _refuse_several,
    "organiser": _organiser,
    "remove": _remove,
}
"""What each act of `club` about one player does, by its word in `pbem.core.parsing.club_arguments`."""


# Leaving, and answers to questions.


def leave_by_name(ctx: Context, player: Player, name: str, *, sure: bool) -> list[Letter]:
    """Answer `leave club`: ask first, or take the player out where they are `sure`."""
    club = own_club(ctx, player, name, "leave club", organised=False)
    there = clubs.members_of(ctx.db, club.id)
    if sure:
        return [
            to_player("club", player, stage="left", club=club, rows=(), others=()),
            *leave_club(ctx.db, club, player, ctx.now),
        ]
    letter = ask_about_club(ctx, LEAVING, player, club, {"club": club.id}, last=len(there) == 1)
    return [replace(letter, needed=True)]


def confirm_leaving(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    club = clubs.lock_club(ctx.db, question.data["club"])
    if club is None or not clubs.is_member(ctx.db, club.id, owner.id):
        return plain_refusal(owner, GONE)
    letters = leave_by_name(ctx, owner, club.name, sure=True)
    return MailOutcome("done", "left a club", tuple(letters), owner)


def confirm_invitation(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    """Enter an invited player. Raises Refusal."""
    check_clubs_are_on(ctx)
    check_not_barred(owner)
    if number := question.data.get("invitation"):
        with ctx.db.begin_nested():  # a game that cannot begin leaves the club as it was
            letters = tuple(invitations.join(ctx, number, owner))
        return MailOutcome("done", "joined a club", letters, owner)
    club = clubs.lock_club(ctx.db, question.data["club"])
    if club is None or not clubs.is_member(ctx.db, club.id, question.data["by"], organiser=True):
        return plain_refusal(owner, "This invitation is no longer good: the club or its organiser has gone.")
    check_can_enter(ctx, club, owner)
    told = join_club(ctx.db, club, owner, ctx.now)
    letters = (club_letter(ctx, owner, "joined", club), *told)
    return MailOutcome("done", "joined a club", letters, owner)


def confirm_admission(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    """Let a player in who has asked. Raises Refusal."""
    check_clubs_are_on(ctx)
    club = clubs.lock_club(ctx.db, question.data["club"])
    other = players.player_by_id(ctx.db, question.data["by"])
    if club is None or other is None or other.gone:
        return plain_refusal(owner, "The club, or the player, is here no more.")
    check_organises(ctx.db, owner, club)
    check_not_barred(other)
    check_can_enter(ctx, club, other)
    told = join_club(ctx.db, club, other, ctx.now, by=owner.id)
    letters = (
        club_letter(ctx, owner, "admitted", club, others=[other.name]),
        told_letter(other, "admitted", club, other=owner.name),
        *told,
    )
    return MailOutcome("done", "let a player into a club", letters, owner)


def confirm_removal(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    """Put a member out, as an organiser was asked. Raises Refusal."""
    check_clubs_are_on(ctx)
    club = clubs.lock_club(ctx.db, question.data["club"])
    other = players.player_by_id(ctx.db, question.data["player"])
    if club is None or other is None or not clubs.is_member(ctx.db, club.id, other.id):
        return plain_refusal(owner, "The club, or the player in it, is no more.")
    check_organises(ctx.db, owner, club)
    _check_can_remove(ctx, club, owner, other)
    return MailOutcome("done", "put a member out", tuple(_put_out(ctx, club, owner, other)), owner)
