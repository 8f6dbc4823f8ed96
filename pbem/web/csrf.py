"""Protection of forms against requests forged by other sites (CSRF); nothing is stored.

Each form holds an HMAC over a cookie of the browser and over its session, if any (a signed double submit).
"""

import hmac
from hashlib import sha256

from flask import Response, g, request
from markupsafe import Markup
from werkzeug.exceptions import BadRequest

from pbem.web.responses import application

COOKIE = "pbem_form"


def cookie_name(name: str) -> str:
    """The cookie's name, `__Host-…` over TLS. So the browser binds it to this host (RFC 6265bis 4.1.3)."""
    return f"__Host-{name}" if request.is_secure else name


def csrf_field(session: str = "") -> Markup:
    """The hidden field that every form with `method="post"` must hold."""
    if "form_cookie" not in g:
        known = request.cookies.get(cookie_name(COOKIE), "")
        is_ours = known.isascii() and known.isalnum() and len(known) == 32
        g.form_cookie = known if is_ours else f"{application().rng.getrandbits(128):032x}"
    mark = keyed_digest(f"pbem form: {g.form_cookie} {session}")
    return Markup('<input type="hidden" name="mark" value="{}">').format(mark)


def check_csrf(session: str = "") -> None:
    """Raise BadRequest unless this browser opened the form here."""
    given, own = request.form.get("mark", ""), request.cookies.get(cookie_name(COOKIE), "")
    mark = keyed_digest(f"pbem form: {own} {session}")
    if not own or not hmac.compare_digest(given.encode(), mark.encode()):
        raise BadRequest(
            "This form is too old, or came from elsewhere. Please go back, load the page again and send it "
            "once more."
        )


def set_csrf_cookie(answer: Response) -> Response:
    name = cookie_name(COOKIE)
    if "form_cookie" in g and request.cookies.get(name) != g.form_cookie:
        secure = request.is_secure
        answer.set_cookie(name, g.form_cookie, httponly=True, samesite="Strict", path="/", secure=secure)
    return answer


def keyed_digest(text: str) -> str:
    """A digest that only this server can make (HMAC-SHA-256)."""
    return hmac.new(application().addressing.keys[0], text.encode(), sha256).hexdigest()
