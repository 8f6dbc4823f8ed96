"""The home page of a signed-in player: their games, words, leagues and results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from pbem.core.events.event import EventPlace
from pbem.core.players import Player
from pbem.store import events, game_lists, games, remarks
from pbem.store.engine import Connection
from pbem.store.game_lists import ListedGame
from pbem.store.game_search import GameQuery
from pbem.store.games import RunningGame
from pbem.web.responses import application
from pbem.web.viewer import least_time_first, open_proposals, viewer

RESULTS = 3
RECENT = timedelta(days=30)
OTHERS_SHOWN = 12
COMMENTS_STAY_NEW = timedelta(days=7)
"""So long a comment on a finished game is one to read."""


@dataclass(frozen=True)
class Home:
    """A player's own things. `words` and `comments`: how many they have not answered, by game."""

    waiting: Sequence[RunningGame]
    others: Sequence[RunningGame]
    words: Mapping[int, int]
    comments: Mapping[int, int]
    places: Sequence[EventPlace]
    results: Sequence[ListedGame]


def load_home(db: Connection, player: Player) -> Home:
    known, now = application().games_by_key, application().now()
    running = games.running_of_player(db, known, player)
    by_time, words = least_time_first(running), remarks.unanswered_words(db, player)
    ended = GameQuery(player=player.id, state="finished", order="ended")
    results = game_lists.page_of_games(db, known, ended, most=RESULTS).games
    return Home(
        waiting=[game for game in by_time if game.your_turn],
        others=[game for game in by_time if not game.your_turn][:OTHERS_SHOWN],
        words=words,
        comments=_new_comments(db, player),
        places=[each for each in events.places_of_player(db, player.id) if each.is_shown],
        results=[game for game in results if game.ended_at and now - game.ended_at < RECENT],
    )


def _new_comments(db: Connection, player: Player) -> dict[int, int]:
    return remarks.unanswered_comments(db, player, application().now() - COMMENTS_STAY_NEW)


def home_tag(db: Connection) -> str:
    """Return a tag of the viewer's running games, open proposals, and words to read."""
    player = viewer()
    if player is None:
        return "0"
    running = games.running_of_player(db, application().games_by_key, player)
    shown = [f"{game.id}.{game.plies}.{game.your_turn}" for game in running]
    shown += [f"+{each.id}" for each in open_proposals(db)]
    words = remarks.unanswered_words(db, player) | _new_comments(db, player)
    shown += [f"{game}:{number}" for game, number in sorted(words.items())]
    return sha256(" ".join(shown).encode()).hexdigest()[:16]
