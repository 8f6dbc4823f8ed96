"""Games in a designer's file: their rules against positions, figures and the games written in Python."""

from __future__ import annotations

import pytest

from pbem.core.parsing.line import read_line
from rules.conformance import check
from rules.contract import Illegal, Position, replay
from rules.copying import replaced
from rules.designed.made import rules_from
from rules.designed.reading import MAX_LINES
from tests.rules.twins import FILES, TWINS, both_written, for_file, from_file, play_both

KEYS = sorted(path.stem for path in FILES.glob("*.txt"))


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


@pytest.mark.parametrize("key", KEYS)
def test_a_game_is_told_in_thirty_lines_and_keeps_the_laws(key: str) -> None:
    text = (FILES / f"{key}.txt").read_text()
    assert len(lines(text)) <= MAX_LINES
    assert from_file(key).key == key
    options = for_file(TWINS.get(key, ({},))[0])
    check(from_file(key), options, 1, lambda line: read_line(line, None) is not None)


@pytest.mark.parametrize("key", both_written())
def test_a_file_and_the_written_game_are_one_game(key: str) -> None:
    small = TWINS[key][:4]
    assert [None] * 20 == [play_both(key, small[seed % len(small)], seed) for seed in range(20)]


def perft(position: Position, plies: int) -> int:
    """The number of games of so many plies."""
    if position.outcome is not None:
        return 0
    if plies == 1:
        return len(list(position.moves()))
    return sum(perft(position.follow(move), plies - 1) for move in position.moves())


@pytest.mark.parametrize(
    ("key", "options", "figures"),
    [
        ("hadron", {}, (25, 520, 9032)),
        ("reversi", {}, (4, 12, 56, 244, 1396)),
        ("breakthrough", {}, (22, 484, 11132)),
        ("breakthrough", {"size": "5"}, (13, 156, 1924, 23084)),
    ],
)
def test_as_many_games_can_be_played_as_is_known(key, options, figures):
    start = from_file(key).start(options)
    assert figures == tuple(perft(start, plies + 1) for plies in range(len(figures)))


def played(key: str, moves: str, **options: str) -> Position:
    return replay(from_file(key).start(options), moves.split())


def test_hex_is_won_on_the_move_that_joins():
    moves = (
        "d4 d5 e5 f7 f6 g7 e6 e7 b5 c7 a6 a7 b7 c4 b3 b2 d2 d3 c3 c2 f4 e3 f3 e2 f2 f1 e1 b4 d6 d7 c6 b6 a5 "
        "f5 e4"
    )
    before = played("hex", moves.rsplit(" ", 1)[0], size="7")
    assert before.outcome is None
    assert "Black wins: joins bottom and top" == played("hex", moves, size="7").outcome.reason


FAR = "g5 g6 f5 e6 f6 e2 g4 d6 e7 f7 d2 c5 b5 c1"
"""Cells of a hexagon of size 4 for the other side, of which a few are taken."""


def alone(key: str, cells: str, others: str, **options: str) -> Position:
    """Play these cells for the first side, and as many of `others` between them."""
    own, rest = cells.split(), iter(each for each in others.split() if each not in cells.split())
    moves = [own[0]]
    for cell in own[1:]:
        moves += [next(rest), cell]
    return played(key, " ".join(moves), **options)


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ("a1 b1 c1 d1", "joins 2 corners"),
        ("b1 b2 b3 b4 b5 c4 d4 e4 f4 f3", "joins 3 edges"),
        ("b1 b2 b3 b4 b5 c4 d4 e4 f4", None),
        ("b1 b2 a2 a3 a4", None),
        ("c3 c4 d3 d5 e4 e5", "makes a ring"),
        ("c3 c4 d3 d5 e4", None),
        ("c3 c4 d3 d5 e4 d4 e5", "makes a ring"),
        ("d3 d4 e4", None),
    ],
)
def test_havannah_is_won_by_ring_bridge_and_fork(cells, reason):
    found = alone("havannah", cells, FAR, size="4").outcome
    assert reason == (found and found.reason.removeprefix("White wins: "))


