"""Comments on the moves of a finished game, by whoever is signed in."""

from datetime import datetime

from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.journal import COMMENT, Entry
from pbem.core.players import Player
from pbem.core.redact import without_secrets

MAX_COMMENT, MAX_COMMENTS_A_DAY = 500, 30
"""Characters of one, and the number by one writer."""


def comment_entry(game: Game, player: Player, ply: int, words: str, at: datetime) -> Entry | None:
    """Return the entry of a comment, None where it is there already. Raises Refusal."""
    if game.state.ending is None:
        raise Refusal(f"Game {game.id} goes on; comments can be written when it is over.")
    clean = _clean(words)
    if any((each.player, each.after, each.words) == (player.id, ply, clean) for each in game.state.comments):
        return None
    data = {"player": player.id, "name": player.name, "ply": ply, "words": clean}
    return game.next_entry(at, COMMENT, None, data)


def _clean(words: str) -> str:
    lines = words.replace("\r\n", "\n").replace("\r", "\n")
    clean = without_secrets("".join(c if c.isprintable() or c == "\n" else " " for c in lines).strip())
    if not clean:
        raise Refusal("Please write something first.")
    if len(clean) > MAX_COMMENT:
        raise Refusal(f"A comment has at most {MAX_COMMENT} characters; this one has {len(clean)}.")
    return clean
