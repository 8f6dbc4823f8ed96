"""Names, as newcomers write them."""

from __future__ import annotations

import pytest

from pbem.core.lobby.newcomers import lone_name, name_with_please, offered_name


@pytest.mark.parametrize(
    ("asked", "offered"),
    [
        *(("Jürgen", "Juergen"), ("Björn", "Bjoern"), ("Bjo\u0308rn", "Bjoern"), ("Groß", "Gross")),
        *(("Łukasz", "Lukasz"), ("José", "Jose"), ("Sören", "Soeren"), ("Åsa", "Asa"), ("Søren", "Soren")),
    ],
)
def test_a_name_is_offered_in_the_letters_that_it_has_in_a_passport(asked: str, offered: str) -> None:
    assert offered_name(asked, frozenset(), lambda name: True) == offered


@pytest.mark.parametrize(
    "words",
    ["Juergen", "Hallo,\nJuergen", "Juergen\n\nMfG", "Juergen\n\nMit freundlichen Grüßen\n\nJürgen Groß"],
)
def test_a_closing_leaves_a_name_alone(words: str) -> None:
    assert lone_name(words) == "Juergen"


@pytest.mark.parametrize(
    "words", ["Hilfe", "Mitspielen", "Vielen Dank!", "Hilfe bitte!", "Viele Grüße", "Gruss", "MfG", "Bitte"]
)
def test_a_word_of_german_prose_is_no_name(words: str) -> None:
    assert not name_with_please(words)


def test_a_name_with_please_is_asked_about() -> None:
    assert ("", "Heike") == (lone_name("Heike bitte!"), name_with_please("Heike bitte!"))