def set_up(key: str, drawn: str, colour: int, **options: str) -> Position:
    """Set up a board by its drawing, row by row from the top, and say whose turn it is."""
    start = from_file(key).start(options)
    cells = "".join(drawn.split())
    held = tuple(sum(1 << n for n, each in enumerate(cells) if each == glyph) for _, glyph in start.players)
    changes = {"cells": cells, "held": held, "due": colour, "ply": 2 + colour, "outcome": None}
    return replaced(start, {**changes, "laid": tuple(1 if each != "." else 0 for each in cells)})


SUICIDE = "..XOX .XOOX XO.X. OOX.. OX..."
STUCK = ".OOXO OOOX. XOX.X XXX.O XXX.O"
KO = "..... ..XO. .XO.O ..XO. ....."


def test_gonnect_refuses_suicide_even_if_it_would_join():
    position = set_up("gonnect", SUICIDE, 1, size="5")
    with pytest.raises(Illegal, match="no empty cell beside it"):
        position.play(position.read("c3"))
    taking = set_up("gonnect", SUICIDE, 0, size="5")
    assert SUICIDE.count("O") - 7 == taking.play(taking.read("c3")).cells.count("O")


def test_gonnect_refuses_an_earlier_board():
    position = set_up("gonnect", KO, 0, size="5")
    taken = position.play(position.read("d3"))
    assert "." == taken.cells[taken.board.index["c3"]]
    with pytest.raises(Illegal, match="was there before"):
        taken.play(taken.read("c3"))


def test_gonnect_is_lost_without_a_move():
    position = set_up("gonnect", STUCK, 0, size="5")
    assert "Black wins: White has no move" == position.play(position.read("d2")).outcome.reason


def test_a_side_without_a_move_is_passed_over_in_reversi():
    record = (
        "f5d6c3f3f4d3c4g6f6e6c5c6d7d8e7g5e3d2g4h3f7b5h5g3b4b6c8b8c7e8f8g8h4h6e2d1c1a3a6a5e1f2g7c2a4h8a2b7"
        "f1b3b1b2h7a7a8a1g1g2h2h1"
    )
    moves = [f"{record[n]}{9 - int(record[n + 1])}" for n in range(0, len(record), 2)]
    position, passes = from_file("reversi").start(), []
    for move in moves:
        position = position.play(position.read(move))
        passes += [position.ply] if position.passed else []
        assert not position.passed or "plays again" in position.notes()[-1]
    assert [53, 56] == passes
    assert "Black wins: 34 stones to 30" == position.outcome.reason
    assert {"Black": {"stones": 34}, "White": {"stones": 30}} == position.scores()


def test_reversi_may_end_early():
    assert "Black wins: 13 stones to 0" == played("reversi", "e3 f5 e6 f3 g4 d3 e2 f4 c4").outcome.reason


@pytest.mark.parametrize(
    ("row", "last", "wins"), [("f8 g8 h8 i8", "j8", True), ("e8 f8 g8 i8 j8", "h8", False)]
)
def test_gomoku_wants_exactly_five(row, last, wins):
    position = alone("gomoku", f"{row} {last}", "a1 c1 e1 g1 i1 k1", pie="no")
    assert wins == (position.outcome is not None)


def test_hadron_shuts_what_is_not_balanced_and_is_lost_without_a_move():
    position = set_up("hadron", ".X... O.X.. .O.XX O..OO XX...", 1)
    assert {"a5", "b4", "d5", "e5"} == {*position.playable()}
    with pytest.raises(Illegal, match="0 red and 3 blue stones lie beside it; a stone goes where as many"):
        position.play(position.read("a3"))
    assert "Blue wins: Red has no move" == replay(position, ["a5", "b4", "d5"]).outcome.reason


def test_the_rules_are_told_from_the_phrases():
    rules = from_file("gonnect")
    assert "Rival groups that have no empty cell beside them then are taken off the board." in rules.text
    assert "A move is refused if it would make a board that was there before." in rules.text
    assert "A side that joins left and right with one group has won." in rules.text
    assert rules.page.startswith("<p>The board is a square of squares with 5 to 19 (usually 13) cells")


def test_a_note_is_told_and_is_never_a_page():
    text = (FILES / "hadron.txt").read_text() + "note: <b>{{ 7 * 7 }}</b> {0.__class__} %s\n"
    rules = rules_from(text)
    assert "{{ 7 * 7 }}" in rules.text
    assert "7 * 7" not in rules.page


MEN = """\
game: Little Men
designer: Anna Example
year: 2026
terms: Anybody may play it.
summary: A game for tests.
board: square, size 5
sides: White O, Black X
start: {start}
turn: move one
{lines}
"""


