"""`/games/42/compose/<token>`: click a ply together and send it.

The ply is sent by mail, or at once; both go the same way as every mail.
"""

from dataclasses import replace
from urllib.parse import quote

from flask import Response, request

from pbem.core.game import journal
from pbem.core.game.game import first_since
from pbem.core.game.state import Ply
from pbem.core.play.preview import closed_sentence
from pbem.inbox import web_move
from pbem.inbox.web_move import ComposeLink, InvalidLink
from pbem.mail.person.compose import is_form_mail
from pbem.store import live
from pbem.store.inbox import Code, StoredMail
from pbem.web.blueprints import Pages
from pbem.web.composer import ComposerForm, composer_facts, move_in_query
from pbem.web.pages.games import GAME_PATH
from pbem.web.responses import application, lead_to, private_response, raise_not_found
from pbem.web.viewer import viewer, waiting_games

pages = Pages("composer", __name__, robots=["/games/*/compose"])

COMPOSE_PATH = f"{GAME_PATH}/compose"
TOKEN_PATH = f"{COMPOSE_PATH}/<sealed>"
ASK_FIRST = "This page opens from the link in the letter that says it is your turn."
GIVES_UP = "With this move you lose the game at once: {why}. Send it again if you mean it."


@pages.get(COMPOSE_PATH)
def ask(id: int) -> Response:
    """Refuse to compose without the link of a letter."""
    return void_page(InvalidLink(ASK_FIRST), 403)


@pages.get(TOKEN_PATH)
def compose(id: int, sealed: str) -> Response:
    """Show the ply in the query: a text, or a number within."""
    return _page(_read_link(id, sealed), sealed, ComposerForm(move_in_query()))


@pages.post(TOKEN_PATH)
def preview_or_send(id: int, sealed: str) -> Response:
    """Show the typed ply, or send it."""
    form = request.form
    typed = ComposerForm(form.get("move", "").strip(), form.get("words", ""), sure="sure" in form)
    if len(typed.words) > web_move.MAX_WORDS:
        typed = replace(typed, words=typed.words[: web_move.MAX_WORDS], problem=web_move.TOO_MUCH)
    turn = _read_link(id, sealed)
    if form.get("do") != "send" or typed.problem:
        return _page(turn, sealed, typed, 422 if typed.problem else 200)
    body, problem = _mail_body(turn, typed)
    if body is None:
        return _page(turn, sealed, replace(typed, problem=problem), 422)
    number = web_move.submit(application(), turn, body, request.form.get("number", ""))
    return lead_to(f"/games/{id}/compose/{quote(sealed)}/{number}")


@pages.get(f"{TOKEN_PATH}/<int(max=999999999999):number>")
def show_result(id: int, sealed: str, number: int) -> Response:
    """Show the result of a ply that was sent; changes nothing. Words are for the player who is signed in."""
    with application().store.read() as db:
        turn = web_move.read_compose_link(application(), db, id, sealed)
        kept = web_move.mail_sent_by_link(db, turn, number)
        mine = [game for game in waiting_games(db) if game.id != id]
        playing = live.live_play(db, id).is_on(application().now())
    if kept is None:
        raise_not_found("Nothing was sent under this number.")
    sent = web_move.words_of(kept)
    ply = None if web_move.is_order(sent) else web_move.ply_of_mail(turn, kept)
    if not _may_see(turn, kept, ply):
        raise_not_found("Sign in to see what was sent under this number.")
    detail = kept.detail
    is_sentence = not detail or detail.endswith((".", "!", "?"))
    return private_response(
        "composed.html",
        turn=turn,
        next_game=mine[0] if mine else None,
        sent=sent.removeprefix("say ") if _is_owner(turn) else "",
        state=kept.state,
        sentence=detail if is_sentence else f"Nothing was done: {detail}.",
        playing=playing,
        unanswered=Code.UNANSWERED in kept.code,
        ply=ply,
        done=_done_sentence(turn, kept, sent),
    )


def _is_owner(turn: ComposeLink) -> bool:
    signed_in = viewer()
    return signed_in is not None and signed_in.id == turn.player.id


