"""A ply half made: what may be clicked next, what is awaited, what a text that begins no ply is told."""

from __future__ import annotations

import pytest

from rules import RULES
from rules.contract import Illegal, Unreadable, replay


def position(key, *plies, **options):
    return replay(RULES[key].start(options), plies)


def cells(draft):
    return {choice.cell: choice.text for choice in draft.choices if choice.cell}


def controls(draft):
    return [choice.text for choice in draft.choices if not choice.cell]


def test_blocks_gather_until_there_are_as_many_as_a_ply_may_have():
    start = position("bipod")
    assert cells(start.draft(""))["f2"] == "f2"
    assert cells(start.draft("f2"))["f4"] == "f2 f4"
    full = start.draft("f2 f4 g3")
    assert set(cells(full)) == {"f2", "f4", "g3"}
    assert full.complete


def test_a_click_on_a_chosen_block_takes_it_out_again():
    assert cells(position("bipod").draft("f2 f4 g3"))["f4"] == "f2 g3"
    assert position("bipod").draft("f2 f4 g3").back == "f2 f4"


def test_a_short_form_is_read_as_the_blocks_that_it_means():
    assert position("bipod").draft("mo1").text == "m1 o1"


def test_adopt_is_a_control_of_its_own_until_somebody_has_adopted():
    assert controls(position("bipod").draft("f2")) == ["adopt"]
    assert controls(position("bipod", "adopt", "k3 o").draft("")) == []


def test_a_lone_block_of_blockers_moves_with_the_click():
    blocker = position("bipod", "adopt", "k3 o")
    assert cells(blocker.draft("f2"))["f4"] == "f4"
    assert cells(blocker.draft("f2"))["f2"] == ""


def test_runner_chooses_a_cell_and_then_its_colour():
    runner = position("bipod", "adopt")
    begun = runner.draft("k3")
    assert not begun.complete
    assert controls(runner.draft("")) == []
    assert controls(begun) == ["k3 o", "k3 O"]
    assert begun.hint == "Which colour for k3?"


def test_another_cell_keeps_the_colour_and_the_other_colour_the_cell():
    stone = position("bipod", "adopt").draft("k3 o")
    assert stone.complete
    assert cells(stone)["m3"] == "m3 o"
    assert controls(stone) == ["k3 O"]
    assert stone.back == "k3"


def test_cells_that_a_block_of_the_same_ply_cuts_off_are_offered_no_more():
    walled = position("bipod", "b2", size="3", middle="2", rows="3", stones="3")
    for begun in ("", "d2", "d2 c3"):
        for cell in cells(walled.draft(begun)).values():
            assert walled.problem(walled.read(cell)) is None if cell else True


@pytest.mark.parametrize(
    ("key", "plies", "text", "sentence"),
    [
        ("bipod", [], "f7", "f7: there is no row 7; column f has rows 2, 4 and 6."),
        ("bipod", ["f2"], "f2", "f2 is taken (a block, move 1)."),
        ("bipod", ["adopt"], "k1", "k1 is taken (the left start)."),
        ("begird", ["j9"], "j9", "j9 is taken (a black stone, move 1); the word swap makes it yours"),
        ("begird", [], "swap", "swap: sides are exchanged on move 2 or not at all"),
        ("bounders", ["g7"], "g8", "g8 touches 1 light and no dark stones"),
    ],
)
def test_a_text_that_begins_no_legal_ply_gets_the_sentence_that_a_mail_gets(key, plies, text, sentence):
    with pytest.raises((Illegal, Unreadable)) as refused:
        position(key, *plies).draft(text)
    assert str(refused.value).startswith(sentence)


def test_a_stone_moves_with_the_click_and_goes_with_another_on_it():
    begird = position("begird", "j9")
    assert cells(begird.draft("k9"))["k10"] == "k10"
    assert cells(begird.draft("k9"))["k9"] == ""
    assert begird.draft("K9.").text == "k9"


def test_swap_is_offered_where_the_pie_rule_has_it():
    assert controls(position("begird", "j9").draft("")) == ["swap"]
    assert controls(position("bounders", "g7").draft("")) == ["swap"]
    assert controls(position("bounders", "g7").draft("swap")) == []
    assert controls(position("bounders", "g7", pie="no").draft("")) == []
    assert controls(position("begird").draft("")) == []


def test_a_game_that_has_ended_offers_nothing():
    over = position("bipod", "adopt", size="3", middle="2", rows="3")
    while not over.outcome:
        over = over.play(over.read(next(iter(map(str, over.moves())))))
    assert not over.draft("").choices
    with pytest.raises(Illegal, match="The game is over"):
        over.draft("f2")
