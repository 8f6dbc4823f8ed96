"""The steps of events, with one class for each kind.

A step reads the event, writes an entry of its journal, sets the time of the next step, and returns letters.
The games of a division begin together, and each step begins one division.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from pbem.app import App
from pbem.core.events import ladder, league, match
from pbem.core.events.divisions import first_divisions, next_divisions
from pbem.core.events.event import Event
from pbem.core.events.league import EventGame
from pbem.core.events.season_facts import SeasonFacts
from pbem.core.game.game import Game as Stored
from pbem.core.letters.letter import Letter
from pbem.core.letters.start import league_letters
from pbem.core.players import Player, has_program
from pbem.duties import ladders, leagues, matches
from pbem.duties.new_games import GameTerms, begin_games, new_game, terms_of_event
from pbem.duties.permissions import has_enough_rated
from pbem.store import event_entries, events, games, players, rating_queries
from pbem.store.engine import Connection

ASKED_AT_ONCE = 50
"""Players who are asked in one transaction."""


@dataclass(frozen=True)
class EventStep:
    """One step of an event: its transaction, the locked event and the moment."""

    app: App
    db: Connection
    event: Event
    now: datetime

    def take(self) -> list[Letter]:
        """Do what is due; returns the letters about it."""
        raise NotImplementedError

    def after_games(self, division: int) -> list[Letter]:
        """Go on after games of a division have ended."""
        return []

    def begin_waiting(self, division: int) -> list[Letter]:
        """Begin a division's games that can begin; returns their first letters."""
        return []


class LadderStep(EventStep):
    """A step of a ladder, whose games begin by mail alone."""

    def take(self) -> list[Letter]:
        return ladders.advance_ladder(self.db, self.event, self.now)


