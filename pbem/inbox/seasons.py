"""Seasons, ladders and matches go on by themselves. Each step has its own transaction.

A step reads what is there, writes an entry of the event's journal with the letters about it, and says when
the next is due. So a process that dies between two steps loses and doubles nothing. The games of a division
begin together; those of the next division in the next transaction.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from pbem.actions import ladders, leagues, matches
from pbem.actions.challenges import GameTerms, begin_games, has_enough_rated, new_game, terms_of_event
from pbem.actions.context import Context
from pbem.actions.directing import Decide
from pbem.app import App
from pbem.core.clock.mail_times import same_moment
from pbem.core.errors import Refusal
from pbem.core.events import ladder, league, match
from pbem.core.events.divisions import first_divisions, next_divisions
from pbem.core.events.event import Event
from pbem.core.events.league import Game
from pbem.core.events.table import FORFEIT_LOSS
from pbem.core.game.game import Game as Stored
from pbem.core.game.journal import RESIGN, SEATS, TIMEOUT, Entry
from pbem.core.letters.letter import Letter
from pbem.core.letters.start import league_letters
from pbem.core.parsing.inbound import Inbound
from pbem.core.play import director
from pbem.core.players import Player
from pbem.core.ratings.results import is_short
from pbem.inbox.director import decide_as_director
from pbem.outbox.drain import log_failure, never_stop
from pbem.outbox.write import queue_letters
from pbem.store import event_entries, events, games, players, rating_queries
from pbem.store.engine import Connection
from rules.contract import Seat

log = logging.getLogger("pbem.events")

ASKED_AT_ONCE = 50
"""Players who are asked in one transaction."""


@dataclass(frozen=True)
class Step:
    """One step of a season: its context and the locked event."""

    ctx: Context
    event: Event

    @property
    def now(self) -> datetime:
        return self.ctx.now

    def write(self, kind: str, **data: Any) -> None:
        event_entries.append(self.ctx.db, self.event.id, kind, self.now, **data)

    def players(self, ids: Sequence[int]) -> list[Player]:
        """The players with these numbers who are still here."""
        known = players.players_by_ids(self.ctx.db, ids)
        return [known[id] for id in ids if not known[id].gone]

    def entrants(self, *states: str) -> list[Player]:
        return self.players(events.players_in(self.ctx.db, self.event.id, *states))


def check_events(app: App, until: Callable[[], bool] = never_stop) -> int:
    """Do all steps that are due; returns their number."""
    done, failed = 0, set[object]()
    while not until():
        with app.store.read() as db:
            due = events.due_events(db, app.now())
            changed = events.divisions_to_do(db)
        steps: list[tuple[object, Callable[[], None]]] = [
            *((each, partial(_advance_division, app, *each)) for each in changed),
            *((id, partial(_advance_event, app, id)) for id in due),
        ]
        steps = [step for step in steps if step[0] not in failed]
        if not steps:
            break
        for what, step in steps:
            if until():
                break
            failed.add(what)
            with log_failure(log, "event %s: a step failed; it is tried again at the next beat", what):
                step()
                failed.discard(what)
                done += 1
    return done


def _step(app: App, db: Any, id: int) -> Step | None:
    event = events.lock_event(db, id)
    ctx = Context(app, db, Inbound("person"), same_moment(app.now()))
    return None if event is None else Step(ctx, event)


def _advance_event(app: App, id: int) -> None:
    """Do the due step of an event, if it still is due."""
    with app.store.write() as db:
        step = _step(app, db, id)
        if step is None or step.event.next_at is None or step.event.next_at > step.now:
            return
        letters = _take_step(step)
        about = f"v{id}.{step.event.entries}"
        queue_letters(app, db, letters, step.now, about=about)
        app.step("event")
        log.info("event %d: step after entry %d", id, step.event.entries)


def _take_step(step: Step) -> list[Letter]:
    ctx, event = step.ctx, step.event
    if event.kind == ladder.LADDER:
        return ladders.advance_ladder(ctx, event)
    if event.state == league.STARTING:
        return _begin_division(step) if event.begun < event.divisions else _tell_start(step)
    if event.state not in (league.OPEN, league.RUNNING):
        return _tell_end(step)
    if event.kind == match.MATCH:
        return (matches.make_boards if event.state == league.OPEN else matches.end_match)(ctx, event)
    if event.state == league.OPEN:
        return _start(step) if event.asked else _ask(step)
    return _end(step) if _is_over(step) else _tell_half_time(step)


def _is_over(step: Step) -> bool:
    return step.now >= step.event.ends or not events.has_games_left(step.ctx.db, step.event.id)


def _ask(step: Step) -> list[Letter]:
    """Ask the next players to confirm, or wait for the start."""
    waiting = events.players_in(step.ctx.db, step.event.id, league.ENTERED)[:ASKED_AT_ONCE]
    step.write("ask", players=waiting, next=step.now if waiting else step.event.starts)
    return leagues.ask_letters(step.ctx, step.event, step.players(waiting))


def _start(step: Step) -> list[Letter]:
    """Make the divisions, or delay the start if too few confirmed."""
    event, ready = step.event, [each for each in step.entrants(league.CONFIRMED) if not each.barred]
    ready += _fill_with_bots(step, league.MIN_ENTRANTS - len(ready)) if ready else []
    if len(ready) < league.MIN_ENTRANTS:
        starts = step.now + league.GAP
        leagues.open_season(step.ctx.db, event.id, starts, step.now)
        told = step.entrants(league.ENTERED, league.ASKED, league.CONFIRMED)
        return [leagues.season_letter(each, "few", event, number=len(ready), starts=starts) for each in told]
    ends = step.now + timedelta(days=event.settings.days)
    divisions = _divisions(step, [each.id for each in ready])
    step.write("divide", divisions=divisions, starts=step.now, ends=ends, next=step.now)
    return []


def _fill_with_bots(step: Step, missing: int) -> list[Player]:
    """Give the missing seats to bots. The event must allow that, and there must be enough."""
    found = leagues.free_bots(step.ctx.db, step.event, step.ctx.app.config.bots, step.now)
    if not 0 < missing <= len(found):
        return []
    step.write("join", players=[bot.id for bot in found[:missing]], state=league.CONFIRMED)
    return found[:missing]


def _divisions(step: Step, ready: list[int]) -> list[list[int]]:
    db, event = step.ctx.db, step.event
    known = rating_queries.standings_of_players(db, ready)
    rated = {id: known[id, event.rules].rating.value for id in ready if (id, event.rules) in known}
    tables = events.final_tables(db, event.previous_id) if event.previous_id else []
    if not tables:
        return first_divisions(ready, rated, event.settings.size)
    return next_divisions(tables, ready, rated, event.settings.size)


def _begin_division(step: Step) -> list[Letter]:
    """Begin the first games of the next division. Their letters come when all divisions have begun."""
    number = step.event.begun + 1
    step.write("begin", games=_begin_games(step, number), begun=number, next=step.now)
    return []


def _tell_start(step: Step) -> list[Letter]:
    """Tell the next division of its season, with its first games' letters."""
    event = step.event
    number = event.begun - event.divisions + 1
    last = number == event.divisions
    begun = _begin_games(step, number)  # where a game has ended already
    following = _after_start(step) if last else step.now
    step.write("begin", games=begun, begun=event.begun + 1, next=following)
    going = events.games_in_state(step.ctx.db, event.id, number, league.GOING)
    return [*_tell_division(step, "start", number), *_first_letters(step, number, going)]


