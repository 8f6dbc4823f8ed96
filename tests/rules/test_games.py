"""The table of games, and the promises of options that all games share."""

from __future__ import annotations

import dataclasses

import pytest

from rules import RULES, find
from rules.contract import BadOption
from rules.option import choice_option, number_option
from rules.record import NotARecord, Record, replay


@pytest.mark.parametrize("word", ["bipod", "Bipod", "BIPOD", "  bipod "])
def test_a_game_is_found_by_key_or_name_in_any_case(word):
    assert RULES["bipod"] is find(word)


@pytest.mark.parametrize("word", ["", "bipo", "chess", "bipod 2"])
def test_a_word_that_names_no_game_finds_none(word):
    assert find(word) is None


def test_the_table_of_games_cannot_be_changed():
    with pytest.raises(TypeError):
        RULES["other"] = RULES["bipod"]


@pytest.mark.parametrize("key", RULES)
def test_every_game_says_whose_it_is_and_on_what_terms(key):
    rules = RULES[key]
    assert key == rules.key == rules.key.lower()
    assert all([rules.name, rules.credit, rules.terms, rules.summary, rules.turn])


def test_options_are_read_in_any_case_and_filled_up_with_defaults():
    assert {"size": 4, "middle": 4, "rows": 5, "stones": 2} == RULES["bipod"].complete(
        {"SIZE": " 4 ", "stones": 2}
    )


@pytest.mark.parametrize("text", ["", "-1", "+4", "4.0", "four", "\u0664", "9" * 40, "4 4"])
def test_a_whole_number_is_digits_alone(text):
    with pytest.raises(ValueError):
        number_option("size", "how large", 5, 3, 8).parse(text)


def test_a_choice_is_one_of_its_words_in_any_case():
    option = choice_option("scoring", "how it is counted", "basic", ["basic", "half"])
    assert "half" == option.parse("HALF")
    assert "basic or half" == option.range
    with pytest.raises(ValueError):
        option.parse("double")


def test_options_are_words_with_one_value_each():
    bipod = RULES["bipod"]
    assert {"size": "4", "rows": "5"} == bipod.split_options(["size=4", "rows=5", "SIZE=4"])
    with pytest.raises(BadOption, match=r"^size stands there as 3 and as 4\.$"):
        bipod.split_options(["size=3", "size=4"])
    with pytest.raises(BadOption, match=r"^large should be a name and a value, as in size=\.\.\.$"):
        bipod.split_options(["large"])


def test_a_game_without_options_has_none_to_be_named():
    plain = dataclasses.replace(RULES["bipod"], options=())
    with pytest.raises(BadOption, match=r"^large cannot be: Bipod has no options\.$"):
        plain.split_options(["large"])


def test_a_bad_option_of_a_record_is_named():
    with pytest.raises(NotARecord, match=r"^Options: large should be a name and a value"):
        replay(Record({"Game": "Bipod", "Options": "large"}))


def test_a_bad_option_is_a_sentence():
    with pytest.raises(BadOption, match="rows=2 cannot be: rows is 3 to 9"):
        RULES["bipod"].start({"rows": "2"})


def of_two_options():
    """A game with boards round and square, of which square ones alone have a width, an even one."""
    bipod = RULES["bipod"]
    shape = choice_option("shape", "of the board", "round", ["round", "square"])
    width = number_option(
        "width",
        "of a square",
        lambda chosen: None if chosen["shape"] == "round" else 4,
        2,
        8,
        lambda value, chosen: "round boards have none" if chosen["shape"] == "round" else None,
    )
    return dataclasses.replace(bipod, options=(shape, width))


def test_an_option_without_a_use_is_left_out_and_refused_where_it_is_given():
    rules = of_two_options()
    assert {"shape": "round"} == rules.complete({})
    assert {"shape": "square", "width": 4} == rules.complete({"shape": "square"})
    assert {"shape": "square", "width": 6} == rules.complete({"width": "6", "shape": "square"})
    with pytest.raises(BadOption, match=r"^width=6 cannot be: round boards have none\.$"):
        rules.complete({"width": "6"})
    with pytest.raises(BadOption, match=r"^width=9 cannot be: width is 2 to 8\.$"):
        rules.complete({"width": "9", "shape": "round"})
