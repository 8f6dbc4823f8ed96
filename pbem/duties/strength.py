"""Seeks that only players about as strong as the seeker may take."""

from collections.abc import Iterable
from datetime import datetime

from pbem.core.errors import Refusal
from pbem.core.lobby.challenges import Seek
from pbem.core.players import Player
from pbem.core.ratings.glicko import is_near, max_distance
from pbem.core.ratings.results import MAX_SURE_DEVIATION, GameRating, rating_text
from pbem.store import rating_queries
from pbem.store.engine import Connection

UNRATED = GameRating()


def too_far_sentence(db: Connection, seek: Seek, player: Player | None, now: datetime) -> str:
    """Return why a player's strength does not fit a seek, or "". A player None is a newcomer."""
    if not seek.near:
        return ""
    ids = (seek.seeker.id, player.id if player else 0)
    standings = rating_queries.standings_of(db, seek.rules.key, ids)
    theirs, mine = (standings.get(id, UNRATED) for id in ids)
    one, other = theirs.on(now), mine.on(now)
    if is_near(one, other):
        return ""
    sentence = (
        f"Seek {seek.id} is for players about as strong as {seek.seeker.name}. In {seek.rules.name} you have "
        f"{rating_text(mine, now)} and {seek.seeker.name} has {rating_text(theirs, now)}; between you two "
        f"{int(max_distance(one, other))} points are the most."
    )
    if other.deviation > MAX_SURE_DEVIATION:
        sentence += (
            " The question mark says that we do not know your strength well yet. After some rated games we "
            "know it better, and you may be near enough."
        )
    return sentence


def check_strength(db: Connection, seek: Seek, player: Player, now: datetime) -> None:
    """Raise Refusal for a player too far from the seeker's strength."""
    if sentence := too_far_sentence(db, seek, player, now):
        raise Refusal(f"{sentence} `seeks` lists other offers.")


def seeks_near(db: Connection, seeks: Iterable[Seek], player: Player | None, now: datetime) -> list[Seek]:
    """Those seeks that the player is strong and weak enough for."""
    return [seek for seek in seeks if not too_far_sentence(db, seek, player, now)]
