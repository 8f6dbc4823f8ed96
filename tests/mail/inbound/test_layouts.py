"""Answers to real letters, in sixty mail programs' layouts and every language."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.core.parsing.reply_text import MARKER
from tests.amount import amount, whole
from tests.mail.client_table import PAGE, page, rows
from tests.mail.corpus import CORPUS
from tests.mail.explain import explain
from tests.mail.layout import LAYOUTS, LETTER, LETTER_HTML, UNMARKED, Layout
from tests.mail.layouts import layout_mails_of

each_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=[layout.name for layout in LAYOUTS])
NEEDS_MARKER = {"supercite", "the-bat"}
"""Layouts that quote with the writer's name: only the marker line separates the words."""


@each_layout
def test_the_move_and_the_comment_are_found_in_every_language(layout: Layout):
    for mail in layout_mails_of("j2 j4\n\nNice one!", every=whole(), only=layout):
        found = explain(mail.raw, "bipod")
        assert (mail.name, ["j2 j4"], "Nice one!") == (mail.name, found["orders"], found["comment"])


@each_layout
def test_the_move_is_found_where_the_marker_line_was_deleted(layout: Layout):
    for mail in layout_mails_of("j2 j4\n\nNice one!", only=layout, letter=UNMARKED):
        wanted = [] if layout.name in NEEDS_MARKER else ["j2 j4"]
        assert (mail.name, wanted) == (mail.name, explain(mail.raw, "bipod")["orders"])


@each_layout
@pytest.mark.parametrize("letter", [(LETTER, LETTER_HTML), UNMARKED], ids=["marker", "no-marker"])
def test_no_quoted_move_is_ever_an_order(layout: Layout, letter: tuple[str, str]):
    for words in amount(("Thanks!",), ("", "Thanks!", "I shall think about it.\n\nUntil tomorrow")):
        for mail in layout_mails_of(words, only=layout, letter=letter):
            assert (mail.name, []) == (mail.name, explain(mail.raw, "bipod")["orders"])


def test_the_letter_that_is_answered_is_one_of_ours_with_its_marker_and_a_move_in_it():
    assert all(text in LETTER and text in LETTER_HTML for text in (MARKER, "F2", "adopt"))
    assert not any(MARKER in text for text in UNMARKED)


def test_the_layouts_are_those_of_many_programs_and_positions():
    assert len({layout.client for layout in LAYOUTS}) >= 45
    assert {"above", "below", "inside"} == {layout.where for layout in LAYOUTS}


def test_at_least_a_hundred_and_fifty_mails_of_known_programs_lie_in_the_corpus():
    clients = Counter(case.about["client"] for case in CORPUS.values() if "client" in case.about)
    assert sum(clients.values()) >= 150
    assert {layout.client for layout in LAYOUTS} == set(clients)


def test_the_page_about_mail_programs_says_what_the_corpus_shows():
    assert page() == PAGE.read_text(encoding="utf-8"), "run: python -m tests.mail.client_table"


def test_every_answer_on_that_page_is_found_and_no_quoted_move_is_executed():
    assert [(row.client, row.mails, 0) for row in rows()] == [(r.client, r.found, r.executed) for r in rows()]
