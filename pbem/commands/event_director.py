"""A director's acts in an event, each with a reason and an entry in the event's journal."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.app import App
from pbem.core.errors import Refusal
from pbem.core.events import ladder, league, match
from pbem.core.events.event import LIVE, Entrant, Event
from pbem.core.events.league import EventGame, Settings
from pbem.core.events.season_facts import SeasonFacts
from pbem.core.events.table import HALVES
from pbem.core.letters.letter import Letter
from pbem.core.parsing.director_acts import BY_GAME
from pbem.core.play.director import director_name
from pbem.core.players import Player
from pbem.duties import ladders
from pbem.duties.event_steps import step_of
from pbem.duties.leagues import open_season, season_letter, withdraw
from pbem.store import clubs, event_entries, events, games, players
from pbem.store.engine import Connection, log_at_commit

log = logging.getLogger("pbem.events")

TOLD = (*league.SIGNED_UP, league.PLAYING, league.STANDBY)
"""States of the players who get a director's message."""
TURNED = {"1-0": "0-1", "0-1": "1-0", "1/2": "1/2", "+": "-", "-": "+"}
"""Each result with the seats exchanged."""


@dataclass(frozen=True)
class EventAct:
    """A director's act in a transaction: the moment, the reason or the message, and the director."""

    db: Connection
    now: datetime
    reason: str
    by: str = ""

    def write(self, event: int, kind: str, **data: Any) -> None:
        event_entries.append(self.db, event, kind, self.now, **data)

    def note(self, event: int, name: str, **data: Any) -> None:
        """Write the act itself into the journal, with its reason and director; no other rows change."""
        self.write(event, "director", act=name, reason=self.reason, by=self.by, **data)
        by = self.by and f" by {self.by}"
        log_at_commit(self.db, log, "event %d: %s%s: %s", event, name, by, self.reason)


def _lock(db: Connection, id: int, *states: str) -> Event:
    event = events.lock_event(db, id)
    if event is None:
        raise Refusal(f"There is no event {id}.")
    if event.kind == ladder.LADDER and league.NEW in states:
        raise Refusal(f"The {event.title} has no seasons: it is never opened or closed.")
    if event.state not in states:
        raise Refusal(f"The {event.title} cannot do this now: its state is {event.state}.")
    return event


def create(act: EventAct, rules: str, settings: Settings) -> Event:
    """Create a league's first season; nobody sees it before it is opened."""
    if events.live_league(act.db, rules) is not None:
        raise Refusal(f"There is a league of {rules} already.")
    id = event_entries.add_event(act.db, rules, 1, settings, act.now)
    act.note(id, "new")
    return _lock(act.db, id, league.NEW)


def create_match(act: EventAct, rules: str, settings: Settings, starts: datetime) -> Event:
    """Create a match of two clubs, open to join."""
    match.check_clubs(settings.clubs)
    _check_start(starts, act.now)
    id = event_entries.add_match(act.db, rules, settings, starts, act.now)
    act.note(id, match.MATCH)
    return _lock(act.db, id, league.OPEN)


def _check_start(starts: datetime, now: datetime) -> None:
    if starts <= now:
        raise Refusal("An event begins in the future.")


def open_event(act: EventAct, id: int, starts: datetime) -> Event:
    """Open the sign-up, or set another start while nothing has begun."""
    event = _lock(act.db, id, league.NEW, league.OPEN)
    other = events.live_league(act.db, event.rules) if event.kind == league.LEAGUE else None
    if other is not None and other.id != id:
        raise Refusal(f"The {other.title} is open or runs already.")
    _check_start(starts, act.now)
    act.note(id, "open")
    if event.kind == match.MATCH:
        act.write(id, "open", starts=starts, next=starts)
    else:
        open_season(act.db, id, starts, act.now)
    return event


def close(act: EventAct, id: int) -> tuple[Event, list[Letter]]:
    """Close a league or match, at once or, if it has begun, with the present results. No season follows."""
    event = _lock(act.db, id, league.NEW, league.OPEN, league.RUNNING)
    act.note(id, "close")
    letters = _tell(act.db, event, act.reason)
    following = act.now if event.state == league.RUNNING else None
    act.write(id, "close", next=following)
    return event, letters


