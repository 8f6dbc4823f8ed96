"""The words of a designer's file and their phrases. Each makes a value of `rules.designed.plan`."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from rules.designed.forms import Form, Forms, Gap, Slip, shown
from rules.designed.plan import Goal, Size, WayLine, Where

HEADER = ("game", "designer", "year", "terms", "summary", "note")
RULES_WORDS = (
    *("board", "sides", "start", "turn", "where", "moves", "takes", "must", "never"),
    *("wins", "stuck", "score", "ties", "opening", "draws"),
)
WORDS = (*HEADER, *RULES_WORDS)
SEVERAL = frozenset({"board", "where", "moves", "takes", "never", "wins", "ties", "draws"})
"""Words of which several lines may stand in a file."""
MAX_PLIES = 1000
WAYS = ("ahead", "aslant ahead", "sideways", "back", "aslant back", "straight", "aslant", "all round")


def whole(text: str) -> int:
    return int(text)


def size(text: str) -> Size:
    """Read `11`, `11 (3 to 19)`, `11 (3 to 19, rated 9 to 19)` or `8 (4 6 8 10)`."""
    usual, _, rest = text.partition(" ")
    number, inside = int(usual), rest.strip("()")
    if not inside:
        return Size(number, (number,))
    values, _, rated = inside.partition(", rated ")
    if re.fullmatch(r"\d+ to \d+", values):
        least, most = map(int, values.split(" to "))
        allowed = tuple(range(least, most + 1))
    elif re.fullmatch(r"\d+( \d+)*", values):
        allowed = tuple(sorted({*map(int, values.split())}))
    else:
        raise Slip(
            f"{shown(inside)} is no range; expected like (3 to 19), (4 6 8) or (3 to 19, rated 9 to 19)"
        )
    if number not in allowed:
        raise Slip(f"{number} is not among {shown(values)}")
    if rated and not re.fullmatch(r"\d+ to \d+", rated):
        raise Slip(f"{shown(rated)} is no range; expected like rated 9 to 19")
    limits = tuple(map(int, rated.split(" to "))) if rated else None
    if limits and not (allowed[0] <= limits[0] <= number <= limits[1] <= allowed[-1]):
        raise Slip(f"rated sizes lie within {allowed[0]} to {allowed[-1]} and include {number}")
    return Size(number, allowed, (limits[0], limits[1]) if limits else None)


def numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))


_NUMBER = r"\d{1,4}"
_EDGES = ("bottom", "top", "left", "right")
GAPS: Mapping[str, Gap] = {
    "n": Gap(_NUMBER, whole, "a number"),
    "m": Gap(_NUMBER, whole, "a number"),
    "k": Gap(_NUMBER, whole, "a number"),
    "size": Gap(
        r"\d{1,2}(?: \([a-z0-9 ,]+\))?", size, "a number up to 99, perhaps with a range as in 11 (3 to 19)"
    ),
    "numbers": Gap(r"\d{1,2}(?: \d{1,2})*", numbers, "numbers such as 4 4 3 3 3"),
    "edge": Gap("|".join(_EDGES), str, "an edge: bottom, top, left or right"),
    "edge2": Gap("|".join(_EDGES), str, "an edge: bottom, top, left or right"),
    "whose": Gap("own|rival|any", str, "own, rival or any"),
    "way": Gap("|".join(sorted(WAYS, key=len, reverse=True)), str, "a way: " + ", ".join(WAYS)),
    "side": Gap(r"[a-z]+", str, "the name of a side"),
    "side2": Gap(r"[a-z]+", str, "the name of a side"),
}


def _beside(least: int, most: int, whose: str) -> Where:
    return Where("number", least, most, whose)  # type: ignore[arg-type]


MANY = 9
"""More stones than can lie beside a cell."""


def _const(value: Any) -> Callable[..., Any]:
    return lambda: value


def _row(exact: bool, number: int) -> Goal:
    if not 3 <= number <= 19:
        raise Slip(f"a row has 3 to 19 stones, not {number}")
    return Goal("row", number=number, exact=exact)


def _many(kind: Any, number: int) -> Goal:
    return Goal(kind, number=number)


def _two_edges(one: str, other: str) -> Goal:
    if {one, other} not in ({"bottom", "top"}, {"left", "right"}):
        raise Slip("two edges that lie opposite are joined: bottom and top, or left and right")
    return Goal("edges", edges=(one, other))


def _plies(number: int) -> tuple[str, int]:
    if not 2 <= number <= MAX_PLIES:
        raise Slip(f"a game has 2 to {MAX_PLIES} plies")
    return "plies", number


def _repeats(number: int) -> tuple[str, int]:
    if not 2 <= number <= 5:
        raise Slip("a board stands 2 to 5 times")
    return "repeats", number


def _rows_of_men(number: int) -> str:
    if not 1 <= number <= 4:
        raise Slip("each side has 1 to 4 rows of men")
    return f"rows {number}"


def forms(*pairs: tuple[str, Callable[..., Any]]) -> Forms:
    return Forms(tuple(Form(text, make) for text, make in pairs), GAPS)


PHRASES: Mapping[str, Forms] = {
    "turn": forms(("lay one", _const(False)), ("move one", _const(True))),
    "where": forms(
        ("beside as many own as rival stones", _const(Where("equal"))),
        ("beside no {whose} stones", partial(_beside, 0, 0)),
        ("beside {n} or more {whose} stones", lambda n, whose: _beside(n, MANY, whose)),
        ("beside at most {n} {whose} stones", lambda n, whose: _beside(0, n, whose)),
        ("beside {n} {whose} stones", lambda n, whose: _beside(n, n, whose)),
        ("on the edge", _const(Where("edge"))),
        ("off the edge", _const(Where("inside"))),
        ("it takes", _const(Where("takes"))),
    ),
    "moves": forms(
        ("step {way}", partial(WayLine, "step")),
        ("slide {way}", partial(WayLine, "slide")),
        ("jump {way} over any", partial(WayLine, "jump")),
    ),
    "takes": forms(
        ("surrounded groups", _const("surrounded")),
        ("flanked rows, turned", _const("turned")),
        ("flanked rows, removed", _const("removed")),
        ("step {way}", partial(WayLine, "step")),
        ("slide {way}", partial(WayLine, "slide")),
        ("jump {way} over rival", partial(WayLine, "jump")),
    ),
    "must": forms(("take", _const(True))),
    "never": forms(
        ("own group without room", _const("no room")),
        ("the board before", _const("board before")),
        ("an earlier board", _const("earlier board")),
    ),
    "wins": forms(
        ("joins {edge} and {edge2}", _two_edges),
        ("joins {n} edges", partial(_many, "many edges")),
        ("joins {n} corners", partial(_many, "corners")),
        ("joins opposite islands", _const(Goal("opposite"))),
        ("joins islands over half the ring", _const(Goal("half"))),
        ("ring", _const(Goal("ring"))),
        ("{n} in a row", partial(_row, False)),
        ("exactly {n} in a row", partial(_row, True)),
        ("reaches the far row", _const(Goal("far"))),
        ("rival has no men", _const(Goal("bare"))),
    ),
    "stuck": forms(("loses", _const("loses")), ("passes", _const("passes")), ("ends", _const("ends"))),
    "score": forms(
        ("stones", _const("stones")),
        ("empty regions, to more stones beside", _const("regions")),
    ),
    "opening": forms(
        ("swap", _const(("swap", False, ""))),
        ("swap or none", _const(("swap", True, ""))),
        ("swap2", _const(("swap2", False, ""))),
        ("swap2 or none", _const(("swap2", True, ""))),
        ("adopt", _const(("adopt", False, ""))),
        ("swap or none, swap with {side}", lambda side: ("swap", True, side)),
    ),
    "draws": forms(("after {n} plies", _plies), ("same board {n} times", _repeats)),
    "start": forms(
        ("{n} rows of men each", _rows_of_men),
        ("four in the middle, crossed", _const("four")),
    ),
}
"""The phrases of each word but `board`, `sides`, `ties` and cells of `start`, which `reading` takes apart."""

SIZES = forms(
    ("side {size}", lambda size: ("side", size, 0, 0)),
    ("size {size}", lambda size: ("size", size, 0, 0)),
    ("sides {n} and {m}", lambda n, m: ("", Size(n, (n,)), m, 0)),
    ("{n} rows of {m} and {k}", lambda n, m, k: ("", Size(n, (n,)), m, k)),
)
SHAPES = forms(
    *((shape, _const(shape)) for shape in ("rhombus", "triangle", "hexagon", "square", "rectangle"))
)
FURTHER = forms(
    ("{n} islands", lambda n: ("islands", n, (), ())),
    ("{n} islands of {numbers}", lambda n, lengths: ("islands", n, lengths, ())),
    ("{n} islands of {side} and {side2} by turns", lambda n, one, other: ("islands", n, (), (one, other))),
    ("corners apart", _const(("corners", 0, (), ()))),
    ("eight neighbours", _const(("eight", 0, (), ()))),
)
TIES: Mapping[str, str] = {
    "largest region": "largest",
    "more regions": "number",
    "fewer stones": "fewer",
    "first stone": "first",
    "half a point for second": "second",
    "draw": "draw",
}
OF_REGIONS = frozenset({"largest", "number"})
