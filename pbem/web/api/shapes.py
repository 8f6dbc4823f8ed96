"""JSON Schemas of all answers (draft 2020-12, the dialect of OpenAPI 3.1).

An object has the members listed and no others, unless it says so. Tests check every answer against its
schema.
"""

from collections.abc import Mapping
from typing import Any

from pbem.core.game.state import ENDINGS, RESULTS

Schema = dict[str, Any]


def obj(properties: Mapping[str, Schema], *optional: str, help: str = "") -> Schema:
    """An object with these members, all required but the optional ones."""
    required = [name for name in properties if name not in optional]
    found = {"type": "object", "properties": dict(properties), "required": required}
    return {**found, "additionalProperties": False, **({"description": help} if help else {})}


def array(items: Schema, help: str = "") -> Schema:
    return {"type": "array", "items": items, **({"description": help} if help else {})}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def or_null(schema: Schema) -> Schema:
    if isinstance(schema.get("type"), str) and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def text(help: str = "") -> Schema:
    return {"type": "string", **({"description": help} if help else {})}


def number(help: str = "", least: int = 0) -> Schema:
    return {"type": "integer", "minimum": least, **({"description": help} if help else {})}


def words(*allowed: str) -> Schema:
    return {"type": "string", "enum": list(allowed)}


def by_seat(schema: Schema) -> Schema:
    return obj({"first": schema, "second": schema})


def list_page(name: str, item: str, **more: Schema) -> Schema:
    return obj({name: array(ref(item)), **more, "next": or_null(ref("Url"))})


BOOLEAN, ANY = {"type": "boolean"}, {"type": "object"}
ID = {
    "type": "integer",
    "minimum": 1,
    "description": "A number for good: it is never given to anything else.",
}
MOMENT = {"type": "string", "format": "date-time", "description": "UTC, whole seconds."}
MOMENT_REF, URL = ref("Moment"), ref("Url")
SEAT = ref("Seat")
GAME = text("The key of the game that is played, as in /api/rules.")
OPTIONS = {"type": "object", "additionalProperties": {"type": ["string", "integer"]}}
RESULT = words(*RESULTS, "*")
LABELLED = array(obj({"label": text(), "items": array(text())}))
SCORES = {**ANY, "description": "By side, then by what is counted; empty where the game has none."}
PLAYED = {"n": number(least=1), "seat": SEAT, "move": text("Canonical spelling."), "at": MOMENT_REF}
SAID = {"comment": text("Words that came with it."), "auto": BOOLEAN}
RATED = {
    "rating": or_null(ref("Rating")),
    "rated": number("Rated games."),
    "won": number(),
    "drawn": number(),
    "lost": number(),
    "last_rated": or_null(MOMENT_REF),
}

