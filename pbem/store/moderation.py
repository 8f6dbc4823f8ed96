"""The operator's acts: words hidden, players barred or renamed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, or_, select, update

from pbem.core.game.journal import REPLACE, WORD_KEYS
from pbem.core.players import Player
from pbem.store.bounces import DROPPED
from pbem.store.erase import rename_in_games
from pbem.store.tables import games, has_seat, journal, moderation, outbox, players


@dataclass(frozen=True)
class ModerationAct:
    """One act or report. `kind` is hide, show, bar, unbar, rename, direct, undirect or report."""

    kind: str
    at: datetime
    by: str
    reason: str
    player_id: int | None = None
    game_id: int | None = None
    entry: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    id: int = 0


def add_act(db: Connection, act: ModerationAct) -> None:
    values = {name: value for name, value in vars(act).items() if name != "id"}
    db.execute(insert(moderation).values(values | {"data": dict(act.data)}))


def latest_acts(
    db: Connection, most: int, player: Player | None = None, kind: str = ""
) -> list[ModerationAct]:
    """Return the latest acts, newest first: all, or those about a player or of a kind."""
    query = select(moderation).order_by(moderation.c.id.desc()).limit(most)
    if player is not None:
        query = query.where(moderation.c.player_id == player.id)
    if kind:
        query = query.where(moderation.c.kind == kind)
    return [ModerationAct(**row._mapping) for row in db.execute(query)]


def words_of_entry(db: Connection, game: int, entry: int) -> tuple[bool, bool] | None:
    """Return (has words, words are hidden) of an entry, or None."""
    here = (journal.c.game_id == game, journal.c.n == entry)
    data = db.execute(select(journal.c.data).where(*here)).scalar()
    return None if data is None else (any(name in data for name in WORD_KEYS), bool(data.get("hidden")))


def set_hidden(db: Connection, game: int, entry: int, hidden: bool) -> None:
    """Hide or show an entry's words, and note the game's change."""
    here = (journal.c.game_id == game, journal.c.n == entry)
    data = db.execute(select(journal.c.data).where(*here)).scalar_one()
    data = {name: value for name, value in data.items() if name != "hidden"}
    db.execute(update(journal).where(*here).values(data={**data, "hidden": True} if hidden else data))
    _revise(db, games.c.id == game)


def drop_chat_letters(db: Connection, game: int, entry: int) -> None:
    """Drop unsent letters that only carry one entry's words. Failed ones might be resent."""
    here = (outbox.c.game_id == game, outbox.c.kind == "chat", outbox.c.entry == entry)
    mine = update(outbox).where(*here, outbox.c.state != "sent")
    db.execute(mine.values(state=DROPPED, next_at=None, trouble=""))


def bar_player(db: Connection, player: Player, reason: str) -> None:
    db.execute(update(players).where(players.c.id == player.id).values(barred=reason))


def set_director(db: Connection, player: Player, is_director: bool) -> None:
    db.execute(update(players).where(players.c.id == player.id).values(director=is_director))


def list_directors(db: Connection) -> list[str]:
    """Return the names of all directors, in order."""
    return list(db.scalars(select(players.c.name).where(players.c.director).order_by(players.c.name_key)))


def rename_player(db: Connection, player: Player, name: str) -> None:
    """Rename a player, in games too; raises IntegrityError for a taken name."""
    values = {"name": name, "name_key": name.lower()}
    db.execute(update(players).where(players.c.id == player.id).values(values))
    rename_in_games(db, player, name)
    left = journal.c.data["was"].as_integer() == player.id
    replaced = select(journal.c.game_id).where(journal.c.kind == REPLACE, left)
    _revise(db, or_(has_seat(player.id), games.c.id.in_(replaced)))


def _revise(db: Connection, which: Any) -> None:
    db.execute(update(games).where(which).values(revised=games.c.revised + 1))
