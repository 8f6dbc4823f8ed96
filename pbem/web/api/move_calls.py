"""The one call that changes something: a move, by the same door as a mail.

A token stands in the Authorization header or in the body, never in an address, a log or an answer.
"""

from dataclasses import dataclass
from typing import Any, NoReturn

from flask import Response, jsonify, request
from werkzeug.datastructures import WWWAuthenticate
from werkzeug.exceptions import Conflict, Forbidden, Unauthorized, UnprocessableEntity, UnsupportedMediaType

from pbem.core.play.preview import closed_sentence
from pbem.duties import tokens
from pbem.inbox import web_move
from pbem.inbox.web_move import ComposeLink, InvalidLink
from pbem.store import games
from pbem.store.engine import Connection
from pbem.web.api.move_shapes import made_move
from pbem.web.api.openapi import Call
from pbem.web.api.schema import SHAPES, InvalidParameter, fits
from pbem.web.responses import application, forbid_caching
from pbem.web.security import client_digest, count_request

NO_TOKEN = (
    "A move needs a token: the last part of the link in a letter about the game, or one that `set token` "
    "brings, sent as `Authorization: Bearer …` or as `token`."
)
UNKNOWN_TOKEN = "This token is not one of ours, or not any more."
NO_PLY = "With a personal token `after` says after which ply the move is meant to come."
OTHER_GAME = "This token is not for game {id}."
NOT_JSON = "A move is sent as an object in JSON, with `Content-Type: application/json`."
GIVES_UP = "With this move you lose the game at once: {why}. Send it with `sure` if you mean it."
OTHER_BOARD = "The game is after ply {now}, and the move was for the board after ply {after}."
NOT_MADE = "The move was not made, or has been taken back since."


@dataclass(frozen=True)
class MoveBody:
    """The fields of a request. Without a `number`, the move for its board is its own number."""

    move: str
    token: str
    number: str
    after: int | None
    sure: bool

    @property
    def orders(self) -> list[str]:
        """The lines of a mail that this may become."""
        return [self.move, f"{self.move} yes"] if self.sure else [self.move]


def _moves(id: int) -> tuple[Response, int]:
    app = application()
    if not app.config.development:
        count_request("move", client_digest())
    body = _read_body()
    link = _read_link(id, body)
    sent = (order for order in body.orders if web_move.is_sent(app, link, order, body.number))
    order = next(sent, None) or _checked_order(link, body)
    kept = web_move.submit(app, link, order, body.number)
    return _answer(_read_link(id, body), kept)


def _read_body() -> MoveBody:
    """Read the JSON and the header. Raises InvalidParameter for the first field that is wrong."""
    if not request.is_json:
        raise UnsupportedMediaType(NOT_JSON)
    try:
        sent = request.get_json(silent=True)
    except RecursionError:  # thousands of brackets
        sent = None
    if not isinstance(sent, dict):
        raise InvalidParameter("body", NOT_JSON)
    fields = SHAPES["Move"]["properties"]
    for name, value in {"move": None, **sent}.items():
        if name not in fields:
            raise InvalidParameter(
                name[:40], f"There is no {name[:40]!r} here; there is {', '.join(fields)}."
            )
        if not fits(fields[name], value):
            raise InvalidParameter(name, f"{name} is not as described: {fields[name]['description']}")
    number, sure = sent.get("number", ""), sent.get("sure", False)
    return MoveBody(sent["move"].strip(), _token(sent), number, sent.get("after"), sure)


def _token(sent: dict[str, Any]) -> str:
    """Return the token. Raises Unauthorized without one."""
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    token = given.strip() if scheme.lower() == "bearer" else sent.get("token", "")
    return token or _raise_unauthorized(NO_TOKEN)


def _raise_unauthorized(sentence: str) -> NoReturn:
    raise Unauthorized(sentence, www_authenticate=WWWAuthenticate("bearer", {"realm": "moves"}))


def _read_link(id: int, body: MoveBody) -> ComposeLink:
    """Return what the token may do in this game. Raises Unauthorized or Forbidden."""
    app = application()
    personal = tokens.is_personal(body.token)
    if not (personal or app.addressing.is_token(body.token)):
        _raise_unauthorized(UNKNOWN_TOKEN)
    try:
        with app.store.read() as db:
            sealed = _seal(db, id, body) if personal else body.token
            return web_move.read_compose_link(app, db, id, sealed)
    except InvalidLink as void:
        raise Forbidden(str(void) if void.game else OTHER_GAME.format(id=id)) from None


def _seal(db: Connection, id: int, body: MoveBody) -> str:
    """Return the token that a letter about this board would have brought to the token's owner."""
    app, player = application(), tokens.player_of_token(db, body.token)
    if player is None:
        _raise_unauthorized(UNKNOWN_TOKEN)
    game = games.load_game(db, app.games_by_key, id)
    if game is None or game.seat_of(player) is None:
        raise Forbidden(OTHER_GAME.format(id=id))
    if body.after is None:
        raise InvalidParameter("after", NO_PLY)
    sealed = web_move.seal_after(app, db, game, player, int(body.after))
    if sealed is None:
        raise Conflict(OTHER_BOARD.format(now=len(game.state.plies), after=body.after))
    return sealed


def _checked_order(link: ComposeLink, body: MoveBody) -> str:
    """Return the line of the mail. Raises Conflict for another board, UnprocessableEntity for a bad move."""
    now = len(link.composition.game.state.plies)
    if body.after not in (None, now):
        raise Conflict(OTHER_BOARD.format(now=now, after=body.after))
    if over := closed_sentence(link.composition):
        raise Conflict(over)
    order, problem, why = web_move.order_of_move(link, body.move, sure=body.sure)
    if not order:
        raise UnprocessableEntity(problem or GIVES_UP.format(why=why))
    if web_move.compose_body(link, [order], "", link.composition.site) is None:
        raise UnprocessableEntity(web_move.UNSENDABLE)
    return order


def _answer(link: ComposeLink, number: int) -> tuple[Response, int]:
    """Tell what became of the mail, after it was handled as every mail is."""
    with application().store.read() as db:
        kept = web_move.mail_sent_by_link(db, link, number)
    ply = web_move.ply_of_mail(link, kept) if kept is not None and kept.state == "done" else None
    waits = kept is not None and kept.state == "new"
    if ply is None and not waits:
        sentence = kept.detail if kept is not None and kept.detail else NOT_MADE
        raise (Conflict if closed_sentence(link.composition) else UnprocessableEntity)(sentence)
    made = made_move((link.composition.game, ply))
    return forbid_caching(jsonify(made)), 202 if waits else 200


MOVE_CALLS = (
    Call("/api/games/{id}/moves", _moves, "MadeMove", "Make a move",
         "With the token of a letter's link, or a personal one of `set token`. The same request again gives "
         "the same answer: 409 if the board is another now, 422 with a sentence if the move cannot be made.",
         body="Move"),
)  # fmt: skip
