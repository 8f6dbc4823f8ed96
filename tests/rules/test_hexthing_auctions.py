"""Hexagonal Thing's auctions, sentence by sentence: for cards, on a Buy, on a Sell, of three bids."""

from __future__ import annotations

import pytest

from rules.contract import Outcome, Unreadable
from tests.rules.drawn_hexthing import FOUR_LEFT, after, drawn, played, refusal, selling, start

# --------------------------------------------------------------------------------------------- card auctions


def banked():
    """White and Black have each played a card: 1S and 2U are the bank's, and White is to play."""
    return played("play 1S", "play 2U")


def test_a_card_that_was_played_is_the_banks():
    assert ("2U", "1S") == banked().bank
    assert "1S" not in banked().estates[0].cards


def test_a_lot_is_opened_by_whoever_names_it_with_nothing_or_more():
    assert refusal(banked(), "lot 1S 2U bid 0") is None
    assert refusal(banked(), "lot 1S 2U bid 60") is None
    assert "bid 61: you have £60, so you can bid 0 to 60 here." == refusal(banked(), "lot 1S 2U bid 61")


def test_players_bid_in_turn_at_least_one_more_until_one_passes():
    position = after(banked(), "lot 1S 2U bid 3")
    assert 1 == position.to_play
    assert "bid 3: the last bid is 3, so bid 4 or more, or pass." == refusal(position, "bid 3")
    position = after(position, "bid 4", "bid 9")
    assert 1 == position.to_play
    assert position.auction is not None
    assert after(position, "pass").auction is None


def test_a_bid_is_within_ones_money():
    position = after(banked(), "lot 1S bid 3")
    assert "bid 51: you have £50, so bid 4 to 50, or pass." == refusal(position, "bid 51")


def test_the_last_bidder_pays_the_bank_and_takes_the_whole_lot():
    won = after(banked(), "lot 1S 2U bid 3", "bid 7", "pass")
    white, black = won.estates
    assert (60, 43) == (white.pounds, black.pounds)
    assert ("1N", "2N", "3N", "1U", "2U", "3U", "1E", "2E", "3E", "1S") == black.cards
    assert () == won.bank


def test_after_the_auction_whoever_invoked_it_moves_also_when_the_other_won():
    won = after(banked(), "lot 1S 2U bid 3", "bid 7", "pass")
    assert 0 == won.to_play
    assert won.awaits_move
    assert ["White plays a card or stays."] == won.notes()[1:]
    assert ["Black takes the lot for £7."] == won.notes()[:1]


def test_an_auction_ends_when_the_other_cannot_better_the_bid():
    won = after(banked(), "lot 1S 2U bid 50")
    assert won.auction is None
    assert (10, 0) == (won.estates[0].pounds, won.to_play)
    assert "1S" in won.estates[0].cards
    raised = after(banked(), "lot 1S 2U bid 0", "bid 49")
    assert raised.auction is not None
    assert after(raised, "bid 60").auction is None


def test_a_bid_of_nothing_is_enough_against_somebody_with_no_money():
    position = drawn(white="£1 $0 0T 1W 2W", black="£0 $9 0T 1N 2N")
    assert "3S" in after(position, "lot 3S bid 0").estates[0].cards


def test_there_is_one_card_auction_a_turn_at_most():
    won = after(banked(), "lot 1S bid 50")
    assert ("2U",) == won.bank
    assert (
        "lot 2U: one card auction a turn, and this turn has had it; now White plays a card or stays."
        == refusal(won, "lot 2U bid 0")
    )
    assert refusal(after(won, "play 1S"), "lot 2U bid 0") is None


def test_only_the_banks_cards_are_auctioned():
    assert "1W is your own; the bank has 2U 1S to auction." == refusal(banked(), "lot 1W 2U bid 0")
    assert "1N is Black's; the bank has 2U 1S to auction." == refusal(banked(), "lot 1N bid 0")


def test_a_card_won_may_be_played_at_once_also_by_whoever_could_not_move():
    position = drawn(
        """
              WW
          ##      10
      Se      ##      Ch
  10      Bu      Bu      Bu
      Ch      ##      Se
  Se      Se      ##      Ch
      ##      ##      ##
  Ch      Ch      Se      Se
      Se      20      Ch
  Bu      Bu      Bu      10
      Ch      Se      Se
          10      Ch
              BB
        """,
        white="£9 $9 0T 1W 2D 3U",
        black="£9 $9 0T 1N",
    )
    assert () == position.open_cards
    won = after(position, "lot 1S bid 9")
    assert ("1S",) == won.open_cards
    assert "e6" == after(won, "play 1S").estates[0].hex


