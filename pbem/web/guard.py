"""What stands before every page: headers, whose form a POST is, and how often a client may ask.

A POST that a browser says another site began is turned away (Sec-Fetch-Site, else Origin), so a form of
ours that forgot its mark would still act for us alone. Ways in for mail and one-click unsubscribing
(RFC 8058) are called by programs and carry their own proof.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from typing import cast
from urllib.parse import urlsplit
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import BadRequest, Forbidden, NotFound, TooManyRequests

from pbem.core.crowd import address_of, network_of
from pbem.office import Office
from pbem.store import attempts
from pbem.web.allowance import Allowance, Rate
from pbem.web.api import problems
from pbem.web.counter import office
from pbem.web.forms import is_safe

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
"""On every answer that does not say otherwise."""

NOT_MODIFIED = 304

HSTS = "max-age=31536000"
"""A year (RFC 6797), for this host alone: what else stands in the domain is not ours to say."""

PROVEN_OTHERWISE = ("/unsubscribe/", "/mail/")
"""Where programs POST, each with a proof of its own."""

HOUR = timedelta(hours=1)
LIMITS = {"post": 300, "signin": 10, "link": 30, "change": 120, "question": 8, "export": 6}
"""How often within an hour: a client may send any form, ask for a link, try one; a player may change
something, ask for what is asked once more by letter, take all data home."""

READS = {"page": Rate(600, 300), "search": Rate(60, 60), "feed": Rate(60, 30), "large": Rate(30, 30)}
"""How much a visitor may read. A person who steps fast through a game asks for two pages a second."""
SORTS = {
    **dict.fromkeys(("archive.all_games", "api.games"), "search"),
    **dict.fromkeys(("syndication.all_games", "syndication.results"), "feed"),
    **dict.fromkeys(("syndication.of_rules", "syndication.of_player", "syndication.of_game"), "feed"),
    **dict.fromkeys(("records.all_records", "records.records_of_a_kind"), "large"),
    **dict.fromkeys(("records.records_of_a_player", "pictures.moving", "pictures.preview"), "large"),
}
"""Of which sort a page is, by its endpoint; any other is a `page`, and so is a list without a search."""
PAGING = frozenset({"before", "after", "most"})
"""What a list may be asked without being searched."""
FREE = ("static.static", "status.status", "metrics.metrics")
"""Endpoints that may be asked as often as anybody likes: files at hand, and what machines watch."""


def stand(app: Flask, here: Office) -> None:
    """Put the guard before all pages of an app."""
    hops = here.settings.proxies
    if hops and not here.settings.development:
        from werkzeug.middleware.proxy_fix import ProxyFix

        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=0, x_host=0)  # type: ignore[method-assign]
    app.wsgi_app = _blanked(app.wsgi_app)  # type: ignore[assignment, method-assign]
    app.extensions["allowance"] = Allowance()
    app.before_request(_within_bounds)
    app.after_request(_settled)
    app.before_request(_from_here)
    app.before_request(_sound)
    app.after_request(_dressed)


def _sound() -> None:
    """No page wants a NUL anywhere, and not every database takes one; in a query it counts as a blank.

    Nor is a field without a name one of any form of ours.
    """
    if "\0" in request.path:
        raise NotFound
    if request.method != "POST" or request.path.startswith((*PROVEN_OTHERWISE, "/study")):
        return  # the last keeps nothing
    if any(text is None or "\0" in text for field in request.form.items(multi=True) for text in field):
        raise BadRequest("There is a sign in this that nobody can type. Please go back and try again.")


def _blanked(app: WSGIApplication) -> WSGIApplication:
    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if not environ.get("PATH_INFO", "").startswith("/api/"):  # which says what is wrong with it
            environ["QUERY_STRING"] = environ.get("QUERY_STRING", "").replace("%00", "+")
        return app(environ, start_response)

    return answer


def _from_here() -> None:
    if request.method in ("GET", "HEAD", "OPTIONS") or request.path.startswith(PROVEN_OTHERWISE):
        return
    if problems.is_ours():  # nothing there takes a form
        return
    said = request.headers.get("Sec-Fetch-Site")
    if said is not None:
        ours = said in ("same-origin", "none")
    else:  # "null" is what a browser says where we asked it to send no referrer (Fetch, 3.2)
        origin = request.headers.get("Origin", "null")
        ours = origin == "null" or origin.partition("://")[2] in _own_hosts()
    if not ours:
        raise Forbidden("This was sent from another site. Open the page here and send it from there.")
    if not office().settings.development:
        allow("post", client())


def _own_hosts() -> frozenset[str]:
    return frozenset({request.host, urlsplit(office().settings.site).netloc})


def _dressed(answer: Response) -> Response:
    if answer.status_code == NOT_MODIFIED:  # the page that the reader has keeps its own (RFC 9111 3.2)
        return answer
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    is_public = answer.headers.get("Cache-Control", "").startswith("public")
    answer.headers.setdefault("Cross-Origin-Resource-Policy", "cross-origin" if is_public else "same-origin")
    if is_safe():
        answer.headers.setdefault("Strict-Transport-Security", HSTS)
    return answer


def _within_bounds() -> None:
    """Nobody reads so much that others have to wait; who is not of the public internet is one of us."""
    if request.method not in ("GET", "HEAD") or request.endpoint in FREE or _is_near():
        return
    sort = _sort()
    g.purse = f"{sort}:{client()}"
    wait = _allowance().spend(g.purse, READS[sort], office().now().timestamp())
    if wait:
        del g.purse
        raise TooManyRequests(
            "This was asked for very often just now. Please wait a little; mail goes on as ever.",
            retry_after=wait,
        )


def _sort() -> str:
    sort = SORTS.get(request.endpoint or "", "page")
    return "page" if sort == "search" and not set(request.args) - PAGING else sort


def _settled(answer: Response) -> Response:
    """What the reader had already, and what was known before anything was made, is not counted."""
    if answer.status_code == NOT_MODIFIED and g.get("unmade") and "purse" in g:
        _allowance().give_back(g.purse)
    return answer


def _allowance() -> Allowance:
    return cast(Allowance, current_app.extensions["allowance"])


def _is_near() -> bool:
    """Whether a request comes from this machine or a network of our own; so do all of a proxy not told of."""
    text = request.remote_addr or ""
    address = address_of(text)
    return not text if address is None else not address.is_global


def client() -> str:
    """Who asks, for counting alone: a digest, of the network where there are too many addresses (IPv6)."""
    text = network_of(request.remote_addr or "")
    key = office().addressing.keys[0]
    return hmac.new(key, f"pbem client: {text}".encode(), sha256).hexdigest()[:32]


def allow(what: str, whom: str) -> None:
    """Count one more; raise TooManyRequests where it is more than the hour's."""
    with office().store.write() as db:
        number = attempts.count(db, f"{what}:{whom}", office().now(), HOUR)
    if number > LIMITS[what]:
        raise TooManyRequests(
            "That was asked for very often within the hour. Please try again later; mail goes on as ever.",
            retry_after=int(HOUR.total_seconds()),
        )