SHAPES: dict[str, Schema] = {
    "Moment": MOMENT,
    "Url": {"type": "string", "format": "uri"},
    "Seat": words("first", "second"),
    "Player": obj({"id": ID, "name": text(), "url": URL}, help="A player's name may go; the number stays."),
    "Problem": {
        **obj(
            {
                "type": text(),
                "title": text("The name of the status."),
                "status": {"type": "integer", "minimum": 400, "maximum": 599},
                "detail": text("A sentence for whoever asked."),
                "parameter": text("Which parameter is wrong, if it is one."),
            },
            "parameter",
        ),
        "description": "An error, as RFC 9457 has it.",
    },
    "ListedGame": obj(
        {
            "id": ID,
            "game": GAME,
            "players": by_seat(ref("Player")),
            "plies": number(),
            "to_play": or_null(SEAT),
            "deadline": or_null(MOMENT_REF),
            "started": MOMENT_REF,
            "changed": MOMENT_REF,
            "ended": or_null(MOMENT_REF),
            "ended_by": or_null(text()),
            "result": RESULT,
            "reason": or_null(text("How it ended, in a sentence without its full stop.")),
            "url": URL,
            "page": URL,
        }
    ),
    "Games": list_page(
        "games",
        "ListedGame",
        count=obj(
            {"every": number(), "running": number(), "exact": BOOLEAN}, help="Not exact: at least so many."
        ),
        prev=or_null(URL),
    ),
    "Ply": obj({**PLAYED, **SAID}, *SAID, help="`auto`: the server made it, by orders left before."),
    "TakenBack": obj({**PLAYED, **SAID, "taken_back": MOMENT_REF}, *SAID),
    "Words": obj({"after": number("After which ply."), "seat": SEAT, "words": text(), "at": MOMENT_REF}),
    "Ruling": {
        **obj({"after": number(), "kind": text(), "at": MOMENT_REF, "reason": text()}),
        "additionalProperties": True,
        "description": "A director's decision.",
    },
    "Hand": obj(
        {
            "left_s": number("Seconds left at the moment `at`."),
            "runs": BOOLEAN,
            "stands": BOOLEAN,
            "stands_until": or_null(MOMENT_REF),
        }
    ),
    "Game": obj(
        {
            "id": ID,
            "game": GAME,
            "rules": text("The version of the rules it was begun under."),
            "options": OPTIONS,
            "seed": text(),
            "site": text("The host that keeps it."),
            "players": by_seat(
                obj({"id": ID, "name": text(), "side": or_null(text("What the seat plays now.")), "url": URL})
            ),
            "rated": BOOLEAN,
            "started": MOMENT_REF,
            "ended": or_null(MOMENT_REF),
            "result": RESULT,
            "outcome": or_null(
                obj(
                    {
                        "winner": or_null(SEAT),
                        "side": or_null(text()),
                        "how": words(*ENDINGS),
                        "reason": text(),
                    }
                )
            ),
            "ply": number("Plies made."),
            "to_play": or_null(SEAT),
            "side_to_play": or_null(text()),
            "plies": array(ref("Ply")),
            "said": array(ref("Words")),
            "taken_back": array(ref("TakenBack")),
            "director": array(ref("Ruling")),
            "board": text("The board now, in lines of 7-bit text."),
            "playable": array(text(), "Cells that may be played now."),
            "scores": SCORES,
            "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
            "clock": obj(
                {
                    "pace": text("As in 7d+1d<=14d, or none."),
                    "soft": BOOLEAN,
                    "running": or_null(
                        obj(
                            {
                                "at": MOMENT_REF,
                                "deadline": or_null(MOMENT_REF),
                                "first": ref("Hand"),
                                "second": ref("Hand"),
                            }
                        )
                    ),
                }
            ),
            "plies_url": URL,
            "position_url": URL,
            "url": URL,
            "page": URL,
        }
    ),
    "Plies": list_page("plies", "Ply", game=ID, last=number("Plies made.")),
    "Position": obj(
        {
            "game": ID,
            "n": number("After which ply; 0 is before the first."),
            "last": number("Plies made."),
            "move": or_null(text()),
            "by": or_null(SEAT),
            "to_play": or_null(SEAT),
            "sides": by_seat(or_null(text())),
            "board": text("In lines of 7-bit text."),
            "stones": LABELLED,
            "beside": LABELLED,
            "notes": array(text()),
            "scores": SCORES,
            "playable": array(text()),
            "state": {**ANY, "description": "The position as its game keeps it."},
            "svg": URL,
            "url": URL,
            "page": URL,
        }
    ),
    "Rating": obj(
        {"value": {"type": "integer"}, "deviation": number(), "provisional": BOOLEAN},
        help="Glicko-2; provisional where the deviation is above 110.",
    ),
    "Result": obj({"game": GAME, **RATED}),
    "WholePlayer": obj(
        {
            "id": ID,
            "name": text(),
            "since": MOMENT_REF,
            "vacation": or_null(obj({"begins": MOMENT_REF, "ends": MOMENT_REF})),
            "turns": obj({"with_clock": number(), "in_time": number()}),
            "results": array(ref("Result")),
            "games_url": URL,
            "url": URL,
            "page": URL,
        }
    ),
    "Players": list_page("players", "WholePlayer"),
    "RatingPoint": obj(
        {"game": ID, "at": MOMENT_REF, "value": {"type": "integer"}, "deviation": number(), "url": URL}
    ),
    "Ratings": obj(
        {
            "player": ref("Player"),
            "game": GAME,
            "points": array(ref("RatingPoint"), "The newest 300, in order."),
        }
    ),
    "Place": obj({"place": or_null(number(least=1)), "player": ref("Player"), **RATED}),
    "Standings": list_page(
        "ranked",
        "Place",
        game=GAME,
        provisional=array(
            ref("Place"), "The best of those whose rating is not sure; on the first page alone."
        ),
    ),
    "AllStandings": obj(
        {
            "standings": array(
                obj({"game": GAME, "finished": number(), "best": array(ref("Place")), "url": URL})
            )
        }
    ),
    "Figures": obj(
        {
            "game": GAME,
            "finished": number(),
            "results": obj({"first": number(), "second": number(), "draw": number()}),
            "first_seat": obj({"won": number(), "of": number("Games that somebody won.")}),
            "median_plies": or_null(number()),
            "lengths": array(obj({"plies": number(), "games": number(least=1)})),
            "months": array(obj({"month": text("As in 2026-03."), "games": number(least=1)})),
            "openings": array(
                obj({"move": text(), "games": number(least=1)}), "First plies, the most played first."
            ),
        }
    ),
    "Seek": obj(
        {
            "id": ID,
            "game": GAME,
            "options": OPTIONS,
            "seeker": ref("Player"),
            "seat": words("first", "second", "random"),
            "rated": BOOLEAN,
            "pace": text(),
            "soft": BOOLEAN,
            "since": MOMENT_REF,
            "until": MOMENT_REF,
            "take": {"type": "string", "format": "uri", "description": "The mail that takes it (RFC 6068)."},
        }
    ),
    "Seeks": list_page("seeks", "Seek"),
    "Option": obj(
        {
            "name": text(),
            "help": text(),
            "range": text("What it may be, in words."),
            "default": {"type": ["string", "integer", "null"]},
            "depends": {**BOOLEAN, "description": "Whether other options decide what it is or may be."},
        }
    ),
    "Rules": obj(
        {
            "key": text(),
            "name": text(),
            "designer": text(),
            "year": {"type": "integer"},
            "terms": text("The designer's terms of use."),
            "summary": text(),
            "turn": text("How a turn is written."),
            "version": text(),
            "swap": {**BOOLEAN, "description": "Whether there is a swap (pie rule)."},
            "options": array(ref("Option")),
            "text": text("The rules in plain words; with one game alone."),
            "url": URL,
            "page": URL,
        },
        "text",
    ),
    "AllRules": obj({"rules": array(ref("Rules"))}),
    "Description": {
        "type": "object",
        "description": "An OpenAPI description.",
        "required": ["openapi", "paths"],
    },
}
