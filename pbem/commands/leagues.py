"""Leagues: sign-up, withdrawal, and the table."""

from dataclasses import replace
from typing import Any

from pbem.commands.context import Context, MailOutcome, plain_refusal
from pbem.core.errors import Refusal
from pbem.core.events import league
from pbem.core.events.event import LIVE, Event
from pbem.core.events.season import Division
from pbem.core.letters.letter import Letter, to_player
from pbem.core.players import Player
from pbem.duties.leagues import load_division, withdraw
from pbem.duties.new_games import told_terms
from pbem.duties.permissions import check_not_barred
from pbem.store import event_entries, events
from pbem.store.engine import Connection
from pbem.store.players import Confirmation
from rules.contract import Rules

LEAVING = "leaving"
"""The question that confirms a withdrawal while the season runs."""


def join_league(ctx: Context, player: Player, rules: Rules) -> list[Letter]:
    """Enter a player in a game's league, or in the standby list if the season runs."""
    check_not_barred(player)
    live = events.live_league(ctx.db, rules.key)
    event = events.lock_event(ctx.db, live.id) if live is not None else None
    if event is None or event.state not in LIVE:
        raise Refusal(
            f"There is no league of {rules.name} to join now. `ladder {rules.key}` takes you onto its ladder."
        )
    mine = events.entrant_of(ctx.db, event.id, player.id)
    if mine is not None and mine.state == league.PLAYING:
        raise Refusal(f"You play in the {event.title} already. `table {rules.key}` brings its table.")
    if mine is not None and mine.state == league.LEFT:
        raise Refusal(f"You left the {event.title}. You can join the next one when it opens.")
    asked = event.asked or (mine is not None and mine.state in (league.ASKED, league.CONFIRMED))
    state = league.CONFIRMED if asked else league.ENTERED
    state = state if event.state == league.OPEN else league.STANDBY
    again = mine is not None and mine.state == state
    if mine is not None and mine.state == league.ASKED and state == league.CONFIRMED:
        event_entries.append(ctx.db, event.id, "confirm", ctx.now, player=player.id)
    elif not again:
        event_entries.append(ctx.db, event.id, "join", ctx.now, players=[player.id], state=state)
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
    letter = _joined_letter(ctx, owner, event, league.CONFIRMED)
    return MailOutcome("done", "confirmed a season", (letter,), owner)


def confirm_leaving(ctx: Context, question: Confirmation, owner: Player) -> MailOutcome:
    """Withdraw a player from a season that runs."""
    event = events.lock_event(ctx.db, question.data["event"])
    mine = events.entrant_of(ctx.db, question.data["event"], owner.id)
    if event is None or mine is None or mine.state != league.PLAYING:
        return plain_refusal(owner, "You do not play in this season any more.")
    letters = withdraw(ctx.db, event, owner, "asked", ctx.now, ctx.app.config.bots)
    return MailOutcome("done", "left a season", tuple(letters), owner)
