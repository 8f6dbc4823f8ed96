"""Matches of two clubs: sign-up, and the letter that shows one."""

from collections.abc import Sequence
from typing import Any

from pbem.commands.context import Context
from pbem.core.errors import Refusal
from pbem.core.events import league
from pbem.core.events.event import Event
from pbem.core.events.match import MATCH, club_number
from pbem.core.letters.letter import Letter, to_player
from pbem.core.players import Player
from pbem.duties.new_games import told_terms
from pbem.duties.permissions import check_not_barred
from pbem.store import clubs, event_entries, events, matches
from pbem.store.engine import Connection
from pbem.store.matches import Member, load_match
from rules.notation import join_words


def match_letter(ctx: Context, player: Player, event: Event, stage: str = "shown") -> Letter:
    """A letter that shows a match; `stage` is joined, left, started or shown."""
    mine = _member(ctx.db, event, player)
    known: dict[str, Any] = {
        "title": event.title,
        "event": event,
        "shown": load_match(ctx.db, event),
        "club": event.settings.clubs[mine.club - 1] if mine is not None else "",
        "open_to": [event.settings.clubs[each - 1] for each in _clubs_open_to(ctx.db, event, player)],
        **told_terms(ctx.app, event),
    }
    return to_player("match", player, stage=stage, **known)


def match_by_club(ctx: Context, word: str, states: Sequence[str], way: str) -> Event | None:
    """Return a club's match in these states, else its newest one.

    `way` is what to write where there are several, with places for a number and the club.
    """
    named = events.matches_of_club(ctx.db, word, ctx.app.games_by_key)
    found = [each for each in named if each.state in states] or named[:1]
    if len(found) > 1:
        club = found[0].settings.clubs[club_number(found[0].settings.clubs, word) - 1]
        ways = [f"`{way.format(number=each.id, club=club)}`" for each in found]
        raise Refusal(f"{club} is in several matches. Write {join_words(ways, 'or')}.")
    return found[0] if found else None


def join_match(ctx: Context, player: Player, number: int, word: str) -> list[Letter]:
    """Enter a player in the club that they name."""
    check_not_barred(player)
    event = events.lock_event(ctx.db, number)
    if event is None or event.kind != MATCH or event.rules not in ctx.app.games_by_key:
        raise Refusal(f"There is no match {number}. `events` lists those there are.")
    if event.state != league.OPEN:
        raise Refusal(f"Nobody can join the {event.title} any more.")
    names, able = event.settings.clubs, _clubs_open_to(ctx.db, event, player)
    if not able:
        raise Refusal(f"Only members of {join_words(names, 'or')} play in the {event.title}.")
    club = club_number(names, word) or (able[0] if len(able) == 1 and not word else 0)
    if club not in able:
        ways = [f"`join match {number} {names[each - 1]}`" for each in able]
        raise Refusal(f"To play in the {event.title}, write {join_words(ways, 'or')}.")
    mine = _member(ctx.db, event, player)
    if mine is not None and mine.club != club:
        raise Refusal(
            f"You play for {names[mine.club - 1]}, and nobody is in both clubs. `leave match {number}` takes "
            "you out of it."
        )
    if mine is None:
        same = {"players": [player.id], "state": league.ENTERED, "club": club}
        event_entries.append(ctx.db, event.id, "join", ctx.now, **same)
    return [match_letter(ctx, player, event, "joined")]


def _clubs_open_to(db: Connection, event: Event, player: Player) -> list[int]:
    """Return which clubs of a match, 1 and 2, a player may play for."""
    if not event.club_ids:
        return [1, 2]
    return [n for n, id in enumerate(event.club_ids, 1) if clubs.is_member(db, id, player.id)]


def leave_match(ctx: Context, event: Event, player: Player, state: str, *, sure: bool) -> list[Letter]:
    """Take a player out of a locked match that has not begun."""
    if event.state != league.OPEN:
        raise Refusal(f"The {event.title} has begun. Only the director can take you out of it now.")
    event_entries.append(ctx.db, event.id, "leave", ctx.now, player=player.id)
    return [match_letter(ctx, player, event, "left")]


def leave_open_matches(ctx: Context, player: Player) -> None:
    """Take a player to be forgotten out of matches not yet begun."""
    for mine in events.entrants_of_player(ctx.db, player.id):
        event = events.lock_event(ctx.db, mine.event)
        if event is not None and event.kind == MATCH and event.state == league.OPEN:
            event_entries.append(ctx.db, event.id, "leave", ctx.now, player=player.id)


def _member(db: Connection, event: Event, player: Player) -> Member | None:
    there = matches.members_of(db, event.id)
    return next((each for each in there if each.player == player.id), None)
