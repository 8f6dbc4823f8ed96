"""Positions in words: short lines without a drawing, which name each stone and tell where one may play."""

from __future__ import annotations

import re
from random import Random

import pytest

from rules import RULES
from rules.board_words import FREE, word_lines, word_lists
from rules.contract import Position

WIDTH = 40
RUN = re.compile(r"(\S+) to (\S+)")
each_board = pytest.mark.parametrize(("key", "plies"), [(key, n) for key in RULES for n in (0, 5, 40)])


def played(key: str, plies: int, seed: int = 3) -> Position:
    position, rng = RULES[key].start(), Random(seed)
    for _ in range(plies):
        if position.outcome:
            break
        position = position.play(position.sample(rng))
    return position


def told(position: Position, label: str) -> str:
    """All that stands behind a label, or behind what begins with the label."""
    found = [" ".join(names) for each, names in word_lists(position) if each.startswith(label)]
    return " / ".join(found)


def cells(position: Position, words: str) -> set[str]:
    """The cells that words name, those of a run between its two ends included."""
    picture = position.picture()
    by_columns = picture.grid.by_columns
    places = {
        name: (spot.x, spot.y) if by_columns else (spot.y, spot.x) for name, spot in picture.names.items()
    }
    found = {word.strip("(),") for word in words.split()} & {*places}
    for one, other in RUN.findall(words.replace(",", "")):
        if {one, other} <= found:
            (row, low), (_, high) = places[one], places[other]
            found |= {name for name, (y, x) in places.items() if y == row and low <= x <= high}
    return found


@each_board
def test_no_line_is_longer_than_a_line_of_braille_or_drawn(key: str, plies: int) -> None:
    lines = word_lines(played(key, plies), WIDTH)
    assert lines and all(len(line) <= WIDTH for line in lines)
    drawn = re.compile(r"[\\_|]|\. \.|  \S.* {2}")
    assert [] == [line for line in lines if drawn.search(line.strip())]
    assert all(re.match(r" {4}|[A-Z][a-zA-Z' ]+", line) for line in lines)


@each_board
def test_each_stone_is_named_once(key: str, plies: int) -> None:
    position = played(key, plies)
    lists = [
        (label, names) for label, names in word_lists(position) if not label.startswith(("Changed", "May"))
    ]
    named = [name for _, names in lists for name in " ".join(names).split()]
    for spot in position.picture().spots:
        if spot.look not in FREE:
            assert 1 == named.count(spot.name), spot


@each_board
def test_where_one_may_play_is_summed_up(key: str, plies: int) -> None:
    position = played(key, plies)
    playable = {name for name in position.playable() if name in position.picture().names}
    free = {spot.name for spot in position.picture().spots if spot.look in FREE}
    words = told(position, "May be played")
    if words.startswith("all"):
        assert playable == free and f"{len(free)} free cells" in words
    elif "any free one but" in words:
        assert playable == free - cells(position, words)
    else:
        assert playable == cells(position, words)
    if position.outcome:
        assert "" == told(position, "May be")
    elif not playable:
        assert told(position, "May be written")


def test_what_changed_and_groups_with_their_ends_are_told() -> None:
    position = RULES["bounders"].start({"size": "5"})
    for move in ("a1", "e5", "b1", "e6", "c1"):
        position = position.follow(position.read(move))
    assert "c1, a light stone, move 5" == told(position, "Changed")
    assert "a1 b1 c1" == told(position, "Light stones (O), 3 from a1 to c1")
    assert "e6 e5" == told(position, "Dark stones (X), two")


def test_a_group_in_begird_tells_its_islands() -> None:
    position = played("begird", 40)
    assert "m18 n18 (islands 1 and 2)" in told(position, "Black (X), two")
    assert "f14 (island 14)" in told(position, "Black (X), alone")


def test_plies_of_words_are_summed_up_by_their_numbers() -> None:
    assert "bid 1 to 29, pass" == told(played("hexthing", 5), "May be written")
