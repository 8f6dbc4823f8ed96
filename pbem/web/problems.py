"""Errors (RFC 9457) and cross-origin access (CORS) under `/api`.

The API never identifies the reader, so another site can read nothing there in a visitor's name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

from flask import Response, request

ROOT = "/api"
MEDIA = "application/problem+json"
CORS_METHODS = ("GET", "HEAD", "OPTIONS")
EXPOSED_HEADERS = ("ETag", "Link", "Retry-After")
"""Response headers open to scripts of other sites, beside the usual ones."""
CORS_REQUEST_HEADERS = ("If-None-Match", "If-Modified-Since")
"""Request headers that such a script may send."""
CORS_MAX_AGE_SECONDS = 86_400

SENTENCES: Mapping[int, str] = {
    404: "There is nothing at this address; /api lists what there is.",
    405: "This can be read with GET or HEAD; nothing can be changed here.",
    500: "This answer could not be made. It is written down here, and nothing of yours is lost.",
    503: "The database does not answer at the moment. Please try again in a minute.",
}
"""Sentences for errors that a library raised, or that have none."""


def is_api_request() -> bool:
    """True if the request is for the API, whose errors are JSON."""
    return request.path == ROOT or request.path.startswith(f"{ROOT}/")


def problem(status: int, detail: str, **more: str) -> Response:
    """An error as `application/problem+json`. Its type is that of its status (RFC 9457 4.2.1)."""
    ours = "requested URL" not in detail and status < HTTPStatus.INTERNAL_SERVER_ERROR
    said = detail if ours else SENTENCES.get(status, detail)
    known = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    facts = {**known, "detail": said, **more}
    answer = Response(json.dumps(facts), status, content_type=MEDIA)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def add_cors_headers(answer: Response) -> Response:
    """Add the CORS headers to all answers under `/api`, errors too."""
    if not is_api_request() or request.method not in CORS_METHODS:
        return answer
    answer.headers["Access-Control-Allow-Origin"] = "*"
    answer.headers["Access-Control-Expose-Headers"] = ", ".join(EXPOSED_HEADERS)
    if request.method == "OPTIONS":
        answer.headers["Access-Control-Allow-Methods"] = ", ".join(CORS_METHODS)
        answer.headers["Access-Control-Allow-Headers"] = ", ".join(CORS_REQUEST_HEADERS)
        answer.headers["Access-Control-Max-Age"] = str(CORS_MAX_AGE_SECONDS)
    return answer
