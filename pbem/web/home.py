"""The home page of a signed-in player: their games, words, leagues and results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from pbem.core.events.event import EventPlace
from pbem.core.players import Player
from pbem.store import events, game_lists, games
from pbem.store.engine import Connection
from pbem.store.game_lists import ListedGame
from pbem.store.game_search import GameQuery
from pbem.store.games import RunningGame
from pbem.web.responses import application

RESULTS = 3
RECENT = timedelta(days=30)
OTHERS_SHOWN = 12


@dataclass(frozen=True)
class Home:
    """A player's own things. `words`: how many remarks of the other they have not answered, by game."""

    waiting: Sequence[RunningGame]
    others: Sequence[RunningGame]
    words: Mapping[int, int]
    places: Sequence[EventPlace]
    results: Sequence[ListedGame]


def load_home(db: Connection, player: Player) -> Home:
    known, now = application().games_by_key, application().now()
    running = games.running_of_player(db, known, player)
    by_time = sorted(running, key=lambda game: (game.deadline is None, game.deadline or game.changed_at))
    ended = GameQuery(player=player.id, state="finished", order="ended")
    results = game_lists.page_of_games(db, known, ended, most=RESULTS).games
    return Home(
        waiting=[game for game in by_time if game.your_turn],
        others=[game for game in by_time if not game.your_turn][:OTHERS_SHOWN],
        words=games.unanswered_words(db, player),
        places=[each for each in events.places_of_player(db, player.id) if each.is_shown],
        results=[game for game in results if game.ended_at and now - game.ended_at < RECENT],
    )
