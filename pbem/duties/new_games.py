"""Terms of games, and how a game begins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pbem.app import App
from pbem.core.clock.time_control import TimeControl, read_pace
from pbem.core.events.event import Event
from pbem.core.game.game import Game
from pbem.core.lobby import challenges as lobby_challenges
from pbem.core.lobby.challenges import Challenge
from pbem.core.players import Player, has_program
from pbem.store import games
from pbem.store.engine import Connection
from rules.contract import Rules, option_words


@dataclass(frozen=True)
class GameTerms:
    """The terms on which a game begins; a challenge has them too."""

    rules: Rules
    options: Mapping[str, Any]
    rated: bool
    time_control: TimeControl
    soft: bool = False


def terms_of_event(app: App, event: Event) -> GameTerms:
    """The terms of the games of an event."""
    rules, settings = app.games_by_key[event.rules], event.settings
    options = rules.complete_for(event.rules, settings.options)
    rated = settings.rated and rules.may_be_rated(options)
    return GameTerms(rules, options, rated, read_pace(settings.pace))


def told_terms(app: App, event: Event) -> dict[str, Any]:
    """The terms of an event, as its letters tell them."""
    terms = terms_of_event(app, event)
    return {"terms": terms, "options": option_words(terms.options)}


def begin_game(
    app: App,
    db: Connection,
    terms: GameTerms | Challenge,
    seats: tuple[Player, Player],
    now: datetime,
    seed: int | None = None,
) -> Game:
    """Store a game on these terms with its first entry. Without a seed one is drawn."""
    return begin_games(db, [new_game(app, terms, seats, now, seed)])[0]


def new_game(
    app: App,
    terms: GameTerms | Challenge,
    seats: tuple[Player, Player],
    now: datetime,
    seed: int | None = None,
) -> Game:
    """Make a game on these terms without storing it. Without a seed one is drawn."""
    seed = app.rng.getrandbits(53) if seed is None else seed
    rules = terms.rules
    # values drawn by the seed are options from now on
    options = rules.begin(terms.options, seed).options
    rated = terms.rated and not has_program(seats)
    clock = (rated, rules.version, terms.time_control, terms.soft)
    return Game(0, rules, options, seed, seats, now, (), *clock)


def begin_games(db: Connection, new: Sequence[Game]) -> list[Game]:
    """Store games with first entries; returns the numbered games in order."""
    if not new:
        return []
    added = games.add_games(db, new)
    begun = [game.with_entries([lobby_challenges.opening_entry(game)]) for game in added]
    games.store_begun(db, begun)
    return begun
