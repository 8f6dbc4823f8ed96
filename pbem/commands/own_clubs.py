"""The club that a player means, and letters about it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.commands.context import Context
from pbem.core.errors import Refusal
from pbem.core.letters.letter import Letter, ReplyTo, to_player
from pbem.core.lobby import clubs as lobby_clubs
from pbem.core.lobby.challenges import unknown_player_sentence
from pbem.core.lobby.clubs import Club
from pbem.core.players import Player
from pbem.duties.clubs import organisers_of
from pbem.duties.permissions import check_can_write, check_in_vain
from pbem.store import clubs, players
from rules.notation import join_words

INVITED, ADMITTED, LEAVING, REMOVING = "clubjoin", "clubadmit", "clubleave", "clubremove"
"""The questions: do you join, may this player join, do you leave, do you put this player out?"""
MATCHED = "clubmatch"
"""The question to an organiser: does your club play a match with ours?"""


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


def named_club(ctx: Context, name: str, *, lock: bool = True) -> Club:
    """Return the club of this name. Who locks two clubs locks the one with the lower number first."""
    found = clubs.club_by_key(ctx.db, lobby_clubs.club_key(name))
    found = clubs.lock_club(ctx.db, found.id) if found and lock else found
    if not found:
        raise Refusal(f"No club is called {name} here. {ctx.app.config.site}/clubs lists those there are.")
    return found


def named_players(ctx: Context, names: Sequence[str]) -> list[Player]:
    """Return the players of these names."""
    found = []
    for name in dict.fromkeys(names):
        player = players.player_by_name(ctx.db, name)
        if player is None or player.gone:
            raise Refusal(unknown_player_sentence(name, players.names_like(ctx.db, name)))
        found.append(player)
    return found


def check_can_enter(ctx: Context, club: Club, player: Player) -> None:
    there = clubs.members_of(ctx.db, club.id)
    if any(each.player == player.id for each in there):
        raise Refusal(f"{player.name} is in {club.name} already.")
    if len(there) >= lobby_clubs.MAX_MEMBERS:
        raise Refusal(f"{club.name} has {lobby_clubs.MAX_MEMBERS} members, and takes no more.")


def ask_about_club(
    ctx: Context, purpose: str, player: Player, club: Club, data: Mapping[str, Any], **facts: Any
) -> Letter:
    """Make a letter that asks a player about a club; its reply address takes the answer."""
    reply: ReplyTo = ctx.ask(purpose, player.address, data)
    told = {"other": "", "last": False, "seek": None, **facts}
    letter = to_player("clubask", player, stage=purpose, club=club, **told)
    return replace(letter, reply=reply)


def ask_organisers(
    ctx: Context, purpose: str, club: Club, player: Player, data: Mapping[str, Any], **facts: Any
) -> tuple[list[Player], list[Letter]]:
    """Return the organisers of a club, and the letters that ask them. Raises Refusal."""
    asked = organisers_of(ctx.db, club)
    for each in asked:
        check_can_write(ctx.db, player, each)
        check_in_vain(ctx.db, player, each, ctx.now)
    letters = [ask_about_club(ctx, purpose, each, club, data, other=player.name, **facts) for each in asked]
    return asked, letters
