"""Clubs and their members."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Row,
    Select,
    and_,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    union,
    update,
)

from pbem.core.events.event import LIVE, Event
from pbem.core.events.league import RUNNING, STARTING
from pbem.core.lobby.clubs import Club, ClubMember
from pbem.store.events import event_of
from pbem.store.locks import advisory_lock
from pbem.store.tables import confirmations, games, players
from pbem.store.tables.clubs import club_members, club_removals, clubs
from pbem.store.tables.events import event_games, events

_CLUB = select(clubs)
_MEMBER = and_(club_members.c.club_id == clubs.c.id)


def _club_of(row: Row[Any]) -> Club:
    return Club(row.id, row.name, row.key, row.town, row.entry, row.maker_id, row.made_at)


def lock_club(db: Connection, id: int) -> Club | None:
    """Lock a club against other changes until the transaction ends; returns it."""
    advisory_lock(db, f"club {id}")
    return find_club(db, id)


def find_club(db: Connection, id: int) -> Club | None:
    row = db.execute(_CLUB.where(clubs.c.id == id)).first()
    return None if row is None else _club_of(row)


def club_by_key(db: Connection, key: str) -> Club | None:
    row = db.execute(_CLUB.where(clubs.c.key == key)).first()
    return None if row is None else _club_of(row)


def clubs_of_player(db: Connection, player: int, *, organised: bool = False) -> list[Club]:
    """The clubs that a player is in, or those that the player organises, by name."""
    mine = club_members.c.player_id == player
    query = _CLUB.join(club_members, _MEMBER).where(mine).order_by(clubs.c.key)
    rows = db.execute(query.where(club_members.c.organiser) if organised else query)
    return [_club_of(row) for row in rows]


def members_of(db: Connection, club: int) -> list[ClubMember]:
    """The members of a club, in the order of joining."""
    query = select(club_members, players.c.name).join(players, players.c.id == club_members.c.player_id)
    rows = db.execute(
        query.where(club_members.c.club_id == club).order_by(club_members.c.since, club_members.c.player_id)
    )
    return [ClubMember(row.player_id, row.name, row.since, row.organiser) for row in rows]


def is_member(db: Connection, club: int, player: int, *, organiser: bool = False) -> bool:
    """True if a player is in the club, or, where so asked, organises it."""
    query = select(club_members.c.organiser).where(
        club_members.c.club_id == club, club_members.c.player_id == player
    )
    found = db.scalar(query)
    return found is not None and (bool(found) or not organiser)


def list_clubs(db: Connection, most: int, after: str = "") -> list[tuple[Club, int]]:
    """Return clubs with their numbers of members, by name."""
    query = select(clubs, func.count(club_members.c.player_id).label("members"))
    query = query.outerjoin(club_members, _MEMBER).group_by(clubs.c.id)
    rows = db.execute(query.where(clubs.c.key > after).order_by(clubs.c.key).limit(most))
    return [(_club_of(row), row.members) for row in rows]


def count_made(db: Connection, player: int) -> int:
    return db.scalar(select(func.count()).select_from(clubs).where(clubs.c.maker_id == player)) or 0


def add_club(db: Connection, name: str, key: str, town: str, entry: str, maker: int, now: datetime) -> int:
    """Store a club whose maker is its first member and organiser; returns its number."""
    values = {"name": name, "key": key, "town": town, "entry": entry, "maker_id": maker, "made_at": now}
    id: int = db.execute(insert(clubs).values(**values).returning(clubs.c.id)).scalar_one()
    add_member(db, id, maker, now, organiser=True)
    return id


def add_member(db: Connection, club: int, player: int, now: datetime, *, organiser: bool = False) -> None:
    row = {"club_id": club, "player_id": player, "since": now, "organiser": organiser}
    db.execute(insert(club_members).values(**row))
    _end_removal(db, club, player)


def name_organiser(db: Connection, club: int, player: int) -> None:
    mine = (club_members.c.club_id == club, club_members.c.player_id == player)
    db.execute(update(club_members).where(*mine).values(organiser=True))


def remove_member(db: Connection, club: int, player: int) -> None:
    """Take a player out of a club. The club goes with its last member."""
    mine = (club_members.c.club_id == club, club_members.c.player_id == player)
    db.execute(delete(club_members).where(*mine))
    if not members_of(db, club):
        db.execute(delete(club_removals).where(club_removals.c.club_id == club))
        db.execute(delete(clubs).where(clubs.c.id == club))


def add_removal(db: Connection, club: int, player: int, now: datetime) -> None:
    """Store that an organiser has put a player out, who has left the club before."""
    _end_removal(db, club, player)
    db.execute(insert(club_removals).values(club_id=club, player_id=player, at=now))


def _end_removal(db: Connection, club: int, player: int) -> None:
    mine = (club_removals.c.club_id == club, club_removals.c.player_id == player)
    db.execute(delete(club_removals).where(*mine))


def removed_at(db: Connection, club: int, player: int) -> datetime | None:
    """Return when an organiser put a player out, who has not been in the club since."""
    mine = (club_removals.c.club_id == club, club_removals.c.player_id == player)
    return db.scalar(select(club_removals.c.at).where(*mine))


def close_invitations(db: Connection, club: int, addresses: Collection[str], now: datetime) -> None:
    """Close the questions that invite these addresses into a club, as if they were too old."""
    asked = (confirmations.c.purpose == QUESTIONS[0], confirmations.c.used_at.is_(None))
    mine = (confirmations.c.address.in_(addresses), confirmations.c.data["club"].as_integer() == club)
    db.execute(update(confirmations).where(*asked, *mine).values(expires_at=now))


def change_club(db: Connection, club: int, **values: str) -> None:
    db.execute(update(clubs).where(clubs.c.id == club).values(**values))


def forget_maker(db: Connection, player: int) -> None:
    db.execute(update(clubs).where(clubs.c.maker_id == player).values(maker_id=None))


QUESTIONS = ("clubjoin", "clubadmit", "clubmatch")
"""Questions that one player has another asked about a club."""


def count_questions(db: Connection, by: int, address: str, since: datetime) -> int:
    """Count the questions of a player about clubs that went to an address."""
    asked = confirmations.c.purpose.in_(QUESTIONS) & (confirmations.c.created_at > since)
    mine = (confirmations.c.address == address, confirmations.c.data["by"].as_integer() == by)
    return db.scalar(select(func.count()).select_from(confirmations).where(asked, *mine)) or 0


def events_of_club(db: Connection, club: int, rules: Collection[str], most: int = 50) -> list[Event]:
    """Return a club's events in these games, those that are open or run first, then newest first."""
    live = case((events.c.state.in_(LIVE), 0), else_=1)
    shown = (_is_of(club), events.c.rules.in_(rules), events.c.state.in_((*LIVE, "over")))
    query = select(events).where(*shown).order_by(live, events.c.id.desc()).limit(most)
    return [event_of(row) for row in db.execute(query)]


