"""The prices that a search tries in Hexagonal Thing: the one that shuts the other out, and none beyond it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules import RULES
from rules.games.hexthing import ThingPosition
from rules.search import think

THING = RULES["hexthing"]


def purses(position: ThingPosition, **purse: tuple[int, int]) -> ThingPosition:
    """The position with other money or Things, White's first."""
    white, black = position.estates
    first, second = ({name: both[n] for name, both in purse.items()} for n in (0, 1))
    return replace(position, estates=(replace(white, **first), replace(black, **second)))


def prices(position: ThingPosition, before: str) -> list[int]:
    """What is tried behind these words."""
    found = [str(move) for move in position.actions()]
    return [int(text.split()[-1]) for text in found if text.rpartition(" ")[0] == before]


@pytest.mark.parametrize(("own", "others"), [(50, 20), (64, 51), (50, 50), (200, 7), (30, 0)])
def test_an_opening_bid_on_a_buy_goes_up_to_what_the_other_has(own: int, others: int) -> None:
    tried = prices(purses(THING.start(), dollars=(own, others)), "play 3S bid")
    assert others == max(tried)


def test_who_has_less_tries_all_of_it() -> None:
    tried = prices(purses(THING.start(), dollars=(20, 64)), "play 3S bid")
    assert 20 == max(tried)


@pytest.mark.parametrize(("opened", "highest"), [(0, 51), (30, 51), (51, 52), (60, 61)])
def test_a_raise_goes_up_to_what_the_other_has_or_one_more(opened: int, highest: int) -> None:
    start = purses(THING.start(), dollars=(64, 90))
    position = purses(start.play(start.read(f"play 3S bid {opened}")), dollars=(51, 90))
    tried = prices(position, "bid")
    assert (opened + 1, highest) == (min(tried), max(tried))


@pytest.mark.parametrize(("own", "others"), [(50, 20), (20, 20), (40, 3)])
def test_a_lot_is_opened_with_what_the_other_has(own: int, others: int) -> None:
    position = THING.start()
    for text in ("play 1W", "play 2N"):
        position = position.play(position.read(text))
    tried = prices(purses(position, pounds=(own, others)), "lot 2N 1W bid")
    assert {0, others} <= {*tried}
    assert others == max(tried)


def test_a_lot_that_the_other_can_always_answer_is_opened_low() -> None:
    position = THING.start()
    for text in ("play 1W", "play 2N"):
        position = position.play(position.read(text))
    assert 5 == max(prices(purses(position, pounds=(40, 50)), "lot 2N 1W bid"))


@pytest.mark.parametrize(("own", "others"), [(50, 20), (64, 51)])
def test_an_offer_on_a_sell_goes_down_to_what_the_other_can_pay(own: int, others: int) -> None:
    position = purses(THING.start(), dollars=(own, others), things=(1, 1))
    assert -others == min(prices(position, "play 1D offer"))


def test_the_last_of_three_bids_is_one_more() -> None:
    position = THING.start({"bids": "3"})
    for text in ("play 3S bid 3", "bid 9"):
        position = position.play(position.read(text))
    assert [10] == prices(position, "bid")


@pytest.mark.parametrize("seed", range(3))
def test_with_50_dollars_against_20_a_bot_opens_with_20(seed: int) -> None:
    position = purses(THING.start(), dollars=(50, 20))
    assert "play 3S bid 20" == think(position, 3, seed=seed, playouts=3000).move
