"""Contrasts of drawings (WCAG 2.2, 1.4.11), computed from SVG and style sheet, by day and by night."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rules import RULES, record
from rules.contract import Position, replay
from rules.looks import COLOURS
from rules.svg import svg

ROOT = Path(__file__).parents[2]
BY_DAY, BY_NIGHT = (ROOT / "templates/static/base.css").read_text().split("prefers-color-scheme: dark", 1)
NAMED = re.compile(r"--([\w-]+): (#\w{6})")
SHEETS = {"light": dict(NAMED.findall(BY_DAY)), "dark": dict(NAMED.findall(BY_NIGHT.split("*,")[0]))}
SCHEMES = tuple(SHEETS)
SVG = "{http://www.w3.org/2000/svg}"
MARKS, TEXTS = 3.0, 4.5


def luminance(colour: str) -> float:
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def example(key: str, plies: int | None = None) -> Position:
    found = record.replay(record.read((ROOT / f"templates/rules/{key}.game").read_text()))
    options = {name: str(value) for name, value in found.position.options.items()}
    return found.position if plies is None else replay(RULES[key].start(options), found.moves[:plies])


def painted(text: str, scheme: str) -> str:
    """The colour that a page paints for `var(--name,#......)`."""
    name = text.removeprefix("var(--").partition(",")[0]
    return SHEETS[scheme][name]


def drawn(position: Position) -> ElementTree.Element:
    return ElementTree.fromstring(svg(position.picture()))


def parts(position: Position, name: str) -> list[ElementTree.Element]:
    found = [each for each in drawn(position).iter() if name in each.get("class", "").split()]
    assert found, name
    return found


@pytest.mark.parametrize("scheme", SCHEMES)
def test_pages_and_files_paint_boards_in_the_same_colours(scheme: str) -> None:
    ours = {name: pair[SCHEMES.index(scheme)] for name, pair in COLOURS.items()}
    unlike = {name for name, colour in ours.items() if SHEETS[scheme].get(name) != colour}
    assert {"rule", "shade"} >= unlike  # quieter on a page than in a file


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("key", ["bounders", "begird", "bipod"])
def test_lines_between_cells_are_seen_on_every_ground(key: str, scheme: str) -> None:
    for position in (example(key, 12), example(key)):
        for group in parts(position, "cells"):
            fill, line = (painted(group.get(name, ""), scheme) for name in ("fill", "stroke"))
            paper = SHEETS[scheme]["paper"]
            if "cut" not in group.get("class", ""):  # cells that are out of the game have no lines
                assert contrast(line, fill) >= MARKS, group.get("class")
                assert contrast(line, paper) >= MARKS, group.get("class")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_cell_of_bounders_that_is_shut_has_a_bar_that_is_seen(scheme: str) -> None:
    position = example("bounders", 18)
    ground = next(each for each in parts(position, "shut") if "cells" in each.get("class", ""))
    bars = [each.find(f"{SVG}path") for each in parts(position, "shut") if "transform" in each.attrib]
    assert len(ground) == len(bars) > 20
    for bar in bars:
        assert bar is not None
        assert (
            contrast(painted(bar.get("stroke", ""), scheme), painted(ground.get("fill", ""), scheme)) >= MARKS
        )


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("look", "plies"), [("island", 20), ("joined", None)])
def test_an_island_of_begird_has_a_rim_and_a_number_that_are_seen(
    look: str, plies: int | None, scheme: str
) -> None:
    position = example("begird", plies)
    rim, fill = (painted(each.get("stroke", ""), scheme) for each in parts(position, look)[0])
    assert contrast(rim, SHEETS[scheme]["paper"]) >= MARKS
    numbers = parts(position, "numbers")[-1 if look == "joined" else 0]
    assert contrast(painted(numbers.get("fill", ""), scheme), fill) >= TEXTS
    assert int(numbers.get("font-size", "0")) >= 16


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("key", ["bounders", "begird", "bagel"])
def test_stones_are_seen_on_the_board_and_told_apart(key: str, scheme: str) -> None:
    fills = {}
    for look in ("light", "dark"):
        stone = parts(example(key), look)[0].find(f"{SVG}circle")
        assert stone is not None
        fill, rim = (painted(stone.get(name, ""), scheme) for name in ("fill", "stroke"))
        fills[look] = fill
        assert max(contrast(colour, SHEETS[scheme]["paper"]) for colour in (fill, rim)) >= MARKS
    assert contrast(fills["dark"], SHEETS[scheme]["paper"]) >= MARKS  # a rim is lost in a small board
    assert contrast(fills["dark"], fills["light"]) >= MARKS
