"""A game of Hexagonal Thing told turn by turn."""

from __future__ import annotations

from random import Random

import pytest

from rules import RULES
from rules.contract import Episode, Position

HEXTHING = RULES["hexthing"]


def told(moves: list[str], **options: str) -> list[Episode]:
    positions: list[Position] = [HEXTHING.start(options)]
    for text in moves:
        positions.append(positions[-1].play(positions[-1].read(text)))
    assert HEXTHING.story is not None
    return list(HEXTHING.story(positions))


def test_a_game_without_plies_has_no_story() -> None:
    assert [] == told([])


def test_an_auction_of_a_thing_names_bids_buyer_price_and_hex() -> None:
    (turn,) = told(["play 3S bid 6", "bid 8", "bid 11", "pass", "take e2"])
    assert (
        Episode(
            1,
            5,
            0,
            "White plays 3S to g4, a Buy, and bids $6 for a Thing. Black $8, White $11, Black passes."
            " White buys a Thing for $11. White names the one on e2.",
        )
        == turn
    )


def test_a_lot_and_the_move_after_it_are_one_turn() -> None:
    _, turn = told(["play 3S bid 6", "pass", "take e2", "lot 3S bid 5", "bid 6", "pass", "play 2U"])
    assert (
        Episode(
            4,
            7,
            1,
            "Black puts up 3S and bids £5. White £6, Black passes. White takes the lot for £6."
            " Black plays 2U to d3, $20. Black collects $20.",
        )
        == turn
    )


def test_an_auction_that_is_open_is_told_as_far_as_it_has_come() -> None:
    (turn,) = told(["play 3S bid 6", "bid 8"])
    assert turn.words.endswith("and bids $6 for a Thing. Black $8.")


def test_the_third_bid_of_three_ends_an_auction_without_a_pass() -> None:
    (turn,) = told(["play 3S bid 6", "bid 8", "bid 9"], bids="3")
    assert turn.words.endswith("Black $8, White $9. White buys a Thing for $9.")


def test_a_hex_named_with_the_last_bid_stands_at_the_end() -> None:
    (turn,) = told(["play 3S bid 50 take e2"])
    assert turn.words.endswith("White buys a Thing for $50. White names the one on e2.")


def test_who_stays_gives_a_thing() -> None:
    turn = told(["play 3S bid 6", "pass", "take e2", "play 2U", "stay"])[-1]
    assert Episode(5, 5, 0, "White stays and gives Black a Thing.") == turn


def test_the_end_is_told_with_its_reason() -> None:
    turn = told(["play 3S bid 6", "pass", "take e2", "stay"])[-1]
    assert Episode(4, 4, 1, "Black stays. White wins: Black owes a Thing and owns none.") == turn


@pytest.mark.parametrize("seed", range(12))
def test_episodes_leave_no_ply_out_and_no_sentence_open(seed: int) -> None:
    rng = Random(seed)
    position: Position = HEXTHING.start({"bids": ("any", "3")[seed % 2]})
    positions = [position]
    while position.to_play is not None and len(positions) < 150:
        position = position.follow(position.split(position.sample(rng))[0])
        positions.append(position)
    assert HEXTHING.story is not None
    found = HEXTHING.story(positions)
    assert list(range(1, len(positions))) == [n for e in found for n in range(e.first, e.last + 1)]
    for episode in found:
        assert episode.words.endswith(".")
        assert "  " not in episode.words
        assert ".." not in episode.words
    assert [0, 1] * (len(found) // 2) == [each.seat for each in found][: len(found) // 2 * 2]
