"""The command `club`."""

from collections.abc import Callable, Mapping
from datetime import timedelta

from pbem.commands.club_members import MEMBER_ACTS
from pbem.commands.context import Request, handles
from pbem.commands.own_clubs import check_clubs_are_on, club_letter, own_club
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby import clubs as lobby_clubs
from pbem.core.lobby.limits import refuse_too_long
from pbem.duties.permissions import check_not_barred
from pbem.store import clubs, limits, locks, players

WEEK = timedelta(days=7)


@handles("club")
def _club(request: Request) -> list[Letter]:
    act = request.args["act"]
    if act == "list":
        return [club_letter(request.ctx, request.player, "list")]
    check_clubs_are_on(request.ctx)
    check_not_barred(request.player)
    return ACTS[act](request)


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
    "organiser": "`club organiser` and a member's name",
    "remove": "`club remove` and a member's name",
    "set town": "`club set town Lisbon`",
    "set": "`club set open`, `club set asking` or `club set closed`",
}


def _unfinished(request: Request) -> list[Letter]:
    act = request.args["name"].lower().replace("organizer", "organiser")
    raise Refusal(f"Something is missing behind *club {act}*. Write {EXAMPLES[act]}.")


ACTS: Mapping[str, Callable[[Request], list[Letter]]] = {
    **MEMBER_ACTS,
    "new": _new,
    "town": _town,
    "set": _set,
    "say": _say,
    "unfinished": _unfinished,
}
"""What each act of `club` does, by its word in `pbem.core.parsing.club_arguments`."""
