"""`/unsubscribe/<token>`: stop letters of one kind, by a letter's link.

Opening the link changes nothing, as mail programs follow links on their own. The POST needs no CSRF mark: a
mail program sends it by itself (RFC 8058), and the token is proof enough.
"""

from contextlib import suppress

from flask import Response, request
from werkzeug.exceptions import BadRequest

from pbem.core.players import Player
from pbem.mail.addresses import BadAddress
from pbem.outbox.unsubscribe import (
    invited_address,
    stop_invitations,
    stop_letters,
    unsubscribe_target,
)
from pbem.web.blueprints import Pages
from pbem.web.responses import application, private_response, raise_not_found

pages = Pages("unsubscribing", __name__, robots=["/unsubscribe/"])


@pages.get("/unsubscribe/<token>")
def ask(token: str) -> Response:
    if (invited := _find_invited(token)) is not None:
        return private_response("never.html", stopped=invited[1])
    player, category = _find_subscription(token)
    return _page(player, category, stopped=category in player.stopped, done=False)


@pages.post("/unsubscribe/<token>")
def act(token: str) -> Response:
    if (invited := _find_invited(token)) is not None:
        if _wants_stop():
            stop_invitations(application(), invited[0])
        return private_response("never.html", stopped=True)
    player, category = _find_subscription(token)
    stop = _wants_stop()
    stop_letters(application(), player, category, stop=stop)
    return _page(player, category, stopped=stop, done=True)


def _wants_stop() -> bool:
    """True if letters should stop (True) or start. No body means stop, as some mail programs send none."""
    form = request.form
    if "again" in form:
        return False
    one_click = form.get("List-Unsubscribe") == "One-Click"  # RFC 8058 3.2
    if "stop" in form or one_click or not (form or request.content_length):
        return True
    raise BadRequest("This asks for nothing that can be done here; open the link and press the button.")


def _find_invited(token: str) -> tuple[int, bool] | None:
    """Return the number of an invited address, and True if it wants no letter; None for other links."""
    with suppress(BadAddress):
        return invited_address(application(), token)
    return None


def _find_subscription(token: str) -> tuple[Player, str]:
    try:
        found = unsubscribe_target(application(), token)
    except BadAddress:
        found = None
    return found or raise_not_found(
        "This link to stop letters is not one of ours, or not any more. The newest letter has one that works."
    )


def _page(player: Player, category: str, *, stopped: bool, done: bool) -> Response:
    return private_response("unsubscribe.html", player=player, category=category, stopped=stopped, done=done)
