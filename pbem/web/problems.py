"""Errors (RFC 9457) and cross-origin access (CORS) under `/api`, which never identifies the reader."""

import json
from collections.abc import Mapping
from http import HTTPStatus

from flask import Response, request

from pbem.web.responses import NO_STORE

ROOT = "/api"
MEDIA = "application/problem+json"
CORS_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link, Retry-After",
}
PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "If-None-Match, If-Modified-Since",
    "Access-Control-Max-Age": "86400",
}

SENTENCES: Mapping[int, str] = {
    404: "There is nothing at this address; /api lists what there is.",
    405: "This address does not take this method; Allow names those that it takes.",
    500: "This answer could not be made. It is written down here, and nothing of yours is lost.",
    503: "The database does not answer at the moment. Please try again in a minute.",
}
"""Sentences for errors that a library raised, or that have none."""


def is_api_request() -> bool:
    return request.path == ROOT or request.path.startswith(f"{ROOT}/")


def problem(status: int, detail: str, **more: str) -> Response:
    """Return an error as `application/problem+json`, typed by its status alone (RFC 9457 4.2.1)."""
    ours = "requested URL" not in detail and status < HTTPStatus.INTERNAL_SERVER_ERROR
    said = detail if ours else SENTENCES.get(status, detail)
    known = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": said}
    body = json.dumps({**known, **more})
    return Response(body, status, {"Cache-Control": NO_STORE}, content_type=MEDIA)


def add_cors_headers(answer: Response) -> Response:
    """Add the CORS headers to all answers under `/api`, errors too."""
    if is_api_request() and request.method in ("GET", "HEAD", "OPTIONS"):
        answer.headers.update(CORS_HEADERS)
        answer.headers.update(PREFLIGHT_HEADERS if request.method == "OPTIONS" else {})
    return answer