def _may_see(turn: ComposeLink, kept: StoredMail, ply: Ply | None) -> bool:
    """True for the player, and for a ply sent by the link."""
    by_form = is_form_mail(kept.raw, application().addressing.keys)
    return _is_owner(turn) or (by_form and (ply is not None or kept.state != "done"))


DONE = {
    "say": "Your words are sent to {other}",
    "if": "Your plan is kept",
    "if clear": "Your plan is forgotten",
    "draw": "You offered {other} a draw",
    "accept draw": "You and {other} agreed on a draw",
    "decline draw": "You declined the draw",
    "annul": "You asked {other} to annul the game",
    "accept annul": "The game is annulled",
    "decline annul": "You declined, and the game goes on",
    "undo": "You asked {other} to take your last move back",
    "accept undo": "Their move is taken back",
    "decline undo": "Their move stays, and {other} is told",
    "pause": "You asked {other} for a pause",
    "accept pause": "You and {other} agreed on a pause",
    "decline pause": "You declined the pause",
    "give": "You gave {other} more time",
    "claim": "You claimed the result",
    "claim win proved": "Your win is being proved",
    "resign": "You resigned",
}
"""What an order did, by the words that begin it; the most words count."""
TAKEN_BACK = "Your last move is taken back"


def _done_sentence(turn: ComposeLink, kept: StoredMail, sent: str) -> str:
    """Return a heading that says what a mail's order changed."""
    words = sent.partition("\n")[0].lower().split()
    begins = (" ".join(words[:count]) for count in range(len(words), 0, -1))
    order = next((each for each in begins if each in DONE), None)
    if order is None:
        return "It is done"
    if order == "undo" and Code.UNSEEN in kept.code:
        return TAKEN_BACK
    if order == "draw" and _agreed(turn, kept):
        order = "accept draw"
    return DONE[order].format(other=turn.game.seats[1 - turn.seat].name)


def _agreed(turn: ComposeLink, kept: StoredMail) -> bool:
    """True if an offered draw met the other's own offer."""
    since = kept.received_at.replace(microsecond=0)
    own = (entry for entry in turn.game.journal if entry.seat == turn.seat and entry.effective_time >= since)
    kinds = (entry.kind for entry in own if entry.kind in (journal.OFFER, journal.AGREE))
    return next(kinds, journal.OFFER) == journal.AGREE


def _read_link(id: int, sealed: str) -> ComposeLink:
    with application().store.read() as db:
        return web_move.read_compose_link(application(), db, id, sealed)


def _mail_body(turn: ComposeLink, typed: ComposerForm) -> tuple[str | None, str]:
    """The text of the mail and "", or None and the reason."""
    move = typed.move
    # A ply for a turn that is over is sent all the same: the same form may have come before.
    if not closed_sentence(turn.composition):
        move, problem, why = web_move.order_of_move(turn, move, sure=typed.sure)
        if not move:
            return None, problem or GIVES_UP.format(why=why)
    body = web_move.compose_body(turn, [move], typed.words, turn.composition.site)
    return body, "" if body else web_move.UNSENDABLE


def _page(turn: ComposeLink, sealed: str, typed: ComposerForm, status: int = 200) -> Response:
    """The board to click on, or the current board after the turn."""
    if over := closed_sentence(turn.composition):
        return _turn_over_page(turn, over)
    return private_response("compose.html", status, **composer_facts(turn, sealed, typed))


def _turn_over_page(turn: ComposeLink, sentence: str) -> Response:
    seen = turn.composition.game
    mine = seen.state.to_play == turn.seat
    return private_response(
        "compose_over.html",
        sentence=sentence,
        turn=turn,
        mine=mine,
        again=mine and first_since(seen, turn.since, journal.PLY) is not None,
    )


@pages.errorhandler(InvalidLink)
def void_page(void: InvalidLink, status: int = 404) -> Response:
    return private_response(
        "compose_void.html", 410 if void.game else status, sentence=str(void), game=void.game
    )


@pages.after_request
def _forbid_indexing(answer: Response) -> Response:
    answer.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return answer
