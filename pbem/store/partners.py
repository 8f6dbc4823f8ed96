"""People who have moved lately in games with people."""

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection, bindparam, case, func, select

from pbem.core.game.journal import PLY
from pbem.store.tables import HAS_BOT, games, journal
from pbem.store.tables.columns import UtcDateTime

MAX_GAMES = 400
"""Maximum games that are looked at, those that changed last."""

_RECENT = (
    select(games.c.id, games.c.rules, games.c.first_id, games.c.second_id)
    .where(
        games.c.changed_at >= bindparam("since", type_=UtcDateTime),
        games.c.rules.in_(bindparam("rules", expanding=True)),
        ~HAS_BOT,
    )
    .order_by(games.c.changed_at.desc())
    .limit(MAX_GAMES)
    .subquery()
)
_PLAYER = case((journal.c.seat == 0, _RECENT.c.first_id), else_=_RECENT.c.second_id)
_LAST_MOVES = (
    select(_RECENT.c.rules, _PLAYER.label("player"), func.max(journal.c.at).label("last"))
    .join(journal, journal.c.game_id == _RECENT.c.id)
    .where(journal.c.kind == PLY, journal.c.at >= bindparam("since", type_=UtcDateTime))
    .group_by(_RECENT.c.rules, _PLAYER)
)


def last_moves(db: Connection, rules: Iterable[str], since: datetime) -> dict[tuple[int, str], datetime]:
    """Return when each player last moved in a game of these kinds since then, by player and kind."""
    rows = db.execute(_LAST_MOVES, {"rules": list(rules), "since": since})
    return {(row.player, row.rules): row.last for row in rows}
