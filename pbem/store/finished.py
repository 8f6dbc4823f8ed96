"""Finished games for downloads: by number, in batches, with their journals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select, union

from pbem.core.game.game import Game
from pbem.core.game.state import result_word
from pbem.store import games as one_game
from pbem.store.game_lists import REVISIONS
from pbem.store.games import GamesByKey
from pbem.store.tables import games, has_seat, players


@dataclass(frozen=True)
class FinishedGame:
    """The row of a finished game, without its journal."""

    id: int
    rules: str
    player_ids: tuple[int, int]
    names: tuple[str, str]
    result: str
    ended_by: str
    plies: int
    started_at: datetime
    ended_at: datetime
    changed: str
    gone: int
    """Count of the game's forgotten players, replaced ones included."""

    @property
    def stamp(self) -> str:
        """A value that changes with the game and its players' names."""
        gone = f".{self.gone}" if self.gone else ""
        first, second = self.player_ids
        return f"{self.rules}.{first}.{second}.{self.changed}.{'.'.join(self.names)}{gone}"


def finished_rows(
    db: Connection,
    games_by_key: GamesByKey,
    *,
    after: int = 0,
    most: int = 500,
    rules: str | None = None,
    player: int | None = None,
) -> tuple[FinishedGame, ...]:
    """Return the first finished games with a number above `after`, oldest first."""
    first, second = players.alias(), players.alias()
    names = (first.c.name.label("first_name"), second.c.name.label("second_name"))
    query = (
        select(games, *names, REVISIONS.label("gone"))
        .join(first, first.c.id == games.c.first_id)
        .join(second, second.c.id == games.c.second_id)
        .where(games.c.ended_at.is_not(None), games.c.id > after)
        .where(games.c.rules.in_([rules] if rules else list(games_by_key)))
        .order_by(games.c.id)
        .limit(most)
    )
    if player is not None:
        query = query.where(has_seat(player))
    return tuple(
        FinishedGame(
            id=row.id,
            rules=row.rules,
            player_ids=(row.first_id, row.second_id),
            names=(row.first_name, row.second_name),
            result=result_word(row.ended_by, row.winner),
            ended_by=row.ended_by,
            plies=row.plies,
            started_at=row.started_at,
            ended_at=row.ended_at,
            changed=f"{row.entries}.{row.changed_at:%Y%m%d%H%M%S}",
            gone=row.gone,
        )
        for row in db.execute(query)
    )


def finished_players(
    db: Connection, games_by_key: GamesByKey, *, after: int = 0, most: int = 500
) -> Sequence[tuple[int, str]]:
    """Return numbers and names of players above `after` with a finished game."""
    seats = (games.c.first_id, games.c.second_id)
    ended = games.c.ended_at.is_not(None) & games.c.rules.in_(list(games_by_key))
    seated = union(*(select(seat.label("id")).where(ended, seat > after) for seat in seats)).subquery()
    query = select(players.c.id, players.c.name).join(seated, seated.c.id == players.c.id)
    return [(row.id, row.name) for row in db.execute(query.order_by(players.c.id).limit(most))]


def load_finished(db: Connection, games_by_key: GamesByKey, rows: Sequence[FinishedGame]) -> Iterator[Game]:
    """Load these games with journals; games reopened meanwhile are left out."""
    for row in rows:
        game = one_game.load_game(db, games_by_key, row.id)
        if game is not None and game.state.ending is not None:
            yield game
