"""Leagues: sign-up, withdrawal, and a season's letters."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pbem.actions.challenges import check_not_barred, told_terms
from pbem.actions.context import Context, Disposition, plain_refusal
from pbem.core.errors import Refusal
from pbem.core.events import league, match
from pbem.core.events.event import LIVE, Event
from pbem.core.events.season import Division, show_division
from pbem.core.events.season_facts import SeasonFacts
from pbem.core.letters.letter import Letter, to_player
from pbem.core.paper import Leaders
from pbem.core.players import Player
from pbem.mail.outbound.calendar import EventDate
from pbem.store import bots, event_entries, events, players
from pbem.store.engine import Connection
from pbem.store.players import Confirmation
from rules.contract import Rules

DATED = ("open", "divide", "close", "over")
"""Entries of an event's journal that set its dates."""
SEASON, LEAVING = "season", "leaving"
"""Purposes of questions: to confirm a place in the season, and to confirm a withdrawal while it runs."""


def load_division(db: Connection, event: Event, number: int) -> Division:
    """A division as letters and pages show it."""
    return load_divisions(db, event, number, number)[0]


def load_divisions(db: Connection, event: Event, first: int, last: int) -> list[Division]:
    """Load divisions `first` to `last`, both included, for letters and pages."""
    found = events.divisions_between(db, event.id, first, last)
    known = players.players_by_ids(db, [id for each in found for id in each.seats])
    names = {id: player.name for id, player in known.items()}
    return [
        show_division(
            event.id, event.title, (each.number, event.divisions), each.seats, each.games, names, each.left
        )
        for each in found
    ]


def leading_players(db: Connection, event: Event) -> Leaders | None:
    """Return the first division's leaders on points, or None without results."""
    games = events.division_games(db, event.id, 1)
    rows = league.division_table(events.division_players(db, event.id, 1), games)
    over = len(games) - len(league.games_left(games))
    if not over or not rows[0].points:
        return None
    first = tuple(row.player for row in rows if row.points == rows[0].points)
    return Leaders(event.id, first, rows[0].points, over, len(games))


def event_dates(db: Connection, event: Event) -> list[EventDate]:
    """Return a season's start, half and end, or a match's start; future times are as planned."""
    entry = events.newest_entry(db, event.id, *DATED)
    assert entry is not None
    if event.kind == match.MATCH:
        return [EventDate(f"v{event.id}.start", event.starts, "the match begins", entry.n, entry.at)]
    ends = event.ends_at or event.starts + timedelta(days=event.settings.days)
    ends = entry.at if event.state == league.OVER else ends
    dates = (
        ("start", event.starts, "the season begins"),
        ("half", league.half_time(event.starts, ends), "half time"),
        ("end", ends, "the season ends"),
    )
    return [EventDate(f"v{event.id}.{name}", at, words, entry.n, entry.at) for name, at, words in dates]


def division_of(db: Connection, event: Event, player: Player) -> Division | None:
    """Return the player's own division, or None if they do not play."""
    mine = events.entrant_of(db, event.id, player.id)
    number = mine.division if mine is not None else None
    return load_division(db, event, number) if number is not None else None


def season_letter(player: Player, facts: SeasonFacts) -> Letter:
    return to_player("season", player, replace(facts, me=player.id))


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
        same |= told_terms(ctx, event)
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
    own = division_of(ctx.db, event, player)
    shown = own or (load_division(ctx.db, event, 1) if event.divisions else None)
    entered = events.count_players(ctx.db, event.id, *league.SIGNED_UP)
    places = events.places_of_player(ctx.db, player.id)
    mine = own is not None or any(place.event.id == event.id for place in places)
    told: dict[str, Any] = {"division": shown, "entered": entered, "mine": mine}
    return to_player("table", player, event=event, title=event.title, **told)


def confirm_season(ctx: Context, question: Confirmation, owner: Player) -> Disposition:
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
    return Disposition("done", "confirmed a season", (letter,), owner)


def confirm_leaving(ctx: Context, question: Confirmation, owner: Player) -> Disposition:
    """Withdraw a player from a season that runs."""
    event = events.lock_event(ctx.db, question.data["event"])
    mine = events.entrant_of(ctx.db, question.data["event"], owner.id)
    if event is None or mine is None or mine.state != league.PLAYING:
        return plain_refusal(owner, "You do not play in this season any more.")
    letters = withdraw(ctx.db, event, owner, "asked", ctx.now, ctx.app.config.bots)
    return Disposition("done", "left a season", tuple(letters), owner)


