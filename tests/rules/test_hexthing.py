"""Hexagonal Thing's rules, sentence by sentence, each with its position drawn: board, moves, ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from rules.contract import Outcome, Unreadable
from rules.games.hexthing.hexes import BOARD, CARDS, PLACES, WAYS
from rules.picture import text
from tests.rules.drawn_hexthing import BLOCKED, ONE_EACH, after, drawn, played, refusal, start

# ------------------------------------------------------------------------------------------------- the board


def test_the_start_is_drawn_with_all_that_both_have_beside_it():
    assert text(start().picture()) == (
        "            7   WW  7               White (WW)  L50  $50  no Thing\n"
        "        6   Ch      10  6             1W 2W 3W 1D 2D 3D 1S 2S 3S\n"
        "    5   Se      Se      Ch  5\n"
        "4   10      ##      ##      Bu  4   Black (BB)  L50  $50  no Thing\n"
        "        Ch      20      Se            1N 2N 3N 1U 2U 3U 1E 2E 3E\n"
        "3   Se      Se      Ch      Ch  3\n"
        "        ##      ##      ##          Bank: no cards\n"
        "2   Ch      Ch      Se      Se  2\n"
        "        Se      20      Ch\n"
        "1   Bu      ##      ##      10  1\n"
        "        Ch      Se      Se\n"
        "            10      Ch\n"
        "                BB\n"
        "    a   b   c   d   e   f   g\n"
        "\n"
        "Covered: b3 Bu, c2 Bu, c5 Bu, d1 JV, d4 Bu, d7 JV, e2 Bu, e5 Bu, f3 Bu"
    )


def test_the_board_has_37_hexes_in_columns_of_4_5_6_7_6_5_4():
    assert 37 == len(start().picture().spots)
    columns = Counter(spot.name[0] for spot in start().picture().spots)
    assert {"a": 4, "b": 5, "c": 6, "d": 7, "e": 6, "f": 5, "g": 4} == columns


TABLE = """
a  a1 Bu  a2 Ch  a3 Se  a4 10
b  b1 Ch  b2 Se  b3 Bu  b4 Ch  b5 Se
c  c1 10  c2 Bu  c3 Ch  c4 Se  c5 Bu  c6 Ch
d  d1 JV  d2 Se  d3 20  d4 Bu  d5 20  d6 Se  d7 JV
e  e1 Ch  e2 Bu  e3 Se  e4 Ch  e5 Bu  e6 10
f  f1 Se  f2 Ch  f3 Bu  f4 Se  f5 Ch
g  g1 10  g2 Se  g3 Ch  g4 Bu
"""
LETTERS = {"Bu": "B", "Se": "S", "Ch": "C", "JV": "J", "10": "P", "20": "D"}


def test_every_hex_is_what_the_designers_print_has_there():
    words = [word for line in TABLE.split("\n") for word in line.split()[1:]]
    assert dict(zip(words[::2], (LETTERS[label] for label in words[1::2]), strict=True)) == start().kinds


def test_the_board_is_the_same_turned_by_half():
    assert BOARD == BOARD[::-1]


def test_the_middle_hex_and_the_six_buys_round_it_bear_things():
    assert ("b3", "c2", "c5", "d4", "e2", "e5", "f3") == start().things
    assert {"B"} == {start().kinds[name] for name in start().things}
    x, y = PLACES["d4"]
    turned = {(2 * x - PLACES[name][0], 2 * y - PLACES[name][1]) for name in start().things}
    assert turned == {PLACES[name] for name in start().things}


def test_white_starts_on_d7_the_upmost_hex_and_black_on_d1():
    assert ("d7", "d1") == tuple(estate.hex for estate in start().estates)
    assert ("White", "Black") == (start().side(0), start().side(1))
    assert 0 == start().to_play
    heights = {name: y for name, (_, y) in PLACES.items()}
    assert ("d7", "d1") == (min(heights, key=heights.get), max(heights, key=heights.get))


@pytest.mark.parametrize(
    ("hex", "ways"),
    [
        ("d4", {"1U": "d5", "1D": "d3", "1N": "c4", "1E": "e4", "1W": "c3", "1S": "e3"}),
        ("c3", {"1U": "c4", "1D": "c2", "1N": "b3", "1E": "d4", "1W": "b2", "1S": "d3"}),
    ],
)
def test_north_is_up_left_east_up_right_west_down_left_and_south_down_right(hex, ways):
    assert ways == {card: WAYS[hex][card][-1] for card in ways}


def test_a_card_leads_one_two_or_three_steps():
    assert [("e6",), ("e6", "f5"), ("e6", "f5", "g4")] == [WAYS["d7"][card] for card in ("1S", "2S", "3S")]


def test_there_are_18_cards_white_has_south_down_and_west_and_black_the_others():
    white, black = (estate.cards for estate in start().estates)
    assert 18 == len(CARDS) == len({*white, *black})
    assert ("SDW", "NUE") == tuple(
        "".join({card[1]: "" for card in cards[::-1]}) for cards in (white, black[::-1])
    )
    assert {"1", "2", "3"} == {card[0] for card in white}


def test_each_has_50_pounds_and_50_dollars_and_no_thing():
    assert [(50, 50, 0)] * 2 == [(each.pounds, each.dollars, each.things) for each in start().estates]


# ---------------------------------------------------------------------------------------- White's first turn


def test_in_the_first_turn_six_cards_of_whites_can_be_played():
    position = start()
    assert {"1S": "e6", "2S": "f5", "3S": "g4", "2D": "d5", "1W": "c6", "3W": "a4"} == {
        card: position.landing(card) for card in position.open_cards
    }


CAN = "1W, 3W, 2D, 1S, 2S and 3S can be played."


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "lot 1N bid 5",
            "lot 1N: the bank has no cards, so there is nothing to auction; now White plays a card or stays.",
        ),
        ("play 1D", f"1D: d6 is a Sell, where only an owner of a Thing may land; {CAN}"),
        ("play 2W", f"2W: b5 is a Sell, where only an owner of a Thing may land; {CAN}"),
        ("play 3D", f"3D: a Thing stands on d4; {CAN}"),
    ],
)
def test_in_the_first_turn_no_lot_no_sell_and_no_hex_with_a_thing(text, sentence):
    assert sentence == refusal(start(), text)


def test_a_change_of_all_pounds_leaves_a_hundred_dollars():
    white = played("play 1W change £50").estates[0]
    assert (0, 100) == (white.pounds, white.dollars)


def test_a_sell_may_be_passed_over_without_a_thing():
    position = played("play 2D")
    assert "d5" == position.estates[0].hex
    assert "d6" in WAYS["d7"]["2D"]


# ---------------------------------------------------------------------------------------------------- moving


def test_a_counter_moves_as_many_hexes_that_way_and_the_turn_goes_on():
    position = played("play 2S")
    assert "f5" == position.estates[0].hex
    assert 1 == position.to_play


@pytest.mark.parametrize(
    ("card", "reason"),
    [
        ("3U", "it leads off the board from d5"),
        ("1N", "a Thing stands on c5"),
        ("2E", "a Thing stands in the way, on e5"),
        ("1D", "Black's counter stands on d4"),
        ("3D", "Black's counter stands in the way, on d4"),
        ("1U", "d6 is a Sell, where only an owner of a Thing may land"),
        ("1E", "it is Black's, not yours"),
        ("1S", "it is the bank's, not yours"),
    ],
)
def test_a_counter_stays_on_the_board_and_off_things_and_the_other_counter(card, reason):
    position = drawn(BLOCKED, white="£5 $5 0T 1N 1U 2U 3U 2E 1D 3D 1W", black="£5 $5 0T 1E 3E")
    assert f"{card}: {reason}; 2U can be played." == refusal(position, f"play {card}")
    assert ("2U",) == position.open_cards


def test_an_owner_of_a_thing_may_land_on_a_sell():
    position = drawn(BLOCKED, white="£5 $5 1T 1U", black="£5 $5 0T 1E 3E")
    assert refusal(position, "play 1U") is None


# --------------------------------------------------------------------------------------------------- staying


def test_who_stays_gives_the_other_a_thing_whether_a_card_could_be_played_or_not():
    position = drawn(ONE_EACH, white="£5 $5 1T 1W", black="£5 $5 1T 1N")
    assert position.open_cards
    stayed = after(position, "stay")
    assert (0, 2) == tuple(each.things for each in stayed.estates)
    assert 1 == stayed.to_play
    assert "White stays and gives Black a Thing." == stayed.notes()[0]


def test_the_hex_of_who_stays_does_nothing_again():
    position = drawn(ONE_EACH, white="£5 $5 1T 1W", black="£5 $5 1T 1N")
    stayed = after(position, "stay")
    assert stayed.auction is None
    assert [(5, 5), (5, 5)] == [(each.pounds, each.dollars) for each in stayed.estates]


def test_who_owes_a_thing_and_owns_none_has_lost():
    lost = played("stay")
    assert lost.outcome == Outcome(1, "Black", "Black wins: White owes a Thing and owns none")
    assert lost.to_play is None


def test_who_is_given_a_fourth_thing_by_staying_has_won():
    position = drawn(ONE_EACH, white="£5 $5 1T 1W", black="£5 $5 3T 1N")
    assert Outcome(1, "Black", "Black wins: Black owns four Things") == after(position, "stay").outcome


def test_a_turn_letter_says_beforehand_that_to_stay_would_lose():
    stuck = drawn(
        BLOCKED, white="£5 $5 0T 3U", black="£5 $5 0T 1N 2N 3N 1U 2U 1E 2E 3E 1W 2W 3W 1D 2D 3D 1S 2S 3S"
    )
    assert [
        "White plays a card or stays.",
        "No card of White's can be played, and White owns no Thing: to stay loses.",
    ] == stuck.notes()
    assert ["stay"] == stuck.examples() == stuck.playable()
    with_bank = drawn(BLOCKED, white="£5 $5 0T 3U", black="£5 $5 0T 1N")
    assert "A card won in an auction first may help." == with_bank.notes()[-1]
    with_thing = drawn(BLOCKED, white="£5 $5 1T 3U", black="£5 $5 0T 1N")
    assert "No card of White's can be played; to stay costs White a Thing." in with_thing.notes()


# --------------------------------------------------------------------------------------------------- landing


def test_twenty_dollars_and_ten_pounds_are_collected():
    assert (50, 70) == (played("play 2D").estates[0].pounds, played("play 2D").estates[0].dollars)
    assert (60, 50) == (played("play 1S").estates[0].pounds, played("play 1S").estates[0].dollars)
    assert "White collects $20." == played("play 2D").notes()[0]
    assert "White collects £10." == played("play 1S").notes()[0]


def test_on_just_visiting_nothing_happens():
    position = drawn(BLOCKED, white="£5 $5 0T 2U", black="£5 $5 0T 1E")
    visiting = after(position, "play 2U")
    assert ("d7", 5, 5) == (visiting.estates[0].hex, visiting.estates[0].pounds, visiting.estates[0].dollars)
    assert 1 == visiting.to_play


@pytest.mark.parametrize(
    ("ply", "pounds", "dollars"),
    [
        ("play 1W", 50, 50),
        ("play 1W change £20", 30, 70),
        ("play 1W change $15", 65, 35),
        ("play 1W change $50", 100, 0),
    ],
)
def test_on_a_change_any_part_of_either_money_is_changed_one_for_one_or_nothing(ply, pounds, dollars):
    white = played(ply).estates[0]
    assert (pounds, dollars) == (white.pounds, white.dollars)


def test_change_takes_one_up_to_what_one_owns():
    assert "change £51: you have £50, so you can change 1 to 50 here." == refusal(
        start(), "play 1W change £51"
    )
    broke = start(money=0)
    assert "change $1: you have no dollars to change." == refusal(broke, "play 1W change $1")
    with pytest.raises(Unreadable, match="change £0: at least 1 is changed"):
        start().read("play 1W change £0")


def test_changing_is_for_the_ply_that_lands_alone():
    position = played("play 1W")
    assert 1 == position.to_play
    with pytest.raises(Unreadable, match="change goes with the card that leads onto a Change"):
        position.read("change £20")


# --------------------------------------------------------------------------------------------------- the end


def to_and_fro(count):
    """Both stay in turn: one Thing goes to and fro, and the position comes again after two plies."""
    stuck = drawn(BLOCKED, white="£5 $5 1T 3U", black="£5 $5 0T 1N")
    return after(stuck, *["stay"] * count)


def test_the_same_position_at_the_beginning_of_a_turn_for_the_third_time_is_a_draw():
    assert to_and_fro(3).outcome is None
    draw = Outcome(None, None, "Draw: the same position, to begin a turn, for the third time")
    assert draw == to_and_fro(4).outcome
    assert to_and_fro(4).to_play is None


def test_the_starting_position_counts_as_a_first_time():
    assert 1 == len(start().turns)
    assert 3 == to_and_fro(4).turns.count(to_and_fro(0).turns[0])


def test_positions_within_a_turn_do_not_count():
    assert 3 == len(played("play 1S", "play 2U", "lot 1S bid 0", "bid 1", "pass").turns)


@pytest.mark.parametrize("change", ["turn", "hex", "cards", "pounds", "dollars", "things"])
def test_a_position_is_another_when_anything_of_it_differs(change):
    one = to_and_fro(0)
    white, black = one.estates
    estate = {"hex": "g1", "cards": ("1S",), "pounds": 6, "dollars": 6}
    if change == "turn":
        other = replace(one, turn=1)
    elif change == "things":
        other = replace(one, things=("a1", *one.things[1:]))
    else:
        other = replace(one, estates=(replace(white, **{change: estate[change]}), black))
    stayed = [position.follow(position.read("stay")) for position in (one, other)]
    assert stayed[0].turns[-1] != stayed[1].turns[-1]