def award(act: EventAct, id: int, first: Player, second: Player, result: str) -> EventGame:
    """Set two players' result as `first` sees it; returns the old pairing.

    A match has two games a pair; the result is set in the game where `first` has the first seat.
    """
    event = _lock(act.db, id, league.RUNNING)
    game = _pairing_of(act.db, event, first, second)
    if game.game is not None and game.score is None:
        raise Refusal(f"Game {game.game} goes on. A director's `adjudicate` ends it.")
    assert result in HALVES
    score = result if game.first == first.id else TURNED[result]
    act.note(id, "award", players=[first.id, second.id], result=result)
    act.write(id, "award", first=game.first, second=game.second, n=game.n, score=score)
    return game


def _pairing_of(db: Connection, event: Event, first: Player, second: Player) -> EventGame:
    """Return the pairing of two players; on a ladder the last one."""
    found = [
        game
        for game in events.games_of_pair(db, event.id, first.id, second.id)
        if event.kind != match.MATCH or game.first == first.id
    ]
    if not found:
        raise Refusal(f"{first.name} and {second.name} do not meet in the {event.title}.")
    return found[-1]


def forfeit(act: EventAct, id: int, player: Player, levels: Sequence[int]) -> list[Letter]:
    """Withdraw a player from an event.

    The player's open games go to the standby list or to a bot of `levels`, or become forfeits. On a ladder
    none of these games counts.
    """
    event = _lock(act.db, id, league.RUNNING)
    mine = events.entrant_of(act.db, id, player.id)
    if mine is None or mine.state != league.PLAYING:
        raise Refusal(f"{player.name} does not play in the {event.title}.")
    act.note(id, "forfeit", players=[player.id])
    if event.kind == ladder.LADDER:
        told = ladders.told_letter(player, "out", event, reason=act.reason)
        return [told, *ladders.leave_ladder(act.db, event, player, act.now)]
    return withdraw(act.db, event, player, "director", act.now, levels, act.reason)


def substitute(act: EventAct, id: int, player: Player, other: Player) -> list[Letter]:
    """Give a player's place in a season, with results and games, to another player."""
    event = _lock(act.db, id, league.RUNNING)
    mine, theirs = (events.entrant_of(act.db, id, each.id) for each in (player, other))
    if event.kind != league.LEAGUE:
        raise Refusal(f"Nobody's place in the {event.title} goes to somebody else.")
    if mine is None or mine.state != league.PLAYING:
        raise Refusal(f"{player.name} does not play in the {event.title}.")
    if theirs is not None and theirs.state in (league.PLAYING, league.LEFT):
        raise Refusal(f"{other.name} plays in the {event.title}, or has left it.")
    if other.bot or other.barred:
        raise Refusal(f"{other.name} cannot play on for somebody.")
    if event.club_id is not None and not clubs.is_member(act.db, event.club_id, other.id):
        raise Refusal(f"{other.name} is not in {event.settings.club}.")
    act.note(id, "substitute", players=[player.id, other.id])
    if theirs is None:
        act.write(id, "join", players=[other.id], state=league.STANDBY)
    return withdraw(act.db, event, player, "director", act.now, (), act.reason, other)


def take_award_back(act: EventAct, id: int, first: Player, second: Player) -> EventGame:
    """Take back a result that a director gave; returns the old pairing."""
    event = _lock(act.db, id, league.RUNNING)
    game = _pairing_of(act.db, event, first, second)
    for player in (first, second):
        mine = events.entrant_of(act.db, id, player.id)
        if mine is None or mine.state != league.PLAYING:
            raise Refusal(
                f"{player.name} is out of the {event.title}. A director's `reinstate` takes that back."
            )
    if not game.forced:
        raise Refusal("No director gave them a result: it is that of their game.")
    if game.game is None and event.kind == ladder.LADDER:
        raise Refusal("They have no game on the ladder that could decide. Award them another result.")
    act.note(id, "unaward", players=[first.id, second.id])
    act.write(id, "unaward", first=game.first, second=game.second, n=game.n)
    return game


