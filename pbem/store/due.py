"""The kinds of work that are due now, found by one query for all threads of a worker."""

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, bindparam, exists, or_, select

from pbem.store.inbox import IS_DUE, MAX_WAIT
from pbem.store.live import IS_OVER, over_since
from pbem.store.outbox_delivery import may_be_sent
from pbem.store.tables import games, signins
from pbem.store.tables.columns import UtcDateTime
from pbem.store.tables.events import TO_DO, event_games, events

_NOW, _LINKS, _FLAGS = (bindparam(name, type_=UtcDateTime) for name in ("now", "links", "flags"))
_ASKED = and_(signins.c.seal.is_(None), signins.c.asked_at >= _LINKS)
_EVENT = exists().where(events.c.next_at <= _NOW)
_WORK: dict[str, ColumnElement[bool]] = {
    "file": exists().where(IS_DUE),
    "links": exists().where(_ASKED),
    "clock": or_(exists().where(games.c.next_event_at <= _FLAGS), exists().where(IS_OVER)),
    "events": or_(_EVENT, exists(select(event_games.c.game_id).where(TO_DO))),
    "send": exists().where(may_be_sent(_NOW)),
}
_ALL = select(*(condition.label(name) for name, condition in _WORK.items()))


def due_work(db: Connection, now: datetime, *, links: datetime, flags: datetime) -> list[str]:
    """Return the threads that have work. Links count since `links`, flags until `flags`."""
    moments = {"now": now, "wrong": now + MAX_WAIT, "links": links, "flags": flags, **over_since(now)}
    row = db.execute(_ALL, moments).one()
    return [name for name, due in row._mapping.items() if due]
