"""Forms that act: each carries a mark that only this server and this browser can have made.

The mark is an HMAC over a cookie of the browser's own (a signed double submit) and over the session
where there is one, so no other site can make somebody's browser send one of our forms. Nothing is stored.
"""

from __future__ import annotations

import hmac
from hashlib import sha256

from flask import Response, g, request
from markupsafe import Markup
from werkzeug.exceptions import BadRequest

from pbem.web.counter import office

COOKIE = "pbem_form"


def is_safe() -> bool:
    """Whether the public pages are served over TLS, whatever a proxy in front speaks to us."""
    return office().settings.site.startswith("https:")


def cookie_name(name: str) -> str:
    """`__Host-…` where the browser can hold us to it: over TLS, for this host alone (RFC 6265bis 4.1.3)."""
    return f"__Host-{name}" if is_safe() else name


def mark(session: str = "") -> Markup:
    """The hidden field that every form with `method="post"` must hold."""
    return Markup('<input type="hidden" name="mark" value="{}">').format(_mark(_own(), session))


def check(session: str = "") -> None:
    """Raise BadRequest unless the form that came was one of ours, opened in this browser."""
    given, own = request.form.get("mark", ""), request.cookies.get(cookie_name(COOKIE), "")
    if not own or not hmac.compare_digest(given.encode(), _mark(own, session).encode()):
        raise BadRequest(
            "This form is too old, or came from elsewhere. Please go back, load the page again and send it "
            "once more."
        )


def remember(answer: Response) -> Response:
    """Leave the browser its cookie, if a form was made for it."""
    name = cookie_name(COOKIE)
    if "form_cookie" in g and request.cookies.get(name) != g.form_cookie:
        answer.set_cookie(name, g.form_cookie, httponly=True, samesite="Strict", path="/", secure=is_safe())
    return answer


def _own() -> str:
    """What this browser was given, or is given now."""
    if "form_cookie" not in g:
        known = request.cookies.get(cookie_name(COOKIE), "")
        is_ours = known.isascii() and known.isalnum() and len(known) == 32
        g.form_cookie = known if is_ours else f"{office().rng.getrandbits(128):032x}"
    return str(g.form_cookie)


def _mark(own: str, session: str) -> str:
    key = office().addressing.keys[0]
    return hmac.new(key, f"pbem form: {own} {session}".encode(), sha256).hexdigest()
