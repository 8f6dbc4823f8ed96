"""Leagues: sign-up, withdrawal, and the table."""

from dataclasses import replace
from typing import Any

from pbem.commands.club_leagues import club_leagues_of
from pbem.commands.context import Context, MailOutcome, plain_refusal
from pbem.core.errors import Refusal
from pbem.core.events import league
from pbem.core.events.event import LIVE, Event
from pbem.core.events.season import Division
from pbem.core.letters.letter import Letter, to_player
from pbem.core.players import Player
from pbem.duties.leagues import load_division, start_if_answered, withdraw
from pbem.duties.new_games import told_terms
from pbem.duties.permissions import check_not_barred
from pbem.store import clubs, event_entries, events
from pbem.store.engine import Connection
from pbem.store.players import Confirmation
from rules.contract import Rules
from rules.notation import join_words

LEAVING = "leaving"
"""The question that confirms a withdrawal while the season runs."""


def join_league(ctx: Context, player: Player, rules: Rules) -> list[Letter]:
    """Enter a player in a game's league, or in the standby list if the season runs."""
    check_not_barred(player)
    own = club_leagues_of(ctx, player, rules.key)
    live = events.live_league(ctx.db, rules.key)
    found = [*([] if live is None else [live]), *own]
    if len(found) > 1:
        ways = [f"`join league {each.id}` for the {each.title}" for each in found]
        raise Refusal(f"There are several leagues of {rules.name}. Write {join_words(ways, 'or')}.")
    if not found:
        raise Refusal(
            f"There is no league of {rules.name} to join now. `ladder {rules.key}` takes you onto its ladder."
        )
    return join_season(ctx, player, found[0])


def join_season(ctx: Context, player: Player, found: Event) -> list[Letter]:
    """Enter a player in this season, or in its standby list."""
    check_not_barred(player)
    event = events.lock_event(ctx.db, found.id)
    if event is None or event.state not in LIVE:
        raise Refusal(f"Nobody can join the {found.title} now.")
    if event.club_id is not None and not clubs.is_member(ctx.db, event.club_id, player.id):
        club = event.settings.club
        raise Refusal(f"The {event.title} is for its members; `club join {club}` asks to become one.")
    mine = events.entrant_of(ctx.db, event.id, player.id)
    if mine is not None and mine.state == league.PLAYING:
        raise Refusal(f"You play in the {event.title} already. `table {event.id}` brings its table.")
    if mine is not None and mine.state == league.LEFT:
        raise Refusal(f"You left the {event.title}. You can join the next one when it opens.")
    asked = (
        event.asked
        or event.club_id is not None
        or (mine is not None and mine.state in (league.ASKED, league.CONFIRMED))
    )
    state = league.CONFIRMED if asked else league.ENTERED
    state = state if event.state == league.OPEN else league.STANDBY
    again = mine is not None and mine.state == state
    if mine is not None and mine.state == league.ASKED and state == league.CONFIRMED:
        event_entries.append(ctx.db, event.id, "confirm", ctx.now, player=player.id)
    elif not again:
        event_entries.append(ctx.db, event.id, "join", ctx.now, players=[player.id], state=state)
    start_if_answered(ctx.db, event.id, ctx.now)
    return [_joined_letter(ctx, player, event, state, again=again)]


def _joined_letter(ctx: Context, player: Player, event: Event, state: str, *, again: bool = False) -> Letter:
    """Answer a sign-up. The standby list can fill places up to a certain moment."""
    until = league.fills_until(event.starts, event.ends) if event.ends_at else None
    same: dict[str, Any] = {"event": event, "title": event.title}
    if state != league.LEFT:  # whose game may be gone
        same |= told_terms(ctx.app, event)
    return to_player("joined", player, **same, state=state, until=until, again=again)


def leave_season(ctx: Context, event: Event, player: Player, state: str, *, sure: bool) -> list[Letter]:
    """Take a player out of a locked season; a player who plays in it must be `sure`."""
    if state == league.PLAYING and sure:
        return withdraw(ctx.db, event, player, "asked", ctx.now, ctx.app.config.bots)
    if state == league.PLAYING:
        question = ctx.ask(LEAVING, player.address, {"event": event.id})
        letter = to_player("seasonask", player, stage=LEAVING, event=event, title=event.title)
        return [replace(letter, reply=question)]
    event_entries.append(ctx.db, event.id, "leave", ctx.now, player=player.id)
    start_if_answered(ctx.db, event.id, ctx.now)
    return [_joined_letter(ctx, player, event, league.LEFT)]


def table_letter(ctx: Context, player: Player, event: Event) -> Letter:
    """Make the letter with the player's own table, or the first division's."""
    own = _division_of(ctx.db, event, player)
    shown = own or (load_division(ctx.db, event, 1) if event.divisions else None)
    entered = events.count_players(ctx.db, event.id, *league.SIGNED_UP)
    places = events.places_of_player(ctx.db, player.id)
    mine = own is not None or any(place.event.id == event.id for place in places)
    told: dict[str, Any] = {"division": shown, "entered": entered, "mine": mine}
    return to_player("table", player, event=event, title=event.title, **told)


def _division_of(db: Connection, event: Event, player: Player) -> Division | None:
    """Return the player's own division, or None if they do not play."""
    mine = events.entrant_of(db, event.id, player.id)
    number = mine.division if mine is not None else None
    return load_division(db, event, number) if number is not None else None


def confirm_season(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    """Confirm a player for the season about which they were asked. Raises Refusal."""
    check_not_barred(owner)
    event = events.lock_event(ctx.db, question.data["event"])
    mine = events.entrant_of(ctx.db, question.data["event"], owner.id)
    if (
        event is None
        or event.state != league.OPEN
        or mine is None
        or mine.state not in (league.ENTERED, league.ASKED)
    ):
        problem = "This season has begun, or you are not in it any more."
        return plain_refusal(owner, problem)
    event_entries.append(ctx.db, event.id, "confirm", ctx.now, player=owner.id)
    start_if_answered(ctx.db, event.id, ctx.now)
    letter = _joined_letter(ctx, owner, event, league.CONFIRMED)
    return MailOutcome("done", "confirmed a season", (letter,), owner)


def decline_season(ctx: Context, question: Confirmation, owner: Player) -> None:
    """Take a player who says no out of a club's league; in one open to all, silence does the same."""
    event = events.lock_event(ctx.db, question.data["event"])
    mine = events.entrant_of(ctx.db, question.data["event"], owner.id)
    waits = event is not None and event.club_id is not None and event.state == league.OPEN
    if event is not None and waits and mine is not None:
        event_entries.append(ctx.db, event.id, "leave", ctx.now, player=owner.id)
        start_if_answered(ctx.db, event.id, ctx.now)


def confirm_leaving(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    """Withdraw a player from a season that runs."""
    event = events.lock_event(ctx.db, question.data["event"])
    mine = events.entrant_of(ctx.db, question.data["event"], owner.id)
    if event is None or mine is None or mine.state != league.PLAYING:
        return plain_refusal(owner, "You do not play in this season any more.")
    letters = withdraw(ctx.db, event, owner, "asked", ctx.now, ctx.app.config.bots)
    return MailOutcome("done", "left a season", tuple(letters), owner)
