"""The command `club`, and the answers to the questions of clubs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from pbem.commands.context import Context, MailOutcome, Request, handles, plain_refusal
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby import clubs as lobby_clubs
from pbem.core.lobby.challenges import unknown_player_sentence
from pbem.core.lobby.clubs import Club
from pbem.core.lobby.limits import refuse_too_long
from pbem.core.players import Player
from pbem.duties.clubs import (
    check_organises,
    join_club,
    leave_club,
    organisers_of,
    remove_from_club,
    told_letter,
)
from pbem.duties.permissions import check_can_write, check_in_vain, check_not_barred
from pbem.store import clubs, limits, locks, players
from pbem.store.players import Confirmation
from rules.notation import join_words

INVITED, ADMITTED, LEAVING, REMOVING = "clubjoin", "clubadmit", "clubleave", "clubremove"
"""The questions: do you join, may this player join, do you leave, do you put this player out?"""
WEEK = timedelta(days=7)
GONE = "This club is no more, or you are not what you were in it."


@handles("club")
def _club(request: Request) -> list[Letter]:
    act = request.args["act"]
    if act == "list":
        return [club_letter(request.ctx, request.player, "list")]
    check_clubs_are_on(request.ctx)
    check_not_barred(request.player)
    return ACTS[act](request)


def check_clubs_are_on(ctx: Context) -> None:
    if not ctx.app.config.clubs:
        raise Refusal("The operator of this server has turned players' clubs off; `leave club` still works.")


def club_letter(ctx: Context, player: Player, stage: str, club: Club | None = None, **facts: Any) -> Letter:
    """Make a letter about one club, or about all that a player is in."""
    mine = clubs.clubs_of_player(ctx.db, player.id)
    rows = []
    for each in mine if stage == "list" else [club] if club else []:
        there = clubs.members_of(ctx.db, each.id)
        own = next((member for member in there if member.player == player.id), None)
        rows.append((each, len(there), own is not None and own.organiser))
    return to_player("club", player, stage=stage, club=club, rows=rows, **{"others": (), **facts})


def own_club(ctx: Context, player: Player, name: str, way: str, *, organised: bool = True) -> Club:
    """Return the club that a player means, locked. `way` is what to write, with `in` and a club behind it."""
    mine = clubs.clubs_of_player(ctx.db, player.id, organised=organised)
    named = [each for each in mine if each.key == lobby_clubs.club_key(name)] if name else mine
    what = "organise" if organised else "are in"
    if name and not named:
        raise Refusal(f"You {what} no club called {name}. `club` lists your clubs.")
    if not named:
        raise Refusal(f"You {what} no club. Make one: `club new Tuesday Evening`, say.")
    if len(named) > 1:
        ways = [f"`{way} {each.name}`" for each in named]
        raise Refusal(f"You {what} several clubs. Write {join_words(ways, 'or')}.")
    found = clubs.lock_club(ctx.db, named[0].id)
    assert found is not None
    return found


def named_club(ctx: Context, name: str) -> Club:
    """Return the club of this name, locked."""
    found = clubs.club_by_key(ctx.db, lobby_clubs.club_key(name))
    locked = found and clubs.lock_club(ctx.db, found.id)
    if not locked:
        raise Refusal(f"No club is called {name} here. {ctx.app.config.site}/clubs lists those there are.")
    return locked


def named_players(ctx: Context, names: Sequence[str]) -> list[Player]:
    """Return the players of these names."""
    found = []
    for name in dict.fromkeys(names):
        player = players.player_by_name(ctx.db, name)
        if player is None or player.gone:
            raise Refusal(unknown_player_sentence(name, players.names_like(ctx.db, name)))
        found.append(player)
    return found


# Acts.


def _new(request: Request) -> list[Letter]:
    ctx, player, name, town = request.ctx, request.player, request.args["name"], request.args["words"]
    name = " ".join(name.strip("\"'“”.").split())
    lobby_clubs.check_club_name(name)
    if town:
        lobby_clubs.check_town(town)
    key = lobby_clubs.club_key(name)
    locks.advisory_lock(ctx.db, "club names")
    if found := clubs.club_by_key(ctx.db, key):
        raise Refusal(f"There is a club called {found.name} already; please choose another name.")
    if clubs.count_made(ctx.db, player.id) >= lobby_clubs.MAX_MADE:
        raise Refusal(f"You have made {lobby_clubs.MAX_MADE} clubs, and nobody makes more.")
    id = clubs.add_club(ctx.db, name, key, town, lobby_clubs.ASKING, player.id, ctx.now)
    return [club_letter(ctx, player, "made", clubs.find_club(ctx.db, id))]


def _join(request: Request) -> list[Letter]:
    ctx, player = request.ctx, request.player
    club = named_club(ctx, request.args["club"])
    _check_can_enter(ctx, club, player)
    if club.entry == lobby_clubs.CLOSED:
        raise Refusal(f"{club.name} is closed: you can join it when an organiser invites you.")
    if club.entry == lobby_clubs.OPEN and not _was_removed(ctx, club, player):
        told = join_club(ctx.db, club, player, ctx.now)
        return [club_letter(ctx, player, "joined", club), *told]
    asked = organisers_of(ctx.db, club)
    for each in asked:
        check_can_write(ctx.db, player, each)
        check_in_vain(ctx.db, player, each, ctx.now)
    data = {"club": club.id, "by": player.id}
    letters = [_question(ctx, ADMITTED, each, club, data, other=player.name) for each in asked]
    return [club_letter(ctx, player, "asked", club, others=[each.name for each in asked]), *letters]


def _invite(request: Request) -> list[Letter]:
    ctx, player = request.ctx, request.player
    names = request.args["name"].replace(",", " ").replace(" and ", " ").split()
    club = own_club(ctx, player, request.args["club"], f"club invite {names[0]} in")
    asked = named_players(ctx, names)
    for other in asked:
        if other.bot:
            raise Refusal(f"{other.name} is a computer, and joins no club.")
        _check_can_enter(ctx, club, other)
        check_can_write(ctx.db, player, other)
        check_in_vain(ctx.db, player, other, ctx.now)
    data = {"club": club.id, "by": player.id}
    letters = [_question(ctx, INVITED, other, club, data, other=player.name) for other in asked]
    return [club_letter(ctx, player, "invited", club, others=[each.name for each in asked]), *letters]


def _check_can_enter(ctx: Context, club: Club, player: Player) -> None:
    there = clubs.members_of(ctx.db, club.id)
    if any(each.player == player.id for each in there):
        raise Refusal(f"{player.name} is in {club.name} already.")
    if len(there) >= lobby_clubs.MAX_MEMBERS:
        raise Refusal(f"{club.name} has {lobby_clubs.MAX_MEMBERS} members, and takes no more.")


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
    letter = _question(ctx, REMOVING, player, club, data, other=other.name)
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
    remove_from_club(ctx.db, club, other, ctx.now)
    return [club_letter(ctx, player, "removed", club, others=[other.name]), replace(told, needed=True)]


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


def _set(request: Request) -> list[Letter]:
    ctx, entry = request.ctx, request.args["name"].lower()
    club = own_club(ctx, request.player, request.args["club"], f"club set {entry} in")
    clubs.change_club(ctx.db, club.id, entry=entry)
    return [club_letter(ctx, request.player, "changed", clubs.find_club(ctx.db, club.id))]


def _town(request: Request) -> list[Letter]:
    ctx, town = request.ctx, request.args["words"]
    club = own_club(ctx, request.player, request.args["club"], f"club set town {town} in")
    lobby_clubs.check_town(town)
    clubs.change_club(ctx.db, club.id, town=town)
    return [club_letter(ctx, request.player, "changed", clubs.find_club(ctx.db, club.id))]


def _say(request: Request) -> list[Letter]:
    """Send words to all members, but not to those with a block between them and the writer."""
    ctx, player = request.ctx, request.player
    mine = clubs.clubs_of_player(ctx.db, player.id, organised=True)
    first, name = request.args["words"], ""
    if first.lower().startswith("in ") and lobby_clubs.club_key(first[3:]) in {each.key for each in mine}:
        first, name = "", first[3:]
    club = own_club(ctx, player, name, "club say in")
    words = "\n".join(filter(None, (first, request.block.comment.strip())))
    if not words:
        raise Refusal("There are no words to send: write them on the lines below `club say`.")
    refuse_too_long(words)
    if limits.count_attempt(ctx.db, f"club say {club.id}", ctx.now, WEEK) > lobby_clubs.SAID_A_WEEK:
        raise Refusal(
            f"{club.name} has heard {lobby_clubs.SAID_A_WEEK} letters within a week; wait a little."
        )
    there = [each.player for each in clubs.members_of(ctx.db, club.id) if each.player != player.id]
    apart = limits.blocked_player_ids(ctx.db, player)
    known = [each for each in players.players_by_ids(ctx.db, there).values() if each.id not in apart]
    told = [to_player("clubsay", each, club=club, other=player.name, words=words) for each in known]
    return [club_letter(ctx, player, "said", club, number=len(told), words=words), *told]


EXAMPLES = {
    "new": "`club new Tuesday Evening`, with a name of your own",
    "join": "`club join` and the club's name",
    "invite": "`club invite` and the names of players",
    "organiser": "`club organiser` and a member's name",
    "remove": "`club remove` and a member's name",
    "set town": "`club set town Lisbon`",
    "set": "`club set open`, `club set asking` or `club set closed`",
}


def _unfinished(request: Request) -> list[Letter]:
    act = request.args["name"].lower().replace("organizer", "organiser")
    raise Refusal(f"Something is missing behind *club {act}*. Write {EXAMPLES[act]}.")


ACTS: Mapping[str, Callable[[Request], list[Letter]]] = {
    "new": _new,
    "join": _join,
    "invite": _invite,
    "organiser": _organiser,
    "remove": _remove,
    "town": _town,
    "set": _set,
    "say": _say,
    "unfinished": _unfinished,
}
"""What each act of `club` does, by its word in `pbem.core.parsing.club_arguments`."""


# Questions.


def _question(
    ctx: Context, purpose: str, player: Player, club: Club, data: Mapping[str, Any], **facts: Any
) -> Letter:
    """Make a letter that asks a player about a club; its reply address takes the answer."""
    reply: ReplyTo = ctx.ask(purpose, player.address, data)
    letter = to_player("clubask", player, stage=purpose, club=club, **{"other": "", "last": False, **facts})
    return replace(letter, reply=reply)


def leave_by_name(ctx: Context, player: Player, name: str, *, sure: bool) -> list[Letter]:
    """Answer `leave club`: ask first, or take the player out where they are `sure`."""
    club = own_club(ctx, player, name, "leave club", organised=False)
    there = clubs.members_of(ctx.db, club.id)
    if sure:
        return [
            to_player("club", player, stage="left", club=club, rows=(), others=()),
            *leave_club(ctx.db, club, player),
        ]
    letter = _question(ctx, LEAVING, player, club, {"club": club.id}, last=len(there) == 1)
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
    club = clubs.lock_club(ctx.db, question.data["club"])
    if club is None or not clubs.is_member(ctx.db, club.id, question.data["by"], organiser=True):
        return plain_refusal(owner, "This invitation is no longer good: the club or its organiser has gone.")
    _check_can_enter(ctx, club, owner)
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
    _check_can_enter(ctx, club, other)
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
