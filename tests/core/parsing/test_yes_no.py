"""Yes and no as a player's only words."""

from __future__ import annotations

from time import process_time

import pytest

from pbem.core.parsing.yes_no import WORDS, read_yes_no


@pytest.mark.parametrize(
    "words",
    [
        *("yes", "Yes.", "y", "OK!", "sure", "I accept", "gladly", "yes, confirm please", "*yes*"),
        *("yes\n\nthanks", "ja gerne", "sí, por favor", "d\u2019accord", "sim, obrigada", "да", "👍"),
    ],
)
def test_these_mean_yes(words: str) -> None:
    assert read_yes_no(words) is True


@pytest.mark.parametrize(
    "words", ["no", "No, thanks!", "n", "don't", "nein danke", "não", "нет", "ei kiitos"]
)
def test_these_mean_no(words: str) -> None:
    assert read_yes_no(words) is False


@pytest.mark.parametrize(
    "words",
    [
        *("", "please", "yes, but later", "yes?", "maybe", "yes no", "not ok", "no problem", "yesterday"),
        *("ok f2", "yes\nf2", "I do not agree", "ja " * 40),
    ],
)
def test_anything_besides_is_neither(words: str) -> None:
    assert read_yes_no(words) is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Yes\n\nMit freundlichen Grüßen\n\nJürgen Groß", True),
        ("ja gerne\nLG Jürgen", True),
        ("nein danke\n\nViele Grüße\nJürgen", False),
        ("no\n\nBest regards", False),
        ("Yes\nThanks, Jürgen", True),
        ("Yes\nThanks, Sabine", None),
        ("ja\n\nViele Grüße\naber erst morgen", None),
        ("ja\nLG Sabine", None),
        ("ja, Jürgen", True),
        ("Nein danke - Jürgen Groß", False),
        ("ja, Sabine", None),
        ("Jürgen", None),
    ],
)
def test_a_closing_with_the_writers_own_name_is_no_word_besides(words: str, said: bool | None) -> None:
    assert read_yes_no(words, ("Juergen", "Groß, Jürgen")) is said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("ja\n\nMit freundlichen Grüßen\nHeidi Groß", True),
        ("nein danke\n\nViele Grüße\nHeidi Groß", False),
        ("ja\n\nMit freundlichen Grüßen\nUwe Groß", None),
        ("ja\n\nMit freundlichen Grüßen\nHeidi wartet noch", None),
        ("ja\n\nHeidi Groß Meier Schulze", None),
        ("ja\nHeidi Groß", None),
    ],
)
def test_a_full_name_below_a_closing_is_no_word_besides(words: str, said: bool | None) -> None:
    assert read_yes_no(words, ("Heidi", "")) is said


def test_a_row_of_such_words_is_read_at_once() -> None:
    assert read_yes_no("ja " * 26 + "x") is None
    assert read_yes_no("thanks gerne " * 6 + "x") is None


@pytest.mark.parametrize(
    ("words", "said"),
    [("Yes\n\nBill", True), ("no thanks\n- bill.", False), ("Yes\nJoao", None), ("Ja", True), ("Bill", None)],
)
def test_the_writers_own_name_below_changes_nothing(words: str, said: bool | None) -> None:
    assert said is read_yes_no(words, ("Bill Example", "Ja", ""))


@pytest.mark.parametrize("language", WORDS)
def test_each_language_has_words_that_mean_one_thing(language: str) -> None:
    yes, no = (both.replace("?", "").split("|")[0] for both in WORDS[language])
    assert (True, False) == (read_yes_no(yes), read_yes_no(no))


def test_a_name_that_is_a_no_takes_nothing_away() -> None:
    assert read_yes_no("yes, Ne", ("Ne",)) is None


@pytest.mark.parametrize(
    "words", ["yes" + "-." * 20_000, "yes\n" + "-" * 20_000, "yes " + "-." * 36, "ja" + " Ana" * 20_000]
)
def test_signs_and_names_behind_an_answer_are_read_at_once(words: str) -> None:
    begin = process_time()
    read_yes_no(words, ("Ana",))
    assert process_time() - begin < 0.5