def men(start: str, lines: str) -> Position:
    return rules_from(MEN.format(start=start, lines=lines)).start()


def plies(position: Position) -> set[str]:
    return {*map(str, position.moves())}


def test_pieces_slide_and_take_what_stands_in_the_way():
    position = men(
        "White a1, Black a4, Black c1",
        "moves: slide straight\ntakes: slide straight\nstuck: loses\n"
        "wins: rival has no men\ndraws: after 9 plies",
    )
    assert {"a1-a2", "a1-a3", "a1xa4", "a1-b1", "a1xc1"} == plies(position)
    after = replay(position, ["a1xa4", "c1-c2", "a4-c4", "c2-d2", "c4-d4"])
    assert "a5" not in after.board.index or after.cells.count("X") == 1
    assert "White wins: has taken all pieces" == replay(after, ["d2-d3", "d4xd3"]).outcome.reason


def test_pieces_jump_over_any_and_take_by_a_jump_over_a_rival():
    lines = "moves: jump ahead over any\nmoves: step sideways\ntakes: jump aslant ahead over rival\n"
    lines += "stuck: loses\n"
    position = men(
        "White a1, White a2, Black b2, Black e5", f"{lines}wins: reaches the far row\ndraws: after 9 plies"
    )
    assert {"a1-a3", "a1-b1", "a1xc3"} == plies(position)
    after = replay(position, ["a1xc3"])
    assert {"e5-d5"} == plies(after)
    assert "." == after.cells[after.board.index["b2"]]


def test_whoever_can_take_must_and_a_side_without_a_move_passes():
    lines = "moves: step ahead\ntakes: step aslant ahead\nmust: take\nstuck: passes\nscore: stones"
    position = men("White a1, White c1, Black b2", lines)
    assert {"a1xb2", "c1xb2"} == plies(position)
    after = replay(position, ["a1xb2"])
    assert after.to_play == 0 and "Black has no move, so White plays again." in after.notes()
    last = replay(after, ["b2-b3", "b3-b4", "b4-b5", "c1-c2", "c2-c3", "c3-c4", "c4-c5"])
    assert "White wins: 2 stones to 0" == last.outcome.reason


def test_a_board_that_comes_again_is_refused_or_ends_the_game():
    lines = "moves: step sideways\nstuck: loses\n"
    refused = replay(
        men("White a1, Black a5", f"{lines}never: an earlier board"), ["a1-b1", "a5-b5", "b1-a1"]
    )
    with pytest.raises(Illegal, match="b5-a5: it would make a board that was there before"):
        refused.play(refused.read("b5-a5"))
    again = ["a1-b1", "a5-b5", "b1-a1", "b5-a5"]
    drawn = replay(men("White a1, Black a5", f"{lines}draws: same board 3 times"), again * 2)
    assert "Draw: the same board stands for time 3" == drawn.outcome.reason
    ends = replay(men("White a1, Black a5", f"{lines}draws: after 4 plies"), again)
    assert "Draw: 4 moves were played" == ends.outcome.reason


@pytest.mark.parametrize(
    ("start", "lines"),
    [
        (
            "2 rows of men each",
            "moves: step all round\ntakes: step all round\nstuck: passes\nscore: stones\n"
            "must: take\ndraws: after 60 plies",
        ),
        (
            "White a1, White b1, Black d5, Black e5",
            "moves: slide straight\nmoves: slide aslant\nstuck: loses\n"
            "never: an earlier board\ndraws: after 20 plies",
        ),
        (
            "1 rows of men each",
            "moves: jump straight over any\nmoves: step straight\ntakes: jump straight over rival\n"
            "stuck: loses\nwins: rival has no men\nwins: reaches the far row\ndraws: same board 2 times",
        ),
    ],
)
def test_other_games_of_men_keep_the_laws(start, lines):
    rules = rules_from(MEN.format(start=start, lines=lines))
    check(rules, {}, 2, lambda line: read_line(line, None) is not None)


STONES = """\
game: Little Stones
designer: Anna Example
year: 2026
terms: Anybody may play it.
summary: A game for tests.
board: {board}
turn: lay one
{lines}
"""