def _after_start(step: Step) -> datetime | None:
    """Return the next step's moment after all letters of the start. A match ends with its games."""
    if step.event.kind != match.MATCH:
        return league.half_time(step.event.starts, step.event.ends)
    return None if events.has_games_left(step.ctx.db, step.event.id) else step.now


def _begin_games(step: Step, division: int) -> list[tuple[int, int, int]]:
    """Begin a division's games that can begin; returns first, second and game."""
    db, event = step.ctx.db, step.event
    there = events.division_games(db, event.id, division)
    able = set(events.players_in(db, event.id, league.PLAYING, division=division))
    known = players.players_by_ids(db, able)
    able -= {player.id for player in known.values() if player.barred}
    terms = terms_of_event(step.ctx.app, event)
    due = [each for each in league.games_to_begin(there, event.settings.at_once) if {*each.pair} <= able]
    # on a board of a match each game counts for whether the next is rated
    portions = [[each] for each in due] if event.kind == match.MATCH else [due]
    begun: list[Stored] = []
    for portion in portions:
        seats = [(known[pairing.first], known[pairing.second]) for pairing in portion]
        begun += begin_games(step.ctx, [_new_game(step, terms, pair) for pair in seats])
    return [(*pairing.pair, game.id) for pairing, game in zip(due, begun, strict=True)]