class SeasonStep(EventStep):
    """A step of a league's season."""

    def write(self, kind: str, **data: Any) -> None:
        event_entries.append(self.db, self.event.id, kind, self.now, **data)

    def players(self, ids: Sequence[int]) -> list[Player]:
        """Return the players with these numbers who are still registered."""
        known = players.players_by_ids(self.db, ids)
        return [known[id] for id in ids if not known[id].gone]

    def entrants(self, *states: str) -> list[Player]:
        return self.players(events.players_in(self.db, self.event.id, *states))

    def take(self) -> list[Letter]:
        event = self.event
        if event.state == league.STARTING:
            return self._begin_division() if event.begun < event.divisions else self._tell_start()
        if event.state == league.OPEN:
            return self.start()
        return self.go_on() if event.state == league.RUNNING else self._tell_end()

    def start(self) -> list[Letter]:
        return self._start() if self.event.asked else self._ask()

    def go_on(self) -> list[Letter]:
        over = self.now >= self.event.ends or not events.has_games_left(self.db, self.event.id)
        return self._end() if over else self._tell_half_time()

    def after_start(self) -> datetime | None:
        """Return the next step's moment after all letters of the start."""
        return league.half_time(self.event.starts, self.event.ends)

    def store_games(self, terms: GameTerms, pairs: Sequence[tuple[Player, Player]]) -> list[Stored]:
        """Begin the games of these pairs; games with a bot are unrated."""
        return begin_games(self.db, [self._new_game(terms, pair) for pair in pairs])

    def _new_game(self, terms: GameTerms, pair: tuple[Player, Player]) -> Stored:
        rated = terms.rated and not any(seated.bot for seated in pair)
        return new_game(self.app, replace(terms, rated=rated), pair, self.now)

    def is_often(self, game: Stored) -> bool:
        """True if its players have had too many rated games."""
        return False

    def tell_division(self, stage: str, number: int, following: Event | None = None) -> list[Letter]:
        """Make a season's letter to each player of a division."""
        shown = leagues.load_division(self.db, self.event, number)
        seated = self.players([line.player for line in shown.lines if not line.left])
        facts = SeasonFacts(stage, self.event, shown, following)
        return [leagues.season_letter(each, facts) for each in seated]

    def tell_start(self, number: int, going: Sequence[EventGame]) -> list[Letter]:
        """Make the letters of a division's start, with the boards of the games that go on."""
        shown = leagues.load_division(self.db, self.event, number)
        seated = self.players([line.player for line in shown.lines if not line.left])
        begun = self._load(going)
        return leagues.opening_letters(self.app, self.db, self.event, shown, seated, begun, self.now)

    def after_games(self, division: int) -> list[Letter]:
        """Begin the next games, and withdraw players who are gone or have lost on time three times."""
        db, event = self.db, self.event
        letters = []
        lost = events.losses_on_time(db, event.id, division)
        playing = events.players_in(db, event.id, league.PLAYING, division=division)
        for player in players.players_by_ids(db, playing).values():
            if player.barred:
                leagues.give_up_waiting(db, event, player, self.now)
            elif player.gone or lost.get(player.id, 0) >= league.MAX_LOSSES_ON_TIME:
                letters += leagues.withdraw(db, event, player, "time", self.now, self.app.config.bots)
        told = self.begin_waiting(division)
        if not events.has_games_left(db, event.id):
            self.write("done", next=self.now)
        return [*letters, *told]

    def begin_waiting(self, division: int) -> list[Letter]:
        """Begin a division's games that can begin; returns their first letters."""
        begun = self._begin_games(division)
        if not begun:
            return []
        self.write("begin", games=begun)
        new = {number for *_, number in begun}
        there = events.games_in_state(self.db, self.event.id, division, league.GOING)
        return self.first_letters([game for game in there if game.game in new])

    def _ask(self) -> list[Letter]:
        """Ask the next players to confirm, or wait for the start."""
        waiting = events.players_in(self.db, self.event.id, league.ENTERED)[:ASKED_AT_ONCE]
        at_once = waiting or leagues.all_answered(self.db, self.event)
        self.write("ask", players=waiting, next=self.now if at_once else self.event.starts)
        return leagues.ask_letters(self.app, self.db, self.event, self.players(waiting), self.now)

    def _start(self) -> list[Letter]:
        """Make the divisions, or delay the start if too few confirmed."""
        event, ready = self.event, [each for each in self.entrants(league.CONFIRMED) if not each.barred]
        ready += self._fill_with_bots(league.MIN_ENTRANTS - len(ready)) if ready else []
        if len(ready) < league.MIN_ENTRANTS and event.club_id is not None:
            told = self.entrants(league.ENTERED, league.ASKED, league.CONFIRMED)
            self.write("close", next=None)
            return [
                leagues.season_letter(each, SeasonFacts("few", event, number=len(ready))) for each in told
            ]
        if len(ready) < league.MIN_ENTRANTS:
            starts = self.now + league.GAP
            leagues.open_season(self.db, event.id, starts, self.now)
            told = self.entrants(league.ENTERED, league.ASKED, league.CONFIRMED)
            facts = SeasonFacts("few", event, number=len(ready), starts=starts)
            return [leagues.season_letter(each, facts) for each in told]
        ends = self.now + timedelta(days=event.settings.days)
        divisions = self._divisions([each.id for each in ready])
        self.write("divide", divisions=divisions, starts=self.now, ends=ends, next=self.now)
        return []

    def _fill_with_bots(self, missing: int) -> list[Player]:
        """Give the missing seats to bots, if the event allows bots and there are enough."""
        found = leagues.free_bots(self.db, self.event, self.app.config.bots, self.now)
        if not 0 < missing <= len(found):
            return []
        self.write("join", players=[bot.id for bot in found[:missing]], state=league.CONFIRMED)
        return found[:missing]

    def _divisions(self, ready: list[int]) -> list[list[int]]:
        db, event = self.db, self.event
        known = rating_queries.standings_of_players(db, ready)
        rated = {id: known[id, event.rules].rating.value for id in ready if (id, event.rules) in known}
        tables = events.final_tables(db, event.previous_id) if event.previous_id else []
        if not tables:
            return first_divisions(ready, rated, event.settings.size)
        return next_divisions(tables, ready, rated, event.settings.size)

    def _begin_division(self) -> list[Letter]:
        """Begin the first games of the next division; the letters come when all divisions have begun."""
        number = self.event.begun + 1
        self.write("begin", games=self._begin_games(number), begun=number, next=self.now)
        return []

    def _tell_start(self) -> list[Letter]:
        """Tell the next division of its season, with its first games' letters."""
        event = self.event
        number = event.begun - event.divisions + 1
        last = number == event.divisions
        begun = self._begin_games(number)  # where a game has ended already
        following = self.after_start() if last else self.now
        self.write("begin", games=begun, begun=event.begun + 1, next=following)
        return self.tell_start(number, events.games_in_state(self.db, event.id, number, league.GOING))

    def _begin_games(self, division: int) -> list[tuple[int, int, int]]:
        """Begin a division's games that can begin; returns first, second and game."""
        db, event = self.db, self.event
        there = events.division_games(db, event.id, division)
        able = set(events.players_in(db, event.id, league.PLAYING, division=division))
        known = players.players_by_ids(db, able)
        able -= {player.id for player in known.values() if player.barred}
        terms = terms_of_event(self.app, event)
        due = [each for each in league.games_to_begin(there, event.settings.at_once) if {*each.pair} <= able]
        begun = self.store_games(terms, [(known[each.first], known[each.second]) for each in due])
        return [(*pairing.pair, game.id) for pairing, game in zip(due, begun, strict=True)]

    def _load(self, begun: Sequence[EventGame]) -> list[Stored]:
        return games.load_games(self.db, self.app.games_by_key, [each.game or 0 for each in begun])

    def first_letters(self, begun: Sequence[EventGame]) -> list[Letter]:
        """Make the first letters of games, to both players of each."""
        event, site = self.event, self.app.config.host
        told = (
            league_letters(game, site, event.title, often=self.is_often(game)) for game in self._load(begun)
        )
        return [letter for letters in told for letter in letters]

    def _tell_half_time(self) -> list[Letter]:
        """Tell the next division how it stands."""
        event = self.event
        number = event.begun - 2 * event.divisions + 1
        last = number == event.divisions
        self.write("half", begun=event.begun + 1, next=event.ends if last else self.now)
        return self.tell_division("half", number)

    def _end(self) -> list[Letter]:
        """End the season with its tables, and open the next one."""
        db, event = self.db, self.event
        tables, left = [], []
        for number in range(1, event.divisions + 1):
            seats = events.division_players(db, event.id, number)
            games = events.division_games(db, event.id, number)
            tables.append([row.player for row in league.division_table(seats, games)])
            left += league.games_left(games)
        self.write("over", tables=tables, games=left, begun=3 * event.divisions, next=self.now)
        if event.club_id is None and not events.is_closed(db, event.id):
            leagues.next_season(db, event, self.now)
        return []

    def _tell_end(self) -> list[Letter]:
        """Tell the next division how the season ended."""
        event = self.event
        number = event.begun - 3 * event.divisions + 1
        last = number == event.divisions
        self.write("end", begun=event.begun + 1, next=None if last else self.now)
        following = events.live_league(self.db, event.rules) if event.club_id is None else None
        return self.tell_division("end", number, following)


