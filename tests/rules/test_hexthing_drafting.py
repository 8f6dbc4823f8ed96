"""A ply of Hexagonal Thing clicked together: moves, lots, prices, limits, hexes named, and the way back."""

from __future__ import annotations

import pytest

from rules.contract import Illegal, NoMove, Unreadable
from tests.rules.drawn_hexthing import BLOCKED, FOUR_LEFT, after, drawn, played, selling, start


def cells(draft):
    """Cell -> text of a click on it."""
    return {choice.cell: choice.text for choice in draft.choices if choice.cell}


def controls(draft):
    """Text -> what its control says."""
    return {choice.text: choice.label for choice in draft.choices if not choice.cell}


def ranges(draft):
    """The texts that the least and the most of every amount make."""
    return [f"{each.before}{n}{each.after}" for each in draft.amounts for n in (each.least, each.most)]


# --------------------------------------------------------------------------------------------- moves


def test_a_turn_begins_with_the_hex_that_a_card_leads_to():
    draft = start().draft("")
    landings = {"c6": "1W", "a4": "3W", "d5": "2D", "e6": "1S", "f5": "2S", "g4": "3S"}
    assert {name: f"play {card}" for name, card in landings.items()} == cells(draft)
    assert {"stay": "Stay: you own no Thing to give, so you lose"} == controls(draft)
    assert "Choose the hex to move to, or stay." == draft.hint
    assert (None, False) == (draft.back, draft.complete)


def test_every_move_says_what_comes_of_it():
    said = {choice.text: choice.label for choice in start().draft("").choices}
    assert "Play 3S to g4, a Buy: a Thing is auctioned" == said["play 3S"]
    assert "Play 2D to d5, you collect $20" == said["play 2D"]
    assert "Play 1S to e6, you collect £10" == said["play 1S"]
    assert "Play 1W to c6, a Change: you may change money" == said["play 1W"]
    sale = {choice.text: choice.label for choice in selling().draft("").choices}
    assert "Play 1U to d6, a Sell: a Thing is sold by auction" == sale["play 1U"]
    alone = {choice.text: choice.label for choice in selling(black="£5 $7 0T 1N 2N").draft("").choices}
    assert "Play 1U to d6, a Sell: you collect $20" == alone["play 1U"]


def test_a_move_is_taken_back_by_a_click_on_its_hex():
    assert {"e6": ""} == cells(start().draft("play 1S"))
    assert "" == start().draft("play 1S").back
    assert "White collects £10." == start().draft("play 1S").hint


def test_on_a_change_either_money_may_be_changed_or_none():
    draft = start().draft("play 1W")
    assert draft.complete
    assert ["play 1W change £1", "play 1W change £50", "play 1W change $1", "play 1W change $50"] == ranges(
        draft
    )
    assert () == start().draft("play 1W change £20").amounts
    assert "play 1W" == start().draft("play 1W change £20").back
    assert () == start(money=0).draft("play 1W").amounts


def test_to_stay_says_what_it_costs():
    assert "This ends the game: Black wins: White owes a Thing and owns none." == start().draft("stay").hint
    assert "Stay: Black is given one of your Things" == controls(selling().draft(""))["stay"]
    assert (
        "Stay: Black is given a Thing and wins with four"
        == controls(selling(black="£5 $7 3T 1N 2N").draft(""))["stay"]
    )


def test_who_cannot_move_is_told_what_is_left():
    stuck = drawn(BLOCKED, white="£50 $50 0T 1D", black="£0 $0 0T 1U 2U")
    assert {"lot", "stay"} == {choice.text for choice in stuck.draft("").choices}
    assert "None of your cards can be played: auction cards first, or stay." == stuck.draft("").hint


# ---------------------------------------------------------------------------------------------- lots


def banked():
    """White and Black have each played a card: 1S and 2U are the bank's, and White is to play."""
    return played("play 1S", "play 2U")


