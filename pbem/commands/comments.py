"""Comments on the moves of finished games, which only pages bring. Nobody gets a letter about one."""

from datetime import timedelta

from pbem.app import App
from pbem.core.errors import Refusal
from pbem.core.play.comments import MAX_COMMENTS_A_DAY, comment_entry
from pbem.core.players import Player
from pbem.duties.permissions import check_not_barred
from pbem.store import games, limits

DAY = timedelta(days=1)


def add_comment(app: App, player: Player, number: int, ply: int, words: str) -> None:
    """Add a comment to the journal; a repeated one changes nothing. Raises Refusal."""
    check_not_barred(player)
    with app.store.write() as db:
        game = games.load_game(db, app.games_by_key, number, lock=True)
        if game is None or ply > len(game.state.plies):
            raise Refusal(f"There is no move {ply} of game {number} here.")
        if any(limits.blocked(db, player, other) for other in game.seats if other.id != player.id):
            raise Refusal("No words of yours can go to the players of this game at present.")
        entry = comment_entry(game, player, ply, words, app.now())
        if entry is None:
            return
        if limits.count_attempt(db, f"comment:{player.id}", app.now(), DAY) > MAX_COMMENTS_A_DAY:
            raise Refusal(
                f"You have written {MAX_COMMENTS_A_DAY} comments within a day; wait until tomorrow."
            )
        after = game.with_entries([entry])
        games.append_entries(db, game, after.state, [entry])
