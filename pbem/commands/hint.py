"""The command `hint`: a move, and a sentence about it, that the bots work out."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pbem.app import App
from pbem.commands.context import DAY, Request, handles
from pbem.commands.which_game import no_game_sentence
from pbem.core.errors import Refusal
from pbem.core.game.game import Game
from pbem.core.game.view import view
from pbem.core.letters.letter import Letter, about_game
from pbem.duties import budget
from pbem.store import bot_jobs, events, hints
from pbem.store.engine import Connection
from rules.contract import Seat, other

KIND = "hint"
MAX_A_GAME, MAX_A_DAY = 5, 15
"""Maximum hints to a player within a day, in one game and in all."""


@handles(KIND)
def _hint(request: Request) -> list[Letter]:
    """Answer at once with a known hint, else later by letter."""
    ctx, player = request.ctx, request.player
    number = int(request.args["number"] or request.number or 0)
    if not number:
        raise Refusal(no_game_sentence(ctx, player))
    game = ctx.existing_game(number)
    seat = game.seat_of(player)
    if seat is None:
        raise Refusal(f"You do not play in game {number}, so there is no hint for you there.")
    found = ask_for_hint(ctx.app, ctx.db, game, seat, ctx.now, by_mail=True)
    return [hint_letter(game, seat, ctx.site, found)] if found else []


def hint_letter(game: Game, seat: Seat, site: str, found: Mapping[str, Any]) -> Letter:
    return about_game(KIND, view(game, seat, site), move=found["move"], words=found["words"])


def hint_key(game: Game, seat: Seat) -> str:
    """Return the key of the hint for a seat's next ply. Each ply made or taken back changes the key."""
    return f"{game.id}.{_last_entry(game)}.{seat}"


def _last_entry(game: Game) -> int:
    return game.state.plies[-1].entry if game.state.plies else 0


def ask_for_hint(
    app: App, db: Connection, game: Game, seat: Seat, now: datetime, *, by_mail: bool
) -> Mapping[str, Any] | None:
    """Return the hint if known, else queue the work and return None. Raises Refusal if no hint is given."""
    refuse_hint(app, db, game, seat)
    key, player = hint_key(game, seat), game.seats[seat]
    known = bot_jobs.find_job(db, KIND, key, now)
    if known is not None:
        return _known_hint(db, known, key, now, by_mail=by_mail)
    _check_limits(app, db, game, seat, now)
    hints.add_hint(db, player, game.id, _last_entry(game), len(game.state.plies) + 1, now)
    data = {"game": game.id, "seat": seat, "mail": by_mail}
    bot_jobs.add_job(db, KIND, key, data, now, player.id)
    return None


def _known_hint(
    db: Connection, known: bot_jobs.KnownJob, key: str, now: datetime, *, by_mail: bool
) -> Mapping[str, Any] | None:
    """Return the hint that was asked for before; a hint that failed is looked for again."""
    if known.result:
        return dict(known.result)
    if known.failed:
        raise Refusal("The bots could not work out a hint here; the operator can see that.")
    wanted = by_mail or known.data["mail"]
    if (known.done or wanted != known.data["mail"]) and not bot_jobs.set_data(db, known, now, mail=wanted):
        return bot_jobs.find_result(db, KIND, key)  # it has come meanwhile
    return None


def refuse_hint(app: App, db: Connection, game: Game, seat: Seat) -> None:
    """Raise Refusal with a sentence for the player if no hint may be given."""
    seen = game.as_seen_by(seat)
    if not app.config.bots:
        raise Refusal("There are no hints here, for the bots are off; `try` shows what a move would bring.")
    if seen.state.ending is not None:
        raise Refusal(f"Game {game.id} is over, so there is no move to make, and no hint.")
    if game.rated:
        raise Refusal(
            f"Game {game.id} is rated, and hints are for unrated games only; `challenge bot "
            f"{game.rules.key}` brings you one, and `try` shows what a move would bring."
        )
    if events.pairing_state(db, game.id) is not None:
        raise Refusal(
            f"Game {game.id} counts in an event, and hints are for other games only; `challenge bot "
            f"{game.rules.key}` brings you one, and `try` shows what a move would bring."
        )
    if seen.state.to_play != seat:
        raise Refusal(f"It is {game.seats[other(seat)].name}'s turn; ask for a hint when it is yours.")


def _check_limits(app: App, db: Connection, game: Game, seat: Seat, now: datetime) -> None:
    player, since = game.seats[seat], now - DAY
    if hints.count_hints(db, player, since, game.id) >= MAX_A_GAME:
        raise Refusal(
            f"You have had {MAX_A_GAME} hints in game {game.id} since yesterday at this hour, as many as "
            "there are in a day."
        )
    if hints.count_hints(db, player, since) >= MAX_A_DAY:
        raise Refusal(
            f"You have had {MAX_A_DAY} hints since yesterday at this hour, as many as there are in a day."
        )
    if not (budget.has_time(app, db, now) and budget.has_player_time(app, db, player.id, now)):
        raise Refusal("The bots have used up their time to think for today; please ask again tomorrow.")