def test_cards_are_put_up_one_by_one_or_all_at_once():
    assert "Lot: auction cards of the bank first" == controls(banked().draft(""))["lot"]
    begun = banked().draft("lot")
    assert {
        "lot 2U": "Put up 2U, two steps up",
        "lot 1S": "Put up 1S, one step down-right",
        "lot 2U 1S": "Put up all cards of the bank",
    } == controls(begun)
    assert (False, "") == (begun.complete, begun.back)


def test_a_card_comes_out_of_the_lot_again():
    draft = banked().draft("lot 1S 2U")
    assert {"lot 1S": "Take 2U out of the lot", "lot 2U": "Take 1S out of the lot"} == controls(draft)
    assert "lot 1S" == draft.back
    assert "lot" == banked().draft("lot 1S").back
    assert "lot" in controls(banked().draft("lot 1S bid 4"))


def test_a_lot_is_complete_with_a_bid_within_ones_pounds():
    draft = banked().draft("lot 1S")
    assert not draft.complete
    assert "Add cards, or name your opening bid for them in pounds." == draft.hint
    assert ["lot 1S bid 0", "lot 1S bid 60"] == ranges(draft)
    assert banked().draft("lot 1S bid 60").complete


def test_cards_may_still_be_added_when_the_bid_is_named():
    assert "lot 1S 2U bid 4 max 9" in controls(banked().draft("lot 1S bid 4 max 9"))
    assert "lot 2U 1S bid 4" == str(banked().read(banked().draft("lot 1S 2U bid 4").text))


def test_who_answers_is_told_what_is_for_sale():
    answer = after(banked(), "lot 1S 2U bid 4").draft("")
    assert "Bid £5 or more for 2U 1S, or pass." == answer.hint
    assert {"pass": "Pass: White takes the lot for £4"} == controls(answer)
    many = after(drawn(black="£50 $50 0T 1N 2N 3N"), "lot 1U 2U 3U 1E 2E bid 0").draft("")
    assert "Bid £1 or more for the 5 cards of the lot, or pass." == many.hint


# ------------------------------------------------------------------------------------------- auctions


def test_a_buy_owes_an_opening_bid():
    draft = start().draft("play 3S")
    assert not draft.complete
    assert "g4 is a Buy: name your opening bid for a Thing in dollars." == draft.hint
    assert ["play 3S bid 0", "play 3S bid 50"] == ranges(draft)
    assert {"g4": ""} == cells(draft)


def test_a_hex_named_before_the_bid_stays_behind_it():
    assert ["play 3S bid 0 take e5", "play 3S bid 50 take e5"] == ranges(start().draft("play 3S take e5"))


def test_who_opens_may_leave_a_limit_and_a_hex():
    draft = start().draft("play 3S bid 5")
    assert draft.complete
    assert ["play 3S bid 5 max 5", "play 3S bid 5 max 50"] == ranges(draft)
    assert "play 3S bid 5 take e5" == cells(draft)["e5"]
    assert "Take the Thing on e5 (Buy) when the auction is over" in {c.label for c in draft.choices}
    both = start().draft("play 3S bid 5 max 9 take e5")
    assert "play 3S bid 5 max 9" == both.back == cells(both)["e5"]
    assert "play 3S bid 5 max 9 take c2" == cells(both)["c2"]
    assert ["play 3S bid 5 max 5 take e5", "play 3S bid 5 max 50 take e5"] == ranges(
        start().draft("play 3S bid 5 take e5")
    )


def test_an_auction_that_is_over_at_once_needs_no_limit():
    draft = start().draft("play 3S bid 50")
    assert () == draft.amounts
    assert "The auction is over with this; you may name the hex already." == draft.hint


def test_an_answer_is_a_better_bid_or_pass():
    draft = played("play 3S bid 5").draft("")
    assert ["bid 6", "bid 50"] == ranges(draft)
    assert {"pass": "Pass: White buys the Thing for $5"} == controls(draft)
    assert "Bid $6 or more, or pass." == draft.hint
    assert {} == cells(played("play 3S bid 5").draft("pass"))


