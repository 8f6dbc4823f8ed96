"""The report as text, as a page and with its drawings."""

from __future__ import annotations

import re
from functools import cache
from typing import Any
from xml.etree import ElementTree

import html5lib
import pytest

from rules import RULES
from rules.lab.as_html import as_html
from rules.lab.as_text import as_text, table_lines
from rules.lab.figures import figures
from rules.lab.plan import Plan
from rules.lab.playing import do
from rules.lab.plots import drawings, plot_svg
from rules.lab.report import Bars, Report, Table, Whiskers, report
from rules.lab.swap_map import SwapMap
from rules.looks import COLOURS
from rules.picture import text
from tests.amount import some

pytestmark = pytest.mark.whole

SMALL: dict[str, dict[str, str]] = {
    "bagel": {},
    "begird": {"islands": "3", "side": "4"},
    "bipod": {"size": "3", "rows": "3"},
    "bounders": {"size": "3"},
    "hexthing": {},
}
TITLES = {
    "Who wins",
    "How long games are",
    "How often the last moves matter",
    "How many levels of play separate",
}
MAX_PAGE_BYTES = 120_000


@cache
def made(key: str) -> Report:
    plan = Plan(
        key, RULES[key].complete(SMALL[key]), games=2, level=1, levels=2, matches=2, map_level=1, settled=2
    )
    return report(plan, figures(plan, {task: do(plan, task) for task in plan.tasks()}))


@pytest.mark.parametrize("key", some(SMALL, 2))
def test_the_report_of_each_game_has_its_sections(key: str) -> None:
    titles = {section.title for section in made(key).sections}
    own = {"hexthing": set[str](), "bipod": {"The value of `adopt`", "At how many blocks `adopt` is even"}}
    assert titles == TITLES | own.get(key, {"Which first moves are swapped"})


@pytest.mark.parametrize("key", some(SMALL, 2))
def test_the_text_is_narrow_and_has_every_figure_with_its_interval(key: str) -> None:
    found = as_text(made(key))
    assert found.startswith(f"{RULES[key].name} in the laboratory\n=====")
    assert max(map(len, found.splitlines())) <= 78
    assert re.search(r"first seat +[\d.]+ of 2 +\d+% +\d+% to \d+%", found)
    assert re.search(r"2 against 1 +[\d.]+ of 2 +\d+% +\d+% to \d+%", found)
    assert "`" not in found
    assert found.endswith("\n")


@pytest.mark.parametrize("key", some(SMALL, 2))
def test_the_page_is_sound_and_small_and_needs_nothing_else(key: str) -> None:
    page = as_html(made(key))
    html5lib.HTMLParser(strict=True).parse(page)
    assert len(page.encode()) < MAX_PAGE_BYTES
    assert "<script" not in page
    assert not re.search(r'(src|href)="|url\(|@import', page)
    assert "prefers-color-scheme:dark" in page
    assert 1 == page.count("<h1>")
    assert len(made(key).sections) == page.count("<h2>")


@pytest.mark.parametrize("key", some(SMALL, 2))
def test_each_drawing_has_a_title_and_words_for_those_who_hear_it(key: str) -> None:
    page = as_html(made(key))
    drawings = re.findall(r"<svg [^>]*>", page)
    assert len(drawings) == page.count("<figcaption>") == sum(len(each.plots) for each in made(key).sections)
    for drawing in drawings:
        assert 'role="img"' in drawing
        assert re.search(r'aria-label="[^"]{20,}"', drawing)


@pytest.mark.parametrize("key", some(SMALL, 2))
def test_each_colour_of_a_page_is_defined_for_light_and_dark(key: str) -> None:
    page = as_html(made(key))
    style = page.partition("</style>")[0]
    for name in set(re.findall(r"var\(--([a-z-]+),", page.partition("</style>")[2])):
        light, dark = COLOURS[name]
        assert f"--{name}:{light};" in style
        assert f"--{name}:{dark};" in style


@pytest.mark.parametrize("key", some(SMALL, 2))
def test_each_drawing_is_a_file_too_that_turns_dark_by_itself(key: str) -> None:
    found = drawings(made(key))
    assert len(found) == sum(len(each.plots) for each in made(key).sections)
    assert "shares-of-games-won.svg" in found
    for name, drawn in found.items():
        assert re.fullmatch(r"[a-z0-9-]+\.svg", name)
        root = ElementTree.fromstring(drawn)
        assert {"width", "height", "viewBox", "role", "aria-label"} <= set(root.keys())
        assert "prefers-color-scheme:dark" in drawn
        assert "var(" not in drawn


