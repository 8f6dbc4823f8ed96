"""Answers from every mail program and language: the move, and nothing quoted."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import amount
from tests.mail.clients import STYLES, Words
from tests.mail.explain import explain
from tests.mail.languages import LANGUAGES


@pytest.mark.parametrize("style", STYLES)
def test_the_move_and_the_comment_are_found_in_any_program_and_language(style: str):
    wanted = {"kind": "person", "orders": ["f2 f4 g3"], "comment": "Nice one!"}
    for lang in LANGUAGES:
        found = explain(STYLES[style](Words("f2 f4 g3\n\nNice one!", lang)), "bipod")
        assert (lang, wanted) == (lang, {key: found[key] for key in wanted})


@pytest.mark.parametrize("style", STYLES)
def test_nothing_that_is_quoted_is_an_order_in_any_language(style: str):
    for lang in LANGUAGES:
        assert explain(STYLES[style](Words("", lang)), "bipod")["orders"] == []


COMMENT = st.lists(st.text("abcdefghij XYZäßéñ.,!?'-123", max_size=60), max_size=6).map("\n".join)


@settings(max_examples=amount(18, 150))
@given(st.sampled_from(sorted(STYLES)), st.sampled_from(sorted(LANGUAGES)), COMMENT)
def test_whatever_is_said_below_a_move_the_move_alone_is_the_order(style: str, lang: str, comment: str):
    text = f"f2 f4 g3\nWell, {comment}"
    assert explain(STYLES[style](Words(text, lang)), "bipod")["orders"] == ["f2 f4 g3"]