def test_the_hex_is_named_by_who_landed_alone():
    assert "take" not in " ".join(choice.text for choice in played("play 3S bid 5").draft("bid 6").choices)
    passing = played("play 3S bid 5", "bid 6").draft("pass")
    assert "pass take b3" == cells(passing)["b3"]
    owed = played("play 3S bid 5", "pass").draft("")
    assert "Choose the Thing that leaves the board." == owed.hint
    assert "take e5" == cells(owed)["e5"]
    assert played("play 3S bid 5", "pass").draft("take e5").complete


def test_with_three_bids_only_the_opener_has_use_for_a_limit():
    assert ["play 3S bid 5 max 5", "play 3S bid 5 max 50"] == ranges(start(bids=3).draft("play 3S bid 5"))
    assert () == played("play 3S bid 5", bids=3).draft("bid 6").amounts
    third = played("play 3S bid 5", "bid 6", bids=3)
    assert "Bid $7 or more in the last bid, or pass." == third.draft("").hint
    assert () == third.draft("bid 7").amounts


def test_a_sale_goes_down_to_all_that_one_owns():
    position = selling()
    draft = position.draft("play 1U")
    assert "d6 is a Sell: name the dollars for which you would sell a Thing." == draft.hint
    assert ["play 1U offer -9", "play 1U offer 9999"] == ranges(draft)
    open_ = position.draft("play 1U offer 4")
    assert ["play 1U offer 4 min -9", "play 1U offer 4 min 4"] == ranges(open_)
    assert "play 1U offer 4 put d5" == cells(open_)["d5"]  # which the counter has left
    answer = after(position, "play 1U offer 0").draft("")
    assert ["offer -7", "offer -1"] == ranges(answer)
    assert "Offer -$1 or less, or pass." == answer.hint
    assert {"pass": "Pass: White sells a Thing for $0"} == controls(answer)


def test_a_field_begins_with_a_number_that_does_no_harm():
    def firsts(position, text):
        return [each.first for each in position.draft(text).amounts]

    assert [20] == firsts(selling(), "play 1U")
    assert [4] == firsts(selling(), "play 1U offer 4")
    assert [3] == firsts(after(selling(), "play 1U offer 4"), "")
    assert [0] == firsts(start(), "play 3S")
    assert [6] == firsts(played("play 3S bid 5"), "")


def test_a_fourth_thing_ends_the_game_before_a_hex_is_named():
    position = drawn(FOUR_LEFT, white="£5 $3 0T 1W", black="£5 $9 3T 1D", turn=1)
    draft = position.draft("play 1D bid 9")
    assert "This ends the game: Black wins: Black owns four Things." == draft.hint
    assert {"a1": ""} == cells(draft)


# -------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("hello there", NoMove, "no move"),
        ("play", Unreadable, "play: the card is missing"),
        ("play 2W", Illegal, "Sell, where only an owner of a Thing may land"),
        ("play 1U", Illegal, "Black's, not yours"),
        ("play 1S bid 4", Illegal, "no bid is due"),
        ("play 3S bid 51", Illegal, "you can bid 0 to 50 here"),
        ("play 3S bid 5 max 51", Illegal, "max can be 50"),
        ("play 3S bid 5 take a1", Illegal, "no Thing stands there"),
        ("lot", Illegal, "the bank has no cards"),
        ("lot 1N", Illegal, "the bank has no cards"),
        ("pass", Illegal, "now White plays a card or stays"),
    ],
)
def test_what_no_ply_begins_with_is_refused_as_in_a_letter(text, error, sentence):
    with pytest.raises(error, match=sentence):
        start().draft(text)


def test_a_ply_out_of_its_turn_is_shown_as_it_was_written():
    with pytest.raises(Illegal, match=r"^lot 1N: now Black bids \$6 to \$50 or passes\.$"):
        played("play 3S bid 5").draft("lot 1N")


def test_capitals_commas_and_signs_are_taken_as_in_a_letter():
    assert "play 3S bid 5 take e5" == start().draft("PLAY 3s, bid $5, take E5").text
    assert "lot" == banked().draft(" LOT ").text
