"""Hexagonal Thing in words and pictures: the rules as mailed, the drawing of flat-topped hexes, its table."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbem.core.parsing.line import read_line
from rules import RULES
from rules.picture import cell_table, stone_lines, text
from rules.random_play import RandomGame
from rules.svg import svg
from tests.rules.drawn_hexthing import HEXTHING, played, start

SVG = "{http://www.w3.org/2000/svg}"
WORDS = (Path(__file__).parents[2] / "templates" / "rules" / "hexthing.txt").read_text()


@pytest.mark.parametrize("key", RULES)
def test_no_line_of_the_rules_is_an_order_in_any_game(key):
    reader = RULES[key].start().read
    for line in WORDS.splitlines():
        for quoted in (line, line.strip(), line.strip(" *"), line.strip().lower()):
            assert read_line(quoted, reader) is None, line


def test_the_board_in_the_rules_is_as_the_game_draws_it():
    board = "\n".join(f"  {line}".rstrip() for line in text(start().picture()).splitlines())
    assert f"\n{board}\n" in WORDS


def test_the_rules_credit_the_designer_and_say_what_is_not_known():
    words = " ".join(WORDS.split())
    assert "All rights on game, board, rules and concept are his." in words
    assert "Playing it without commerce is allowed and encouraged" in words
    assert "Which seven hexes have the stars on which Things begin is a drawing that no text tells" in words
    assert HEXTHING.designer in words
    assert "allowed and encouraged" in HEXTHING.terms


@pytest.mark.parametrize(
    "line",
    [
        "lot 1N 2U bid 5",
        "play 2U",
        "play 2U bid 3",
        "play 3D offer 40",
        "play 1S change $15",
        "play 1S",
        "bid 6",
        "offer 39",
        "take e5",
        "put c3",
        "pass put c3",
        "bid 8 take e5",
        "lot 1N bid 0 max 12",
        "play 2U bid 3 max 20 take e5",
    ],
)
def test_every_example_in_the_rules_is_canonical(line):
    assert line in " ".join(WORDS.split())
    assert line == str(start().read(line))


def test_no_line_of_a_whole_games_boards_and_lists_is_an_order():
    reader = start().read
    for position, _ in RandomGame(HEXTHING, {}, 3).steps:
        shown = [text(position.picture(), last=True), *stone_lines(position.stones())]
        for line in "\n".join(shown).splitlines():
            assert read_line(line.strip(), reader) is None, line


# --------------------------------------------------------------------------------------------- drawing


def drawn(position, **how):
    return ElementTree.fromstring(svg(position.picture(), **how))


def corners(path):
    """The corners of a hexagon's path, from its first one on."""
    x, y = map(float, path[1 : path.index("l")].split())
    points = [(x, y)]
    steps = [float(number) for number in path[path.index("l") + 1 : -1].split()]
    for dx, dy in zip(steps[::2], steps[1::2], strict=True):
        x, y = x + dx, y + dy
        points.append((x, y))
    return points


def hexes(root):
    return {
        path.get("data-cell"): corners(path.get("d"))
        for path in root.iter(f"{SVG}path")
        if path.get("data-cell")
    }


def test_hexes_stand_on_a_side_and_share_it_with_the_hex_below():
    places = hexes(drawn(start()))
    assert 37 == len(places)
    top = min(y for _, y in places["d7"])
    assert 2 == sum(abs(y - top) < 0.2 for _, y in places["d7"])
    lower = sorted((round(x), round(y)) for x, y in places["d7"])
    upper = sorted((round(x), round(y)) for x, y in places["d6"])
    assert 2 == len(set(lower) & set(upper))


def test_neighbours_of_a_hex_share_a_side_each():
    places = {
        name: {(round(x), round(y)) for x, y in points} for name, points in hexes(drawn(start())).items()
    }

    def touch(one, two):
        return sum(abs(ax - bx) < 2 and abs(ay - by) < 2 for ax, ay in one for bx, by in two) == 2

    near = {name for name, points in places.items() if name != "d4" and touch(points, places["d4"])}
    assert {"d5", "d3", "c4", "e4", "c3", "e3"} == near


def test_every_hex_is_lettered_also_under_a_thing_or_a_counter():
    letters = [element.text for element in drawn(start(), coordinates=False).iter(f"{SVG}text")]
    counts = {"BUY": 9, "SELL": 10, "CHANGE": 10, "VISITING": 2, "£10": 4, "$20": 2}
    assert counts == {word: letters.count(word) for word in counts}


def test_things_are_houses_and_counters_pawns():
    kinds = [element.get("class") for element in drawn(start()).iter(f"{SVG}g")]
    assert (7, 1, 1) == tuple(kinds.count(kind) for kind in ("thing", "white-pawn", "black-pawn"))


def test_a_title_on_each_hex_tells_what_lies_there():
    titles = {element.text for element in drawn(start()).iter(f"{SVG}title")}
    assert {
        "d7: White's counter, on Just Visiting",
        "d1: Black's counter, on Just Visiting",
        "d4: a Thing, on Buy",
        "e6: £10, free",
    } <= titles


def test_the_last_ply_is_ringed_along_the_hex():
    root = drawn(played("play 1S"))
    (ring,) = (element for element in root.iter() if element.get("class") == "last")
    assert "red" in ring.get("stroke")
    x = sum(x for x, _ in corners(ring.get("d"))) / 6
    assert abs(x - sum(x for x, _ in hexes(root)["e6"]) / 6) < 0.2


def test_the_dots_of_hexes_open_now_stand_beside_the_letters():
    root = drawn(start(), legal=True)
    dots = [element for element in root.iter() if element.get("class") == "legal"]
    assert len(start().open_cards) == len(dots)
    middles = {
        name: (sum(x for x, _ in points) / 6, sum(y for _, y in points) / 6)
        for name, points in hexes(root).items()
    }
    near = [
        min(abs(float(d.get("cx")) - x) + abs(float(d.get("cy")) - y) for x, y in middles.values())
        for d in dots
    ]
    assert all(8 < distance < 14 for distance in near)


def test_numbers_stand_at_both_ends_of_a_row_and_letters_below_the_columns():
    letters = sorted(label.text for label in start().picture().labels if label.kind in ("number", "column"))
    assert list("11223344556677abcdefg") == letters


# ----------------------------------------------------------------------------------------------- table


def test_the_table_has_a_line_of_bricks_for_every_row_of_half_hexes():
    table = cell_table(start().picture())
    assert 13 == len(table.rows)
    fields = [[cell.spot.name for cell in row.cells if cell.spot] for row in table.rows]
    assert ["d7"] == fields[0]
    assert ["a4", "c5", "e5", "g4"] == fields[3]
    assert ["4", "4"] == [cell.text for cell in table.rows[3].cells if cell.text]
    assert ["bdf", "aceg"] == ["".join(cell.text for cell in line) for line in table.head]


def test_in_the_table_a_number_stands_beside_its_field_and_over_none():
    for row in cell_table(start().picture()).rows:
        column, places = 0, []
        for cell in row.cells:
            if cell.text or cell.spot:
                places.append((column, column + cell.span, cell.text))
            column += cell.span
        ends = [place for place in places if place[2]]
        assert len(ends) in (0, 2)
        for start_, stop, _ in ends:
            assert stop - start_ == 1
            assert any(other[0] == stop or other[1] == start_ for other in places if not other[2])
