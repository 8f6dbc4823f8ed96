"""The OpenAPI 3.1 description of calls of the API. A pure function."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from flask.typing import ResponseReturnValue

from pbem import __version__
from pbem.config.table import Config
from pbem.web.api.schema import SHAPES, Data, InvalidParameter, Param, ref
from pbem.web.problems import MEDIA

PATH_PARAMETER = re.compile(r"\{(\w+)\}")

PROBLEMS = {
    "400": "A parameter is not as described, or is none of this call.",
    "404": "There is no such thing here, or nothing that the search could mean.",
    "429": "Too much was asked for just now; Retry-After says when to go on.",
    "500": "The answer could not be made.",
    "503": "The database does not answer; Retry-After says when to ask again.",
}
CHANGE_PROBLEMS = {
    "400": "The request is not as described.",
    "401": "There is no token, or none that is known.",
    "403": "The token does not play here, or not any more.",
    "404": PROBLEMS["404"],
    "409": "The board is another now, or it is not this player's turn.",
    "413": "The request is too large.",
    "415": "The request is no JSON.",
    "422": "The move cannot be made.",
    **{status: PROBLEMS[status] for status in ("429", "500", "503")},
}
RESPONSE_HEADERS = {
    "ETag": "Changes with the answer; send it back in If-None-Match.",
    "Last-Modified": "When what is told of changed last, where that is known.",
}
LINK = "Pages after and before this one, as `next` and `prev` (RFC 8288)."


@dataclass(frozen=True)
class Call:
    """A row of the table. `answers` names a schema; `make` gets the given parameters by name.

    A call with a `body`, the name of its schema, changes something: its method is POST.
    """

    path: str
    make: Callable[..., ResponseReturnValue]
    answers: str
    title: str
    help: str
    query: tuple[Param, ...] = ()
    body: str = ""

    @property
    def method(self) -> str:
        return "POST" if self.body else "GET"

    @property
    def name(self) -> str:
        return self.make.__name__.strip("_")

    @property
    def places(self) -> list[str]:
        return PATH_PARAMETER.findall(self.path)

    @property
    def rule(self) -> str:
        """The path in Flask's spelling."""
        return PATH_PARAMETER.sub(r"<\1>", self.path)

    @property
    def pages(self) -> bool:
        """True if the answer has further pages: `next`, and a link."""
        return any(param.name in ("before", "after", "below") for param in self.query)

    def read_query(self, query: Mapping[str, list[str]]) -> dict[str, Any]:
        """Read the query's parameters by name; raises InvalidParameter."""
        known = {param.name: param for param in self.query}
        for name, values in query.items():
            if name not in known:
                names = ", ".join(known) or "none"
                raise InvalidParameter(
                    name[:40], f"There is no parameter {name[:40]!r} here; there is {names}."
                )
            if len(values) > 1:
                raise InvalidParameter(name, f"{name} is written more than once.")
        return {name: known[name].read(values[0]) for name, values in query.items()}


def description(calls: Iterable[Call], places: Mapping[str, Param], games: list[str], config: Config) -> Data:
    """The whole document; `games` are the keys of the games on offer."""
    of_game = replace(places["game"], schema={"type": "string", "enum": games})
    places = {**places, "game": of_game}
    problems = {"Problem": _problem("An error.")}
    problems |= _problems("E", PROBLEMS) | _problems("C", CHANGE_PROBLEMS)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"pbem at {config.host}",
            "version": __version__,
            "summary": "Board games by mail: all that is public of games, players and rules.",
            "description": (
                "Everything here is read with GET, without a key, from any site. Lists go on at `next`. "
                "Answers have an ETag: ask again with If-None-Match, and what has not changed is a 304. "
                "A move is made with POST, with a token of its player."
            ),
            "license": {"name": "Games belong to their designers and players", "url": f"{config.site}/rules"},
        },
        "servers": [{"url": config.site}],
        "paths": {
            call.path: {"post": _change(call, places)} if call.body else {"get": _operation(call, places)}
            for call in calls
        },
        "components": {
            "schemas": SHAPES,
            "responses": problems,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _problems(letter: str, problems: Mapping[str, str]) -> Data:
    return {f"{letter}{status}": _problem(words) for status, words in problems.items()}


def _problem(words: str) -> Data:
    later = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}}
    headers = {"headers": later} if "Retry-After" in words else {}
    return {"description": words, **headers, "content": {MEDIA: {"schema": ref("Problem")}}}


def _operation(call: Call, places: Mapping[str, Param]) -> Data:
    told = RESPONSE_HEADERS | ({"Link": LINK} if call.pages else {})
    headers = {
        name: {"description": words, "schema": {"type": "string"}, "required": name == "ETag"}
        for name, words in told.items()
    }
    params = [_param(places[name], "path") for name in call.places]
    params += [_param(param, "query") for param in call.query]
    return {
        "operationId": call.name,
        "summary": call.title,
        "description": call.help,
        "parameters": params,
        "responses": {
            "200": {
                "description": call.title,
                "headers": headers,
                "content": {"application/json": {"schema": ref(call.answers)}},
            },
            "304": {"description": "What the reader has is still the newest."},
            **{status: {"$ref": f"#/components/responses/E{status}"} for status in PROBLEMS},
            "default": {"$ref": "#/components/responses/Problem"},
        },
    }


def _change(call: Call, places: Mapping[str, Param]) -> Data:
    answer = {"application/json": {"schema": ref(call.answers)}}
    return {
        "operationId": call.name,
        "summary": call.title,
        "description": call.help,
        "parameters": [_param(places[name], "path") for name in call.places],
        "security": [{"token": []}],
        "requestBody": {"required": True, "content": {"application/json": {"schema": ref(call.body)}}},
        "responses": {
            "200": {"description": call.title, "content": answer},
            "202": {"description": "The move is kept, and made in a moment.", "content": answer},
            **{status: {"$ref": f"#/components/responses/C{status}"} for status in CHANGE_PROBLEMS},
            "default": {"$ref": "#/components/responses/Problem"},
        },
    }


def _param(param: Param, where: str) -> Data:
    return {
        "name": param.name,
        "in": where,
        "required": where == "path",
        "description": param.help,
        "schema": dict(param.schema),
        "example": param.example,
    }
