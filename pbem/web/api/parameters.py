"""The parameters of calls of the API."""

from collections.abc import Mapping
from dataclasses import replace

from pbem.core.parsing.line import MAX_MOVE
from pbem.web.api.schema import Param, Schema, number, words
from pbem.web.search_form import CHOICES, FIELDS

DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE = 20, 100


def _text_schema(field: str) -> Schema:
    most = FIELDS[field]
    help = f"at most {most} characters, none of them a control character"
    return {"type": "string", "maxLength": most, "pattern": r"^[^\x00-\x1f\x7f]*$", "description": help}


NAME = r"[A-Za-z][A-Za-z0-9_-]{1,19}"
NAME_SCHEMA: Schema = {"type": "string", "pattern": f"^{NAME}$", "description": "a player's name"}
DATE: Schema = {
    "type": "string",
    "pattern": r"^[0-9]{4}(-[0-9]{1,2}(-[0-9]{1,2})?)?$",
    "description": "a day, a month or a year, as in 2026-03-31, 2026-03, 2026",
}
WEEK: Schema = {
    "type": "string",
    "pattern": "^[0-9]{4}-[0-9]{2}$",
    "description": "a year and a week, as in 2026-47",
}
ID, N = number(least=1, most=999_999_999_999), number(most=99_999)

PATH_PARAMETERS: Mapping[str, Param] = {
    "id": Param("id", "The number of a game.", ID, 42),
    "n": Param("n", "After which ply; 0 is before the first.", N, 3),
    "game": Param("game", "The key of a game.", {"type": "string"}, "bipod"),
    "puzzle": Param("puzzle", "The number of a puzzle.", ID, 12),
    "event": Param("event", "The number of an event.", ID, 3),
    "match": Param("match", "The number of a match.", ID, 5),
    "ladder": Param("ladder", "The key of a game with a ladder.", {"type": "string"}, "bipod"),
    "week": Param("week", "A week by its ISO number.", WEEK, "2026-47"),
    "player": Param(
        "player",
        "A player's name, or number: names may go, numbers stay.",
        {"type": "string", "pattern": f"^({NAME}|[1-9][0-9]{{0,11}})$", "description": "a name or a number"},
        "Bill",
    ),
}

OF_GAME = Param("game", "The name or key of a game.", _text_schema("game"), "bipod")
AFTER_ID = Param("after", "The number after which the list goes on.", ID, 41)
PAGE_SIZE_PARAMETER = Param(
    "most",
    f"How many there are on a page, {DEFAULT_PAGE_SIZE} if nothing is said.",
    number(least=1, most=MAX_PAGE_SIZE),
    DEFAULT_PAGE_SIZE,
)

STATES, DATED, ORDER = (words(*CHOICES[field][0]) for field in ("state", "dated", "order"))
SEARCH = (
    OF_GAME,
    Param("player", "One player, or two as in Bill against Joao.", _text_schema("player"), "Bill"),
    Param("state", "How they stand; won and lost are those of the player.", STATES, "finished"),
    Param("ended_by", "How they ended.", words(*CHOICES["ended_by"][0]), "resignation"),
    Param("options", "Options, as in size=5 rows=6.", _text_schema("options"), "size=5"),
    Param("dated", "Whether from and to are of their begin or their end.", DATED, "ended"),
    Param("from", "From this day, month or year on.", DATE, "2026-03"),
    Param("to", "Until this day, month or year, itself included.", DATE, "2026"),
    Param("more", "More plies than this.", N, 9),
    Param("fewer", "Fewer plies than this.", N, 401),
    Param("shortest", "At least so many plies.", N, 10),
    Param("longest", "At most so many plies.", N, 400),
    Param("order", "Those begun last first, ended last first, or the longest first.", ORDER, "ended"),
)
"""The fields of the search at `/games`."""

BEFORE = Param("before", "Games after this one in the list: as `next` has it.", ID, 42)
AFTER = Param("after", "Games before this one, as `prev` has it; `before` counts for nothing then.", ID, 42)
AFTER_PLY = Param("after", "Plies after this one.", N, 10)
BEFORE_PUZZLE = Param("before", "Puzzles before this one, as `next` has it.", ID, 12)
TRIED = Param(
    "move",
    "A move, to be judged; 404 if it is not legal there.",
    {
        "type": "string",
        "maxLength": MAX_MOVE,
        "pattern": r"^[^\x00-\x1f\x7f]*$",
        "description": f"at most {MAX_MOVE} characters, none of them a control character",
    },
    "d4",
)
BEFORE_EVENT = Param("before", "Events before this one, as `next` has it.", ID, 12)
AFTER_DIVISION = Param("after", "Divisions below this one, as `next` has it.", number(most=9999), 4)
BEFORE_WEEK = Param("before", "Papers before that of this week, as `next` has it.", WEEK, "2026-47")
LONG = replace(PAGE_SIZE_PARAMETER, help=f"How many there are on a page, {MAX_PAGE_SIZE} if nothing is said.")
BELOW = Param("below", "Places below this player, as `next` has it.", NAME_SCHEMA, "Bill")
BEGINS = Param(
    "name", "How their names begin.", {**NAME_SCHEMA, "pattern": "^[A-Za-z][A-Za-z0-9_-]{0,19}$"}, "Bi"
)
AFTER_NAME = Param("after", "Names after this one.", NAME_SCHEMA, "Bill")
