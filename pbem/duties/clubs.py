"""Clubs: who organises them, and what becomes of a club whose organiser goes."""

from datetime import datetime
from typing import Any

from pbem.core.errors import Refusal
from pbem.core.events import ladder, league
from pbem.core.events.event import Event, club_of
from pbem.core.events.match import MATCH
from pbem.core.letters.letter import Letter, to_player
from pbem.core.lobby.clubs import Club
from pbem.core.players import Player
from pbem.duties.ladders import leave_ladder
from pbem.duties.leagues import start_if_answered
from pbem.duties.permissions import check_not_barred
from pbem.store import clubs, event_entries, events, players
from pbem.store.engine import Connection


def told_letter(player: Player, stage: str, club: Club, **facts: Any) -> Letter:
    """Make a letter with news of a club. `stage` is organiser, joined, admitted, named or removed."""
    return to_player("clubtold", player, stage=stage, club=club, **{"other": "", "words": "", **facts})


def organisers_of(db: Connection, club: Club) -> list[Player]:
    """Return the organisers of a club whose office does not rest, in the order of joining."""
    there = [each.player for each in clubs.members_of(db, club.id) if each.organiser]
    known = players.players_by_ids(db, there)
    return [known[id] for id in there if not (known[id].barred or known[id].gone)]


def leave_club(db: Connection, club: Club, player: Player, now: datetime) -> list[Letter]:
    """Take a player out of a locked club, off its ladders and out of its matches that have not begun.

    Returns letters to opponents there, and to a new organiser, if there is one.
    """
    told = _leave_ladders(db, club, player, now)
    _leave_open(db, club, player, now, MATCH)
    clubs.remove_member(db, club.id, player.id)
    return [*told, *find_organiser(db, club)]


def _leave_ladders(db: Connection, club: Club, player: Player, now: datetime) -> list[Letter]:
    letters = []
    for number in _entered(db, club, player):
        event = events.lock_event(db, number)
        if event is not None and event.kind == ladder.LADDER:
            letters += leave_ladder(db, event, player, now)
    return letters


def _entered(db: Connection, club: Club, player: Player) -> list[int]:
    """Return the open and running events that a player has entered for a club."""
    mine = [(each, events.find_event(db, each.event)) for each in events.entrants_of_player(db, player.id)]
    return [found.id for each, found in mine if found is not None and club_of(found, each) == club.id]


def remove_from_club(db: Connection, club: Club, player: Player, now: datetime) -> list[Letter]:
    """Put a player out of a locked club, of its ladders and its open events; those that run go on.

    Returns letters to opponents on ladders.
    """
    told = _leave_ladders(db, club, player, now)
    clubs.remove_member(db, club.id, player.id)
    clubs.add_removal(db, club.id, player.id, now)
    clubs.close_invitations(db, club.id, player.addresses, now)
    _leave_open(db, club, player, now, league.LEAGUE, MATCH)
    return told


def _leave_open(db: Connection, club: Club, player: Player, now: datetime, *kinds: str) -> None:
    """Take a player out of the club's events in which they have no game yet."""
    for number in _entered(db, club, player):
        event = events.lock_event(db, number)
        mine = events.entrant_of(db, number, player.id)
        waits = mine is not None and mine.state in (*league.SIGNED_UP, league.STANDBY)
        if waits and event is not None and event.kind in kinds:
            event_entries.append(db, number, "leave", now, player=player.id)
            start_if_answered(db, number, now)


def find_organiser(db: Connection, club: Club) -> list[Letter]:
    """Make the next member by time the organiser of a locked club that has none; returns their letter."""
    if organisers_of(db, club):
        return []
    there = [each.player for each in clubs.members_of(db, club.id)]
    known = players.players_by_ids(db, there)
    able = [known[id] for id in there if not (known[id].barred or known[id].gone)]
    if not able:
        return []
    clubs.name_organiser(db, club.id, able[0].id)
    return [told_letter(able[0], "organiser", club)]


def leave_all_clubs(db: Connection, player: Player, now: datetime) -> list[Letter]:
    """Take a player who is forgotten out of all clubs."""
    letters = []
    for each in clubs.clubs_of_player(db, player.id):
        if club := clubs.lock_club(db, each.id):
            letters += leave_club(db, club, player, now)
    clubs.forget_maker(db, player.id)
    return letters


def rest_office(db: Connection, player: Player) -> list[Letter]:
    """Find another organiser for each club of a player who has just been barred."""
    letters = []
    for each in clubs.clubs_of_player(db, player.id, organised=True):
        if club := clubs.lock_club(db, each.id):
            letters += find_organiser(db, club)
    return letters


def join_club(db: Connection, club: Club, player: Player, now: datetime, *, by: int = 0) -> list[Letter]:
    """Enter a player in a locked club; returns the letters to its organisers other than `by`."""
    clubs.add_member(db, club.id, player.id, now)
    told = [each for each in organisers_of(db, club) if each.id != by]
    return [told_letter(each, "joined", club, other=player.name) for each in told]


def directs(db: Connection, player: Player, event: Event | None) -> bool:
    """True if a player may decide about an event's games: a director, or an organiser of a club in it."""
    if player.barred:
        return False
    there = () if event is None else event.club_ids
    return player.director or any(clubs.is_member(db, each, player.id, organiser=True) for each in there)


def check_organises(db: Connection, player: Player, club: Club) -> None:
    check_not_barred(player)
    if not clubs.is_member(db, club.id, player.id, organiser=True):
        raise Refusal(f"Only an organiser of {club.name} can do that.")