def test_the_order_of_a_lot_is_n_u_e_w_d_s_and_then_1_2_3():
    assert "lot 2N 1U 3E 1W 2D 3S bid 0" == str(start().read("lot 3S 2D 1W 3E 1U 2N bid 0"))
    assert "lot 1N 2N 3N bid 0" == str(start().read("lot 3N 1N 2N bid 0"))


# ------------------------------------------------------------------------------------------------------- buy


def test_on_a_buy_an_auction_in_dollars_is_opened_in_the_same_ply():
    position = played("play 3S bid 3")
    assert 1 == position.to_play
    assert ("buy", (3,)) == (position.auction.kind, position.auction.bids)
    assert (
        "play 3S: g4 is a Buy, and the opening bid is owed; write play 3S bid 0, or any bid up to your $50."
        == refusal(start(), "play 3S")
    )
    assert "bid 51: you have $50, so you can bid 0 to 50 here." == refusal(start(), "play 3S bid 51")


def test_the_highest_bidder_pays_and_owns_a_thing_as_soon_as_the_auction_is_over():
    won = played("play 3S bid 3", "bid 4", "bid 10", "pass")
    assert (1, 40) == (won.estates[0].things, won.estates[0].dollars)
    assert "White buys a Thing for $10." == won.notes()[0]
    assert "take" == won.due


def test_the_player_who_landed_names_the_thing_whoever_won():
    lost = played("play 3S bid 3", "bid 4", "pass")
    assert (0, 1) == tuple(each.things for each in lost.estates)
    assert 0 == lost.to_play
    taken = after(lost, "take d4")
    assert "d4" not in taken.things
    assert "d4" in taken.nameable("put")
    assert 1 == taken.to_play


def test_who_landed_and_passes_may_name_the_thing_in_the_same_ply():
    assert "d4" not in played("play 3S bid 3", "bid 4", "pass take d4").things


def test_who_did_not_land_names_nothing():
    position = played("play 3S bid 3")
    assert "take d4: White landed there and names the hex; write pass alone." == refusal(
        position, "pass take d4"
    )


def test_a_ply_that_ends_the_auction_may_name_the_thing():
    taken = played("play 3S bid 50 take e5")
    assert "e5" not in taken.things
    assert ("play 3S bid 50 take e5", 1) == (taken.last, taken.to_play)
    assert "White buys a Thing for $50." == taken.notes()[0]


def test_nothing_is_named_while_the_auction_is_open():
    assert (
        "take e5: the auction is still open, and the hex is named when it is over; write play 3S bid 5 alone."
        == refusal(start(), "play 3S bid 5 take e5")
    )


def test_only_a_thing_on_the_board_is_taken():
    position = played("play 3S bid 3", "pass")
    assert "take c4: no Thing stands there; Things stand on b3, c2, c5, d4, e2, e5 and f3." == refusal(
        position, "take c4"
    )


def test_the_hex_of_a_thing_that_was_taken_can_be_landed_on_and_passed_over():
    assert "3U" in played("play 3S bid 50 take d4").open_cards
    assert "3U" not in played("play 3S bid 50 take e5").open_cards


def test_who_buys_a_fourth_thing_has_won_when_the_auction_ends_and_no_hex_is_named():
    position = drawn(FOUR_LEFT, white="£5 $30 3T 1W", black="£5 $20 0T 1D", turn=1)
    won = after(position, "play 1D bid 10", "bid 11", "pass")
    assert Outcome(0, "White", "White wins: White owns four Things") == won.outcome
    assert (None, "") == (won.to_play, won.due)
    assert 4 == len(won.things)


def test_a_hex_named_beside_the_bid_that_wins_the_game_is_too_much():
    position = drawn(FOUR_LEFT, white="£5 $30 0T 1W", black="£5 $40 3T 1D", turn=1)
    assert "take b3: this ends the game before a hex is named; write play 1D bid 30 alone." == refusal(
        position, "play 1D bid 30 take b3"
    )
    assert "Black wins: Black owns four Things" == after(position, "play 1D bid 30").outcome.reason


# ------------------------------------------------------------------------------------------------------ sell


def test_the_only_owner_of_things_collects_twenty_dollars_on_a_sell_and_keeps_the_thing():
    sold = after(selling(white="£5 $9 2T 1U", black="£5 $7 0T 1N"), "play 1U")
    assert (29, 2) == (sold.estates[0].dollars, sold.estates[0].things)
    assert 1 == sold.to_play
    assert "White, the only owner of Things, collects $20 on the Sell." == sold.notes()[0]
    assert (
        "play 1U: d6 is a Sell, where no offer is due while the other player owns no Thing; write play 1U"
        " alone." == refusal(selling(black="£5 $7 0T 1N"), "play 1U offer 30")
    )


