"""The claim of a proved win: `claim win proved`. The bots' process looks for the proof."""

from datetime import timedelta

from pbem.app import App
from pbem.commands.context import Context
from pbem.core.game.game import Game
from pbem.core.game.view import view
from pbem.core.letters.letter import Letter, about_game
from pbem.core.play.proved import claimed_moves
from pbem.core.players import Player
from pbem.duties import budget
from pbem.store import bot_jobs, proofs
from pbem.store.engine import Connection
from rules.contract import Seat

KIND = "proof"
PATIENCE = timedelta(days=1)
"""The time after which a claim that nobody answered may be made again."""


def refusal_sentence(app: App, db: Connection, game: Game, player: Player) -> str:
    """Return why this player's win cannot be proved now, or ""."""
    if not app.config.bots:
        return "No win is proved here, for the bots are off; `draw` offers a draw, and `say` words."
    found = proofs.find_try(db, game.id, player)
    if found is not None and found.state == proofs.FAILED:
        return f"You have had your one try to prove a win in game {game.id}; win it on the board."
    if found is not None and app.now() - found.at < PATIENCE:
        return f"We look for your proof in game {game.id} already; you hear from us as soon as we have done."
    if not (budget.has_time(app, db, app.now()) and budget.has_player_time(app, db, player.id, app.now())):
        return "The bots have used up their time to think for you today; please claim it again tomorrow."
    return ""


def begin(ctx: Context, game: Game, seat: Seat) -> Letter:
    """Queue the search for a proof; returns the letter that says so."""
    player, now = game.seats[seat], ctx.now
    proofs.store_try(ctx.db, game.id, player.id, proofs.OPEN, now)
    data = {"game": game.id, "seat": seat, "moves": claimed_moves(game, seat)}
    key = f"{game.id}.{player.id}.{int(now.timestamp())}"
    bot_jobs.add_job(ctx.db, KIND, key, data, now, player.id)
    return proving_letter(game, seat, ctx.site, "looking")


def proving_letter(game: Game, seat: Seat, site: str, state: str) -> Letter:
    """Make a letter about a claim. `changed` means another board now; others are `looking`, `failed`."""
    return about_game("proving", view(game, seat, site), claim=state)
