"""Security of all pages: headers, forged forms, rate limits.

Each form holds a CSRF mark: an HMAC over the browser's cookie and its session, if any (signed double submit).
A POST that another site began is refused (Sec-Fetch-Site, else Origin), even with a mark. Webhooks and the
one-click unsubscribe (RFC 8058) come from programs, with a proof of their own.
"""

import hmac
from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, current_app, g, request
from markupsafe import Markup
from werkzeug.exceptions import BadRequest, Forbidden, NotFound, TooManyRequests
from werkzeug.middleware.proxy_fix import ProxyFix

from pbem.app import App
from pbem.core.connections import ip_address_of, network_of
from pbem.store import limits
from pbem.web.blueprints import Pages, RateKind
from pbem.web.problems import is_api_request
from pbem.web.rate_limit import Rate, RateLimit
from pbem.web.responses import application

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": (
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), "
        "microphone=(), midi=(), payment=(), publickey-credentials-get=(), usb=(), "
        "screen-wake-lock=(), xr-spatial-tracking=()"
    ),
}

FORM_COOKIE = "pbem_form"
NOT_MODIFIED = 304
HSTS = "max-age=31536000"
"""A year (RFC 6797), for this host alone. Other hosts of the domain are not ours."""

SELF_PROVING_PATHS = ("/unsubscribe/", "/mail/")

HOUR = timedelta(hours=1)
LIMITS = {"post": 300, "signin": 10, "link": 30, "change": 120, "question": 8, "export": 6, "move": 600}
"""Requests per hour, by kind. "question" is a change that a letter must confirm, "move" one by the API."""

READ_RATES = {
    "page": Rate(600, 300),
    "poll": Rate(600, 600),
    "search": Rate(60, 60),
    "feed": Rate(60, 30),
    "large": Rate(30, 30),
}
"""Rate limits of readers. A person who steps fast through a game needs two pages a second.

A game page asks for news every two seconds while a bot is to move; a family behind one address has several.
"""
FORMS_THAT_STORE_NOTHING = frozenset(
    {"study.make_study", "study.make_move", "study.comment", "study.take_move_out"}
)
"""Endpoints whose forms count as pages; those of others have limits of their own."""
PAGING_FIELDS = frozenset({"before", "after", "most"})


def protect(flask_app: Flask, app: App) -> None:
    """Add the security checks to all pages. Links lead to PBEM_SITE, never to a request's host."""
    hops, site = app.config.proxies, urlsplit(app.config.site)
    flask_app.config |= {"SERVER_NAME": site.netloc, "PREFERRED_URL_SCHEME": site.scheme}
    if hops and not app.config.development:
        flask_app.wsgi_app = ProxyFix(flask_app.wsgi_app, x_for=hops, x_proto=0, x_host=0)  # type: ignore[method-assign]
    flask_app.wsgi_app = _correct_environ(flask_app.wsgi_app, site.scheme)  # type: ignore[assignment, method-assign]
    flask_app.extensions["rate_limit"] = RateLimit()
    flask_app.before_request(_limit_reads)
    flask_app.after_request(_refund_cached)
    flask_app.before_request(_refuse_other_sites)
    flask_app.before_request(_refuse_bad_characters)
    flask_app.after_request(_add_headers)
    flask_app.after_request(_set_csrf_cookie)


def _refuse_bad_characters() -> None:
    """Refuse NUL characters, which not every database accepts, and nameless fields."""
    if "\0" in request.path:
        raise NotFound
    if request.method != "POST" or request.path.startswith((*SELF_PROVING_PATHS, "/study")):
        return  # /study stores nothing
    if any(text is None or "\0" in text for field in request.form.items(multi=True) for text in field):
        raise BadRequest("There is a sign in this that nobody can type. Please go back and try again.")


