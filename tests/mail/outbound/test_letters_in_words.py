"""Letters for readers who want the board in words: no drawing in either part, and short lines."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from pbem.core.letters.letter import Letter, to_player
from pbem.core.players import BOARD_WORDS, Preferences
from pbem.mail.outbound.text_layout import NARROW
from pbem.resources import rules_in_words
from rules import RULES
from rules.board_words import word_lines, word_lists
from tests.mail.letters import SAMPLES, part_of_letter, write_sample
from tests.mail.outbound.test_boards import played, turn
from tests.mail.outbound.test_read_back import assert_no_orders
from tests.people import BILL

WORDS = Preferences(board=BOARD_WORDS)
UNBROKEN = re.compile(r"##-|https?://|@|fingerprint")
"""Lines that stay whole: the marker, and those with an address."""
DRAWN = re.compile(r"<table class=board|<img|<pre")
each_board = pytest.mark.parametrize(("key", "plies"), [(key, n) for key in RULES for n in (0, 5, 40)])


def too_long(text: str) -> list[str]:
    return [line for line in text.splitlines() if len(line) > NARROW and not UNBROKEN.search(line)]


@each_board
def test_a_turn_has_the_board_in_words_in_both_parts(key: str, plies: int) -> None:
    game = played(key, plies, 4, WORDS)
    letter = turn(game, game.state.to_play or 0)
    raw = write_sample(letter)
    text, html = part_of_letter(raw, "plain"), part_of_letter(raw, "html")
    board = "\n".join(f"  {line}" for line in word_lines(game.state.position, NARROW - 2))
    assert board in text and not DRAWN.search(html)
    for label, names in word_lists(game.state.position):
        assert f"<li>{label}: {' '.join(names)}</li>" in unescape(html)
    assert [] == too_long(text)
    assert_no_orders(raw, game.state.position.read)


def in_words(letter: Letter) -> Letter:
    assert letter.player is not None
    return replace(letter, player=replace(letter.player, preferences=WORDS))


@pytest.mark.parametrize("name", [name for name, letter in SAMPLES.items() if letter.player is not None])
def test_no_letter_has_a_drawing_or_long_lines(name: str) -> None:
    raw = write_sample(in_words(SAMPLES[name]))
    assert not re.search(r"<table class=board|<img", part_of_letter(raw, "html"))
    assert [] == too_long(part_of_letter(raw, "plain"))


@pytest.mark.parametrize("key", RULES)
def test_rules_come_without_the_boards_drawn_in_them(key: str) -> None:
    rules = RULES[key]
    reader = replace(BILL, preferences=WORDS)
    raw = write_sample(to_player("rules", reader, rules=rules, text=rules_in_words(rules), offered={}))
    text = part_of_letter(raw, "plain")
    assert [] == too_long(text) and "<pre" not in part_of_letter(raw, "html")
    assert " ".join(rules.terms.split()) in " ".join(text.split())
