"""The three drawings of a picture: text, SVG, table."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from rules import RULES
from rules.contract import replay
from rules.picture import Label, Picture, Spot, cell_table, stone_lines, text
from rules.svg import Link, svg

SVG = "{http://www.w3.org/2000/svg}"
POSITION = replay(RULES["bipod"].start({"size": "3"}), ["e1 d2 c3", "adopt", "f2 o", "u1", "n2 O"])


def spot(name: str, x: int, y: int, glyph: str = ".", *marks: str) -> Spot:
    return Spot(name, x, y, glyph, "empty", "empty", frozenset(marks))


def drawn(**wishes):
    return ElementTree.fromstring(svg(POSITION.picture(), **wishes))


# ---------------------------------------------------------------------------------------------- text


def test_a_glyph_stands_at_its_x_and_y():
    picture = Picture("g", "t", "d", (spot("a1", 0, 0, "x"), spot("b2", 3, 1, "o")))
    assert "x\n   o" == text(picture)


def test_the_pitch_spreads_the_columns():
    picture = Picture("g", "t", "d", (spot("a1", 0, 0, "x"), spot("c1", 2, 0, "o")), pitch=2)
    assert "x   o" == text(picture)


def test_lettering_left_of_the_board_moves_everything_to_the_right():
    picture = Picture("g", "t", "d", (spot("a1", 0, 0, "x"),), (Label("row", "1", -3, 0),))
    assert "1  x" == text(picture)


def test_an_empty_line_between_stays_empty():
    picture = Picture("g", "t", "d", (spot("a1", 0, 0, "x"), spot("a3", 0, 2, "o")))
    assert "x\n\no" == text(picture)


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("", " . . ."),
        ("a", "(.). ."),
        ("c", " .(.)."),
        ("e", " . .(.)"),
        ("ac", "(. .)."),
        ("ae", "(.).(.)"),
        ("ace", "(. . .)"),
    ],
)
def test_the_last_ply_can_stand_in_brackets(marked, expected):
    spots = [
        spot(name, x, 0, ".", *(["last"] if name in marked else []))
        for x, name in enumerate("abcde")
        if x % 2 == 0
    ]
    assert expected == text(Picture("g", "t", "d", tuple(spots)), last=True)


def test_brackets_change_nothing_else_of_the_board():
    marked = text(POSITION.picture(), last=True)
    plain = text(POSITION.picture())
    assert plain == "\n".join(
        line[1:].rstrip() for line in marked.replace("(", " ").replace(")", " ").split("\n")
    )
    assert "(O)" in marked


def test_lists_of_stones_are_folded_and_go_on_behind_a_word_that_is_no_cell():
    lines = stone_lines([("Blocks (x)", ["a1"] * 40), ("Left path (o)", ["k3"])], width=40)
    assert all(len(line) <= 40 for line in lines)
    assert 40 == sum(line.count(" a1") for line in lines)
    assert "Blocks (x): a1 a1" == lines[0][:17]
    assert "    and a1 a1" == lines[1][:13]
    assert "Left path (o): k3" == lines[-1]


# --------------------------------------------------------------------------------------------- table


def test_a_field_of_the_table_is_two_half_columns_wide():
    table = cell_table(POSITION.picture())
    assert 22 == table.width
    assert [(0, 11, 0), (1, 10, 1), (2, 9, 2), (3, 8, 3)] == [
        (
            row.cells[0].span if row.cells[0].spot is None else 0,
            sum(cell.spot is not None for cell in row.cells),
            row.cells[-1].span if row.cells[-1].spot is None else 0,
        )
        for row in table.rows
    ]
    assert ["1", "2", "3", "4"] == [row.header for row in table.rows]


def test_every_letter_of_the_table_stands_over_the_middle_of_its_fields():
    table = cell_table(POSITION.picture())

    def places(cells):
        column = 0
        for cell in cells:
            yield column, cell
            column += cell.span

    heads = [{cell.text: column for column, cell in places(line) if cell.text} for line in table.head]
    assert "acegikmoqsu" == "".join(heads[0])
    assert "bdfhjlnprt" == "".join(heads[1])
    for number, row in enumerate(table.rows):
        for column, cell in places(row.cells):
            if cell.spot:
                assert column == heads[number % 2][cell.spot.name[0]]


def test_a_board_without_column_letters_has_no_head():
    assert () == cell_table(Picture("g", "t", "d", (spot("a1", 0, 0),))).head


# ----------------------------------------------------------------------------------------------- SVG


def test_every_cell_is_drawn_once_with_its_name_and_what_lies_there():
    titles = [path.find(f"{SVG}title").text for path in drawn().iter(f"{SVG}path") if path.get("data-cell")]
    assert len(POSITION.cells) == len(titles)
    assert {
        "e1: a block, move 1",
        "f2: Runner's o, move 3",
        "n2: Runner's O, move 5",
        "g1: the left start",
    } <= set(titles)
    assert {"a1: empty, cut off", "q1: empty"} <= set(titles)


def test_the_picture_tells_itself_in_words():
    root = drawn()
    assert "Bipod after move 5" == root.find(f"{SVG}title").text == root.get("aria-label")
    assert root.find(f"{SVG}desc").text == (
        "Left start (@): g1. Right start (Q): o1. Blocks (x): e1 u1 d2 c3."
        " Left path (o): f2. Right path (O): n2. Cut off (:): a1 c1 b2."
    )
    assert "img" == root.get("role")


def test_many_drawings_can_stand_in_one_page_as_there_are_no_ids():
    assert not [element for element in drawn(standalone=True).iter() if element.get("id")]


def test_nothing_is_styled_in_a_way_that_a_strict_page_forbids():
    root = drawn()
    assert not list(root.iter(f"{SVG}style"))
    assert not [element for element in root.iter() if element.get("style")]


def test_in_a_page_the_colours_are_the_pages_own_with_light_ones_to_fall_back_on():
    fills = {element.get("fill") for element in drawn().iter()}
    assert "var(--paper,#FBF8F1)" in fills
    assert "var(--ink,#1D2430)" in fills


def test_a_file_of_its_own_has_plain_colours_a_ground_and_a_dark_dress():
    root = drawn(standalone=True)
    values = {value for element in root.iter() for value in element.attrib.values()}
    assert not [value for value in values if "var(" in value]
    assert root.find(f"{SVG}rect").get("fill") == "#FBF8F1"
    assert "prefers-color-scheme:dark" in root.find(f"{SVG}style").text
    assert float(root.get("width")) > float(root.get("height")) > 0


def test_coordinates_can_be_left_out():
    assert "abcdefghijklmnopqrstu1234" == "".join(
        sorted((e.text for e in drawn().iter(f"{SVG}text")), key=lambda t: (t.isdigit(), t))
    )
    assert not list(drawn(coordinates=False).iter(f"{SVG}text"))
    box = [float(number) for number in drawn(coordinates=False).get("viewBox").split()]
    assert float(drawn().get("viewBox").split()[2]) > box[2]


def test_everything_drawn_lies_within_the_frame():
    left, top, width, height = map(float, drawn().get("viewBox").split())
    for element in drawn().iter(f"{SVG}text"):
        assert left < float(element.get("x")) < left + width
        assert top < float(element.get("y")) < top + height


def test_linked_cells_are_links_with_a_green_dot():
    root = drawn(links={"q1": Link("/play?a=1&b=2", "q1"), "a1": Link("/cut", "a1")})
    links = {a.find(f"{SVG}path").get("data-cell"): a.get("href") for a in root.iter(f"{SVG}a")}
    assert {"q1": "/play?a=1&b=2", "a1": "/cut"} == links
    assert 1 == sum(element.get("class") == "legal" for element in root.iter())
    assert "group" == root.get("role")


def test_all_open_cells_get_a_dot_when_asked():
    dots = sum(element.get("class") == "legal" for element in drawn(legal=True).iter())
    assert len(POSITION.playable()) == dots
    assert not [element for element in drawn().iter() if element.get("class") == "legal"]


def test_the_last_ply_is_ringed_in_red():
    rings = [e for e in drawn().iter() if e.get("class") == "last" and "red" in e.get("stroke")]
    assert 1 == len(rings)


def test_winning_routes_are_drawn_in_blue_and_nothing_else_is():
    assert not [e for e in drawn().iter() if e.get("class") == "route"]
    won = replay(
        RULES["bipod"].start({"size": "3", "rows": "3"}),
        ["adopt", "e1 o", "u1", "c1 o", "d2", "a1 o", "m1", "p2 O", "t2", "o3 O"],
    )
    assert "Runner" == won.outcome.side
    routes = [e for e in ElementTree.fromstring(svg(won.picture())).iter() if e.get("class") == "route"]
    assert [4, 3] == [len(route.get("points").split()) for route in routes]
    assert all("blue" in route.get("stroke") for route in routes)


def test_a_board_with_links_is_heard_cell_by_cell_in_its_order_and_any_other_as_one_picture():
    picture = POSITION.picture()
    for links in ({}, {"a1": Link("/", "Lay a block on a1")}):
        root = ElementTree.fromstring(svg(picture, links=links))
        places = [e for e in root.iter(f"{SVG}g") if e.get("class") == "places"]
        heard = list(places[0].iter(f"{SVG}path"))
        assert ("group", [spot.name for spot in picture.spots]) == (
            root.get("role"),
            [path.get("data-cell") for path in heard],
        )
        assert len(heard) - len(links) == sum(path.get("role") == "img" for path in heard)
    assert "img" == drawn().get("role")
    assert not [e for e in drawn().iter() if e.get("class") == "places"]


def test_what_players_write_cannot_break_out_of_the_drawing():
    evil = '"><script>alert(1)</script>&'
    picture = Picture(evil, evil, evil, (spot(evil, 0, 0),), (Label("row", evil, 2, 0),))
    root = ElementTree.fromstring(svg(picture, links={evil: Link(evil, evil)}))
    assert not list(root.iter(f"{SVG}script"))
    assert evil == root.find(f"{SVG}desc").text


# ------------------------------------------------------------------------------------- what won


def test_blockers_wall_round_a_start_is_marked_and_joined():
    moves = ["e1", "adopt", "n2 O", "f2", "l2 O", "h2", "k3 O", "i1"]
    position = replay(RULES["bipod"].start({"size": "3"}), moves)
    assert "Blocker wins: no way is left from the left start to the edge" == position.outcome.reason
    picture = position.picture()
    assert {"e1", "f2", "h2", "i1"} == {spot.name for spot in picture.spots if "win" in spot.marks}
    place = {name: (spot.x, spot.y) for name, spot in picture.names.items()}
    joints = {frozenset(line.points) for line in picture.lines if line.look == "route"}
    assert {frozenset({place[a], place[b]}) for a, b in (("e1", "f2"), ("f2", "h2"), ("h2", "i1"))} == joints


def test_two_ways_that_share_a_cell_are_drawn_where_blocker_has_won_without_a_wall():
    moves = ["e1 q1 f2", "h2 j2", "n2 p2", "adopt"]
    position = replay(RULES["bipod"].start({"size": "3", "middle": "3", "rows": "4"}), moves)
    assert "Blocker wins: each path shuts the other off from the edge" == position.outcome.reason
    picture = position.picture()
    assert {"l2"} == {spot.name for spot in picture.spots if "win" in spot.marks}
    ways = [line.points for line in picture.lines if line.look == "way"]
    place = {name: (spot.x, spot.y) for name, spot in picture.names.items()}
    assert [place["g1"], place["o1"]] == [points[0] for points in ways]
    assert {place["l2"]} == set(ways[0]) & set(ways[1])
    assert [(place["l2"][0] - 0.3, 1), (place["l2"][0] + 0.3, 1)] == [
        point for line in picture.lines if line.look == "route" for point in line.points
    ]


def test_no_wall_is_drawn_while_the_game_goes_on():
    assert not [line for line in POSITION.picture().lines if line.look == "route"]


@pytest.mark.parametrize(("key", "size"), [("bagel", "11"), ("bounders", "14"), ("begird", "16")])
def test_coordinates_are_smaller_in_the_units_of_a_board_that_is_drawn_larger(key, size):
    assert f'class="coordinates" fill="var(--faint,#696C73)" font-size="{size}"' in svg(
        RULES[key].start().picture()
    )


def test_the_winners_counter_stands_in_a_blue_ring():
    start = RULES["hexthing"].start()
    ended = replay(start, ["play 3S bid 6", "pass", "take e2", "stay"])
    (won,) = [spot for spot in ended.picture().spots if "win" in spot.marks]
    assert ("g4", "White's counter, on Buy") == (won.name, won.words)
    assert 'class="won"' in svg(ended.picture())
    assert 'class="won"' not in svg(start.picture())
