"""What is other under `/api` than on pages: errors for programs (RFC 9457), open to pages of any site (CORS).

Nothing there knows who asks, so there is nothing that another site could read in a visitor's name.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus

from flask import Flask, Response, request

ROOT = "/api"
MEDIA = "application/problem+json"
OPEN_TO = ("GET", "HEAD", "OPTIONS")
SHOWN = ("ETag", "Link", "Retry-After")
"""Headers that a script of another site may read, beside those that it always may."""
ASKABLE = ("If-None-Match", "If-Modified-Since")
"""Headers that such a script may send."""
A_DAY = 86_400

SENTENCES: Mapping[int, str] = {
    404: "There is nothing at this address; /api lists what there is.",
    405: "This can be read with GET or HEAD; nothing can be changed here.",
    500: "This answer could not be made. It is written down here, and nothing of yours is lost.",
    503: "The database does not answer at the moment. Please try again in a minute.",
}
"""What is said where whoever raised the error is a library, or we have nothing to say of it."""


def is_ours() -> bool:
    """Whether this request is for the API, so that its errors are for a program to read."""
    return request.path == ROOT or request.path.startswith(f"{ROOT}/")


def problem(status: int, detail: str, **more: str) -> Response:
    """An error as `application/problem+json`: the type is that of its status (RFC 9457 4.2.1)."""
    ours = "requested URL" not in detail and status < HTTPStatus.INTERNAL_SERVER_ERROR
    said = detail if ours else SENTENCES.get(status, detail)
    known = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    facts = {**known, "detail": said, **more}
    answer = Response(json.dumps(facts), status, content_type=MEDIA)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def stand(app: Flask) -> None:
    """Have every answer under `/api` say who may read it, errors too."""
    app.after_request(_opened)


def _opened(answer: Response) -> Response:
    if not is_ours() or request.method not in OPEN_TO:
        return answer
    answer.headers["Access-Control-Allow-Origin"] = "*"
    answer.headers["Access-Control-Expose-Headers"] = ", ".join(SHOWN)
    if request.method == "OPTIONS":
        answer.headers["Access-Control-Allow-Methods"] = ", ".join(OPEN_TO)
        answer.headers["Access-Control-Allow-Headers"] = ", ".join(ASKABLE)
        answer.headers["Access-Control-Max-Age"] = str(A_DAY)
    return answer