def _new_game(step: Step, terms: GameTerms, seats: tuple[Player, Player]) -> Stored:
    """Make an event's game without storing it. Bots, and two who have played enough, are unrated."""
    rated = terms.rated and not any(seated.bot for seated in seats)
    if step.event.kind == match.MATCH:
        rated = rated and not has_enough_rated(step.ctx, terms.rules, seats)
    return new_game(step.ctx, replace(terms, rated=rated), seats)


def _first_letters(step: Step, division: int, begun: Sequence[Game]) -> list[Letter]:
    """Make a division's first letters of games, to both players of each."""
    event, ctx = step.event, step.ctx
    league_facts = {"title": event.title, "division": division, "divisions": event.divisions}
    may_be_often = event.kind == match.MATCH and terms_of_event(ctx.app, event).rated
    letters = []
    for game in games.load_games(ctx.db, ctx.app.games_by_key, [each.game or 0 for each in begun]):
        often = may_be_often and not game.rated
        letters += league_letters(game, ctx.site, league_facts, often=often)
    return letters


def _tell_division(step: Step, stage: str, number: int, **facts: Any) -> list[Letter]:
    """Make a season's letter to each player of a division. In a match it goes to the players of a board."""
    if step.event.kind == match.MATCH:
        return matches.board_letters(step.ctx.db, step.event, stage, number)
    shown = leagues.load_division(step.ctx.db, step.event, number)
    seated = step.players([line.player for line in shown.lines if not line.left])
    return [leagues.season_letter(each, stage, step.event, division=shown, **facts) for each in seated]


def _tell_half_time(step: Step) -> list[Letter]:
    """Tell the next division how it stands."""
    event = step.event
    number = event.begun - 2 * event.divisions + 1
    last = number == event.divisions
    step.write("half", begun=event.begun + 1, next=event.ends if last else step.now)
    return _tell_division(step, "half", number)


def _end(step: Step) -> list[Letter]:
    """End the season with its tables, and open the next one."""
    db, event = step.ctx.db, step.event
    tables, left = [], []
    for number in range(1, event.divisions + 1):
        seats = events.division_players(db, event.id, number)
        games = events.division_games(db, event.id, number)
        tables.append([row.player for row in league.division_table(seats, games)])
        left += league.games_left(games)
    step.write("over", tables=tables, games=left, begun=3 * event.divisions, next=step.now)
    if not events.is_closed(db, event.id):
        leagues.next_season(db, event, step.now)
    return []


def _tell_end(step: Step) -> list[Letter]:
    """Tell the next division how the season ended."""
    event = step.event
    number = event.begun - 3 * event.divisions + 1
    last = number == event.divisions
    step.write("end", begun=event.begun + 1, next=None if last else step.now)
    following = events.live_league(step.ctx.db, event.rules)
    return _tell_division(step, "end", number, following=following)


# A division in which games have ended, or must be.


def _advance_division(app: App, id: int, division: int) -> None:
    """Handle ended games: losses on time, next games, the season's end."""
    with app.store.write() as db:
        step = _step(app, db, id)
        assert step is not None
        event_entries.settle(db, id, division)
        letters = []
        if step.event.state in (league.STARTING, league.RUNNING) and (
            division <= step.event.begun - step.event.divisions
        ):
            letters = _after_games(step, division)
        queue_letters(app, db, letters, step.now, about=f"v{id}.{step.event.entries}.{division}")
        app.step("event")
        left = events.games_in_state(db, id, division, league.TO_VOID, league.TO_REPLACE)
        names = players.players_by_ids(db, {id for game in left for id in game.pair})
        gone = events.journal_of(db, id, "withdraw")
        why = {entry.data["player"]: str(entry.data["why"]) for entry in gone}
    for game in left:
        app.step("event game")
        if game.state == league.TO_VOID:
            _end_of_leaver(app, game, step.event, why)
        else:
            _replace(app, game, step.event, names)


