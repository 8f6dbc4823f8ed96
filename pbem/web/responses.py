"""Responses of pages: app context, caching by ETags and dates, and 404."""

import gzip
import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, NoReturn, cast
from wsgiref.types import WSGIEnvironment

from flask import Response, current_app, g, make_response, redirect, render_template, request
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response as BaseResponse

from pbem.app import App
from pbem.store.game_lists import GameVersion, ListedGame
from pbem.web.filters import mailto, url_with_query
from rules import find
from rules.contract import Rules

CACHE_FOREVER = "public, max-age=31536000, immutable"
CACHE_REVALIDATE = "public, no-cache"
NO_STORE = "no-store"
STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)
MIN_COMPRESSED_BYTES = 1024


@dataclass(frozen=True)
class Validator:
    """A validator of a page: its ETag, and its last change."""

    tag: str
    changed_at: datetime | None = None
    by_date: bool = True
    """True if the date alone shows that the page is unchanged; a vacation or a bounce changes no date."""
    for_good: bool = False


def application() -> App:
    return current_app.extensions["pbem"]


def build_id() -> str:
    return current_app.extensions["build"]


def version_query(id: int, fresh: GameVersion | ListedGame) -> str:
    """Return a finished game's query such as `?v=0123456789`, or "" while the game runs.

    Browsers keep files with this query for good. The query changes when the game is opened again, when a
    player in it is erased, and with the program that draws. A request with another query, or none, is no
    error: the answer is the current file, which the browser checks each time.
    """
    digest = sha256(f"{build_id()}-{id}.{fresh.tag}".encode()).hexdigest()
    return f"?v={digest[:10]}" if fresh.ended else ""


def public_response(
    make: Callable[[], str | Response],
    validator: Validator | None = None,
    *,
    changed_at: datetime | None = None,
) -> Response:
    """Answer with the page from `make`, or with 304.

    With `validator`, a page that the reader has is not made at all. Without it, the page's bytes give the
    ETag; `changed_at` only sets the date, which is that of the newest template otherwise.
    """
    if validator is not None and not g.get("viewer"):
        known = _set_validators(Response(), validator)
        known.make_conditional(_conditional_environ(validator))
        if known.status_code == 304:
            g.unmade = True
            return known
    answer = make_response(make())
    if "viewer" in g and g.viewer and answer.mimetype == "text/html":
        return forbid_caching(answer)
    if validator is None:
        validator = Validator(sha256(answer.get_data()).hexdigest()[:20], changed_at, by_date=False)
    _set_validators(answer, validator)
    _compress(answer)
    return answer.make_conditional(_conditional_environ(validator))  # type: ignore[return-value]


def public_page(
    template: str, changed_at: datetime | None = None, validator: Validator | None = None, **facts: Any
) -> Response:
    return public_response(lambda: render_template(template, **facts), validator, changed_at=changed_at)


def _conditional_environ(validator: Validator) -> WSGIEnvironment:
    """The request, without If-Modified-Since unless it equals the last change exactly.

    A mail that travelled long is dated back to its arrival, so another date may belong to another page.
    """
    at = validator.changed_at if validator.by_date else None
    if at is not None and request.if_modified_since == at.replace(microsecond=0):
        return request.environ
    return {name: value for name, value in request.environ.items() if name != "HTTP_IF_MODIFIED_SINCE"}


def _set_validators(answer: Response, validator: Validator) -> Response:
    answer.set_etag(f"{build_id()}-{validator.tag}", weak=True)  # weak: compression does not change the page
    answer.last_modified = validator.changed_at or current_app.extensions["built_at"]
    answer.headers["Cache-Control"] = CACHE_FOREVER if validator.for_good else CACHE_REVALIDATE
    answer.vary.add("Accept-Encoding")
    return answer


def _compress(answer: Response) -> None:
    """Compress with gzip (RFC 1952). A public page holds no secret that its length could tell."""
    body = answer.get_data()
    if (
        answer.mimetype == "image/png"
        or len(body) < MIN_COMPRESSED_BYTES
        or not request.accept_encodings.quality("gzip")
    ):
        return
    answer.set_data(gzip.compress(body, 6, mtime=0))
    answer.headers["Content-Encoding"] = "gzip"


def private_response(template: str, status: int = 200, **facts: Any) -> Response:
    """A page for one reader, never cached."""
    return forbid_caching(make_response(render_template(template, **facts), status))


def forbid_caching(answer: BaseResponse) -> Response:
    answer.headers["Cache-Control"] = NO_STORE
    return cast(Response, answer)


def lead_to(address: str) -> Response:
    """Redirect the browser to another page after a form."""
    return forbid_caching(redirect(address, 303))


def mail_link(body: str, to: str = "", subject: str = "", sender: str = "") -> str:
    """A link that begins a mail: `mailto:`, or the mailroom's form."""
    app = application()
    if app.config.development:
        fields = {"from": sender, "to": to, "subject": subject, "words": body}
        return url_with_query("/mailroom/new", {name: text for name, text in fields.items() if text})
    return mailto(to or app.addressing.plain(), subject=subject or "Games", body=body)


def svg_response(body: bytes) -> Response:
    """Return an SVG file whose policy allows only its own styles, by their digests."""
    digests = (b64encode(sha256(rules).digest()).decode() for rules in STYLE.findall(body))
    styles = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    answer = Response(body, content_type="image/svg+xml; charset=utf-8")
    policy = f"default-src 'none'; style-src {styles}; frame-ancestors 'none'; sandbox"
    answer.headers["Content-Security-Policy"] = policy
    return answer


def rules_of(key: str) -> Rules:
    """The rules of a game that is or was on offer."""
    found = application().offered.get(key) or application().games_by_key.get(key)
    return found or raise_not_found(f"No game is called {key} here.")


def key_of(game: str) -> str:
    """Return the key of a game named in a query, in any case; "" stands for all games."""
    named = find(game)
    return rules_of(named.key if named else game).key if game else ""


def parse_number(text: str) -> int:
    """Read a game's number; raise ValueError for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise ValueError(text)
    return int(text)


def raise_not_found(sentence: str) -> NoReturn:
    raise NotFound(sentence)