def test_with_both_owning_a_thing_a_reverse_auction_is_opened_in_the_same_ply():
    assert (
        "play 1U: d6 is a Sell, and the opening offer is owed; write play 1U offer 40, or any offer from"
        " 9999 down to -9." == refusal(selling(), "play 1U")
    )
    position = after(selling(), "play 1U offer 40")
    assert ("sell", 1) == (position.auction.kind, position.to_play)


def test_the_first_offer_is_at_most_9999():
    assert refusal(selling(), "play 1U offer 9999") is None
    with pytest.raises(Unreadable, match="offer 10000: an offer is at most 9999 dollars"):
        selling().read("play 1U offer 10000")


def test_offers_go_down_by_one_at_least():
    position = after(selling(), "play 1U offer 40")
    assert "offer 40: an offer must be 39 or less here, down to -7." == refusal(position, "offer 40")
    assert refusal(position, "offer 39") is None


def test_the_lowest_offer_is_paid_by_the_bank_and_its_owner_gives_up_a_thing():
    sold = after(selling(), "play 1U offer 40", "offer 30", "offer 25", "pass")
    assert (34, 0) == (sold.estates[0].dollars, sold.estates[0].things)
    assert (7, 1) == (sold.estates[1].dollars, sold.estates[1].things)
    assert "White sells a Thing for $25." == sold.notes()[0]


def test_an_offer_may_be_negative_down_to_the_dollars_owned_and_is_paid_to_the_bank():
    position = after(selling(), "play 1U offer 0")
    assert "offer -8: you have $7, so your offers end at -7, where you would pay it all." == refusal(
        position, "offer -8"
    )
    sold = after(position, "offer -6", "pass put a1")
    assert (1, 0) == (sold.estates[1].dollars, sold.estates[1].things)
    assert "Black sells a Thing for -$6." == sold.notes()[0]


def test_a_sale_ends_when_the_other_cannot_go_lower():
    sold = after(selling(), "play 1U offer -7")
    assert sold.auction is None
    assert ("put", 0) == (sold.due, sold.to_play)
    assert (2, 0) == (sold.estates[0].dollars, sold.estates[0].things)


def test_the_player_who_landed_puts_the_thing_whoever_sold_it():
    sold = after(selling(), "play 1U offer 40", "offer 30", "pass")
    assert (0, "put") == (sold.to_play, sold.due)
    assert 0 == sold.estates[1].things
    put = after(sold, "put c3")
    assert "c3" in put.things
    assert 1 == put.to_play


def test_it_may_stand_in_the_ply_that_ends_the_sale():
    assert "c3" in after(selling(), "play 1U offer 40", "offer 30", "pass put c3").things
    assert "c3" in after(selling(), "play 1U offer -9 put c3").things


def test_any_hex_without_thing_or_counter_will_do_starred_or_not():
    sold = after(selling(), "play 1U offer -9")
    free = {str(move) for move in sold.moves()}
    assert 37 - 5 - 2 == len(free)
    assert {"put c5", "put d7", "put a1", "put d1"} <= free
    assert "put e5: a Thing stands there; any hex without a Thing or a counter will do." == refusal(
        sold, "put e5"
    )
    assert "put d6: White's counter stands there; any hex without a Thing or a counter will do." == refusal(
        sold, "put d6"
    )
    assert "put b3: Black's counter stands there; any hex without a Thing or a counter will do." == refusal(
        sold, "put b3"
    )


def test_things_are_seven_on_the_board_and_owned():
    sold = after(selling(), "play 1U offer 40", "offer 30", "pass put c3")
    assert 7 == len(sold.things) + sum(each.things for each in sold.estates)


# ------------------------------------------------------------------------------------------------ three bids


def test_with_three_bids_an_auction_ends_with_the_third_and_it_is_the_openers():
    position = played("play 3S bid 3", "bid 4", bids=3)
    assert 0 == position.to_play
    assert "It is the third bid of this auction, and the last." == position.notes()[-1]
    won = after(position, "bid 5 take e5")
    assert (1, 45) == (won.estates[0].things, won.estates[0].dollars)
    assert "e5" not in won.things


def test_with_three_bids_the_opener_may_pass_instead():
    assert (0, 1) == tuple(each.things for each in played("play 3S bid 3", "bid 4", "pass", bids=3).estates)


def test_with_three_bids_cards_and_sales_end_so_too():
    lot = played("play 1S", "play 2U", "lot 1S bid 0", "bid 1", "bid 2", bids=3)
    assert "1S" in lot.estates[0].cards
    sale = after(selling(bids="3"), "play 1U offer 40", "offer 30", "offer 29")
    assert ("put", 0) == (sale.due, sale.to_play)
