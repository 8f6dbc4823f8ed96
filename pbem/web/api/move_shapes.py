"""The JSON of a move that a program makes, and of its answer."""

from collections.abc import Callable

from pbem.core.game.game import Game
from pbem.core.game.state import Ply
from pbem.core.parsing.line import MAX_MOVE
from pbem.core.records.record import ply_data, result
from pbem.web.api import shapes
from pbem.web.api.schema import Data, boolean, number, or_null, ref, shape, text

PLAIN = r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$"
shape(
    "Move",
    "A move to make; `token` may stand in the Authorization header instead.",
    ["token", "number", "after", "sure"],
    move={**text("A move as in a mail, such as f2."), "maxLength": MAX_MOVE, "pattern": PLAIN},
    token={**text("The token of a letter's link, or a personal one."), "maxLength": 200,
           "pattern": "^[a-zA-Z0-9_]*$"},
    number={**text("A text of yours: the same move with it again is no second one."), "maxLength": 64,
            "pattern": "^[a-zA-Z0-9._-]*$"},
    after=number("After which ply the move is meant to come; needed with a personal token.", most=99_999),
    sure=boolean("True to make a move that loses at once."),
)  # fmt: skip


def _reason(game: Game) -> str | None:
    return game.state.ending.reason if game.state.ending else None


made_move: Callable[[tuple[Game, Ply | None]], Data] = shape(
    "MadeMove",
    "The game as its player sees it after the move. `ply` is null while the move is handled.",
    game=(shapes.ID, lambda each: each[0].id),
    ply=(or_null(ref("Ply")), lambda each: each[1] and ply_data(each[1])),
    last=(number("Plies made."), lambda each: len(each[0].state.plies)),
    to_play=(or_null(shapes.SEAT), lambda each: shapes.seat_name(each[0].state.to_play)),
    result=(shapes.RESULT, lambda each: result(each[0].state.ending)),
    reason=(or_null(text("How it ended.")), lambda each: _reason(each[0])),
    **shapes.links(lambda each: f"games/{each[0].id}"),
)
