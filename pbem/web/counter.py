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

from flask import Response, current_app, g, make_response, render_template, request
from werkzeug.exceptions import NotFound

from pbem.office import Office
from rules.contract import Rules

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
    changed_at: datetime | None = None
    """None where nobody knows."""
    by_date: bool = True
    """Whether the moment tells all: days off and letters that come back change a running game's page without
    one, and the name of somebody who is forgotten goes without one."""
    for_good: bool = False
    """Whether the address asked for can never have anything else."""


def office() -> Office:
    return cast(Office, current_app.extensions["office"])


def edition() -> str:
    """Changes with the version, with the files of pages and with what they all tell of the server."""
    return cast(str, current_app.extensions["edition"])


def edition_at() -> datetime:
    """When the newest of the files was made that pages are made of."""
    return cast(datetime, current_app.extensions["edition_at"])


def public(
    make: Callable[[], str | Response], seen: Seen | None = None, *, changed_at: datetime | None = None
) -> Response:
    """The page that `make` makes, or 304 without making it where the reader has it already.

    Without `seen` the page is made first and known by its own bytes; `changed_at` is then only told. A page
    that does not know when it changed last says when all pages did.
    """
    if seen is not None:
        known = _dated(Response(), seen)
        known.make_conditional(_asked(seen))
        if known.status_code == 304:
            g.unmade = True
            return known
    answer = make_response(make())
    if seen is None:
        seen = Seen(sha256(answer.get_data()).hexdigest()[:20], changed_at, by_date=False)
    _dated(answer, seen)
    _pack(answer)
    return cast(Response, answer.make_conditional(_asked(seen)))


def _asked(seen: Seen) -> WSGIEnvironment:
    """The request, without the moment of what the reader has unless that very moment tells all.

    An earlier or later one is of another page, for a mail that was long on its way is dated to its coming.
    """
    at = seen.changed_at if seen.by_date else None
    if at is not None and request.if_modified_since == at.replace(microsecond=0):
        return request.environ
    return {name: value for name, value in request.environ.items() if name != "HTTP_IF_MODIFIED_SINCE"}


def _dated(answer: Response, seen: Seen) -> Response:
    answer.set_etag(f"{edition()}-{seen.tag}", weak=True)  # weak: packed or not, it is the same page
    answer.last_modified = seen.changed_at or edition_at()
    answer.headers["Cache-Control"] = FOR_GOOD if seen.for_good else CHECK_FIRST
    answer.vary.add("Accept-Encoding")
    return answer


def _pack(answer: Response) -> None:
    """Gzip (RFC 1952), where the reader takes it; a public page has no secret for its length to tell."""
    body = answer.get_data()
    packed = answer.mimetype == "image/png"
    if packed or len(body) < WORTH_PACKING or not request.accept_encodings.quality("gzip"):
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


def rules_of(key: str) -> Rules:
    """A game that is on offer, or may have been when games of it began."""
    found = office().offered.get(key) or office().shelf.rules.get(key)
    return found or missing(f"No game is called {key} here.")


def number(text: str) -> int:
    """A game's number in a query; ValueError for anything else."""
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise ValueError(text)
    return int(text)


def missing(sentence: str) -> NoReturn:
    """There is no such page, and why, in a sentence for whoever asked."""
    raise NotFound(sentence)
