"""The OpenAPI 3.1 description, made from the table of calls. A pure function."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pbem import __version__
from pbem.config.table import Config
from pbem.web.api.schema import SHAPES, ref
from pbem.web.api.table import Call, Param
from pbem.web.problems import MEDIA

Data = dict[str, Any]

PROBLEMS = {
    "400": "A parameter is not as described, or is none of this call.",
    "404": "There is no such thing here, or nothing that the search could mean.",
    "429": "Too much was asked for just now; Retry-After says when to go on.",
    "500": "The answer could not be made.",
    "503": "The database does not answer; Retry-After says when to ask again.",
}
RESPONSE_HEADERS = {
    "ETag": "Changes with the answer; send it back in If-None-Match.",
    "Last-Modified": "When what is told of changed last, where that is known.",
}
LINK = "Pages after and before this one, as `next` and `prev` (RFC 8288)."


def description(calls: Iterable[Call], places: Mapping[str, Param], games: list[str], config: Config) -> Data:
    """The whole document; `games` are the keys of the games on offer."""
    of_game = replace(places["game"], schema={"type": "string", "enum": games})
    places = {**places, "game": of_game}
    problems = {"Problem": _problem("An error."), **{f"E{n}": _problem(w) for n, w in PROBLEMS.items()}}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"pbem at {config.host}",
            "version": __version__,
            "summary": "Board games by mail: all that is public of games, players and rules, to read.",
            "description": (
                "Everything here is read with GET, without a key, from any site. Lists go on at `next`. "
                "Answers have an ETag: ask again with If-None-Match, and what has not changed is a 304."
            ),
            "license": {"name": "Games belong to their designers and players", "url": f"{config.site}/rules"},
        },
        "servers": [{"url": config.site}],
        "paths": {call.path: {"get": _operation(call, places)} for call in calls},
        "components": {"schemas": SHAPES, "responses": problems},
    }


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


def _param(param: Param, where: str) -> Data:
    return {
        "name": param.name,
        "in": where,
        "required": where == "path",
        "description": param.help,
        "schema": dict(param.schema),
        "example": param.example,
    }
