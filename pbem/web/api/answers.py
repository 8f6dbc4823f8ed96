"""Answers of the API: JSON with its validators, and addresses of further pages."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from flask import Response, jsonify

from pbem.web.api import shapes
from pbem.web.api.parameters import DEFAULT_PAGE_SIZE
from pbem.web.responses import public_response


def data_response(data: Mapping[str, Any]) -> Response:
    """Data as JSON, with links to the next and previous page (RFC 8288)."""
    answer = jsonify(data)
    found = [f'<{data[rel]}>; rel="{rel}"' for rel in ("next", "prev") if data.get(rel)]
    if found:
        answer.headers["Link"] = ", ".join(found)
    return answer


def json_response(data: Mapping[str, Any], changed_at: datetime | None = None) -> Response:
    return public_response(lambda: data_response(data), changed_at=changed_at)


def page_address(path: str, query: Mapping[str, Any], most: int, default: int = DEFAULT_PAGE_SIZE) -> str:
    wanted = {name: value for name, value in query.items() if value}
    return shapes.url(f"{path}?{urlencode(wanted | ({} if most == default else {'most': most}))}")
