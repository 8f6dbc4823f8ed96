"""A match of two clubs: the boards, and the points of their games."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.errors import Refusal
from pbem.core.events.league import GOING, SETTLED, EventGame
from pbem.core.events.match import Match, check_clubs, club_number, count_left, pair_boards, show_board

NAMES = {1: "Bill", 2: "Joao"}
CLUBS = ("Lisbon", "Oxford")


@given(st.lists(st.integers(1, 20), unique=True), st.dictionaries(st.integers(1, 20), st.floats(800, 2400)))
def test_clubs_meet_in_the_order_of_ratings_and_the_rest_have_no_board(
    members: list[int], ratings: dict[int, float]
) -> None:
    clubs = [each for each in members if each % 3], [each for each in members if not each % 3]
    boards, spare = pair_boards(*clubs, ratings)
    assert min(map(len, clubs)) == len(boards)
    assert sorted(members) == sorted([*(each for pair in boards for each in pair), *spare])
    for side, club in enumerate(clubs):
        seated = [pair[side] for pair in boards]
        assert set(seated) <= set(club)
        for better, worse in zip(
            seated, [*seated[1:], *(each for each in spare if each in club)], strict=False
        ):
            level = ratings.get(better, 0) == ratings.get(worse, 0)
            assert ratings.get(better, 0) > ratings.get(worse, 0) or (
                level and club.index(better) < club.index(worse)
            )


def a_board(*scores: str | None) -> Match:
    """A match of one board, with these results, each as the first seat of its game reads it."""
    pairs = ((1, 2), (2, 1))
    games = [
        EventGame(*pair, n, n + 40, score, GOING if score is None else SETTLED)
        for n, (pair, score) in enumerate(zip(pairs, scores, strict=True), 1)
    ]
    board = show_board(1, (1, 2), games, NAMES, (2,))
    assert (("Bill", "Joao"), ("Joao",)) == (board.players, board.left)
    return Match(7, "", "bipod", CLUBS, (("Bill",), ("Joao",)), (board,), count_left({1: games}))


@pytest.mark.parametrize(
    ("scores", "signs", "score", "leader", "left", "decided"),
    [
        ((None, None), ["", ""], "Lisbon 0, Oxford 0", "", 2, False),
        (("1-0", None), ["1", ""], "Lisbon 1, Oxford 0", "Lisbon", 1, False),
        (("1-0", "1-0"), ["1", "0"], "Lisbon 1, Oxford 1", "", 0, False),
        (("1/2", "0-1"), ["½", "1"], "Lisbon 1½, Oxford ½", "Lisbon", 0, True),
        (("-", "+"), ["-", "-"], "Lisbon 0, Oxford 2", "Oxford", 0, True),
        (("void", "0-1"), ["", "1"], "Lisbon 1, Oxford 0", "Lisbon", 0, True),
    ],
)
def test_each_game_counts_for_the_club(
    scores: tuple[str | None, ...], signs: list[str], score: str, leader: str, left: int, decided: bool
) -> None:
    match = a_board(*scores)
    assert signs == [cell.sign for cell in match.boards[0].cells]
    assert (score, leader, left, decided) == (match.score, match.leader, match.games_left, match.decided)


def test_boards_are_found_by_name() -> None:
    match = a_board(None, None)
    assert match.board_of("Joao") == match.boards[0]
    assert match.board_of("Anna") is None


@pytest.mark.parametrize(
    ("clubs", "sentence"),
    [
        (("Lisbon", "Oxford"), ""),
        (("Lisbon", "lisbon"), "different names"),
        (("L", "Oxford"), "2 to 30 letters"),
        (("Lisbon", "O" * 31), "2 to 30 letters"),
        (("Lisbon", "Ox ford"), "2 to 30 letters"),
        (("Lisbon", "Oxford2"), "2 to 30 letters"),
        (("Lisbon", "Bipod"), "called Bipod"),
        (("Ladder", "Oxford"), "called Ladder"),
    ],
)
def test_names_of_clubs_are_plain_words(clubs: tuple[str, str], sentence: str) -> None:
    if not sentence:
        check_clubs(clubs)
        return
    with pytest.raises(Refusal, match=sentence):
        check_clubs(clubs)


def test_a_club_is_named_in_small_letters_too() -> None:
    assert [1, 2, 0] == [club_number(CLUBS, word) for word in ("lisbon", "OXFORD", "Rome")]