def _correct_environ(app: WSGIApplication, scheme: str) -> WSGIApplication:
    """Set the readers' scheme, also behind a proxy, and remove NULs."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        environ["wsgi.url_scheme"] = scheme
        if not environ.get("PATH_INFO", "").startswith("/api/"):  # the API reports it instead
            environ["QUERY_STRING"] = environ.get("QUERY_STRING", "").replace("%00", "+")
        return app(environ, start_response)

    return answer


def _refuse_other_sites() -> None:
    if request.method in ("GET", "HEAD", "OPTIONS") or request.path.startswith(SELF_PROVING_PATHS):
        return
    if is_api_request():  # the API takes no forms
        return
    said = request.headers.get("Sec-Fetch-Site")
    if said is not None:
        ours = said in ("same-origin", "none")
    else:  # browsers send "null" after our no-referrer policy (Fetch, 3.2)
        origin = request.headers.get("Origin", "null")
        own_hosts = (request.host, urlsplit(application().config.site).netloc)
        ours = origin == "null" or origin.partition("://")[2] in own_hosts
    if not ours:
        raise Forbidden("This was sent from another site. Open the page here and send it from there.")
    if not application().config.development:
        count_request("post", client_digest())


def _add_headers(answer: Response) -> Response:
    if answer.status_code == NOT_MODIFIED:  # the cached page keeps its headers (RFC 9111 3.2)
        return answer
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    is_public = answer.headers.get("Cache-Control", "").startswith("public")
    answer.headers.setdefault("Cross-Origin-Resource-Policy", "cross-origin" if is_public else "same-origin")
    if request.is_secure:
        answer.headers.setdefault("Strict-Transport-Security", HSTS)
    return answer


def _limit_reads() -> None:
    """Rate-limit public readers. Behind a proxy that PBEM_PROXIES does not count, all look private."""
    kind = _rate_kind()
    stores_nothing = request.method in ("GET", "HEAD") or request.endpoint in FORMS_THAT_STORE_NOTHING
    if kind == "none" or not stores_nothing:
        return
    address = ip_address_of(request.remote_addr or "")
    if not request.remote_addr or (address and not address.is_global):
        return
    limit: RateLimit = current_app.extensions["rate_limit"]
    bucket = f"{kind}:{client_digest()}"
    wait = limit.spend(bucket, READ_RATES[kind], application().now().timestamp())
    if wait:
        raise TooManyRequests(
            "This was asked for very often just now. Please wait a little; mail goes on as ever.",
            retry_after=wait,
        )
    g.rate_bucket = bucket


def _rate_kind() -> RateKind:
    """The rate limit that the endpoint's blueprint says. A list without a search is a `page` too."""
    pages = current_app.blueprints.get(request.blueprint or "")
    name = (request.endpoint or "").rpartition(".")[2]
    kind = pages.rates.get(name, "page") if isinstance(pages, Pages) else "page"
    return "page" if kind == "search" and not set(request.args) - PAGING_FIELDS else kind


def _refund_cached(answer: Response) -> Response:
    """Do not count a 304 that was made without work against the rate limit."""
    if answer.status_code == NOT_MODIFIED and g.get("unmade") and "rate_bucket" in g:
        current_app.extensions["rate_limit"].give_back(g.rate_bucket)
    return answer


def client_digest() -> str:
    """Return a digest of the client's address, or for IPv6 of its network, as clients have many addresses."""
    return keyed_digest(f"pbem client: {network_of(request.remote_addr or '')}")[:32]


def count_request(what: str, whom: str) -> None:
    with application().store.write() as db:
        number = limits.count_attempt(db, f"{what}:{whom}", application().now(), HOUR)
    if number > LIMITS[what]:
        raise TooManyRequests(
            "That was asked for very often within the hour. Please try again later; mail goes on as ever.",
            retry_after=int(HOUR.total_seconds()),
        )


def cookie_name(name: str) -> str:
    """Return the cookie's name, over TLS `__Host-…`, which binds it to this host (RFC 6265bis 4.1.3)."""
    return f"__Host-{name}" if request.is_secure else name


def csrf_field(session: str = "") -> Markup:
    """The hidden field that every form with `method="post"` must hold."""
    if "form_cookie" not in g:
        known = request.cookies.get(cookie_name(FORM_COOKIE), "")
        is_ours = known.isascii() and known.isalnum() and len(known) == 32
        g.form_cookie = known if is_ours else f"{application().rng.getrandbits(128):032x}"
    mark = keyed_digest(f"pbem form: {g.form_cookie} {session}")
    return Markup('<input type="hidden" name="mark" value="{}">').format(mark)


def check_csrf(session: str = "") -> None:
    """Raise BadRequest unless this browser opened the form here."""
    given, own = request.form.get("mark", ""), request.cookies.get(cookie_name(FORM_COOKIE), "")
    mark = keyed_digest(f"pbem form: {own} {session}")
    if not own or not hmac.compare_digest(given.encode(), mark.encode()):
        raise BadRequest(
            "This form is too old, or came from elsewhere. Please go back, load the page again and send it "
            "once more."
        )


def _set_csrf_cookie(answer: Response) -> Response:
    """Set the cookie of the page's forms, if it has any."""
    name = cookie_name(FORM_COOKIE)
    if "form_cookie" in g and request.cookies.get(name) != g.form_cookie:
        secure = request.is_secure
        answer.set_cookie(name, g.form_cookie, httponly=True, samesite="Strict", path="/", secure=secure)
    return answer


def keyed_digest(text: str) -> str:
    """A digest that only this server can make (HMAC-SHA-256)."""
    return hmac.new(application().addressing.keys[0], text.encode(), sha256).hexdigest()
