"""Ladders: who stands where, who leaves, and the step of the clock."""

from collections.abc import Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from pbem.core.clock.intervals import moment_after
from pbem.core.clock.vacation import vacation_at
from pbem.core.events import ladder
from pbem.core.events.event import Event
from pbem.core.events.ladder import Ladder, LadderLine, LadderResult, Pairing
from pbem.core.events.table import FORFEIT_LOSS
from pbem.core.letters.letter import Letter, to_player
from pbem.core.players import Player
from pbem.core.ratings.results import rating_text
from pbem.store import event_entries, ladders, limits, players, rating_queries, vacations
from pbem.store.engine import Connection
from pbem.store.outages import outages_since

SHOWN_RESULTS = 10


def load_ladder(db: Connection, event: Event, now: datetime) -> Ladder:
    """A ladder as letters and pages show it."""
    order, pairings = ladders.order_of(db, event.id), ladders.pairings_of(db, event.id)
    results = ladders.results_of(db, event.id)[: -SHOWN_RESULTS - 1 : -1]
    met = [*((each.lower, each.upper) for each in pairings), *((each.lower, each.upper) for each in results)]
    ids = {*order, *chain.from_iterable(met)}
    names = {id: player.name for id, player in players.players_by_ids(db, ids).items()}
    rated = rating_queries.standings_of_players(db, order)
    ratings = {id: rating_text(found, now) for (id, key), found in rated.items() if key == event.rules}
    lines = (LadderLine(n, id, names[id], ratings.get(id, "")) for n, id in enumerate(order, 1))
    waiting = (
        Pairing(each.n, names[each.lower], names[each.upper], each.at, each.until, each.game)
        for each in pairings
    )
    found = tuple(_name_players(results, names))
    own = {"word": event.word, "called": event.called}
    return Ladder(event.id, event.title, event.rules, tuple(lines), tuple(waiting), found, **own)


def _name_players(results: Sequence[LadderResult[int]], names: dict[int, str]) -> list[LadderResult[str]]:
    return [
        LadderResult(each.at, each.n, names[each.upper], names[each.lower], each.score, each.game)
        for each in results
    ]


def told_letter(player: Player, stage: str, event: Event, **facts: Any) -> Letter:
    """Make a letter about a challenge without a game. `stage` is no, silence, off or out."""
    known = {"event": event, "title": event.title, "problem": "", **facts}
    return to_player("laddertold", player, stage=stage, **known)


def leave_ladder(db: Connection, event: Event, player: Player, now: datetime) -> list[Letter]:
    """Take a player off a locked ladder; returns letters to open opponents."""
    mine = [each for each in ladders.pairings_of(db, event.id) if player.id in (each.lower, each.upper)]
    event_entries.append(db, event.id, "leave", now, player=player.id, off=[each.n for each in mine])
    others = {each.n: each.upper if each.lower == player.id else each.lower for each in mine}
    known = players.players_by_ids(db, others.values())
    return [
        told_letter(known[others[each.n]], "off", event, other=player.name, left=True, game=each.game)
        for each in mine
    ]


def advance_ladder(db: Connection, event: Event, now: datetime) -> list[Letter]:
    """Close the oldest unanswered challenge, or let idle players sink. An outage adds time to answer."""
    waiting = ladders.waiting_pairings(db, event.id)
    late = [each for each in waiting if each.until + ladder.MAIL_TIME <= now]
    if not late:
        event_entries.append(db, event.id, "sink", now, players=_idle(db, event, now))
        return []
    until = moment_after(outages_since(db, late[0].at), late[0].at, ladder.ANSWER_TIME)
    if until > late[0].until:
        event_entries.append(db, event.id, "delay", now, n=late[0].n, until=until)
        return []
    known = players.players_by_ids(db, (late[0].lower, late[0].upper))
    lower, upper = known[late[0].lower], known[late[0].upper]
    if cannot_meet(db, lower, upper):
        return cancel_challenge(db, event, late[0], lower, upper, now)
    return forfeit_place(db, event, late[0], lower, upper, now, "silence")


def _idle(db: Connection, event: Event, now: datetime) -> list[int]:
    """The players who are idle, and not on vacation."""
    order = ladders.order_of(db, event.id)
    active = ladders.active_players(db, event.id, now - ladder.IDLE_AFTER)
    away = vacations.vacations_of_players(db, order)
    return [id for id in order if id not in active and vacation_at(away[id], now) is None]


def cannot_meet(db: Connection, lower: Player, upper: Player) -> bool:
    """True if two cannot meet. A later block by the challenged player does not count."""
    if lower.barred or upper.barred:
        return True
    return limits.blocked(db, lower, upper) and not limits.has_blocked(db, upper, lower)


def forfeit_place(
    db: Connection,
    event: Event,
    pairing: Pairing[int],
    lower: Player,
    upper: Player,
    now: datetime,
    why: str,
) -> list[Letter]:
    """Give the challenger the places; `why` is no or silence. Ratings do not know of it."""
    before = ladders.order_of(db, event.id)
    pair = {"first": upper.id, "second": lower.id, "n": pairing.n}
    event_entries.append(db, event.id, "award", now, **pair, score=FORFEIT_LOSS, why=why)
    order = ladders.order_of(db, event.id)
    return [
        told_letter(
            player,
            why,
            event,
            other=other.name,
            mine=player is lower,
            place=order.index(player.id) + 1,
            was=before.index(player.id) + 1,
            number=len(order),
        )
        for player, other in ((lower, upper), (upper, lower))
    ]


def cancel_challenge(
    db: Connection,
    event: Event,
    pairing: Pairing[int],
    lower: Player,
    upper: Player,
    now: datetime,
    problem: str = "",
) -> list[Letter]:
    """Close a challenge of two who cannot meet. Only the challenger hears the sentence `problem`."""
    event_entries.append(db, event.id, "cancel", now, n=pairing.n)
    return [
        told_letter(player, "off", event, other=other.name, left=False, game=None, problem=why)
        for player, other, why in ((lower, upper, problem), (upper, lower, ""))
    ]
