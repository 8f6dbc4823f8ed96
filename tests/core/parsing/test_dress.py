"""A move in the dress that people give it: labels, quotation marks, joints, stops, a greeting."""

from __future__ import annotations

import pytest

from pbem.core.parsing.mail_orders import read_orders
from rules import RULES

BIPOD = RULES["bipod"].start().read


@pytest.mark.parametrize(
    ("words", "move", "comment"),
    [
        ("f6 !?", "f6", ""),
        ('"f6"', "f6", ""),
        ("\u201ef6 h2\u201c", "f6 h2", ""),
        ("f6, h2 & i1", "f6 h2 i1", ""),
        ("f6, h2 and i1", "f6 h2 i1", ""),
        ("f6 und h2", "f6 h2", ""),
        ("f6 h2 i1 \U0001f600", "f6 h2 i1", ""),
        ("-f6 h2 i1", "f6 h2 i1", ""),
        ("f6\u3001h2\u3001i1\u3002", "f6 h2 i1", ""),
        ("Zug: f6", "f6", ""),
        ("My move: f6 h2.", "f6 h2", ""),
        ("f6 please", "f6", ""),
        ("f6, bitte!", "f6", ""),
        ("f6 hello Bob", "f6", "hello Bob"),
        ("f6 h2 - have fun!", "f6 h2", "have fun!"),
        ("f6 thanks Bob\nand see you", "f6", "thanks Bob\nand see you"),
    ],
)
def test_a_move_in_its_dress_is_read(words: str, move: str, comment: str) -> None:
    orders = read_orders(words, marked=True, reader=BIPOD)
    (command,) = orders.commands
    assert ("move", "", comment) == (command.verb, orders.blocks[0].doubt, orders.comment)
    assert str(BIPOD(move)) == str(BIPOD(command.args["move"]))


@pytest.mark.parametrize(
    "words",
    [
        "f6 is what I would play",
        "f6 or h2",
        "f6 / h2",
        "f6, I think",
        "f6 looks strong - have fun",
        "my move is hard to find: f6 or h2",
        "hello Bob f6",
    ],
)
def test_a_sentence_with_a_move_in_it_is_no_order(words: str) -> None:
    orders = read_orders(words, marked=True, reader=BIPOD)
    assert not [command for command in orders.commands if command.error is None]


def test_a_greeting_behind_a_move_takes_nothing_back_unseen() -> None:
    orders = read_orders("f6 thanks\nno wait, h2", marked=True, reader=BIPOD)
    assert "back" == orders.blocks[0].doubt
