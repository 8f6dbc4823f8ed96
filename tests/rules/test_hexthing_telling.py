"""Hexagonal Thing beside its plies: options, boards of one's own, lists, notes, records."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import wrap

import pytest

from rules import RULES, find
from rules.contract import BadOption, Illegal, NoMove, replay
from rules.picture import text
from rules.record import read, write
from rules.record import replay as replayed
from rules.summary import summary_text
from tests.rules.drawn_hexthing import HEXTHING, after, played, refusal, selling, start

GOLDEN = Path(__file__).parent / "golden"


# --------------------------------------------------------------------------------------------------- options


def test_things_begin_where_the_option_says_money_is_of_both_kinds():
    position = start(things="G4,a1 a2 b1 b2 c1 c2".replace(" ", ","), money=7)
    assert ("a1", "a2", "b1", "b2", "c1", "c2", "g4") == position.things
    assert "a1,a2,b1,b2,c1,c2,g4" == position.options["things"]
    assert [(7, 7), (7, 7)] == [(each.pounds, each.dollars) for each in position.estates]


def test_the_options_are_complete_and_typed():
    assert {
        "bids": "any",
        "things": "b3,c2,c5,d4,e2,e5,f3",
        "money": 50,
        "board": "BCSPCSBCSPBCSBCJSDBDSJCBSCBPSCBSCPSCB",
    } == dict(start().options)


def test_a_board_of_ones_own_is_37_letters_in_the_tables_order():
    position = start(board="b" * 4 + "C" * 32 + "d")
    assert ("B", "B", "C", "D") == tuple(position.kinds[name] for name in ("a1", "a4", "b1", "g4"))


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({"bids": "4"}, "bids=4 cannot be: bids is any or 3."),
        ({"money": "1000"}, "money=1000 cannot be: money is 0 to 999."),
        ({"money": "-1"}, "money=-1 cannot be: money is 0 to 999."),
        ({"things": "b3,c2"}, "things=b3,c2 cannot be: things is seven different hexes, not d1 or d7."),
        (
            {"things": "b3,c2,c5,d4,e2,e5,d7"},
            "things=b3,c2,c5,d4,e2,e5,d7 cannot be: things is seven different hexes, not d1 or d7.",
        ),
        (
            {"things": "b3,b3,c5,d4,e2,e5,f3"},
            "things=b3,b3,c5,d4,e2,e5,f3 cannot be: things is seven different hexes, not d1 or d7.",
        ),
        ({"board": "BCSP"}, "board=BCSP cannot be: board is 37 letters of B S C J P D."),
        ({"board": "X" * 37}, f"board={'X' * 37} cannot be: board is 37 letters of B S C J P D."),
    ],
)
def test_an_impossible_option_names_its_range(option, sentence):
    with pytest.raises(BadOption) as error:
        HEXTHING.start(option)
    assert sentence == str(error.value)


@pytest.mark.parametrize(
    "word", ["hexthing", "Hexagonal Thing", "hexagonal-thing", "HEXAGONAL THING", "hexagonal", "thing"]
)
def test_the_game_goes_by_several_names(word):
    assert HEXTHING is find(word)


# ---------------------------------------------------------------------------------------------- what is told


def test_counters_things_holdings_and_the_bank_are_listed_for_ears():
    position = played("play 3S bid 11", "pass", "take e5", "play 2U")
    assert [
        ("White's counter (WW) on Buy", ["g4"]),
        ("Black's counter (BB) on $20", ["d3"]),
        ("Things (##) on Buy", ["b3", "c2", "c5", "d4", "e2", "f3"]),
        ("White owns", ["£50,", "$39,", "1 Thing"]),
        ("White's cards", ["1W", "2W", "3W", "1D", "2D", "3D", "1S", "2S"]),
        ("Black owns", ["£50,", "$70,", "no Thing"]),
        ("Black's cards", ["1N", "2N", "3N", "1U", "3U", "1E", "2E", "3E"]),
        (
            "White can play",
            "1W to f4 (Sell),|2W to e4 (Change),|1D to g3 (Change),|2D to g2 (Sell),|3D to g1 (£10)".split(
                "|"
            ),
        ),
        ("On the board", ["Bu Buy,", "Se Sell,", "Ch Change,", "JV Just Visiting,", "10 £10,", "20 $20"]),
        ("The bank's cards", ["2U", "3S"]),
    ] == position.stones()
    assert ["1W", "2W", "1D", "2D", "3D"] == list(position.open_cards)


def test_what_things_stand_on_is_told_by_kind():
    sold = after(selling(), "play 1U offer -9 put d7")
    assert [
        ("Things (##) on Buy", ["c2", "d4", "e2", "e5", "f3"]),
        ("Things (##) on Just Visiting", ["d7"]),
    ] == [(label, names) for label, names in sold.stones() if label.startswith("Things")]


def test_in_an_auction_the_lot_and_the_bids_are_listed_and_drawn():
    position = played("play 1S", "play 2U", "lot 1S bid 3", "bid 4")
    assert [
        ("The bank's cards", ["2U"]),
        ("The lot", ["1S"]),
        ("Bids so far", ["White £3,", "Black £4"]),
    ] == position.stones()[-3:]
    drawn_text = text(position.picture())
    assert "  Bank: 2U\n" in drawn_text
    assert "  Lot: 1S\n" in drawn_text
    assert "  Bids: White L3, Black L4\n" in drawn_text
    assert "  Move 4, Black: bid 4\n" in drawn_text


def test_of_many_bids_the_last_are_shown():
    plies = ["play 3S bid 0", *(f"bid {bid}" for bid in range(1, 30))]
    position = played(*plies)
    assert "(20 more before)" == position.stones()[-1][1][0]
    beside = [line[36:] for line in text(position.picture()).splitlines()]
    assert ["Bids: (26 more before) White $26,", "  Black $27, White $28, Black $29"] == beside[9:11]


def test_hexes_hidden_under_things_and_counters_are_listed_with_their_label():
    assert text(played("play 1S").picture()).splitlines()[-1] == (
        "Covered: b3 Bu, c2 Bu, c5 Bu, d1 JV, d4 Bu, e2 Bu, e5 Bu, e6 10, f3 Bu"
    )


@pytest.mark.parametrize(
    ("plies", "due"),
    [
        ([], "White plays a card or stays."),
        (["play 1S"], "Black plays a card or stays; a card auction (lot) may come first."),
        (["play 3S bid 3"], "Black bids $4 to $50 or passes."),
        (["play 3S bid 49"], "Black bids $50 or passes."),
        (["play 1S", "play 2U", "lot 1S bid 3"], "Black bids £4 to £50 or passes."),
        (["play 3S bid 50"], "White names the Thing that goes (take and a hex)."),
    ],
)
def test_what_is_owed_now_is_said(plies, due):
    assert due == played(*plies).notes()[-1]


def test_what_is_owed_in_a_sale_is_said():
    position = after(selling(), "play 1U offer 40")
    assert "Black offers $39 or less, to -$7, or passes." == position.notes()[-1]
    assert "White puts the Thing on a free hex (put and a hex)." == after(position, "pass").notes()[-1]


def test_the_last_ply_and_the_hexes_open_now_are_marked():
    def marked(position, headers):
        return {spot.name for spot in position.picture().spots if headers in spot.marks}

    assert {"e6", "f5", "g4", "d5", "c6", "a4"} == marked(start(), "legal")
    assert {"g4"} == marked(played("play 3S bid 50"), "last")
    assert set(start().things) == marked(played("play 3S bid 50"), "legal")
    assert {"e5"} == marked(played("play 3S bid 50 take e5"), "last")
    assert (
        set() == marked(played("play 3S bid 3", "bid 4"), "last") == marked(played("play 3S bid 3"), "legal")
    )


def test_the_table_of_what_both_have_is_data_for_programs():
    assert {
        "White": {"Things": 1, "pounds": 50, "dollars": 39, "cards": 8},
        "Black": {"Things": 0, "pounds": 50, "dollars": 50, "cards": 9},
    } == played("play 3S bid 11", "pass", "take e5").scores()


KINDS = [
    ([], {"play", "play change", "play bid", "stay"}),
    (["play 1S"], {"play", "play change", "play bid", "stay", "lot bid"}),
    (["play 3S bid 3"], {"bid", "pass"}),
    (["play 3S bid 50"], {"take"}),
    (
        ["play 3S bid 50 take e5", "play 3N bid 50 take d4"],
        {"play", "play change", "play offer", "stay", "lot bid"},
    ),
]


@pytest.mark.parametrize(("plies", "kinds"), KINDS)
def test_at_most_30_examples_and_one_at_least_of_every_kind_of_ply_open(plies, kinds):
    position = played(*plies)
    found = {
        " ".join(word for word in line.split() if word.isalpha() and len(word) > 2)
        for line in position.playable()
    }
    assert kinds <= found
    assert len(position.playable()) <= 30
    assert all(refusal(position, line) is None for line in position.playable())


def test_examples_of_sales_begin_with_a_fair_offer():
    assert "play 1U offer 20" in selling().examples()
    position = after(selling(), "play 1U offer 40")
    assert ["offer 39", "pass"] == position.examples()
    assert "pass" in position.playable()
    assert 30 == len(position.playable())


def test_the_data_survive_json_in_every_stage():
    for plies in (
        ["play 1S", "play 2U", "lot 1S 2U bid 3"],
        ["play 3S bid 3", "bid 4"],
        ["play 3S bid 50"],
        ["stay"],
    ):
        data = played(*plies).data()
        assert data == json.loads(json.dumps(data))


def test_after_the_end_nothing_can_be_played():
    lost = played("stay")
    with pytest.raises(Illegal) as error:
        lost.play(lost.read("play 1S"))
    assert (
        "The game is over (Black wins: White owes a Thing and owns none), so nothing more can be played."
        == str(error.value)
    )
    assert [] == lost.notes() == lost.playable() == lost.examples() == list(lost.moves())


@pytest.mark.parametrize("width", range(20, 77, 4))
def test_no_line_of_the_notes_reads_as_a_ply_wherever_a_letter_breaks_them(width):
    game = read((GOLDEN / "hexthing.game").read_text())
    for number in range(len(game.plies)):
        position = replayed(game, number).position
        for line in wrap(" ".join(position.notes()), width):
            with pytest.raises(NoMove):
                position.read(line)


def test_a_whole_game_replays_to_its_board_and_its_outcome():
    game = (GOLDEN / "hexthing.game").read_text()
    assert game == write(read(game))
    assert (GOLDEN / "hexthing.txt").read_text() == summary_text(replayed(read(game))) + "\n"


def test_the_game_that_comes_with_the_rules_is_this_one():
    shown = Path(__file__).parents[2] / "templates" / "rules" / "hexthing.game"
    assert (GOLDEN / "hexthing.game").read_text() == shown.read_text()


def test_a_record_without_options_is_of_the_usual_board():
    assert (
        replay(RULES["hexthing"].start(), ["play 1S"])
        == replayed(read('[Game "Hexagonal Thing"]\n\n1 first play 1s')).position
    )
