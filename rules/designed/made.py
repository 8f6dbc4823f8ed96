"""The rules of a game, made from a designer's file."""

from collections.abc import Container, Mapping
from types import MappingProxyType
from typing import Any

from rules.board import Board
from rules.contract import Family, Knowledge, Rules
from rules.designed.drawing import draw
from rules.designed.men import MenFromFile, ways_of
from rules.designed.openings import WithOpening, draft
from rules.designed.plan import Design
from rules.designed.playing_on import marks, playout
from rules.designed.reading import read_design
from rules.designed.setting import options_of, tables_for
from rules.designed.stones import FromFile
from rules.designed.telling import page as page_of
from rules.designed.telling import text, turn
from rules.moving import moving
from rules.stone_placement import PIE, one_stone

EMBLEM = '<path d="M20 6l12 7v14l-12 7-12-7V13zM20 13v14M14 17l12 6M26 17l-12 6" fill="none"/>'
"""The stamp of a game that has none of its own."""


def rules_from(text: str, taken: Container[str] = frozenset()) -> Rules:
    """Return the rules that a file tells. `taken` are names that no game and no side may have.

    Raise `rules.designed.reading.Faulty` with sentences that name their lines.
    """
    return rules_of(read_design(text, taken))


def rules_of(design: Design) -> Rules:
    options = options_of(design)
    usual = {option.name: option.default for option in options if not callable(option.default)}
    board = tables_for(design, usual).board
    middle, far = board.names[len(board) // 2], board.names[board.near[len(board) // 2][0]]
    named: dict[str, Any] = {
        "key": "-".join(design.name.lower().split()),
        "name": design.name,
        "designer": design.designer,
        "year": design.year,
        "terms": design.terms,
        "summary": design.summary,
        "turn": turn(design, f"{middle}-{far}" if design.men else middle),
        "options": options,
        "draw": draw,
        "family": _family(design),
        "text": text(design),
        "page": page_of(design),
        "emblem": EMBLEM,
    }
    if design.men:
        return moving(men_of(design), **named)
    if design.opening in ("swap2", "adopt"):
        named |= {"draft": draft, "words": MappingProxyType({"adopt": ""})}
        named["pie_words"] = ("adopt",) if design.opening == "adopt" else ()
        return one_stone(opened_of(design), knowledge=Knowledge(playout=playout, marks=marks), **named)
    words = PIE if design.opening == "swap" else {"words": MappingProxyType({}), "pie_words": ()}
    return one_stone(stones_of(design), knowledge=Knowledge(playout=playout, marks=marks), **named, **words)


def stones_of(design: Design) -> type[FromFile]:
    """Return the class of positions of a design in which stones are laid."""
    return type("FromFile", (FromFile,), _fields(design, FromFile.__module__))


def opened_of(design: Design) -> type[WithOpening]:
    """Return the class of positions of a design whose opening settles the sides."""
    return type("WithOpening", (WithOpening,), _fields(design, WithOpening.__module__))


def men_of(design: Design) -> type[MenFromFile]:
    """Return the class of positions of a design in which pieces move."""
    glyphs = [glyph for _, glyph in design.sides]
    fields = {
        **_fields(design, MenFromFile.__module__),
        "ways": MappingProxyType(dict.fromkeys(glyphs, ways_of(design))),
        "must_take": design.must_take,
    }
    return type("MenFromFile", (MenFromFile,), fields)


def _fields(design: Design, module: str) -> dict[str, Any]:
    def board_of(options: Mapping[str, Any]) -> Board:
        return tables_for(design, options).board

    return {
        "design": design,
        "players": design.sides,
        "board_of": staticmethod(board_of),
        "__module__": module,
    }


def _family(design: Design) -> Family:
    if design.men:
        return "moving"
    if any(goal.kind == "row" for goal in design.goals) or design.taking in ("turned", "removed"):
        return "lines"
    return "territory" if design.score else "connection"
