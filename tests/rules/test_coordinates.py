"""The lettering of slanted boards, and where a table and a drawing put it."""

from __future__ import annotations

from rules.board import hexagon, slanted_labels, triangle
from rules.picture import Picture, Spot, cell_table, text


def picture_of(board):
    places = zip(board.names, board.xy, strict=True)
    spots = tuple(Spot(name, x, y, ".", "empty", "empty") for name, (x, y) in places)
    return Picture("g", "t", "d", spots, slanted_labels(board))


def test_a_backslash_leads_from_each_diagonal_to_its_letter():
    assert text(picture_of(hexagon(3, 3))) == (
        "  5   . . .\n"
        " 4   . . . .\n"
        "3   . . . . .\n"
        " 2   . . . . \\\n"
        "  1   . . . \\ e\n"
        "       \\ \\ \\ d\n"
        "        a b c"
    )


def test_a_triangle_is_lettered_along_its_base():
    assert text(picture_of(triangle(3))) == ("  3   .\n 2   . .\n1   . . .\n     \\ \\ \\\n      a b c")


def test_numbers_of_two_digits_end_in_line_with_those_of_one():
    lines = text(picture_of(triangle(10))).splitlines()
    assert [len(line.partition(".")[0]) - 10 + row for row, line in enumerate(lines[:10])] == [3] * 10


def test_a_table_has_the_letters_where_the_diagonals_end():
    table = cell_table(picture_of(hexagon(3, 3)))
    assert () == table.head
    assert ["5", "4", "3", "2", "1", ""] == [row.header for row in table.rows]
    letters = [[cell.text for cell in row.cells if cell.text] for row in table.rows]
    assert [[], [], [], ["e"], ["d"], ["a", "b", "c"]] == letters
    assert {table.width} == {sum(cell.span for cell in row.cells) for row in table.rows}


def test_room_can_be_left_for_a_ring_between_the_board_and_its_lettering():
    board = triangle(3)
    bare = picture_of(board)
    assert text(Picture("g", "t", "d", bare.spots, slanted_labels(board, room=1))) == (
        "  3    .\n 2    . .\n1    . . .\n\n       \\ \\ \\\n        a b c"
    )