@pytest.mark.parametrize(
    ("board", "lines"),
    [
        (
            "square, side 4, eight neighbours",
            "where: beside 1 or more any stones\nwhere: off the edge\n"
            "start: Black b2, White c3\nstuck: passes\nscore: stones",
        ),
        (
            "square, side 5",
            "takes: flanked rows, removed\nmust: take\ndraws: after 60 plies\nwins: 4 in a row",
        ),
        (
            "square, side 4",
            "takes: surrounded groups\nnever: own group without room\nnever: the board before\n"
            "stuck: passes\nscore: stones\nties: first stone\ndraws: same board 2 times",
        ),
        (
            "hexagon, size 3, corners apart",
            "wins: joins 2 corners\nwins: exactly 4 in a row\nopening: swap or none",
        ),
        ("hexagon, sides 2 and 3", "where: beside at most 1 own stones\nstuck: loses"),
        ("rectangle, 5 rows of 4 and 3", "wins: joins bottom and top\nopening: swap"),
        (
            "triangle, side 5",
            "where: on the edge\nstuck: ends\nscore: empty regions, to more stones beside\n"
            "ties one: largest region, draw\nties two: half a point for second",
        ),
        (
            "rhombus, side 4",
            "where: beside no rival stones\nstuck: ends\n"
            "score: empty regions, to more stones beside\nties: more regions, fewer stones",
        ),
    ],
)
def test_other_games_of_stones_keep_the_laws(board, lines):
    rules = rules_from(STONES.format(board=board, lines=lines))
    check(rules, {}, 2, lambda line: read_line(line, None) is not None)


@pytest.mark.parametrize(
    ("moves", "first", "due"),
    [
        (["h8 i9 g7", "adopt"], "White", 0),
        (["h8 i9 g7", "j8"], "Black", 0),
        (["h8 i9 g7", "j8 k9", "adopt"], "Black", 1),
        (["h8 i9 g7", "j8 k9", "l8"], "White", 1),
    ],
)
def test_swap2_settles_the_sides_in_one_of_four_ways(moves, first, due):
    position = from_file("gomoku").start()
    for move in moves:
        assert (None, None) == (position.side(0), position.side(1))
        position = position.play(position.read(move))
    assert (first, due) == (position.side(0), position.to_play)
    assert abs(position.cells.count("X") - position.cells.count("O")) <= 1
    after = position.play(position.read("a1"))
    assert after.cells[after.board.index["a1"]] == {"Black": "X", "White": "O"}[position.side(due)]


@pytest.mark.parametrize(
    ("moves", "sentence"),
    [
        (["h8"], "The first player lays three stones: X, O and X."),
        (["adopt"], "nothing is on offer now"),
        (["h8 h8 i9"], "each stone goes on a cell of its own"),
        (["h8 i9 g7", "h8"], "h8 is taken"),
        (["h8 i9 g7", "a1 b1 c1"], "The second player says adopt and is Black"),
        (["h8 i9 g7", "a1 b1", "c1 d1"], "The first player says adopt and is Black"),
        (["h8 i9 g7", "adopt", "a1 b1"], "White lays one stone on an empty cell."),
        (["h8 i9 g7", "adopt", "adopt"], "nothing is on offer now"),
    ],
)
def test_swap2_refuses_other_plies_with_what_is_due(moves, sentence):
    *before, last = moves
    position = replay(from_file("gomoku").start(), before)
    with pytest.raises(Illegal, match=sentence):
        position.play(position.read(last))


def test_with_adopt_both_lay_the_first_side_until_one_takes_it():
    rules = rules_from(STONES.format(board="hexagon, size 3", lines="opening: adopt\nwins: joins 3 edges"))
    position = replay(rules.start(), ["a1", "b1", "c1"])
    assert (3, None) == (position.cells.count("X"), position.side(0))
    adopted = position.play(position.read("adopt"))
    assert ("White", "Black", 0) == (adopted.side(0), adopted.side(1), adopted.to_play)
    assert {"adopt": ""} == rules.words


@pytest.mark.parametrize(
    "lines",
    [
        "opening: adopt\nwins: joins 3 edges",
        "opening: swap2\nwins: 3 in a row",
        "opening: swap2 or none\nwins: ring",
    ],
)
def test_openings_keep_the_laws(lines):
    rules = rules_from(STONES.format(board="hexagon, size 3", lines=lines))
    check(rules, {}, 3, lambda line: read_line(line, None) is not None)
