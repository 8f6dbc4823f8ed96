"""Leagues: divisions, places in a season, and its letters."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from pbem.app import App
from pbem.core.events import league, match
from pbem.core.events.event import Event, EventPlace
from pbem.core.events.season import Division, show_division
from pbem.core.events.season_facts import SeasonFacts
from pbem.core.game.game import Game
from pbem.core.game.view import View, view_for_reader
from pbem.core.letters.boards import Boards, letter_with_boards
from pbem.core.letters.letter import Letter, to_player
from pbem.core.paper import Leaders
from pbem.core.players import Player
from pbem.duties.new_games import told_terms
from pbem.duties.questions import ask
from pbem.mail.outbound.calendar import EventDate
from pbem.store import bots, bundles, event_entries, events, players
from pbem.store.engine import Connection

DATED = ("open", "divide", "close", "over")
"""Entries of an event's journal that set its dates."""
BOARDS_AT_START = 5
"""Boards that the letter of a season's start draws; further games have a line each."""
SEASON = "season"
"""The question that confirms a place in the season."""


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


def season_letter(player: Player, facts: SeasonFacts) -> Letter:
    return to_player("season", player, replace(facts, me=player.id))


def opening_letters(
    app: App,
    db: Connection,
    event: Event,
    division: Division,
    seated: Sequence[Player],
    games: Sequence[Game],
    now: datetime,
) -> list[Letter]:
    """Make one letter to each player of a division that begins, with the boards of their games.

    Who gets no letters of turns gets the table alone.
    """
    terms, plain = told_terms(app, event), []
    drawn: list[tuple[Player, list[View]]] = []
    for player in seated:
        mine = (game for game in games if game.seat_of(player) is not None)
        views = [view_for_reader(game, player, app.config.host) for game in mine]
        if not views or not player.address or "turns" in player.unsent:
            plain.append(season_letter(player, SeasonFacts("start", event, division)))
        else:
            drawn.append((player, views))
    shown = [(player, {view.game.id: view.entry for view in views}) for player, views in drawn]
    numbered = zip(drawn, bundles.add_bundles(db, shown, now), strict=True)
    return plain + [
        first_boards_letter(player, event, division, views, bundle, **terms)
        for (player, views), bundle in numbered
    ]


def first_boards_letter(
    player: Player, event: Event, division: Division, views: Sequence[View], bundle: int, **terms: Any
) -> Letter:
    """Make the letter of a season's start, where the boards that wait for the player stand first."""
    views = sorted(views, key=lambda view: not view.your_turn)
    shown, more = Boards(views[:BOARDS_AT_START], bundle=bundle), views[BOARDS_AT_START:]
    facts = {"event": event, "place": EventPlace(event, division.number), "division": division, **terms}
    return letter_with_boards("seasonstart", player, shown, more=more, **facts)


def withdraw(
    db: Connection,
    event: Event,
    player: Player,
    why: str,
    now: datetime,
    levels: Sequence[int],
    reason: str = "",
    other: Player | None = None,
) -> list[Letter]:
    """Take a player out of a locked season.

    The place goes to `other` on the standby list, else to the first there, else to a bot of these `levels`,
    else all open games are forfeited. `why` is asked, time or director. The worker ends or hands over games.
    """
    mine = events.entrant_of(db, event.id, player.id)
    assert mine is not None and mine.division is not None
    early = event.ends_at is not None and now < league.fills_until(event.starts, event.ends)
    free = _first_standby(db, event) or next(iter(free_bots(db, event, levels, now)), None) if early else None
    by = other or free
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


def all_answered(db: Connection, event: Event) -> bool:
    """True if nobody's answer is missing in a club's league that has not begun."""
    waiting = events.count_players(db, event.id, league.ENTERED, league.ASKED)
    return event.club_id is not None and event.state == league.OPEN and not waiting


def start_if_answered(db: Connection, number: int, now: datetime) -> None:
    """Have a locked league of a club start at once where all have answered who were asked."""
    event = events.find_event(db, number)
    if event is not None and event.asked and all_answered(db, event):
        event_entries.append(db, event.id, "goes on", now, next=now)


def next_season(db: Connection, event: Event, now: datetime) -> int:
    """Open the next season, with all players and the standby list entered."""
    number = event_entries.add_event(db, event.rules, event.season + 1, event.settings, now, event.id)
    there = events.players_in(db, event.id, league.PLAYING, league.STANDBY)
    known = players.players_by_ids(db, there)
    entered = [id for id in there if not (known[id].bot or known[id].barred)]
    open_season(db, number, now + league.GAP, now)
    event_entries.append(db, number, "join", now, players=entered, state=league.ENTERED)
    return number


def ask_letters(
    app: App, db: Connection, event: Event, entered: Sequence[Player], now: datetime
) -> list[Letter]:
    """Make the letters that ask each player to confirm that they play the season."""
    letters, terms = [], told_terms(app, event)
    for player in entered:
        question = ask(db, SEASON, player.address, {"event": event.id}, now)
        letter = to_player("seasonask", player, stage=SEASON, event=event, title=event.title, **terms)
        letters.append(replace(letter, reply=question))
    return letters