def reinstate(act: EventAct, id: int, player: Player) -> list[Letter]:
    """Let a withdrawn player play on; returns the letter to them.

    Forfeits by the withdrawal are taken back, and games that the withdrawal has ended begin anew.
    """
    event = _lock(act.db, id, league.RUNNING)
    mine = events.entrant_of(act.db, id, player.id)
    if event.kind == ladder.LADDER:
        raise Refusal(
            f"{player.name} enters the {event.title} again by `ladder {event.word}`, at the bottom."
        )
    if mine is None or mine.state != league.LEFT:
        raise Refusal(f"{player.name} is not out of the {event.title}.")
    if mine.division is None:
        raise Refusal(
            f"{player.name} left the {event.title} before it began, or somebody else has their place."
        )
    if events.losses_on_time(act.db, id, mine.division).get(player.id, 0) >= league.MAX_LOSSES_ON_TIME:
        raise Refusal(f"{player.name} has lost three games on time, and would be out again at once.")
    anew, kept = _forfeits_of(act.db, event, mine)
    act.note(id, "reinstate", players=[player.id])
    act.write(id, "reinstate", player=player.id, anew=anew, going=kept)
    return [season_letter(player, SeasonFacts("reinstated", event, reason=act.reason))]


def _forfeits_of(
    db: Connection, event: Event, mine: Entrant
) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the pairings of a player that are forfeits by a withdrawal.

    The first list has the pairings that begin anew, the second the pairings whose game goes on. The games
    are locked, so that the worker ends none of them meanwhile.
    """
    assert mine.division is not None
    there = set(events.players_in(db, event.id, league.PLAYING, division=mine.division))
    journal = events.journal_of(db, event.id, *league.FORFEITING)
    scored = league.forfeited_pairings((each.kind, each.data) for each in journal)
    found = [
        game
        for game in events.division_games(db, event.id, mine.division)
        if game.pair in scored and game.has(mine.player) and there & {*game.pair}
    ]
    begun = [game for game in found if game.game is not None]
    going = [game for game in begun if games.end_of_game(db, game.game or 0, lock=True) is None]
    return [game.pair for game in found if game not in going], [game.pair for game in going]


def message(act: EventAct, id: int) -> list[Letter]:
    """Write to all players of an event that is open or runs."""
    event = _lock(act.db, id, *LIVE)
    act.note(id, "message")
    return _tell(act.db, event, act.reason)


def begin_waiting(app: App, act: EventAct, number: int, player: int) -> list[Letter]:
    """Begin the waiting games of the player's division; returns their letters."""
    mine = events.entrant_of(act.db, number, player)
    event = events.lock_event(act.db, number)
    if event is None or mine is None or mine.division is None:
        return []
    return step_of(app, act.db, event, act.now).begin_waiting(mine.division)


def direct_event(
    app: App, db: Connection, player: Player, args: Mapping[str, str], reason: str, now: datetime
) -> list[Letter]:
    """Carry out an act about an event by its words; returns the letters. Raises Refusal."""
    act, id = EventAct(db, now, reason, director_name(player)), int(args["event"])
    match args["act"]:
        case "award" if args["result"] == BY_GAME:
            first = _called(db, args["first"])
            take_award_back(act, id, first, _called(db, args["second"]))
            return begin_waiting(app, act, id, first.id)
        case "award":
            award(act, id, _called(db, args["first"]), _called(db, args["second"]), args["result"])
            return []
        case "forfeit":
            return forfeit(act, id, _called(db, args["player"]), app.config.bots)
        case "reinstate":
            back = _called(db, args["player"])
            return [*reinstate(act, id, back), *begin_waiting(app, act, id, back.id)]
        case "substitute":
            return substitute(act, id, _called(db, args["player"]), _called(db, args["other"]))
        case "close":
            return close(act, id)[1]
    return message(act, id)


def _called(db: Connection, name: str) -> Player:
    found = players.player_by_name(db, name)
    if found is None or found.gone:
        raise Refusal(f"Nobody here is called {name}.")
    return found


def _tell(db: Connection, event: Event, words: str) -> list[Letter]:
    without_board = (league.ABSENT,) if event.kind == match.MATCH else ()
    known = players.players_by_ids(db, events.players_in(db, event.id, *TOLD, *without_board)).values()
    message = SeasonFacts("message", event, words=words)
    return [season_letter(each, message) for each in known if not each.gone]
