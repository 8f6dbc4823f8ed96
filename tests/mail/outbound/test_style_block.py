"""The look of the HTML part: its style block, and rules texts become HTML."""

from __future__ import annotations

import re

import pytest

from pbem.mail.outbound.style_block import load_rules, style_block
from pbem.mail.outbound.template_functions import prose_html
from pbem.resources import rules_in_words
from rules import RULES
from rules.looks import COLOURS

OWN = """/* ours { no } */
p, h1 { margin:0 }
.words{color:light-dark(#000000, #FFFFFF);margin:1px;}
.board td { padding:0 }
"""


@pytest.fixture
def own(tmp_path):
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "_letter.css").write_text(OWN)
    return tmp_path


def test_a_letter_has_the_rules_of_its_tags_and_classes_alone(own):
    light, _, dark = style_block('<p id="a" class="words last">x</p><td>', own).partition("@media")
    assert "p{margin:0}\n.words{color:#000000;margin:1px}\n" == light
    assert " (prefers-color-scheme:dark){\n.words{color:#FFFFFF}\n}" == dark


def test_a_rule_of_two_names_needs_both(own):
    assert ".board td{padding:0}" in style_block("<table class=board><td class=x>", own)


def test_the_sheet_has_nothing_that_mail_programs_drop_a_whole_style_block_for():
    used = "".join(rule.light + rule.dark for each in load_rules() for rule in each)
    assert not re.search("light-dark|url|<|opacity|display:none", used)


def test_the_sheet_has_the_colours_of_the_pages():
    used = {
        *re.findall(r"#\w+", " ".join(f"{rule.light} {rule.dark}" for each in load_rules() for rule in each))
    }
    assert used <= {colour for pair in COLOURS.values() for colour in pair} | {"#FFFFFF"}


@pytest.mark.parametrize("key", RULES)
def test_the_rules_of_a_game_become_headings_lists_boards_and_paragraphs(key):
    html = prose_html(rules_in_words(RULES[key]))
    plain = rules_in_words(RULES[key])
    assert plain.count("\n * ") == html.count("<li>")
    assert plain.count("\n\n\n") == html.count("<h2>")
    drawn = re.findall(r"(?<=\n\n)((?:  .*\n?)+)", plain)  # blocks that are indented
    assert len(drawn) >= html.count("<pre>") >= bool(drawn)
    assert not re.search(r"(?m)^<p>\s", html)


def test_prose_is_escaped():
    assert "<p>a &lt; b &amp; c</p>" == prose_html("a < b & c")