class MatchStep(SeasonStep):
    """A step of a match, whose divisions are its boards and which ends when all its games have ended."""

    def start(self) -> list[Letter]:
        return matches.make_boards(self.db, self.event, self.now)

    def go_on(self) -> list[Letter]:
        return matches.end_match(self.db, self.event, self.now)

    def after_start(self) -> datetime | None:
        return None if events.has_games_left(self.db, self.event.id) else self.now

    def store_games(self, terms: GameTerms, pairs: Sequence[tuple[Player, Player]]) -> list[Stored]:
        """Begin one game after another, since each game may make the next one unrated."""
        return [game for pair in pairs for game in begin_games(self.db, [self._of_clubs(terms, pair)])]

    def _of_clubs(self, terms: GameTerms, pair: tuple[Player, Player]) -> Stored:
        rated = terms.rated and not has_enough_rated(self.db, terms.rules, pair, self.now)
        return self._new_game(replace(terms, rated=rated), pair)

    def is_often(self, game: Stored) -> bool:
        with_program = has_program(game.seats)
        return terms_of_event(self.app, self.event).rated and not (game.rated or with_program)

    def tell_start(self, number: int, going: Sequence[EventGame]) -> list[Letter]:
        return [*self.tell_division("start", number), *self.first_letters(going)]

    def tell_division(self, stage: str, number: int, following: Event | None = None) -> list[Letter]:
        """Make a letter to the players of a board."""
        return matches.board_letters(self.db, self.event, stage, number)


STEPS: Mapping[str, type[EventStep]] = {
    league.LEAGUE: SeasonStep,
    ladder.LADDER: LadderStep,
    match.MATCH: MatchStep,
}


def step_of(app: App, db: Connection, event: Event, now: datetime) -> EventStep:
    """The next step of a locked event."""
    return STEPS[event.kind](app, db, event, now)