def withdraw(
    db: Connection,
    event: Event,
    player: Player,
    why: str,
    now: datetime,
    levels: Sequence[int],
    reason: str = "",
) -> list[Letter]:
    """Take a player out of a locked season.

    The place goes to the first on the standby list, else to a bot of these `levels`, else all open games are
    forfeited. `why` is asked, time or director. The worker ends the running games or hands them over.
    """
    mine = events.entrant_of(db, event.id, player.id)
    assert mine is not None and mine.division is not None
    early = event.ends_at is not None and now < league.fills_until(event.starts, event.ends)
    by = _first_standby(db, event) or next(iter(free_bots(db, event, levels, now)), None) if early else None
    out = SeasonFacts("withdrawn", event, why=why, reason=reason, by="" if by is None else by.name)
    letters = [season_letter(player, out)]
    if by is not None:
        if by.bot:
            event_entries.append(db, event.id, "join", now, players=[by.id], state=league.STANDBY)
        event_entries.append(db, event.id, "fill", now, player=player.id, by=by.id, why=why)
        shown = load_division(db, event, mine.division)
        return [*letters, season_letter(by, SeasonFacts("filled", event, shown, was=player.name))]
    open_games = [
        game.pair
        for game in events.division_games(db, event.id, mine.division)
        if game.score is None and game.has(player.id)
    ]
    event_entries.append(db, event.id, "withdraw", now, player=player.id, why=why, games=open_games)
    return letters


def give_up_waiting(db: Connection, event: Event, player: Player, now: datetime) -> None:
    """Take a barred player out of a locked season; running games go on, games not begun are forfeits."""
    mine = events.entrant_of(db, event.id, player.id)
    assert mine is not None and mine.division is not None
    waiting = [
        game.pair
        for game in events.division_games(db, event.id, mine.division)
        if game.state == league.WAITING and game.has(player.id)
    ]
    event_entries.append(db, event.id, "withdraw", now, player=player.id, why="barred", games=waiting)


def free_bots(db: Connection, event: Event, levels: Sequence[int], now: datetime) -> list[Player]:
    """Return bots of these levels for an empty seat, strongest first."""
    allowed = sorted((level for level in levels if level <= event.settings.bots), reverse=True)
    seated = events.players_in(db, event.id, league.PLAYING, league.LEFT)
    found = [bots.find_bot(db, level, now) for level in allowed]
    return [bot for bot in found if bot.id not in seated]


def _first_standby(db: Connection, event: Event) -> Player | None:
    waiting = events.players_in(db, event.id, league.STANDBY)
    known = players.players_by_ids(db, waiting)
    return next((known[id] for id in waiting if not known[id].gone and not known[id].barred), None)


def open_season(db: Connection, number: int, starts: datetime, now: datetime) -> None:
    """Open the sign-up of a season, or put its start off."""
    ask = max(now, starts - league.ASK_BEFORE)
    event_entries.append(db, number, "open", now, starts=starts, next=ask)


def next_season(db: Connection, event: Event, now: datetime) -> int:
    """Open the next season, with all players and the standby list entered."""
    number = event_entries.add_event(db, event.rules, event.season + 1, event.settings, now, event.id)
    there = events.players_in(db, event.id, league.PLAYING, league.STANDBY)
    known = players.players_by_ids(db, there)
    entered = [id for id in there if not (known[id].bot or known[id].barred)]
    open_season(db, number, now + league.GAP, now)
    event_entries.append(db, number, "join", now, players=entered, state=league.ENTERED)
    return number


def ask_letters(ctx: Context, event: Event, entered: Sequence[Player]) -> list[Letter]:
    """Make the letters that ask each player to confirm that they play the season."""
    letters, terms = [], told_terms(ctx, event)
    for player in entered:
        question = ctx.ask(SEASON, player.address, {"event": event.id})
        letter = to_player("seasonask", player, stage=SEASON, event=event, title=event.title, **terms)
        letters.append(replace(letter, reply=question))
    return letters