def matches_between(db: Connection, clubs: tuple[int, int], rules: str) -> list[Event]:
    """Return the open and running matches of two clubs in a game."""
    both = (events.c.club_id.in_(clubs), events.c.rival_id.in_(clubs))
    query = select(events).where(*both, events.c.rules == rules, events.c.state.in_(LIVE))
    return [event_of(row) for row in db.execute(query)]


def _is_of(club: int) -> ColumnElement[bool]:
    return or_(events.c.club_id == club, events.c.rival_id == club)


@dataclass(frozen=True)
class PlayedGame:
    """A running game in a list: its seats' names, the seat to play, and until when."""

    id: int
    rules: str
    names: tuple[str, str]
    to_play: int | None
    deadline: datetime | None


def running_games(
    db: Connection, *, club: int | None = None, event: int | None = None, most: int = 60
) -> list[PlayedGame]:
    """Return the running games between a club's members and of its events, or of one event.

    The next deadline is first.
    """
    first, second = players.alias(), players.alias()
    joined = games.join(first, first.c.id == games.c.first_id).join(second, second.c.id == games.c.second_id)
    columns = (games.c.id, games.c.rules, games.c.to_play, games.c.deadline_at)
    query = select(*columns, first.c.name.label("one"), second.c.name.label("two")).select_from(joined)
    mine = _of_events(events.c.id == event) if club is None else _of_club(club)
    wanted = (games.c.id.in_(mine), games.c.ended_at.is_(None))
    rows = db.execute(query.where(*wanted).order_by(*_BY_DEADLINE).limit(most))
    return [PlayedGame(row.id, row.rules, (row.one, row.two), row.to_play, row.deadline_at) for row in rows]


_BY_DEADLINE = (games.c.deadline_at.is_(None), games.c.deadline_at, games.c.id)


def _of_events(which: ColumnElement[bool]) -> Select[tuple[int]]:
    """Select the games of these events, while their results count."""
    joined = event_games.join(events, events.c.id == event_games.c.event_id)
    runs = events.c.state.in_((STARTING, RUNNING))
    return select(event_games.c.game_id).select_from(joined).where(which, runs)


def _of_club(club: int) -> CompoundSelect[tuple[int]]:
    """Select the running games between two members, and those of the club's events."""
    members = select(club_members.c.player_id).where(club_members.c.club_id == club)
    seats = (games.c.first_id.in_(members), games.c.second_id.in_(members))
    between = select(games.c.id).where(*seats, games.c.ended_at.is_(None))
    return union(between, _of_events(_is_of(club)))
