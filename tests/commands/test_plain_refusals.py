"""Refused account commands in a mail to a game: plain letters, outside the game's thread, without a board."""

from __future__ import annotations

import pytest

from pbem.app import App
from pbem.core.parsing.commands import WORDS
from tests.amount import some
from tests.apps import JOAO, a_game, last_letter, last_words, writes

REFUSED = (
    "set zone Atlantis",
    "set board 3",
    "vacation 99 days",
    "vacation 5 Jan to 3 Jan",
    "vacation cancel",
    "back",
    "digest 25",
    "remind 400d",
    "stop nonsense",
    "start nonsense",
    "limit chess 3",
    "block Nobody",
    "unblock Nobody",
    "watch 99",
    "unwatch 99",
    "rules chess",
    "rating Nobody",
    "standings chess",
    "challenge Nobody bipod",
    "challenge Bill chess",
    "seek chess",
    "play chess",
    "take 99",
    "withdraw 99",
    "accept 99",
    "decline 99",
    "confirm",
    "address drop nobody@example.org",
    "address add joao@example.net",
    "boards 9",
    "export 99",
)


@pytest.mark.parametrize("words", REFUSED)
def test_a_refused_account_command_is_answered_without_a_game(app: App, words: str) -> None:
    a_game(app)
    assert "refused" == writes(app, JOAO, words)
    letter = last_letter(app, JOAO)
    assert letter.text.startswith(f"{letter.header('Subject')}, Joao: ")
    assert "Fingerprint" not in letter.text


def test_a_line_with_a_word_of_a_game_or_more_lines_are_answered_with_the_board(app: App) -> None:
    a_game(app)
    for words in (
        "resign perhaps",
        "stop nonsense\nand more of it",
        "nonsense",
    ):  # each in answer to the last
        writes(app, JOAO, words)
        assert "Bipod #1" in last_letter(app, JOAO).header("Subject")


def test_a_zone_by_its_distance_from_utc_reads_back_as_it_was_written(app: App) -> None:
    a_game(app)
    for zone in ("UTC+1", "UTC-3", "UTC+14"):
        writes(app, JOAO, f"set zone {zone}")
        told = last_words(app, JOAO)
        assert f"zone is now {zone}, where it is " in told
        assert f" {zone}. " in told
        for words in ("remind", "digest 7"):
            writes(app, JOAO, words)
            assert f"in your zone, {zone}" in last_words(app, JOAO)


@pytest.mark.parametrize("word", some(WORDS, 15))
def test_words_that_begin_like_a_command_put_no_mail_aside(app: App, word: str) -> None:
    a_game(app)
    for words in (
        f"{word.title()} you, my friend!",
        f"{word} all of this, and good luck to you in the rest of it",
    ):
        assert writes(app, JOAO, words) in ("refused", "done")
        assert "aside" not in last_words(app, JOAO)
