"""`/games/42/compose/<token>`: click a ply together and send it.

Each click is a link to this page with the ply so far, so nothing is stored before the ply is sent, and no
script is needed. The ply is sent by mail, or at once; both go the same way as every mail.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from urllib.parse import quote

from flask import Response, redirect, request
from markupsafe import Markup

from pbem.core.game.game import first_since
from pbem.core.game.journal import PLY
from pbem.core.play.preview import MovePreview, closed_sentence, preview_move
from pbem.inbox import web_move
from pbem.inbox.web_move import ComposeLink, InvalidLink
from pbem.store.inbox import Code
from pbem.web.blueprints import Pages
from pbem.web.pages.games import GAME_PATH
from pbem.web.responses import application, forbid_caching, mail_link, private_response, raise_not_found
from pbem.web.viewer import waiting_games
from rules.contract import Position
from rules.draft import Choice, Draft
from rules.picture import Picture, Spot
from rules.svg import Link, svg

pages = Pages("composer", __name__, robots=["/games/*/compose"])

COMPOSE_PATH = f"{GAME_PATH}/compose"
TOKEN_PATH = f"{COMPOSE_PATH}/<sealed>"
MAX_MAILTO = 1_499
"""Longest link that begins a mail, in characters. Some mail programs cut longer ones."""
ASK_FIRST = "This page opens from the link in the letter that says it is your turn."
UNFINISHED = "The move is not finished yet. {hint}"


@dataclass(frozen=True)
class ComposerForm:
    move: str = ""
    words: str = ""
    problem: str = ""


@pages.get(COMPOSE_PATH)
def ask(id: int) -> Response:
    """Refuse to compose without the link of a letter."""
    return _void_page(InvalidLink(ASK_FIRST), 403)


@pages.get(TOKEN_PATH)
def compose(id: int, sealed: str) -> Response:
    """Show the ply in the query: a text, or a number within text."""
    given = request.args
    move = given.get("move", "")
    if "amount" in given:
        move = f"{given.get('before', '')}{given['amount'].strip()}{given.get('after', '')}"
    return _page(_read_link(id, sealed), ComposerForm(move))


@pages.post(TOKEN_PATH)
def preview_or_send(id: int, sealed: str) -> Response:
    """Show the typed ply, or send it."""
    typed = ComposerForm(request.form.get("move", "").strip(), request.form.get("words", ""))
    if len(typed.words) > web_move.MAX_WORDS:
        typed = replace(typed, words=typed.words[: web_move.MAX_WORDS], problem=web_move.TOO_MUCH)
    turn = _read_link(id, sealed)
    if request.form.get("do") != "send" or typed.problem:
        return _page(turn, typed, 422 if typed.problem else 200)
    body, problem = _mail_body(turn, typed)
    if body is None:
        return _page(turn, replace(typed, problem=problem), 422)
    number = web_move.submit(application(), turn, body, request.form.get("number", ""))
    return forbid_caching(redirect(f"/games/{id}/compose/{quote(sealed)}/{number}", 303))


@pages.get(f"{TOKEN_PATH}/<int(max=999999999999):number>")
def show_result(id: int, sealed: str, number: int) -> Response:
    """Show the result of a ply that was sent; changes nothing."""
    with application().store.read() as db:
        turn = web_move.read_compose_link(application(), db, id, sealed)
        kept = web_move.mail_sent_by_link(db, turn, number)
        mine = [game for game in waiting_games(db) if game.id != id]
    if kept is None:
        raise_not_found("Nothing was sent under this number.")
    detail, state = kept.detail, turn.composition.game.state
    is_sentence = not detail or detail.endswith((".", "!", "?"))
    return private_response(
        "composed.html",
        turn=turn,
        next_game=mine[0] if mine else None,
        state=kept.state,
        sentence=detail if is_sentence else f"Nothing was done: {detail}.",
        unanswered=Code.UNANSWERED in kept.code,
        ply=next((ply for ply in reversed(state.plies) if ply.seat == turn.seat), None),
    )


def _read_link(id: int, sealed: str) -> ComposeLink:
    with application().store.read() as db:
        return web_move.read_compose_link(application(), db, id, sealed)


def _mail_body(turn: ComposeLink, typed: ComposerForm) -> tuple[str | None, str]:
    """The text of the mail and "", or None and the reason."""
    # A ply for a turn that is over is sent all the same: the same form may have come before.
    if not closed_sentence(turn.composition):
        drawn = preview_move(turn.composition, typed.move)
        if drawn.problem or not drawn.complete:
            return None, drawn.problem or UNFINISHED.format(hint=drawn.draft.hint)
    body = web_move.compose_body(turn, typed.move, typed.words, turn.composition.site)
    return body, "" if body else web_move.UNSENDABLE


def _page(turn: ComposeLink, typed: ComposerForm, status: int = 200) -> Response:
    """The board to click on, or the current board after the turn."""
    if over := closed_sentence(turn.composition):
        return _turn_over_page(turn, over)
    drawn = preview_move(turn.composition, typed.move)
    site, ready = turn.composition.site, drawn.complete
    body = web_move.compose_body(turn, drawn.text, typed.words, site) if ready else ""
    start_mail = partial(mail_link, to=turn.address, subject=turn.subject, sender=turn.player.address)
    mail = start_mail(body) if body else ""
    return private_response(
        "compose.html",
        status,
        turn=turn,
        drawn=drawn,
        typed=typed,
        problem=typed.problem or drawn.problem or ("" if body is not None else web_move.UNSENDABLE),
        board=_board(turn.composition.game.state.position, drawn),
        controls=list(_controls(turn.composition.game.state.position, drawn.draft)),
        link=link,
        mail=mail if len(mail) <= MAX_MAILTO else "",
        mail_start=start_mail(drawn.text),
        mail_most=MAX_MAILTO,
        number=f"{application().rng.getrandbits(80):020x}",
    )


def _turn_over_page(turn: ComposeLink, sentence: str) -> Response:
    seen = turn.composition.game
    mine = seen.state.to_play == turn.seat
    return private_response(
        "compose_over.html",
        sentence=sentence,
        turn=turn,
        mine=mine,
        again=mine and first_since(seen, turn.since, PLY) is not None,
    )


@pages.errorhandler(InvalidLink)
def _void_page(void: InvalidLink, status: int = 404) -> Response:
    return private_response(
        "compose_void.html", 410 if void.game else status, sentence=str(void), game=void.game
    )


@pages.after_request
def _forbid_indexing(answer: Response) -> Response:
    answer.headers["X-Robots-Tag"] = "noindex, nofollow, noarchive"
    return answer


def link(text: str) -> str:
    """A link to this page with this text as the ply."""
    return f"?move={quote(text, safe='')}"


def _board(position: Position, drawn: MovePreview) -> Markup:
    """The board after the ply: its cells, and those a click removes, have a ring; others to click, a dot."""
    picture, words = position.picture(), Counter(drawn.draft.text.split())
    chosen = {word for word in words if word in picture.names}
    chosen |= {each.cell for each in drawn.draft.choices if Counter(each.text.split()) < words}
    clicks = {choice.cell: choice for choice in reversed(drawn.draft.choices) if choice.cell}
    after = drawn.after.picture() if drawn.after is not None else picture
    spots = tuple(_spot(spot, after, chosen, clicks) for spot in picture.spots)
    links = {name: Link(link(choice.text), choice.label) for name, choice in clicks.items()}
    return Markup(svg(replace(picture, spots=spots), links=links))


def _spot(spot: Spot, after: Picture, chosen: set[str], clicks: dict[str, Choice]) -> Spot:
    then = after.names.get(spot.name, spot)
    if spot.name in chosen:
        return replace(then, marks=frozenset({"chosen"}))
    marks = spot.marks - {"legal"} | ({"legal"} if spot.name in clicks else set())
    return replace(then, marks=frozenset(marks))


def _controls(position: Position, draft: Draft) -> Iterator[Choice]:
    """The choices that are no cell, and further choices of a cell."""
    names, seen = position.picture().names, set[str]()
    for choice in draft.choices:
        if choice.cell not in names or choice.cell in seen:
            yield choice
        seen.add(choice.cell)
