"""Matches: who is in which club, and the games of each board."""

from dataclasses import dataclass
from itertools import starmap

from sqlalchemy import Connection, select

from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.league import EventGame
from pbem.core.events.match import Match, count_left, show_board
from pbem.store import players
from pbem.store.events import DIVISION_GAMES
from pbem.store.tables.events import event_games, event_players


@dataclass(frozen=True)
class Member:
    """A match's player: club 1 or 2, state, and board or None."""

    player: int
    club: int
    state: str
    board: int | None


def members_of(db: Connection, event: int) -> list[Member]:
    """The players of a match in the order of joining."""
    columns = (event_players.c.player_id, event_players.c.place, event_players.c.state)
    query = select(*columns, event_players.c.division).where(event_players.c.event_id == event)
    return [Member(*row) for row in db.execute(query.order_by(event_players.c.n, event_players.c.player_id))]


def games_of_boards(db: Connection, event: int) -> dict[int, list[EventGame]]:
    found: dict[int, list[EventGame]] = {}
    query = DIVISION_GAMES.where(event_games.c.event_id == event)
    for game in starmap(EventGame, db.execute(query.order_by(event_games.c.division, event_games.c.n))):
        found.setdefault(game.division, []).append(game)
    return found


def load_match(db: Connection, event: Event) -> Match:
    """A match as letters and pages show it."""
    members, games = members_of(db, event.id), games_of_boards(db, event.id)
    known = players.players_by_ids(db, [each.player for each in members])
    names = {id: player.name for id, player in known.items()}
    seats = {(each.board, each.club): each.player for each in members if each.board is not None}
    gone = [each.player for each in members if each.state == league.LEFT]
    boards = tuple(
        show_board(number, (seats[number, 1], seats[number, 2]), there, names, gone)
        for number, there in games.items()
    )
    one, two = (tuple(names[each.player] for each in members if each.club == club) for club in (1, 2))
    first, second = event.settings.clubs
    return Match(event.id, event.title, event.rules, (first, second), (one, two), boards, count_left(games))
