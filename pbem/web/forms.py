"""Forms that act: each carries a mark that only this server and this browser can have made.

The mark is an HMAC over a cookie of the browser's own (a signed double submit), so no other site can
make somebody's browser send one of our forms. Nothing is stored.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

from flask import Response, g, request
from markupsafe import Markup
from werkzeug.exceptions import BadRequest

from pbem.web.counter import office

COOKIE = "pbem_form"


def mark() -> Markup:
    """The hidden field that every form with `method="post"` must hold."""
    return Markup('<input type="hidden" name="mark" value="{}">').format(_mark(_own()))


def check() -> None:
    """Raise BadRequest unless the form that came was one of ours, opened in this browser."""
    given, own = request.form.get("mark", ""), request.cookies.get(COOKIE, "")
    if not own or not hmac.compare_digest(given.encode(), _mark(own).encode()):
        raise BadRequest(
            "This form is too old, or came from elsewhere. Please go back, load the page again and send it "
            "once more."
        )


def remember(answer: Response) -> Response:
    """Leave the browser its cookie, if a form was made for it."""
    if "form_cookie" in g and request.cookies.get(COOKIE) != g.form_cookie:
        answer.set_cookie(
            COOKIE, g.form_cookie, httponly=True, samesite="Strict", path="/", secure=request.is_secure
        )
    return answer


def _own() -> str:
    """What this browser was given, or is given now."""
    if "form_cookie" not in g:
        known = request.cookies.get(COOKIE, "")
        is_ours = known.isascii() and known.isalnum() and len(known) == 32
        g.form_cookie = known if is_ours else f"{office().rng.getrandbits(128):032x}"
    return str(g.form_cookie)


def _mark(own: str) -> str:
    key = office().addressing.keys[0]
    return hmac.new(key, b"pbem form: " + own.encode(), sha256).hexdigest()
