"""Answers of the API: JSON with validators, and addresses of further pages."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from flask import Response, jsonify

from pbem.web.api import shapes
from pbem.web.api.parameters import DEFAULT_PAGE_SIZE
from pbem.web.responses import public_response


def data_response(data: Mapping[str, Any]) -> Response:
    """Return data as JSON, with links to other pages (RFC 8288)."""
    answer = jsonify(data)
    found = [f'<{data[rel]}>; rel="{rel}"' for rel in ("next", "prev") if data.get(rel)]
    if found:
        answer.headers["Link"] = ", ".join(found)
    return answer


def json_response(data: Mapping[str, Any], changed_at: datetime | None = None) -> Response:
    return public_response(lambda: data_response(data), changed_at=changed_at)


def page_data(
    name: str,
    make: Callable[[Any], Mapping[str, Any]],
    found: Sequence[Any],
    most: int,
    place: Callable[[Any], Mapping[str, Any]],
    path: str = "",
) -> dict[str, Any]:
    """Return the first `most`, and the address of the next page, which begins after the last of them."""
    rest = page_address(path or name, place(found[most - 1]), most) if len(found) > most else None
    return {name: [make(each) for each in found[:most]], "next": rest}


def page_address(path: str, query: Mapping[str, Any], most: int, default: int = DEFAULT_PAGE_SIZE) -> str:
    wanted = {name: value for name, value in query.items() if value}
    return shapes.url(f"{path}?{urlencode(wanted | ({} if most == default else {'most': most}))}")
