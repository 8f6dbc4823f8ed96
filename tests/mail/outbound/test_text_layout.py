"""Layout of lines: narrow, in the template's shape, and harmless when quoted."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment

from pbem.core.parsing.line import read_line
from pbem.mail.outbound import marks
from pbem.mail.outbound.text_layout import (
    _CONTROLS,
    JOINED,
    KEPT,
    clean,
    columns,
    label_for,
    labelled,
    page,
    safe_label,
    unbroken,
    wrap_harmless,
)
from rules import RULES

READER = RULES["bipod"].start().read


def test_prose_is_filled_to_72_columns_however_the_template_breaks_it():
    rendered = (
        "To play,\nanswer this letter with your move\nat the top, on a line of its own, and nothing else.\n"
    )
    wanted = """\
        To play, answer this letter with your move at the top, on a line of its
        own, and nothing else.
        """
    assert dedent(wanted) == page(rendered, READER)


def test_blank_lines_part_paragraphs_and_never_stand_together():
    assert "Hello,\n\nhere is the board.\n" == page("\n\nHello,\n\n\n\nhere is the board.\n\n\n", READER)


def test_indented_lines_stay_and_long_ones_go_on_further_in():
    rendered = "Read:\n  move 5: F2\n  Challenge 7: " + "Bill offers Bipod " * 4 + "today\n"
    wanted = """\
        Read:
          move 5: F2
          Challenge 7: Bill offers Bipod Bill offers Bipod Bill offers Bipod
              Bill offers Bipod today
        """
    assert dedent(wanted) == page(rendered, READER)


def test_what_stands_behind_a_label_stays_in_its_column_where_the_line_is_long():
    rendered = "  Rated:      no\n  Number:     7, open until " + "the ninth of November, " * 3 + "at last\n"
    wanted = """\
      Rated:      no
      Number:     7, open until the ninth of November, the ninth of
          November, the ninth of November, at last
    """
    assert dedent(wanted) == dedent(page(rendered, READER))


def test_the_words_of_an_item_stand_under_each_other():
    rendered = (
        "  * An item of a list that the template breaks\n    early, and that is longer than one line.\n"
    )
    wanted = [
        "  * An item of a list that the template breaks early, and that is longer",
        "    than one line.",
    ]
    assert wanted == page(rendered, READER).splitlines()


def test_lines_that_are_marked_stay_as_they_are():
    board = "  . . .\n\n\n   . ." + " x" * 40
    assert f"{board}\n" == page(re.sub("(?m)^", KEPT, board), READER)


def test_no_line_break_cuts_an_example_out_of_its_sentence():
    long = "x" * 68
    assert read_line("f2 f4 g3", READER) is not None
    assert [f"{long} so", "write f2 f4 g3", long] == wrap_harmless(f"{long} so write f2 f4 g3 {long}", READER)
    for before in range(1, 72):
        lines = wrap_harmless(f"{'x' * before} f2 f4 g3 {long}", READER)
        assert all(read_line(line, READER) is None for line in lines)


@pytest.mark.parametrize("start", ["From", ">", "|", ".hidden", "--"])
def test_no_line_begins_as_hosts_and_quotes_do(start):
    for before in range(60, 72):
        lines = wrap_harmless(f"{'x' * before} {start} here on it goes", READER)
        assert not any(line.startswith(("From ", ">", "|", ".", "--")) for line in lines)


def test_what_stands_in_quotation_marks_is_not_broken():
    assert [f"{'x' * 60} answer", '"challenge Joao bipod" now'] == wrap_harmless(
        f'{"x" * 60} answer "challenge Joao bipod" now', READER
    )


def test_a_list_of_cells_alone_gets_a_label():
    cells = " ".join(f"{column}2" for column in "bdfhjlnprtvxzBDF" * 3)
    lines = wrap_harmless(f"{cells}: that is too many.", READER)
    assert all(read_line(line, READER) is None and columns(line) <= 72 for line in lines)
    assert lines[0].startswith("here: b2 d2")


def test_without_a_game_a_line_of_cells_counts_as_a_move_of_some_game():
    assert "here: " == safe_label("f2 f4 g3", None)
    assert "here: " == safe_label("resign", None)
    assert "" == safe_label("There is no game 42.", None)


def test_every_line_of_a_players_words_has_the_name_before_it():
    words = "Hello!\n\n\nf2 f4 g3\nresign\n"
    assert ["Bill: Hello!", "", "Bill: f2 f4 g3", "Bill: resign"] == labelled(words, label_for("Bill"))


def test_a_name_that_could_begin_a_move_gets_a_word_behind_it():
    assert ("Bill:", "f2 says:") == (label_for("Bill"), label_for("f2"))
    assert read_line("f2: g3", READER) is not None
    assert read_line("f2 says: g3", READER) is None


def test_lines_that_a_mail_program_broke_are_joined():
    typed = "A line that the mail program broke at seventy columns because it\nhad to.\nA line of its own."
    joined = "A line that the mail program broke at seventy columns because it had to."
    assert [joined, "A line of its own."] == unbroken(typed)


def test_a_diagram_in_a_players_words_keeps_its_spaces():
    diagram = "Look:\n  x . o\n   . O ."
    assert ["Bill: Look:", "Bill:   x . o", "Bill:    . O ."] == labelled(diagram, "Bill:")


def test_wide_signs_count_two_columns_and_long_words_are_cut():
    lines = labelled("棋" * 70, "Bill:", 70)
    assert [70, 70, 18] == [columns(line) for line in lines]
    assert "棋" * 70 == "".join(line.removeprefix("Bill: ") for line in lines)


def test_combining_marks_take_no_column():
    assert 4 == columns("cafe\u0301")


@given(st.text(max_size=300))
def test_no_text_makes_a_line_too_long_or_loses_a_word(text):
    words = "".join(sign for sign in text if sign.isprintable() or sign in " \n")
    lines = labelled(words, "Bill:")
    assert all(columns(line) <= 70 and line == line.rstrip() for line in lines)
    assert "".join(words.split()) == "".join("".join(line.removeprefix("Bill:").split()) for line in lines)


def test_no_control_is_printable():
    """Text that is printable is not searched for controls."""
    controls = [sign for sign in map(chr, range(0x3000)) if _CONTROLS.match(sign)]
    assert not any(map(str.isprintable, controls))
    assert "a\n\tb" == clean("\x00a\n\t\u2028b\x9f")
    every = "".join(map(chr, range(128)))
    assert "\t\n" + every[32:127] == clean(every)
    assert "\t\n" + every[32:127] + "é" == clean(every + "é")


@pytest.mark.parametrize("before", range(48, 72))
def test_a_cell_and_its_colour_stand_on_one_line(before: int):
    rendered = f"{'word ' * 20}"[:before].strip() + f" {marks.move('y3 O')} and more words"
    shown = page(marks.text_of(marks.join_stones(rendered, JOINED)), None)
    assert any("y3 O" in line for line in shown.split("\n"))
    assert marks.join_stones(marks.move("f2 f4 g3"), JOINED) == marks.move("f2 f4 g3")


@pytest.mark.parametrize("changes", [True, False])
def test_an_included_template_keeps_its_names_to_itself(changes: bool):
    templates = {
        "outer": 'above: {% include "inner" %}\n{% include "inner" +%}\n{{ name }}',
        "inner": "{# A note. #}\n{% set name = 2 %}\n  {% if name %}\n{{ name }}\n  {% endif %}\n",
    }
    environment = Environment(
        loader=DictLoader(templates),
        extensions=[marks.Marking],
        auto_reload=changes,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    shown = marks.text_of(environment.get_template("outer").render(name=1))
    assert shown == "above: 2\n2\n\n1"