def _after_games(step: Step, division: int) -> list[Letter]:
    db, event = step.ctx.db, step.event
    letters = []
    lost = events.losses_on_time(db, event.id, division)
    playing = events.players_in(db, event.id, league.PLAYING, division=division)
    for player in players.players_by_ids(db, playing).values():
        if player.barred:
            leagues.give_up_waiting(db, event, player, step.now)
        elif player.gone or lost.get(player.id, 0) >= league.MAX_LOSSES_ON_TIME:
            letters += leagues.withdraw(db, event, player, "time", step.now, step.ctx.app.config.bots)
    told = _begin_next(step, division)
    if not events.has_games_left(db, event.id):
        step.write("done", next=step.now)
    return [*letters, *told]


def begin_waiting(app: App, db: Connection, id: int, division: int) -> list[Letter]:
    """Begin a division's waiting games; returns their letters. A director's act may call for it."""
    step = _step(app, db, id)
    return [] if step is None else _begin_next(step, division)


def _begin_next(step: Step, division: int) -> list[Letter]:
    """Begin a division's games that can begin; returns their first letters."""
    begun = _begin_games(step, division)
    if not begun:
        return []
    step.write("begin", games=begun)
    new = {number for *_, number in begun}
    there = events.games_in_state(step.ctx.db, step.event.id, division, league.GOING)
    return _first_letters(step, division, [game for game in there if game.game in new])


def _end_of_leaver(app: App, game: Game, event: Event, why: Mapping[int, str]) -> None:
    """End a game of whoever left, as resigned or on time.

    One not played yet is void. The table has a forfeit for either.
    """
    leaver = game.first if game.score == FORFEIT_LOSS else game.second
    reason = f"A player left the {event.title}; the table counts this game as a forfeit"

    def end(found: Stored, now: datetime) -> Entry:
        seat = next((seat for seat in SEATS if found.seats[seat].id == leaver), None)
        if seat is None or is_short(found.state) or found.state.ending is not None:
            return director.adjudicate(found, "void", reason, now)
        if why.get(leaver) == "time":
            return found.next_entry(now, TIMEOUT, seat, {"flag": now.isoformat()})
        return found.next_entry(now, RESIGN, seat, {})

    _decide(app, game, end)


def _replace(app: App, game: Game, event: Event, names: dict[int, Player]) -> None:
    """Have the player who got a place go on in a game."""
    assert game.game is not None
    number = game.game
    with app.store.read() as db:
        seated = events.seats_of(db, number)
    for seat, new in zip(SEATS, game.pair, strict=True):
        if new != seated[seat]:
            who = "the computer" if names[new].bot else "the first of the standby list"
            reason = f"A player left the {event.title}; {who} goes on"
            _decide(app, game, partial(_seat_player, seat, names[new], reason))
            app.step("event replaced")
    with app.store.write() as db:
        events.lock_event(db, event.id)
        event_entries.append(db, event.id, "replaced", app.now(), game=number)


def _seat_player(seat: Seat, player: Player, reason: str, game: Stored, now: datetime) -> Entry:
    return director.replace_seated(game, seat, player, reason, now)


def _decide(app: App, game: Game, decide: Decide) -> None:
    """Decide as a director, unless the game ended or its pairing changed."""
    number = game.game or 0
    try:
        decide_as_director(app, number, decide, check=partial(_check_unchanged, game))
    except Refusal as refusal:
        with app.store.read() as db:
            if games.end_of_game(db, number) is None and events.pairing_state(db, number) == game.state:
                raise
        log.info("game %d: %s", number, refusal)


def _check_unchanged(game: Game, db: Connection) -> None:
    """Raise Refusal if the pairing is not what it was. It is not after a director has a player play on."""
    if events.pairing_state(db, game.game or 0) != game.state:
        raise Refusal("The pairing has changed meanwhile.")
