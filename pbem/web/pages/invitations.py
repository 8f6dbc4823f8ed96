"""`/invite`: a signed-in player's form. `/join/CODE`: who asks, the board, and a way to begin."""

from typing import Any, NoReturn

from flask import Response, request

from pbem.commands.invitations import check_open, club_of, first_board, join_page, seek_of
from pbem.core.errors import Refusal
from pbem.core.lobby.invitations import Invitation
from pbem.core.players import MAX_NAME, Player
from pbem.duties.signin import MAX_ADDRESS
from pbem.inbox.dispatch import run_commands
from pbem.inbox.invitations import ask_from_page, join_from_page
from pbem.mail.addresses import BadAddress
from pbem.store import invitations, restores
from pbem.store.engine import Connection
from pbem.web import security
from pbem.web.blueprints import Pages
from pbem.web.responses import application, lead_to, private_response, raise_not_found
from pbem.web.viewer import changing_viewer, session, viewer

pages = Pages("invitations", __name__, robots=["/invite", "/join/"])

JOIN = "/join/<code>"
NOT_SIGNED_IN = "Sign in at /settings to invite a friend, or answer any letter with the word `invite`."


@pages.get("/invite")
def form() -> Response:
    player = viewer() or raise_not_found(NOT_SIGNED_IN)
    return _form_page(player)


@pages.post("/invite")
def invite() -> Response:
    """Write to the address of the form, or show a link where there is none."""
    player, app = changing_viewer(), application()
    game, address = request.form.get("game", ""), request.form.get("address", "").strip()
    if game not in app.offered:
        raise_not_found("There is no such game on offer.")
    try:
        run_commands(app, player, [("invite", f"{address} {game}".strip())])
    except Refusal as refusal:
        return _form_page(player, problem=str(refusal))
    if address:
        return _form_page(player, sent=address)
    with app.store.read() as db:
        number = invitations.newest_code(db, player)
        link = join_page(app, number, restores.restore_epoch(db)) if number else ""
    return _form_page(player, link=link)


def _form_page(player: Player, *, problem: str = "", sent: str = "", link: str = "") -> Response:
    typed = {name: request.form.get(name, request.args.get(name, "")) for name in ("game", "address")}
    status = 422 if problem else 200
    facts = {"problem": problem, "sent": sent, "link": link, "typed": typed}
    return private_response("invite.html", status, player=player, offered=application().offered, **facts)


@pages.get(JOIN)
def ask(code: str) -> Response:
    return _join_page(code)


@pages.post(JOIN)
def join(code: str) -> Response:
    """Begin the game of whoever is signed in; ask others by mail."""
    app = application()
    if viewer() is not None:
        player = changing_viewer()
        try:
            return lead_to(_joined_path(_number(code), join_from_page(app, _number(code), player)))
        except Refusal as refusal:
            return _join_page(code, problem=str(refusal))
    security.check_csrf(session())
    security.count_request("signin", security.client_digest())
    name, address = (request.form.get(each, "").strip() for each in ("name", "address"))
    try:
        ask_from_page(app, _number(code), address[: MAX_ADDRESS + 1], name[:MAX_NAME])
    except Refusal as refusal:
        return _join_page(code, problem=str(refusal))
    return _join_page(code, asked=address)


def _joined_path(number: int, game: int) -> str:
    """Return the page for whoever has joined: their new game, or their club where there is no game."""
    with application().store.read() as db:
        found = invitations.find_invitation(db, number)
        club = club_of(db, found) if found is not None and not game else None
    return club.path if club is not None else f"/games/{game}"


def _number(code: str) -> int:
    """Return the number of the invitation in a code. Raises NotFound."""
    try:
        token = application().addressing.read_token(code)
    except BadAddress:
        _raise_unknown()
    if token.use != "invite":
        _raise_unknown()
    with application().store.read() as db:
        lost = restores.is_reused_number(db, token.use, token.numbers[0], token.restored)
    return _raise_unknown() if lost else token.numbers[0]


def _raise_unknown() -> NoReturn:
    raise_not_found("This is no invitation of ours, or not any more. Ask your friend for a new one.")


def _closed(found: Invitation | None, db: Connection) -> str:
    """Return the sentence on why the invitation takes nobody in, or ""."""
    app = application()
    try:
        check_open(app, db, app.now(), found, viewer())
    except Refusal as refusal:
        return str(refusal)
    return ""


def _join_page(code: str, *, problem: str = "", asked: str = "") -> Response:
    number = _number(code)
    with application().store.read() as db:
        found = invitations.find_invitation(db, number)
        closed = "" if asked or problem else _closed(found, db)
        club = club_of(db, found) if found is not None else None
    if found is None or found.inviter.gone:
        return _raise_unknown()
    try:
        seek = seek_of(application(), found)
    except Refusal:
        return _raise_unknown()
    typed = {name: request.form.get(name, "") for name in ("name", "address")}
    facts: dict[str, Any] = {"problem": problem, "closed": closed, "asked": asked, "typed": typed}
    status = 422 if problem else 200
    facts |= {"code": code, "invitation": found, "seek": seek, "club": club}
    if seek is None:
        return private_response("join_club.html", status, **facts) if club else _raise_unknown()
    return private_response("join.html", status, below=first_board(seek, found), **facts)
