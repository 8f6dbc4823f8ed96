"""Matches of two clubs: boards at the start, the end, and their letters."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.match import pair_boards
from pbem.core.letters.letter import Letter, to_player
from pbem.store import event_entries, matches, players, rating_queries
from pbem.store.engine import Connection
from pbem.store.matches import Member, load_match


def told_letters(
    db: Connection, event: Event, stage: str, members: Sequence[Member], **facts: Any
) -> list[Letter]:
    """Make a letter to each member. `stage` is start, spare, few or end."""
    shown = load_match(db, event)
    known = players.players_by_ids(db, [each.player for each in members])
    same = {"title": event.title, "event": event, "shown": shown, **facts}
    return [
        to_player(
            "matchtold", known[each.player], stage=stage, **same, club=event.settings.clubs[each.club - 1]
        )
        for each in members
        if not known[each.player].gone
    ]


def board_letters(db: Connection, event: Event, stage: str, number: int) -> list[Letter]:
    """Make one board's letters of the start or the end."""
    seated = [each for each in matches.members_of(db, event.id) if each.board == number]
    return told_letters(db, event, stage, [each for each in seated if each.state != league.LEFT])


def make_boards(db: Connection, event: Event, now: datetime) -> list[Letter]:
    """Seat a match's players, or close it where there is no board."""
    members = matches.members_of(db, event.id)
    known = players.players_by_ids(db, [each.player for each in members])
    able = [each for each in members if not (known[each.player].gone or known[each.player].barred)]
    rated = rating_queries.standings_of_players(db, [each.player for each in able])
    ratings = {id: found.rating.value for (id, key), found in rated.items() if key == event.rules}
    one, two = ([each.player for each in able if each.club == club] for club in (1, 2))
    boards, spare = pair_boards(one, two, ratings)
    if not boards:
        event_entries.append(db, event.id, "close", now, next=None)
        return told_letters(db, event, "few", members)
    event_entries.append(db, event.id, "boards", now, boards=boards, next=now)
    return told_letters(db, event, "spare", [each for each in able if each.player in spare])


def end_match(db: Connection, event: Event, now: datetime) -> list[Letter]:
    """End a match that is played out or closed. Players without a board are told."""
    games = matches.games_of_boards(db, event.id)
    left = [pair for each in games.values() for pair in league.games_left(each)]
    if left and event.ends_at is None:  # a game was opened again
        event_entries.append(db, event.id, "goes on", now, next=None)
        return []
    event_entries.append(db, event.id, "over", now, games=left, begun=3 * event.divisions, next=now)
    spare = [each for each in matches.members_of(db, event.id) if each.board is None]
    return told_letters(db, event, "end", spare)
