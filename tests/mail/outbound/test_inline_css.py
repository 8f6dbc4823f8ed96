"""The look of the HTML part: style sheet rules and rules texts become HTML."""

from __future__ import annotations

import re

import pytest

from pbem.mail.outbound.inline_css import add_styles, load_styles
from pbem.mail.outbound.template_functions import prose_html
from pbem.resources import rules_in_words
from rules import RULES
from rules.looks import COLOURS

SHEET = {"p": "margin:0", "words": "color:red"}


def test_a_tag_gets_the_style_of_its_rule_and_others_stay():
    assert '<p style="margin:0">x</p><i>y</i>' == add_styles("<p>x</p><i>y</i>", SHEET)


def test_a_class_takes_the_place_of_its_tags_rule():
    wanted = '<p style="color:red" id="a">x</p>'
    assert wanted == add_styles('<p class="words" id="a">x</p>', SHEET)


def test_a_class_without_a_rule_is_an_error():
    with pytest.raises(KeyError, match="nonsense"):
        add_styles('<p class="nonsense">x</p>', SHEET)


def test_the_sheet_can_stand_inside_an_attribute():
    assert not [name for name, style in load_styles().items() if '"' in style or "<" in style]


def test_an_operators_own_sheet_comes_first(tmp_path):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "_letter.css").write_text("/* ours { no } */\np { margin: 1px }\n.words{color:blue}")
    assert {"p": "margin: 1px", "words": "color:blue"} == load_styles(tmp_path)


def test_the_sheet_has_the_colours_of_the_pages():
    used = set(re.findall(r"#[0-9A-F]{6}", " ".join(load_styles().values())))
    assert used <= {colour for pair in COLOURS.values() for colour in pair} | {"#FFFFFF"}


@pytest.mark.parametrize("key", RULES)
def test_the_rules_of_a_game_become_headings_lists_boards_and_paragraphs(key):
    html = prose_html(rules_in_words(RULES[key]), {})
    plain = rules_in_words(RULES[key])
    assert plain.count("\n * ") == html.count("<li>")
    assert plain.count("\n\n\n") == html.count("<h2>")
    drawn = re.findall(r"(?<=\n\n)((?:  .*\n?)+)", plain)  # blocks that are indented
    assert len(drawn) >= html.count("<pre>") >= bool(drawn)
    assert not re.search(r"(?m)^<p>\s", html)


def test_prose_is_escaped():
    assert "<p>a &lt; b &amp; c</p>" == prose_html("a < b & c", {})