def test_neither_dates_nor_seconds_are_in_a_report() -> None:
    for form in (as_text, as_html):
        assert not re.search(r"20\d\d-\d\d|\d+ seconds|\d\d:\d\d", form(made("bagel")))


def test_words_of_a_report_are_escaped_on_the_page() -> None:
    page = as_html(Report("<b>", ("`x<y`", "&"), ()))
    assert "<h1>&lt;b&gt;</h1>" in page
    assert "<code>x&lt;y</code> &amp;" in page


def test_a_table_has_its_first_column_to_the_left() -> None:
    assert ["who   games", "-----------", "a         1", "bcd      20"] == table_lines(
        Table(("who", "games"), (("a", "1"), ("bcd", "20")))
    )


def test_bars_are_as_long_as_their_numbers_say() -> None:
    drawn = plot_svg(Bars("Games", "Games: a: 5; b: 10.", (("a", 5), ("b", 10), ("c", 0))))
    widths = [float(width) for width in re.findall(r'width="([\d.]+)" height', drawn)]
    assert [0.5, 1.0, 0.0] == [width / widths[1] for width in widths]
    assert "<rect" not in plot_svg(Bars("Games", "None.", ()))


def test_whiskers_lie_round_their_dots() -> None:
    drawn = plot_svg(Whiskers("Shares", "Shares: a 50%.", (("a", 0.5, 0.25, 1.0),)))
    low, high = map(float, re.search(r'd="M([\d.]+) 10H([\d.]+)"', drawn).groups())  # type: ignore[union-attr]
    dot = float(re.search(r'cx="([\d.]+)"', drawn)[1])  # type: ignore[index]
    assert (dot - low) * 2 == pytest.approx(high - dot)
    assert ">50%</text>" in drawn


def swap_map(*values: float, key: str = "begird", **options: Any) -> SwapMap:
    board = RULES[key].start(options or SMALL[key]).picture()
    names = RULES[key].start(options or SMALL[key]).playable()
    return SwapMap(board, tuple(zip(names, values, strict=False)))


@pytest.mark.parametrize(
    ("value", "most", "digit"),
    [(0.5, 0.52, 5), (0.499, 0.52, 4), (0.511, 0.52, 6), (0.549, 0.54, 9), (0.46, 0.46, 1), (0.6, 0.9, 6)],
)
def test_digits_from_five_on_are_worth_a_swap(value: float, most: float, digit: int) -> None:
    drawn = swap_map(value, most)
    assert digit == drawn.digit(value)
    assert (digit >= 5) == (value >= 0.5)


def test_the_finest_step_is_taken_with_which_all_values_fit() -> None:
    assert [0.01, 0.02, 0.05, 0.1] == [swap_map(0.5, value).step for value in (0.54, 0.42, 0.7, 0.95)]
    assert {0, 9} == {swap_map(0.0, 1.0).digit(value) for value in (0.0, 1.0)}


def test_the_map_is_the_games_own_board_with_digits() -> None:
    drawn = swap_map(*([0.52] * 6), *([0.48] * 99))
    board = text(RULES["begird"].start(SMALL["begird"]).picture())
    shown = drawn.as_text()
    assert board == shown.replace("7", ".").replace("3 3 3 3", ". . . .")
    assert (6, 4) == (shown.count("7"), board.count(".") - 6)


def test_a_cell_is_red_where_a_swap_pays_and_tells_its_value() -> None:
    drawn = swap_map(0.6, 0.4)
    for standalone in (False, True):
        page = drawn.as_svg(standalone)
        assert 2 == page.count("<circle")
        first, second = re.findall(r'<circle [^>]*fill="([^"]+)"', page)
        assert ("red" in first, "blue" in second) == (not standalone, not standalone)
        assert (COLOURS["red"][0] in first, COLOURS["blue"][0] in second) == (True, True)
    name, other = (ply for ply, _ in drawn.plies)
    assert f"<title>{name}: value 0.60, worth a swap</title>" in drawn.as_svg()
    assert f"<title>{other}: value 0.40, not worth a swap</title>" in drawn.as_svg()


def test_a_deal_is_left_out_of_the_map_of_many_deals() -> None:
    start = RULES["bagel"].start({})
    drawn = SwapMap(start.picture(), tuple((name, 0.5) for name in start.playable()))
    assert {"empty"} == {spot.look for spot in drawn.picture.spots}
    assert "bagel-tile" not in drawn.as_svg()
