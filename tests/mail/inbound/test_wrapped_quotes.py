"""Opponents' words in rewrapped quotes that mark only first parts."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.core.parsing.mail_orders import read_orders
from pbem.core.parsing.normalise import normalise
from pbem.core.parsing.reply_text import split_words
from tests.amount import amount
from tests.mail.letters import part_of_letter, write_sample
from tests.mail.sample_values import only_letter
from tests.people import SEED_GAME, a_game, asks

PREFIXES = ("> ", ">", "| ", ">> ", "> > ", "Joao> ")
COLUMNS = range(56, 82)
ORDERS = ("resign", "resign yes", "accept", "adopt", "draw", "confirm", "k3", "pass", "show")
HEAD = "On Sunday, 8 March 2026, Bipod #42 <play@pbem.example.org> wrote:"

GAME = a_game(SEED_GAME[:4])
READER = GAME.state.position.read


def broken(lines: Sequence[str], prefix: str, column: int) -> list[str]:
    """Quote lines and break them at `column`, the rest without a mark."""
    out: list[str] = []
    for line in lines:
        left = f"{prefix}{line}" if line else prefix.rstrip()
        while len(left) > column and (cut := left.rfind(" ", len(prefix) + 2, column + 1)) > 0:
            out.append(left[:cut])
            left = left[cut + 1 :]
        out.append(left)
    return out


def told_to_joao(words: str) -> list[str]:
    """Return the lines of the letter that brings Bill's words to Joao."""
    letter = only_letter(asks(GAME, 0, f"F2\n\n{words}").letters, "turn")
    return part_of_letter(write_sample(letter), "plain").rstrip("\n").split("\n")


def read(text: str) -> list[str]:
    words, _unsent, marked = split_words(normalise(text))
    orders = read_orders(words, marked=marked, reader=READER)
    return [] if orders.problem else orders.texts


ends = st.sampled_from([".", "!", "?", ":", ",", "", "..."])


@settings(max_examples=amount(7, 60))
@given(st.integers(30, 90), ends, st.sampled_from(ORDERS), st.sampled_from(ORDERS), st.integers(0, 3))
def test_no_order_among_the_words_of_another_is_carried_out_however_they_are_wrapped(
    length, end, order, another, more
):
    said = "x" * 8 + " thanks for the game so far and good luck" * 3
    line = said[: max(4, length - len(end) - len(order) - 1)].rstrip() + f"{end} {order}"
    shown = told_to_joao("\n".join([line, *[f"{another} {line}"] * more]))
    for prefix in PREFIXES:
        for column in COLUMNS:
            quoted = "\n".join(broken(shown, prefix, column))
            assert ["show"] == read(f"show\n\n{HEAD}\n{quoted}")
            assert ["show"] == read(f"show\n\n{quoted}")


@pytest.mark.parametrize("column", range(70, 82))
@pytest.mark.parametrize("prefix", PREFIXES)
def test_nor_where_the_line_is_as_wide_as_our_letters(prefix, column):
    for width in range(60, 79):
        line = ("Thanks for this fine game so far and good luck" * 3)[: width - 8] + ". resign"
        quoted = "\n".join(broken([line, "The board after move 5:", "", "Fine."], prefix, column))
        assert ["show"] == read(f"show\n\n{HEAD}\n{quoted}")
