"""What every page needs at the counter: the office, answers that browsers may keep, and kind refusals.

A public page says how fresh it is, so that a browser that has it already gets a few bytes instead.
"""

from __future__ import annotations

import re
import zlib
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, NoReturn, cast
from wsgiref.types import WSGIEnvironment

from flask import Response, current_app, make_response, render_template, request
from werkzeug.exceptions import NotFound

from pbem.office import Office

FOR_GOOD = "public, max-age=31536000, immutable"
CHECK_FIRST = "public, no-cache"
KEEP_TO_YOURSELF = "no-store"
_STYLE = re.compile(rb"<style>(.*?)</style>", re.DOTALL)
WORTH_PACKING = 1024
"""Bytes: below this a packed answer is hardly smaller."""


@dataclass(frozen=True)
class Seen:
    """How fresh a page is: a tag that changes with it, when it last changed."""

    tag: str
    changed_at: datetime | None
    by_date: bool = True
    """Whether the moment tells all: the name of somebody who is forgotten goes without one."""


def office() -> Office:
    return cast(Office, current_app.extensions["office"])


def edition() -> str:
    """What all pages have in common: changes with the templates, the static files and the version."""
    return cast(str, current_app.extensions["edition"])


def edition_at() -> datetime:
    """When the newest of these files was made."""
    return cast(datetime, current_app.extensions["edition_at"])


def public(make: Callable[[], str | Response], seen: Seen | None = None) -> Response:
    """The page that `make` makes, or 304 without making it where the reader has it already.

    Without `seen` the page is made first and known by its own bytes. A page that does not know when it
    changed last says when all pages did; nobody is told that he has it already by that date alone.
    """
    if seen is not None:
        known = _dated(Response(), seen)
        known.make_conditional(_asked(seen))
        if known.status_code == 304:
            return known
    answer = make_response(make())
    if seen is None:
        seen = Seen(sha256(answer.get_data()).hexdigest()[:20], None)
    _dated(answer, seen)
    _pack(answer)
    answer.make_conditional(_asked(seen))
    if answer.last_modified is None:
        answer.last_modified = edition_at()
    return answer


def _asked(seen: Seen) -> WSGIEnvironment:
    """The request, without the moment of what the reader has where that moment tells too little."""
    if seen.by_date:
        return request.environ
    return {name: value for name, value in request.environ.items() if name != "HTTP_IF_MODIFIED_SINCE"}


def _dated(answer: Response, seen: Seen) -> Response:
    answer.set_etag(f"{edition()}-{seen.tag}", weak=True)  # weak: packed or not, it is the same page
    if seen.changed_at is not None:  # werkzeug would make it this moment
        answer.last_modified = seen.changed_at
    answer.headers["Cache-Control"] = CHECK_FIRST
    answer.vary.add("Accept-Encoding")
    return answer


def _pack(answer: Response) -> None:
    """Gzip (RFC 1952), where the reader takes it; a public page has no secret for its length to tell."""
    body = answer.get_data()
    if len(body) < WORTH_PACKING or not request.accept_encodings.quality("gzip"):
        return
    packer = zlib.compressobj(6, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    answer.set_data(packer.compress(body) + packer.flush())
    answer.headers["Content-Encoding"] = "gzip"


def private(template: str, status: int = 200, **facts: Any) -> Response:
    """A page for one reader: kept nowhere."""
    answer = make_response(render_template(template, **facts), status)
    answer.headers["Cache-Control"] = KEEP_TO_YOURSELF
    return answer


def drawing(body: bytes) -> Response:
    """An SVG file by itself: no style rules work in it but its own, known by their digests."""
    digests = (b64encode(sha256(rules).digest()).decode() for rules in _STYLE.findall(body))
    styles = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    answer = Response(body, content_type="image/svg+xml; charset=utf-8")
    policy = f"default-src 'none'; style-src {styles}; frame-ancestors 'none'; sandbox"
    answer.headers["Content-Security-Policy"] = policy
    return answer


def missing(sentence: str) -> NoReturn:
    """There is no such page, and why, in a sentence for whoever asked."""
    raise NotFound(sentence)
